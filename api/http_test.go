package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func TestHeadersOfEveryKindOfAnswer(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 100)
		got := map[string]map[string]string{}
		for name, a := range map[string]answer{
			"public":   w.get(anon, "/v1/games"),
			"private":  w.get(owner, "/v1/me"),
			"created":  w.do(anon, "POST", "/v1/users", map[string]any{"name": "hh"}),
			"problem":  w.get(anon, "/v1/nowhere"),
			"unsigned": w.get(anon, "/v1/me"),
			"guides":   w.get(anon, "/guides"),
			"replay":   w.get(anon, "/v1/matches/"+list[0].ID+"/replay"),
			"probe":    w.get(anon, "/livez"),
			"rules":    w.get(anon, "/v1/games/masks/rules"),
		} {
			row := map[string]string{}
			for key, v := range a.header {
				row[key] = strings.Join(v, " | ")
			}
			for _, key := range []string{"X-Request-Id", "Etag", "Content-Length", "Ratelimit"} { // differ each time
				if row[key] != "" {
					row[key] = "…"
				}
			}
			if row["Content-Disposition"] != "" {
				row["Content-Disposition"] = strings.Replace(row["Content-Disposition"], list[0].ID, "ID", 1)
			}
			got[name] = row
		}
		b, err := json.MarshalIndent(got, "", "  ")
		must.OK(t, err)
		golden := filepath.Join("testdata", "headers.json")
		if *update {
			must.OK(t, os.MkdirAll("testdata", 0o755))
			must.OK(t, os.WriteFile(golden, append(b, '\n'), 0o644))
		}
		want, err := os.ReadFile(golden)
		must.OK(t, err)
		if string(want) != string(b)+"\n" {
			t.Errorf("got\n%s\nwant\n%s", b, want)
		}
	})
}

func TestOtherMethodsAreRefusedAndRulesAndSchemasServed(t *testing.T) {
	onOne(t, func(w *world) {
		for _, method := range []string{"TRACE", "CONNECT", "PUT", "PATCH", "OPTIONS", "BREW"} {
			for _, path := range []string{"/v1/bots", "/livez"} {
				a := w.do(anon, method, path, nil).want(405, "method_not_allowed")
				if allow := a.header.Get("Allow"); method == "PUT" && !strings.Contains(allow, "GET") {
					t.Errorf("%s: got Allow %q, want GET in it", a.what, allow)
				}
			}
		}
		w.do(anon, "TRACE", "/nowhere", nil).want(405, "method_not_allowed")
		for _, path := range []string{"/nowhere", "/v1", "/v1/", "/v1/bots/", "/V1/bots", "/metrics", "/debug/pprof/", "/v1//bots", "/swagger.json", "/.env"} {
			w.get(anon, path).want(404, "no_such_route")
		}

		if a := w.get(anon, "/v1/games/masks/rules").want(200, ""); string(a.body) != "# Masks\n" {
			t.Errorf("got %q, want the rules", a.body)
		}
		w.get(anon, "/v1/games/toy/rules").want(404, "not_found") // not written down
		w.get(anon, "/v1/protocol/schemas/nonsense").want(404, "not_found")
		var schema map[string]any
		if err := json.Unmarshal(w.get(anon, "/v1/protocol/schemas/turn").want(200, "").body, &schema); err != nil || schema["$schema"] == nil {
			t.Errorf("got %v, %v, want a JSON Schema", schema, err)
		}
	})
}

func TestProbesAndDraining(t *testing.T) {
	onOne(t, func(w *world) {
		w.get(anon, "/readyz").want(200, "")
		if v := into[wire.Version](w.get(anon, "/version").want(200, "")); v.Version != "test" || !strings.HasPrefix(v.Go, "go1.") {
			t.Errorf("got %+v, want what runs", v)
		}
		well := w.get(anon, "/readyz?verbose").want(200, "")
		well.has("checks/#", 4, "checks/0/name", "serving", "checks/1/name", "database", "checks/2/name", "migrations", "checks/3/name", "disk")
		w.get(anon, "/readyz?verbose=1").want(400, "bad_query").place("?verbose")
		w.api.Drain()
		w.get(anon, "/readyz").want(503, "not_ready").has("detail", "serving: the server is stopping")
		must.Say(t, w.log.String(), `"level":"INFO","msg":"request failed"`, "not", `"level":"ERROR"`) // nobody is called for a stop
		_, err := w.store.Raw().ExecContext(t.Context(), "PRAGMA max_page_count = 1")                  // it is as many as there are
		must.OK(t, err)
		cup := goodCup(w)
		cup["description"] = strings.Repeat("a", 4000)
		got := w.do(admin, "POST", "/v1/tournaments", cup)
		for n := 0; got.status == 201 && n < 100; n++ { // until the pages that are there are written
			got = w.do(admin, "POST", "/v1/tournaments", cup)
		}
		got.want(503, "not_ready")
		p := into[wire.Problem](w.get(anon, "/readyz?verbose").want(503, "not_ready"))
		each := regexp.MustCompile(`^serving: the server is stopping \(\d+\.\d ms\); disk: the disk under the database is full \(\d+\.\d ms\); database: ok \(\d+\.\d ms\); migrations: ok \(\d+\.\d ms\)$`)
		if !each.MatchString(p.Detail) {
			t.Errorf("of a server that stops and is full: %q, want each check", p.Detail)
		}
		w.get(anon, "/livez").want(200, "")
		w.get(anon, "/v1/games").want(200, "") // what is under way is still answered
	})
}

func TestMetricsHaveNoIDs(t *testing.T) {
	onOne(t, func(w *world) {
		b := w.bot(owner)
		w.get(owner, "/v1/bots/"+b.ID).want(200, "")
		w.get(anon, "/v1/"+b.ID).want(404, "")
		w.do(anon, "BREW", "/v1/bots", nil).want(405, "")
		server := httptest.NewServer(api.MetricsHandler(w.reg))
		defer server.Close()
		defer server.Client().CloseIdleConnections()
		got, err := server.Client().Get(server.URL + "/metrics")
		must.OK(t, err)
		defer got.Body.Close()
		raw, err := io.ReadAll(got.Body)
		must.OK(t, err)
		text := string(raw)
		must.Say(t, text,
			`molerun_http_request_duration_seconds_count{code="200",method="GET",route="/v1/bots/:id"} 1`,
			`molerun_http_request_duration_seconds_count{code="404",method="GET",route="none"} 1`,
			`molerun_http_request_duration_seconds_count{code="405",method="other",route="none"} 1`,
			`molerun_http_requests_in_flight 0`,
		)
		must.Say(t, text, "not", b.ID)
	})
}

func TestTheServerHasEveryTimeout(t *testing.T) {
	s := api.NewHTTPServer("127.0.0.1:0", http.NotFoundHandler())
	// 5 s, 15 s, 30 s, 60 s and 16 KiB
	same(t, "s.ReadHeaderTimeout", s.ReadHeaderTimeout, 5*time.Second)
	same(t, "s.ReadTimeout", s.ReadTimeout, 15*time.Second)
	same(t, "s.WriteTimeout", s.WriteTimeout, 30*time.Second)
	same(t, "s.IdleTimeout", s.IdleTimeout, time.Minute)
	same(t, "s.MaxHeaderBytes", s.MaxHeaderBytes, 16<<10)
}

func TestAConfigurationMustBeWhole(t *testing.T) {
	if _, err := api.New(api.Config{}); err == nil {
		t.Error("got an API made of nothing")
	}
	onOne(t, func(w *world) {
		reg := prometheus.NewRegistry()
		for name, change := range map[string]func(*api.Config){
			"a limit of zero":    func(c *api.Config) { c.Limits.Default.Count = 0 },
			"too fast":           func(c *api.Config) { c.Limits.Outbound = httpx.Rate{Count: 2, Per: time.Microsecond} },
			"metrics registered": func(c *api.Config) { c.Metrics = w.reg },
		} {
			cfg := w.cfg
			cfg.Metrics = reg
			change(&cfg)
			if _, err := api.New(cfg); err == nil {
				t.Errorf("%s: got an API, want an error", name)
			}
			reg = prometheus.NewRegistry()
		}
	})
}

func TestTrustedProxiesAreBelieved(t *testing.T) {
	onOneWith(t, func(c *api.Config) {
		c.TrustedProxies = httpx.TrustedProxies{netip.MustParsePrefix("192.0.2.0/24")} // where httptest's requests come from
		c.Limits.Register = httpx.Rate{Count: 1, Per: time.Hour}
	}, func(w *world) {
		var got []int
		for i, ip := range []string{"203.0.113.1", "203.0.113.1", "203.0.113.2", "2001:db8::1", "2001:db8::ffff", "2001:db8:0:1::1"} {
			got = append(got, w.do(anon, "POST", "/v1/users", map[string]any{"name": fmt.Sprint("user", i)}, "X-Forwarded-For", ip).status)
		}
		if want := []int{201, 429, 201, 201, 429, 201}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v: an IPv6 /64 is one caller", got, want)
		}
	})
}

// hanging returns the URL of a Postgres that takes connections and never answers.
func hanging(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must.OK(t, err)
	var taken []net.Conn
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			taken = append(taken, c)
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
		for _, c := range taken {
			_ = c.Close()
		}
	})
	return "postgres://mole:mole@" + l.Addr().String() + "/mole?sslmode=disable"
}

// A health check of a database that hangs is answered in time, however often it is asked, and leaves nothing running: the package's
// goroutines are counted at its end.
func TestAHealthCheckOfADatabaseThatHangsIsAnswered(t *testing.T) {
	url := hanging(t) // ends last
	onOneWith(t, func(c *api.Config) { c.Store = storetest.OpenURL(t, url, store.Options{Unasked: true}) }, func(w *world) {
		for range 2 {
			began := time.Now()
			p := into[wire.Problem](w.get(anon, "/readyz").want(503, "not_ready"))
			if took := time.Since(began); took > 8*time.Second {
				t.Errorf("it took %s, want the five seconds of all checks together", took)
			}
			if !strings.HasPrefix(p.Detail, "database: it does not answer") {
				t.Errorf("got %q, want that the database does not answer", p.Detail)
			}
		}
		w.get(anon, "/livez").want(200, "")
	})
}
