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
)

// coins is a game of one seat and two steps. An action is a number; the match pays their sum and hidden luck, the same for each table.
type coins struct {
	game.Engine
	*played
}

// played is the tables that each action was played on first.
type played map[string][]float64

func (e coins) StateFromView(json.RawMessage, int, game.Seat, json.RawMessage, game.Seed) (game.Table, error) {
	return &table{played: e.played}, nil
}

type table struct {
	game.Table
	*played
	step int
	luck float64 // 0 to 1
	sum  float64
}

func (t *table) Step() int                      { return t.step }
func (t *table) Seats() int                     { return 1 }
func (t *table) View(game.Seat) json.RawMessage { return json.RawMessage(`{}`) }
func (t *table) Offer(game.Seat) json.RawMessage {
	return json.RawMessage(`{"list":[]}`)
}
func (t *table) Check(game.Turn) error { return nil }

func (t *table) Due() game.Seats {
	if t.step == 2 {
		return 0
	}
	return 1
}

func (t *table) Resample(_ game.Seat, seed game.Seed) game.Table {
	return &table{played: t.played, luck: float64(binary.LittleEndian.Uint64(seed[:])>>11) / (1 << 53)}
}

func (t *table) Repeat(turns []game.Turn) error {
	action := string(turns[0].Action)
	if t.step == 0 {
		(*t.played)[action] = append((*t.played)[action], t.luck)
	}
	n, err := strconv.ParseFloat(action, 64)
	t.sum += n
	t.step++
	return err
}

func (t *table) Result() (game.Result, bool) {
	return game.Result{Points: []float64{t.sum + t.luck}}, true
}

// outlook offers some ideas and assumes 0 from then on.
type outlook []protocol.Answer

func (o outlook) Ideas(*protocol.Turn, *rand.Rand) ([]protocol.Answer, error) { return o, nil }
func (outlook) Assume(*protocol.Turn, *rand.Rand) (protocol.Answer, error) {
	return protocol.Answer{Action: json.RawMessage(`0`)}, nil
}
func (outlook) Likely(t game.Table) float64                 { return 1 }
func (outlook) Judge(*protocol.Turn) (float64, bool, error) { return 0, false, nil }
func (outlook) Reward(r game.Result, _ game.Seat) float64   { return r.Points[0] }

func choose(t *testing.T, o outlook, playouts int) (string, played) {
	t.Helper()
	all := played{}
	a, err := search.Choose(coins{played: &all}, o, playouts, &protocol.Turn{}, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
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
	best, all := choose(t, outlook{idea("0.01"), idea("0.02"), idea("0.04"), idea("0.03"), idea("0")}, 60)
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
	ideas := outlook{idea("0"), idea("1"), idea("2"), idea("3"), idea("4"), idea("5"), idea("6"), idea("7")}
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
	if best, _ := choose(t, outlook{idea("1"), idea("1.0"), idea("1.00"), idea("0.5")}, 40); best != "1" {
		t.Errorf("chose %s, want the first of the equals", best)
	}
}

func TestWhatAnIdeaSendsAheadIsPlayed(t *testing.T) {
	if best, _ := choose(t, outlook{idea("1"), idea("0.5", "0.6"), idea("0.9")}, 20); best != "0.5" {
		t.Errorf("chose %s, want 0.5 and then 0.6", best)
	}
}
