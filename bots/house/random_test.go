package house_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/housetest"
	"github.com/molerun/molerun/internal/must"
)

// spreads counts the ways to give n points to k agents.
func spreads(n, k int) int {
	if k == 1 {
		return 1
	}
	ways := 0
	for first := range n + 1 {
		ways += spreads(n-first, k-1)
	}
	return ways
}

// falling returns the number of ways to put k seats behind different ones of n agents.
func falling(n, k int) int {
	if k == 0 {
		return 1
	}
	return n * falling(n-1, k-1)
}

// Every legal action of an offer comes as often as any other, whether the offer lists them or has forms.
func TestRandomDrawsEveryLegalActionAlike(t *testing.T) {
	t.Parallel()
	const eachAction = 12 // expected draws of an action: half of some 900 actions 1.3 times as likely as the others is seen
	rows := []struct {
		name, game, config string
		seats              int
		want               func(offer offerShape) int // how many actions there are; 0 if this is not the offer looked for
	}{
		{"CIA's moves", "cia", `{}`, 7, func(o offerShape) int {
			if o.Forms[0].Fields[0].Name == "steps" {
				return spreads(o.most(), 7)
			}
			return 0
		}},
		{"CIA's dossiers", "cia", `{"dossier":true}`, 4, func(o offerShape) int {
			if o.Forms[0].Fields[0].Name == "owners" {
				return falling(7, 4)
			}
			return 0
		}},
		{"De Mol's teams", "demol", `{"targeting":true}`, 8, func(o offerShape) int {
			total := 0
			for _, form := range o.Forms {
				k := form.Fields[0].Choose
				total += falling(8, k) / falling(k, k)
			}
			return total
		}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			engine, _ := catalog.Find(row.game)
			turn, ways := formed(t, engine, row.config, row.seats, row.want)
			counts := map[string]int{}
			draws := eachAction * ways
			for seed := range draws {
				answer, err := housetest.Find(t, "random").Decide(uint64(seed))(context.Background(), &turn)
				must.OK(t, err)
				var plain any
				must.OK(t, json.Unmarshal(answer.Action, &plain))
				counts[fmt.Sprint(sortedMembers(plain))]++
			}
			if len(counts) != ways {
				t.Fatalf("%d different actions were drawn, want all %d", len(counts), ways)
			}
			chi := 0.0
			for _, n := range counts {
				off := float64(n) - eachAction
				chi += off * off / eachAction
			}
			if p := 1 - (distuv.ChiSquared{K: float64(ways - 1)}).CDF(chi); p < 1e-4 {
				t.Errorf("chi-square %.0f over %d actions, p = %.2g: they are not drawn alike", chi, ways, p)
			}
		})
	}
}

// offerShape is what the test reads of an offer.
type offerShape struct {
	Forms []struct {
		Fields []struct {
			Name   string            `json:"name"`
			Choose int               `json:"choose"`
			OneOf  []json.RawMessage `json:"one_of"`
		} `json:"fields"`
	} `json:"forms"`
}

// most returns the number of points that a form of CIA splits.
func (o offerShape) most() int {
	var steps map[string]int
	if err := json.Unmarshal(o.Forms[0].Fields[0].OneOf[0], &steps); err != nil {
		return 0
	}
	total := 0
	for _, n := range steps {
		total += n
	}
	return total
}

// formed plays on until an offer has forms of which want counts the actions, and checks that each drawn one is legal.
func formed(t *testing.T, engine game.Engine, config string, seats int, want func(offerShape) int) (protocol.Turn, int) {
	t.Helper()
	canonical, err := engine.Configure(json.RawMessage(config), seats)
	must.OK(t, err)
	for seed := range 50 {
		table, _, err := engine.New(canonical, seats, game.Seed{byte(seed)})
		must.OK(t, err)
		for table.Due() != 0 {
			seat := table.Due().Lowest()
			var offer offerShape
			// Forms of other types have other values: they are not the ones looked for.
			if err := json.Unmarshal(table.Offer(seat), &offer); err == nil && len(offer.Forms) > 0 {
				if ways := want(offer); ways > 0 {
					turn := protocol.Turn{
						Game: engine.Info().ID, Config: canonical, Seat: seat, Step: table.Step(), View: table.View(seat), Offer: table.Offer(seat),
						Opponents: make([]protocol.Opponent, seats-1),
					}
					legal(t, table, &turn)
					return turn, ways
				}
			}
			var turns []game.Turn
			for seat := range table.Due().Each() {
				turns = append(turns, game.Turn{Seat: seat, Action: table.House(seat)})
			}
			_, err := table.Apply(turns)
			must.OK(t, err)
		}
	}
	t.Fatal("no such offer came")
	return protocol.Turn{}, 0
}

func legal(t *testing.T, table game.Table, turn *protocol.Turn) {
	t.Helper()
	for seed := range uint64(200) {
		answer, err := housetest.Find(t, "random").Decide(seed)(context.Background(), turn)
		must.OK(t, err)
		if err := table.Check(game.Turn{Seat: turn.Seat, Action: answer.Action}); err != nil {
			t.Fatalf("%s: %v", answer.Action, err)
		}
	}
}

// sortedMembers makes the order of a team's members no difference.
func sortedMembers(action any) any {
	m := action.(map[string]any)
	members, ok := m["members"].([]any)
	if !ok {
		return action
	}
	set := map[string]bool{}
	for _, seat := range members {
		set[strconv.FormatFloat(seat.(float64), 'f', -1, 64)] = true
	}
	m["members"] = set
	return m
}
