package game_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

// toy is a game for these tests: each of 2 to 4 seats holds a secret card 1..9 and all name a number at once; naming
// one's own card scores it; after the configured rounds the match is over. Seat 0 alone then picks who is thanked.
type toy struct{ talk bool }

type toyConfig struct {
	Rounds int `json:"rounds"`
}

type toyState struct {
	Seats, Rounds, Round uint8
	Thanking             bool
	Card, Score          [4]uint8
	Luck                 uint64
}

type toyAction struct {
	Name int `json:"name"`
}

type toyView struct {
	Card  int   `json:"card,omitempty"`
	Score []int `json:"score"`
}

type toyEvent struct {
	Kind string    `json:"kind"`
	Seat game.Seat `json:"seat"`
	Card int       `json:"card,omitempty"`
}

func (g toy) Info() game.Info {
	return game.Info{ID: "toy", Name: "Toy", Version: 3, MinSeats: 2, MaxSeats: 4, Talk: g.talk}
}
func (toy) Defaults() toyConfig { return toyConfig{Rounds: 2} }
func (toy) Validate(c toyConfig, seats int) error {
	if seats < 2 || seats > 4 {
		return fmt.Errorf("seats: want 2 to 4, got %d", seats)
	}
	if c.Rounds < 1 || c.Rounds > 9 {
		return fmt.Errorf("rounds: want 1 to 9, got %d", c.Rounds)
	}
	return nil
}

func (toy) Deal(s *toyState, c toyConfig, seats int, r *game.Rand, log *game.Log[toyEvent]) {
	*s = toyState{Seats: uint8(seats), Rounds: uint8(c.Rounds)}
	for seat := range game.Seat(seats) {
		s.Card[seat] = uint8(1 + r.IntN(9))
		log.Emit(game.Only(seat), toyEvent{"card", seat, int(s.Card[seat])})
	}
	log.Emit(game.All, toyEvent{Kind: "begin"})
}

func (toy) Due(s *toyState) game.Seats {
	switch {
	case s.Thanking:
		return game.Only(0)
	case s.Round == s.Rounds:
		return 0
	}
	return game.FirstSeats(int(s.Seats))
}

func (toy) View(s *toyState, seat game.Seat) toyView {
	v := toyView{Score: make([]int, s.Seats)}
	for k := range v.Score {
		v.Score[k] = int(s.Score[k])
	}
	if seat >= 0 {
		v.Card = int(s.Card[seat])
	}
	return v
}

func (toy) Offer(s *toyState, _ game.Seat, o *game.Offer[toyAction]) {
	if s.Thanking {
		low, high := 0, int(s.Seats)-1
		o.Forms = append(o.Forms, game.Form{Type: "thank", Fields: []game.Field{{Name: "name", Min: &low, Max: &high}}})
		o.Examples = append(o.Examples, toyAction{1})
		return
	}
	for n := range 9 {
		o.Add(toyAction{n + 1})
	}
}

func (toy) Legal(s *toyState, _ game.Seat, a toyAction) error {
	low, high := 1, 9
	if s.Thanking {
		low, high = 0, int(s.Seats)-1
	}
	if a.Name < low || a.Name > high {
		return fmt.Errorf("name: want %d to %d, got %d", low, high, a.Name)
	}
	return nil
}

func (toy) MaxSteps(c toyConfig, _ int) (int, string) { return 8 * c.Rounds, "rounds" }

func (toy) Sample(s *toyState, _ game.Seat, r *game.Rand) toyAction {
	if s.Thanking {
		return toyAction{r.IntN(int(s.Seats))}
	}
	return toyAction{1 + r.IntN(9)}
}

func (toy) Apply(s *toyState, acts []game.Act[toyAction], r *game.Rand, log *game.Log[toyEvent]) {
	if s.Thanking {
		s.Thanking = false
		log.Emit(game.All, toyEvent{Kind: "thanks", Seat: game.Seat(acts[0].Action.Name)})
		return
	}
	for _, act := range acts {
		if act.Action.Name == int(s.Card[act.Seat]) {
			s.Score[act.Seat] += s.Card[act.Seat]
		}
		log.Emit(game.All, toyEvent{Kind: "named", Seat: act.Seat})
	}
	s.Round++
	s.Luck = r.Uint64()
	s.Thanking = s.Round == s.Rounds
}

func (toy) Result(s *toyState) game.Result {
	out := game.Result{Why: "rounds"}
	for seat := range s.Seats {
		out.Rank, out.Points = append(out.Rank, 1), append(out.Points, float64(s.Score[seat]))
	}
	return out
}

// Resample redraws the other seats' cards.
func (toy) Resample(s *toyState, seat game.Seat, r *game.Rand) {
	for k := range game.Seat(s.Seats) {
		if k != seat {
			s.Card[k] = uint8(1 + r.IntN(9))
		}
	}
}

// guessing is the toy with the optional abilities.
type guessing struct{ toy }

func (guessing) StateFromView(c toyConfig, seats int, seat game.Seat, v toyView, s *toyState, r *game.Rand) error {
	if v.Card < 0 || v.Card > 9 {
		return errors.New("card: want 1 to 9")
	}
	toy{}.Deal(s, c, seats, r, nil)
	if seat >= 0 {
		s.Card[seat] = uint8(v.Card)
	}
	return nil
}
func (guessing) Draw(v toyView, _ []string) []byte { return fmt.Appendf(nil, "<svg>%d</svg>", v.Card) }
func (guessing) Describe(v toyView) string         { return fmt.Sprintf("card %d", v.Card) }
func (guessing) Schemas() map[string]string        { return map[string]string{"view": "{}"} }

func newToy(t *testing.T, g toy, seats int) game.Table {
	t.Helper()
	table, _, err := game.Wrap(g).New(nil, seats, game.Seed{1})
	must.OK(t, err)
	return table
}

func name(seat game.Seat, n int) game.Turn {
	return game.Turn{Seat: seat, Action: fmt.Appendf(nil, `{"name":%d}`, n)}
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
