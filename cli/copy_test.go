package cli_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/storetest"
)

// movesToPostgres copies the demo's whole database and wants every ladder's fold, every record and the ladders themselves to
// be the same there; and back, that nothing is lost on either way.
func movesToPostgres(t *testing.T, dir string, told doneLine) {
	t.Helper()
	from, there, back := "sqlite:"+filepath.Join(dir, "molerun.db"), storetest.PostgresURL(t), "sqlite:"+filepath.Join(t.TempDir(), "back.db")
	code, out, errs := call("", "admin", "copy", "--verify", "--from", from, "--to", there)
	played := fmt.Sprintf("ok   matches: %d played again to the same states and result; 0 ", told.Matches)
	if code != 0 || strings.Count(out, "ok   ladder ") != len(told.Ladders) || !strings.Contains(out, played) {
		t.Errorf("copy to Postgres: exit code %d\n%s%swant %d ladders and …%s…", code, out, errs, len(told.Ladders), played)
	}
	if code, out, errs := call("", "admin", "copy", "--from", there, "--to", back); code != 0 || strings.Count(out, "ok   ladder ") != len(told.Ladders) {
		t.Errorf("copy back: exit code %d\n%s%s", code, out, errs)
	}
	_, was, _ := call("", "ratings", "replay", "--database", from)
	for _, url := range []string{there, back} {
		if _, is, _ := call("", "ratings", "replay", "--database", url); was != is || strings.Count(was, "\n") < 20 {
			t.Errorf("the ladders were\n%s\nand are\n%s", was, is)
		}
	}
}
