package organiser

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// What is not found, or not the caller's, is followed by a list that can show it.
func TestWhatIsNotFoundLeadsToAListOfIts(t *testing.T) {
	root := &cobra.Command{Use: "molerun"}
	root.AddCommand(Commands(command.Console{})...)
	for line, want := range map[string]string{
		"tournament show x": "molerun tournament list", "schedule show x": "molerun schedule list", "series show x": "molerun series list",
		"ladder show x": "molerun ladder list", "class show x": "molerun class list", "tournament void x": "molerun tournament export NAME --table matches",
	} {
		cmd, args, err := root.Find(strings.Fields(line))
		must.OK(t, err)
		if got := advice(tournament.ErrNotFound.Error(), cmd, args); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
		if got := advice(tournament.ErrNotYours.Error(), cmd, args); !strings.HasPrefix(got, want) && cmd.Name() != "void" {
			t.Errorf("%s, of others: got %q, want %q", line, got, want)
		}
	}
	for line, want := range map[string]string{
		"tournament start x": "molerun tournament show x", "schedule pause x": "molerun schedule show x", "series edit x": "molerun series show x",
		"tournament withdraw x bot": "molerun tournament show x", "tournament void m": "molerun tournament show NAME",
	} {
		cmd, args, err := root.Find(strings.Fields(line))
		must.OK(t, err)
		if got := advice(tournament.ErrState.Error(), cmd, args); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
	it, _, _ := root.Find([]string{"tournament", "start"})
	if got := advice(tournament.ErrState.Error(), it, []string{"it's on"}); got != `molerun tournament show 'it'\''s on'` {
		t.Errorf("a name that a shell would split: got %s", got)
	}
	create, args, _ := root.Find([]string{"class", "create"})
	if got := advice(tournament.ErrState.Error(), create, args); !strings.HasPrefix(got, "molerun tournament list ") {
		t.Errorf("a class for what is over: got %q, want what is to come", got)
	}
}
