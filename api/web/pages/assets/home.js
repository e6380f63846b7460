// The board of the first page follows a match that runs, or plays one that is over, once, a step a second. Without this file it
// stands still, and for a reader who wants no motion until they press the button.
(() => {
	"use strict";
	const pace = 1000, settled = 5000, button = () => document.getElementById("board-play"), board = () => document.querySelector("[data-ended]"), running = () => document.querySelector("[data-now]");
	let wanted = !matchMedia("(prefers-reduced-motion: reduce)").matches, playing = wanted, match = "", step = 0, timer = 0, shown = "";

	function tell() {
		if (!button()) return;
		button().hidden = false;
		button().textContent = playing ? "Pause" : "Play";
	}

	// follow shows the board of a match that runs as it is now.
	async function follow(img) {
		if (document.hidden) return;
		const got = await fetch(img.dataset.now, { cache: "no-cache", signal: AbortSignal.timeout(15000) });
		const text = got.ok ? await got.text() : shown;
		if (text === shown || !playing || running() !== img) return;
		shown = text;
		img.src = "data:image/svg+xml," + encodeURIComponent(text);
	}

	async function next() {
		if (playing && running()) {
			await follow(running()).catch(() => {}); // the platform is away: it comes back
			later();
			return;
		}
		const img = board();
		if (!playing || !img) return;
		if (match !== img.dataset.ended) { match = img.dataset.ended; step = -1; } // a match that ended since
		step++;
		const picture = new Image();
		picture.src = `${match}/board.svg?step=${step}`;
		const there = await picture.decode().then(() => true, () => false); // the board is never empty: without this step it stays
		if (!playing || board() !== img) { later(); return; }
		if (there) img.src = picture.src;
		if (step < +img.dataset.last) { later(); return; }
		playing = false;
		match = "";
		tell();
	}

	function later(ms = pace) {
		clearTimeout(timer);
		if (playing) timer = setTimeout(next, ms);
	}

	document.addEventListener("click", (e) => {
		if (e.target.id !== "board-play") return;
		wanted = playing = !playing;
		tell();
		later();
	});
	document.addEventListener("news", () => {
		if (running() && wanted) playing = true; // after one that has ended
		tell();
		later();
	});
	tell();
	later(running() ? pace : settled); // to draw a step is work: a page that has just come is read and used first
})();
