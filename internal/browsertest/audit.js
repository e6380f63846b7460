// What axe-core does not look at; it runs beside this.
(() => {
	const wrong = [], seen = (e) => e.getClientRects().length > 0 && e.checkVisibility({ visibilityProperty: true }); // what is folded away is not
	const labelled = (e) => ((e.getAttribute("aria-label") || (e.labels && [...e.labels].map((l) => l.textContent).join("")) || e.title || "").trim());
	const tell = (e) => e.outerHTML.slice(0, 120);
	for (const e of document.querySelectorAll("[aria-labelledby]")) if (!document.getElementById(e.getAttribute("aria-labelledby"))) wrong.push("labelled by nothing: " + tell(e));
	const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
	for (const id of new Set(ids)) if (ids.filter((x) => x === id).length > 1) wrong.push("id twice: " + id);
	const first = document.querySelector("a[href], button, input, select, [tabindex='0']");
	if (!first || !document.querySelector("main") || first.getAttribute("href") !== "#" + document.querySelector("main").id) wrong.push("the first stop is not a way to the content: " + (first ? tell(first) : "none"));
	for (const e of document.querySelectorAll("body *")) {
		const way = getComputedStyle(e);
		if (!e.closest("nav") /* its links scroll it */ && /auto|scroll/.test(way.overflowX + way.overflowY) && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1) && !(e.tabIndex === 0 && labelled(e) + (e.getAttribute("aria-labelledby") || ""))) wrong.push("scrolls, but not by keys: " + tell(e));
	}
	for (const mark of ["header", "main", "footer", "nav[aria-label]"]) if (!document.querySelector("body " + mark)) wrong.push("no landmark " + mark);
	if (document.querySelectorAll("h1").length !== 1) wrong.push("not one h1");
	for (const t of document.querySelectorAll("table")) if (!t.querySelector("th[scope=col]")) wrong.push("table without heads: " + tell(t));
	if (document.documentElement.scrollWidth > innerWidth) {
		const wide = [...document.querySelectorAll("main *")].find((e) => !e.closest(".wide") && e.getBoundingClientRect().right > innerWidth + 1);
		wrong.push(`wider than the screen: ${document.documentElement.scrollWidth}, ${wide ? tell(wide) : ""}`);
	}
	const brush = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true }), mixed = new Map();
	const parts = (c) => { // of any colour that CSS can say: red, green, blue, and how much of it covers
		if (!mixed.has(c)) {
			brush.clearRect(0, 0, 1, 1);
			brush.fillStyle = c;
			brush.fillRect(0, 0, 1, 1);
			const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data;
			mixed.set(c, [r, g, b, a / 255]);
		}
		return mixed.get(c);
	};
	const light = (c) => { const [r, g, b] = c.slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const ground = (e) => { for (; e; e = e.parentElement) { const c = parts(getComputedStyle(e).backgroundColor); if (c[3] > 0.99) return c; } return [255, 255, 255]; };
	const painted = (e) => { for (; e; e = e.parentElement) { const way = getComputedStyle(e); if (way.backgroundImage !== "none") return true; const c = parts(way.backgroundColor); if (c[3] > 0.99) return false; } return false; };
	for (const e of document.querySelectorAll("body *")) { // where a gradient is behind the text axe cannot tell: the colour below it counts
		if (!seen(e) || !painted(e) || e.closest("svg") || e.disabled || ![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
		const a = light(parts(getComputedStyle(e).color)), b = light(ground(e)), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < 4.5) wrong.push(`contrast ${ratio.toFixed(2)}: ${tell(e)}`);
	}
	for (const e of document.querySelectorAll("a[href], button, input, select")) {
		if (!seen(e) || e.disabled) continue;
		e.focus({ preventScroll: true, focusVisible: true });
		if (document.activeElement !== e || getComputedStyle(e).outlineStyle === "none") wrong.push("focus is not seen: " + tell(e));
	}
	return wrong;
})()
