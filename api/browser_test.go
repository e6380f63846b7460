package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store/storetest"
)

// patience bounds a wait on a busy machine.
const patience = 90 * time.Second

// browser is a tab, and what went wrong in it.
type browser struct {
	t    *testing.T
	ctx  context.Context
	base string
	mu   sync.Mutex
	bad  []string
}

// newBrowser starts one Chromium for all tests of a test function.
func newBrowser(t *testing.T, base string) *browser {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.WSURLReadTimeout(patience))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	all, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, done := chromedp.NewContext(all)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // closes the browser and waits for it
		done()
		stop()
	})
	b := &browser{t: t, ctx: ctx, base: base}
	chromedp.ListenTarget(ctx, b.listen)
	if err := chromedp.Run(ctx, network.Enable(), log.Enable(), emulation.SetFocusEmulationEnabled(true)); err != nil {
		t.Fatalf("no browser (make setup installs one): %v", err)
	}
	return b
}

func (b *browser) listen(event any) {
	wrong := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		wrong = e.ExceptionDetails.Error()
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			wrong = fmt.Sprintf("console: %v", e.Args)
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError || e.Entry.Level == log.LevelWarning {
			wrong = "log: " + e.Entry.Text + " " + e.Entry.URL
		}
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, b.base+"/") && !strings.HasPrefix(e.Request.URL, "data:") && !strings.HasPrefix(e.Request.URL, "file:") {
			wrong = "asks another host: " + e.Request.URL
		}
	}
	if wrong != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.bad = append(b.bad, wrong)
	}
}

// clean reports what went wrong since the last time.
func (b *browser) clean(where string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, bad := range b.bad {
		b.t.Errorf("%s: %s", where, bad)
	}
	b.bad = nil
}

func (b *browser) run(actions ...chromedp.Action) {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	if err := chromedp.Run(ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// open opens a page and waits for it.
func (b *browser) open(path string) { b.t.Helper(); b.run(chromedp.Navigate(b.base + path)) }

// until waits for a condition in the page, also over a reload of it: what a page that is not read yet lacks is not there yet.
func (b *browser) until(condition string) {
	b.t.Helper()
	condition = "(() => { try { return " + condition + " } catch { return false } })()"
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	for {
		err := chromedp.Run(ctx, chromedp.Poll(condition, nil, chromedp.WithPollingInterval(50*time.Millisecond), chromedp.WithPollingTimeout(patience)))
		if err == nil {
			return
		}
		if ctx.Err() != nil || !strings.Contains(err.Error(), "-32000") { // the page was left while we looked
			var at string
			_ = chromedp.Run(b.ctx, chromedp.Evaluate(`location.href + " shows " + document.getElementById("viewer")?.dataset.shown + " " + document.querySelector("footer")?.innerText`, &at))
			b.t.Fatalf("waiting for %s: %v; %s", condition, err, at)
		}
	}
}

func (b *browser) eval(script string, out any) { b.t.Helper(); b.run(chromedp.Evaluate(script, out)) }

// source is the page as it is now; it needs no script in the page.
func (b *browser) source() (text string) {
	b.t.Helper()
	b.run(chromedp.ActionFunc(func(ctx context.Context) error {
		root, err := dom.GetDocument().Do(ctx)
		if err == nil {
			text, err = dom.GetOuterHTML().WithBackendNodeID(root.BackendNodeID).Do(ctx)
		}
		return err
	}))
	return text
}

// gallery has a match of every game that is over, and one that runs; a page of every type is filled from it.
type gallery struct {
	*world
	done, live map[string]tournament.Match
	bracket    tournament.Match // the first of an elimination
}

func newGallery(w *world) *gallery {
	g := &gallery{
		world: w,
		done:  map[string]tournament.Match{},
		live:  map[string]tournament.Match{},
	}
	seats := map[string]int{"cia": 3, "demol": 5, "mole": 2, "molehill": 2, "molemajority": 2}
	people := []string{owner, other, rival, organiser, admin}
	for _, e := range catalog.All() {
		id := e.Info().ID
		config := json.RawMessage(nil)
		if id == "mole" {
			for _, v := range e.Info().Variants {
				if v.Name == "short" {
					config = json.RawMessage(v.Config)
				}
			}
		}
		config, err := e.Configure(config, seats[id])
		if err != nil {
			w.t.Fatal(err)
		}
		_, list := w.started(func(t *tournament.Tournament) {
			t.Game, t.Config, t.Table, t.Cycles = id, config, seats[id], 2
			t.Name = "Cup of " + e.Info().Name
		}, people[:seats[id]]...)
		w.playWith(list[0], 1<<20, dicer{})
		w.playWith(list[1], 3, dicer{})
		g.done[id], g.live[id] = list[0], list[1]
		if _, err := w.director.ApplyRatings(w.t.Context(), id); err != nil {
			w.t.Fatal(err)
		}
	}
	_, bracket := w.started(func(t *tournament.Tournament) {
		t.Format, t.Rated, t.Game, t.Config = tournament.SingleElimination, false, "toy", json.RawMessage(`{"steps":5}`)
	}, people[:4]...)
	w.play(bracket[0], 100)
	g.bracket = bracket[0]
	calibrated := judged(w.t)
	calibrated.LadderID = "demol"
	if err := w.store.SaveCalibration(w.t.Context(), calibrated, 0); err != nil {
		w.t.Fatal(err)
	}
	return g
}

func TestThePagesInABrowser(t *testing.T) {
	storetest.SQLite(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open, func(c *api.Config) { c.Engines = append(engines(), catalog.All()...) })
		g := newGallery(w)
		if r, streams := any(w.api).(interface {
			Run(ctx context.Context) error
		}); streams {
			ctx, stop := context.WithCancel(context.Background())
			ended := make(chan error)
			go func() { ended <- r.Run(ctx) }()
			t.Cleanup(func() {
				stop()
				if err := <-ended; err != nil {
					t.Errorf("Run: %v", err)
				}
			})
		}
		planted := plantedPages(t)
		faulty := maps.Clone(planted)
		faulty["/planted/faults"] = []byte(faultyPage)
		server := httptest.NewServer(beside(w.api, faulty))
		t.Cleanup(server.Close) // after the browser, which may hold a stream
		b := newBrowser(t, server.URL)
		g.audits(t, b, planted)
		g.withoutScript(t, b)
		g.replays(t, b)
		g.links(t, b)
		g.follows(t, b)
		g.alone(t, b)
	})
}

// withoutScript goes through a match by its links alone.
func (g *gallery) withoutScript(t *testing.T, b *browser) {
	b.run(emulation.SetScriptExecutionDisabled(true))
	m := g.done["demol"]
	at := "/matches/" + m.ID + "?step=0&seat=1"
	last := 0
	for step := 0; ; step++ {
		b.open(at)
		text := b.source()
		if _, err := fmt.Sscanf(between(text, `<span id="last">`, "<"), "%d", &last); err != nil || !strings.Contains(text, fmt.Sprintf(`<output id="at">%d</output>`, step)) ||
			!strings.Contains(text, fmt.Sprintf("board.svg?seat=1&amp;step=%d", step)) {
			t.Fatalf("%s: want step %d with its drawing as seat 1 sees it: %v", at, step, err)
		}
		if step == last {
			break
		}
		at = strings.ReplaceAll(between(text, `rel="next" href="`, `"`), "&amp;", "&")
		if step == 3 { // the links are right; the rest of the way is as long as the match
			at, step = strings.Replace(at, "step=4", fmt.Sprintf("step=%d", last-1), 1), last-2
		}
	}
	if last < 8 {
		t.Errorf("the match has %d steps: too short to tell", last)
	}
	b.run(emulation.SetScriptExecutionDisabled(false))
	b.clean("without a script")
}

func between(text, from, to string) string {
	_, rest, _ := strings.Cut(text, from)
	found, _, _ := strings.Cut(rest, to)
	return found
}

// alone opens the viewer of a record that is one file, and plays the end of it.
func (g *gallery) alone(t *testing.T, b *browser) {
	for _, id := range []string{"demol", "mole"} {
		m := g.done[id]
		rec, err := replay.Verify(bytes.NewReader(g.get(anon, "/v1/matches/"+m.ID+"/replay").want(200, "").body), catalog.Find)
		if err != nil {
			t.Fatal(err)
		}
		engine, _ := catalog.Find(id)
		page, err := pages.Alone(rec, engine)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "match.html")
		if err := os.WriteFile(file, page, 0o600); err != nil {
			t.Fatal(err)
		}
		last := len(rec.Steps) - 1
		b.run(chromedp.Navigate(fmt.Sprintf("file://%s#step=%d&seat=1", file, last-2)))
		b.until(fmt.Sprintf(`document.getElementById("viewer").dataset.shown === "%d/1"`, last-2))
		b.eval(`document.getElementById("speed").value = "20"; document.getElementById("play").click()`, nil)
		b.until(fmt.Sprintf(`document.getElementById("viewer").dataset.shown === "%d/1" && document.getElementById("drawing").naturalWidth > 0`, last))
		b.clean("the file of " + id)
	}
}

// replays plays the last steps of a match of every game, switches seats, and goes by keys.
func (g *gallery) replays(t *testing.T, b *browser) {
	for id, m := range g.done {
		b.open("/matches/" + m.ID)
		var last int
		b.eval(`+document.getElementById("viewer").dataset.last`, &last)
		b.eval(fmt.Sprintf(`(() => {
			document.getElementById("speed").value = "20";
			const s = document.getElementById("slider"); s.value = %d; s.dispatchEvent(new Event("input"));
		})()`, max(0, last-6)), nil)
		b.until(fmt.Sprintf(`document.getElementById("viewer").dataset.shown === "%d/-1"`, max(0, last-6)))
		b.run(chromedp.Click("#play"))
		b.until(fmt.Sprintf(`document.getElementById("viewer").dataset.shown === "%d/-1" && document.getElementById("play").textContent === "Play"`, last))
		b.eval(`(() => { const v = document.getElementById("view"); v.value = "1"; v.dispatchEvent(new Event("change")); })()`, nil)
		b.until(fmt.Sprintf(`document.getElementById("viewer").dataset.shown === "%d/1" && location.hash === "#step=%d&seat=1"`, last, last))
		var drawn bool
		b.eval(`(() => { const i = document.getElementById("drawing"); return i.naturalWidth > 0 && i.alt.includes("seat 1"); })()`, &drawn)
		if !drawn {
			t.Errorf("%s: there is no drawing of what seat 1 sees", id)
		}
		b.eval(`for (const k of ["ArrowLeft", "ArrowLeft", "ArrowRight"]) document.body.dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true }))`, nil)
		b.until(fmt.Sprintf(`document.getElementById("viewer").dataset.shown === "%d/1"`, last-1))
		b.clean("the replay of " + id)
	}
}

// links opens a link to a step, and sees a coin move.
func (g *gallery) links(t *testing.T, b *browser) {
	b.open("/matches/" + g.done["demol"].ID + "#step=7&seat=2")
	b.until(`document.getElementById("viewer").dataset.shown === "7/2"`)
	b.run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "no-preference"}}))
	b.open("/matches/" + g.done["mole"].ID)
	b.eval(`window.moved = new Set();
		new MutationObserver((all) => { for (const x of all) if (x.target.classList.contains("ghost")) window.moved.add(x.target.getAttribute("transform")); })
			.observe(document.getElementById("board"), { subtree: true, attributes: true, attributeFilter: ["transform"] });
		document.getElementById("speed").value = "5";
		const s = document.getElementById("slider"); s.value = 0; s.dispatchEvent(new Event("input")); document.getElementById("play").click()`, nil)
	b.until(`window.moved.size > 2`)
	b.clean("links")
}

// follows sees a live match grow, and its result when it is over.
func (g *gallery) follows(t *testing.T, b *browser) {
	m := g.live["demol"]
	b.open("/matches/" + m.ID)
	var before int
	b.eval(`+document.getElementById("viewer").dataset.last`, &before)
	if before != 3 {
		t.Errorf("a live match of 3 steps: got %d", before)
	}
	b.eval(`window.stayed = true`, nil)
	g.release(m) // between two workers a match is not running
	b.until(`document.querySelector("[data-part=news] .tag").textContent !== "running"`)
	g.more(m, 4)
	b.until(fmt.Sprintf(`window.stayed && document.getElementById("viewer").dataset.shown === "%d/-1"`, before+4))
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

// dicer chooses any of the first offers; now and then one that is not there, so that the house plays for it.
type dicer struct{ nodder }

func (dicer) Ask(_ context.Context, b runner.Briefing, a runner.Ask) runner.Reply {
	var offer struct{ List, Examples []json.RawMessage }
	if err := json.Unmarshal(a.Offer, &offer); err != nil {
		panic(err)
	}
	n := len(offer.List) + len(offer.Examples)
	k := int(game.Stream(game.Seed{7}, a.Step, "dicer").IntN(n+n/8+1)) + int(b.Seat)
	return runner.Reply{Choose: new(k % (n + n/16 + 1))}
}

// release is a worker that stops in the middle of a match.
func (g *gallery) release(m tournament.Match) {
	g.t.Helper()
	m, err := g.store.Match(g.t.Context(), m.ID)
	if err == nil {
		err = g.director.Release(g.t.Context(), m.ID, m.Epoch)
	}
	if err != nil {
		g.t.Fatal(err)
	}
}

// more plays on where a worker had stopped.
func (g *gallery) more(m tournament.Match, steps int) {
	g.t.Helper()
	m, err := g.store.Match(g.t.Context(), m.ID)
	if err != nil {
		g.t.Fatal(err)
	}
	g.playWith(m, steps, dicer{})
}
