package api_test

import (
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// masks is a game of four rounds for two to four seats. Each seat is dealt a mask that only it may see until the end; the
// mask also decides its team. Whoever finds a mask in an answer has found a leak.
type masks struct{}

// openMasks says that nothing in it is hidden, so that the matches of a block share their deal and with it the masks.
type openMasks struct{ masks }

func (openMasks) Info() game.Info {
	info := masks{}.Info()
	info.ID, info.Name, info.OneDeal = "openmasks", "Open masks", true
	return info
}

type (
	masksConfig struct {
		Rounds int `json:"rounds"`
	}
	masksState struct {
		Round, Rounds, Seats int8
		Mask                 [4]uint64
	}
	masksAction struct {
		Nod bool `json:"nod"`
	}
	masksEvent struct {
		Kind string `json:"kind"`
		Seat int    `json:"seat"`
		Mask string `json:"mask,omitempty"`
	}
	masksView struct {
		Round int8   `json:"round"`
		Mask  string `json:"mask,omitempty"`
	}
)

func maskText(m uint64) string { return fmt.Sprintf("mask-%016x", m) }

func (masks) Info() game.Info {
	return game.Info{
		ID: "masks", Name: "Masks", Version: 1, MinSeats: 2, MaxSeats: 4, Teams: true,
		Variants: []game.Variant{{Name: "base", Config: "{}"}},
	}
}

func (masks) Defaults() masksConfig { return masksConfig{4} }

func (masks) Validate(c masksConfig, seats int) error {
	odd := seats < 2 || seats > 4
	if odd || c.Rounds < 1 || c.Rounds > 100 {
		return fmt.Errorf("rounds: want 1..100, seats 2..4")
	}
	return nil
}

func (masks) Deal(s *masksState, c masksConfig, seats int, r *game.Rand, log *game.Log[masksEvent]) {
	*s = masksState{Rounds: int8(c.Rounds), Seats: int8(seats)}
	log.Emit(game.All, masksEvent{Kind: "deal", Seat: -1})
	for i := range seats {
		for range 16 {
			s.Mask[i] = s.Mask[i]<<4 | uint64(r.IntN(16))
		}
		log.Emit(game.Only(game.Seat(i)), masksEvent{"mask", i, maskText(s.Mask[i])})
	}
}

func (masks) Due(s *masksState) game.Seats {
	if s.Round == s.Rounds {
		return 0
	}
	return game.FirstSeats(int(s.Seats))
}

func (masks) View(s *masksState, seat game.Seat) masksView {
	v := masksView{Round: s.Round}
	if seat != game.Spectator {
		v.Mask = maskText(s.Mask[seat])
	}
	return v
}

func (masks) Describe(v masksView) string {
	return fmt.Sprintf("Round %d. You wear %q.", v.Round, v.Mask)
}

func (masks) Offer(_ *masksState, _ game.Seat, o *game.Offer[masksAction]) {
	o.Add(masksAction{true})
	o.Add(masksAction{false})
}

func (masks) Legal(*masksState, game.Seat, masksAction) error { return nil }

func (masks) MaxSteps(c masksConfig, _ int) (int, string) { return c.Rounds, "rounds" }

func (masks) Sample(_ *masksState, _ game.Seat, r *game.Rand) masksAction {
	return masksAction{r.IntN(2) == 0}
}

func (masks) Apply(s *masksState, acts []game.Act[masksAction], _ *game.Rand, log *game.Log[masksEvent]) {
	for _, a := range acts {
		log.Emit(game.All, masksEvent{Kind: "nodded", Seat: int(a.Seat)})
	}
	if s.Round++; s.Round == s.Rounds {
		for i := range int(s.Seats) {
			log.Emit(game.All, masksEvent{"unmasked", i, maskText(s.Mask[i])})
		}
	}
}

func (masks) Result(s *masksState) game.Result {
	n := int(s.Seats)
	r := game.Result{Rank: make([]int, n), Points: make([]float64, n), Team: make([]string, n), Why: "unmasked"}
	for i := range n {
		r.Rank[i], r.Team[i] = 1+i%2, []string{"even", "odd"}[i%2]
		r.Points[i] = float64(1 - i%2)
	}
	return r
}
