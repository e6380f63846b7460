package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/browsertest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/series"
)

// gallery has a match of every game that is over, and one that runs; a page of every type is filled from it.
type gallery struct {
	*world
	done, live map[string]tournament.Match
	bracket    tournament.Match      // the first of an elimination
	open       tournament.Tournament // that takes entries
	league     series.Series
}

// newGallery fills a platform. What chance gives is fixed, so that every run looks at the same matches: one of De Mol, for instance, may end
// before its first mission.
func newGallery(w *world) *gallery {
	usual := w.director
	defer func() { w.director = usual }()
	w.director = director.New(w.store, director.Options{Engines: findGame, Rand: rand.NewChaCha8([32]byte{1})})
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
		must.OK(w.t, err)
		_, list := w.started(func(t *tournament.Tournament) {
			t.Game, t.Config, t.Table, t.Cycles = id, config, seats[id], 2
			t.Name = "Cup of " + e.Info().Name
		}, people[:seats[id]]...)
		w.playWith(list[1], 3, dicer{}) // first: after a match that ends with a fault a bot must be greeted before its next begins
		w.playWith(list[0], 1<<20, dicer{})
		g.done[id], g.live[id] = list[0], list[1]
		_, err = w.director.ApplyRatings(w.t.Context(), id)
		must.OK(w.t, err)
	}
	_, bracket := w.started(func(t *tournament.Tournament) {
		t.Name = "Knockout Cup"
		t.Format, t.Rated, t.Game, t.Config = tournament.SingleElimination, false, "toy", json.RawMessage(`{"steps":5}`)
	}, people[:4]...)
	w.play(bracket[0], 100)
	g.bracket = bracket[0]
	w.review(g.done["demol"], verdicts(g.done["demol"], w.matchOf(g.done["demol"].ID).Steps))
	_, err := w.store.AskReview(w.t.Context(), g.bracket.ID, false, 1)
	must.OK(w.t, err)
	g.open = w.cup(func(t *tournament.Tournament) {
		t.Name, t.Game, t.Rated, t.CheckIn = "Open Cup", "toy", true, 10*time.Minute
		t.Config = json.RawMessage(`{"steps":5}`)
		t.Texts.Prizes = "A **cup**."
	})
	g.league, err = w.store.CreateSeries(w.t.Context(), series.Series{OrganiserID: w.users[organiser].ID, Name: "league", Tournaments: []string{g.bracket.TournamentID, g.open.ID}, By: series.Points})
	must.OK(w.t, err)
	calibrated := judged(w.t)
	calibrated.LadderID = "demol"
	must.OK(w.t, w.store.SaveCalibration(w.t.Context(), calibrated, 0))
	return g
}

// onGallery runs a test on a platform that is full of pages, with its server, and planted pages beside it.
func onGallery(t *testing.T, planted map[string][]byte, test func(g *gallery, b *browsertest.Browser, server *httptest.Server)) {
	t.Helper()
	t.Parallel()
	onSQLite(t, func(c *api.Config) { c.Engines, c.Limits.Guests = append(engines(), catalog.All()...), 2 }, func(w *world) {
		w.clk.Move(time.Since(w.clk.Now())) // pages show times as the browser's clock has them
		g := newGallery(w)
		ctx, stop := context.WithCancel(context.Background())
		var running sync.WaitGroup
		running.Go(func() { w.api.Run(ctx) })
		t.Cleanup(func() {
			stop()
			running.Wait()
		})
		server := httptest.NewServer(beside(w.api, planted))
		t.Cleanup(server.Close) // after the browser, which may hold a stream
		test(g, browsertest.New(t, server.URL), server)
	})
}

// TestLongThePagesInABrowser looks at a page of every type, full and empty, on a phone and on a desk, and asks the first page and that of an
// event what strangers ask.
func TestLongThePagesInABrowser(t *testing.T) {
	planted := plantedPages(t)
	faulty := maps.Clone(planted)
	faulty["/planted/small"] = []byte(smallPage)
	onGallery(t, faulty, func(g *gallery, b *browsertest.Browser, _ *httptest.Server) {
		g.audits(b, planted)
		g.answers(b)
		g.searches(g.t, b)
		g.tries(b)
	})
}

// withoutScript goes through a match by its links alone.
func (g *gallery) withoutScript(t *testing.T, b *browsertest.Browser) {
	b.Scripts(false)
	m := g.done["demol"]
	at := "/matches/" + m.ID + "?step=0&seat=1"
	last := 0
	for step := 0; ; step++ {
		b.Open(at)
		text := b.Source()
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
	b.Scripts(true)
	b.Clean("without a script")
}

func between(text, from, to string) string {
	_, rest, _ := strings.Cut(text, from)
	found, _, _ := strings.Cut(rest, to)
	return found
}

// alone opens the viewer of a record that is one file, and plays the end of it.
func (g *gallery) alone(t *testing.T, b *browsertest.Browser) {
	for _, id := range []string{"demol", "mole"} {
		m := g.done[id]
		rec, err := replay.Verify(bytes.NewReader(g.get(anon, "/v1/matches/"+m.ID+"/replay").want(200, "").body), catalog.Find)
		must.OK(t, err)
		engine, _ := catalog.Find(id)
		page, err := pages.Alone(rec, engine)
		must.OK(t, err)
		file := filepath.Join(t.TempDir(), "match.html")
		must.OK(t, os.WriteFile(file, page, 0o600))
		last := len(rec.Steps) - 1
		b.Run(chromedp.Navigate(fmt.Sprintf("file://%s#step=%d&seat=1", file, last-2)))
		b.Until(fmt.Sprintf(`document.getElementById("viewer").dataset.shown === "%d/1"`, last-2))
		b.Eval(fastest+`document.getElementById("play").click()`, nil)
		b.Until(fmt.Sprintf(`document.getElementById("viewer").dataset.shown === "%d/1" && document.getElementById("drawing").shadowRoot.querySelector("svg") !== null`, last))
		b.Clean("the file of " + id)
	}
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

// more plays on where a worker had stopped.
func (g *gallery) more(m tournament.Match, steps int) {
	g.t.Helper()
	g.playWith(g.matchOf(m.ID), steps, dicer{})
}
