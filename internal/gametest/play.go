package gametest

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/molerun/molerun/engines/game"
)

// moment is a table between two steps.
type moment struct {
	table  game.Table
	events []game.Event // what led here
	turns  []game.Turn  // what will be played next; none at the end
}

// play plays a match of c, mostly by picks from the offers and now and then by the house, and shows every moment to see.
// It fails when the match does not end within maxSteps, or takes more than its configuration allows.
func play(e game.Engine, c Case, seed game.Seed, maxSteps int, see func(moment) error) error {
	t, events, err := e.New(json.RawMessage(c.Config), c.Seats, seed)
	if err != nil {
		return fmt.Errorf("New: %w", err)
	}
	most, err := e.MaxSteps(json.RawMessage(c.Config), c.Seats)
	if err != nil {
		return fmt.Errorf("MaxSteps: %w", err)
	}
	r := game.Stream(seed, 0, "gametest")
	for {
		turns, err := choose(t, e.Info().Talk, r)
		if err != nil {
			return at(t, err)
		}
		if err := see(moment{t, events, slices.Clone(turns)}); err != nil {
			return at(t, err)
		}
		if len(turns) == 0 {
			return nil
		}
		switch {
		case t.Step() >= maxSteps:
			return at(t, fmt.Errorf("the match has not ended within %d steps", maxSteps))
		case t.Step() >= most:
			return at(t, fmt.Errorf("the match goes on after the %d steps that its configuration allows", most))
		}
		if events, err = t.Apply(turns); err != nil {
			return at(t, fmt.Errorf("Apply of offered actions: %w", err))
		}
	}
}

func at(t game.Table, err error) error { return fmt.Errorf("step %d: %w", t.Step(), err) }

// choose decides for all due seats.
func choose(t game.Table, talk bool, r *game.Rand) ([]game.Turn, error) {
	var turns []game.Turn
	var err error
	for seat := range t.Due().Each() {
		turn := game.Turn{Seat: seat}
		if r.IntN(4) == 0 {
			turn.Action = t.House(seat)
		} else if turn.Action, err = pick(t.Offer(seat), r); err != nil {
			return nil, fmt.Errorf("seat %d: %w", seat, err)
		}
		if talk && r.IntN(8) == 0 {
			turn.Say = "I am seat " + string(rune('0'+seat))
		}
		turns = append(turns, turn)
	}
	return turns, nil
}
