package director_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

func TestStepsComeBackByteForByte(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		_, list := w.Running(4, func(x *tournament.Tournament) { x.Table = 4 })
		m := w.Take(list[0])
		house := runner.Step{Step: 3, Hash: [32]byte{1, 2}, Turns: []runner.Decision{{Fault: "timeout", Reason: "hung"}}}
		house.Turns[0].Seat, house.Turns[0].Action, house.Turns[0].By, house.Turns[0].Why = 2, []byte(`{}`), "house", "timeout"
		want := []runner.Step{directortest.Step(1, 4), directortest.Step(2, 4), house}
		for _, s := range want {
			w.Must(w.AppendStep(w.Ctx, m.ID, m.Epoch, s))
		}
		got := must.Get(w.Decisions(w.Ctx, m.ID))(w.T)
		directortest.Alike(t, "the steps", want, got)
		seat := must.Get(w.SeatDecisions(w.Ctx, m.ID, 2))(w.T)
		if len(seat) != 3 || seat[2].Step != 3 || cmp.Diff(house.Turns[0], seat[2].Decision) != "" {
			t.Errorf("decisions of seat 2: %+v", seat)
		}
		if age := time.Since(seat[2].RecordedAt); age < -time.Minute || age > time.Hour {
			t.Errorf("recorded at %v", seat[2].RecordedAt)
		}
		if _, err := w.SeatDecisions(w.Ctx, m.ID, 4); !errors.Is(err, tournament.ErrNotFound) {
			t.Errorf("seat 4 of 4: %v", err)
		}
		if err := w.AppendStep(w.Ctx, m.ID, m.Epoch, runner.Step{Step: 4}); err == nil {
			t.Error("a step without decisions was recorded")
		}
	})
}

func TestOnlyTheLiveEpochWrites(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		_, list := w.Running(2, nil)
		old := w.Take(list[0])
		w.Must(w.AppendStep(w.Ctx, old.ID, old.Epoch, directortest.Step(1, 2)))
		w.Must(w.Release(w.Ctx, old.ID, old.Epoch))
		check := func(state string) {
			t.Helper()
			directortest.Refused(t, state+": append", w.AppendStep(w.Ctx, old.ID, old.Epoch, directortest.Step(2, 2)), tournament.ErrFenced)
			directortest.Refused(t, state+": renew", w.Renew(w.Ctx, old.ID, old.Epoch, directortest.Lease), tournament.ErrFenced)
			directortest.Refused(t, state+": finish", w.Finish(w.Ctx, old, directortest.Won(old, 0), nil), tournament.ErrFenced)
			directortest.Refused(t, state+": void", w.Void(w.Ctx, old, "x", nil), tournament.ErrFenced)
			directortest.Refused(t, state+": release", w.Release(w.Ctx, old.ID, old.Epoch), tournament.ErrFenced)
		}
		check("queued again")
		_, _, err := w.Claim(w.Ctx, store.PlayMatch{MatchID: old.ID, Epoch: 0}, "w", directortest.Lease)
		directortest.Refused(t, "claim with the old job", err, tournament.ErrState)
		m, recorded, err := w.Claim(w.Ctx, store.PlayMatch{MatchID: old.ID, Epoch: 1}, "w2", directortest.Lease)
		w.Must(err)
		if m.Epoch != 2 || len(recorded) != 1 || cmp.Diff(directortest.Step(1, 2), recorded[0]) != "" {
			t.Errorf("claimed at epoch %d with %v; want 2 and the one step", m.Epoch, recorded)
		}
		check("running elsewhere")
		w.Must(w.Renew(w.Ctx, m.ID, m.Epoch, directortest.Lease))
		w.Must(w.AppendStep(w.Ctx, m.ID, m.Epoch, directortest.Step(2, 2)))
		directortest.Refused(t, "the same step twice", w.AppendStep(w.Ctx, m.ID, m.Epoch, directortest.Step(2, 2)), tournament.ErrFenced)
		w.Must(w.Finish(w.Ctx, m, directortest.Won(m, 0), nil))
		check("done")
		directortest.Refused(t, "append after the end", w.AppendStep(w.Ctx, m.ID, m.Epoch, directortest.Step(3, 2)), tournament.ErrFenced)
	})
}

// A zombie's step that is under way when the match is taken over is either in what the next worker reads, or refused.
func TestATakeoverSeesEveryStepThatWasAccepted(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		_, list := w.Running(8, func(x *tournament.Tournament) { x.Rated = false })
		for i, m := range list {
			old := w.Take(m)
			var wg sync.WaitGroup
			accepted := 0
			begun := make(chan struct{})
			wg.Go(func() {
				for n := 1; ; n++ {
					err := w.AppendStep(w.Ctx, old.ID, old.Epoch, directortest.Step(n, 2))
					if n == 1+i%3 {
						close(begun)
					}
					if err != nil {
						directortest.Refused(t, "zombie", err, tournament.ErrFenced)
						return
					}
					accepted = n
				}
			})
			<-begun
			w.Must(w.Release(w.Ctx, old.ID, old.Epoch))
			_, recorded, err := w.Claim(w.Ctx, store.PlayMatch{MatchID: old.ID, Epoch: old.Epoch}, "w2", directortest.Lease)
			w.Must(err)
			wg.Wait()
			if len(recorded) != accepted {
				t.Fatalf("the zombie had %d steps accepted, the next worker read %d", accepted, len(recorded))
			}
		}
	})
}

// The interleaving that a check without a lock would lose: a takeover that has not committed when the zombie checks.
func TestAZombieWaitsForATakeoverUnderWayAndIsFenced(t *testing.T) {
	on(t, storetest.Postgres, func(t *testing.T, w *world) {
		_, list := w.Running(2, nil)
		m := w.Take(list[0])
		result := make(chan error, 1)
		w.Must(w.InTx(w.Ctx, func(tx *store.Tx) error {
			if err := tx.SQL.Exec("UPDATE matches SET epoch = epoch + 1 WHERE id = ?", m.ID).Error; err != nil {
				return err
			}
			go func() { result <- w.AppendStep(w.Ctx, m.ID, m.Epoch, directortest.Step(1, 2)) }()
			storetest.UntilBlocked(t, w.Store)
			return nil
		}))
		directortest.Refused(t, "zombie", <-result, tournament.ErrFenced)
		recorded := must.Get(w.Decisions(w.Ctx, m.ID))(w.T)
		if len(recorded) != 0 {
			t.Errorf("the zombie's step was recorded: %+v", recorded)
		}
	})
}

func TestAMatchEndsExactlyOnce(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(2, nil)
		m := w.Take(list[0])
		extra := map[int]bool{} // whose jobs were completed; a transaction may run again
		w.Warm(8)
		ends := directortest.Race(16, func(i int) error {
			if i%4 == 0 {
				return w.Void(w.Ctx, m, "late", nil)
			}
			return w.Finish(w.Ctx, m, directortest.Won(m, 0), func(*store.Tx) error { extra[i] = true; return nil })
		}, func(err error) { directortest.Refused(t, "a second end", err, tournament.ErrFenced) })
		got := w.Reload(m.ID)
		done := got.Status == tournament.MatchDone
		if ends != 1 || !got.Status.Over() || (len(extra) == 1) != done {
			t.Errorf("ended %d times as %s, %d jobs completed", ends, got.Status, len(extra))
		}
		events := must.First(w.RatingEvents(w.Ctx, store.RatingEventFilter{MatchID: m.ID}, store.Page{}))(w.T)
		if (len(events) == 2) != done || (len(events) == 0) == done {
			t.Errorf("%s with %d rating events", got.Status, len(events))
		}
		after := must.Get(w.Tournament(w.Ctx, x.ID))(w.T)
		// A void by our own fault is played again, so that it ends a match but not its tournament.
		if (after.Status == tournament.Finished) != done {
			t.Errorf("after a match that ended as %s the tournament is %s", got.Status, after.Status)
		}
		if (after.EndedAt != nil) != done {
			t.Errorf("after a match that ended as %s the tournament ended at %v", got.Status, after.EndedAt)
		}
	})
}

func TestAFinishedMatchComesBackWhole(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		_, list := w.Running(3, func(x *tournament.Tournament) { x.Table = 3 })
		m := w.Take(list[0])
		o := directortest.Won(m, 2)
		o.Retired, o.Rank, o.Faults, o.P95 = game.Only(0), []int{3, 2, 1}, []int{3, 0, 1}, []time.Duration{0, 7 * time.Microsecond, 2 * time.Second}
		w.Must(w.Finish(w.Ctx, m, o, nil))
		got := w.Reload(m.ID)
		want := m
		now := w.Clock.Now().UTC().Truncate(time.Microsecond)
		want.Status, want.Result, want.Rank, want.Retired, want.Steps, want.EndedAt = tournament.MatchDone, &o.Result, o.Rank, o.Retired, 3, &now
		want.Hash = fmt.Sprintf("%x", o.Hash)
		want.Seats = append([]tournament.MatchSeat(nil), m.Seats...)
		want.Seats[0].Faults, want.Seats[2].Faults = 3, 1
		for i, v := range []tournament.Verdict{tournament.Loss, tournament.Loss, tournament.Win} {
			want.Seats[i].Verdict, want.Seats[i].P95 = v, o.P95[i]
		}
		directortest.Alike(t, "the match", want, got)
		m2 := w.Take(w.running2())
		bad := directortest.Won(m2, 0)
		bad.Rank = bad.Rank[:1]
		if err := w.Finish(w.Ctx, m2, bad, nil); err == nil || w.Reload(m2.ID).Status != tournament.MatchRunning {
			t.Errorf("an outcome for fewer seats: %v", err)
		}
	})
}

// running2 returns the only match of a fresh tournament.
func (w *world) running2() tournament.Match {
	w.T.Helper()
	_, list := w.Running(2, nil)
	return list[0]
}

func TestAnEndThatFailsHalfWayChangesNothing(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(2, nil)
		m := w.Take(list[0])
		half := errors.New("half-way")
		if err := w.Finish(w.Ctx, m, directortest.Won(m, 0), func(*store.Tx) error { return half }); !errors.Is(err, half) {
			t.Fatalf("got %v", err)
		}
		directortest.Alike(t, "the match", m, w.Reload(m.ID))
		l := must.Get(w.Ladder(w.Ctx, x.LadderID))(w.T)
		rows := must.First(w.LadderRows(w.Ctx, l.ID, store.Page{}))(w.T)
		after := must.Get(w.Tournament(w.Ctx, x.ID))(w.T)
		if l.NextSeq != 1 || len(rows) != 0 || after.Status != tournament.Running {
			t.Errorf("ladder at %d with %d rows, tournament %s; want 1, 0, running", l.NextSeq, len(rows), after.Status)
		}
		if n := w.heard(tournament.EventMatchFinished); n != 0 {
			t.Errorf("%d results are told", n)
		}
		w.Must(w.Finish(w.Ctx, m, directortest.Won(m, 0), nil))
		directortest.Refused(t, "a second time", w.Finish(w.Ctx, m, directortest.Won(m, 0), nil), tournament.ErrFenced)
		if n := w.heard(tournament.EventMatchFinished); n != 1 {
			t.Errorf("the result is told %d times", n)
		}
	})
}

func TestTheSeedMayBeToldWhenTheWholeBlockIsOver(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		_, list := w.Running(2, func(x *tournament.Tournament) { x.Duplicate = true })
		for i, m := range list {
			shared, over, err := w.Reader(w.Ctx).Block(m)
			w.Must(err)
			if !shared || over {
				t.Errorf("with %d of 2 matches done: shared %v, over %v; want shared and not over", i, shared, over)
			}
			c := w.Take(m)
			if i == 0 {
				w.Must(w.Finish(w.Ctx, c, directortest.Won(c, 0), nil))
			} else {
				w.Must(w.wanted(c, "x"))
			}
		}
		shared, over, err := w.Reader(w.Ctx).Block(list[0])
		w.Must(err)
		if !shared || !over {
			t.Errorf("with both matches over: shared %v, over %v; want both", shared, over)
		}
	})
}

func TestMatchesAreListedByTournamentBotLadderAndStatus(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(3, nil)
		_, unrated := w.Running(2, func(x *tournament.Tournament) { x.Rated = false })
		bot := list[0].Seats[0].BotID
		c := w.Take(list[0])
		known := []string{storetest.Toy} // games whose bots may be known
		for name, row := range map[string]struct {
			f    store.MatchFilter
			want int
		}{
			"all":                   {store.MatchFilter{}, 4},
			"tournament":            {store.MatchFilter{TournamentID: x.ID}, 3},
			"bot":                   {store.MatchFilter{BotID: bot, Named: known}, 2},
			"bot, names hidden":     {store.MatchFilter{BotID: bot}, 0},
			"ladder":                {store.MatchFilter{LadderID: storetest.Toy}, 3},
			"status":                {store.MatchFilter{Status: tournament.MatchRunning}, 1},
			"bot and status":        {store.MatchFilter{BotID: bot, Status: tournament.MatchQueued, Named: known}, 1},
			"tournament and status": {store.MatchFilter{TournamentID: unrated[0].TournamentID, Status: tournament.MatchRunning}, 0},
		} {
			must.Same(t, name+": matches", len(w.All(row.f)), row.want)
		}
		if got := w.All(store.MatchFilter{Status: tournament.MatchRunning}); cmp.Diff(c, got[0]) != "" {
			t.Errorf("listed %+v, claimed %+v", got[0], c)
		}
	})
}

func TestTheSweepTakesBackWhatIsLostAndNothingElse(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		_, list := w.Running(4, nil)
		expired, live, taken, cancelled := list[0], list[1], list[2], list[3]
		must.First(w.Claim(w.Ctx, store.PlayMatch{MatchID: expired.ID}, "dead", -time.Second))(w.T)
		w.Take(live)
		job := func(m tournament.Match) (id int64) {
			w.Must(w.SQL(w.Ctx).Table("matches").Where("id = ?", m.ID).Pluck("job_id", &id).Error)
			return id
		}
		// A worker took this job from the queue and died before it claimed the match.
		w.Must(w.SQL(w.Ctx).Exec("UPDATE river_job SET state = 'running', attempted_at = ? WHERE id = ?", time.Now().UTC().Add(-time.Minute), job(taken)).Error)
		w.Must(w.SQL(w.Ctx).Exec("UPDATE river_job SET state = 'cancelled', finalized_at = ? WHERE id = ?", time.Now().UTC(), job(cancelled)).Error)
		before := map[string]int64{}
		for _, m := range list {
			before[m.ID] = job(m)
		}
		// This one is being played, for longer than a lease.
		w.Must(w.SQL(w.Ctx).Exec("UPDATE river_job SET state = 'running', attempted_at = ? WHERE id = ?", time.Now().UTC().Add(-time.Minute), job(live)).Error)
		n := must.Get(w.Sweep(w.Ctx, directortest.Lease))(w.T)
		must.Same(t, "matches swept", n, 3)
		for i, m := range list {
			got := w.Reload(m.ID)
			swept := job(m) != before[m.ID]
			want := map[string]tournament.MatchStatus{live.ID: tournament.MatchRunning}[m.ID]
			if want == "" {
				want = tournament.MatchQueued
			}
			if wantSwept := m.ID != live.ID && i < 4; got.Status != want || swept != wantSwept {
				t.Errorf("match %d: %s, swept %v; want %s, %v", i, got.Status, swept, want, wantSwept)
			}
		}
		if again, err := w.Sweep(w.Ctx, directortest.Lease); again != 0 || err != nil {
			t.Errorf("a second sweep found %d (%v)", again, err)
		}
		for _, row := range []struct {
			of   tournament.Match
			want string
		}{{taken, "cancelled"}, {live, "running"}} {
			var state string
			w.Must(w.SQL(w.Ctx).Table("river_job").Where("id = ?", before[row.of.ID]).Pluck("state", &state).Error)
			if state != row.want {
				t.Errorf("a job is %s, want %s: only the one of the worker that died has no match that waits for it", state, row.want)
			}
		}
		m := must.First(w.Claim(w.Ctx, store.PlayMatch{MatchID: expired.ID, Epoch: 1}, "w", directortest.Lease))(w.T)
		if m.Epoch != 2 {
			t.Errorf("epoch %d after the takeover, want 2", m.Epoch)
		}
	})
}

// An event says how a match ended, but for matches on one seed: there the last alone does, when all are open.
func TestAnEventHasTheResultThatIsOpen(t *testing.T) {
	for name, row := range map[string]struct {
		duplicate bool
		told      []bool // by match of the one block
	}{"a match for itself": {false, []bool{true}}, "two on one seed": {true, []bool{false, true}}} {
		on(t, storetest.One, func(t *testing.T, w *world) {
			tour, list := w.Running(2, func(t *tournament.Tournament) { t.Duplicate = row.duplicate })
			if len(list) != len(row.told) {
				t.Fatalf("%s: %d matches, want %d", name, len(list), len(row.told))
			}
			for _, m := range list {
				w.Must(w.Played(m, 1))
			}
			for _, e := range must.Get(w.Feed(w.Ctx, tour.ID, 0, 100))(w.T) {
				i := slices.IndexFunc(list, func(m tournament.Match) bool { return m.ID == e.MatchID })
				if e.Kind != tournament.EventMatchFinished {
					if len(e.Result) > 0 {
						t.Errorf("%s: %s has a result", name, e.Kind)
					}
					continue
				}
				var want []tournament.SeatResult
				if row.told[i] {
					want = []tournament.SeatResult{
						{Seat: 0, BotID: list[i].Seats[0].BotID, Rank: 2, Verdict: tournament.Loss}, {Seat: 1, BotID: list[i].Seats[1].BotID, Rank: 1, Verdict: tournament.Win},
					}
				}
				directortest.Alike(t, fmt.Sprintf("%s: match %d", name, i+1), want, e.Result)
			}
		})
	}
}
