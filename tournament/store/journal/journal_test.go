package journal_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/database"
	"github.com/molerun/molerun/tournament/store/journal"
)

func TestMain(m *testing.M) { storetest.Main(m, func() error { return goleak.Find() }) }

// running is a platform with running matches of two seats, at least n.
func running(t *testing.T, open storetest.Open, n int) (*directortest.World, []tournament.Match) {
	t.Helper()
	w := directortest.NewWorld(t, open)
	_, list := w.Running(n, nil)
	for i := range list {
		list[i] = w.Take(list[i])
	}
	return w, list
}

func first(m tournament.Match) journal.At {
	return journal.At{MatchID: m.ID, Epoch: m.Epoch, Step: directortest.Step(1, 2)}
}

// steps are the recorded steps of a match.
func steps(w *directortest.World, m tournament.Match) []runner.Step {
	w.T.Helper()
	return must.Get(w.Decisions(w.Ctx, m.ID))(w.T)
}

// In the middle of a group one match was taken over, one has the step, one has nothing to say that the database would keep.
func TestOneStepOfManyAtOnceHarmsNoOther(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w, list := running(t, open, 5)
		const fencedAt, doubleAt, poisonAt = 2, 4, 6
		group := make([]journal.At, len(list))
		for i, m := range list {
			group[i] = first(m)
		}
		w.Must(w.Release(w.Ctx, list[fencedAt].ID, list[fencedAt].Epoch))
		w.Must(w.AppendStep(w.Ctx, list[doubleAt].ID, list[doubleAt].Epoch, directortest.Step(1, 2)))
		group[doubleAt].Step.Turns[1].Memo = "another"
		group[poisonAt].Step.Turns[1].By = "nobody"
		errs := must.Get(w.Together(w.Ctx, group...))(w.T)
		for i, m := range list {
			want := []runner.Step{directortest.Step(1, 2)}
			switch i {
			case fencedAt:
				directortest.Refused(t, "taken over", errs[i], tournament.ErrFenced)
				want = nil
			case doubleAt:
				directortest.Refused(t, "recorded before", errs[i], tournament.ErrFenced)
			case poisonAt:
				if !database.Refused(errs[i]) {
					t.Errorf("a poisoned step: got %v, want that the database refuses it", errs[i])
				}
				want = nil
			default:
				w.Must(errs[i])
			}
			directortest.Alike(t, fmt.Sprintf("match %d", i), want, steps(w, m))
		}
	})
}

// Without anything refused, matches that are fenced do not keep a group from being one.
func TestAFencedStepIsLeftOutOfItsGroup(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w, list := running(t, open, 3)
		w.Must(w.Release(w.Ctx, list[1].ID, list[1].Epoch))
		next := must.First(w.Claim(w.Ctx, store.PlayMatch{MatchID: list[1].ID, Epoch: list[1].Epoch}, "w2", directortest.Lease))(w.T)
		errs := must.Get(w.Together(w.Ctx, first(list[0]), first(list[1]), first(list[2])))(w.T)
		directortest.Refused(t, "the zombie", errs[1], tournament.ErrFenced)
		w.Must(errors.Join(errs[0], errs[2]))
		if n := len(steps(w, next)); n != 0 {
			t.Errorf("the zombie's step was recorded: %d", n)
		}
		w.Must(w.AppendStep(w.Ctx, next.ID, next.Epoch, directortest.Step(1, 2)))
	})
}

// Leases are renewed beside steps, one of the same match among them; of a match that was taken over nothing is.
func TestLeasesShareTheCommitOfSteps(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w, list := running(t, open, 3)
		w.Must(w.Release(w.Ctx, list[2].ID, list[2].Epoch))
		before := leases(w, list)
		lease := func(m tournament.Match) journal.At {
			return journal.At{MatchID: m.ID, Epoch: m.Epoch, Lease: time.Hour}
		}
		errs, err := w.Together(w.Ctx, lease(list[0]), first(list[0]), first(list[1]), lease(list[2]))
		w.Must(errors.Join(err, errs[0], errs[1], errs[2]))
		directortest.Refused(t, "the lease of who was taken over", errs[3], tournament.ErrFenced)
		after := leases(w, list)
		if grown := after[0] - before[0]; grown < (50 * time.Minute).Milliseconds() {
			t.Errorf("the lease ends %d ms later, want about an hour", grown)
		}
		directortest.Alike(t, "other leases", before[1:], after[1:])
		for i, want := range []int{1, 1, 0} {
			must.Same(t, fmt.Sprintf("match %d: steps", i), len(steps(w, list[i])), want)
		}
	})
}

// A step that the database refuses, in whatever way, undoes what shares its commit: leases and steps of others, and the lease of its own
// match. Nobody hears that they are written, unless they are.
func TestWhatIsToldToBeWrittenIsWritten(t *testing.T) {
	for name, poison := range map[string]func(*journal.At){
		"by nobody":          func(a *journal.At) { a.Step.Turns[1].By = "nobody" },
		"NUL in a memo":      func(a *journal.At) { a.Step.Turns[1].Memo = "\x00" },
		"the step is there":  func(a *journal.At) { a.Step.Step = 7 },
		"an endless lease":   func(a *journal.At) { *a = journal.At{MatchID: a.MatchID, Epoch: a.Epoch, Lease: 1<<63 - 1} },
		"nothing is refused": func(*journal.At) {},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, open storetest.Open) { whatIsToldIsWritten(t, open, poison) })
		})
	}
}

func whatIsToldIsWritten(t *testing.T, open storetest.Open, poison func(*journal.At)) {
	w, list := running(t, open, 3)
	w.Must(w.AppendStep(w.Ctx, list[1].ID, list[1].Epoch, directortest.Step(7, 2)))
	before := leases(w, list)
	lease := func(m tournament.Match) journal.At {
		return journal.At{MatchID: m.ID, Epoch: m.Epoch, Lease: time.Hour}
	}
	bad := first(list[1])
	poison(&bad)
	errs := must.Get(w.Together(w.Ctx, lease(list[0]), lease(list[2]), first(list[0]), bad, first(list[2])))(w.T)
	after := leases(w, list)
	for at, i := range []int{0, 2} {
		if errs[at] != nil || after[i]-before[i] < (50*time.Minute).Milliseconds() {
			t.Errorf("match %d: of its lease is told %v, and it ends at %d, before at %d", i, errs[at], after[i], before[i])
		}
		if n := len(steps(w, list[i])); errs[2+2*at] != nil || n != 1 {
			t.Errorf("match %d: of its step is told %v, and it is recorded %d times", i, errs[2+2*at], n)
		}
	}
}

// leases are when those of some matches end, in milliseconds since 1970.
func leases(w *directortest.World, list []tournament.Match) []int64 {
	w.T.Helper()
	ends := make([]int64, len(list))
	w.Must(w.InTx(w.Ctx, func(tx *store.Tx) error {
		for i, m := range list {
			if err := tx.SQL.Raw("SELECT lease_until_ms FROM matches WHERE id = ?", m.ID).Scan(&ends[i]).Error; err != nil {
				return err
			}
		}
		return nil
	}))
	return ends
}

// A process that holds a match's row, perhaps frozen, holds up that match alone.
func TestALockedMatchHoldsUpNoOther(t *testing.T) {
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		w, list := running(t, open, 3)
		locked := make(chan error, 1)
		w.Must(w.InTx(w.Ctx, func(tx *store.Tx) error {
			if err := tx.SQL.Exec("UPDATE matches SET worker = 'w2' WHERE id = ?", list[0].ID).Error; err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(w.Ctx, 50*time.Millisecond)
			defer cancel()
			if err := w.AppendStep(ctx, list[0].ID, list[0].Epoch, directortest.Step(1, 2)); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the locked one, in a hurry: %v", err)
			}
			go func() { locked <- w.AppendStep(w.Ctx, list[1].ID, list[1].Epoch, directortest.Step(1, 2)) }()
			select {
			case err := <-locked:
				return err
			case <-time.After(20 * time.Second):
				return errors.New("another match waits")
			}
		}))
	})
}

// A connection that breaks under a group says nothing of any of its steps, and they are all recorded or none.
func TestAGroupWhoseCommitWasCutIsAllOrNothing(t *testing.T) {
	c, open := storetest.Through(t)
	w, list := running(t, open, 3)
	errs, err := w.Together(w.Ctx, first(list[0]), first(list[1])) // prepares the statement
	w.Must(errors.Join(append(errs, err)...))
	for i, how := range []storetest.Cut{storetest.OnTheWayThere, storetest.OnTheWayBack} {
		c.Arm(how, storetest.IsExecute)
		group := []journal.At{first(list[2]), first(list[0])}
		group[1].Step = directortest.Step(2, 2)
		if _, err := w.Together(w.Ctx, group...); err == nil || errors.Is(err, tournament.ErrFenced) {
			t.Errorf("cut %d: got %v, want an error that says nothing of the outcome", how, err)
		}
		if c.Cuts() != i+1 {
			t.Fatalf("%d connections were cut, want %d", c.Cuts(), i+1)
		}
		for k, m := range []tournament.Match{list[2], list[0]} {
			want := k + i // of match 2 none and then one, of match 0 one and then two
			must.Same(t, fmt.Sprintf("cut %d, match %d: steps recorded", how, k), len(steps(w, m)), want)
		}
	}
}

// A store that is closed records what it has taken, and says so of what it does not take.
func TestAClosedStoreTakesNoSteps(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w, list := running(t, open, 3)
		s := open(store.Options{Now: w.Clock.Now})
		w.Must(s.AppendStep(w.Ctx, list[0].ID, list[0].Epoch, directortest.Step(1, 2)))
		w.Must(s.Close())
		if err := s.AppendStep(w.Ctx, list[0].ID, list[0].Epoch, directortest.Step(2, 2)); err == nil || errors.Is(err, tournament.ErrFenced) {
			t.Errorf("got %v, want an error that says that the store is closed", err)
		}
		w.Must(w.AppendStep(w.Ctx, list[0].ID, list[0].Epoch, directortest.Step(2, 2)))
	})
}
