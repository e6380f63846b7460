package api_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/browsertest"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
)

// A browser that comes late, reloads or loses the connection shows the step that the server names, and never one beyond it.
func TestABroadcastGoesOnInABrowserAsTheServerSays(t *testing.T) {
	t.Parallel()
	storetest.SQLite(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open, nothing)
		cup, list := w.started(func(x *tournament.Tournament) { x.Config = json.RawMessage(`{"rounds":40}`) }, owner, other, rival)
		for _, m := range list {
			w.play(m, 100)
		}
		path := "/tournaments/" + cup.ID + "/broadcast"
		showings := into[wire.Page[wire.Showing]](w.get(anon, "/v1"+path).want(200, "")).Data
		if len(showings) < 2 {
			t.Fatalf("%d showings, want two", len(showings))
		}
		server := httptest.NewServer(w.api)
		t.Cleanup(server.Close)
		b := browsertest.New(t, server.URL)
		b.MovingScreen(1440, 900, "light")

		// The platform's clock goes with the browser's from here on.
		ticking, stop := context.WithCancel(t.Context())
		var ticker sync.WaitGroup
		defer ticker.Wait()
		defer stop()
		w.clk.move(showings[0].StartsAt.Add(5 * time.Second).Sub(w.clk.Now()))
		ticker.Go(func() {
			for last := time.Now(); ticking.Err() == nil; time.Sleep(5 * time.Millisecond) {
				now := time.Now()
				w.clk.move(now.Sub(last))
				last = now
			}
		})

		serverStep := func() int {
			found := regexp.MustCompile(`data-step="(\d+)"`).FindSubmatch(w.get(anon, path).want(200, "").body)
			if found == nil {
				t.Fatal("nothing is shown")
			}
			step, _ := strconv.Atoi(string(found[1]))
			return step
		}
		// follows waits until the page is where the server was, three steps on. It returns where it is then.
		follows := func(who string) int {
			t.Helper()
			at := 0
			for range 3 {
				from := serverStep()
				for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
					b.Eval(`+document.getElementById("at").textContent`, &at)
					now := serverStep()
					if at > now {
						t.Fatalf("%s is at step %d, the server at %d", who, at, now)
					}
					if at >= from && now > from {
						break
					}
					if time.Now().After(end) {
						t.Fatalf("%s stands at step %d, the server is at %d", who, at, now)
					}
				}
			}
			return at
		}
		b.Open(path)
		follows("a late viewer")
		b.Open(path)
		follows("who reloads")
		b.Run(network.EmulateNetworkConditions(true, 0, 0, 0))
		follows("who has lost the connection")
		b.Run(network.EmulateNetworkConditions(false, 0, -1, -1))
		at := follows("who has it again")
		b.Until(`document.getElementById("caption").textContent.trim() !== ""`)
		if at >= showings[0].Steps {
			t.Errorf("the showing was over at step %d of %d, before its end was looked at", at, showings[0].Steps)
		}
		b.Forgive() // of its own, the browser reports what it could not fetch

		w.clk.move(showings[0].EndsAt.Add(-time.Second).Sub(w.clk.Now()))
		b.Open(path)
		b.Until(`document.getElementById("showing").dataset.match === ` + strconv.Quote(showings[1].MatchID))
		follows("who stays for the next match")
		b.Clean("a broadcast")
		b.Run(chromedp.Navigate("about:blank"))
	})
}
