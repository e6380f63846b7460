package api_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/browsertest"
	"github.com/molerun/molerun/internal/must"
)

// fastest lets a match play faster than anybody can choose: what is seen of it does not depend on that.
const fastest = `document.getElementById("speed").add(new Option("1000×", "1000", true, true));`

// shows waits until the viewer shows a step as a seat, -1 a spectator, sees it.
func shows(b *browsertest.Browser, step, seat int) {
	b.T.Helper()
	b.Until(fmt.Sprintf(`document.getElementById("viewer").dataset.shown === "%d/%d"`, step, seat))
}

// first is the seat as which a match that is over is shown.
func (g *gallery) first(id string) int {
	if e, _ := catalog.Find(id); e.Hides() {
		return int(game.Everything)
	}
	return int(game.Spectator)
}

// replays plays the last steps of a match of every game, and switches seats.
func (g *gallery) replays(t *testing.T, b *browsertest.Browser) {
	for id, m := range g.done {
		b.Open("/matches/" + m.ID)
		shows(b, 0, g.first(id)) // a match that is over opens at its start
		var last int
		b.Eval(`+document.getElementById("viewer").dataset.last`, &last)
		b.Eval(fmt.Sprintf(`(() => {
			`+fastest+`
			const s = document.getElementById("slider"); s.value = %d; s.dispatchEvent(new Event("input"));
		})()`, max(0, last-6)), nil)
		shows(b, max(0, last-6), g.first(id))
		b.Run(chromedp.Click("#play"))
		b.Until(fmt.Sprintf(`document.getElementById("viewer").dataset.shown === "%d/%d" && document.getElementById("play").textContent === "Play"`, last, g.first(id)))
		b.Eval(`(() => { const v = document.getElementById("view"); v.value = "1"; v.dispatchEvent(new Event("change")); })()`, nil)
		b.Until(fmt.Sprintf(`document.getElementById("viewer").dataset.shown === "%d/1" && location.hash === "#step=%d&seat=1"`, last, last))
		var drawn bool
		b.Eval(fmt.Sprintf(`(() => {
			const d = document.getElementById("drawing");
			return d.shadowRoot.querySelector("svg") !== null && d.shadowRoot.adoptedStyleSheets.length === 2 && d.getAttribute("aria-label").includes(%q);
		})()`, m.Seats[1].BotName), &drawn)
		if !drawn {
			t.Errorf("%s: there is no styled drawing of what seat 1 sees", id)
		}
		b.Clean("the replay of " + id)
	}
}

// cut lists what a person would have to scroll for, or would not see at all.
const cut = `(() => {
	const wrong = [], wide = innerWidth >= 1024, rect = (e) => e.getBoundingClientRect();
	const host = document.getElementById("drawing"), board = rect(host);
	const inside = (what, r) => {
		if (r.left < -1 || r.right > innerWidth + 1) wrong.push(what + " is cut at the sides: " + r.left + " to " + r.right);
		if (wide && (r.top < -1 || r.bottom > innerHeight + 1)) wrong.push(what + " needs scrolling: " + r.top + " to " + r.bottom);
	};
	inside("the board", board);
	inside("the controls", rect(document.querySelector(".controls")));
	inside("the players", rect(document.getElementById("players")));
	if (!wide && board.width < innerWidth - 40) wrong.push("the board does not fill the width: " + board.width);
	if (board.width < 300 || board.height < 150) wrong.push("the board is small: " + board.width + " by " + board.height);
	if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page is wider than the screen: " + document.documentElement.scrollWidth);
	const now = document.querySelector("#moves [aria-current]"), list = rect(document.querySelector("#moves ol"));
	if (now && (rect(now).bottom < list.top || rect(now).top > list.bottom)) wrong.push("the move of the step is out of sight in the list");
	const drawn = rect(host.shadowRoot.querySelector("svg"));
	for (const e of host.shadowRoot.querySelectorAll("text, [data-piece]")) {
		const r = rect(e);
		if (r.width && (r.left < drawn.left - 2 || r.right > drawn.right + 2 || r.top < drawn.top - 2 || r.bottom > drawn.bottom + 2)) {
			wrong.push("outside the drawing: " + (e.textContent || e.dataset.piece).slice(0, 40));
		}
	}
	return wrong;
})()`

// keys goes through a match by the keyboard alone.
func (g *gallery) keys(t *testing.T, b *browsertest.Browser) {
	b.Open("/matches/" + g.done["demol"].ID)
	shows(b, 0, -2)
	var last int
	b.Eval(`+document.getElementById("viewer").dataset.last`, &last)
	b.Eval(`document.querySelector(".keys ol").style.maxHeight = "2rem"`, nil) // one key moment is seen at a time
	for _, press := range []struct {
		key        string
		step, seat int
	}{
		{kb.ArrowRight, 1, -2},
		{kb.ArrowRight, 2, -2},
		{kb.ArrowLeft, 1, -2},
		{"2", 1, 2},
		{kb.End, last, 2},
		{"9", last, 2}, // there is no such seat
		{"s", last, -1},
		{kb.Home, 0, -1},
		{"e", 0, -2},
	} {
		b.Run(chromedp.KeyEvent(press.key))
		shows(b, press.step, press.seat)
		b.Until(fmt.Sprintf(`(([first, ...keys]) => {
			const now = keys.findLast((a) => +a.dataset.step <= %d) ?? first, above = now.closest("ol").scrollTop;
			return now.offsetTop >= above && now.offsetTop < above + now.closest("ol").clientHeight;
		})([...document.querySelectorAll(".keys a")])`, press.step))
	}
	b.Eval(`document.getElementById("speed").value = "20"`, nil)
	b.Run(chromedp.KeyEvent(" "))
	b.Until(`document.getElementById("play").textContent === "Pause" && +document.getElementById("at").textContent >= 2`)
	b.Run(chromedp.KeyEvent(" "))
	b.Until(`document.getElementById("play").textContent === "Play"`)
	b.Eval(fmt.Sprintf(`document.querySelector("#moves [data-step='%d']").click()`, 5), nil)
	shows(b, 5, -2)
	b.Until(`document.querySelector("#moves [aria-current]").dataset.step === "5"`)
	b.Clean("keys")
}

// searches goes to the search of a list, past the links of every page, and asks for a bot, by the keyboard alone.
func (g *gallery) searches(t *testing.T, b *browsertest.Browser) {
	bot := g.done["demol"].Seats[0]
	b.Open("/bots")
	b.Run(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter)) // the way to the content
	at := ""
	for range 5 {
		b.Run(chromedp.KeyEvent(kb.Tab))
		if b.Eval(`document.activeElement.type || ""`, &at); at == "search" {
			break
		}
	}
	if at != "search" {
		t.Errorf("five tabs from the content do not reach the search: %q", at)
		return
	}
	b.Run(chromedp.KeyEvent(bot.BotName), chromedp.KeyEvent(kb.Enter))
	b.Until(fmt.Sprintf(`new URLSearchParams(location.search).get("q") === %q && document.querySelector("main a[href='/bots/%s']") !== null`, bot.BotName, bot.BotID))
	b.Clean("a search by keys")
}

// links opens a link to a step, and sees a coin move.
func (g *gallery) links(t *testing.T, b *browsertest.Browser) {
	b.Open("/matches/" + g.done["demol"].ID + "#step=7&seat=2")
	shows(b, 7, 2)
	b.Eval(`document.querySelector(".controls").style.marginTop = "3000px"; document.getElementById("players").style.width = "3000px"`, nil)
	var wrong []string
	if b.Eval(cut, &wrong); len(wrong) < 2 {
		t.Errorf("a page that is too wide was not seen: %v", wrong)
	}
	b.Run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "no-preference"}}))
	b.Open("/matches/" + g.done["mole"].ID)
	shows(b, 0, -1)
	b.Eval(`window.flown = new Set();
		new MutationObserver(() => window.flown.add(document.getElementById("viewer").dataset.flown))
			.observe(document.getElementById("viewer"), { attributes: true, attributeFilter: ["data-flown"] });
		document.getElementById("speed").value = "5"; document.getElementById("play").click()`, nil)
	b.Until(`window.flown.size > 2`)
	b.Clean("links")
}

// follows sees a live match grow, loses its stream and comes back without a gap, and sees the result when the match is over. Its 8
// steps end no match of De Mol, whatever is drawn: three missions take 9, five rejected teams 10.
func (g *gallery) follows(t *testing.T, b *browsertest.Browser, lose func()) {
	m := g.live["demol"]
	b.Open("/matches/" + m.ID)
	var before int
	b.Eval(`+document.getElementById("viewer").dataset.last`, &before)
	same(t, "a live match of 3 steps", before, 3)
	shows(b, before, -1) // a match that runs opens at its end
	b.Eval(`window.stayed = true;
		window.looks = [];
		window.fetch = ((asks) => (to, ...how) => {
			if (to === location.pathname) window.looks.push(performance.now());
			return asks(to, ...how);
		})(fetch)`, nil)
	g.release(m) // between two workers a match is not running
	b.Until(`document.querySelector("[data-part=news] .tag").textContent !== "running"`)
	g.more(m, 3)
	b.Until(fmt.Sprintf(`window.stayed && document.getElementById("viewer").dataset.shown === "%d/-1"`, before+3))
	b.Clean("a live match")
	g.release(m)
	b.Eval(`const asks = fetch;
		window.fetch = (to, ...how) => {
			if (!String(to).includes("/frames")) return asks(to, ...how);
			window.fetch = asks;
			window.cut = true;
			return Promise.reject(new TypeError("the connection was cut"));
		}`, nil) // the first step asked for after the loss is lost too
	lose()
	g.more(m, 2)
	b.Until(fmt.Sprintf(`window.stayed && window.cut && document.getElementById("viewer").dataset.shown === "%d/-1"`, before+5))
	var moves string
	b.Eval(`[...document.querySelectorAll("#moves [data-step]")].map((a) => a.dataset.step).join(" ")`, &moves)
	same(t, "after the stream was lost the moves", moves, "0 1 2 3 4 5 6 7 8")
	b.Forgive() // what a lost connection writes to the console
	var looks []float64
	if b.Eval(`window.looks`, &looks); len(looks) < 2 {
		t.Errorf("the page looked %d times for 5 steps, want 2 or more", len(looks))
	}
	for i, at := range looks[:max(0, len(looks)-1)] {
		if looks[i+1]-at < 990 {
			t.Errorf("the page looked again after %.0f ms: whoever follows a match asks once a second", looks[i+1]-at)
		}
	}
	g.release(m)
	g.more(m, 1<<20)
	b.Until(`document.getElementById("viewer").dataset.open === "true" && document.querySelector(".result") !== null`)
	var title string
	b.Eval(`document.title`, &title)
	must.Say(t, title, "bot-")
	b.Clean("a live match")
}
