package api_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/internal/browsertest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// Whoever comes late, or comes again, sees the step that everybody sees: none before its time, and no result before the last.
func TestABroadcastShowsEverybodyTheSameStep(t *testing.T) {
	onOne(t, func(w *world) {
		cup, list := w.started(func(*tournament.Tournament) {}, owner, other)
		path := "/tournaments/" + cup.ID + "/broadcast"
		for i, m := range list {
			if body := string(w.get(anon, path).want(200, "").body); strings.Contains(body, m.ID) || strings.Contains(body, `id="showing"`) {
				t.Fatalf("match %d is shown before its round is over", i)
			}
			w.play(m, 100)
		}
		showings := into[wire.Page[wire.Showing]](w.get(anon, "/v1"+path).want(200, "")).Data
		if len(showings) != len(list) {
			t.Fatalf("%d showings of %d matches", len(showings), len(list))
		}
		attribute := func(body, name string) string {
			found := regexp.MustCompile(name + `="([^"]*)"`).FindStringSubmatch(body)
			if found == nil {
				t.Fatalf("no %s in %s", name, body)
			}
			return found[1]
		}
		for i, x := range showings {
			if i > 0 && x.StartsAt.Before(showings[i-1].EndsAt) {
				t.Errorf("showing %d begins before the one before has ended", i)
			}
			lasts, before := x.EndsAt.Sub(x.StartsAt), -1
			for part := range 10 {
				w.clk.Move(x.StartsAt.Add(lasts * time.Duration(part) / 10).Sub(w.clk.Now()))
				body := string(w.get(anon, path).want(200, "").body)
				if again := string(w.get(other, path).want(200, "").body); again != body {
					t.Errorf("showing %d: two people see other pages", i)
				}
				if got := attribute(body, "data-match"); got != x.MatchID {
					t.Errorf("at %d tenths of showing %d match %s is shown, want %s", part, i, got, x.MatchID)
				}
				step, err := strconv.Atoi(attribute(body, "data-step"))
				run := lasts - 8*time.Second // three seconds on the first step, five on the last
				gone := max(0, lasts*time.Duration(part)/10-3*time.Second)
				if want := min(int(gone*time.Duration(x.Steps)/run), x.Steps); err != nil || step != want || step < before {
					t.Errorf("at %d tenths of showing %d step %d of %d is shown, want %d", part, i, step, x.Steps, want)
				}
				before = step
			}
		}
		w.clk.Move(showings[len(showings)-1].EndsAt.Sub(w.clk.Now()))
		must.Say(t, string(w.get(anon, path).want(200, "").body), "All has been shown.")
		never := w.cup(func(*tournament.Tournament) {})
		must.Get(w.director.Cancel(w.t.Context(), never.ID, "rain"))(t)
		must.Say(t, string(w.get(anon, "/tournaments/"+never.ID+"/broadcast").want(200, "").body), "none of its matches is shown")
	})
}

// A browser that comes late, reloads or loses the connection shows the step that the server names, and never one beyond it.
func TestABroadcastGoesOnInABrowserAsTheServerSays(t *testing.T) {
	t.Parallel()
	onSQLite(t, func(c *api.Config) { c.Engines = append(engines(), catalog.All()...) }, func(w *world) {
		engine, _ := catalog.Find("molehill")
		config, err := engine.Configure(nil, 2)
		must.OK(t, err)
		cup, list := w.started(func(x *tournament.Tournament) { x.Game, x.Config, x.Cycles = "molehill", config, 4 }, owner, other)
		for _, m := range list {
			w.play(m, 1<<20)
		}
		path := "/tournaments/" + cup.ID + "/broadcast"
		showings := into[wire.Page[wire.Showing]](w.get(anon, "/v1"+path).want(200, "")).Data
		if len(showings) < 2 {
			t.Fatalf("%d showings, want two", len(showings))
		}
		var fails atomic.Bool
		server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
			if fails.Load() {
				http.Error(out, "the database is away", http.StatusServiceUnavailable)
				return
			}
			w.api.ServeHTTP(out, in)
		}))
		t.Cleanup(server.Close)
		b := browsertest.New(t, server.URL)
		b.MovingScreen(1440, 900, "light")

		// The platform's clock goes with the browser's from here on.
		ticking, stop := context.WithCancel(t.Context())
		var ticker sync.WaitGroup
		defer ticker.Wait()
		defer stop()
		w.clk.Move(showings[0].StartsAt.Add(5 * time.Second).Sub(w.clk.Now()))
		ticker.Go(func() {
			for last := time.Now(); ticking.Err() == nil; time.Sleep(5 * time.Millisecond) {
				now := time.Now()
				w.clk.Move(now.Sub(last))
				last = now
			}
		})

		// place returns how far the showings are at a step of a match, and the end of that match: a slow machine may see the first out.
		place := func(match string, step int) (far, end int) {
			at := slices.IndexFunc(showings, func(s wire.Showing) bool { return s.MatchID == match })
			if at < 0 {
				t.Fatalf("match %q has no showing", match)
			}
			for _, s := range showings[:at] {
				far += s.Steps + 1
			}
			return far + step, far + showings[at].Steps
		}
		serverPlace := func() int {
			found := regexp.MustCompile(`data-match="([^"]+)"[^>]* data-step="(\d+)"`).FindSubmatch(w.get(anon, path).want(200, "").body)
			if found == nil {
				t.Fatal("nothing is shown")
			}
			step, _ := strconv.Atoi(string(found[2]))
			far, _ := place(string(found[1]), step)
			return far
		}
		// follows waits until the page is where the server was, two steps on, or at the end of its match.
		follows := func(viewer string) {
			t.Helper()
			var at struct {
				Match string
				Step  int
			}
			for range 2 {
				from := serverPlace()
				for late := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
					b.Eval(`({match: document.getElementById("showing").dataset.match, step: +document.getElementById("at").textContent})`, &at)
					page, end := place(at.Match, at.Step)
					now := serverPlace()
					if page > now {
						t.Fatalf("%s is at place %d, the server at %d", viewer, page, now)
					}
					if page >= from && now > from || page == end {
						break
					}
					if time.Now().After(late) {
						t.Fatalf("%s stands at place %d, the server is at %d", viewer, page, now)
					}
				}
			}
		}
		b.Open(path)
		follows("a late viewer")
		b.Open(path)
		follows("a viewer after a reload")
		b.Run(network.EmulateNetworkConditions(true, 0, 0, 0))
		follows("a viewer without a connection")
		b.Until(`document.getElementById("board").complete`)
		drawn := 0
		if b.Eval(`document.getElementById("board").naturalWidth`, &drawn); drawn == 0 {
			t.Error("without a connection the board is empty, want the last that was there")
		}
		b.Run(network.EmulateNetworkConditions(false, 0, -1, -1))
		follows("a viewer with a connection again")
		b.Until(`document.getElementById("caption").textContent.trim() !== ""`)
		b.Forgive() // of its own, the browser reports what it could not fetch

		w.clk.Move(showings[0].EndsAt.Add(-time.Second).Sub(w.clk.Now()))
		b.Open(path)
		b.Until(`document.getElementById("showing").dataset.match === ` + strconv.Quote(showings[1].MatchID))
		follows("a viewer who stays for the next match")
		b.Clean("a broadcast")
		w.comesBack(b, &fails)
		b.Run(chromedp.Navigate("about:blank"))
	})
}

// A page that loads itself again waits for a platform that is away or fails: a wall and a broadcast need nobody to come back.
func (w *world) comesBack(b *browsertest.Browser, fails *atomic.Bool) {
	cup, _ := w.started(func(*tournament.Tournament) {}, owner, other)
	offline := func(on bool) { b.Run(network.EmulateNetworkConditions(on, 0, -1, -1)) }
	for path, away := range map[string]func(on bool){"?view=projector": fails.Store, "/broadcast": offline} { // one script for both
		b.Open("/tournaments/" + cup.ID + path)
		b.Eval(`window.old = true`, nil)
		away(true)
		b.Eval(`document.dispatchEvent(new Event("stale"))`, nil) // as after ten seconds
		b.Until(`document.getElementById("freshness")?.textContent.startsWith("No connection")`)
		away(false)
		b.Until(`window.old === undefined && document.querySelector("h1") !== null`)
	}
	b.Forgive()
}
