// The viewer of a match. Without it the page has a link for each step; with it the board moves, and follows a match that runs.
(() => {
	"use strict";
	const $ = (id) => document.getElementById(id), box = $("viewer");
	if (!box) { // nothing is to be seen yet
		document.addEventListener("news", (e) => { if (e.detail.getElementById("viewer")) location.reload(); });
		return;
	}
	const still = matchMedia("(prefers-reduced-motion: reduce)");
	const v = { last: +box.dataset.last, open: box.dataset.open === "true", step: +box.dataset.step, seat: +box.dataset.seat, playing: false, missed: false };
	const speed = () => +$("speed").value, path = box.dataset.match;

	// --- frames -------------------------------------------------------------------------------------------------------
	const kept = new Map(), asked = new Map(), film = $("film"); // kept: seat/step → frame
	const whole = film ? packed(film.textContent) : null;

	// packed reads the frames of a viewer that is one file: gzipped JSON, by seat.
	async function packed(text) {
		const bytes = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
		return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
	}

	async function frame(step, seat) {
		const key = `${seat}/${step}`;
		if (kept.has(key)) return kept.get(key);
		if (whole) return (await whole)[seat][step];
		const from = step - step % 16, batch = `${seat}/${from}/${v.last}`;
		if (!asked.has(batch)) {
			asked.set(batch, fetch(`${path}/frames?from=${from}${seat < 0 ? "" : `&seat=${seat}`}`, { signal: AbortSignal.timeout(15000) })
				.then((r) => r.ok ? r.json() : Promise.reject(new Error(`status ${r.status}`)))
				.then((got) => { for (const f of got.frames) kept.set(`${seat}/${f.step}`, f); })
				.finally(() => asked.delete(batch)));
		}
		await asked.get(batch);
		if (kept.size > 600) for (const k of kept.keys()) { if (k !== key) kept.delete(k); if (kept.size <= 400) break; }
		return kept.get(key);
	}

	// --- the drawing --------------------------------------------------------------------------------------------------
	// It stands in a shadow root, so that its styles are its own; they are adopted as a sheet, as the page allows no inline style.
	let host = null, root = null;
	const sheets = new Map();

	function sheet(text) {
		if (!sheets.has(text)) {
			const made = new CSSStyleSheet();
			made.replaceSync(text);
			sheets.set(text, made);
		}
		return sheets.get(text);
	}
	const frameStyle = ":host{display:block}svg{display:block;width:100%;height:100%;overflow:hidden}";

	function draw(f, motion) {
		if (!f.svg) return null;
		let css = "";
		const text = f.svg.replace(/<style>([^]*?)<\/style>/g, (_, rules) => { css += rules; return ""; }).replace(/ style="/g, ' data-style="');
		const next = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
		if (!host) {
			host = document.createElement("div");
			host.id = "drawing";
			host.setAttribute("role", "img");
			root = host.attachShadow({ mode: "open" });
			$("board").replaceChildren(host);
		}
		const size = (next.getAttribute("viewBox") || "").split(/\s+/);
		$("board").style.setProperty("--ratio", `${size[2]} / ${size[3]}`);
		host.setAttribute("aria-label", `The board after step ${f.step} as ${v.seat < 0 ? "a spectator" : $("view").selectedOptions[0]?.text || `seat ${v.seat}`} sees it. The view in words is below.`);
		next.removeAttribute("width");
		next.removeAttribute("height");
		next.setAttribute("aria-hidden", "true");
		const before = root.querySelector("svg");
		root.adoptedStyleSheets = [sheet(frameStyle), sheet(css.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&"))];
		for (const e of next.querySelectorAll("[data-style]")) e.style.cssText = e.dataset.style;
		root.replaceChildren(next);
		if (motion && before && !still.matches) glide(before, next, f.flick);
		return next;
	}

	// glide moves every piece from where it was to where it is; what is new appears. Coins that are flicked go their own way.
	function glide(before, next, flick) {
		const were = new Map([...before.querySelectorAll("[data-piece]")].map((p) => [p.dataset.piece, p]));
		const flown = new Set((flick?.coins || []).map((c) => c.id));
		const time = { duration: Math.max(150, 320 / speed()), easing: "ease-in-out" };
		let moved = 0;
		for (const piece of next.querySelectorAll("[data-piece]")) {
			if (flown.has(piece.dataset.piece)) continue;
			const old = were.get(piece.dataset.piece), to = flight.place(piece), from = old ? flight.place(old) : [];
			if (!old) piece.animate([{ opacity: 0 }, { opacity: 1 }], time);
			else if (to.length === 2 && from.length === 2 && (to[0] !== from[0] || to[1] !== from[1])) {
				moved++;
				const rest = (piece.getAttribute("transform").match(/\)\s*(.+)$/) || ["", ""])[1];
				piece.animate([{ transform: `translate(${from[0]}px,${from[1]}px) ${rest}` }, { transform: `translate(${to[0]}px,${to[1]}px) ${rest}` }], time);
			}
		}
		box.dataset.moved = moved;
	}

	// fly moves the coins of a flick over the board and resolves when they lie still.
	const fly = (shot, svg, mine) => !shot || !svg || still.matches ? Promise.resolve()
		: flight.fly(shot, svg, { speed: speed(), goes: () => mine === turn, at: (t) => { box.dataset.flown = t.toFixed(0); } });

	// --- a step -------------------------------------------------------------------------------------------------------
	let turn = 0, timer = 0;

	v.show = async (step, seat, motion) => {
		const mine = ++turn;
		v.step = Math.min(Math.max(step, 0), v.last);
		v.seat = v.open ? seat : -1;
		const f = await frame(v.step, v.seat).catch(() => null);
		if (mine !== turn) return;
		v.missed = !f;
		if (!f) { $("freshness") && ($("freshness").textContent = "The step could not be loaded; trying again."); return; }
		$("view").value = v.seat;
		const svg = draw(f, motion);
		tell(f);
		await list(v.step);
		if (mine !== turn) return;
		box.dataset.shown = `${v.step}/${v.seat}`;
		if (motion) await fly(f.flick, svg, mine);
	};

	// tell writes what a frame says beside the board.
	function tell(f) {
		const folds = new Set([...$("happened").querySelectorAll("details[open]")].map((d) => d.dataset.fold));
		$("happened").innerHTML = f.html;
		for (const d of $("happened").querySelectorAll("details")) d.open = folds.has(d.dataset.fold);
		$("at").textContent = v.step;
		$("slider").value = v.step;
		$("slider").setAttribute("aria-valuetext", `step ${v.step} of ${v.last}`);
		for (const row of $("players").children) {
			const seat = +row.dataset.seat, points = row.querySelector(".points");
			row.classList.toggle("due", f.due.includes(seat));
			if (f.banks) row.querySelector(".bank").textContent = f.banks[seat];
			if (points && f.score) points.textContent = f.score[seat];
		}
		if ($("sides") && f.score) [...$("sides").querySelectorAll(".points")].forEach((p, i) => { p.textContent = f.score[i]; });
		mark();
		for (const a of box.querySelectorAll(".views a")) {
			const to = new URL(a.href).searchParams.get("seat") ?? "-1";
			to === String(v.seat) ? a.setAttribute("aria-current", "true") : a.removeAttribute("aria-current");
		}
		const at = `step=${v.step}${v.seat < 0 ? "" : `&seat=${v.seat}`}`;
		history.replaceState(null, "", `#${at}`);
		if ($("share-link")) {
			$("share-link").value = new URL(`${path}?${at}`, location).href;
			$("share-picture").href = `${path}/board.svg?${at}`;
		}
		if ($("fork")) $("fork").textContent = v.step;
	}

	// mark puts the line of the chart where the step is.
	function mark() {
		const score = $("score");
		if (!score) return;
		const left = +score.dataset.left, right = +score.dataset.right, x = left + (right - left) * v.step / Math.max(1, v.last);
		$("now").setAttribute("d", `M${x.toFixed(1)} 6V146`);
	}

	// --- the list of moves --------------------------------------------------------------------------------------------
	const lines = 100, moves = $("moves").querySelector("ol");
	let shown = moves.querySelectorAll("[data-step]").length, first = +(moves.querySelector("[data-step]")?.dataset.step ?? 0);

	function line(step, words, attribute) {
		const li = document.createElement("li"), a = document.createElement("a"), n = document.createElement("span");
		a.href = path ? `${path}?step=${step}#viewer` : `#step=${step}`;
		a.dataset[attribute] = step;
		n.className = "n";
		n.textContent = step;
		if (attribute === "step") a.append(n, " ");
		a.append(words);
		li.append(a);
		return li;
	}

	// list shows the moves around a step, and marks its own.
	async function list(step) {
		const from = step - step % lines, most = Math.min(lines, v.last + 1 - from);
		if (path && (from !== first || shown < most)) {
			const got = await fetch(`${path}/moves?from=${from}`).then((r) => r.ok ? r.json() : null).catch(() => null);
			if (got) {
				first = from;
				shown = got.moves.length;
				const all = got.moves.map((m) => {
					const li = line(m.step, m.text, "step");
					if (m.key) li.firstChild.className = "key";
					return li;
				});
				if (from > 0) all.unshift(line(from - 1, "earlier moves", "page"));
				if (from + shown <= got.last) all.push(line(from + shown, "later moves", "page"));
				moves.replaceChildren(...all);
			}
		}
		for (const a of moves.querySelectorAll("[aria-current]")) a.removeAttribute("aria-current");
		const now = moves.querySelector(`[data-step="${v.step}"]`);
		if (!now) return;
		now.setAttribute("aria-current", "step");
		const top = now.offsetTop; // within the list, which is positioned
		if (top < moves.scrollTop || top + now.offsetHeight > moves.scrollTop + moves.clientHeight) moves.scrollTop = top - moves.clientHeight / 2;
	}

	// --- play and follow ----------------------------------------------------------------------------------------------
	v.play = async (on) => {
		v.playing = on;
		$("play").textContent = on ? "Pause" : "Play";
		$("play").setAttribute("aria-pressed", String(on));
		clearTimeout(timer);
		if (!on) return;
		if (v.step >= v.last) await v.show(0, v.seat, false);
		const next = async () => {
			if (!v.playing) return;
			if (v.step >= v.last) { v.play(false); return; }
			await v.show(v.step + 1, v.seat, true);
			timer = setTimeout(next, 700 / speed());
		};
		timer = setTimeout(next, 300 / speed());
	};

	// grow takes in the steps of a match that runs. Who is at its end sees each of them, who looks elsewhere stays there.
	let growing = false, behind = false; // behind: who followed waits for a step that could not be loaded
	v.grow = async (last) => {
		const following = growing || behind || v.step >= v.last;
		v.last = last;
		$("slider").max = last;
		$("last").textContent = last;
		mark();
		if (!following) { await list(v.step); return; }
		if (growing) return;
		growing = true;
		behind = false;
		try {
			let at = -1;
			while (v.step < v.last && v.step !== at) {
				at = v.step;
				await v.show(v.last - v.step > 8 ? v.last - 4 : v.step + 1, v.seat, true);
				if (v.missed) { v.step = at; behind = true; break; }
			}
		} finally { growing = false; }
	};

	// The page tells of a fresh copy of itself.
	document.addEventListener("news", (e) => {
		const now = e.detail.getElementById("viewer");
		if (!now) return; // between two workers a match is not running
		if (now.dataset.open !== box.dataset.open) { location.reload(); return; }
		if (+now.dataset.last > v.last) v.grow(+now.dataset.last);
		else if (behind) v.grow(v.last);
		else if (v.missed) v.show(v.step, v.seat, false);
		else mark();
	});

	// --- hands --------------------------------------------------------------------------------------------------------
	const go = { first: () => 0, back: () => v.step - 1, on: () => v.step + 1, last: () => v.last };
	const hand = (step, motion) => { if (v.playing) v.play(false); behind = false; return v.show(step, v.seat, motion); };
	const see = (seat) => { if (v.open && [...$("view").options].some((o) => +o.value === seat)) v.show(v.step, seat, false); };
	const fill = () => document.fullscreenElement ? document.exitFullscreen() : box.requestFullscreen?.().catch(() => {});
	for (const e of box.querySelectorAll(".scripted")) e.hidden = false;
	for (const e of box.querySelectorAll(".views")) e.hidden = true;
	$("full").hidden = !document.fullscreenEnabled;
	$("full").addEventListener("click", fill);
	$("slider").addEventListener("input", (e) => hand(+e.target.value, false));
	$("view").addEventListener("change", (e) => v.show(v.step, +e.target.value, false));
	$("play").addEventListener("click", () => v.play(!v.playing));
	box.addEventListener("click", (e) => {
		const a = e.target.closest("[data-go], [data-step], [data-page], [data-copy]");
		if (!a || a === box || e.ctrlKey || e.metaKey) {
			const score = e.target.closest("#score");
			if (!score) return;
			const wide = score.getBoundingClientRect(), left = +score.dataset.left, right = +score.dataset.right;
			const x = (e.clientX - wide.left) / wide.width * score.viewBox.baseVal.width;
			hand(Math.round((x - left) / (right - left) * v.last), false);
			return;
		}
		if (a.dataset.copy) { navigator.clipboard?.writeText($(a.dataset.copy).value).then(() => { a.textContent = "Copied"; }, () => $(a.dataset.copy).select()); return; }
		e.preventDefault();
		if (a.dataset.go) hand(go[a.dataset.go](), a.dataset.go === "on");
		else hand(+(a.dataset.step ?? a.dataset.page), false);
	});
	document.addEventListener("keydown", (e) => {
		const at = e.target.tagName;
		if (e.altKey || e.ctrlKey || e.metaKey || at === "INPUT" || at === "SELECT" || at === "TEXTAREA") return;
		const to = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[e.key];
		if (to && (to === "back" || to === "on" || !e.target.closest?.("[tabindex='0']"))) { e.preventDefault(); hand(go[to](), to === "on"); }
		else if (e.key === " " && !["BUTTON", "A", "SUMMARY"].includes(at)) { e.preventDefault(); v.play(!v.playing); }
		else if (e.key === "f") fill();
		else if (e.key === "s") see(-1);
		else if (/^\d$/.test(e.key)) see(+e.key);
	});
	let touch = null;
	$("board").addEventListener("touchstart", (e) => { touch = e.touches.length === 1 ? e.touches[0] : null; }, { passive: true });
	$("board").addEventListener("touchend", (e) => {
		const end = e.changedTouches[0], x = touch ? end.clientX - touch.clientX : 0, y = touch ? end.clientY - touch.clientY : 0;
		if (Math.abs(x) > 40 && Math.abs(x) > 2 * Math.abs(y)) hand(x < 0 ? v.step + 1 : v.step - 1, true);
	}, { passive: true });
	const linked = () => {
		const q = new URLSearchParams(location.hash.slice(1));
		if (q.has("step")) return v.show(+q.get("step") || 0, q.has("seat") ? +q.get("seat") : -1, false);
		return v.show(v.step, v.seat, false);
	};
	window.addEventListener("hashchange", linked);
	linked();
})();
