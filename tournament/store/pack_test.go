package store_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/archive"
)

// readings are all that anybody reads of the decisions of matches.
func (w *world) readings(s *store.Store, list []tournament.Match) (out []any) {
	w.T.Helper()
	for _, m := range list {
		steps := must.Get(s.Decisions(w.Ctx, m.ID))(w.T)
		late, none := w.stepsAfter(s, m.ID, 2), w.stepsAfter(s, m.ID, 99)
		told := must.Get(s.Reader(w.Ctx).Redeploys(m))(w.T)
		out = append(out, steps, late, none, told, w.stepsAfter(s, m.ID, 0))
		for _, seat := range m.Seats {
			own := must.Get(s.SeatDecisions(w.Ctx, m.ID, seat.Seat))(w.T)
			out = append(out, own)
		}
		if m.Status == tournament.MatchDone && (len(steps) != 3 || len(late) != 1 || len(none) != 0 || len(told) != 2) {
			w.T.Errorf("match %s: %d steps, %d after the second, %d builds told; want 3, 1, 2", m.ID, len(steps), len(late), len(told))
		}
	}
	return out
}

// stepsAfter are the steps of a match after one, read in parts.
func (w *world) stepsAfter(s *store.Store, id string, after int) (all []runner.Step) {
	w.T.Helper()
	w.Must(s.StepsAfter(w.Ctx, id, after, func(part []runner.Step) error {
		all = append(all, part...)
		return nil
	}))
	return all
}

func TestPackedDecisionsAreReadAsIfTheyWereNot(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(2, func(x *tournament.Tournament) { x.Cycles = 5 })
		finish := func(m tournament.Match) {
			m = w.Take(m)
			for n := 1; n <= 3; n++ {
				s := directortest.Step(n, 2)
				s.Turns[1].By, s.Turns[1].Clock, s.Turns[1].Memo = "house", nil, `<&> "\u2028`
				w.Must(w.AppendStep(w.Ctx, m.ID, m.Epoch, s))
			}
			w.Must(w.Finish(w.Ctx, m, directortest.Won(m, 0), nil))
		}
		for _, m := range list[:2] {
			finish(m)
		}
		live := w.Take(list[2])
		w.Must(w.AppendStep(w.Ctx, live.ID, live.Epoch, directortest.Step(1, 2)))
		w.Clock.Move(48 * time.Hour)
		finish(list[3])
		list = w.All(store.MatchFilter{TournamentID: x.ID})
		before := w.readings(w.Store, list)

		pack := func(over time.Duration, limit, want int) {
			t.Helper()
			if n, err := w.Pack(w.Ctx, over, limit); err != nil || n != want {
				t.Errorf("packed %d (%v), want %d", n, err, want)
			}
		}
		count := func(table string) (n int64) {
			w.Must(w.SQL(w.Ctx).Table(table).Count(&n).Error)
			return n
		}
		pack(24*time.Hour, 1, 1)
		pack(24*time.Hour, 9, 1) // neither the match under way nor the one that has just ended
		pack(24*time.Hour, 9, 0)
		if rows, packed := count("decisions"), count("packed_decisions"); rows != 2+6 || packed != 2 {
			t.Errorf("%d decisions and %d packed matches are left, want 8 and 2", rows, packed)
		}
		if after := w.readings(w.Store, list); !reflect.DeepEqual(before, after) {
			t.Errorf("reads differ:\n%+v\nwant\n%+v", after, before)
		}
		w.Must(w.CheckRatings(w.Ctx, x.LadderID))
		if err := w.AppendStep(w.Ctx, list[0].ID, list[0].Epoch, directortest.Step(4, 2)); err == nil {
			t.Error("a packed match took another decision")
		}

		file := backup(t, w.Store)
		storetest.Each(t, func(t *testing.T, to storetest.Open) {
			s := to(store.Options{Now: w.Clock.Now})
			w.Did(archive.Restore(t.Context(), s, storetest.Engines, bytes.NewReader(file)))
			if after := w.readings(s, list); !reflect.DeepEqual(before, after) {
				t.Errorf("reads of a restored backup differ:\n%+v\nwant\n%+v", after, before)
			}
		})
	})
}

func TestProcessesThatPackTogetherPackEachMatchOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		_, list := w.Running(4, nil)
		for i, m := range list {
			w.Must(w.Played(m, i%2))
		}
		w.Clock.Move(time.Hour)
		others := []*store.Store{w.Store, open(store.Options{Now: w.Clock.Now}), open(store.Options{Now: w.Clock.Now})}
		var sum [3]int
		directortest.Race(3, func(i int) (err error) {
			sum[i], err = others[i].Pack(w.Ctx, time.Minute, 100)
			return err
		}, func(err error) { t.Error(err) })
		if got := sum[0] + sum[1] + sum[2]; got != len(list) {
			t.Errorf("%v matches were packed, want %d together", sum, len(list))
		}
	})
}

func TestWhatCannotBePackedStaysAndHoldsUpNobody(t *testing.T) {
	storetest.SQLite(t, func(t *testing.T, open storetest.Open) { // Postgres refuses such a text to begin with
		w := newWorld(t, open)
		_, list := w.Running(3, nil)
		for i, m := range list {
			w.Must(w.Played(m, i%2))
		}
		w.Must(w.SQL(w.Ctx).Exec("UPDATE decisions SET debug = CAST(x'ff' AS TEXT) WHERE match_id = ? AND step = 2", list[0].ID).Error)
		w.Clock.Move(time.Hour)
		n, err := w.Pack(w.Ctx, time.Minute, 100)
		if err == nil || !strings.Contains(err.Error(), list[0].ID) || n != len(list)-1 {
			t.Errorf("packed %d (%v), want %d and an error that names the match", n, err, len(list)-1)
		}
		own, err := w.SeatDecisions(w.Ctx, list[0].ID, game.Seat(0))
		if err != nil || len(own) != 3 || own[1].Debug != "\xff" {
			t.Errorf("it has %d decisions (%v), want all three as they were", len(own), err)
		}
		w.Must(w.SQL(w.Ctx).Exec("UPDATE packed_decisions SET packed = 'H4sI' WHERE match_id = ?", list[1].ID).Error)
		var steps []runner.Step
		if steps, err = w.Decisions(w.Ctx, list[1].ID); err == nil || steps != nil || !strings.Contains(err.Error(), list[1].ID) {
			t.Errorf("damaged: %v, %v; want an error that names the match", steps, err)
		}
	})
}
