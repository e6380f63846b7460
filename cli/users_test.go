package cli_test

import (
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
)

func TestAnAdministratorLooksAfterUsersByCommands(t *testing.T) {
	settingsIn(t)
	db := migrated(t)
	url := serving(t, db)
	admin := func(args ...string) string {
		return told(t, "", append(append([]string{"admin"}, args...), "--database", db)...)
	}
	first := admin("token", "ada", "--role", "owner")
	second := admin("token", "Ada")
	works := func(token string) bool { code, _, _ := call(token, "login", url, "--replace"); return code == 0 }
	if !works(first) || !works(second) {
		t.Error("a user who exists should have two tokens that work")
	}
	third := admin("token", "ada", "--rotate")
	if works(first) || works(second) {
		t.Error("rotating leaves an old token alive")
	}
	if !works(third) {
		t.Error("the token that was rotated to does not work")
	}
	fails(t, 1, []string{"tournament", "create", "molehill", "--starts", "in 2h", "--yes"}, "molerun admin user promote")
	if out := admin("user", "promote", "ada"); out != "ada is organiser\n" {
		t.Errorf("promote prints %q", out)
	}
	told(t, "", "tournament", "create", "molehill", "--starts", "in 2h", "--yes")
	if out := admin("user", "disable", "ada", "--reason", "spam"); out != "ada is organiser, disabled: spam\n" {
		t.Errorf("disable prints %q", out)
	}
	if works(third) {
		t.Error("a token of a disabled user works")
	}
	says(t, admin("user", "list"), "| ada  | organiser |", "spam")
	if out := admin("audit", "--json"); strings.Count(out, `"operation":"admin token"`) != 3 || strings.Count(out, `"operation":"admin user disable"`) != 1 {
		t.Errorf("audit prints %q, want three tokens and a disabling", out)
	}
	if out := admin("audit", "--json", "--since", "2001-01-01", "--until", "2001-01-02T00:00:00Z"); out != "" {
		t.Errorf("audit of a day of 2001 prints %q, want nothing", out)
	}
	lines := strings.Count(admin("audit", "--json"), "\n")
	code, out, errs := call("", "admin", "audit", "--json", "--limit", "1", "--database", db)
	if code != 0 || strings.Count(out, "\n") != 1 || !strings.Contains(errs, "older lines are left out\nnext: the same with --limit 10") {
		t.Errorf("one line of %d: exit code %d, %q and %q; want to be told of the rest", lines, code, out, errs)
	}
	if out := admin("audit", "--json", "--limit", "1000"); strings.Count(out, "\n") != lines {
		t.Errorf("with a limit above the audit's length it prints %q", out)
	}
	if out := admin("audit", "--user", "01890000-0000-7000-8000-000000000000"); strings.Contains(out, "POST") { // of somebody whose account is gone
		t.Errorf("the audit of an id prints %q", out)
	}
	if out := admin("audit", "--user", "ada"); !strings.Contains(out, "POST /v1/tournaments ") || strings.Contains(out, "admin token") {
		t.Errorf("audit of a user prints %q, want what they did alone", out)
	}
	if out := admin("user", "enable", "ada"); out != "ada is organiser\n" || !works(third) {
		t.Errorf("enable prints %q, want the token to work again", out)
	}
	for _, args := range [][]string{{"promote", "bob"}, {"disable", "bob"}, {"enable", "ada"}} {
		fails(t, 1, append(append([]string{"admin", "user"}, args...), "--database", db))
	}
	if code, _, _ := call("", "admin", "user", "promote", "ada", "--role", "king", "--database", db); code == 0 {
		t.Error("a role that there is not is taken")
	}
}

// With --rotate the token that is printed is the only one: it is printed whatever fails after it was made.
func TestANewTokenIsPrintedWhateverFailsAfterwards(t *testing.T) {
	settingsIn(t)
	url := migrated(t)
	told(t, "", "admin", "token", "ada", "--database", url)
	db, err := sql.Open("sqlite", strings.TrimPrefix(url, "sqlite:"))
	must.OK(t, err)
	_, err = db.ExecContext(t.Context(), "CREATE TRIGGER full BEFORE INSERT ON audit_lines BEGIN SELECT RAISE(FAIL, 'no audit'); END")
	must.OK(t, errors.Join(err, db.Close()))
	for _, args := range [][]string{{"ada", "--rotate"}, {"ada"}, {"bob"}} {
		code, out, errs := call("", append([]string{"admin", "token", "--database", url}, args...)...)
		if code != 1 || !strings.HasPrefix(out, "mr_") || !strings.Contains(errs, "no audit") {
			t.Errorf("%v: exit code %d, %q and %q; want the token and the failure", args, code, out, errs)
		}
	}
}

func TestAdminTokenMakesOnlyUsersThatAreAskedForAndSaysSo(t *testing.T) {
	settingsIn(t)
	db := migrated(t)
	users := func() int {
		return strings.Count(told(t, "", "admin", "user", "list", "--json", "--database", db), "\n")
	}
	token := func(args ...string) (int, string, string) {
		return call("", append([]string{"admin", "token", "--database", db}, args...)...)
	}
	if code, out, errs := token("ada"); code != 0 || !strings.HasPrefix(out, "mr_") || !strings.Contains(errs, "made the user ada, who is organiser") {
		t.Errorf("a new user: exit code %d, %q %q; want a token, and to be told of the user", code, out, errs)
	}
	for _, args := range [][]string{{"adaa", "--rotate"}, {"adaa", "--rotate", "--role", "admin"}} {
		if code, out, errs := token(args...); code != 1 || out != "" || !strings.Contains(errs, `not_found: there is no user "adaa"`) || !strings.Contains(errs, "molerun admin user list") {
			t.Errorf("%v: exit code %d, %q %q; want it not found", args, code, out, errs)
		}
	}
	for _, name := range []string{"a", "eve\n", "\u202eeve", "eve\xff", strings.Repeat("e", 300), "_eve", "eve ada"} {
		if code, out, errs := token("--", name); code != 2 || out != "" || !strings.Contains(errs, "wants 2 to 32 letters") {
			t.Errorf("a user %q: exit code %d, %q %q; want it refused", name, code, out, errs)
		}
	}
	if n := users(); n != 1 {
		t.Errorf("there are %d users, want ada alone", n)
	}
	told(t, "", "admin", "user", "disable", "ada", "--database", db)
	for _, args := range [][]string{{"ada"}, {"ada", "--rotate"}} {
		if code, _, errs := token(args...); code != 0 || !strings.Contains(errs, "ada is disabled") || !strings.Contains(errs, "molerun admin user enable ada") {
			t.Errorf("%v, who is disabled: exit code %d, %q; want to be told", args, code, errs)
		}
	}
}
