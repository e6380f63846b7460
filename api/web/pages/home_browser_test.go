package pages_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/internal/browsertest"
	"github.com/molerun/molerun/internal/must"
)

// firstPage serves a first page with a match of two steps to be played, or one that runs. Each picture has the number of its step as its
// width; the picture without a step is another each time.
func firstPage(t *testing.T, status string, steps int) string {
	t.Helper()
	site, err := pages.NewSite(anyName)
	must.OK(t, err)
	body, err := site.Page("home", pages.Home{
		Page:     pages.Page{Title: "Home"},
		Featured: &pages.MatchRow{ID: "01930000-0000-7000-8000-000000000000", Game: "Toy", Status: status, Steps: steps, HasBoard: true},
	})
	must.OK(t, err)
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/assets/"):
			a, _, _ := site.Asset(path.Base(r.URL.Path))
			w.Header().Set("Content-Type", a.Type)
			_, _ = w.Write(a.Body)
		case strings.HasSuffix(r.URL.Path, "/board.svg"):
			w.Header().Set("Content-Type", "image/svg+xml")
			number := r.FormValue("step")
			if number == "" {
				number = strconv.FormatInt(asked.Add(1), 10)
			}
			fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="1%s" height="9" viewBox="0 0 9 9"><style>rect{fill:#0f0}</style><rect width="9" height="9"/></svg>`, number)
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Content-Security-Policy", pages.Policy)
			_, _ = w.Write(body)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestTheBoardOfTheFirstPageAndTheWordsOfAWalk(t *testing.T) {
	b := browsertest.New(t, firstPage(t, "done", 2))
	boardPlaysAndCanBeStopped(t, b)
	b.Base = firstPage(t, "running", 0)
	boardFollowsAMatchThatRuns(t, b)
	wordsOfAWalkAreNotCut(t, b)
}

func boardPlaysAndCanBeStopped(t *testing.T, b *browsertest.Browser) {
	t.Helper()
	const src, says = `document.querySelector("[data-ended]").getAttribute("src")`, `document.getElementById("board-play").textContent`
	b.MovingScreen(1000, 800, "light")
	b.Open("/")
	b.Until(says + ` === "Pause"`)
	b.Until(src + `.endsWith("step=0")`)
	b.Until(src + `.endsWith("step=2") && ` + says + ` === "Play"`) // to its end, once
	b.Run(chromedp.Click("#board-play"))
	b.Until(src + `.endsWith("step=0")`)
	b.Run(chromedp.Click("#board-play"))
	b.Until(says + ` === "Play"`)
	b.Screen(1000, 800, "light") // less motion is wanted
	b.Open("/")
	b.Until(says + ` === "Play" && !document.getElementById("board-play").hidden`)
	var moved bool
	b.Until(`performance.now() > 6500`) // it would have moved
	b.Eval(src+`.includes("step")`, &moved)
	if moved {
		t.Error("the board moves for a reader without motion")
	}
	b.Clean("the first page")
}

func boardFollowsAMatchThatRuns(t *testing.T, b *browsertest.Browser) {
	t.Helper()
	const src, says = `document.querySelector("[data-now]").src`, `document.getElementById("board-play").textContent`
	b.MovingScreen(1000, 800, "light")
	b.Open("/")
	b.Until(says + ` === "Pause" && ` + src + `.startsWith("data:")`)
	b.Eval(`window.before = `+src, nil)
	b.Until(src + ` !== window.before`)
	b.Until(`(() => { // the drawing's own styles colour it
		const img = document.querySelector("[data-now]"), to = document.createElement("canvas").getContext("2d");
		to.drawImage(img, 0, 0, 9, 9);
		return img.src.startsWith("data:") && [...to.getImageData(4, 4, 1, 1).data].join() === "0,255,0,255";
	})()`)
	b.Run(chromedp.Click("#board-play"))
	b.Until(says + ` === "Play"`)
	stays := func(who string) {
		t.Helper()
		var same bool
		b.Eval(`window.before = `+src+`; window.end = performance.now() + 1500`, nil)
		b.Until(`performance.now() > window.end`) // it would have moved
		if b.Eval(src+` === window.before`, &same); !same {
			t.Errorf("the board moves for %s", who)
		}
	}
	stays("who has stopped it")
	b.Screen(1000, 800, "light") // less motion is wanted
	b.Open("/")
	b.Until(says + ` === "Play" && !document.getElementById("board-play").hidden`)
	stays("a reader without motion")
	b.Clean("the first page")
}

// Nothing of the path of a test is cut at the edge of its drawing, whose ends have a sign and two decimals.
func wordsOfAWalkAreNotCut(t *testing.T, b *browsertest.Browser) {
	t.Helper()
	walk := pages.WalkOf("The path", []pages.Stand{{0, 0}, {9999, -7.6}}, -6.91, 6.91)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, `<!doctype html><link rel="icon" href="data:,"><style>body{font-family:system-ui,sans-serif}text{font-size:12px}</style>`+string(walk.SVG))
	}))
	t.Cleanup(server.Close)
	b.Base = server.URL
	b.Open("/")
	var cut []string
	b.Eval(`[...document.querySelectorAll("text")].filter((e) => {
		const b = e.getBBox(), all = e.ownerSVGElement.viewBox.baseVal;
		return b.x < 0 || b.y < 0 || b.x + b.width > all.width || b.y + b.height > all.height;
	}).map((e) => e.textContent)`, &cut)
	if len(cut) > 0 {
		t.Errorf("cut: %q", cut)
	}
}
