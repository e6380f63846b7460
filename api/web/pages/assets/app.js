// The pages work without this file. With it a page follows what happens, and the viewer of a match plays.
(() => {
	"use strict";
	const $ = (id) => document.getElementById(id);

	// --- the viewer ---------------------------------------------------------------------------------------------------
	const box = $("viewer");
	let viewer = null;

	// packed reads the frames of a viewer that is one file: gzipped JSON, by seat.
	async function packed(text) {
		const bytes = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
		return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
	}

	function newViewer() {
		const kept = new Map(); // seat/step → frame
		const film = $("film");
		const whole = film ? packed(film.textContent) : null;
		const still = matchMedia("(prefers-reduced-motion: reduce)");
		const v = { last: +box.dataset.last, open: box.dataset.open === "true", step: +box.dataset.step, seat: +box.dataset.seat, playing: false };
		let turn = 0, timer = 0, asked = new Map();

		async function frame(step, seat) {
			const key = `${seat}/${step}`;
			if (kept.has(key)) return kept.get(key);
			if (whole) return (await whole)[seat][step];
			const from = step - step % 16, batch = `${seat}/${from}/${v.last}`;
			if (!asked.has(batch)) {
				asked.set(batch, fetch(`${box.dataset.frames}?from=${from}${seat < 0 ? "" : `&seat=${seat}`}`)
					.then((r) => r.ok ? r.json() : Promise.reject(new Error(`status ${r.status}`)))
					.then((got) => { for (const f of got.frames) kept.set(`${seat}/${f.step}`, f); })
					.finally(() => asked.delete(batch)));
			}
			await asked.get(batch);
			if (kept.size > 600) for (const k of kept.keys()) { if (k !== key) kept.delete(k); if (kept.size <= 400) break; }
			return kept.get(key);
		}

		// move draws a flick over the board and resolves when the coins lie still.
		function move(flick, mine) {
			for (const old of $("board").querySelectorAll("svg")) old.remove();
			if (!flick || still.matches) return Promise.resolve();
			const ns = "http://www.w3.org/2000/svg", img = $("drawing");
			const over = document.createElementNS(ns, "svg");
			over.setAttribute("viewBox", flick.box);
			over.setAttribute("aria-hidden", "true");
			const coins = flick.coins.map((c) => {
				const g = document.createElementNS(ns, "g"), disc = document.createElementNS(ns, "circle"), text = document.createElementNS(ns, "text");
				g.setAttribute("class", "ghost");
				disc.setAttribute("r", c.r);
				text.setAttribute("y", "3.6");
				text.textContent = c.id.replace(/^m/, "");
				g.append(disc, text);
				over.append(g);
				return g;
			});
			img.after(over);
			const pace = Math.min(flick.ms, 3000) / flick.ms / speed();
			return new Promise((done) => {
				let begun = 0;
				const paint = (now) => {
					begun ||= now;
					const t = (now - begun) / pace;
					flick.coins.forEach((_, i) => {
						const ways = flick.moves.filter((m) => m.coin === i);
						const m = ways.findLast((w) => w.t[0] <= t) || ways[0];
						const long = Math.max(m.t[1] - m.t[0], 1e-6), x = Math.min(Math.max(t - m.t[0], 0), long), mean = (m.v[0] + m.v[1]) / 2;
						const share = mean > 0 ? (m.v[0] * x + (m.v[1] - m.v[0]) * x * x / (2 * long)) / (mean * long) : x / long;
						coins[i].setAttribute("transform", `translate(${m.from[0] + (m.to[0] - m.from[0]) * share} ${m.from[1] + (m.to[1] - m.from[1]) * share})`);
						coins[i].setAttribute("class", m.air && t < m.t[1] ? "ghost air" : "ghost");
					});
					if (mine !== turn || t >= flick.ms) { over.remove(); done(); return; }
					requestAnimationFrame(paint);
				};
				requestAnimationFrame(paint);
			});
		}

		const speed = () => +$("speed").value;

		v.show = async (step, seat, animate) => {
			const mine = ++turn;
			v.step = Math.min(Math.max(step, 0), v.last);
			v.seat = v.open ? seat : -1;
			const f = await frame(v.step, v.seat).catch(() => null);
			if (mine !== turn) return;
			v.missed = !f;
			if (!f) { $("freshness") && ($("freshness").textContent = "The step could not be loaded; try again."); return; }
			const img = $("drawing");
			if (img && f.svg) {
				img.src = "data:image/svg+xml," + encodeURIComponent(f.svg);
				img.alt = `The board after step ${v.step} as ${v.seat < 0 ? "a spectator" : `seat ${v.seat}`} sees it. The view in words is below.`;
				await Promise.race([img.decode().catch(() => {}), new Promise((done) => setTimeout(done, 1000))]);
			}
			if (mine !== turn) return;
			const told = $("happened").querySelector("details")?.open;
			$("happened").innerHTML = f.html;
			if (told && $("happened").querySelector("details")) $("happened").querySelector("details").open = true;
			$("at").textContent = v.step;
			$("slider").value = v.step;
			$("slider").setAttribute("aria-valuetext", `step ${v.step} of ${v.last}`);
			$("view").value = v.seat;
			for (const a of box.querySelectorAll(".views a")) {
				const to = new URL(a.href).searchParams.get("seat") ?? "-1";
				to === String(v.seat) ? a.setAttribute("aria-current", "true") : a.removeAttribute("aria-current");
			}
			history.replaceState(null, "", `#step=${v.step}${v.seat < 0 ? "" : `&seat=${v.seat}`}`);
			box.dataset.shown = `${v.step}/${v.seat}`;
			if (animate && f.flick) await move({ ...f.flick, box: (/viewBox="([^"]+)"/.exec(f.svg) || [])[1] }, mine);
			else for (const old of $("board").querySelectorAll("svg")) old.remove();
		};

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

		v.grow = (last) => {
			const following = v.step >= v.last;
			v.last = last;
			$("slider").max = last;
			$("last").textContent = last;
			if (following) v.show(last, v.seat, true);
		};

		const go = { first: () => 0, back: () => v.step - 1, on: () => v.step + 1, last: () => v.last };
		const hand = (step, animate) => { if (v.playing) v.play(false); v.show(step, v.seat, animate); };
		for (const e of box.querySelectorAll(".scripted")) e.hidden = false;
		for (const e of box.querySelectorAll(".views")) e.hidden = true;
		for (const a of box.querySelectorAll("[data-go]")) a.addEventListener("click", (e) => { e.preventDefault(); hand(go[a.dataset.go](), a.dataset.go === "on"); });
		$("slider").addEventListener("input", (e) => hand(+e.target.value, false));
		$("view").addEventListener("change", (e) => v.show(v.step, +e.target.value, false));
		$("play").addEventListener("click", () => v.play(!v.playing));
		document.addEventListener("keydown", (e) => {
			const at = e.target.tagName;
			if (e.altKey || e.ctrlKey || e.metaKey || at === "INPUT" || at === "SELECT" || at === "TEXTAREA") return;
			const to = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[e.key];
			if (to && !e.target.closest?.("[tabindex='0']")) { e.preventDefault(); hand(go[to](), to === "on"); }
			if (e.key === " " && !["BUTTON", "A", "SUMMARY"].includes(at)) { e.preventDefault(); v.play(!v.playing); }
		});
		const linked = () => {
			const q = new URLSearchParams(location.hash.slice(1));
			if (q.has("step")) v.show(+q.get("step") || 0, q.has("seat") ? +q.get("seat") : -1, false);
		};
		window.addEventListener("hashchange", linked);
		linked();
		return v;
	}
	if (box) viewer = newViewer();

	// --- news ---------------------------------------------------------------------------------------------------------
	const main = $("content"), live = main?.dataset.live;
	if (!live) return;
	let busy = false, again = false, over = false;

	// refresh takes the parts of the page that have changed from a fresh copy of it.
	async function refresh() {
		if (busy) { again = true; return; }
		busy = true;
		try {
			const r = await fetch(location.pathname + location.search, { headers: { Accept: "text/html" } });
			if (!r.ok) return;
			const fresh = new DOMParser().parseFromString(await r.text(), "text/html");
			const now = fresh.getElementById("viewer");
			if (now && now.dataset.open !== box?.dataset.open) { over = true; location.reload(); return; }
			for (const part of main.querySelectorAll("[data-part]")) {
				const to = fresh.querySelector(`[data-part="${part.dataset.part}"]`);
				if (to && to.innerHTML !== part.innerHTML) part.innerHTML = to.innerHTML;
			}
			if (viewer && now && +now.dataset.last > viewer.last) viewer.grow(+now.dataset.last);
			else if (viewer?.missed) viewer.show(viewer.step, viewer.seat, false);
			over = !fresh.getElementById("content").dataset.live;
			$("freshness").textContent = over ? "It is over." : "Follows by itself.";
		} catch { $("freshness").textContent = "No connection; trying again."; } finally {
			busy = false;
			if (again) { again = false; refresh(); }
		}
	}

	const wait = (ms) => new Promise((done) => setTimeout(done, ms));

	// follow reads the stream of events and looks anew at each; where there is no stream it looks every two seconds.
	async function follow() {
		let after = "";
		while (!over) {
			if (live !== "poll") try {
				const r = await fetch(live, { headers: { Accept: "text/event-stream", ...(after ? { "Last-Event-ID": after } : {}) } });
				if (r.status === 204) over = true;
				else if (r.ok && (r.headers.get("Content-Type") || "").startsWith("text/event-stream")) {
					await refresh();
					const words = new TextDecoder(), reader = r.body.getReader();
					let text = "";
					for (let got; !(got = await reader.read()).done;) {
						text += words.decode(got.value, { stream: true });
						const end = text.lastIndexOf("\n\n");
						if (end < 0) continue;
						const ids = [...text.slice(0, end).matchAll(/^id: ?(.*)$/gm)];
						if (ids.length) after = ids[ids.length - 1][1];
						if (/^data:/m.test(text.slice(0, end))) await refresh();
						text = text.slice(end + 2);
						if (over) { reader.cancel(); return; }
					}
				}
			} catch { /* the next look tells */ }
			await wait(2000);
			await refresh();
		}
	}
	setInterval(() => { if (!over) refresh(); }, 10000); // a message that is lost costs ten seconds, not the match
	follow();
})();
