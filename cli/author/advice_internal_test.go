package author

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/organiser"
	"github.com/molerun/molerun/tournament"
)

// What is not found is followed by a list that can show it.
func TestWhatIsNotFoundLeadsToAListOfIts(t *testing.T) {
	root := &cobra.Command{Use: "molerun"}
	root.AddCommand(Commands(command.Console{})...)
	root.AddCommand(organiser.Commands(command.Console{})...)
	for line, want := range map[string]string{
		"bot show x":       "molerun bot list",
		"bot join x chess": "molerun ladder list",
		"bot enter x t":    "molerun tournament list",
		"bot rematch m":    "molerun bot matches BOT",
		"bot promote x 7":  "molerun bot versions BOT",
		"token revoke x":   "molerun token list",
		"account end x":    "molerun account show",
		"card show x":      "molerun card list",
	} {
		cmd, args, err := root.Find(strings.Fields(line))
		if err != nil {
			t.Fatal(err)
		}
		if got := advice(tournament.ErrNotFound.Error(), cmd, args); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
		words := strings.Fields(want)[1:]
		if at, _, err := root.Find(words[:2]); err != nil || at.Name() != words[1] {
			t.Errorf("%s: there is no %s (%v)", line, want, err)
		}
	}
}

// Whoever names no bot is sent to none, nor whoever names something else too: a refusal of account delete, or of a challenge whose opponent
// is paused, says what is in the way.
func TestAStateThatIsNoBotsLeadsToNoBot(t *testing.T) {
	for use, want := range map[string]string{
		"delete": "", "pause BOT": "molerun bot show x", "promote BOT NUMBER": "molerun bot show x",
		"challenge BOT OPPONENT...": "", "enter BOT TOURNAMENT": "", "join BOT LADDER": "",
	} {
		if got := advice(tournament.ErrState.Error(), &cobra.Command{Use: use}, []string{"x", "y"}); got != want {
			t.Errorf("%s: got %q, want %q", use, got, want)
		}
	}
}
