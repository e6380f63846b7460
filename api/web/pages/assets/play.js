// A person's seat. Without this file the page's forms do; with it the board can be tapped and coins dragged, and the page follows the match.
(() => {
	"use strict";
	const still = matchMedia("(prefers-reduced-motion: reduce)");
	const find = (selector) => document.querySelector("#sitting " + selector);
	const sheets = new Map();
	let turn = 0, timer = 0, root = null, taps = [], were = new Map(), cancel = () => {};
	let moved = 0, moving = Promise.resolve(), hurried = false; // the last step whose flicks were shown, until when they are, and whether nobody waits

	function sheet(text) {
		if (!sheets.has(text)) {
			const made = new CSSStyleSheet();
			made.replaceSync(text);
			sheets.set(text, made);
		}
		return sheets.get(text);
	}
	const own = ":host,svg{display:block;width:100%}svg{height:auto;max-height:78vh}[data-can]{cursor:pointer}" +
		"svg *{pointer-events:none}[data-at],[data-at] *,.ghost,.ghost *,:has(>title){pointer-events:all}" + // what lies on a thing takes no tap from it
		".edge>:is([data-can]:hover,:focus,[data-tapped],[data-shown]){fill:#5a3c9e;stroke:#fff;stroke-width:2}" +
		"[data-can]:hover,[data-can]:focus,[data-tapped],[data-shown]{filter:drop-shadow(0 0 2px #fff) drop-shadow(0 0 4px #5a3c9e);outline:none}" +
		".aim{pointer-events:none}.aim line{stroke:#5a3c9e;stroke-width:5;stroke-linecap:round}.aim circle{fill:none;stroke:#5a3c9e;stroke-width:3;stroke-dasharray:6 4}" +
		".aim rect{fill:#5a3c9e;stroke:#fff;stroke-width:2}.aim .room{fill:#fff;fill-opacity:.85}" +
		".aim text{fill:#5a3c9e;stroke:#fff;stroke-width:5;paint-order:stroke;font:bold 24px sans-serif;text-anchor:middle}" +
		".ghost{cursor:grab}.ghost circle{fill:#f0cd6a;stroke:#5a3c9e;stroke-width:4;stroke-dasharray:6 3}.ghost.close circle{stroke:#c00020}" +
		".ghost text{font:bold 20px sans-serif;text-anchor:middle;fill:#2a1d06}.ghost:focus{outline:none}.ghost:focus circle{stroke-width:7}";

	// --- the board ----------------------------------------------------------------------------------------------------
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
		moving = motion(svg, mine);
		svg.addEventListener("click", (e) => tap(e.target.closest("[data-at]"), e.pointerType !== "mouse"));
		svg.addEventListener("keydown", (e) => {
			if (e.key === "Enter" || e.key === " ") { e.preventDefault(); tap(e.target.closest("[data-at]")); }
		});
		aim(svg);
		placing(svg);
		taps = [];
		mark();
	}

	// motion shows what has moved since the page before: flicks go their way, other pieces glide from where they were.
	async function motion(svg, mine) {
		const sitting = document.getElementById("sitting"), seen = moved;
		const flicks = JSON.parse(sitting.dataset.flicks || "[]").filter((f) => f.step > seen);
		moved = Math.max(moved, +sitting.dataset.step);
		glide(svg, new Set(flicks.flatMap((f) => f.coins.map((c) => c.id))));
		if (still.matches || !flicks.length) return;
		sitting.dataset.flying = flicks.length;
		hurried = false;
		await flight.flyAll(flicks, svg, () => mine === turn && !hurried);
		sitting.dataset.flying = 0;
	}

	function glide(svg, flown) {
		const before = were;
		were = new Map();
		for (const piece of svg.querySelectorAll("[data-piece]")) {
			const to = flight.place(piece), from = before.get(piece.dataset.piece);
			were.set(piece.dataset.piece, to);
			if (still.matches || flown.has(piece.dataset.piece) || !from || to.length !== 2 || (from[0] === to[0] && from[1] === to[1])) continue;
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

	// tap is by a finger, a mouse or a key. A finger may miss what is smaller than it: then what was tapped is confirmed.
	function tap(thing, finger) {
		if (!thing || !root) return;
		const at = thing.dataset.at, { width, height } = thing.getBoundingClientRect(), sure = !finger || Math.min(width, height) >= 24;
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
			if (fits.length === 1 && fits[0].places.length === 1 && sure) { fits[0].button.click(); return; } // one tap says it all
		}
		mark();
	}

	const and = (words) => words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
	const youLast = (names) => [...names.filter((name) => name !== "you"), ...names.filter((name) => name === "you")];
	const label = (x) => x.labels[0].textContent.trim();

	// chosen is what the taps and the forms say by now, if that is a whole decision: its words, how it is sent and taken back.
	function chosen() {
		const whole = taps.length && root ? fitting(choices(), taps).filter((c) => c.places.length <= taps.length) : [];
		if (whole.length === 1) return { words: whole[0].button.textContent, send: () => whole[0].button.click(), undo: () => { taps = []; mark(); } };
		for (const form of document.querySelectorAll("#sitting .offer")) {
			const what = said(form);
			if (what !== null) return { words: `${form.dataset.verb} ${what}`, send: () => form.requestSubmit(), undo: () => undo(form) };
		}
		return null;
	}

	// undo takes back what a form says, but for the words to all.
	function undo(form) {
		const words = form.elements.say?.value;
		form.reset();
		if (words) form.elements.say.value = words;
	}

	// said is what a form says that is filled in on the board; null if it is not yet, or not so.
	function said(form) {
		const set = form.querySelector(".many, .parts");
		if (!set) return null;
		if (set.dataset.choose) {
			const ticked = [...set.querySelectorAll("input:checked")].map(label);
			return ticked.length === +set.dataset.choose ? and(youLast(ticked)) : null;
		}
		switch (set.dataset.kind) {
		case "share": {
			const sum = given(set), some = [...set.querySelectorAll("input")].filter((x) => +x.value > 0);
			return some.length && sum >= +set.dataset.least && sum <= +set.dataset.most ? and(some.map((x) => `${label(x)} ${x.value}`)) : null;
		}
		case "give": {
			const lists = [...set.querySelectorAll("select")], values = new Set(lists.map((x) => x.value));
			return values.size === lists.length && !values.has("") ? and(lists.map((x) => `${label(x)} ${x.selectedOptions[0].textContent}`)) : null;
		}
		}
		return root?.querySelector(".ghost") && !root.querySelector(".ghost.close") ? "here" : null;
	}

	// land gives the focus of what is gone to a heading, from which the next Tab leads to the decision, or to the rematch.
	function land() {
		const from = find("#offer") || find("h1");
		from.tabIndex = -1;
		from.focus({ preventScroll: true });
	}

	// mark shows what can be tapped next, the choices that are left, and what is chosen.
	function mark() {
		const now = chosen(), bar = find("#chosen");
		if (!now && bar.contains(document.activeElement)) land();
		bar.hidden = !now;
		if (now) {
			if (bar.firstElementChild.textContent !== now.words) bar.firstElementChild.textContent = now.words;
			find("#send").onclick = now.send;
			find("#undo").onclick = now.undo;
		}
		for (const set of parts("share")) set.querySelector("output").textContent = `${given(set)} of ${set.dataset.most} given`;
		if (!root) return;
		const list = choices(), fits = taps.length ? fitting(list, taps) : list;
		const next = new Set(fits.flatMap((c) => taps.length ? c.places : c.places.slice(0, 1)));
		if (next.size) find("#tappable").hidden = false;
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

	// point shows on the board what a choice in the list is about, while it is pointed at or has the focus.
	function point(e) {
		const about = e.type === "pointerleave" || e.type === "focusout" ? null : e.target.closest("[data-places]");
		const places = about ? JSON.parse(about.dataset.places) : [];
		for (const at of root?.querySelectorAll("[data-at]") ?? []) at.toggleAttribute("data-shown", places.includes(at.dataset.at));
	}

	// --- flicks -------------------------------------------------------------------------------------------------------
	const field = (form, name) => form.querySelector(`[name="field.${name}"]`);
	const fullSpeed = 160, leastDrag = 14; // units of the drawing that are dragged for the highest speed, and for any

	// coin is the forms of the flicks of a coin; null if it has none.
	function coin(at) {
		const forms = [...document.querySelectorAll('#sitting .offer[data-type="flick"]')].filter((f) => field(f, "coin")?.value === JSON.stringify(at));
		return forms.length ? forms : null;
	}

	const set = (e, attributes) => { for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value); return e; };
	const make = (parent, name, attributes) => parent.appendChild(set(document.createElementNS("http://www.w3.org/2000/svg", name), attributes));
	const spot = (svg, e) => new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse());

	// home is where a piece lies, also while a flick of it is shown.
	const home = (piece) => were.get(piece.dataset.piece);

	// way is how far a coin at a point slides in a direction with a share of the highest speed, and what ends it: it slides straight,
	// until it first strikes something, leaves the board or stops. What comes after that only the match tells.
	function way(svg, piece, u, form, hard) {
		const board = svg.querySelector("[data-um]"), [left, top, wide, high] = ["x", "y", "width", "height"].map((name) => +board.getAttribute(name));
		const scale = wide / (board.dataset.um.split(" ")[0] / 1000), from = home(piece), r = radius(piece);
		const speed = field(form, "speed_mm_s").max * hard, slows = +board.dataset.slows;
		let long = slows ? speed * speed / (2 * slows) * scale : Infinity, ends = "stops";
		const until = (t, words) => { if (t >= 0 && t < long) { long = t; ends = words; } };
		const round = (x, y, room, words) => { // a circle that is struck when the centre comes so near
			const dx = x - from[0], dy = y - from[1], along = dx * u[0] + dy * u[1], off = dx * dx + dy * dy - along * along;
			if (along > 0 && off < room * room) until(Math.max(0, along - Math.sqrt(room * room - off)), words);
		};
		for (const other of svg.querySelectorAll("[data-at][data-piece]")) {
			if (other !== piece) round(...home(other), r + radius(other), "strikes");
		}
		for (const post of svg.querySelectorAll("circle.thing")) round(+post.getAttribute("cx"), +post.getAttribute("cy"), r + +post.getAttribute("r"), "strikes");
		for (const wall of svg.querySelectorAll("path.thing")) {
			const [ax, ay, bx, by] = wall.getAttribute("d").match(/-?[\d.]+/g).map(Number), l = Math.hypot(bx - ax, by - ay);
			const n = [(ay - by) / l, (bx - ax) / l], toward = u[0] * n[0] + u[1] * n[1], far = (from[0] - ax) * n[0] + (from[1] - ay) * n[1];
			const t = (Math.sign(far) * r - far) / toward, at = ((from[0] + u[0] * t - ax) * (bx - ax) + (from[1] + u[1] * t - ay) * (by - ay)) / l;
			if (toward * far < 0 && at >= 0 && at <= l) until(t, "strikes");
			round(ax, ay, r, "strikes");
			round(bx, by, r, "strikes");
		}
		const edges = [[left, 0], [left + wide, 0], [top, 1], [top + high, 1]];
		for (const [edge, axis] of edges) {
			if (u[axis] && (edge - from[axis]) * u[axis] >= 0) until((edge - from[axis]) / u[axis], "leaves");
		}
		return { to: [from[0] + u[0] * long, from[1] + u[1] * long], ends };
	}

	const radius = (piece) => Math.max(...[...piece.querySelectorAll("circle:not(.safe)")].map((c) => +c.getAttribute("r") || 0));

	// shot is the form and the numbers of a drag from a coin: the direction is where it goes, the length its speed.
	function shot(forms, from, to) {
		const x = to.x - from[0], y = from[1] - to.y, long = Math.hypot(x, y), angle = Math.round(Math.atan2(y, x) * 180000 / Math.PI + 360000) % 360000 / 1000;
		const inside = (f) => +field(f, "angle_mdeg").min <= angle && angle <= +field(f, "angle_mdeg").max;
		const form = forms.find(inside) || forms[0], direction = field(form, "angle_mdeg");
		return { form, long, hard: Math.min(1, long / fullSpeed), angle: Math.min(Math.max(angle, +direction.min), +direction.max) };
	}

	// aim lets a coin be dragged, and shows the way of what is dragged or written.
	function aim(svg) {
		let piece = null, forms = null, drawn = null;
		const end = () => { drawn?.remove(); piece = forms = drawn = null; };
		cancel = end;
		const show = (piece, form, angle, hard) => {
			const u = [Math.cos(angle * Math.PI / 180), -Math.sin(angle * Math.PI / 180)], from = home(piece), { to, ends } = way(svg, piece, u, form, hard);
			drawn?.remove();
			drawn = make(svg, "g", { class: "aim", "data-ends": ends });
			make(drawn, "line", { x1: from[0], y1: from[1], x2: to[0], y2: to[1] });
			make(drawn, "circle", { cx: to[0], cy: to[1], r: radius(piece) });
			const up = u[1] > 0 ? -1 : 1, x = Math.min(Math.max(from[0], 80), 640), y = from[1] + up * (radius(piece) + 34); // behind the coin: a finger lies before it
			make(drawn, "rect", { class: "room", x: x - 60, y: y - 8, width: 120, height: 16, rx: 8 });
			make(drawn, "rect", { x: x - 60, y: y - 8, width: 120 * hard, height: 16, rx: 8 });
			make(drawn, "text", { x, y: y + up * 28 + 8 }).textContent = `power ${Math.round(100 * hard)} %`;
		};
		svg.addEventListener("pointerdown", (e) => {
			piece = e.target.closest("[data-at]");
			forms = piece && coin(piece.dataset.at);
			if (!forms) { piece = null; return; }
			e.preventDefault();
			hurried = true; // a hand on a coin has seen enough
			svg.setPointerCapture(e.pointerId);
		});
		svg.addEventListener("pointermove", (e) => {
			if (!piece) return;
			const x = shot(forms, home(piece), spot(svg, e));
			if (x.long < leastDrag) { drawn?.remove(); drawn = null; return; }
			show(piece, x.form, x.angle, x.hard);
		});
		svg.addEventListener("pointercancel", end);
		svg.addEventListener("pointerup", (e) => {
			if (!piece) return;
			const x = shot(forms, home(piece), spot(svg, e));
			end();
			if (x.long < leastDrag) return; // dragged back
			field(x.form, "angle_mdeg").value = x.angle;
			field(x.form, "speed_mm_s").value = Math.max(1, Math.round(+field(x.form, "speed_mm_s").max * x.hard));
			x.form.requestSubmit();
		});
		for (const form of document.querySelectorAll('#sitting .offer[data-type="flick"]')) {
			form.addEventListener("input", () => {
				const at = svg.querySelector(`[data-piece="${CSS.escape(JSON.parse(field(form, "coin").value))}"]`), speed = field(form, "speed_mm_s");
				if (at) show(at, form, +field(form, "angle_mdeg").value, Math.min(1, speed.value / speed.max));
			});
			form.addEventListener("reset", end);
		}
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
				set(g, { transform: `translate(${left + at[k][0] * scale} ${bottom - at[k][1] * scale})`, "aria-label": `circle ${k + 1}, ${at[k][0]} mm from the left, ${at[k][1]} from the bottom: drag it, or move it by the arrow keys` });
				g.classList.toggle("close", at.some((other, j) => j !== k && Math.hypot(other[0] - at[k][0], other[1] - at[k][1]) < gap));
			});
		};
		const put = (k, x, y) => {
			[x, y].forEach((value, axis) => {
				const input = inputs[2 * k + axis];
				input.value = Math.round(1000 * Math.min(Math.max(value, +input.min), +input.max)) / 1000;
			});
			read();
			mark();
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
		fields.form.addEventListener("reset", () => setTimeout(() => { read(); mark(); }));
		read();
	}

	// --- the page -----------------------------------------------------------------------------------------------------
	// show puts another page of the seat in the place of this one.
	function show(html) {
		const next = new DOMParser().parseFromString(html, "text/html").getElementById("sitting"), now = document.getElementById("sitting");
		if (!next) { document.dispatchEvent(new Event("stale")); return; }
		const inside = now.contains(document.activeElement), folded = now.querySelector("details.aid:not([open])");
		now.replaceWith(document.importNode(next, true));
		if (folded) find("details.aid")?.removeAttribute("open");
		if (inside) land();
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
				if (got.status >= 500 || got.status === 429) throw new Error(`status ${got.status}`);
				const next = new DOMParser().parseFromString(html, "text/html").getElementById("sitting");
				if (next?.dataset.key === document.getElementById("sitting").dataset.key) continue;
				if (next) await moving; // what goes on is seen to its end; a seat that is lost is said at once
				if (mine === turn) show(html);
				return;
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
			form.addEventListener("submit", (e) => { e.preventDefault(); send(form, e.submitter).catch(() => document.dispatchEvent(new Event("stale"))); });
			form.addEventListener("change", mark);
			form.addEventListener("reset", () => setTimeout(mark));
		}
		for (const type of ["pointerover", "pointerleave", "focusin", "focusout"]) find("#choices")?.addEventListener(type, point);
		count();
		draw(mine).catch(() => {}); // the picture is there all the same
		follow(mine);
	}

	document.addEventListener("keydown", (e) => {
		if (e.key !== "Escape" || e.target.name === "say") return;
		cancel(); // a drag under way flicks nothing
		chosen()?.undo();
		taps = [];
		mark();
	});
	begin();
})();
