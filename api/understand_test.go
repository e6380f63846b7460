package api_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/internal/browsertest"
)

// seenAt is a script that returns the words of an element, and "" where a person does not see them: it is hidden, covered, outside the first
// screen where that is wanted, or empty.
const seenAt = `((find, first) => {
	const e = document.querySelector(find);
	if (!e || !e.checkVisibility()) return "";
	const r = e.getBoundingClientRect();
	if (!r.width || !r.height || r.left < 0 || r.right > innerWidth || first && (r.top < 0 || r.bottom > innerHeight)) return "";
	return e.textContent.trim();
})(%q, %t)`

// TestLongAStrangerUnderstandsAMatch: what people ask is answered by the page alone, on a desk and on a phone.
func TestLongAStrangerUnderstandsAMatch(t *testing.T) {
	onGallery(t, nil, func(g *gallery, b *browsertest.Browser, server *httptest.Server) {
		g.withoutScript(g.t, b)
		g.spoilers(g.t, b)
		g.pace(g.t, b)
		for id := range g.done {
			g.questions(g.t, b, id)
		}
		g.replays(g.t, b)
		g.keys(g.t, b)
		g.links(g.t, b)
		g.follows(g.t, b, server.CloseClientConnections)
		g.alone(g.t, b)
	})
}

// stage asks a page what strangers ask, on one of the screens: a wide one shows all of it at first sight.
type stage struct {
	*browsertest.Browser
	game string
	wide bool
}

// onEachScreen looks at the page that is open on a desk and on two phones.
func onEachScreen(b *browsertest.Browser, id string, look func(stage)) {
	b.T.Helper()
	for _, screen := range []struct{ width, height int64 }{{1440, 900}, {390, 844}, {360, 780}} {
		b.Screen(screen.width, screen.height, "light")
		look(stage{b, id, screen.width > 1000})
	}
}

// ask wants words in an element, first: on the first screen.
func (s stage) ask(question, find string, first bool, want ...string) {
	s.T.Helper()
	var got string
	s.Eval(fmt.Sprintf(seenAt, find, first), &got)
	for _, w := range want {
		if !strings.Contains(got, w) || got == "" {
			s.T.Errorf("%s, wide %v: %s %s says %q, want %q in it", s.game, s.wide, question, find, got, w)
		}
	}
}

// goes goes to a step, all of which is to be seen.
func (s stage) goes(step, seat int) {
	s.T.Helper()
	s.Eval(fmt.Sprintf(`location.hash = "#step=%d"`, step), nil)
	shows(s.Browser, step, seat)
	var wrong []string
	s.Eval(cut, &wrong)
	for _, w := range wrong {
		s.T.Errorf("%s, step %d, wide %v: %s", s.game, step, s.wide, w)
	}
}

// questions asks of a match of a game what a stranger does, and looks where the board and the controls are.
func (g *gallery) questions(t *testing.T, b *browsertest.Browser, id string) {
	t.Helper()
	e, _ := catalog.Find(id)
	m, names := g.done[id], []string{}
	for _, s := range m.Seats {
		names = append(names, s.BotName)
	}
	b.Open("/matches/" + m.ID)
	first := g.first(id)
	shows(b, 0, first)
	var last int
	b.Eval(`+document.getElementById("viewer").dataset.last`, &last)
	middle := last * 2 / 3
	frames := into[web.MatchFrames](g.get(anon, fmt.Sprintf("/matches/%s/frames?from=%d&seat=%d", m.ID, middle, first)).want(200, "")).Frames
	if !strings.HasPrefix(frames[0].Ahead, "Ahead: ") && !strings.HasPrefix(frames[0].Ahead, "Level: ") {
		t.Errorf("%s: who is winning in step %d: got %q", id, middle, frames[0].Ahead)
	}
	onEachScreen(b, id, func(s stage) {
		s.goes(0, first)
		b.Run(chromedp.Click(".what summary"))
		about := e.Info().About
		s.ask("what is this game?", ".what", false, about.Is, about.Win, about.Watch)
		b.Run(chromedp.Click(".what summary"))

		s.goes(middle, first)
		s.ask("who is winning?", "#ahead", s.wide, frames[0].Ahead)
		s.ask("why did that happen?", "#caption", s.wide, frames[0].Caption)
		s.ask("who is who?", "#players", s.wide, names...)
		if id == "demol" {
			s.ask("who is who?", "#players", s.wide, "mole", "agent")
		}
		var board string
		b.Eval(`document.getElementById("drawing").shadowRoot.querySelector("svg").textContent`, &board)
		if want := map[string]string{"demol": "knew that seat", "cia": "Seat 0 was", "molemajority": "home tokens: "}[id]; !strings.Contains(board, want) {
			t.Errorf("%s: with everything open the board does not say %q", id, want)
		}
		s.goes(last, first)
		s.ask("who has won, and why?", ".result", false, ": ")
		s.ask("why did that happen?", "#caption", s.wide, " ")
	})

	b.Open("/matches/" + g.live[id].ID)
	shows(b, 3, -1)
	onEachScreen(b, id, func(s stage) {
		for _, seat := range g.live[id].Seats {
			name := seat.BotName
			if e.Info().Teams {
				name = seat.Alias
			}
			s.ask("who plays?", "#players", s.wide, name)
		}
		if e.Hides() {
			s.ask("what is hidden, and until when?", ".sealed", s.wide, "shown when the match is over")
		}
	})
	b.Clean("questions of " + id)
}

// spoilers watches a match with its results hidden, and comes back.
func (g *gallery) spoilers(t *testing.T, b *browsertest.Browser) {
	b.Screen(1440, 900, "light")
	at := "/matches/" + g.done["demol"].ID
	b.Open(at)
	shows(b, 0, -2)
	telling := func() (list []string) {
		b.Eval(`[...document.querySelectorAll(".spoil, .keys, .result, .role")].filter((e) => e.checkVisibility()).map((e) => e.className + ": " + e.textContent.trim().slice(0, 40))`, &list)
		return list
	}
	if len(telling()) < 4 {
		t.Errorf("without the switch only %q tells of the end: this test is blind", telling())
	}
	b.Run(chromedp.Click("#hide"))
	shows(b, 0, -1)
	var last, later int
	b.Eval(`+document.getElementById("viewer").dataset.last`, &last)
	for range 2 { // the second time the page remembers
		if got := telling(); len(got) > 0 {
			t.Errorf("with results hidden the page still shows %q", got)
		}
		if b.Eval(`[...document.querySelectorAll("#moves [data-step]")].filter((a) => +a.dataset.step > 0 && a.checkVisibility()).length`, &later); later > 0 {
			t.Errorf("with results hidden %d later moves are shown", later)
		}
		b.Run(chromedp.KeyEvent("e"))
		b.Open(at)
		shows(b, 0, -1)
	}
	b.Run(chromedp.Click(`[data-go="last"]`))
	shows(b, last, -2)
	if len(telling()) < 4 {
		t.Errorf("at the last step only %q is shown", telling())
	}
	b.Run(chromedp.Click("#hide"))
	b.Clean("hidden results")

	b.Scripts(false)
	b.Open(at + "?spoilers=hide")
	if got := telling(); len(got) > 0 {
		t.Errorf("without a script, with results hidden, the page still shows %q", got)
	}
	b.Scripts(true)
}

// pace plays matches: what nobody sees takes no time, and the cards of a mission are turned one by one.
func (g *gallery) pace(t *testing.T, b *browsertest.Browser) {
	m := g.done["molemajority"]
	b.Open("/matches/" + m.ID)
	shows(b, 0, -2)
	var last int
	b.Eval(`+document.getElementById("viewer").dataset.last`, &last)
	passed := map[int]bool{}
	for from := 0; from <= min(last, 48); from += 16 {
		for _, f := range into[web.MatchFrames](g.get(anon, fmt.Sprintf("/matches/%s/frames?seat=-2&from=%d", m.ID, from)).want(200, "")).Frames {
			if least := 250 * len(strings.Fields(f.Caption)); f.Dwell == 0 {
				passed[f.Step] = true
			} else if f.Dwell < least || f.Dwell < 600 {
				t.Errorf("step %d is shown for %d ms: %q is not read so soon", f.Step, f.Dwell, f.Caption)
			}
		}
	}
	if len(passed) == 0 {
		t.Error("every step of the match is shown: this test is blind")
	}
	b.Eval(`window.seen = [];
		new MutationObserver(() => window.seen.push(parseInt(document.getElementById("viewer").dataset.shown)))
			.observe(document.getElementById("viewer"), { attributes: true, attributeFilter: ["data-shown"] });
		`+fastest+`document.getElementById("play").click()`, nil)
	b.Until(fmt.Sprintf(`window.seen.some((s) => s >= %d)`, min(last, 40)))
	var seen []int
	b.Eval(`document.getElementById("play").click(); window.seen`, &seen)
	for _, step := range seen {
		if passed[step] && step < last {
			t.Errorf("step %d, in which nothing is seen, was shown", step)
		}
	}

	m = g.done["demol"]
	mission := 0
	for from := 0; mission == 0 && from < 400; from += 16 {
		for _, f := range into[web.MatchFrames](g.get(anon, fmt.Sprintf("/matches/%s/frames?from=%d", m.ID, from)).want(200, "")).Frames {
			if strings.HasPrefix(f.Caption, "Mission") && mission == 0 {
				mission = f.Step
			}
		}
	}
	b.MovingScreen(1440, 900, "light")
	b.Open(fmt.Sprintf("/matches/%s#step=%d", m.ID, mission-1))
	shows(b, mission-1, -2)
	b.Run(chromedp.KeyEvent(kb.ArrowRight))
	b.Until(`document.getElementById("drawing").shadowRoot.querySelectorAll("[data-piece^=turned-]").length > 1`)
	var turning []float64 // when each begins to turn, in ms, and last what came of it
	b.Eval(`(() => {
		const svg = document.getElementById("drawing").shadowRoot.querySelector("svg");
		return svg.getAnimations({ subtree: true }).filter((a) => a.effect.target.dataset.turn).map((a) => a.effect.getTiming().delay).sort((x, y) => x - y);
	})()`, &turning)
	if len(turning) < 4 || turning[1]-turning[0] < 300 || turning[2] <= turning[1] {
		t.Errorf("the cards of step %d turn at %v ms, want one after the other and then the result", mission, turning)
	}
	var told string
	if b.Eval(`document.getElementById("caption").textContent`, &told); strings.HasPrefix(told, "Mission") {
		t.Errorf("%q shows before the cards are turned", told)
	}
	b.Until(`document.getElementById("caption").textContent.startsWith("Mission")`)
	b.Clean("the cards of a mission")
}
