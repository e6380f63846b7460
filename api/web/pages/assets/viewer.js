// The viewer of a match. Without it the page has a link for each step; with it the board moves, and follows a match that runs.
(() => {
	"use strict";
	const $ = (id) => document.getElementById(id), box = $("viewer");
	const page = document.documentElement.classList;
	if (!box) { // nothing is to be seen yet
		page.remove("hiding");
		document.addEventListener("news", (e) => { if (e.detail.getElementById("viewer")) document.dispatchEvent(new Event("stale")); });
		return;
	}
	const still = matchMedia("(prefers-reduced-motion: reduce)");
	const v = { last: +box.dataset.last, open: box.dataset.open === "true", opens: box.dataset.opens === "true", step: +box.dataset.step, asked: null, seat: -1, dwell: 0, playing: false, missed: false };
	const speed = () => +$("speed").value, path = box.dataset.match;

	// --- who looks ----------------------------------------------------------------------------------------------------
	const spectator = -1, everything = -2, hide = $("hide"); // no switch while the match runs: there are no results
	const remember = (key) => { try { return key === undefined ? localStorage.getItem("spoilers") : localStorage.setItem("spoilers", key); } catch { return null; } };
	const hiding = (step) => v.open && hide?.checked && step < v.last;
	const usual = (step) => v.opens && !hiding(step) ? everything : spectator; // whoever asks for no seat
	const seatAt = (step) => !v.open || hiding(step) ? spectator : v.asked ?? usual(step);
	const looks = () => v.seat === spectator ? "as a spectator sees it" : v.seat === everything ? "with everything open" : `as ${$("view").selectedOptions[0]?.text || `seat ${v.seat}`} sees it`;
	if (hide && remember() === "hide") hide.checked = true;
	if (+box.dataset.seat !== usual(v.step)) v.asked = +box.dataset.seat;
	// spoil shows or hides what tells how the match ends or who is who.
	function spoil() {
		box.classList.toggle("hiding", !!hiding(v.step));
		page.remove("hiding");
	}
	spoil();

	// --- frames -------------------------------------------------------------------------------------------------------
	const kept = new Map(), asked = new Map(), replay = $("replay"); // kept: seat/step → frame
	const whole = replay ? packed(replay.textContent) : null;

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
			asked.set(batch, fetch(`${path}/frames?from=${from}${seat === spectator ? "" : `&seat=${seat}`}`, { signal: AbortSignal.timeout(15000) })
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
		v.turning = 0;
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
		host.setAttribute("aria-label", `The board after step ${f.step} ${looks()}. The view in words is below.`);
		next.removeAttribute("width");
		next.removeAttribute("height");
		next.setAttribute("aria-hidden", "true");
		const before = root.querySelector("svg");
		root.adoptedStyleSheets = [sheet(frameStyle), sheet(css.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&"))];
		for (const e of next.querySelectorAll("[data-style]")) e.style.cssText = e.dataset.style;
		root.replaceChildren(next);
		if (motion && before && !still.matches) {
			glide(before, next, f.flick);
			v.turning = turnCards(before, next);
		}
		return next;
	}

	// turnCards turns the cards of a mission that has been played one by one, and after them what came of it. It returns how long that takes.
	function turnCards(before, next) {
		const card = next.querySelector("[data-piece^='turned-']"), each = 700 / speed();
		if (!card || before.querySelector(`[data-piece="${card.dataset.piece}"]`)) return 0;
		let last = 0;
		for (const e of next.querySelectorAll("[data-turn]")) {
			last = Math.max(last, (+e.dataset.turn + 1) * each);
			const from = e.closest("[data-piece^='turned-']") ? { transform: "scale(0, 1)" } : { opacity: 0 };
			e.animate([from, {}], { duration: Math.min(200, each / 2), delay: (+e.dataset.turn + .5) * each, fill: "backwards" });
		}
		return last;
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

	v.show = async (step, motion) => {
		const mine = ++turn;
		v.step = Math.min(Math.max(step, 0), v.last);
		v.seat = seatAt(v.step);
		const f = await frame(v.step, v.seat).catch(() => null);
		if (mine !== turn) return;
		v.missed = !f;
		if (!f) { $("freshness") && ($("freshness").textContent = "The step could not be loaded; trying again."); return; }
		$("view").value = v.seat;
		$("view").disabled = !v.open || !!hiding(v.step);
		v.dwell = f.dwell_ms;
		const svg = draw(f, motion);
		await new Promise((done) => setTimeout(done, v.turning || 0)); // a browser at work may answer a click between the two halves
		if (mine !== turn) return;
		spoil();
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
		$("caption").textContent = f.caption;
		$("ahead").textContent = f.ahead;
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
		const at = `step=${v.step}${v.seat === usual(v.step) ? "" : `&seat=${v.seat}`}`;
		history.replaceState(null, "", `#${at}`);
		if ($("share-link")) {
			$("share-link").value = new URL(`${path}?${at}`, location).href;
			$("share-picture").href = `${path}/board.svg?step=${v.step}&seat=${v.seat}`;
		}
		if ($("fork")) $("fork").textContent = v.step;
	}

	// mark puts the line of the chart where the step is, and marks the key moment that came last.
	function mark() {
		const keys = [...box.querySelectorAll(".keys a")], now = keys.findLast((a) => +a.dataset.step <= v.step);
		for (const a of keys) a === now ? a.setAttribute("aria-current", "step") : a.removeAttribute("aria-current");
		reveal(now ?? keys[0]);
		for (const score of box.querySelectorAll(".score")) {
			const left = +score.dataset.left, right = +score.dataset.right, x = left + (right - left) * v.step / Math.max(1, v.last);
			score.querySelector(".now").setAttribute("d", `M${x.toFixed(1)} 6V146`);
		}
	}

	// reveal scrolls the list that has an entry to it, if it is out of sight there. The page stays where it is.
	function reveal(entry) {
		const list = entry?.closest("ol"), top = entry?.offsetTop; // within the list, which is positioned
		if (list && (top < list.scrollTop || top + entry.offsetHeight > list.scrollTop + list.clientHeight)) list.scrollTop = top - list.clientHeight / 2;
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

	// judge puts the verdicts of the review on the decisions of a step at the end of its line.
	function judge(a, mark) {
		if (!mark || a.querySelector(".verdict")) return;
		const e = document.createElement("span");
		e.className = `verdict ${mark.class} spoil`;
		e.textContent = mark.words;
		a.append(" ", e);
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
		const marks = JSON.parse(box.dataset.marks || "{}");
		for (const a of moves.querySelectorAll("a")) {
			a.removeAttribute("aria-current");
			judge(a, marks[a.dataset.step]);
			a.parentNode.hidden = hiding(v.step) && +(a.dataset.step ?? a.dataset.page) > v.step;
		}
		const now = moves.querySelector(`[data-step="${v.step}"]`);
		if (!now) return;
		now.setAttribute("aria-current", "step");
		reveal(now);
	}

	// --- play and follow ----------------------------------------------------------------------------------------------
	v.play = async (on) => {
		v.playing = on;
		$("play").textContent = on ? "Pause" : "Play";
		$("play").setAttribute("aria-pressed", String(on));
		clearTimeout(timer);
		if (!on) return;
		if (v.step >= v.last) await v.show(0, false);
		const next = async () => {
			if (!v.playing) return;
			if (v.step >= v.last) { v.play(false); return; }
			await v.show(await seen(v.step + 1), true);
			timer = setTimeout(next, v.dwell / speed());
		};
		timer = setTimeout(next, v.dwell / speed());
	};

	// seen returns the first step from one on in which something is to be seen.
	async function seen(step) {
		while (step < v.last && (await frame(step, seatAt(step)).catch(() => null))?.dwell_ms === 0) step++;
		return step;
	}

	// grow takes in the steps of a match that runs. A reader at its end sees each of them, one elsewhere stays there.
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
				await v.show(v.last - v.step > 8 ? v.last - 4 : v.step + 1, true);
				if (v.missed) { v.step = at; behind = true; break; }
			}
		} finally { growing = false; }
	};

	// The page tells of a fresh copy of itself.
	document.addEventListener("news", (e) => {
		const now = e.detail.getElementById("viewer");
		if (!now) return; // between two workers a match is not running
		if (now.dataset.open !== box.dataset.open) { document.dispatchEvent(new Event("stale")); return; }
		if (now.dataset.marks && !box.dataset.marks) { box.dataset.marks = now.dataset.marks; list(v.step); }
		if (+now.dataset.last > v.last) v.grow(+now.dataset.last);
		else if (behind) v.grow(v.last);
		else if (v.missed) v.show(v.step, false);
		else mark();
	});

	// --- hands --------------------------------------------------------------------------------------------------------
	const go = { first: () => 0, back: () => v.step - 1, on: () => v.step + 1, last: () => v.last };
	const hand = (step, motion) => { if (v.playing) v.play(false); behind = false; return v.show(step, motion); };
	const see = (seat) => {
		if (!v.open || ![...$("view").options].some((o) => +o.value === seat)) return;
		v.asked = seat === usual(v.step) ? null : seat;
		v.show(v.step, false);
	};
	const fill = () => document.fullscreenElement ? document.exitFullscreen() : box.requestFullscreen?.().catch(() => {});
	for (const e of box.querySelectorAll(".scripted")) e.hidden = false;
	for (const e of box.querySelectorAll(".views")) e.hidden = true;
	$("full").hidden = !document.fullscreenEnabled;
	$("full").addEventListener("click", fill);
	$("slider").addEventListener("input", (e) => hand(+e.target.value, false));
	$("view").addEventListener("change", (e) => see(+e.target.value));
	hide?.addEventListener("change", () => {
		remember(hide.checked ? "hide" : "show");
		v.show(v.step, false);
	});
	$("play").addEventListener("click", () => v.play(!v.playing));
	box.addEventListener("click", (e) => {
		const a = e.target.closest("[data-go], [data-step], [data-page], [data-copy]");
		if (!a || a === box || e.ctrlKey || e.metaKey) {
			const score = e.target.closest(".score");
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
		else if (e.key === "s") see(spectator);
		else if (e.key === "e") see(everything);
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
		if (q.has("step")) {
			v.asked = q.has("seat") ? +q.get("seat") : null;
			v.step = +q.get("step") || 0;
		}
		return v.show(v.step, false);
	};
	window.addEventListener("hashchange", linked);
	linked();
})();
