package director_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
)

// revised changes a cup.
func revised(w *world, cup tournament.Tournament, change func(*tournament.Tournament)) (tournament.Tournament, error) {
	return w.Revise(w.Ctx, cup.ID, "its organiser has changed it", func(t tournament.Tournament) (tournament.Tournament, error) {
		change(&t)
		return t, nil
	})
}

func TestPostponingMovesCheckInWithTheStart(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		cup := w.Plan(func(t *tournament.Tournament) { t.CheckIn = 30 * time.Minute })
		b := w.Rivals("ada")[0]
		w.Enter(cup, b)
		w.Clock.Move(40 * time.Minute) // check-in is open
		w.Must(w.TellCheckIn(w.Ctx, cup.ID))
		w.Did(w.CheckIn(w.Ctx, cup.ID, b.ID, b.OwnerID))
		now := must.Get(revised(w, cup, func(t *tournament.Tournament) { t.StartsAt = t.StartsAt.Add(24 * time.Hour) }))(w.T)
		if !now.CheckInOpens().Equal(cup.StartsAt.Add(24*time.Hour - 30*time.Minute)) {
			t.Errorf("check-in opens at %s", now.CheckInOpens())
		}
		entries := must.Get(w.Entries(w.Ctx, cup.ID))(w.T)
		if entries[0].CheckedInAt != nil {
			t.Error("a bot is checked in for a day that it has not promised")
		}
		due := must.Get(w.Store.DueTournaments(w.Ctx))(w.T)
		w.Clock.Move(time.Hour)
		if later, err := w.Store.DueTournaments(w.Ctx); err != nil || len(due)+len(later) != 0 {
			t.Errorf("the old start is due: %v (%v)", later, err)
		}
		w.Clock.Move(23 * time.Hour)
		if due, err := w.Store.DueCheckIns(w.Ctx); err != nil || len(due) != 1 {
			t.Errorf("the new check-in is not announced: %v (%v)", due, err)
		}
		w.Clock.Move(time.Hour)
		if due, err := w.Store.DueTournaments(w.Ctx); err != nil || len(due) != 1 {
			t.Errorf("the new start is not due: %v (%v)", due, err)
		}
	})
}

// A sweep has found a cup due, and comes to it after the organiser, in another process, has postponed it.
func TestWhatIsPostponedWhileASweepIsOnItsWayNeitherStartsNorOpensCheckIn(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		cup := w.Plan(func(t *tournament.Tournament) { t.CheckIn = 30 * time.Minute })
		w.Enter(cup, w.Rivals("ada", "bea")...)
		w.Clock.Move(cup.StartsAt.Sub(w.Clock.Now()) - time.Second)
		w.Did(revised(w, cup, func(t *tournament.Tournament) { t.StartsAt = t.StartsAt.Add(24 * time.Hour) }))
		w.Clock.Move(time.Second)
		w.Must(w.TellCheckIn(w.Ctx, cup.ID))
		if now, err := w.StartDue(w.Ctx, cup.ID); !errors.Is(err, tournament.ErrState) || now.Status != tournament.Scheduled {
			t.Errorf("it is %s (%v), want scheduled", now.Status, err)
		}
		w.Clock.Move(24*time.Hour - time.Second)
		if due, err := w.Store.DueCheckIns(w.Ctx); err != nil || len(due) != 1 {
			t.Errorf("the new check-in is not announced: %v (%v)", due, err)
		}
		w.Clock.Move(time.Second)
		if now, err := w.StartDue(w.Ctx, cup.ID); err != nil || now.Status == tournament.Scheduled {
			t.Errorf("at its time it is %s (%v)", now.Status, err)
		}
	})
}

func TestWhatDoesNotFitTheEntriesIsRefusedAllAtOnce(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		cup := w.Plan(func(t *tournament.Tournament) { t.Rated, t.Capacity, t.WaitingList = false, 3, true })
		u := w.NewUser("ada")
		for _, id := range w.NewBots(u, 4) {
			w.Did(w.Join(w.Ctx, cup.ID, id, u.ID))
		}
		_, err := revised(w, cup, func(t *tournament.Tournament) {
			t.Capacity, t.WaitingList, t.OwnerEntries, t.Unlisted = 2, false, 1, true
		})
		directortest.Refused(t, "fewer places than entries", err, tournament.ErrInvalid)
		for _, says := range []string{"2 is less than the 3 entries", "entries wait for a place (1)", "at most 1 entry", "announced to everybody"} {
			if !contains(err, says) {
				t.Errorf("%q is not said: %v", says, err)
			}
		}
		now := must.Get(revised(w, cup, func(t *tournament.Tournament) { t.Capacity, t.OwnerEntries = 4, 4 }))(w.T)
		entries := must.Get(w.Entries(w.Ctx, cup.ID))(w.T)
		if free, waiting := tournament.Places(now, entries); free != 0 || waiting != 0 {
			t.Errorf("%d places are free and %d wait after there is room", free, waiting)
		}
		w.Begin(cup)
		_, err = revised(w, cup, func(t *tournament.Tournament) { t.Name = "late" })
		directortest.Refused(t, "after the start", err, tournament.ErrState)
	})
}

func TestARenewedCodeTakesThePlaceOfTheOneBefore(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		old, invite, err := tournament.NewInvite(strings.NewReader(strings.Repeat("x", 20)))
		w.Must(err)
		cup := w.Plan(func(t *tournament.Tournament) { t.Invite, t.Rated = invite, false })
		fresh, next, err := tournament.NewInvite(strings.NewReader(strings.Repeat("y", 20)))
		w.Must(err)
		ends := w.Clock.Now().Add(10 * time.Minute)
		w.Did(w.RenewInvite(w.Ctx, cup.ID, next, &ends))
		u := w.NewUser("ada")
		bots := w.NewBots(u, 2)
		enters := func(bot, code string) error {
			_, err := w.JoinAs(w.Ctx, cup.ID, bot, u.ID, director.EntryOptions{Invite: code})
			return err
		}
		directortest.Refused(t, "the old code", enters(bots[0], old), tournament.ErrInvite)
		w.Must(enters(bots[0], fresh))
		w.Clock.Move(10 * time.Minute)
		err = enters(bots[1], fresh)
		directortest.Refused(t, "the new code after its end", err, tournament.ErrInvite)
		if !contains(err, "has ended") {
			t.Errorf("the refusal does not say that the code has ended: %v", err)
		}
		everybodys := w.Plan(nil)
		directortest.Refused(t, "a tournament for everybody", directortest.Err(w.RenewInvite(w.Ctx, everybodys.ID, next, nil)), tournament.ErrState)
	})
}

func contains(err error, says string) bool { return err != nil && strings.Contains(err.Error(), says) }
