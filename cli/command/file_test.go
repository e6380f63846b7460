package command_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/molerun/molerun/cli/command"
)

func TestAFileThatIsThereIsOverwrittenByForceAlone(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.html")
	for _, row := range []struct {
		body  string
		force bool
		kept  string
	}{{"one", false, "one"}, {"two", false, "one"}, {"one", false, "one"}, {"two", true, "two"}, {"", false, "two"}} {
		err := command.WriteNew(name, []byte(row.body), row.force)
		if kept, _ := os.ReadFile(name); string(kept) != row.kept {
			t.Errorf("%q, force %v: the file has %q, want %q", row.body, row.force, kept, row.kept)
		}
		if refused := err != nil; refused != (row.kept != row.body) || refused && !strings.Contains(err.Error(), name+" is there already") {
			t.Errorf("%q, force %v: got %v", row.body, row.force, err)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(name, link); err != nil {
		t.Fatal(err)
	}
	if err := command.WriteNew(link, []byte("three"), false); err == nil {
		t.Error("what a link leads to was overwritten")
	}
	for _, same := range []string{name, link} {
		err := command.WriteNew(same, []byte("three"), true, name)
		if kept, _ := os.ReadFile(name); string(kept) != "two" || !errors.Is(err, command.ErrUsage) {
			t.Errorf("the source took its own product: %q, %v", kept, err)
		}
	}
}
