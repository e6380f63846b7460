// How pieces of a drawing move: for the viewer of a match, and for a person's seat.
const flight = (() => {
	"use strict";

	// place is where a piece stands: the numbers of its translate.
	const place = (piece) => (/translate\(\s*([-\d.]+)[ ,]+([-\d.]+)/.exec(piece.getAttribute("transform") || "") || []).slice(1).map(Number);

	// ghost is a coin that is not on the board any more.
	function ghost(coin, svg) {
		const ns = "http://www.w3.org/2000/svg", g = document.createElementNS(ns, "g"), disc = document.createElementNS(ns, "circle"), text = document.createElementNS(ns, "text");
		disc.setAttribute("r", coin.r);
		disc.setAttribute("fill", "#5c554b");
		text.setAttribute("y", "7");
		text.setAttribute("text-anchor", "middle");
		text.setAttribute("fill", "#fff");
		text.setAttribute("font-size", "20");
		text.textContent = coin.id === "mole" ? "M" : coin.id.slice(1);
		g.append(disc, text);
		svg.append(g);
		return g;
	}

	const moveTo = (piece, at) => piece.setAttribute("transform", `translate(${at[0]} ${at[1]})`);

	// fly moves the coins of a flick over the board, as long as it goes, and resolves when they lie where the drawing has them. at is
	// given the milliseconds of the flick.
	function fly(flick, svg, { speed = 1, goes = () => true, at = () => {} } = {}) {
		const coins = flick.coins.map((c) => {
			const own = svg.querySelector(`[data-piece="${CSS.escape(c.id)}"]`);
			return own ? { at: own, home: own.getAttribute("transform") } : { at: ghost(c, svg) };
		});
		const pace = Math.min(flick.ms, 3000) / flick.ms / speed;
		return new Promise((done) => {
			let begun = 0;
			const paint = (now) => {
				begun ||= now;
				const t = (now - begun) / pace, over = !goes() || t >= flick.ms;
				coins.forEach((coin, i) => {
					if (over) {
						if (coin.home) coin.at.setAttribute("transform", coin.home); else coin.at.remove();
						return;
					}
					const ways = flick.moves.filter((m) => m.coin === i);
					const m = ways.findLast((w) => w.t[0] <= t) || ways[0];
					const long = Math.max(m.t[1] - m.t[0], 1e-6), x = Math.min(Math.max(t - m.t[0], 0), long), mean = (m.v[0] + m.v[1]) / 2;
					const share = mean > 0 ? (m.v[0] * x + (m.v[1] - m.v[0]) * x * x / (2 * long)) / (mean * long) : x / long;
					moveTo(coin.at, [m.from[0] + (m.to[0] - m.from[0]) * share, m.from[1] + (m.to[1] - m.from[1]) * share]);
					at(t);
				});
				if (over) { done(); return; }
				requestAnimationFrame(paint);
			};
			requestAnimationFrame(paint);
		});
	}

	// flyAll shows flicks one after the other over the drawing of what they came to: a coin that has yet to move lies where it will.
	async function flyAll(flicks, svg, goes) {
		const homes = new Map();
		for (const [k, flick] of flicks.entries()) {
			const later = new Map(); // by coin, where it lies before this flick
			for (const f of flicks.slice(k)) {
				for (const m of f.moves) if (!later.has(f.coins[m.coin].id)) later.set(f.coins[m.coin].id, m.from);
			}
			for (const [id, from] of later) {
				const piece = svg.querySelector(`[data-piece="${CSS.escape(id)}"]`);
				if (!piece) continue;
				if (!homes.has(piece)) homes.set(piece, piece.getAttribute("transform"));
				moveTo(piece, from);
			}
			await fly(flick, svg, { goes });
			for (const [piece, home] of homes) piece.setAttribute("transform", home);
			if (!goes()) return;
		}
	}

	return { place, fly, flyAll };
})();
