package cli_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// settingsIn makes a fresh folder the one for this user's settings, and returns where the account will be.
func settingsIn(t *testing.T) (account string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("HOME", dir)
	t.Setenv("MOLERUN_SECRET", "")
	user, err := os.UserConfigDir()
	must.OK(t, err)
	return filepath.Join(user, "molerun", "account.json")
}

// told runs a command line that must end well, and returns what it prints.
func told(t testing.TB, in string, args ...string) string {
	t.Helper()
	code, out, errs := call(in, args...)
	if code != 0 {
		t.Fatalf("%v: exit code %d\n%s%s", args, code, out, errs)
	}
	return out
}

// An author's path from no account to the ladder, by commands alone.
func TestAnAuthorLogsInRegistersABotAndPlaysByCommands(t *testing.T) {
	file := settingsIn(t)
	db := migrated(t)
	url := serving(t, db)
	first := func(context.Context, *protocol.Turn) (protocol.Answer, error) { return kit.Pick(0), nil }
	bot := bot(t, kit.Bot{Name: "first", Build: "b1", Text: true, Games: map[string]kit.Decide{"molehill": first}}, starterSecret)

	if out := told(t, "", "login", url+"/", "--name", "ada"); out != "ada at "+url+"\n" {
		t.Errorf("login prints %q", out)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the account is kept as %v (%v), want a file that only its owner reads", info, err)
	}
	if rest, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*")); len(rest) != 1 {
		t.Errorf("login leaves %v, want the account alone", rest)
	}
	if out := told(t, "", "bot", "list"); out != "" {
		t.Errorf("no bots are listed as %q", out)
	}
	if out := told(t, "", "bot", "create", "WallWizard", bot.URL+"/", "--secret", starterSecret); !strings.HasPrefix(out, "WallWizard ") || !strings.Contains(out, "plays molehill") || strings.Contains(out, starterSecret) {
		t.Errorf("bot create prints %q, want name, id, games, and not the secret that was given", out)
	}
	if _, out, errs := call("", "bot", "create", "ann", "agent:ann"); !strings.Contains(out, "ann ") || strings.Contains(errs, "environment") ||
		!strings.Contains(errs, "next: molerun token create ann --bot ann, for the agent; "+url+"/skill.md") {
		t.Errorf("bot create of an agent prints %q and %q, want what an agent needs", out, errs)
	}
	cup, _ := announced(t, url, db, "organiser", false)
	closed, code := announced(t, url, db, "host", true)
	tells(t, []row{
		{[]string{"bot", "list"}, "WallWizard | active"},
		{[]string{"bot", "show", "wallwizard"}, "version 1, build \"b1\", plays molehill\nat " + bot.URL + "/"},
		{[]string{"bot", "check", "wallwizard"}, "WallWizard is active"},
		{[]string{"bot", "pause", "wallwizard"}, "WallWizard is paused"},
		{[]string{"bot", "resume", "wallwizard"}, "WallWizard is active"},
		{[]string{"bot", "show", "wallwizard", "--json"}, `"health":{"status":"active"`},
		{[]string{"bot", "versions", "wallwizard", "--json"}, `"text":true`},
		{[]string{"bot", "release", "wallwizard", bot.URL + "/v2", "--note", "second"}, "WallWizard version 2"},
		{[]string{"bot", "promote", "wallwizard", "2"}, "plays as version 2"},
		{[]string{"bot", "release", "wallwizard", bot.URL + "/v3", "--secret", "\ufeff'" + starterSecret + "'\r\n"}, "WallWizard version 3"},
		{[]string{"bot", "versions", "wallwizard"}, "| second"},
		{[]string{"bot", "versions", "wallwizard", "--json"}, `"number":2`},
		{[]string{"bot", "enter", "wallwizard", cup}, "WallWizard is entered"},
		{[]string{"bot", "enter", "wallwizard", closed, "--invite", " \"" + code + "\"\r\n"}, "WallWizard is entered"},
		{[]string{"bot", "withdraw", "wallwizard", cup}, "WallWizard is withdrawn"},
		{[]string{"bot", "join", "wallwizard", "molehill", "--per-hour", "30"}, "at most 30 matches an hour"},
		{[]string{"bot", "leave", "wallwizard", "molehill"}, "has left molehill"},
	})
	if _, _, errs := call("", "bot", "join", "wallwizard", "MoleHill"); !strings.Contains(errs, url+"/ladders/molehill,") {
		t.Errorf("bot join leads to %q, want the page of the ladder", errs)
	}
	hints := func(words, more string) {
		t.Helper()
		if _, _, errs := call("", "bot", "show", "wallwizard"); !strings.Contains(errs, "next: "+words) || strings.Contains(errs, more) {
			t.Errorf("bot show says %q, want …%s…, and not %s", errs, words, more)
		}
	}
	told(t, "", "bot", "pause", "wallwizard")
	hints("molerun bot resume WallWizard", "administrator")
	told(t, "", "bot", "resume", "wallwizard")
	var mine struct{ ID string }
	must.OK(t, json.Unmarshal([]byte(told(t, "", "bot", "show", "wallwizard", "--json")), &struct{ Bot any }{&mine}))
	root := strings.TrimSpace(told(t, "", "admin", "token", "root", "--role", "admin", "--database", db))
	api(t, 200, root, "POST", url+"/v1/bots/"+mine.ID+"/ban", fields{"reason": "a mistake"})
	hints("ask an administrator", "bot resume")
	api(t, 200, root, "POST", url+"/v1/bots/"+mine.ID+"/unban", nil)
	told(t, "", "bot", "check", "wallwizard")
	refused(t, url, bot.URL)
	fails(t, 1, []string{"bot", "join", "wallwizard", "molehill", "--per-hour", "0"}, "/matches_per_hour: 0 is outside 1..600")
	bot.Close()
	if code, out, errs := call("", "bot", "check", "wallwizard"); code != 1 || !strings.Contains(out, "is paused") || !strings.Contains(errs, "next: molerun check") {
		t.Errorf("check of a bot that is gone: exit code %d, %q %q; want 1, paused and what to do", code, out, errs)
	}

	token := contents(t, file)
	_, rest, _ := strings.Cut(string(token), "mr_")
	text, _, _ := strings.Cut("mr_"+rest, `"`)
	told(t, "", "logout")
	if out := told(t, text+"\n", "login", url); out != "ada at "+url+"\n" {
		t.Errorf("login by token prints %q", out)
	}
}

// refused tries what goes wrong for ada, each with the next command.
func refused(t *testing.T, url, bot string) {
	t.Helper()
	for _, row := range []struct {
		name string
		in   string
		args []string
		code int
		part string
		next string
	}{
		{"a second account", "", []string{"login", url, "--name", "bob"}, 1, "ada at " + url + " already", "--replace"},
		{"a name that is taken", "", []string{"login", url, "--name", "Ada", "--replace"}, 1, "name_taken", "choose another name"},
		{"no token of anybody", "mr_nonsense\n", []string{"login", url, "--replace"}, 2, "is not a token", "login --help"},
		{"a token that has ended", anyToken(t) + "\n", []string{"login", url, "--replace"}, 1, "unauthorized", "live token"},
		{"no token", "", []string{"login", url, "--replace"}, 2, "--name", "login --help"},
		{"a token in the open", "", []string{"login", "http://molerun.example.org", "--name", "ada"}, 2, "https://", "login --help"},
		{"no address", "", []string{"login", "ftp://x"}, 2, "not the address", "login --help"},
		{"somebody else's bot", "", []string{"bot", "show", "other"}, 1, "you have no bot", "molerun bot list"},
		{"no bot there", "", []string{"bot", "create", "deaf", bot + "/", "--secret", "whsec_" + strings.Repeat("QUJD", 11) + "1AAA"}, 1, "bot_refused", "molerun check " + bot},
		{"no number", "", []string{"bot", "promote", "wallwizard", "two"}, 2, `"two"`, "promote --help"},
		{"what plays already", "", []string{"bot", "promote", "wallwizard", "2"}, 1, "plays already", "molerun bot show wallwizard"},
		{"no such ladder", "", []string{"bot", "join", "wallwizard", "chess"}, 1, "not_found", "molerun ladder list"},
	} {
		code, out, errs := call(row.in, row.args...)
		if says(t, errs, row.part, "next: ", row.next); code != row.code || out != "" {
			t.Errorf("%s: exit code %d, want %d, and %q, want nothing\n%s", row.name, code, row.code, out, errs)
		}
	}
}

// anyToken returns a token that no platform has made.
func anyToken(t *testing.T) string {
	t.Helper()
	text, _, _, err := tournament.NewToken(rand.Reader)
	must.OK(t, err)
	return text
}

func TestATokenIsReadHoweverItWasKept(t *testing.T) {
	settingsIn(t)
	token, asked := anyToken(t), 0
	platform := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked++; r.Header.Get("Authorization") != "Bearer "+token {
			t.Errorf("the platform got %q", r.Header.Get("Authorization"))
		}
		fmt.Fprint(w, `{"name":"ada"}`)
	}))
	t.Cleanup(platform.Close)
	powershell := "\xff\xfe"
	for _, c := range token + "\r\n" {
		powershell += string(c) + "\x00"
	}
	for name, in := range map[string]string{
		"no line": token, "Windows": token + "\r\n", "a mark": "\ufeff" + token + "\n", "PowerShell": powershell, "quotes": `"` + token + `"` + "\n", "spaces": "  " + token + " \n",
	} {
		if code, _, errs := call(in, "login", platform.URL, "--replace"); code != 0 {
			t.Errorf("%s: exit code %d, %s", name, code, errs)
		}
	}
	met := asked
	for name, in := range map[string]string{
		"cut": token[:40] + "\n", "the wrong file": "-----BEGIN OPENSSH PRIVATE KEY-----\n", "a secret of a bot": "whsec_QUJD\n", "one letter wrong": token[:66] + "?\n",
	} {
		if code, out, errs := call(in, "login", platform.URL, "--replace"); code != 2 || !strings.Contains(errs, "is not a token") || strings.Contains(out+errs, strings.TrimSpace(in)) {
			t.Errorf("%s: exit code %d, %q; want it refused and not repeated", name, code, errs)
		}
	}
	if asked != met {
		t.Error("what is no token was sent")
	}
}

// A name that could not be looked up is not refused as if it named nothing: the command reports the platform's answer, with its own exit code.
func TestAPlatformsRefusalIsNoFaultOfAName(t *testing.T) {
	settingsIn(t)
	answer := func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"name":"ada"}`) }
	platform := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { answer(w, r) }))
	t.Cleanup(platform.Close)
	if code, _, errs := call(anyToken(t), "login", platform.URL); code != 0 {
		t.Fatal(errs)
	}
	for status, code := range map[int]string{401: "unauthorized", 403: "scope_missing", 429: "rate_limited", 503: "not_ready"} {
		answer = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(status)
			fmt.Fprintf(w, `{"status":%d,"code":%q,"detail":"why"}`, status, code)
		}
		for _, args := range [][]string{{"series", "create", "Friday", "--tournament", "Cup"}, {"series", "create", "Friday", "--schedule", "Cup"}} {
			if exit, _, errs := call("", args...); exit != 1 || !strings.Contains(errs, code+": why") || strings.Contains(errs, "--tournament:") || strings.Contains(errs, "--schedule:") {
				t.Errorf("%v, %d: exit code %d, %q", args, status, exit, errs)
			}
		}
	}
}

// announced makes a tournament of Mole Hill that is open for entries, and returns its id and its invite code, if it has one.
func announced(t *testing.T, url, db, name string, inviteOnly bool) (id, code string) {
	t.Helper()
	id, made := announce(t, url, organiser(t, db, name), fields{"name": "Words", "invite_only": inviteOnly, "duplicate": false})
	code, _ = made["invite_code"].(string)
	return id, code
}

func TestATokenGoesToNobodyThatThePlatformPointsAt(t *testing.T) {
	settingsIn(t)
	met := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { met++ }))
	t.Cleanup(other.Close)
	platform := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	t.Cleanup(platform.Close)
	if code, _, errs := call(anyToken(t)+"\n", "login", platform.URL); code != 1 || !strings.Contains(errs, "status 307") || met != 0 {
		t.Errorf("exit code %d, %q, %d calls elsewhere; want 1, status 307, none", code, errs, met)
	}
}

func TestWithoutAnAccountTheCommandsSayHowToGetOne(t *testing.T) {
	file := settingsIn(t)
	for _, args := range [][]string{{"bot", "list"}, {"logout"}} {
		fails(t, 1, args, "next: molerun login URL")
	}
	must.OK(t, os.MkdirAll(filepath.Dir(file), 0o700))
	writes(t, file, "{")
	fails(t, 1, []string{"bot", "list"}, "is damaged\nnext: molerun login")
	fails(t, 1, []string{"login", "http://127.0.0.1:1", "--name", "eve"}, "is damaged")
}
