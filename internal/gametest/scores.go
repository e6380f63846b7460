package gametest

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// twinEvery is how many steps lie between two looks at a twin's score: twins are dear.
const twinEvery = 16

// scores holds a game that says how a match stands to it: sides that stay, the same score for twins that a seat cannot distinguish,
// at the end the result's points and order, and words for the end.
func (s *suite) scores(c Case, seed game.Seed) error {
	var first []game.Side
	return s.play(c, seed, func(m moment) error {
		for seat := game.Spectator; int(seat) < c.Seats; seat++ {
			score, err := m.table.Score(seat)
			if errors.Is(err, game.ErrUnsupported) {
				return nil
			}
			if err != nil {
				return err
			}
			if first == nil {
				first = score.Sides
			}
			if err := sidesOf(score, first); err != nil {
				return fmt.Errorf("the score as seat %d sees it: %w", seat, err)
			}
			if m.table.Step()%twinEvery == 0 {
				if twin, _ := m.table.Resample(seat, Seed(-1)).Score(seat); !reflect.DeepEqual(twin, score) {
					return fmt.Errorf("seat %d cannot distinguish two tables, but their scores are %+v and %+v", seat, score, twin)
				}
			}
		}
		if m.table.Due() != 0 {
			return nil
		}
		return s.scoredEnd(m)
	})
}

// sidesOf refuses a score without words or with other sides than it had at first.
func sidesOf(x game.Score, first []game.Side) error {
	if x.Of == "" || len(x.Sides) < 2 {
		return fmt.Errorf("want two sides and more, and what is counted; got %+v", x)
	}
	if len(x.Sides) != len(first) {
		return fmt.Errorf("want the %d sides of the deal, got %d", len(first), len(x.Sides))
	}
	for i, side := range x.Sides {
		switch {
		case side.Name != first[i].Name:
			return fmt.Errorf("side %d was %q, is %q", i, first[i].Name, side.Name)
		case side.Name == "" && side.Seats.Len() != 1:
			return fmt.Errorf("side %d has no name and %d seats", i, side.Seats.Len())
		case math.IsNaN(side.Points) || math.IsInf(side.Points, 0):
			return fmt.Errorf("side %d has %v", i, side.Points)
		}
	}
	return nil
}

// scoredEnd compares the last score with the result. What counts beside the score may put a seat ahead, but never behind.
func (s *suite) scoredEnd(m moment) error {
	result, _ := m.table.Result()
	score, err := m.table.Score(game.Spectator)
	if err != nil {
		return err
	}
	if words := s.e.EndingWords(result.Why); words == "" || strings.ContainsAny(words, "_.") {
		return fmt.Errorf("the end %q has the words %q", result.Why, words)
	}
	if s.e.EndingWords("no such end") != "" {
		return errors.New("an end that there is not has words")
	}
	best := make([]float64, len(result.Rank))
	for seat := range best {
		best[seat] = math.Inf(-1)
		for _, side := range score.Sides {
			if side.Seats.Has(game.Seat(seat)) {
				best[seat] = max(best[seat], side.Points)
			}
		}
		if math.IsInf(best[seat], -1) {
			return fmt.Errorf("the match is over, and no side has seat %d: %+v", seat, score)
		}
	}
	for a := range best {
		for b := range best {
			if score.Rest == "" && result.Rank[a] < result.Rank[b] && best[a] < best[b] {
				return fmt.Errorf("seat %d is before seat %d with a score of %v to %v", a, b, best[a], best[b])
			}
		}
		if off := result.Points[a] - best[a]; len(result.Team) == 0 && (off < 0 || off > 0 && score.Rest == "") {
			return fmt.Errorf("seat %d ends with %v points, and with the score %v", a, result.Points[a], best[a])
		}
	}
	for _, e := range m.events {
		if key := e.Key(); key != "" && !strings.HasSuffix(key, ".") {
			return nil
		}
	}
	return errors.New("the end is no key moment, or one with a full stop")
}
