// A person's seat. Without this file the page's forms do; with it the board can be tapped and coins dragged, and the page follows the match.
(() => {
	"use strict";
	const still = matchMedia("(prefers-reduced-motion: reduce)");
	const find = (selector) => document.querySelector("#sitting " + selector);
	const sheets = new Map();
	let turn = 0, timer = 0, root = null, taps = [], were = new Map(), cancel = () => {};

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
		".aim{stroke:#5a3c9e;stroke-width:5;stroke-linecap:round;pointer-events:none}" +
		".power{fill:#5a3c9e;stroke:#fff;stroke-width:4;paint-order:stroke;font:bold 22px sans-serif;pointer-events:none}" +
		".ghost{cursor:grab}.ghost circle{fill:#f0cd6a;stroke:#5a3c9e;stroke-width:4;stroke-dasharray:6 3}.ghost.close circle{stroke:#c00020}" +
		".ghost text{font:bold 20px sans-serif;text-anchor:middle;fill:#2a1d06}.ghost:focus{outline:none}.ghost:focus circle{stroke-width:7}";

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
		placing(svg);
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
		return [...document.querySelectorAll("#sitting .offer input[type=checkbox], #sitting .offer option")].filter((x) => !x.closest(".parts")).filter((x) => means(x.value));
	}

	// parts are the fields with several inputs, of a kind: a share of points, or what each is given.
	const parts = (kind) => [...document.querySelectorAll(`#sitting .parts[data-kind="${kind}"]`)];
	const named = (set, at) => [...set.querySelectorAll("input")].find((x) => x.name.endsWith("." + at));
	const given = (set) => [...set.querySelectorAll("input")].reduce((sum, x) => sum + +x.value, 0);

	// share gives one point more to a thing of the board; the one after the last takes all of its points back.
	function share(at) {
		for (const set of parts("share")) {
			const x = named(set, at);
			if (x) x.value = given(set) < +set.dataset.most ? +x.value + 1 : 0;
		}
		for (const set of parts("give")) {
			const lists = [...set.querySelectorAll("select")], has = lists.find((x) => x.value === at), free = lists.find((x) => !x.value);
			if (has) has.value = ""; else if (free) free.value = at;
		}
	}

	const shared = (at) => parts("share").some((set) => named(set, at)) || parts("give").some((set) => set.querySelector(`option[value="${CSS.escape(at)}"]`));
	const holds = (at) => parts("share").some((set) => +named(set, at)?.value > 0) || parts("give").some((set) => [...set.querySelectorAll("select")].some((x) => x.value === at));

	function tap(at) {
		if (!at || !root) return;
		for (const x of values(at)) {
			if (x.type === "checkbox") x.checked = !x.checked; else x.selected = true;
		}
		share(at);
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
		for (const set of parts("share")) set.querySelector("output").textContent = `${given(set)} of ${set.dataset.most} given`;
		if (!root) return;
		const list = choices(), fits = taps.length ? fitting(list, taps) : list;
		const next = new Set(fits.flatMap((c) => taps.length ? c.places : c.places.slice(0, 1)));
		for (const c of list) c.button.parentElement.classList.toggle("out", taps.length > 0 && !fits.includes(c));
		const ticked = new Set([...document.querySelectorAll("#sitting .offer input:checked")].map((x) => x.value));
		for (const e of root.querySelectorAll("[data-at]")) {
			const at = e.dataset.at, can = next.has(at) || values(at).length > 0 || shared(at) || coin(at) !== null;
			e.toggleAttribute("data-can", can);
			e.toggleAttribute("data-tapped", taps.includes(at) || holds(at) || ticked.has(at) || ticked.has(JSON.stringify(at)));
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

	const set = (e, attributes) => { for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value); return e; };
	const make = (parent, name, attributes) => parent.appendChild(set(document.createElementNS("http://www.w3.org/2000/svg", name), attributes));
	const spot = (svg, e) => new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse());

	// aim lets a coin be dragged: the direction is where it goes, the length its speed.
	function aim(svg) {
		let from = null, line = null, power = null, forms = null;
		const at = (e) => spot(svg, e);
		const end = () => { line?.remove(); power?.remove(); from = line = power = forms = null; };
		const strength = (to) => Math.min(1, Math.hypot(to.x - from.x, to.y - from.y) / fullSpeed);
		cancel = end;
		svg.addEventListener("pointerdown", (e) => {
			const piece = e.target.closest("[data-at]");
			forms = piece && coin(piece.dataset.at);
			if (!forms) return;
			e.preventDefault();
			svg.setPointerCapture(e.pointerId);
			from = at(e);
			line = make(svg, "line", { class: "aim" });
			power = make(svg, "text", { class: "power" });
		});
		svg.addEventListener("pointermove", (e) => {
			if (!from) return;
			const to = at(e);
			set(line, { x1: from.x, y1: from.y, x2: to.x, y2: to.y });
			set(power, { x: to.x + 14, y: to.y - 14 });
			power.textContent = `${Math.round(100 * strength(to))} %`;
		});
		svg.addEventListener("pointercancel", end);
		svg.addEventListener("pointerup", (e) => {
			if (!from) return;
			const to = at(e), x = to.x - from.x, y = from.y - to.y, long = Math.hypot(x, y);
			const angle = Math.round(Math.atan2(y, x) * 180000 / Math.PI + 360000) % 360000 / 1000, hard = strength(to);
			const list = forms;
			end();
			if (long < 8) return;
			const inside = (f) => +field(f, "angle_mdeg").min <= angle && angle <= +field(f, "angle_mdeg").max;
			const form = list.find(inside) || list[0], speed = field(form, "speed_mm_s"), direction = field(form, "angle_mdeg");
			direction.value = Math.min(Math.max(angle, +direction.min), +direction.max);
			speed.value = Math.max(1, Math.round(+speed.max * hard));
			form.requestSubmit();
		});
		find("#board").classList.toggle("drags", !!document.querySelector('#sitting .offer[data-type="flick"]') || parts("points").length > 0);
	}

	// placing puts a circle on the board for each point that is to be placed; whoever drags it, or moves it by the arrow keys, fills in
	// its numbers, which are in millimetres from the board's lower left corner.
	function placing(svg) {
		const board = svg.querySelector("[data-um]"), fields = parts("points")[0];
		if (!board || !fields) return;
		const inputs = [...fields.querySelectorAll("input")], scale = board.getAttribute("width") / (board.dataset.um.split(" ")[0] / 1000);
		const left = +board.getAttribute("x"), bottom = +board.getAttribute("y") + +board.getAttribute("height"), gap = +fields.dataset.gap;
		const circles = [];
		const read = () => {
			const at = circles.map((_, k) => [+inputs[2 * k].value, +inputs[2 * k + 1].value]);
			circles.forEach((g, k) => {
				set(g, { transform: `translate(${left + at[k][0] * scale} ${bottom - at[k][1] * scale})`, "aria-label": `circle ${k + 1}, at ${at[k].join(", ")} mm: drag it, or move it by the arrow keys` });
				g.classList.toggle("close", at.some((other, j) => j !== k && Math.hypot(other[0] - at[k][0], other[1] - at[k][1]) < gap));
			});
		};
		const put = (k, x, y) => {
			[x, y].forEach((value, axis) => {
				const input = inputs[2 * k + axis];
				input.value = Math.round(1000 * Math.min(Math.max(value, +input.min), +input.max)) / 1000;
			});
			read();
		};
		for (let k = 0; k < inputs.length / 2; k++) {
			const g = make(svg, "g", { class: "ghost", tabindex: 0, role: "button" });
			make(g, "circle", { r: gap / 2 * scale });
			make(g, "text", { y: 7 }).textContent = k + 1;
			circles.push(g);
			g.addEventListener("pointerdown", (e) => { e.preventDefault(); g.focus(); g.setPointerCapture(e.pointerId); });
			g.addEventListener("pointermove", (e) => {
				if (!g.hasPointerCapture(e.pointerId)) return;
				const to = spot(svg, e);
				put(k, (to.x - left) / scale, (bottom - to.y) / scale);
			});
			g.addEventListener("keydown", (e) => {
				const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key] || [0, 0];
				if (!x && !y) return;
				e.preventDefault();
				put(k, +inputs[2 * k].value + x, +inputs[2 * k + 1].value + y);
			});
		}
		fields.addEventListener("input", read);
		fields.form.addEventListener("reset", () => setTimeout(read));
		read();
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
		cancel = () => {};
		for (const form of document.querySelectorAll('#sitting form[action="/seat"]')) {
			form.addEventListener("submit", (e) => { e.preventDefault(); send(form, e.submitter).catch(() => location.reload()); });
			form.addEventListener("change", mark);
			form.addEventListener("reset", () => setTimeout(mark));
		}
		count();
		draw(mine).catch(() => {}); // the picture is there all the same
		follow(mine);
	}

	document.addEventListener("keydown", (e) => {
		if (e.key !== "Escape") return;
		cancel(); // a drag under way flicks nothing
		if (taps.length) { taps = []; mark(); }
	});
	begin();
})();
