package runner_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// toy is a game of three seats and six steps: everybody at once, then one seat after another, then everybody. An action
// is a number 0..9; 9 is refused. The sum decides. With whisper seat 1 alone is told one thing more at the deal.
type toy struct{ talk, whisper bool }

type toyConfig struct {
	Steps int `json:"steps"`
}
type toyState struct {
	Step, Steps int16
	Sum         [3]int16
	Luck        int16
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
	Step int16    `json:"step"`
	Sum  [3]int16 `json:"sum"`
}

func (r toy) Info() game.Info {
	return game.Info{ID: "toy", Name: "Toy", Version: 1, MinSeats: 3, MaxSeats: 3, Talk: r.talk}
}
func (toy) Defaults() toyConfig { return toyConfig{6} }
func (toy) Validate(c toyConfig, seats int) error {
	if seats != 3 {
		return errors.New("seats: want 3")
	}
	return nil
}

func (r toy) Deal(s *toyState, c toyConfig, _ int, luck *game.Rand, log *game.Log[toyEvent]) {
	*s = toyState{Steps: int16(c.Steps), Luck: int16(luck.IntN(100))}
	log.Emit(game.All, toyEvent{Kind: "deal"})
	if r.whisper {
		log.Emit(game.Only(1), toyEvent{Kind: "whisper"})
	}
}

// Words has none for the deal.
func (e toyEvent) Words() string {
	if e.Kind != "played" {
		return ""
	}
	return fmt.Sprintf("Seat %d {plays} %d.", e.Seat, e.N)
}

func (toy) Due(s *toyState) game.Seats {
	switch {
	case s.Step == s.Steps:
		return 0
	case s.Step%4 == 0:
		return game.FirstSeats(3)
	}
	return game.Only(game.Seat(s.Step%4 - 1))
}
func (toy) View(s *toyState, _ game.Seat) toyView { return toyView{s.Step, s.Sum} }
func (toy) Describe(v toyView) string             { return fmt.Sprintf("after %d steps", v.Step) }
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
func (toy) Apply(s *toyState, acts []game.Act[toyAction], r *game.Rand, log *game.Log[toyEvent]) {
	for _, a := range acts {
		s.Sum[a.Seat] += int16(a.Action.N)
		log.Emit(game.All, toyEvent{"played", int(a.Seat), a.Action.N})
	}
	s.Luck = int16(r.IntN(100))
	s.Step++
}

func (toy) Result(s *toyState) game.Result {
	r := game.Result{Rank: []int{1, 1, 1}, Points: make([]float64, 3), Why: "steps"}
	for i := range 3 {
		r.Points[i] = float64(s.Sum[i])
		for j := range 3 {
			if s.Sum[j] > s.Sum[i] {
				r.Rank[i]++
			}
		}
	}
	return r
}

var words = strings.Repeat("w", game.MaxSayBytes)
