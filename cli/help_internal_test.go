package cli

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/shlex"
	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/internal/must"
)

// eachCommand calls f with every command but cobra's own, each of a tree of its own: parsing leaves its marks.
func eachCommand(t *testing.T, f func(t *testing.T, cmd *cobra.Command)) {
	t.Helper()
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		t.Run(strings.ReplaceAll(cmd.CommandPath(), " ", "_"), func(t *testing.T) { f(t, cmd) })
		for _, sub := range cmd.Commands() {
			if sub.Name() != "help" && sub.Name() != "completion" {
				walk(sub)
			}
		}
	}
	walk(newRoot(command.Console{Out: io.Discard, Err: io.Discard}))
}

func TestHelpFitsIntoEightyColumns(t *testing.T) {
	eachCommand(t, func(t *testing.T, cmd *cobra.Command) {
		var out bytes.Buffer
		cmd.SetOut(&out)
		must.OK(t, cmd.Help())
		for line := range strings.Lines(out.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > helpWide {
				t.Errorf("%d columns: %s", n, line)
			}
		}
	})
}

func TestExamplesOfHelpAreCommandLinesThatWork(t *testing.T) {
	eachCommand(t, func(t *testing.T, cmd *cobra.Command) {
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			words, err := shlex.Split(line)
			must.OK(t, err)
			if i := slices.IndexFunc(words, func(w string) bool { return w != "" && strings.Trim(w, "|<>&") == "" }); i >= 0 {
				words = words[:i] // what follows is another command, or a file
			}
			if len(words) == 0 || words[0] != "molerun" {
				continue // what stands around it
			}
			got, rest, err := newRoot(command.Console{}).Find(words[1:])
			if err != nil {
				t.Errorf("%s: %v", line, err)
				continue
			}
			if err := got.ParseFlags(rest); err != nil {
				t.Errorf("%s: %v", line, err)
				continue
			}
			if err := got.ValidateArgs(got.Flags().Args()); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	})
}
