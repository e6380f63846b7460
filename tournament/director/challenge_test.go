package director_test

import (
	"errors"
	"testing"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
)

func TestChallengesAtOnceStayWithinTheBound(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		me, you := w.NewUser("me"), w.NewUser("you")
		target := w.NewBot("target", you)
		w.Did(w.TakeChallenges(w.Ctx, target.ID, true))
		var bots []tournament.Bot
		for _, name := range []string{"a0", "b0", "c0", "d0", "e0", "f0", "g0", "h0", "i0", "j0"} {
			bots = append(bots, w.NewBot(name, me))
		}
		ask := func(i int) error {
			_, err := w.Challenge(w.Ctx, director.Challenge{
				Game: storetest.Toy, Config: []byte(`{"steps":3}`), Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits(),
				Bots: []string{bots[i].ID, target.ID}, Asker: tournament.Asker{UserID: me.ID},
			})
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
		m := w.Take(list[0])
		w.Must(w.Finish(w.Ctx, m, directortest.Won(m, 0), nil))
		switch m = w.Reload(m.ID); {
		case m.Rated:
			t.Error("m.Rated is true, want false")
		case m.LadderID != "":
			t.Errorf(`m.LadderID is %q, want ""`, m.LadderID)
		case m.TournamentID != "":
			t.Errorf(`m.TournamentID is %q, want ""`, m.TournamentID)
		case m.Status != tournament.MatchDone:
			t.Errorf("m.Status is %v, want %v", m.Status, tournament.MatchDone)
		}
		w.Must(ask(9)) // there is room for one again
		directortest.Refused(t, "one more", ask(9), tournament.ErrLimit)
		w.Did(w.TakeChallenges(w.Ctx, target.ID, false))
		directortest.Refused(t, "without consent", ask(9), tournament.ErrNotYours)
		w.Did(w.RetireBot(w.Ctx, target.ID, "gone"))
		_, err := w.TakeChallenges(w.Ctx, target.ID, true)
		directortest.Refused(t, "a retired bot", err, tournament.ErrState)
	})
}
