package cli_test

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli"
)

func TestTheShellIsOfferedWhatAnArgumentMayBe(t *testing.T) {
	const records, folders, none = "jsonl.gz jsonl :8", ":16", ":4"
	for _, row := range []struct {
		typed string
		want  string // words, and what the shell does with them: 4 no files, 8 files that end so, 16 folders
	}{
		{"replay verify |", records},
		{"replay verify a.jsonl.gz |", records},
		{"replay show |", records},
		{"replay fork |", records},
		{"replay page |", records},
		{"replay redrive |", records},
		{"replay redrive a.jsonl.gz |", none},
		{"admin restore |", records},
		{"play |", "cia demol mole molehill molemajority :4"},
		{"play molehill greedy |", "random greedy thinker searcher :4"},
		{"sprt molehill greedy random |", none},
		{"rules |", "cia demol mole molehill molemajority :4"},
		{"house |", "random greedy thinker searcher :4"},
		{"init |", "python javascript typescript go rust java csharp llm :4"},
		{"play molehill --variant |", "base random_flowers :4"},
		{"play --fill |", "random greedy thinker searcher :4"},
		{"play --resume |", folders},
		{"play --out |", folders},
		{"demo --dir |", folders},
		{"tournament create --file |", "toml :8"},
		{"export matches --result |", "win draw loss :4"},
		{"export records |", none},
	} {
		if got := completed(t, strings.Split(row.typed, " ")); got != row.want {
			t.Errorf("%s: got %q, want %q", row.typed, got, row.want)
		}
	}
}

func TestNoCommandIsOfferedFilesThatItDoesNotRead(t *testing.T) {
	leaves(cli.Commands(), nil, func(cmd *cobra.Command, words []string) {
		if cmd.HasSubCommands() || !cmd.Runnable() {
			return
		}
		if got := completed(t, append(words, "|")); strings.HasSuffix(got, ":0") {
			t.Errorf("%s: the shell offers any file", cmd.CommandPath())
		}
	})
}

// completed returns the words that a shell is offered at "|", and its directive.
func completed(t *testing.T, typed []string) string {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir()) // nobody is logged in
	typed[len(typed)-1] = strings.TrimSuffix(typed[len(typed)-1], "|")
	code, out, errs := call("", append([]string{"__complete"}, typed...)...)
	if code != 0 {
		t.Fatalf("%v: exit code %d, %s", typed, code, errs)
	}
	return strings.Join(strings.Fields(out), " ")
}
