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
	if code, _, _ := call("", "account", "export", "--out", file); code != 2 {
		t.Errorf("a file that is there: exit code %d, want 2", code)
	}
	if code, _, errs := call("", "account", "delete"); code != 2 || !strings.Contains(errs, "add --yes ada") {
		t.Errorf("without a terminal: exit code %d, %q; want 2 and how to", code, errs)
	}
	if code, _, errs := call("", "account", "delete", "--yes", "bob"); code != 1 || !strings.Contains(errs, "/name") {
		t.Errorf("another name: exit code %d, %q; want it refused", code, errs)
	}
	if code, _, errs := call("", "account", "delete", "--yes", "ada"); code != 0 || !strings.Contains(errs, "deleted ada") {
		t.Fatalf("exit code %d, %q; want it deleted", code, errs)
	}
	if code, _, errs := call("", "bot", "list"); code == 0 || !strings.Contains(errs, "molerun login") {
		t.Errorf("after it: exit code %d, %q; want the account forgotten", code, errs)
	}
	told(t, "", "login", url, "--name", "ada") // the name is free again
}
