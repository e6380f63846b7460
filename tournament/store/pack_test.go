package store_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/archive"
	"github.com/molerun/molerun/tournament/store/storetest"
)

// readings are all that anybody reads of the decisions of matches.
func (w *world) readings(s *store.Store, list []tournament.Match) (out []any) {
	w.t.Helper()
	for _, m := range list {
		steps, err := s.Decisions(w.ctx, m.ID)
		w.must(err)
		late, err := s.DecisionsAfter(w.ctx, m.ID, 2)
		w.must(err)
		none, err := s.DecisionsAfter(w.ctx, m.ID, 99)
		w.must(err)
		told, err := s.Redeploys(w.ctx, m.ID)
		w.must(err)
		open, err := s.OpenDecisions(w.ctx, m.ID)
		w.must(err)
		out = append(out, steps, late, none, told, open)
		for _, seat := range m.Seats {
			own, err := s.SeatDecisions(w.ctx, m.ID, seat.Seat)
			w.must(err)
			out = append(out, own)
		}
		if m.Status == tournament.MatchDone && (len(steps) != 3 || len(late) != 1 || len(none) != 0 || len(told) != 2) {
			w.t.Errorf("match %s: %d steps, %d after the second, %d builds told; want 3, 1, 2", m.ID, len(steps), len(late), len(told))
		}
	}
	return out
}

func TestPackedDecisionsAreReadAsIfTheyWereNot(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		x, list := w.running(2, func(x *tournament.Tournament) { x.Cycles = 5 })
		finish := func(m tournament.Match) {
			m = w.claim(m)
			for n := 1; n <= 3; n++ {
				s := step(n, 2)
				s.Turns[1].By, s.Turns[1].Clock, s.Turns[1].Memo = "house", nil, `<&> "\u2028`
				w.must(w.AppendStep(w.ctx, m.ID, m.Epoch, s))
			}
			w.must(w.Finish(w.ctx, m, won(m, 0), nil))
		}
		for _, m := range list[:2] {
			finish(m)
		}
		live := w.claim(list[2])
		w.must(w.AppendStep(w.ctx, live.ID, live.Epoch, step(1, 2)))
		w.clk.move(48 * time.Hour)
		finish(list[3])
		list = w.all(store.MatchFilter{TournamentID: x.ID})
		before := w.readings(w.Store, list)

		pack := func(over time.Duration, limit, want int) {
			t.Helper()
			if n, err := w.Pack(w.ctx, over, limit); err != nil || n != want {
				t.Errorf("packed %d (%v), want %d", n, err, want)
			}
		}
		count := func(table string) (n int64) {
			w.must(w.SQL(w.ctx).Table(table).Count(&n).Error)
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
		w.must(w.CheckRatings(w.ctx, x.LadderID))
		if err := w.AppendStep(w.ctx, list[0].ID, list[0].Epoch, step(4, 2)); err == nil {
			t.Error("a packed match took another decision")
		}

		file := backup(t, w.Store)
		storetest.Each(t, func(t *testing.T, to storetest.Open) {
			s := to(store.Options{Now: w.clk.Now})
			_, err := archive.Restore(t.Context(), s, storetest.Engines, bytes.NewReader(file))
			w.must(err)
			if after := w.readings(s, list); !reflect.DeepEqual(before, after) {
				t.Errorf("reads of a restored backup differ:\n%+v\nwant\n%+v", after, before)
			}
		})
	})
}

func TestProcessesThatPackTogetherPackEachMatchOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		_, list := w.running(4, nil)
		for i, m := range list {
			w.must(w.played(m, i%2))
		}
		w.clk.move(time.Hour)
		others := []*store.Store{w.Store, open(store.Options{Now: w.clk.Now}), open(store.Options{Now: w.clk.Now})}
		var sum [3]int
		race(3, func(i int) (err error) {
			sum[i], err = others[i].Pack(w.ctx, time.Minute, 100)
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
		_, list := w.running(3, nil)
		for i, m := range list {
			w.must(w.played(m, i%2))
		}
		w.must(w.SQL(w.ctx).Exec("UPDATE decisions SET debug = CAST(x'ff' AS TEXT) WHERE match_id = ? AND step = 2", list[0].ID).Error)
		w.clk.move(time.Hour)
		n, err := w.Pack(w.ctx, time.Minute, 100)
		if err == nil || !strings.Contains(err.Error(), list[0].ID) || n != len(list)-1 {
			t.Errorf("packed %d (%v), want %d and an error that names the match", n, err, len(list)-1)
		}
		own, err := w.SeatDecisions(w.ctx, list[0].ID, game.Seat(0))
		if err != nil || len(own) != 3 || own[1].Debug != "\xff" {
			t.Errorf("it has %d decisions (%v), want all three as they were", len(own), err)
		}
		w.must(w.SQL(w.ctx).Exec("UPDATE packed_decisions SET packed = 'H4sI' WHERE match_id = ?", list[1].ID).Error)
		var steps []runner.Step
		if steps, err = w.Decisions(w.ctx, list[1].ID); err == nil || steps != nil || !strings.Contains(err.Error(), list[1].ID) {
			t.Errorf("damaged: %v, %v; want an error that names the match", steps, err)
		}
	})
}
