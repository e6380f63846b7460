package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// shows waits until the viewer shows a step as a seat, -1 a spectator, sees it.
func (b *browser) shows(step, seat int) {
	b.t.Helper()
	b.until(fmt.Sprintf(`document.getElementById("viewer").dataset.shown === "%d/%d"`, step, seat))
}

// replays plays the last steps of a match of every game, and switches seats.
func (g *gallery) replays(t *testing.T, b *browser) {
	for id, m := range g.done {
		b.open("/matches/" + m.ID)
		b.shows(0, -1) // a match that is over opens at its start
		var last int
		b.eval(`+document.getElementById("viewer").dataset.last`, &last)
		b.eval(fmt.Sprintf(`(() => {
			document.getElementById("speed").value = "20";
			const s = document.getElementById("slider"); s.value = %d; s.dispatchEvent(new Event("input"));
		})()`, max(0, last-6)), nil)
		b.shows(max(0, last-6), -1)
		b.run(chromedp.Click("#play"))
		b.until(fmt.Sprintf(`document.getElementById("viewer").dataset.shown === "%d/-1" && document.getElementById("play").textContent === "Play"`, last))
		b.eval(`(() => { const v = document.getElementById("view"); v.value = "1"; v.dispatchEvent(new Event("change")); })()`, nil)
		b.until(fmt.Sprintf(`document.getElementById("viewer").dataset.shown === "%d/1" && location.hash === "#step=%d&seat=1"`, last, last))
		var drawn bool
		b.eval(fmt.Sprintf(`(() => {
			const d = document.getElementById("drawing");
			return d.shadowRoot.querySelector("svg") !== null && d.shadowRoot.adoptedStyleSheets.length === 2 && d.getAttribute("aria-label").includes(%q);
		})()`, m.Seats[1].BotName), &drawn)
		if !drawn {
			t.Errorf("%s: there is no styled drawing of what seat 1 sees", id)
		}
		b.clean("the replay of " + id)
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

// rectangles looks where the board and the controls are, at the start, in the middle and at the end of a match of every game.
func (g *gallery) rectangles(t *testing.T, b *browser) {
	for _, screen := range []struct{ width, height int64 }{{1440, 900}, {360, 780}} {
		b.run(chromedp.EmulateViewport(screen.width, screen.height))
		for id, m := range g.done {
			b.open("/matches/" + m.ID)
			b.shows(0, -1)
			var last int
			b.eval(`+document.getElementById("viewer").dataset.last`, &last)
			for _, step := range []int{0, last / 2, last} {
				b.eval(fmt.Sprintf(`location.hash = "#step=%d"`, step), nil)
				b.shows(step, -1)
				var wrong []string
				b.eval(cut, &wrong)
				for _, w := range wrong {
					t.Errorf("%s, step %d of %d, at %d × %d: %s", id, step, last, screen.width, screen.height, w)
				}
			}
		}
		b.clean("rectangles")
	}
	b.eval(`document.querySelector(".controls").style.marginTop = "3000px"; document.getElementById("players").style.width = "3000px"`, nil)
	var wrong []string
	if b.eval(cut, &wrong); len(wrong) < 2 {
		t.Errorf("a page that is too wide was not seen: %v", wrong)
	}
}

// keys goes through a match by the keyboard alone.
func (g *gallery) keys(t *testing.T, b *browser) {
	b.open("/matches/" + g.done["demol"].ID)
	b.shows(0, -1)
	var last int
	b.eval(`+document.getElementById("viewer").dataset.last`, &last)
	for _, press := range []struct {
		key        string
		step, seat int
	}{
		{kb.ArrowRight, 1, -1},
		{kb.ArrowRight, 2, -1},
		{kb.ArrowLeft, 1, -1},
		{"2", 1, 2},
		{kb.End, last, 2},
		{"9", last, 2}, // there is no such seat
		{"s", last, -1},
		{kb.Home, 0, -1},
	} {
		b.run(chromedp.KeyEvent(press.key))
		b.shows(press.step, press.seat)
	}
	b.eval(`document.getElementById("speed").value = "20"`, nil)
	b.run(chromedp.KeyEvent(" "))
	b.until(`document.getElementById("play").textContent === "Pause" && +document.getElementById("at").textContent >= 2`)
	b.run(chromedp.KeyEvent(" "))
	b.until(`document.getElementById("play").textContent === "Play"`)
	b.eval(fmt.Sprintf(`document.querySelector("#moves [data-step='%d']").click()`, 5), nil)
	b.shows(5, -1)
	b.until(`document.querySelector("#moves [aria-current]").dataset.step === "5"`)
	b.clean("keys")
}

// links opens a link to a step, and sees a coin move.
func (g *gallery) links(t *testing.T, b *browser) {
	b.open("/matches/" + g.done["demol"].ID + "#step=7&seat=2")
	b.shows(7, 2)
	b.run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "no-preference"}}))
	b.open("/matches/" + g.done["mole"].ID)
	b.shows(0, -1)
	b.eval(`window.flown = new Set();
		new MutationObserver(() => window.flown.add(document.getElementById("viewer").dataset.flown))
			.observe(document.getElementById("viewer"), { attributes: true, attributeFilter: ["data-flown"] });
		document.getElementById("speed").value = "5"; document.getElementById("play").click()`, nil)
	b.until(`window.flown.size > 2`)
	b.clean("links")
}

// follows sees a live match grow, loses its stream and comes back without a gap, and sees the result when the match is over.
func (g *gallery) follows(t *testing.T, b *browser, lose func()) {
	m := g.live["demol"]
	b.open("/matches/" + m.ID)
	var before int
	b.eval(`+document.getElementById("viewer").dataset.last`, &before)
	if before != 3 {
		t.Errorf("a live match of 3 steps: got %d", before)
	}
	b.shows(before, -1) // a match that runs opens at its end
	b.eval(`window.stayed = true`, nil)
	g.release(m) // between two workers a match is not running
	b.until(`document.querySelector("[data-part=news] .tag").textContent !== "running"`)
	g.more(m, 4)
	b.until(fmt.Sprintf(`window.stayed && document.getElementById("viewer").dataset.shown === "%d/-1"`, before+4))
	b.clean("a live match")
	g.release(m)
	lose()
	g.more(m, 3)
	b.until(fmt.Sprintf(`window.stayed && document.getElementById("viewer").dataset.shown === "%d/-1"`, before+7))
	var moves string
	b.eval(`[...document.querySelectorAll("#moves [data-step]")].map((a) => a.dataset.step).join(" ")`, &moves)
	if want := "0 1 2 3 4 5 6 7 8 9 10"; moves != want {
		t.Errorf("after the stream was lost the moves are %q, want %q", moves, want)
	}
	b.mu.Lock()
	b.bad = nil // what a lost connection writes to the console
	b.mu.Unlock()
	g.release(m)
	g.more(m, 1<<20)
	b.until(`document.getElementById("viewer").dataset.open === "true" && document.querySelector(".result") !== null`)
	var title string
	b.eval(`document.title`, &title)
	if !strings.Contains(title, "bot-") {
		t.Errorf("got the title %q, want the bots by name now that the match is over", title)
	}
	b.clean("a live match")
}
