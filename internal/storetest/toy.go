package storetest

import (
	"errors"
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// The toy games, for 2 to 4 seats: in each step everybody names a number 0..8, and the highest sum wins.
const (
	Toy      = "toy"
	ToyTeams = "toyteams" // says that it has hidden teams
)

// Engines knows the toy games by id.
func Engines(id string) (game.Engine, bool) {
	if id != Toy && id != ToyTeams {
		return nil, false
	}
	return game.Wrap(toy{id}), true
}

type toy struct{ id string }

type toyConfig struct {
	Steps int `json:"steps"`
}

type toyState struct {
	Step, Steps, Seats int8
	Sum                [4]int16
}

type toyAction struct {
	N int `json:"n"`
}

type toyEvent struct {
	Kind string `json:"kind"`
	Seat int    `json:"seat"`
	N    int    `json:"n"`
}

type toyView struct {
	Step int8     `json:"step"`
	Sum  [4]int16 `json:"sum"`
}

func (r toy) Info() game.Info {
	return game.Info{ID: r.id, Name: "Toy", Version: 1, MinSeats: 2, MaxSeats: 4, Teams: r.id == ToyTeams, OneDeal: r.id == Toy}
}

func (toy) Defaults() toyConfig { return toyConfig{5} }

func (toy) Validate(c toyConfig, seats int) error {
	if seats < 2 || seats > 4 || c.Steps < 1 || c.Steps > 100 {
		return fmt.Errorf("seats: want 2..4; steps: want 1..100")
	}
	return nil
}

func (toy) Deal(s *toyState, c toyConfig, seats int, _ *game.Rand, log *game.Log[toyEvent]) {
	*s = toyState{Steps: int8(c.Steps), Seats: int8(seats)}
	log.Emit(game.All, toyEvent{Kind: "deal"})
}

func (toy) Due(s *toyState) game.Seats {
	if s.Step == s.Steps {
		return 0
	}
	return game.FirstSeats(int(s.Seats))
}

func (toy) View(s *toyState, _ game.Seat) toyView { return toyView{s.Step, s.Sum} }

func (toy) Offer(_ *toyState, _ game.Seat, o *game.Offer[toyAction]) {
	for n := range 9 {
		o.Add(toyAction{n})
	}
}

func (toy) Legal(_ *toyState, _ game.Seat, a toyAction) error {
	if a.N < 0 || a.N > 8 {
		return errors.New("n: want 0..8")
	}
	return nil
}

func (toy) MaxSteps(c toyConfig, _ int) (int, string) { return c.Steps, "steps" }

func (toy) Sample(_ *toyState, _ game.Seat, r *game.Rand) toyAction { return toyAction{r.IntN(9)} }

func (toy) Apply(s *toyState, acts []game.Act[toyAction], _ *game.Rand, log *game.Log[toyEvent]) {
	for _, a := range acts {
		s.Sum[a.Seat] += int16(a.Action.N)
		log.Emit(game.All, toyEvent{"played", int(a.Seat), a.Action.N})
	}
	s.Step++
}

func (toy) Result(s *toyState) game.Result {
	n := int(s.Seats)
	r := game.Result{Rank: make([]int, n), Points: make([]float64, n), Why: "steps"}
	for i := range n {
		r.Rank[i], r.Points[i] = 1, float64(s.Sum[i])
		for j := range n {
			if s.Sum[j] > s.Sum[i] {
				r.Rank[i]++
			}
		}
	}
	return r
}
