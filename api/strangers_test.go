package api_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
)

// browse sends a request as a browser does.
func (w *world) browse(ctx context.Context, path string, head map[string]string) answer {
	w.t.Helper()
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil)
	r.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	for name, value := range head {
		if name == "Host" {
			r.Host = value
		}
		r.Header.Set(name, value)
	}
	rec := httptest.NewRecorder() // the document does not have the pages of errors
	w.api.ServeHTTP(rec, r)
	return answer{t: w.t, what: "GET " + path, status: rec.Code, header: rec.Header(), body: rec.Body.Bytes()}
}

// TestABrowserGetsAPageWhateverFails: also while the database is away, and before a handler has its turn.
func TestABrowserGetsAPageWhateverFails(t *testing.T) {
	onOneWith(t, func(c *api.Config) { c.Limits.Following = httpx.Rate{Count: 4, Per: time.Minute} }, func(w *world) {
		away, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second)) // nothing that is asked of the database answers in time
		defer cancel()
		for _, path := range []string{"/", "/tournaments", "/matches/01930000-0000-7000-8000-000000000000", "/matches/01930000-0000-7000-8000-000000000000/board.svg"} {
			got := w.browse(away, path, nil)
			if got.status != 503 || !strings.HasPrefix(got.header.Get("Content-Type"), "text/html") || !bytes.Contains(got.body, []byte("Not ready")) || !strings.Contains(got.header.Get("Content-Security-Policy"), "style-src") {
				t.Errorf("%s while the database is away: got %d %s %.300s", path, got.status, got.header.Get("Content-Type"), got.body)
			}
		}
		if got := w.browse(away, "/v1/matches/01930000-0000-7000-8000-000000000000", nil); got.status != 503 || got.header.Get("Content-Type") != httpx.ProblemType {
			t.Errorf("the API gives a program that takes HTML too %d %s", got.status, got.header.Get("Content-Type"))
		}
		opens := map[string]string{"Sec-Fetch-Mode": "navigate"} // as a browser says when a person follows a link
		for _, path := range []string{"/v1/matches/01930000-0000-7000-8000-000000000000", "/v1/nowhere", "/readyz"} {
			if got := w.browse(away, path, opens); got.status < 400 || !strings.HasPrefix(got.header.Get("Content-Type"), "text/html") || !bytes.Contains(got.body, []byte("quote the request <code>"+got.header.Get("X-Request-Id"))) {
				t.Errorf("%s: a person who follows a link there gets %d %s %.300s", path, got.status, got.header.Get("Content-Type"), got.body)
			}
		}
		var last answer
		for range 7 {
			last = w.browse(t.Context(), "/", nil)
		}
		if last.status != 429 || last.header.Get("Retry-After") == "" || !bytes.Contains(last.body, []byte("try again in "+last.header.Get("Retry-After")+" s")) {
			t.Errorf("too many: got %d, Retry-After %q, %.400s", last.status, last.header.Get("Retry-After"), last.body)
		}
	})
}

// TestEveryRefusalToHurrySaysHowLongToWait: the seconds of the header stand in the words, whichever limit it is.
func TestEveryRefusalToHurrySaysHowLongToWait(t *testing.T) {
	one := httpx.Rate{Count: 1, Per: time.Hour}
	for name, x := range map[string]struct {
		limit func(*api.Config)
		ask   func(w *world, n int) answer
	}{
		"requests": {func(c *api.Config) { c.Limits.Default = one }, func(w *world, _ int) answer { return w.get(anon, "/v1/games") }},
		"accounts": {func(c *api.Config) { c.Limits.Register = one }, func(w *world, n int) answer {
			return w.do(anon, "POST", "/v1/users", wire.UserCreate{Name: fmt.Sprint("pupil", n)})
		}},
		"wrong tokens": {func(c *api.Config) { c.Limits.FailedAuth = one }, func(w *world, _ int) answer { return w.bearer("Bearer mr_wrong") }},
		"calls to bots": {func(c *api.Config) { c.Limits.Outbound = one }, func(w *world, n int) answer {
			if n > 0 {
				defer w.noBot("fresh")
				return w.do(owner, "POST", "/v1/bots", map[string]any{"name": "fresh", "url": "https://x.example"})
			}
			return w.do(owner, "POST", "/v1/bots/"+w.bot(owner).ID+"/check", nil)
		}},
		"reviews": {func(c *api.Config) { c.Limits.Review = one }, func(w *world, _ int) answer {
			_, list := w.started(func(*tournament.Tournament) {}, owner, other)
			w.play(list[0], 100)
			return w.do(anon, "POST", "/v1/matches/"+list[0].ID+"/review", nil)
		}},
		"cards":         {func(c *api.Config) { c.Limits.Card = one }, func(w *world, _ int) answer { return w.do(owner, "POST", "/v1/cards", w.upload()) }},
		"cards waiting": {func(c *api.Config) { c.Limits.CardsWaiting = 1 }, func(w *world, _ int) answer { return w.do(owner, "POST", "/v1/cards", w.upload()) }},
		"replays": {func(c *api.Config) { c.Limits.Steps = httpx.Rate{Count: 4, Per: time.Hour} }, func(w *world, _ int) answer {
			_, list := w.started(func(*tournament.Tournament) {}, owner, other)
			w.play(list[0], 100)
			return w.get(anon, "/v1/matches/"+list[0].ID+"/replay")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			onOneWith(t, x.limit, func(w *world) {
				var got answer
				for n := range 3 {
					got = x.ask(w, n)
				}
				seconds, err := strconv.Atoi(got.header.Get("Retry-After"))
				if got.status != 429 || err != nil || seconds < 2 || !bytes.Contains(got.body, []byte(fmt.Sprintf("try again in %d s", seconds))) {
					t.Errorf("got %d, Retry-After %q, %s", got.status, got.header.Get("Retry-After"), got.body)
				}
			})
		})
	}
}

// TestWhoAsksBeyondTheEndIsTold: the number is of another past, as before a restore; waiting for it would be for ever.
func TestWhoAsksBeyondTheEndIsTold(t *testing.T) {
	onOne(t, func(w *world) {
		cup, list := w.started(func(c *tournament.Tournament) { c.Cycles = 2 }, owner, other)
		w.play(list[0], 100)
		for _, path := range []string{"/v1/events", "/v1/tournaments/" + cup.ID + "/events", "/v1/matches/" + list[0].ID + "/events", "/v1/matches/" + list[0].ID + "/events?seat=0", "/v1/matches/" + list[1].ID + "/events"} {
			at := func(after int64) answer {
				sep := "?"
				if strings.Contains(path, "?") {
					sep = "&"
				}
				return w.get(anon, fmt.Sprintf("%s%safter=%d", path, sep, after))
			}
			end := into[struct{ Last int64 }](w.get(anon, path).want(200, "")).Last
			at(end).want(200, "")
			at(end+2).want(400, "bad_query") // the stream of a match that is over has one more, its end
			at(1<<52).want(400, "bad_query")
		}
	})
}

// TestLinksNameThePublicAddress: whatever host and scheme a stranger says.
func TestLinksNameThePublicAddress(t *testing.T) {
	const public = "https://cup.example.org"
	paths := func(w *world) []string {
		cup, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 100)
		at := "/matches/" + list[0].ID
		return []string{"/", "/games/masks", "/tournaments/" + cup.ID, at, "/embed" + at, "/oembed?url=" + url.QueryEscape(public+at), "/news.atom", "/calendar.ics", "/robots.txt", "/sitemap.xml"}
	}
	evil := map[string]string{"Host": "evil.example", "X-Forwarded-Proto": "gopher", "X-Forwarded-Host": "evil.example"}
	t.Run("known", func(t *testing.T) {
		onOneWith(t, func(c *api.Config) { c.PublicURL = public }, func(w *world) {
			for _, path := range paths(w) {
				got := w.browse(t.Context(), path, evil)
				if got.status != 200 || bytes.Contains(got.body, []byte("evil.example")) || bytes.Contains(got.body, []byte("gopher")) {
					t.Errorf("%s: got %d, with the stranger's host: %v", path, got.status, bytes.Contains(got.body, []byte("evil.example")))
				}
				if names := strings.HasPrefix(path, "/oembed") || path == "/" || strings.HasSuffix(path, ".atom") || path == "/robots.txt" || path == "/sitemap.xml"; names && !bytes.Contains(got.body, []byte("cup.example.org")) {
					t.Errorf("%s does not name the public address: %.300s", path, got.body)
				}
			}
		})
	})
	t.Run("not known", func(t *testing.T) {
		onOne(t, func(w *world) {
			got := w.browse(t.Context(), "/", map[string]string{"X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example"})
			if !bytes.Contains(got.body, []byte(`"http://example.com/card.png"`)) || bytes.Contains(got.body, []byte("evil.example")) {
				t.Errorf("a stranger is believed: %.600s", got.body)
			}
		})
	})
}

// TestTheCookieOfASeatIsThisHostsAlone: over TLS no other host of the domain can plant or read one.
func TestTheCookieOfASeatIsThisHostsAlone(t *testing.T) {
	for public, want := range map[string]string{"https://cup.example.org": "__Host-molerun_seat", "http://127.0.0.1:8080": "molerun_seat", "": "molerun_seat"} {
		onOneWith(t, func(c *api.Config) { c.Limits.Guests, c.PublicURL = 4, public }, func(w *world) {
			p := &person{w: w}
			p.sitDown()
			same(t, "at "+public+" the cookie is called", p.cookieName, want)
			p.ask("GET", "/seat", nil).want(200, "")
			left := p.ask("POST", "/seat/leave", url.Values{})
			set, err := http.ParseSetCookie(left.header.Get("Set-Cookie"))
			if err != nil || set.Name != want || set.MaxAge >= 0 || set.Secure != strings.HasPrefix(want, "__Host-") {
				t.Errorf("at %q the cookie is taken away as %+v, %v", public, set, err)
			}
		})
	}
}
