// A showing goes on by itself: each step at its time by the server's clock, and what comes next when it has ended.
(() => {
	"use strict";
	const show = document.getElementById("showing");
	if (!show) {
		setTimeout(() => document.dispatchEvent(new Event("stale")), 10000); // is the first round over?
		return;
	}
	const d = show.dataset, starts = +d.starts, ends = +d.ends, last = +d.steps, ahead = +d.now - Date.now();
	const before = 3000, after = 5000; // on the first step, and on the last
	const captions = new Map(), asked = new Set();
	let shown = +d.step, drawn = shown;

	// fetchFrom asks for the sentences of the steps from one on.
	async function fetchFrom(step) {
		if (asked.has(step)) return;
		asked.add(step);
		try {
			const answer = await fetch(`/matches/${d.match}/frames?from=${step}`);
			if (answer.ok) for (const f of (await answer.json()).frames) captions.set(f.step, f.caption);
		} catch { asked.delete(step); } // the board goes on without words
	}

	// draw shows the board of a step once it is there: without it the last one stays.
	async function draw(step) {
		const board = document.getElementById("board"), picture = new Image();
		if (!board) return;
		picture.src = `/matches/${d.match}/board.svg?step=${step}`;
		await picture.decode();
		if (step <= drawn) return; // a later one was quicker
		drawn = step;
		board.src = picture.src;
	}

	function tick() {
		const now = Date.now() + ahead;
		if (now >= ends) {
			clearInterval(timer);
			setTimeout(() => document.dispatchEvent(new Event("stale")), 1000); // the next begins now, or is not ready
			return;
		}
		const step = Math.min(Math.max(Math.floor((now - starts - before) * last / (ends - starts - before - after)), 0), last);
		if (!captions.has(step + 3)) fetchFrom(step - step % 16 + (step % 16 > 12 ? 16 : 0));
		if (step === shown) return;
		shown = step;
		document.getElementById("at").textContent = step;
		draw(step).catch(() => {});
		if (captions.has(step)) document.getElementById("caption").textContent = captions.get(step);
	}
	const timer = setInterval(tick, 200);
	tick();
})();
