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
	fails(t, 1, []string{"token", "create", "strong", "--scope", "organise"}, "scope_missing")
	for _, args := range [][]string{{"--scope", ""}, {"--scope="}, {"--bot", ""}, {"--bot=", "--scope", "bot"}} {
		fails(t, 2, append([]string{"token", "create", "empty"}, args...), "is empty")
	}
	told(t, "", "token", "revoke", strings.TrimSpace(text)[3:18])
	if code, _, errs := call(text, "login", url, "--replace"); code != 1 || !strings.Contains(errs, "unauthorized") {
		t.Errorf("a revoked token: exit code %d, %q; want it refused", code, errs)
	}
}
