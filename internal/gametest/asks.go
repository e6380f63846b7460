package gametest

import (
	"fmt"
	"math"
	"reflect"

	"github.com/molerun/molerun/engines/game"
)

// asks holds a game that can ask for beliefs: the questions and their chances are the same for twins that a seat cannot distinguish, the
// chances of each sum up to 1, and the truth has one of them.
func (s *suite) asks(c Case, seed game.Seed) error {
	return s.play(c, seed, func(m moment) error {
		if m.table.Step()%twinEvery != 0 {
			return nil
		}
		truth := map[string]string{}
		for _, q := range m.table.Questions(game.Everything) {
			if len(q.Answers) != 1 {
				return fmt.Errorf("the truth about %s has %d answers", q.About, len(q.Answers))
			}
			truth[q.About] = q.Answers[0]
		}
		for seat := game.Spectator; int(seat) < c.Seats; seat++ {
			asked := m.table.Questions(seat)
			if twin := m.table.Resample(seat, Seed(-1)).Questions(seat); !reflect.DeepEqual(twin, asked) {
				return fmt.Errorf("seat %d cannot distinguish two tables, and is asked %v and %v", seat, asked, twin)
			}
			for _, q := range asked {
				sum, right := 0.0, 0.0
				for i, answer := range q.Answers {
					if sum += q.P[i]; answer == truth[q.About] {
						right = q.P[i]
					}
				}
				if math.Abs(sum-1) > 1e-9 || right <= 0 || len(q.Answers) != len(q.P) {
					return fmt.Errorf("seat %d, about %s: the chances sum up to %v, and the truth has %v: %v", seat, q.About, sum, right, q)
				}
			}
		}
		return nil
	})
}
