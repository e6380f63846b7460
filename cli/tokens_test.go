package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestATokenIsMadeListedAndRevokedByCommands(t *testing.T) {
	settingsIn(t)
	url := serving(t, "sqlite:"+filepath.Join(t.TempDir(), "m.db"))
	told(t, "", "login", url, "--name", "ada")
	code, text, errs := call("", "token", "create", "ci", "--scope", "enter", "--expires", "30d")
	if code != 0 || !strings.HasPrefix(text, "mr_") || !strings.Contains(errs, "ci may read, enter, and expires 20") {
		t.Fatalf("create: exit code %d, %q, %q; want a token and what it may", code, text, errs)
	}
	says(t, told(t, "", "token", "list"), "| ci ", "| read, enter ")
	if code, _, errs := call("", "token", "create", "strong", "--scope", "organise"); code != 1 || !strings.Contains(errs, "scope_missing") {
		t.Errorf("a token that may more: exit code %d, %q; want it refused", code, errs)
	}
	for _, args := range [][]string{{"--scope", ""}, {"--scope="}, {"--bot", ""}, {"--bot=", "--scope", "bot"}} {
		if code, out, errs := call("", append([]string{"token", "create", "empty"}, args...)...); code != 2 || out != "" || !strings.Contains(errs, "is empty") {
			t.Errorf("%q: exit code %d, %q %q; want it refused, not a token for everything", args, code, out, errs)
		}
	}
	told(t, "", "token", "revoke", strings.TrimSpace(text)[3:18])
	if code, _, errs := call(text, "login", url, "--replace"); code != 1 || !strings.Contains(errs, "unauthorized") {
		t.Errorf("a revoked token: exit code %d, %q; want it refused", code, errs)
	}
}
