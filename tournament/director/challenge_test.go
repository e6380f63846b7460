package director_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func TestChallengesAtOnceStayWithinTheBound(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		me, you := w.NewUser("me"), w.NewUser("you")
		target := w.NewBot("target", you)
		w.Did(w.TakeChallenges(w.Ctx, target.ID, true))
		bots := w.NewBots(me, 6)
		other := w.NewUser("other")
		bots = append(bots, w.NewBots(other, 4)...)
		ask := func(i int) error {
			asker := me
			if i > 5 {
				asker = other
			}
			_, err := w.Ask(asker, bots[i], target.ID)
			return err
		}
		made := directortest.Race(len(bots), ask, func(err error) {
			if !errors.Is(err, tournament.ErrLimit) {
				t.Errorf("got %v, want %v", err, tournament.ErrLimit)
			}
		})
		list := w.All(store.MatchFilter{BotID: target.ID, Named: []string{storetest.Toy}})
		if made != tournament.MaxChallenges || len(list) != made {
			t.Fatalf("%d of ten at once were taken and %d made, want %d", made, len(list), tournament.MaxChallenges)
		}
		theirs := list[slices.IndexFunc(list, func(m tournament.Match) bool { return m.AskerID == other.ID })] // each asker has two or three
		w.Must(w.Played(theirs, 0))
		if m := w.Reload(theirs.ID); m.Rated || m.LadderID != "" || m.TournamentID != "" || m.Status != tournament.MatchDone {
			t.Errorf("got %+v, want it over, and of no ladder", m)
		}
		w.Must(ask(9)) // there is room for one again
		directortest.Refused(t, "one more", ask(9), tournament.ErrLimit)
		w.Did(w.TakeChallenges(w.Ctx, target.ID, false))
		directortest.Refused(t, "without consent", ask(9), tournament.ErrNotYours)
		w.Did(w.RetireBot(w.Ctx, target.ID, "gone"))
		directortest.Refused(t, "a retired bot", directortest.Err(w.TakeChallenges(w.Ctx, target.ID, true)), tournament.ErrState)
	})
}
