// The pages work without this file. With it they say times as the reader has them, and follow what happens.
(() => {
	"use strict";
	const $ = (id) => document.getElementById(id);

	const main = $("content"), live = main?.dataset.live;
	// received is what the host said last of each part: what a script of ours has done to it since stays until there is news.
	const received = new Map(main && [...main.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part.innerHTML]));

	// --- times: the reader's own, and how far away -----------------------------------------------------------------------
	const units = [["year", 31536e6], ["month", 2592e6], ["day", 864e5], ["hour", 36e5], ["minute", 6e4], ["second", 1e3]];
	const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
	// To make what shows a time takes a browser as long as to show a hundred with it: it is made once, and only if a page needs it.
	const once = (day) => { let made; return (at) => (made ??= new Intl.DateTimeFormat("en-GB", { ...day, hour: "2-digit", minute: "2-digit" })).format(at); };
	const today = once({}), thisYear = once({ day: "numeric", month: "short" }), ever = once({ day: "numeric", month: "short", year: "numeric" });

	// away says how long it is until a moment, or since.
	function away(ms) {
		const [unit, size] = units.find(([, size]) => Math.abs(ms) >= size) ?? units.at(-1);
		return relative.format(Math.round(ms / size), unit);
	}

	// left counts down, to the second in the last hour.
	function left(ms) {
		if (ms <= 0) return "now";
		const s = Math.floor(ms / 1000), two = (n) => String(n).padStart(2, "0");
		return s >= 172800 ? away(ms) : s >= 3600 ? `in ${Math.floor(s / 3600)} h ${two(Math.floor(s / 60) % 60)} min` : `in ${Math.floor(s / 60)}:${two(s % 60)}`;
	}

	function showTimes() {
		const now = new Date(), day = now.toDateString();
		for (const e of document.querySelectorAll("time[datetime]")) {
			const at = new Date(e.dateTime), ms = at - now;
			const shown = at.getFullYear() !== now.getFullYear() ? ever : at.toDateString() !== day ? thisYear : today;
			const text = e.classList.contains("left") ? left(ms) : `${shown(at)} (${away(ms)})`;
			if (e.textContent !== text) e.textContent = text;
		}
	}
	showTimes();
	setInterval(showTimes, 1000);
	document.addEventListener("news", showTimes);

	// --- again --------------------------------------------------------------------------------------------------------
	const wait = (ms) => new Promise((done) => setTimeout(done, ms));
	const fetchPage = () => fetch(location.pathname + location.search, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(15000) });
	let leaving = false;

	// reload loads the page again once the platform answers for it: what a browser shows in place of a page that it cannot load, or of
	// an error, would stay there.
	async function reload() {
		if (leaving) return;
		leaving = true;
		for (;; await wait(2000)) {
			try {
				const { status } = await fetchPage();
				if (status < 500 && status !== 429) break; // what is refused for good is a page too
			} catch { /* the platform is away: it comes back */ }
			let says = $("freshness");
			if (!says) main.prepend(says = Object.assign(document.createElement("p"), { id: "freshness", role: "status" }));
			says.textContent = "No connection; trying again.";
		}
		location.reload();
	}
	document.addEventListener("stale", reload);
	if (main?.dataset.reload) setTimeout(reload, main.dataset.reload * 1000);

	// --- forms ---------------------------------------------------------------------------------------------------------
	// A second click, before the answer to the first is here, would send a form twice and show what became of the second.
	const sent = new Set();
	document.addEventListener("submit", (e) => {
		if (e.defaultPrevented || e.target.method !== "post") return;
		if (sent.has(e.target)) e.preventDefault();
		sent.add(e.target);
	});
	window.addEventListener("pageshow", () => sent.clear()); // a browser that goes back may show the page as it was left

	// --- news ---------------------------------------------------------------------------------------------------------
	if (!live) return;
	const pace = 1000;
	let busy = false, again = false, over = false, asked = -pace;

	// refresh takes the parts of the page that have changed from a fresh copy of it, once a second at most: a platform counts what an
	// address asks, and a class may sit at one.
	async function refresh() {
		if (busy) { again = true; return; }
		busy = true;
		await wait(asked + pace - performance.now());
		asked = performance.now();
		try {
			const r = await fetchPage();
			if (!r.ok) return;
			const fresh = new DOMParser().parseFromString(await r.text(), "text/html");
			for (const part of main.querySelectorAll("[data-part]")) {
				const to = fresh.querySelector(`[data-part="${part.dataset.part}"]`);
				if (!to || to.innerHTML === received.get(part.dataset.part)) continue;
				part.innerHTML = to.innerHTML;
				received.set(part.dataset.part, to.innerHTML);
			}
			const asOf = (page) => page.querySelector(".foot time");
			if (asOf(document) && asOf(fresh)) asOf(document).replaceWith(asOf(fresh));
			document.dispatchEvent(new CustomEvent("news", { detail: fresh }));
			over = !fresh.getElementById("content").dataset.live;
			$("freshness").textContent = over ? "It is over." : "Follows by itself.";
		} catch { $("freshness").textContent = "No connection; trying again."; } finally {
			busy = false;
			if (again) { again = false; refresh(); }
		}
	}

	// follow reads the stream of events and looks again at each; where there is no stream it looks every two seconds.
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
			} catch { /* the next look shows it */ }
			await wait(2000);
			await refresh();
		}
	}
	setInterval(() => { if (!over) refresh(); }, 10000); // a message that is lost costs ten seconds, not the match
	follow();
})();
