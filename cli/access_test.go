package cli_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
)

// pressed is what a browser sees that opens a link, presses its button with more fields, as pairs, and is led on.
func pressed(t *testing.T, link string, fields ...string) string {
	t.Helper()
	at, err := url.Parse(strings.TrimSpace(link))
	must.OK(t, err)
	jar, err := cookiejar.New(nil)
	must.OK(t, err)
	browser := &http.Client{Jar: jar}
	form := url.Values{"code": {at.Query().Get("code")}}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	answer, err := browser.PostForm(at.Scheme+"://"+at.Host+at.Path, form)
	must.OK(t, err)
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	must.OK(t, err)
	return string(body)
}

// What an author does with an account but play: tokens, links to a browser, an export, and its end.
func TestAnAccountIsUsedAndDeletedByCommands(t *testing.T) {
	settingsIn(t)
	db := migrated(t)
	at := serving(t, db)
	told(t, "", "login", at, "--name", "ada")
	opensBrowsers(t, at, db)
	exportsItself(t)
	makesTokens(t, at)
	fails(t, 2, []string{"account", "delete"}, "add --yes ada")
	fails(t, 1, []string{"account", "delete", "--yes", "bob"}, "/name")
	if code, _, errs := call("", "account", "delete", "--yes", "ada"); code != 0 || !strings.Contains(errs, "deleted ada") {
		t.Fatalf("exit code %d, %q; want it deleted", code, errs)
	}
	fails(t, 1, []string{"bot", "list"}, "molerun login")
	told(t, "", "login", at, "--name", "ada") // the name is free again
}

func exportsItself(t *testing.T) {
	t.Helper()
	says(t, told(t, "", "account", "export"), `"name":"ada"`, `{"end":`)
	file := filepath.Join(t.TempDir(), "me.jsonl")
	told(t, "", "account", "export", "--out", file)
	says(t, string(contents(t, file)), `{"end":`)
	fails(t, 2, []string{"account", "export", "--out", file})
}

func makesTokens(t *testing.T, at string) {
	t.Helper()
	text, errs := exits(t, 0, "token", "create", "ci", "--scope", "enter", "--expires", "30d")
	if says(t, errs, "ci may read, enter, and expires 20"); !strings.HasPrefix(text, "mr_") {
		t.Fatalf("create prints %q, want a token", text)
	}
	says(t, told(t, "", "token", "list"), "| ci ", "| read, enter ")
	fails(t, 1, []string{"token", "create", "strong", "--scope", "organise"}, "scope_missing")
	for _, args := range [][]string{{"--scope", ""}, {"--scope="}, {"--bot", ""}, {"--bot=", "--scope", "bot"}} {
		fails(t, 2, append([]string{"token", "create", "empty"}, args...), "is empty")
	}
	told(t, "", "token", "revoke", strings.TrimSpace(text)[3:18])
	if code, _, errs := call(text, "login", at, "--replace"); code != 1 || !strings.Contains(errs, "unauthorized") {
		t.Errorf("a revoked token: exit code %d, %q; want it refused", code, errs)
	}
}

func opensBrowsers(t *testing.T, at, db string) {
	t.Helper()
	says(t, pressed(t, told(t, "", "account", "browse")), "You are logged in as ada.")
	link := told(t, "", "admin", "link", "ADA", "--url", at, "--lasts", "24h", "--database", db)
	says(t, pressed(t, link), "You are logged in as ada.")
	if page := pressed(t, link); strings.Contains(page, "ada") || !strings.Contains(page, "was used") {
		t.Errorf("a link that was used leads to %s", page)
	}
	if out := told(t, "", "admin", "audit", "--json", "--database", db); !strings.Contains(out, `"operation":"admin link"`) || strings.Contains(out, strings.TrimSpace(link)) {
		t.Errorf("audit prints %s", out)
	}
	if _, guess := exits(t, 0, "admin", "link", "ada", "--database", db); !strings.Contains(guess, "it leads to http://127.0.0.1:8080; if browsers") {
		t.Errorf("a link to an address that nobody named: %s", guess)
	}
	for _, at := range []string{"", "foo", "ftp://x", "http://x/", "http://x?x=1", "http://x#x", "http://", "x.example", "//x"} {
		fails(t, 2, []string{"admin", "link", "ada", "--url", at, "--database", db}, "--url")
	}
	for _, args := range [][]string{{"admin", "link", "bob", "--database", db}, {"admin", "link", "ada", "--lasts", "1s", "--database", db}, {"account", "browse", "--lasts", "200h"}} {
		if code, out, _ := call("", args...); code == 0 || out != "" {
			t.Errorf("%v: exit code %d, %q; want it refused", args, code, out)
		}
	}
}

// An organiser prepares an event for a class, changes it, and shares it, by commands alone.
func TestAnOrganiserOpensAnEventForAClassByCommands(t *testing.T) {
	organising(t, "spare")
	told(t, "", "tournament", "create", "molehill", "--name", "Cup", "--starts", "in 3h", "--capacity", "4", "--invite-only", "--file", fileOf(t, "unlisted = true", "entries_per_owner = 3", smallMolehill), "--yes")
	link := told(t, "", "class", "create", "--tournament", "cup", "--accounts", "2", "--note", "4b")
	if page := pressed(t, link, "name", "student"); !strings.Contains(page, "mr_") {
		t.Fatalf("the class link leads to %s", page)
	}
	id := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`).FindString(told(t, "", "class", "list"))
	says(t, pressed(t, told(t, "", "class", "login", id, "Student")), "You are logged in as student.")
	code := strings.TrimSpace(strings.TrimPrefix(told(t, "", "tournament", "invite", "cup", "--lasts", "2h"), "invite code, shown this once: "))
	tells(t, []row{
		{[]string{"class", "show", id}, "1 of 2 accounts made"},
		{[]string{"class", "show", id}, "\n  student, "},
		{[]string{"class", "end", id}, "makes no more accounts"},
		{[]string{"tournament", "list"}, "| Cup"},
		{[]string{"bot", "enter", "one", "cup", "--invite", code}, "one is entered"},
		{[]string{"bot", "enter", "two", "cup", "--invite", code}, "two is entered"},
		{[]string{"tournament", "substitute", "cup", "one", "spare"}, "spare plays for one"},
		{[]string{"tournament", "edit", "cup", "--starts", "in 5h", "--capacity", "8", "--description", "for **4b**"}, "Cup is changed"},
		{[]string{"tournament", "show", "cup"}, "2 of 8 entries\n  one, withdrew"},
		{[]string{"tournament", "organisers", "cup"}, "oda\n"},
		{[]string{"tournament", "organisers", "cup", "--set", ""}, "oda\n"},
	})
	if exit, _, errs := call("", "tournament", "edit", "cup", "--capacity", "1", "--table-size", "9"); exit == 0 || !strings.Contains(errs, "--capacity") || !strings.Contains(errs, "--table-size") {
		t.Errorf("what does not fit: exit code %d, %q; want both places", exit, errs)
	}
	if exit, _, errs := call("", "tournament", "organisers", "cup", "--set", "student"); exit == 0 || !strings.Contains(errs, "\"student\" is no organiser") {
		t.Errorf("a student organises: exit code %d, %q", exit, errs)
	}
}
