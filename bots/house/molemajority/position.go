package molemajority

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	mm "github.com/molerun/molerun/engines/molemajority"
)

// position is one seat's search at Mole Majority: a table guessed from its view, on which turns are tried out. What the seat
// cannot know is drawn by lot there, and nothing that counts for a decision depends on it.
type position struct {
	seat  game.Seat
	table mm.State
	luck  game.Rand
	act   [1]game.Act[mm.Action]
	offer game.Offer[mm.Action]
	w     weights
}

// readPosition guesses a table from the view.
func readPosition(t *protocol.Turn, rng *rand.Rand) (*position, error) {
	var v mm.View
	config := mm.Rules{}.Defaults()
	if err := search.Read(t, &config, &v); err != nil {
		return nil, err
	}
	x := &position{seat: t.Seat, w: judgement()}
	x.luck.Reset(search.Seed(rng), t.Step, "think", t.Seat)
	if err := (mm.Rules{}).StateFromView(config, len(v.Players), t.Seat, v, &x.table, &x.luck); err != nil {
		return nil, fmt.Errorf("view: %w", err)
	}
	if x.table.Phase == mm.PhaseOver || x.table.Active != t.Seat {
		return nil, fmt.Errorf("%w: seat %d is not due", kit.ErrOffer, t.Seat)
	}
	return x, nil
}

// list returns what may be done on a table; it is overwritten by the next call.
func (x *position) list(s *mm.State) []mm.Action {
	x.offer.List = x.offer.List[:0]
	mm.Rules{}.Offer(s, s.Active, &x.offer)
	return x.offer.List
}

// do plays an action of the active seat.
func (x *position) do(s *mm.State, a mm.Action) {
	x.act[0] = game.Act[mm.Action]{Seat: s.Active, Action: a}
	mm.Rules{}.Apply(s, x.act[:], &x.luck, nil)
}

// answerTurn sends the first action, and the others right after it.
func answerTurn(acts []mm.Action) protocol.Answer {
	out := protocol.Answer{Action: acts[0].AppendJSON(nil)}
	for _, a := range acts[1:min(len(acts), protocol.MaxThen+1)] {
		out.Then = append(out.Then, json.RawMessage(a.AppendJSON(nil)))
	}
	return out
}

// best answers with the action that scores highest.
func (x *position) best(rng *rand.Rand, score func(mm.Action) float64) (protocol.Answer, error) {
	list := x.list(&x.table)
	return search.Answer(list, rng, score, func(k int) protocol.Answer { return answerTurn(list[k : k+1]) })
}

// site returns the worth of a place in set-up. A Home Base wants large neighbours and room between itself and the others; a large
// tile wants to lie near the own base, a small one near another's.
func (x *position) site(a mm.Action) float64 {
	s, sum := &x.table, 0.0
	if a.Kind == mm.ActPlaceHome {
		for m := a.At.Near() & s.Tiles; m != 0; m &= m - 1 {
			sum += float64(s.Size[m.Lowest()])
		}
		for other := range game.Seat(s.Seats) {
			if s.Claimed[other] != 0 {
				sum += 2 * float64(away(s.Claimed[other], a.At))
			}
		}
		return sum
	}
	own, rival := away(s.Claimed[x.seat], a.At), 9
	for other := range game.Seat(s.Seats) {
		if other != x.seat {
			rival = min(rival, away(s.Claimed[other], a.At))
		}
	}
	return (float64(s.Size[a.At]+s.Tile) - 4) * float64(rival-own)
}

// away returns how many steps lie between a set of hexes, not empty, and h.
func away(from mm.Board, h mm.Hex) int {
	steps := 0
	for ; !from.Has(h); steps++ {
		for m := from; m != 0; m &= m - 1 {
			from |= m.Lowest().Near()
		}
	}
	return steps
}
