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

	"github.com/molerun/molerun/api/web/browsertest"
)

// next finds what a person does next at their seat.
//
//go:embed testdata/next.js
var next string

// move is what a person does: a click, a tap on the board, a drag, a key, or nothing yet.
type move struct {
	Kind           string
	X, Y, ToX, ToY float64
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
		x.Run(chromedp.KeyEvent(kb.Enter))
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

// by is what every game is played by.
var by = map[string]string{
	"cia":          "key",
	"demol":        "tap",
	"mole":         "drag",
	"molehill":     "tap",
	"molemajority": "tap",
}

// A person plays whole matches with the page's script: by taps on the board, by drags, and one by the keyboard alone. At night all
// five games, else three.
func TestAPersonPlaysByTapsDragsAndKeys(t *testing.T) {
	d, base, _ := platform(t)
	x := &hand{Browser: browsertest.New(t, base)}
	x.MovingScreen(1440, 900, "light")
	for _, game := range tables {
		if os.Getenv("MOLERUN_NIGHTLY") != "1" && (game.game == "mole" || game.game == "molemajority") {
			continue
		}
		t.Run(game.game, func(t *testing.T) {
			x.T, x.done = t, map[string]int{}
			begun := time.Now()
			x.Open("/play/" + game.game)
			x.Run(chromedp.SetValue("#variant", game.variant), chromedp.Click(".sit button", chromedp.NodeVisible), chromedp.WaitReady("#sitting"))
			m, tries, last := move{}, 0, ""
			for m.Kind != "over" {
				if m = x.do(tries, game.game == "cia"); m.Key != last {
					tries, last = 0, m.Key
				}
				if m.Kind != "wait" {
					tries++
				}
				if tries > 40 || time.Since(begun) > 4*time.Minute {
					t.Fatalf("no end: %+v after %v", m, x.done)
				}
			}
			var match string
			x.Eval(`document.querySelector('#sitting a[href^="/matches/"]').pathname.split("/")[2]`, &match)
			t.Logf("%v in %v", x.done, time.Since(begun).Round(time.Millisecond))
			if kind := by[game.game]; x.done[kind] == 0 {
				t.Errorf("got %v, want the match played by %s", x.done, kind)
			}
			if game.game == "molehill" && x.done["click"] > 0 { // there the board alone does
				t.Errorf("got %v, want no control beside the board used", x.done)
			}
			verify(t, d, match)
			x.Clean("the seat")
		})
	}
}
