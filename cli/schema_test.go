package cli_test

import (
	"encoding/json"
	"strings"
	"syscall"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/molerun/molerun/cli"
	"github.com/molerun/molerun/engines/catalog"
)

// Whatever schema lists, it prints as a schema that compiles by itself.
func TestEverySchemaIsPrintedOffline(t *testing.T) {
	list, _ := exits(t, 0, "schema")
	for _, e := range catalog.All() {
		says(t, list, "molerun schema "+e.Info().ID+" action|config|event|offer|view\n")
	}
	says(t, list, "molerun schema protocol answer|end|hello|hello_answer|start|turn\n")
	for line := range strings.Lines(list) {
		words := strings.Fields(line)
		if one, _ := exits(t, 0, "schema", words[2]); one != line {
			t.Errorf("schema %s lists %q, want %q", words[2], one, line)
		}
		for _, name := range strings.Split(words[3], "|") {
			text, _ := exits(t, 0, "schema", words[2], name)
			doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
			if err != nil {
				t.Fatalf("%s %s: %v", words[2], name, err)
			}
			c := jsonschema.NewCompiler()
			if err := c.AddResource("schema:///s", doc); err != nil {
				t.Fatalf("%s %s: %v", words[2], name, err)
			}
			s, err := c.Compile("schema:///s")
			if err != nil || s.Validate(json.Number("7")) == nil {
				t.Errorf("%s %s: %v, want a schema that refuses 7", words[2], name, err)
			}
		}
	}
}

func TestAWrongNameOfASchemaIsAnsweredWithTheNearest(t *testing.T) {
	for _, row := range [][]string{
		{"molehil", "view", `there is no game "molehil"; there are cia, demol, mole, molehill, molemajority, protocol; did you mean molehill?`},
		{"chess", `there is no game "chess"; there are `},
		{"cia", "views", `there is no schema of cia "views"; there are action, config, event, offer, view; did you mean view?`},
		{"protocol", "hallo", "did you mean hello?"},
		{"cia", "view", "more", `"more" is one argument too many`},
	} {
		out, errs := exits(t, 2, append([]string{"schema"}, row[:len(row)-1]...)...)
		if says(t, errs, row[len(row)-1]); out != "" {
			t.Errorf("%v prints %q", row, out)
		}
	}
}

// full refuses every write, as a disk without room does.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// Output that is lost is no success, also of commands that print text without asking whether it arrives.
func TestOutputThatIsLostIsNoSuccess(t *testing.T) {
	for _, args := range [][]string{
		{"schema", "protocol", "turn"}, {"version"}, {"play", "molehill", "random", "random", "--out", t.TempDir()},
		{"sprt", "molehill", "random", "random", "--max", "2", "--out", t.TempDir()}, // it has exit codes of its own
		{"sprt", "molehill", "random", "random", "--max", "2", "--json", "--out", t.TempDir()},
	} {
		var errs strings.Builder
		code := cli.MainContext(t.Context(), args, strings.NewReader(""), full{}, &errs)
		if code != 1 || !strings.Contains(errs.String(), syscall.ENOSPC.Error()) {
			t.Errorf("%v on a full disk: exit code %d, %q; want 1 and why", args, code, errs.String())
		}
	}
}
