package search_test

import (
	"encoding/binary"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

// coins is a game of one decision: the match pays the sum of the actions and hidden luck, the same for each table.
type coins struct{ game.Engine }

func (coins) StateFromView(json.RawMessage, int, game.Seat, json.RawMessage, game.Seed) (game.Table, error) {
	return &table{}, nil
}

type table struct {
	game.Table
	luck float64 // 0 to 1
}

func (t *table) Resample(_ game.Seat, seed game.Seed) game.Table {
	return &table{luck: float64(binary.LittleEndian.Uint64(seed[:])>>11) / (1 << 53)}
}

// played is the tables that each action was played on first.
type played map[string][]float64

func choose(t *testing.T, ideas []protocol.Answer, playouts int) (string, played) {
	t.Helper()
	all := played{}
	v := search.Valuer{
		Ideas: func(*protocol.Turn, *rand.Rand) ([]protocol.Answer, error) { return ideas, nil },
		Play: func(at game.Table, _ game.Seed, _ game.Seat, actions []json.RawMessage) ([]float64, error) {
			sum := at.(*table).luck
			all[string(actions[0])] = append(all[string(actions[0])], sum)
			for _, a := range actions {
				n, err := strconv.ParseFloat(string(a), 64)
				if err != nil {
					return nil, err
				}
				sum += n
			}
			return []float64{sum}, nil
		},
	}
	a, err := search.Choose(coins{}, v, playouts, &protocol.Turn{}, rand.New(rand.NewPCG(1, 2)))
	must.OK(t, err)
	return string(a.Action), all
}

func idea(action string, then ...string) protocol.Answer {
	a := protocol.Answer{Action: json.RawMessage(action)}
	for _, x := range then {
		a.Then = append(a.Then, json.RawMessage(x))
	}
	return a
}

// Luck is a hundred times what the ideas differ by: only on the same tables does the better one show.
func TestTheIdeasMeetTheSameTables(t *testing.T) {
	best, all := choose(t, []protocol.Answer{idea("0.01"), idea("0.02"), idea("0.04"), idea("0.03"), idea("0")}, 60)
	if best != "0.04" {
		t.Errorf("chose %s, want 0.04", best)
	}
	first := all["0.01"]
	if len(first) < 10 || len(all["0.04"]) != len(first) {
		t.Errorf("the first idea met %d tables, the best %d; want the same, 10 or more", len(first), len(all["0.04"]))
	}
	for action, tables := range all {
		if !slices.Equal(tables, first[:len(tables)]) {
			t.Errorf("%s met %v, the first idea %v", action, tables, first)
		}
	}
}

func TestTheBudgetIsKept(t *testing.T) {
	ideas := []protocol.Answer{idea("0"), idea("1"), idea("2"), idea("3"), idea("4"), idea("5"), idea("6"), idea("7")}
	for _, playouts := range []int{1, 2, 8, 16, 100} {
		_, all := choose(t, ideas, playouts)
		n := 0
		for _, tables := range all {
			n += len(tables)
		}
		if n > playouts+len(ideas) || n < min(playouts/2, 2) {
			t.Errorf("%d playouts, want about %d", n, playouts)
		}
	}
}

func TestTheFirstIdeaStaysAmongEquals(t *testing.T) {
	if best, _ := choose(t, []protocol.Answer{idea("1"), idea("1.0"), idea("1.00"), idea("0.5")}, 40); best != "1" {
		t.Errorf("chose %s, want the first of the equals", best)
	}
}

func TestWhatAnIdeaSendsAheadIsPlayed(t *testing.T) {
	if best, _ := choose(t, []protocol.Answer{idea("1"), idea("0.5", "0.6"), idea("0.9")}, 20); best != "0.5" {
		t.Errorf("chose %s, want 0.5 and then 0.6", best)
	}
}

func TestNearTheEndTheBestOfAllActionsIsTaken(t *testing.T) {
	for solved, want := range map[bool]string{true: "0.9", false: "0.4"} {
		v := search.Valuer{
			Ideas: func(*protocol.Turn, *rand.Rand) ([]protocol.Answer, error) {
				return []protocol.Answer{idea("0.3"), idea("0.4")}, nil
			},
			Play: func(_ game.Table, _ game.Seed, _ game.Seat, actions []json.RawMessage) ([]float64, error) {
				n, err := strconv.ParseFloat(string(actions[0]), 64)
				return []float64{n}, err
			},
			Solve: func(_ game.Table, _ game.Seat, action json.RawMessage, _ int) ([]float64, bool, error) {
				n, err := strconv.ParseFloat(string(action), 64)
				return []float64{n}, solved, err
			},
		}
		turn := &protocol.Turn{Offer: json.RawMessage(`{"list":[0.1,0.9,0.4,0.3]}`)}
		a, err := search.Choose(coins{}, v, 20, turn, rand.New(rand.NewPCG(1, 2)))
		must.OK(t, err)
		got := string(a.Action)
		if a.Choose != nil {
			got = []string{"0.1", "0.9", "0.4", "0.3"}[*a.Choose]
		}
		if got != want {
			t.Errorf("solved = %v: chose %s, want %s", solved, got, want)
		}
	}
}
