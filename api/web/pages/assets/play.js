// A person's seat. Without this file the page's forms do; with it the board can be tapped and coins dragged, and the page follows the match.
(() => {
	"use strict";
	const still = matchMedia("(prefers-reduced-motion: reduce)");
	const find = (selector) => document.querySelector("#sitting " + selector);
	const sheets = new Map();
	let turn = 0, timer = 0, root = null, taps = [], were = new Map();

	function sheet(text) {
		if (!sheets.has(text)) {
			const made = new CSSStyleSheet();
			made.replaceSync(text);
			sheets.set(text, made);
		}
		return sheets.get(text);
	}
	const own = ":host,svg{display:block;width:100%}svg{height:auto;max-height:78vh}[data-can]{cursor:pointer}" +
		"[data-can]:hover,[data-can]:focus,[data-tapped]{filter:drop-shadow(0 0 2px #fff) drop-shadow(0 0 4px #5a3c9e);outline:none}" +
		".aim{stroke:#5a3c9e;stroke-width:5;stroke-linecap:round;pointer-events:none}";

	// --- the board ----------------------------------------------------------------------------------------------------
	const place = (piece) => (/translate\(\s*([-\d.]+)[ ,]+([-\d.]+)/.exec(piece.getAttribute("transform") || "") || []).slice(1).map(Number);

	// draw puts the drawing into a shadow root, so that it can be tapped; its styles become a sheet, as the page allows none inline.
	async function draw(mine) {
		const img = find("#drawing");
		if (!img) return;
		const got = await fetch(img.getAttribute("src"));
		if (!got.ok || mine !== turn) return;
		let css = "";
		const text = (await got.text()).replace(/<style>([^]*?)<\/style>/g, (_, rules) => { css += rules; return ""; });
		const svg = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
		svg.removeAttribute("width");
		svg.removeAttribute("height");
		svg.removeAttribute("role"); // no picture any more: its parts are buttons
		svg.removeAttribute("aria-labelledby");
		const host = document.createElement("div");
		host.id = "drawing";
		host.setAttribute("role", "group");
		host.setAttribute("aria-label", img.alt);
		root = host.attachShadow({ mode: "open" });
		root.adoptedStyleSheets = [sheet(css.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&")), sheet(own)];
		root.append(svg);
		if (mine !== turn) return;
		img.replaceWith(host);
		glide(svg);
		svg.addEventListener("click", (e) => tap(e.target.closest("[data-at]")?.dataset.at));
		svg.addEventListener("keydown", (e) => {
			if (e.key === "Enter" || e.key === " ") { e.preventDefault(); tap(e.target.closest("[data-at]")?.dataset.at); }
		});
		aim(svg);
		taps = [];
		mark();
	}

	// glide moves the pieces from where they were on the page before.
	function glide(svg) {
		const before = were;
		were = new Map();
		for (const piece of svg.querySelectorAll("[data-piece]")) {
			const to = place(piece), from = before.get(piece.dataset.piece);
			were.set(piece.dataset.piece, to);
			if (still.matches || !from || to.length !== 2 || (from[0] === to[0] && from[1] === to[1])) continue;
			piece.animate([{ transform: `translate(${from[0]}px,${from[1]}px)` }, { transform: `translate(${to[0]}px,${to[1]}px)` }], { duration: 350, easing: "ease-in-out" });
		}
	}

	// --- taps ---------------------------------------------------------------------------------------------------------
	// A choice names the things of the board that it is about, in order; taps on them narrow the choices until one is left.
	function choices() {
		const there = new Set([...root.querySelectorAll("[data-at]")].map((e) => e.dataset.at));
		return [...document.querySelectorAll("#choices button")].map((button) => ({ button, places: JSON.parse(button.dataset.places).filter((p) => there.has(p)) }));
	}

	function fitting(list, taps) {
		const inOrder = list.filter((c) => taps.every((t, i) => c.places[i] === t));
		return inOrder.length ? inOrder : list.filter((c) => taps.every((t) => c.places.includes(t)));
	}

	// values are the inputs of forms that stand for a thing of the board, as its word: a seat to tick, an option to take.
	function values(at) {
		const means = (value) => { try { return String(JSON.parse(value)) === at; } catch { return false; } };
		return [...document.querySelectorAll("#sitting .offer input[type=checkbox], #sitting .offer option")].filter((x) => means(x.value));
	}

	function tap(at) {
		if (!at || !root) return;
		for (const x of values(at)) {
			if (x.type === "checkbox") x.checked = !x.checked; else x.selected = true;
		}
		const list = choices();
		if (list.length) {
			let next = [...taps, at];
			if (!fitting(list, next).length) next = [at];
			const fits = fitting(list, next);
			taps = fits.length ? next : [];
			if (fits.length === 1 && fits[0].places.length <= taps.length) { fits[0].button.click(); return; }
		}
		mark();
	}

	// mark shows what can be tapped next, and the choices that are left.
	function mark() {
		if (!root) return;
		const list = choices(), fits = taps.length ? fitting(list, taps) : list;
		const next = new Set(fits.flatMap((c) => taps.length ? c.places : c.places.slice(0, 1)));
		for (const c of list) c.button.parentElement.classList.toggle("out", taps.length > 0 && !fits.includes(c));
		const ticked = new Set([...document.querySelectorAll("#sitting .offer input:checked")].map((x) => x.value));
		for (const e of root.querySelectorAll("[data-at]")) {
			const at = e.dataset.at, can = next.has(at) || values(at).length > 0 || coin(at) !== null;
			e.toggleAttribute("data-can", can);
			e.toggleAttribute("data-tapped", taps.includes(at) || ticked.has(at) || ticked.has(JSON.stringify(at)));
			if (!can) { e.removeAttribute("tabindex"); continue; }
			e.setAttribute("tabindex", "0");
			e.setAttribute("role", "button");
			const said = e.textContent.trim().replace(/\s+/g, " "); // what is seen there is part of its name
			e.setAttribute("aria-label", said.includes(at) ? said : `${said} ${at}`.trim());
		}
	}

	// --- flicks -------------------------------------------------------------------------------------------------------
	const field = (form, name) => form.querySelector(`[name="field.${name}"]`);
	const fullSpeed = 160; // units of the drawing that are dragged for the highest speed

	// coin is the forms of the flicks of a coin; null if it has none.
	function coin(at) {
		const forms = [...document.querySelectorAll('#sitting .offer[data-type="flick"]')].filter((f) => field(f, "coin")?.value === JSON.stringify(at));
		return forms.length ? forms : null;
	}

	// aim lets a coin be dragged: the direction is where it goes, the length its speed.
	function aim(svg) {
		let from = null, line = null, forms = null;
		const at = (e) => new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse());
		const end = () => { line?.remove(); from = line = forms = null; };
		svg.addEventListener("pointerdown", (e) => {
			const piece = e.target.closest("[data-at]");
			forms = piece && coin(piece.dataset.at);
			if (!forms) return;
			e.preventDefault();
			svg.setPointerCapture(e.pointerId);
			from = at(e);
			line = document.createElementNS("http://www.w3.org/2000/svg", "line");
			line.setAttribute("class", "aim");
			svg.append(line);
		});
		svg.addEventListener("pointermove", (e) => {
			if (!from) return;
			const to = at(e);
			for (const [name, value] of Object.entries({ x1: from.x, y1: from.y, x2: to.x, y2: to.y })) line.setAttribute(name, value);
		});
		svg.addEventListener("pointercancel", end);
		svg.addEventListener("pointerup", (e) => {
			if (!from) return;
			const to = at(e), x = to.x - from.x, y = from.y - to.y, long = Math.hypot(x, y);
			const angle = Math.round(Math.atan2(y, x) * 180000 / Math.PI + 360000) % 360000;
			const list = forms;
			end();
			if (long < 8) return;
			const inside = (f) => +field(f, "angle_mdeg").min <= angle && angle <= +field(f, "angle_mdeg").max;
			const form = list.find(inside) || list[0], speed = field(form, "speed_mm_s"), direction = field(form, "angle_mdeg");
			direction.value = Math.min(Math.max(angle, +direction.min), +direction.max);
			speed.value = Math.max(1, Math.round(+speed.max * Math.min(1, long / fullSpeed)));
			form.requestSubmit();
		});
		find("#board").classList.toggle("drags", !!document.querySelector('#sitting .offer[data-type="flick"]'));
	}

	// --- the page -----------------------------------------------------------------------------------------------------
	// show puts another page of the seat in the place of this one.
	function show(html) {
		const next = new DOMParser().parseFromString(html, "text/html").getElementById("sitting"), now = document.getElementById("sitting");
		if (!next) { location.reload(); return; }
		const inside = now.contains(document.activeElement);
		now.replaceWith(document.importNode(next, true));
		if (inside) find("button")?.focus();
		begin();
	}

	async function send(form, button) {
		const sitting = document.getElementById("sitting");
		if (sitting.getAttribute("aria-busy")) return; // a second tap is no second decision
		sitting.setAttribute("aria-busy", "true");
		turn++;
		const got = await fetch(form.action, { method: "POST", headers: { Accept: "text/html" }, body: new URLSearchParams(new FormData(form, button)) });
		show(await got.text());
	}

	// follow asks for news until the match is over; another page ends it.
	async function follow(mine) {
		while (mine === turn && document.getElementById("sitting").dataset.state !== "over") {
			try {
				const got = await fetch("/seat?after=" + encodeURIComponent(document.getElementById("sitting").dataset.key), { headers: { Accept: "text/html" } });
				const html = await got.text();
				if (mine !== turn) return;
				if (!got.ok) throw new Error(`status ${got.status}`);
				const next = new DOMParser().parseFromString(html, "text/html").getElementById("sitting");
				if (next && next.dataset.key !== document.getElementById("sitting").dataset.key) { show(html); return; }
			} catch {
				await new Promise((done) => setTimeout(done, 2000)); // the platform is away: it comes back
			}
		}
	}

	function count() {
		clearInterval(timer);
		const left = find("#left"), end = performance.now() + +document.getElementById("sitting").dataset.leftMs;
		if (!left) return;
		timer = setInterval(() => {
			const s = Math.max(0, Math.floor((end - performance.now()) / 1000));
			left.textContent = `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
			left.parentElement.classList.toggle("soon", s < 20);
		}, 500);
	}

	function begin() {
		const mine = ++turn;
		root = null;
		for (const form of document.querySelectorAll('#sitting form[action="/seat"]')) {
			form.addEventListener("submit", (e) => { e.preventDefault(); send(form, e.submitter).catch(() => location.reload()); });
			form.addEventListener("change", mark);
		}
		count();
		draw(mine).catch(() => {}); // the picture is there all the same
		follow(mine);
	}

	document.addEventListener("keydown", (e) => { if (e.key === "Escape" && taps.length) { taps = []; mark(); } });
	begin();
})();
