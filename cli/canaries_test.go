package cli_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
)

// withPassword returns the address of a database with a password, which the tests' server does not ask for.
func withPassword(t *testing.T, database, password string) string {
	t.Helper()
	u, err := url.Parse(database)
	must.OK(t, err)
	u.User = url.UserPassword(u.User.Username(), password)
	return u.String()
}

// crawl gets what a platform answers to GET, without a token and with one: the routes of its document that want no id, and the pages
// that lead from one to the other. It returns the answers with their headers, by path.
func crawl(t *testing.T, base, token string) map[string]string {
	t.Helper()
	var document struct {
		Paths map[string]map[string]any
	}
	text := contents(t, "../docs/openapi.json")
	must.OK(t, json.Unmarshal(text, &document))
	next := []string{"/", "/me", "/login", "/v1/nothing", "/v1/bots?limit=x", "/v1/bots?cursor=x", "/v1/bots/x"}
	for path, operations := range document.Paths {
		if operations["get"] != nil && !strings.Contains(path, "{") && !strings.Contains(path, "events") {
			next = append(next, path)
		}
	}
	link := regexp.MustCompile(`href="(/[^"#]*)"`)
	seen, answers := map[string]bool{}, map[string]string{}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for len(next) > 0 && len(seen) < 200 {
		path := next[0]
		next = next[1:]
		if seen[path] {
			continue
		}
		seen[path] = true
		for _, bearer := range []string{"", token} {
			r, err := http.NewRequest(http.MethodGet, base+path, nil)
			must.OK(t, err)
			if bearer != "" {
				r.Header.Set("Authorization", "Bearer "+bearer)
			} else {
				r.Header.Set("Accept", "text/html, */*")
			}
			answer, err := client.Do(r)
			must.OK(t, err)
			body, err := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			answers[path] += answer.Status + "\n" + strings.Join(slices.Concat(slices.Collect(maps.Values(answer.Header))...), "\n") + "\n" + string(body)
			for _, found := range link.FindAllStringSubmatch(string(body), -1) {
				next = append(next, found[1])
			}
		}
	}
	return answers
}

// Both kinds of process run with a canary in every setting and with secrets of users; then no page, answer, metric, line of the log or
// setting in a backup has one.
func TestNoRunningProcessShowsASecret(t *testing.T) {
	binary, database := molerun(t), withPassword(t, storetest.PostgresURL(t), canary+"Database") // before the home is another
	settingsIn(t)
	secretsEverywhere(t, database)
	t.Setenv("MOLERUN_DATABASE_DIRECT", withPassword(t, database, canary+"Direct"))
	x := &topology{t: t}
	common := []string{"MOLERUN_LOG_LEVEL=debug", "MOLERUN_ALLOW_PRIVATE_BOTS=127.0.0.0/8"}
	login := []string{"MOLERUN_OIDC_ISSUER=https://127.0.0.1:1", "MOLERUN_OIDC_CLIENT_ID=molerun", "MOLERUN_PUBLIC_URL=https://molerun.example.org"}
	metrics := []string{clitest.FreeAddress(t), clitest.FreeAddress(t)}
	serve := x.runs(slices.Concat(common, login, []string{"MOLERUN_METRICS=" + metrics[0]}), binary, "serve", "--migrate", "--listen", "127.0.0.1:0", "--workers", "0")
	x.base, x.log = serve.Line(t), serve.Log
	work := x.runs(append(common, "MOLERUN_METRICS="+metrics[1]), binary, "work", "--workers", "2")

	token, bot := author(t, x.base, "ada", fields{"name": "fox", "url": closing(t), "secret": starterSecret})
	api(t, 201, token, "POST", x.base+"/v1/ladders/molehill/entries", fields{"bot_id": bot})
	answers := crawl(t, x.base, token)
	if len(answers) < 40 || !strings.Contains(answers["/v1/bots"], "fox") {
		t.Fatalf("%d answers, want those of 40 routes and pages, with the bot among them", len(answers))
	}
	for _, at := range metrics {
		answer, err := http.Get("http://" + at + "/metrics")
		must.OK(t, err)
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil || !strings.Contains(string(text), "molerun_") {
			t.Fatalf("metrics at %s: %v\n%s", at, err, text)
		}
		answers["metrics at "+at] = string(text)
	}
	backup := filepath.Join(t.TempDir(), "backup.jsonl.gz")
	made := exec.Command(binary, "admin", "backup", backup)
	out, err := made.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	answers["what backup says"] = string(out)
	whole := bytes.Join(unpack(t, backup), []byte("\n")) // with the secrets of users, which a restored platform needs
	for _, p := range []*clitest.Process{serve, work} {
		must.OK(t, p.Process.Signal(syscall.SIGTERM))
		if err := p.Wait(); err != nil {
			t.Errorf("%v ends with %v\n%s", p.Args, err, p.Log)
		}
		answers["the log of "+p.Args[1]] = p.Log.String()
	}
	if bytes.Contains(whole, []byte(canary)) || !bytes.Contains(whole, []byte("fox")) {
		t.Error("a backup has a setting that is secret")
	}
	for what, text := range answers {
		for _, secret := range []string{canary, token, starterSecret} {
			if at := strings.Index(text, secret); at >= 0 {
				t.Errorf("%s has a secret: …%s…", what, text[max(0, at-200):min(len(text), at+60)])
			}
		}
	}
}
