package house_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"hash"
	"maps"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/housetest"
	"github.com/molerun/molerun/internal/must"
)

var update = flag.Bool("update", false, "write the golden file again")

const goldens = "testdata/decisions.json"

// The answers of every house bot in matches of each game and variant, byte for byte; of the searcher in some turns of a match of thinkers. A build that multiplies and adds with one rounding may weigh actions otherwise: it is held
// against itself.
func TestGoldenDecisions(t *testing.T) {
	got := record(t)
	if fuses(1+0x1p-30, -1-0x1p-29) {
		compare(t, got, record(t))
		return
	}
	if *update {
		text, err := json.MarshalIndent(got, "", "\t")
		must.OK(t, err)
		must.OK(t, os.WriteFile(goldens, append(text, '\n'), 0o600))
	}
	text, err := os.ReadFile(goldens)
	if err != nil {
		t.Fatalf("%v (write it with -update)", err)
	}
	want := map[string]string{}
	must.OK(t, json.Unmarshal(text, &want))
	compare(t, got, want)
}

func compare(t *testing.T, got, want map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			t.Errorf("%s: got %q, want %q: it decides otherwise than before; write it with -update if that is meant", name, got[name], want[name])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d matches were played, want %d", len(got), len(want))
	}
}

// fuses reports whether x² + y, whose exact value is 2^-60, is computed with one rounding.
func fuses(x, y float64) bool { return x*x+y != 0 }

// record returns the hashes of all matches by name.
func record(t *testing.T) map[string]string {
	t.Helper()
	var mu sync.Mutex
	got := map[string]string{}
	t.Run("matches", func(t *testing.T) {
		for _, e := range catalog.All() {
			for _, variant := range e.Info().Variants {
				t.Run(e.Info().ID+"/"+variant.Name, func(t *testing.T) {
					t.Parallel()
					list := played(t, e, variant)
					mu.Lock()
					defer mu.Unlock()
					maps.Copy(got, list)
				})
			}
		}
	})
	return got
}

// played returns a match of each bot at the smallest and the largest table of a variant; for the searcher one at the smallest.
func played(t *testing.T, e game.Engine, variant game.Variant) map[string]string {
	t.Helper()
	hashes := map[string]string{}
	info := e.Info()
	for _, n := range slices.Compact([]int{info.MinSeats, info.MaxSeats}) {
		for _, name := range house.Names() {
			if name == "searcher" && n > info.MinSeats { // it takes long
				continue
			}
			h, asked := sha256.New(), 0
			seats := make([]kit.Decide, n)
			for i := range seats {
				decide := housetest.Find(t, name).Decide(7)
				if name == "searcher" {
					decide = housetest.Find(t, "thinker").Decide(7)
				}
				seats[i] = func(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
					if asked++; name == "searcher" && asked%shown[info.ID] == 1 {
						if _, err := answered(ctx, h, house.Searcher(budget).Decide(3), turn); err != nil {
							return protocol.Answer{}, err
						}
					}
					return answered(ctx, h, decide, turn)
				}
			}
			fmt.Fprintf(h, "%+v", housetest.Play(t, e, string(variant.Config), 11, seats))
			hashes[fmt.Sprintf("%s/%s/%d/%s", info.ID, variant.Name, n, name)] = hex.EncodeToString(h.Sum(nil)[:8])
		}
	}
	return hashes
}

// budget is the searcher's, in playouts: enough for several rounds of halving in every game.
const budget = 30

// shown is of how many turns of a match one is shown to the searcher.
var shown = map[string]int{"cia": 20, "demol": 50, "mole": 60, "molehill": 20, "molemajority": 20}

// answered writes a decision into the hash.
func answered(ctx context.Context, h hash.Hash, decide kit.Decide, turn *protocol.Turn) (protocol.Answer, error) {
	a, err := decide(ctx, turn)
	if err != nil {
		return a, err
	}
	text, err := json.Marshal(a)
	fmt.Fprintf(h, "%d %d %s\n", turn.Step, turn.Seat, text)
	return a, err
}
