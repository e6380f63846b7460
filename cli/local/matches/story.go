package matches

import (
	"fmt"
	"time"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
)

// Walk plays a record again and shows the table as it stands after each step, the deal first. What each does with the
// table must not change it.
func Walk(rec *replay.Record, each func(step int, table game.Table, events []game.Event) error) error {
	engine, ok := catalog.Find(rec.Header.Game)
	if !ok {
		return fmt.Errorf("%w: there is no game %q", ErrRecord, rec.Header.Game)
	}
	table, events, err := engine.New(rec.Header.Config, len(rec.Header.Seats), rec.Seed)
	if err != nil {
		return err
	}
	for i, s := range rec.Steps {
		if i > 0 {
			if events, err = table.Apply(plain(s.Turns)); err != nil {
				return fmt.Errorf("%w: step %d: %w", ErrRecord, i, err)
			}
		}
		if err := each(i, table, events); err != nil {
			return err
		}
	}
	return nil
}

func plain(turns []replay.Turn) []game.Turn {
	out := make([]game.Turn, len(turns))
	for i, t := range turns {
		out[i] = game.Turn{Seat: t.Seat, Action: t.Action, Say: t.Say}
	}
	return out
}

func us(n int64) time.Duration { return time.Duration(n) * time.Microsecond }

// Faulty tells whether the house decided in the place of a bot that had failed. Turns of a retired seat are no faults.
func Faulty(t replay.Turn) bool { return faulty(t) }

// asked tells whether a bot was asked for this turn.
func asked(t replay.Turn) bool {
	return t.Why != tournament.WhyThen && t.Why != tournament.WhyRetired
}

// ahead are the actions that a seat had sent ahead with its turn of a step, as far as they were used up to the step last.
func ahead(rec *replay.Record, seat game.Seat, step, last int) (list []string) {
	for i := step + 1; i <= last; i++ {
		t, ok := turnOf(rec.Steps[i], seat)
		if !ok || t.Why != tournament.WhyThen {
			break
		}
		list = append(list, string(t.Action))
	}
	return list
}

// turnOf is what a seat did in a step.
func turnOf(s replay.Step, seat game.Seat) (replay.Turn, bool) {
	for _, t := range s.Turns {
		if t.Seat == seat {
			return t, true
		}
	}
	return replay.Turn{}, false
}
