package demo

import (
	_ "embed"
	"fmt"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/browsertest"
	"github.com/molerun/molerun/internal/must"
)

// next finds what a person does next at their seat.
//
//go:embed testdata/next.js
var next string

// move is what a person does: a click, a tap on the board, a drag, a key, or nothing yet.
type move struct {
	Kind           string
	X, Y, ToX, ToY float64
	Press          string // the key that a person presses, once the focus is there
	Key            string // of the page
}

// hand does at a seat what a person does there.
type hand struct {
	*browsertest.Browser
	done map[string]int // what was done, by kind
}

// do does what the page gives to do; tries is how often something was done for the same decision.
func (x *hand) do(tries int, keyboard bool) move {
	x.T.Helper()
	var m move
	x.Eval(fmt.Sprintf("(%s)(%d, %t)", next, tries, keyboard), &m)
	switch m.Kind {
	case "click", "tap":
		x.Run(chromedp.MouseClickXY(m.X, m.Y))
	case "key":
		x.tabTo()
		x.Run(chromedp.KeyEvent(m.Press))
	case "drag":
		x.Run(
			chromedp.MouseEvent(input.MousePressed, m.X, m.Y, chromedp.ButtonLeft),
			chromedp.MouseEvent(input.MouseMoved, m.ToX, m.ToY, chromedp.ButtonLeft),
			chromedp.MouseEvent(input.MouseReleased, m.ToX, m.ToY, chromedp.ButtonLeft),
		)
	default:
		time.Sleep(20 * time.Millisecond)
	}
	x.done[m.Kind]++
	return m
}

// tabTo presses Tab until the focus is where [next] wants it.
func (x *hand) tabTo() {
	x.T.Helper()
	for range 200 {
		var there bool
		if x.Eval(`(() => { let e = document.activeElement; while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement; return !window.wanted.isConnected || e === window.wanted })()`, &there); there {
			return
		}
		x.Run(chromedp.KeyEvent(kb.Tab))
	}
	x.T.Fatal("200 tabs do not reach what a person needs")
}

// hands is by what each game is played in the gate, and what must have been done in it; at night all are played by both.
var hands = map[string]struct{ by, done string }{
	"cia":          {pointer, "tap"},
	"demol":        {keyboard, "key"},
	"mole":         {pointer, "drag"},
	"molehill":     {pointer, "tap"},
	"molemajority": {pointer, "tap"},
}

const (
	pointer  = "pointer"
	keyboard = "keyboard"
	nobody   = "nobody" // the seat is looked at
)

// roles is who a person can be in each game, as their seat begins to say it.
var roles = map[string][]string{
	"cia":          {"Your agent is"},
	"demol":        {"You are a mole", "You are an agent"},
	"mole":         {"You have the mole", "You have the mignettes"},
	"molehill":     {"You are the mole", "You are the gardener"},
	"molemajority": {"You lead the moles"},
}

// rolesOf adds the roles in which seat 0 has decided in a match, of those that its game has.
func rolesOf(t *testing.T, rec *replay.Record, been map[string]bool) {
	t.Helper()
	you := ""
	err := rec.Play(func(p *replay.Player) error {
		if slices.ContainsFunc(rec.Steps[p.Step()].Turns, func(d replay.Turn) bool { return d.Seat == 0 }) {
			for _, role := range roles[rec.Header.Game] {
				if strings.HasPrefix(you, role) {
					been[role] = true
				}
			}
		}
		you = p.Table().Aid(0).You
		return nil
	})
	must.OK(t, err)
}

// mostMatches bounds the matches until a person has been everybody whom they can be.
const mostMatches = 15

// A person plays whole matches with the page's script: by taps on the board and drags, or by the keyboard alone. At night all five
// games, by either, until they have had every role; else four, by one. The page of the seat of all five has no fault.
func TestAPersonPlaysByTapsDragsAndKeys(t *testing.T) {
	d, base, _ := platform(t)
	x := &hand{browsertest.New(t, base), map[string]int{}}
	x.Open("/play/demol")
	x.Audits("the page that seats people", browsertest.Looks(2))
	t.Run("a flick is aimed on a phone", func(t *testing.T) {
		x.T = t
		x.aims()
	})
	t.Run("a team is chosen on a phone", func(t *testing.T) {
		x.T = t
		x.chooses()
	})
	t.Run("a rod is laid on a phone", func(t *testing.T) {
		x.T = t
		x.confirms()
	})
	t.Run("a seat that is lost is told", func(t *testing.T) {
		x.T = t
		x.loses()
	})
	for _, game := range tables {
		by, nightly := []string{hands[game.game].by}, os.Getenv("MOLERUN_NIGHTLY") == "1"
		if nightly {
			by = []string{pointer, keyboard}
			d, base, _ = platform(t) // one gives an address no more than 20 seats an hour
			x = &hand{browsertest.New(t, base), map[string]int{}}
		} else if game.game == "molemajority" {
			by = []string{nobody}
		}
		for i, by := range by {
			t.Run(game.game+" by "+by, func(t *testing.T) {
				x.T = t
				x.sit(game.game, game.variant)
				if i == 0 {
					x.Audits("the seat", browsertest.Looks(2))
					x.MovingScreen(1440, 900, "light")
				}
				x.answers()
				if by == nobody {
					return // whoever sits down for the next game leaves this seat
				}
				been := map[string]bool{}
				rolesOf(t, verify(t, d, x.plays(by == keyboard)), been)
				x.ends(by == keyboard)
				for k := 1; nightly && i == 0 && len(been) < len(roles[game.game]) && k < mostMatches; k++ {
					x.again()
					rolesOf(t, verify(t, d, x.plays(false)), been)
				}
				if len(been) == 0 || nightly && i == 0 && len(been) < len(roles[game.game]) {
					t.Errorf("the person was %v, want each of %q", slices.Sorted(maps.Keys(been)), roles[game.game])
				}
				t.Logf("the person was %v", slices.Sorted(maps.Keys(been)))
				if done := hands[game.game].done; by == hands[game.game].by && x.done[done] == 0 {
					t.Errorf("got %v, want the match played by %s", x.done, done)
				}
				if game.game == "molehill" && x.done["click"] > 0 { // there the board alone does
					t.Errorf("got %v, want no control beside the board used", x.done)
				}
				if by == keyboard && x.done["click"]+x.done["tap"]+x.done["drag"] > 0 {
					t.Errorf("got %v, want keys alone", x.done)
				}
				x.Clean("the seat")
			})
		}
	}
}

// due finds the drawing while the person's decision waits for them: not on the page that is about to go, whose decision was just sent.
const due = `document.querySelector('#sitting[data-state="turn"]:not([aria-busy]) div#drawing')`

// sit takes a seat against house bots, and waits for the first decision.
func (x *hand) sit(game, variant string) {
	x.T.Helper()
	x.MovingScreen(1440, 900, "light")
	x.Open("/play/" + game)
	x.Run(chromedp.SetValue("#variant", variant), chromedp.Click(".sit button", chromedp.NodeVisible))
	x.Until(due + ` !== null`)
}

// answers says what of the board can be chosen, and does not take a tap in its middle.
func (x *hand) answers() {
	x.T.Helper()
	var dead []string
	x.Eval(`(() => { const root = document.getElementById("drawing")?.shadowRoot; return [...(root?.querySelectorAll("[data-can]") ?? [])].filter((e) => {
		e.scrollIntoView({ block: "center" });
		const r = e.getBoundingClientRect();
		return root.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)?.closest("[data-at]")?.dataset.at !== e.dataset.at;
	}).map((e) => e.dataset.at); })()`, &dead)
	if len(dead) > 0 {
		x.T.Errorf("a tap in the middle of %q is lost", dead)
	}
}

// plays goes on to the end of the match, and returns its id.
func (x *hand) plays(keyboard bool) string {
	x.T.Helper()
	x.done = map[string]int{}
	x.Screen(1440, 900, "light") // nobody waits for coins that roll
	begun := time.Now()
	m, tries, last := move{}, 0, ""
	for m.Kind != "over" {
		if m = x.do(tries, keyboard); m.Key != last {
			tries, last = 0, m.Key
		}
		if m.Kind != "wait" {
			tries++
		}
		if tries == 1 {
			x.answers()
		}
		var lost bool
		if x.Eval(`document.activeElement === document.body`, &lost); lost && x.done["key"] > 0 {
			x.T.Fatalf("after %v the focus is lost: %+v", x.done, m)
		}
		if tries > 40 || time.Since(begun) > 4*time.Minute {
			x.T.Fatalf("no end: %+v after %v", m, x.done)
		}
	}
	var match string
	x.Eval(`document.querySelector('#sitting a[href^="/matches/"]').pathname.split("/")[2]`, &match)
	x.T.Logf("%v in %v", x.done, time.Since(begun).Round(time.Millisecond))
	return match
}

// ends says what is wrong with the page of a seat whose match is over; to the keyboard, the next Tab leads to a rematch.
func (x *hand) ends(keyboard bool) {
	x.T.Helper()
	var result, names, focus string
	if keyboard {
		x.Run(chromedp.KeyEvent(kb.Tab))
		if x.Eval(`document.activeElement.id`, &focus); focus != "rematch" {
			x.T.Errorf("a Tab after the end leads to %q, want the rematch", focus)
		}
	}
	x.Eval(`document.querySelector("#sitting .now").textContent`, &result)
	if !regexp.MustCompile(`^(You (won|lost|share)|A draw|Nobody wins)[^.]*: [^.]+\.$`).MatchString(result) {
		x.T.Errorf("the end reads %q, want who has won and why", result)
	}
	if x.Eval(`[...document.querySelectorAll("#sitting :is(.said li, .last, .role, td, th)")].map((e) => e.textContent).join("\n")`, &names); numbered.MatchString(names) {
		x.T.Errorf("a seat is called by its number: %s", numbered.FindString(names))
	}
}

// numbered finds a seat that is called by its number.
var numbered = regexp.MustCompile(`(?i)[^\n]*\b(seats?|leader) \d[^\n]*`)

// again asks for the same match, and waits for its first decision.
func (x *hand) again() {
	x.T.Helper()
	var before, after string
	const players = `[...document.querySelectorAll("#sitting .players span")].map((e) => e.textContent).join()`
	x.Eval(players, &before)
	x.Run(chromedp.Click("#rematch", chromedp.NodeVisible))
	x.Until(`["turn", "others"].includes(document.getElementById("sitting")?.dataset.state)`)
	if x.Eval(players, &after); strings.Count(before, ",") != strings.Count(after, ",") {
		x.T.Errorf("a rematch seats %s, want %s", after, before)
	}
}

// loses takes a seat whose cookie the browser forgets: the page that follows the match says so, and where to take another.
func (x *hand) loses() {
	x.T.Helper()
	x.sit("molehill", "base")
	x.Run(network.ClearBrowserCookies())
	x.Until(`document.querySelector("main .detail").textContent.includes("this browser has no seat") && document.querySelector('main a[href="/games"]') !== null`)
	x.Forgive() // of its own, the browser reports the status of a refusal
}

// mouse moves the pointer while a button is held down, or presses or releases it there.
func (x *hand) mouse(kind input.MouseType, px, py float64) {
	x.T.Helper()
	x.Run(chromedp.MouseEvent(kind, px, py, chromedp.ButtonLeft))
}

// fits says what of a seat's page a phone does not show without scrolling: the board, or where the decision begins.
func (x *hand) fits() {
	x.T.Helper()
	var out struct{ Board, Offer, High, Wide, Page float64 }
	x.Eval(`scrollTo(0, 0); (() => { const of = (s) => document.querySelector(s).getBoundingClientRect(); return { Board: of("#board").bottom, Offer: of("#offer").bottom, High: innerHeight, Wide: innerWidth, Page: document.documentElement.scrollWidth }; })()`, &out)
	if out.Board > out.High || out.Offer > out.High || out.Page > out.Wide {
		x.T.Errorf("on a phone of %v by %v the board ends at %v, the decision begins at %v, and the page is %v wide", out.Wide, out.High, out.Board, out.Offer, out.Page)
	}
}

// aims drags a coin: the line shows where it first strikes something or stops, a drag can be taken back, and what is flicked is seen to
// move. Without noise it goes where the line ends.
func (x *hand) aims() {
	x.T.Helper()
	x.sit("mole", "still")
	x.MovingScreen(390, 844, "light")
	at := x.coin()
	x.fits()
	var key, now string
	const keyNow = `document.getElementById("sitting").dataset.key`
	const drawn = `document.getElementById("drawing").shadowRoot.querySelectorAll(".aim").length`
	aimed := func(want int, when string) {
		x.T.Helper()
		var n int
		if x.Eval(drawn, &n); n != want {
			x.T.Errorf("%s: %d lines are drawn, want %d", when, n, want)
		}
	}
	x.Eval(keyNow, &key)
	toX, toY := at.X+12, max(at.Y-45, at.Room+5)
	for _, back := range []struct {
		how string
		do  func()
	}{
		{"dragged back", func() { x.mouse(input.MouseMoved, at.X+1, at.Y) }},
		{"Escape", func() { x.Run(chromedp.KeyEvent(kb.Escape)) }},
	} {
		x.mouse(input.MousePressed, at.X, at.Y)
		x.mouse(input.MouseMoved, toX, toY)
		aimed(1, "while a coin is dragged")
		back.do()
		aimed(0, back.how)
		x.mouse(input.MouseReleased, at.X, at.Y)
		if x.Eval(keyNow, &now); now != key {
			x.T.Fatalf("%s: something was sent", back.how)
		}
	}
	x.goes(22, 3) // softly, past everything
	x.goes(12, -45)
	x.Clean("a flick")
}

// held is a coin that a person can flick, and where it is on the screen.
type held struct {
	X, Y, Room float64
	Coin       string
	Step       int
}

// coin waits until a coin can be flicked, and until all lie still.
func (x *hand) coin() (at held) {
	x.T.Helper()
	for ready := false; !ready; {
		if x.Eval(`document.querySelector("#sitting .offer[data-type=flick]") !== null && `+due+` !== null`, &ready); !ready {
			x.do(9, false)
		}
	}
	x.Until(`!(+document.getElementById("sitting").dataset.flying > 0)`)
	x.Eval(`scrollTo(0, 0); (() => {
		const coin = JSON.parse(document.querySelector("#sitting .offer[data-type=flick] [name='field.coin']").value);
		const r = document.getElementById("drawing").shadowRoot.querySelector('[data-piece="' + coin + '"]').getBoundingClientRect();
		return { X: r.x + r.width / 2, Y: r.y + r.height / 2, Room: document.getElementById("board").getBoundingClientRect().y, Coin: coin, Step: +document.getElementById("sitting").dataset.step };
	})()`, &at)
	return at
}

// goes drags a coin, and compares the end of the line with where it went without noise.
func (x *hand) goes(dx, dy float64) {
	x.T.Helper()
	at := x.coin()
	toX, toY := at.X+dx, max(at.Y+dy, at.Room+5)
	x.mouse(input.MousePressed, at.X, at.Y)
	x.mouse(input.MouseMoved, toX, toY)
	var end struct {
		X, Y  float64
		Ends  string
		Power string
	}
	x.Eval(`(() => { const g = document.getElementById("drawing").shadowRoot.querySelector(".aim"), c = g.querySelector("circle"); return { X: +c.getAttribute("cx"), Y: +c.getAttribute("cy"), Ends: g.dataset.ends, Power: g.querySelector("text").textContent }; })()`, &end)
	x.mouse(input.MouseReleased, toX, toY)
	mine := fmt.Sprintf(`JSON.parse(document.getElementById("sitting").dataset.flicks || "[]").find((f) => f.step > %d && f.coins[f.moves[0].coin].id === %q)`, at.Step, at.Coin)
	x.Until(`+document.getElementById("sitting").dataset.flying > 0 && ` + mine + ` !== undefined`)
	var went [2]float64
	x.Eval(mine+`.moves[0].to`, &went)
	if math.Hypot(went[0]-end.X, went[1]-end.Y) > 2 || !regexp.MustCompile(`^power \d+ %$`).MatchString(end.Power) {
		x.T.Errorf("a flick of %s was to come to %.1f, %.1f (%s), and came to %.1f, %.1f", end.Power, end.X, end.Y, end.Ends, went[0], went[1])
	}
}

// chooses taps a team together on the board: it is said in words, can be taken back, and is sent by a button beside the board.
func (x *hand) chooses() {
	x.T.Helper()
	x.sit("demol", "base")
	for led := false; !led; {
		if x.Eval(`/^Propose/.test(document.querySelector("#choices button")?.textContent) && `+due+` !== null`, &led); led {
			break
		}
		if x.do(0, false).Kind == "over" {
			x.again()
		}
	}
	x.MovingScreen(390, 844, "dark")
	x.fits()
	const bar = `document.querySelector("#chosen:not([hidden]) span")?.textContent ?? ""`
	var words string
	for words == "" {
		x.do(0, false)
		x.Eval(bar, &words)
	}
	if !regexp.MustCompile(`^Propose \S+ and \S+$`).MatchString(words) {
		x.T.Errorf("a team is said as %q", words)
	}
	x.Run(chromedp.Click("#undo"))
	if x.Eval(bar, &words); words != "" {
		x.T.Errorf("taken back, it still says %q", words)
	}
	if x.Eval(`document.activeElement.id`, &words); words != "offer" {
		x.T.Errorf("after what was taken back the focus is at %q, want the decision's heading", words)
	}
	x.Clean("a team")

	// What is sent without a connection is not: the seat says so, and comes back with the decision.
	x.Run(network.EmulateNetworkConditions(true, 0, 0, 0))
	x.Run(chromedp.Evaluate(`document.querySelector("#choices button").click()`, nil))
	x.Until(`document.getElementById("freshness")?.textContent.startsWith("No connection")`)
	x.Run(network.EmulateNetworkConditions(false, 0, -1, -1))
	x.Until(`document.getElementById("freshness") === null && ` + due + ` !== null`)
	x.Forgive()
}

// confirms taps between two squares with a finger, which is small there: the rod is laid once that is confirmed. The page says that its
// board can be tapped.
func (x *hand) confirms() {
	x.T.Helper()
	const rods = `[...(` + due + `?.shadowRoot.querySelectorAll(".edge [data-can]") ?? [])]`
	x.sit("molehill", "base")
	for found := false; !found; {
		if x.Eval(rods+`.length > 0`, &found); !found && x.do(0, false).Kind == "over" {
			x.again()
		}
	}
	x.MovingScreen(390, 844, "light")
	x.answers()
	var key, now, words, hint string
	const keyNow = `document.getElementById("sitting").dataset.key`
	x.Eval(keyNow, &key)
	var at struct{ X, Y float64 }
	x.Eval(`scrollTo(0, 0); (() => { const r = `+rods+`[0].getBoundingClientRect(); return { X: r.x + r.width / 2, Y: r.y + r.height / 2 }; })()`, &at)
	x.Run(
		emulation.SetTouchEmulationEnabled(true),
		input.DispatchTouchEvent(input.TouchStart, []*input.TouchPoint{{X: at.X, Y: at.Y}}),
		input.DispatchTouchEvent(input.TouchEnd, []*input.TouchPoint{}),
	)
	x.Until(`document.querySelector("#chosen:not([hidden])") !== null || ` + keyNow + fmt.Sprintf(` !== %q`, key)) // a tap comes some time after the touch
	x.Run(emulation.SetTouchEmulationEnabled(false))
	x.Eval(`document.querySelector("#chosen:not([hidden]) span")?.textContent ?? ""`, &words)
	if x.Eval(keyNow, &now); now != key || !strings.Contains(words, "rod") {
		x.T.Errorf("a tap by a finger on a small place says %q; sent at once: %t", words, now != key)
	}
	if x.Eval(`document.querySelector("#tappable:not([hidden])")?.textContent ?? ""`, &hint); hint == "" {
		x.T.Error("nothing says that the board can be tapped")
	}
	x.Run(chromedp.Click("#send"))
	x.Until(keyNow + fmt.Sprintf(` !== %q`, key))
	x.Clean("a rod")
}
