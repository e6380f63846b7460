// The board of the first page plays a match that is over, once, a step a second. Without this file it stands still, and for
// who wants no motion until they press the button.
(() => {
	"use strict";
	const pace = 1000, button = () => document.getElementById("film-play"), board = () => document.querySelector("[data-film]");
	let playing = !matchMedia("(prefers-reduced-motion: reduce)").matches, film = "", step = 0, timer = 0;

	function tell() {
		if (!button()) return;
		button().hidden = false;
		button().textContent = playing ? "Pause" : "Play";
	}

	async function next() {
		const img = board();
		if (!playing || !img) return;
		if (film !== img.dataset.film) { film = img.dataset.film; step = -1; } // a match that ended since
		step++;
		const picture = new Image();
		picture.src = `${film}/board.svg?step=${step}`;
		await picture.decode().catch(() => {}); // so that the board is never empty
		if (!playing || board() !== img) { later(); return; }
		img.src = picture.src;
		if (step < +img.dataset.last) { later(); return; }
		playing = false;
		film = "";
		tell();
	}

	function later() {
		clearTimeout(timer);
		if (playing) timer = setTimeout(next, pace);
	}

	document.addEventListener("click", (e) => {
		if (e.target.id !== "film-play") return;
		playing = !playing;
		tell();
		later();
	});
	document.addEventListener("news", () => { tell(); later(); });
	tell();
	later();
})();
