package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAnAccountIsExportedAndDeletedByCommands(t *testing.T) {
	settingsIn(t)
	url := serving(t, "sqlite:"+filepath.Join(t.TempDir(), "m.db"))
	told(t, "", "login", url, "--name", "ada")
	all := told(t, "", "account", "export")
	says(t, all, `"name":"ada"`, `{"end":`)
	file := filepath.Join(t.TempDir(), "me.jsonl")
	told(t, "", "account", "export", "--out", file)
	if kept, err := os.ReadFile(file); err != nil || !strings.Contains(string(kept), `{"end":`) {
		t.Errorf("the file has %q (%v), want the export", kept, err)
	}
	fails(t, 2, []string{"account", "export", "--out", file})
	fails(t, 2, []string{"account", "delete"}, "add --yes ada")
	fails(t, 1, []string{"account", "delete", "--yes", "bob"}, "/name")
	if code, _, errs := call("", "account", "delete", "--yes", "ada"); code != 0 || !strings.Contains(errs, "deleted ada") {
		t.Fatalf("exit code %d, %q; want it deleted", code, errs)
	}
	if code, _, errs := call("", "bot", "list"); code == 0 || !strings.Contains(errs, "molerun login") {
		t.Errorf("after it: exit code %d, %q; want the account forgotten", code, errs)
	}
	told(t, "", "login", url, "--name", "ada") // the name is free again
}
