(tries, keyboard) => {
	const s = document.getElementById("sitting"), key = s?.dataset.key || "", answer = (Kind, at = {}) => ({ Kind, Key: key, ...at });
	if (!s) return answer("wait");
	if (s.dataset.state === "over") return answer("over");
	if (s.dataset.state !== "turn" || s.getAttribute("aria-busy")) return answer("wait");
	const host = document.getElementById("drawing"), root = host?.shadowRoot;
	if (host && !root) return answer("wait"); // the drawing comes
	const middle = (e) => { const r = e.getBoundingClientRect(); return { X: r.x + r.width / 2, Y: r.y + r.height / 2 }; };
	const hit = (e) => { const m = middle(e); return root.elementFromPoint(m.X, m.Y)?.closest("[data-at]") === e; };
	const click = (e) => {
		if (keyboard) {
			window.wanted = e;
			return answer("key", { Press: e.type === "checkbox" ? " " : "\r" });
		}
		e.scrollIntoView({ block: "center" });
		return answer(e.closest("[data-at]") ? "tap" : "click", middle(e)); // the board, or a control beside it
	};
	const flick = s.querySelector('.offer[data-type="flick"]');
	if (flick && root && !keyboard) {
		const coin = JSON.parse(flick.querySelector('[name="field.coin"]').value), e = root.querySelector(`[data-at="${coin}"]`);
		e.scrollIntoView({ block: "center" });
		const m = middle(e);
		return answer("drag", { ...m, ToX: m.X + 7 * tries, ToY: m.Y - 70 });
	}
	const many = s.querySelector(".offer .many");
	if (many && many.querySelectorAll("input:checked").length < +many.dataset.choose) {
		const boxes = [...many.querySelectorAll("input")], k = many.querySelectorAll("input:checked").length;
		const seats = root && [...root.querySelectorAll("[data-can]:not([data-tapped])")].filter(hit);
		return click(seats?.length && !keyboard ? seats[0] : boxes[Math.round(k * (boxes.length - 1) / Math.max(1, +many.dataset.choose - 1))]);
	}
	const choices = [...s.querySelectorAll("#choices li:not(.out) button")];
	if (root && choices.length && tries < 4 && !keyboard) {
		const can = [...root.querySelectorAll("[data-can]:not([data-tapped])")].filter((e) => { e.scrollIntoView({ block: "center" }); return hit(e); });
		if (can.length) return click(can[Math.floor(can.length / 2)]);
	}
	return click(choices.length ? choices[Math.floor(choices.length / 2)] : s.querySelector(".offer button"));
}
