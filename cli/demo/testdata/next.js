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
	const press = (e, Press) => { window.wanted = e; return answer("key", { Press }); };
	const flick = s.querySelector('.offer[data-type="flick"]');
	if (flick && root && !keyboard) {
		const coin = JSON.parse(flick.querySelector('[name="field.coin"]').value), e = root.querySelector(`[data-at="${coin}"]`);
		e.scrollIntoView({ block: "center" });
		const m = middle(e);
		return answer("drag", { ...m, ToX: m.X + 7 * tries, ToY: m.Y - 70 });
	}
	const ghost = root?.querySelector(".ghost");
	if (ghost && tries < 2) {
		ghost.scrollIntoView({ block: "center" });
		if (keyboard) return press(ghost, "\u0304");
		const m = middle(ghost);
		return answer("drag", { ...m, ToX: m.X, ToY: m.Y - 15 });
	}
	const whole = s.querySelector("#chosen:not([hidden]) #send");
	if (whole) return click(whole);
	const can = root ? [...root.querySelectorAll("[data-can]")] : [];
	const share = s.querySelector('.parts[data-kind="share"]');
	if (share) { // a point for each agent in turn
		const inputs = [...share.querySelectorAll("input")], given = inputs.reduce((sum, x) => sum + +x.value, 0);
		if (given < +share.dataset.most) {
			const x = inputs[given % inputs.length], e = can.filter((e) => x.name.endsWith("." + e.dataset.at)).find((e) => { e.scrollIntoView({ block: "center" }); return hit(e); });
			return keyboard ? press(x, "\u0304") : e ? click(e) : click(can.find(hit));
		}
	}
	const give = s.querySelector('.parts[data-kind="give"]');
	if (give) {
		const lists = [...give.querySelectorAll("select")], k = lists.findIndex((x, i) => !x.value || lists.findIndex((y) => y.value === x.value) < i);
		if (k >= 0) {
			const free = can.filter((e) => give.querySelector(`option[value="${CSS.escape(e.dataset.at)}"]`) && !e.hasAttribute("data-tapped"));
			const e = free.find((e) => { e.scrollIntoView({ block: "center" }); return hit(e); });
			return keyboard || !e ? press(lists[k], "\u0301") : click(e);
		}
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
