package claim_test

import (
	"encoding/json"
	"math"
	"math/bits"
	"strconv"
	"testing"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

// moles returns the chance that each seat of De Mol is a mole, from the JSON of a view alone: every set of moles, times the ways in which
// it can have played the fails that the seat has not seen.
func moles(t *testing.T, view json.RawMessage, seats, count int) []float64 {
	t.Helper()
	var v struct {
		Missions []struct {
			Team  []int `json:"team"`
			Fails *int  `json:"fails"`
		} `json:"missions"`
		Me struct {
			Seat   int            `json:"seat"`
			Role   string         `json:"role"`
			Known  map[int]string `json:"known"`
			Played []struct {
				Mission int  `json:"mission"`
				Success bool `json:"success"`
			} `json:"played"`
		} `json:"me"`
	}
	must.OK(t, json.Unmarshal(view, &v))
	v.Me.Known[v.Me.Seat] = v.Me.Role
	sum, total := make([]float64, seats), 0.0
	for set := range uint(1) << seats {
		ways := 1.0
		for seat, role := range v.Me.Known {
			if (set>>seat&1 == 1) != (role == "mole") {
				ways = 0
			}
		}
		for i, m := range v.Missions {
			if m.Fails == nil {
				continue
			}
			could, fails := 0, *m.Fails
			for _, seat := range m.Team {
				if seat != v.Me.Seat && set>>seat&1 == 1 {
					could++
				}
			}
			for _, card := range v.Me.Played {
				if card.Mission == i+1 && !card.Success {
					fails--
				}
			}
			for k := range fails {
				ways *= float64(could-k) / float64(k+1)
			}
		}
		if bits.OnesCount(set) != count || ways <= 0 {
			continue
		}
		total += ways
		for seat := range seats {
			if set>>seat&1 == 1 {
				sum[seat] += ways
			}
		}
	}
	for seat := range sum {
		sum[seat] /= total
	}
	return sum
}

// The scores of a bot that believes less than the rules tell, and those of the rules alone, by another way of computing them.
func TestAccountsEqualAnotherComputation(t *testing.T) {
	e, _ := catalog.Find("demol")
	for i := range 12 * gametest.Nightly(50) {
		seats := 5 + i%6
		count := []int{2, 2, 3, 3, 3, 4}[seats-5]
		var got, want claim.Account
		gametest.Along(t, e, gametest.Case{Seats: seats, Config: `{"blind_moles":true}`}, gametest.Seed(i), func(table game.Table) {
			for seat := range table.Due().Each() {
				chances := moles(t, table.View(seat), seats, count)
				belief, roles := map[string]map[string]float64{}, table.Teams()
				var own, rules claim.Score
				n := 0.0
				for other, p := range chances {
					if p < 1e-12 || p > 1-1e-12 {
						continue
					}
					n++
					mild := 0.5 + (p-0.5)/2
					belief[strconv.Itoa(other)] = map[string]float64{"mole": mild, "agent": 1 - mild}
					for _, x := range []struct {
						p   float64
						sum *claim.Score
					}{{mild, &own}, {p, &rules}} {
						right := x.p
						if roles[other] != "mole" {
							right = 1 - right
						}
						x.sum.Brier += 2 * (1 - right) * (1 - right)
						x.sum.Log += math.Log(1 / right)
					}
				}
				if n == 0 {
					continue
				}
				raw, err := json.Marshal(belief)
				must.OK(t, err)
				got.Take(table, seat, json.RawMessage(`{"input_tokens":3}`), raw)
				want.Own.Add(claim.Score{Beliefs: 1, Brier: own.Brier / n, Log: own.Log / n})
				want.Rules.Add(claim.Score{Beliefs: 1, Brier: rules.Brier / n, Log: rules.Log / n})
			}
		})
		if got.Own.Beliefs == 0 || got.Own.Beliefs != want.Own.Beliefs || got.Decisions != got.Own.Beliefs {
			t.Fatalf("match %d: %d beliefs scored, %d given, %d usages", i, got.Own.Beliefs, want.Own.Beliefs, got.Decisions)
		}
		for _, x := range [][2]claim.Score{{got.Own, want.Own}, {got.Rules, want.Rules}} {
			if math.Abs(x[0].Brier-x[1].Brier) > 1e-9*x[1].Brier || math.Abs(x[0].Log-x[1].Log) > 1e-9*x[1].Log {
				t.Errorf("match %d: %+v, by another way %+v", i, x[0], x[1])
			}
		}
	}
}
