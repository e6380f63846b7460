package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
)

// shaky serves a bot whose luck is the decision's id: as often as one in so many of its turns is answered by what no rule allows, so
// that it is retired from some matches and not from others.
func shaky(t *testing.T, gameID string, oneIn uint64) string {
	t.Helper()
	random, _ := house.Find("random")
	decide := func(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
		h := fnv.New64a()
		_, _ = h.Write([]byte(turn.Decision))
		switch luck := h.Sum64(); luck % (2 * oneIn) {
		case 0:
			return protocol.Answer{Action: json.RawMessage(`{"type":"none"}`)}, nil
		case 1:
			return protocol.Answer{}, errors.New("cannot decide")
		default:
			return random.Decide(luck)(ctx, turn)
		}
	}
	return bot(t, kit.Bot{Name: "shaky", Games: map[string]kit.Decide{gameID: decide}}).URL + "/"
}

// One seed, one series, whatever happens in it: faults, retirements and several matches at once change neither a table nor a line of
// JSON nor a record, but for times and the folder. A test that ends early keeps the records of its own games alone.
func TestSeriesWithFaultsAndRetirementsRepeat(t *testing.T) {
	t.Parallel()
	cia, demol := shaky(t, "cia", 3), shaky(t, "demol", 3)
	for _, row := range []struct {
		name    string
		args    []string
		faults  bool
		retired bool
	}{
		{"play", []string{"play", "cia", cia, "greedy", cia, "--seats", "4", "--games", "8"}, true, true},
		{"sprt", []string{"sprt", "demol", demol, "greedy", "--fill", demol, "--max", "8"}, true, true},
		{"a test that ends early", []string{"sprt", "molehill", "greedy", "random", "--elo1", "300", "--max", "400"}, false, false},
	} {
		series := func(more ...string) (map[string]string, string) {
			dir := t.TempDir()
			code, out, errs := call("", slices.Concat(row.args, []string{"--seed", "4", "--out", dir}, more)...)
			if code == 2 {
				t.Fatalf("%s: %s", row.name, errs)
			}
			return recordsIn(t, dir), strings.ReplaceAll(out+errs, dir, "DIR")
		}
		records, text := series()
		_, lines := series("--json")
		for _, parallel := range []string{"1", "4"} {
			again, said := series("--parallel", parallel)
			if !maps.Equal(again, records) {
				t.Errorf("%s, %s at once: %d records, first %d; or one of them differs", row.name, parallel, len(again), len(records))
			}
			if said != text {
				t.Errorf("%s, %s at once: printed\n%s\nfirst\n%s", row.name, parallel, said, text)
			}
			if _, said := series("--json", "--parallel", parallel); said != lines {
				t.Errorf("%s, %s at once: the JSON is\n%s\nfirst\n%s", row.name, parallel, said, lines)
			}
		}
		all := strings.Join(slices.Collect(maps.Values(records)), "")
		if got := strings.Contains(all, `"why":"illegal_action"`); got != row.faults {
			t.Errorf("%s: faults: %v, want %v: this shows something else", row.name, got, row.faults)
		}
		if got := strings.Contains(all, `"why":"retired"`); got != row.retired {
			t.Errorf("%s: retirements: %v, want %v: this shows something else", row.name, got, row.retired)
		}
	}
}
