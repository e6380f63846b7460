package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
)

// topology is what docker-compose.yml starts, by hand: Postgres, migrate, serve, two times work, Prometheus with deploy's own
// files. Only the names that compose's network would resolve are other.
type topology struct {
	t       *testing.T
	base    string // of the API
	prom    string // of Prometheus
	targets []string
	log     *clitest.Log // of the process that serves
	before  func()       // called when a bot is asked, before it is; nil: nobody
}

// runs starts a program until the test ends.
func (x *topology) runs(env []string, name string, args ...string) *clitest.Process {
	x.t.Helper()
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), env...)
	p := clitest.Start(x.t, c)
	x.t.Cleanup(p.Kill)
	return p
}

func newTopology(t *testing.T) (x *topology, cup string) {
	x = &topology{t: t}
	binary, db := molerun(t), "MOLERUN_DATABASE="+storetest.PostgresURL(t)
	migrate := exec.Command(binary, "migrate")
	migrate.Env = append(os.Environ(), db)
	if out, err := migrate.CombinedOutput(); err != nil {
		t.Fatalf("migrate: %v\n%s", err, out)
	}
	for range 3 {
		x.targets = append(x.targets, clitest.FreeAddress(t))
	}
	env := func(i int) []string {
		return []string{db, "MOLERUN_METRICS=" + x.targets[i], "MOLERUN_ALLOW_PRIVATE_BOTS=127.0.0.0/8", "MOLERUN_LOG_LEVEL=warn"}
	}
	serve := x.runs(env(0), binary, "serve", "--listen", "127.0.0.1:0", "--workers", "0")
	x.base, x.log = serve.Line(t), serve.Log
	x.runs(env(1), binary, "work", "--workers", "2")
	x.runs(env(2), binary, "work", "--workers", "2")
	cup = x.plays(binary, db)
	x.prometheus()
	return x, cup
}

// plays registers two house bots of two owners, lets them play a rated tournament, which makes the ladder, and puts them on
// the ladder permanently.
func (x *topology) plays(binary, db string) (id string) {
	admin := exec.Command(binary, "admin", "token", "org")
	admin.Env = append(os.Environ(), db)
	token, err := admin.Output()
	must.OK(x.t, err)
	oda := strings.TrimSpace(string(token))
	id, _ = announce(x.t, x.base, oda, fields{"cycles": 2, "capacity": 2})
	var owners, bots []string
	for _, name := range []string{"random", "greedy"} {
		url := x.runs([]string{"MOLERUN_SECRET=" + starterSecret}, binary, "house", name, "--listen", "127.0.0.1:0").Line(x.t)
		if x.before != nil {
			url = x.behind(url)
		}
		owner, bot := author(x.t, x.base, "owner-of-"+name, fields{"name": name, "url": url, "secret": starterSecret})
		enter(x.t, x.base, owner, id, bot)
		owners, bots = append(owners, owner), append(bots, bot)
	}
	begin(x.t, x.base, oda, id)
	for i, bot := range bots {
		api(x.t, 201, owners[i], "POST", x.base+"/v1/ladders/molehill/entries", fields{"bot_id": bot, "matches_per_hour": 600})
	}
	return id
}

// behind returns the address of a bot of which before hears.
func (x *topology) behind(bot string) string {
	at, err := url.Parse(bot)
	must.OK(x.t, err)
	to := httputil.NewSingleHostReverseProxy(at)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { x.before(); to.ServeHTTP(w, r) }))
	x.t.Cleanup(s.Close)
	return s.URL
}

// prometheus starts it with deploy's files; scraped every second, at the addresses of this machine.
func (x *topology) prometheus() {
	t := x.t
	dir := t.TempDir()
	config := contents(t, "../deploy/prometheus.yml")
	rules := contents(t, "../deploy/alerts.yml")
	names := regexp.MustCompile(`(?s)    dns_sd_configs:\n      - names: \[serve, work\]\n        type: A\n        port: 9090\n`)
	if !names.Match(config) {
		t.Fatalf("deploy/prometheus.yml does not find serve and work by name:\n%s", config)
	}
	config = names.ReplaceAll(config, []byte("    static_configs:\n      - targets: ['"+strings.Join(x.targets, "', '")+"']\n"))
	config = regexp.MustCompile(`scrape_interval: \w+`).ReplaceAll(config, []byte("scrape_interval: 1s\n  evaluation_interval: 1s"))
	for name, text := range map[string][]byte{"prometheus.yml": config, "alerts.yml": rules} {
		writes(t, filepath.Join(dir, name), text)
	}
	addr := clitest.FreeAddress(t)
	x.prom = "http://" + addr
	x.runs(nil, "prometheus", "--config.file="+filepath.Join(dir, "prometheus.yml"), "--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--web.listen-address="+addr, "--log.level=error")
}

// ask gets data of Prometheus' API.
func (x *topology) ask(path string, into any) error {
	answer, err := http.Get(x.prom + path)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var envelope struct {
		Status, Error string
		Data          json.RawMessage
	}
	if err := json.NewDecoder(answer.Body).Decode(&envelope); err != nil {
		return err
	}
	if envelope.Status != "success" {
		return fmt.Errorf("%s: %s", envelope.Status, envelope.Error)
	}
	return json.Unmarshal(envelope.Data, into)
}

// values returns the numbers that a query returns now, those that are none left out.
func (x *topology) values(query string) (out []string, err error) {
	var data struct {
		Result []struct{ Value [2]any }
	}
	err = x.ask("/api/v1/query?query="+url.QueryEscape(query), &data)
	for _, r := range data.Result {
		if v, ok := r.Value[1].(string); ok && v != "NaN" {
			out = append(out, v)
		}
	}
	return out, err
}

// queries returns what must return data: the dashboard's, and the series that the alerts look at.
func queries(t *testing.T) (list []string) {
	t.Helper()
	text := contents(t, "../deploy/grafana/molerun.json")
	var dashboard struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	must.OK(t, json.Unmarshal(text, &dashboard))
	for _, p := range dashboard.Panels {
		for _, q := range p.Targets {
			list = append(list, q.Expr)
		}
	}
	if len(list) < 25 {
		t.Errorf("%d queries of the dashboard were read", len(list))
	}
	rules := contents(t, "../deploy/alerts.yml")
	for _, expr := range regexp.MustCompile(`(?m)^\s+expr: (.*)$`).FindAllStringSubmatch(string(rules), -1) {
		list = append(list, regexp.MustCompile(`molerun_[a-z_]+`).FindAllString(expr[1], -1)...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// unanswered are queries that have had no data yet.
type unanswered []string

func (u *unanswered) String() string { return "no data for\n" + strings.Join(*u, "\n") }

// rule is an alert as Prometheus tells of it.
type rule struct{ Name, Query, Health, LastError, State string }

func TestTheTopologyOfTheComposeFileIsScrapedAndEveryPanelHasData(t *testing.T) {
	t.Parallel()
	x, cup := newTopology(t)
	waitFor(t, func() bool {
		up, err := x.values(`up{job="molerun"} == 1`)
		return err == nil && len(up) == 3
	}, x.log)
	q := unanswered(queries(t))
	waitFor(t, func() bool {
		status(t, x.base, cup) // somebody watches
		q = slices.DeleteFunc(q, func(query string) bool {
			v, err := x.values(query)
			return err == nil && len(v) > 0
		})
		return len(q) == 0
	}, &q)
	var rules struct {
		Groups []struct{ Rules []rule }
	}
	waitFor(t, func() bool {
		return x.ask("/api/v1/rules", &rules) == nil && !slices.ContainsFunc(rules.Groups[0].Rules, func(r rule) bool { return r.Health == "unknown" })
	}, x.log)
	for _, r := range rules.Groups[0].Rules {
		if _, err := x.values(r.Query); err != nil || r.Health != "ok" || r.State == "firing" {
			t.Errorf("alert %s of a healthy platform: %s, %s %s (%v)", r.Name, r.Health, r.State, r.LastError, err)
		}
	}
	if n := len(rules.Groups[0].Rules); n < 14 {
		t.Errorf("Prometheus has %d alerts", n)
	}
}
