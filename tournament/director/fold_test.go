package director_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
)

func TestEightFinishersInAnyOrderRateAsTheFold(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(8, func(x *tournament.Tournament) { x.Cycles = 2 })
		claimed := make([]tournament.Match, len(list))
		for i, m := range list {
			claimed[i] = w.Take(m)
		}
		rand.Shuffle(len(claimed), func(i, j int) { claimed[i], claimed[j] = claimed[j], claimed[i] })
		w.Warm(8)
		work := make(chan tournament.Match)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for m := range work {
					var err error
					switch m.LadderSeq % 7 {
					case 3:
						err = w.wanted(m, "x")
					case 5:
						o := directortest.Won(m, 0)
						o.Retired, o.Rank = game.Only(0), []int{2, 1}
						err = w.Finish(w.Ctx, m, o, nil)
					default:
						err = w.Finish(w.Ctx, m, directortest.Won(m, int(m.LadderSeq)%2), nil)
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		for _, m := range claimed {
			work <- m
		}
		close(work)
		wg.Wait()
		l := must.Get(w.Ladder(w.Ctx, x.LadderID))(w.T)
		if l.NextSeq != int64(len(list))+1 || l.LastSeq != int64(len(list)) {
			t.Errorf("ladder at %d of %d, want all %d rated", l.NextSeq, l.LastSeq, len(list))
		}
		w.Must(w.CheckRatings(w.Ctx, l.ID))
	})
}

func TestTamperedRatingsAreFound(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(3, nil)
		w.PlayAll(list)
		w.Must(w.CheckRatings(w.Ctx, x.LadderID))
		for name, sql := range map[string]string{
			"a rating off by a thousandth": "UPDATE ratings SET milli = milli + 1 WHERE version_id = (SELECT MIN(version_id) FROM ratings)",
			"a count of games":             "UPDATE ratings SET games = games + 1 WHERE version_id = (SELECT MAX(version_id) FROM ratings)",
			"a lost event":                 "DELETE FROM rating_events WHERE ladder_seq = 2",
			"a lost rating":                "DELETE FROM ratings WHERE version_id = (SELECT MIN(version_id) FROM ratings)",
			"an event moved":               "UPDATE rating_events SET ladder_seq = 9 WHERE ladder_seq = 3",
			"a result turned round":        "UPDATE matches SET result = REPLACE(result, '[1,2]', '[2,1]') WHERE ladder_seq = 1",
			"a place skipped":              "UPDATE ladders SET next_seq = 3",
			"a win for a loss":             "UPDATE ratings SET wins = wins - 1, losses = losses + 1 WHERE wins > 0",
			"a fault":                      "UPDATE ratings SET faults = faults + 1",
			"a form":                       "UPDATE ratings SET form = 'DD'",
			"a latency":                    "UPDATE ratings SET p95_us = 7",
		} {
			undo := errors.New("undo")
			err := w.InTx(w.Ctx, func(tx *store.Tx) error {
				w.Must(tx.SQL.Exec(sql).Error)
				if err := director.CheckRatings(tx.Reader, x.LadderID); !errors.Is(err, director.ErrRatings) {
					t.Errorf("%s: got %v, want %v", name, err, director.ErrRatings)
				}
				return undo
			})
			if !errors.Is(err, undo) {
				t.Errorf("%s: %v", name, err)
			}
		}
		w.Must(w.CheckRatings(w.Ctx, x.LadderID))
	})
}

func TestRatingsLeftBehindAreFoundAndApplied(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(3, nil)
		for _, i := range []int{2, 1} {
			w.Must(w.Played(list[i], 0))
		}
		if pending, err := w.PendingLadders(w.Ctx); err != nil || len(pending) != 0 {
			t.Errorf("pending %v (%v) behind an open match", pending, err)
		}
		// The first result arrives without its ratings, as if the rater had died.
		w.Must(w.SQL(w.Ctx).Exec("UPDATE matches SET status = 'void', ended_at = created_at WHERE id = ?", list[0].ID).Error)
		pending := must.Get(w.PendingLadders(w.Ctx))(w.T)
		directortest.Alike(t, "ladders that wait for ratings", []string{x.LadderID}, pending)
		for _, want := range []int{3, 0} {
			if n, err := w.ApplyRatings(w.Ctx, x.LadderID); n != want || err != nil {
				t.Errorf("went on %d places (%v), want %d", n, err, want)
			}
		}
		w.Must(w.CheckRatings(w.Ctx, x.LadderID))
	})
}

func TestALadderIsReadByRatingInPages(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(6, nil)
		for i, m := range list {
			w.Must(w.Played(m, i%2))
		}
		whole, next, err := w.LadderRows(w.Ctx, x.LadderID, store.Page{})
		w.Must(err)
		if len(whole) != 6 || next != "" {
			t.Fatalf("%d rows, next %q", len(whole), next)
		}
		for i, r := range whole {
			if r.Owner == "" || !r.Provisional || r.Rank != 0 || r.Class != tournament.LineProvisional || (i > 0 && r.Milli > whole[i-1].Milli) {
				t.Errorf("row %d has rank %d as %s, want none and the order of the ratings, as nobody has played enough: %+v", i, r.Rank, r.Class, r)
			}
		}
		w.sameInPages(x.LadderID, whole, 6)
		var events []tournament.RatingChange
		for p := (store.Page{Limit: 4, Sort: store.Oldest}); ; {
			rows, next, err := w.RatingEvents(w.Ctx, store.RatingEventFilter{LadderID: x.LadderID}, p)
			w.Must(err)
			events = append(events, rows...)
			if p.After = next; next == "" {
				break
			}
		}
		inOrder := slices.IsSortedFunc(events, func(a, b tournament.RatingChange) int { return int(a.LadderSeq - b.LadderSeq) })
		if len(events) != 2*len(list) || !inOrder {
			t.Errorf("%d events of %d matches, in order: %v", len(events), len(list), inOrder)
		}
		one := must.First(w.RatingEvents(w.Ctx, store.RatingEventFilter{BotID: whole[0].BotID, VersionID: whole[0].VersionID}, store.Page{}))(w.T)
		if len(one) != 5 || one[0].AfterMilli != whole[0].Milli {
			t.Errorf("the leader's events %+v; want 5, the newest first and at its rating", one)
		}
		ladders := must.Get(w.Ladders(w.Ctx))(w.T)
		if len(ladders) != 1 || ladders[0].Season != 1 || ladders[0].Game != storetest.Toy {
			t.Errorf("ladders %+v", ladders)
		}
	})
}
