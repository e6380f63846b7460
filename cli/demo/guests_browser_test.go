package demo

import (
	_ "embed"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/molerun/molerun/internal/browsertest"
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

// A person plays whole matches with the page's script: by taps on the board and drags, or by the keyboard alone. At night all five
// games, by either; else three, by one. The page of the seat of all five has no fault.
func TestAPersonPlaysByTapsDragsAndKeys(t *testing.T) {
	d, base, _ := platform(t)
	x := &hand{Browser: browsertest.New(t, base)}
	x.Open("/play/demol")
	x.Audits("the page that seats people", browsertest.Looks)
	for _, game := range tables {
		by := []string{hands[game.game].by}
		if os.Getenv("MOLERUN_NIGHTLY") == "1" {
			by = []string{pointer, keyboard}
		} else if game.game == "molemajority" {
			by = []string{nobody}
		}
		for i, by := range by {
			t.Run(game.game+" by "+by, func(t *testing.T) {
				x.T = t
				x.sit(game.game, game.variant)
				if i == 0 {
					x.Audits("the seat", browsertest.Looks)
					x.MovingScreen(1440, 900, "light")
				}
				if by == nobody {
					return // whoever sits down for the next game leaves this seat
				}
				verify(t, d, x.plays(by == keyboard))
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

// sit takes a seat against house bots, and waits for the first decision.
func (x *hand) sit(game, variant string) {
	x.T.Helper()
	x.MovingScreen(1440, 900, "light")
	x.Open("/play/" + game)
	x.Run(chromedp.SetValue("#variant", variant), chromedp.Click(".sit button", chromedp.NodeVisible))
	x.Until(`document.getElementById("sitting").dataset.state === "turn" && document.querySelector("div#drawing") !== null`)
}

// plays goes on to the end of the match, and returns its id.
func (x *hand) plays(keyboard bool) string {
	x.T.Helper()
	x.done = map[string]int{}
	begun := time.Now()
	m, tries, last := move{}, 0, ""
	for m.Kind != "over" {
		if m = x.do(tries, keyboard); m.Key != last {
			tries, last = 0, m.Key
		}
		if m.Kind != "wait" {
			tries++
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
