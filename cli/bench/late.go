package bench

import (
	"time"

	"github.com/molerun/molerun/engines/game"
)

// tale is how many random matches are on the table at once: enough that a tenth of all of them is well above what reading
// the clock costs.
const tale = 256

// late measures what a move costs in the last tenth of a match against the first tenth, on the typed path, to show that
// nothing grows with the history. Both tenths are cut from the same matches in turns, so that a busy machine slows both;
// every match is cut by its own length, so that the ones that end early count too. Moves count as they come: a game whose
// late moves are of a dearer kind (more cards, a fuller board) must stay below the bound all the same.
func late(span time.Duration) ([]Row, error) {
	var rows []Row
	for _, c := range contests(false) {
		t, err := newTenths(c)
		if err != nil {
			return nil, err
		}
		first, last := t.measure(span)
		rows = append(rows, ceiling("late moves: "+c.name, "ns", last, first, "a move of the first tenth of the same matches", 1.3))
	}
	return rows, nil
}

// tenths are random matches whose lengths are known beforehand, so that each can be stopped at its own tenths.
type tenths struct {
	walks [tale]game.Walk
	luck  [tale]game.Rand
	steps [tale]int
}

func newTenths(c contest) (*tenths, error) {
	t := new(tenths)
	for i := range t.walks {
		w, err := c.walk()
		if err != nil {
			return nil, err
		}
		t.walks[i] = w
	}
	t.deal()
	for i, w := range t.walks {
		for w.Step(&t.luck[i]) > 0 {
			t.steps[i]++
		}
	}
	return t, nil
}

// deal deals the same matches again.
func (t *tenths) deal() {
	for i, w := range t.walks {
		t.luck[i].Aim(game.Seed{2}, i, "bench", game.Spectator)
		w.Deal(&t.luck[i])
	}
}

// play plays the steps of every match from a tenth to another and counts the moves.
func (t *tenths) play(from, to int) (moves int) {
	for i, w := range t.walks {
		for range t.steps[i]*to/10 - t.steps[i]*from/10 {
			moves += w.Step(&t.luck[i])
		}
	}
	return moves
}

// measure is the processor time of a move in the first and in the last tenth, in nanoseconds.
func (t *tenths) measure(span time.Duration) (first, last float64) {
	var early, end time.Duration
	early1, end1 := 0, 0
	for early+end < span {
		t.deal()
		at := cpu()
		early1 += t.play(0, 1)
		early += cpu() - at
		t.play(1, 9)
		at = cpu()
		end1 += t.play(9, 10)
		end += cpu() - at
	}
	return float64(early.Nanoseconds()) / float64(early1), float64(end.Nanoseconds()) / float64(end1)
}
