package director_test

import (
	"testing"
	"time"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
)

func TestHealthChecksComeDueOnceEach(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		a, b, gone := w.NewBot("a", w.Org), w.NewBot("b", w.Org), w.NewBot("gone", w.Org)
		w.Did(w.RetireBot(w.Ctx, gone.ID, "done"))
		due := func(want ...tournament.Bot) {
			t.Helper()
			list := must.Get(w.DueChecks(w.Ctx, 10, 10, nil))(w.T)
			got := map[string]bool{}
			for _, v := range list {
				got[v.BotID] = true
			}
			for _, x := range want {
				if !got[x.ID] {
					t.Errorf("%s is not due", x.Name)
				}
			}
			must.Same(t, "bots that are due", len(list), len(want))
		}
		due() // their registration was a check
		w.Clock.Move(tournament.CheckActiveEvery)
		due(a, b)
		due() // taken
		h := must.Get(w.Check(a.ID, "no answer"))(w.T)
		if h.Status != tournament.BotPaused {
			t.Errorf("got %+v, want paused", h)
		}
		w.Clock.Move(tournament.CheckPausedEvery)
		due(a) // paused ones are asked more often
		w.Did(w.Check(a.ID, ""))
		w.Clock.Move(tournament.CheckPausedEvery)
		due(a)
		w.Did(w.Check(a.ID, ""))
		if back, err := w.Bot(w.Ctx, a.ID); err != nil || back.Status != tournament.BotActive || back.Reason != "" {
			t.Errorf("got %+v (%v), want it active again after two passes", back, err)
		}
		directortest.Refused(t, "a retired bot", directortest.Err(w.Check(gone.ID, "")), tournament.ErrState)
		directortest.Refused(t, "a bot that is not there", directortest.Err(w.Check("no-such", "")), tournament.ErrNotFound)
	})
}

// One owner's bots, all due before another's: the other's is among the first that are checked.
func TestChecksGoRoundTheOwners(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		for i := range 10 {
			w.NewBot(string(rune('a'+i))+"-bot", w.Org)
			w.Clock.Move(time.Second)
		}
		var others []tournament.Bot
		for _, name := range []string{"one", "two"} {
			user := must.First(w.CreateUser(w.Ctx, tournament.User{Name: name, Role: tournament.RoleOwner}, tournament.Token{ID: "token-" + name}))(w.T)
			others = append(others, w.NewBot("bot-of-"+name, user))
		}
		w.Clock.Move(tournament.CheckActiveEvery)
		list := must.Get(w.DueChecks(w.Ctx, 4, 4, nil))(w.T)
		got := map[string]bool{}
		for _, v := range list {
			got[v.BotID] = true
		}
		if len(list) != 4 || !got[others[0].ID] || !got[others[1].ID] {
			t.Errorf("got %v, want four, those of the two others among them", got)
		}
		none := must.Get(w.DueChecks(w.Ctx, 100, 3, []string{w.Org.ID}))(w.T)
		must.Same(t, "checks given while those of their owner's bots are under way", len(none), 0)
		few := must.Get(w.DueChecks(w.Ctx, 100, 3, []string{others[0].OwnerID}))(w.T)
		must.Same(t, "checks of one owner given at once", len(few), 3)
		rest := must.Get(w.DueChecks(w.Ctx, 100, 100, nil))(w.T)
		if len(rest) != 5 {
			t.Errorf("%d are left, want the 5 others", len(rest))
		}
	})
}

func TestTwoProcessesNeverCheckTheSameBot(t *testing.T) {
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		for i := range 20 {
			w.NewBot(string(rune('a'+i))+"-bot", w.Org)
		}
		w.Clock.Move(tournament.CheckActiveEvery)
		other := open(store.Options{Now: w.Clock.Now})
		given := make(chan []store.DueCheck, 20)
		for i := range 20 {
			s := w.Store
			if i%2 == 0 {
				s = other
			}
			go func() {
				list, err := s.DueChecks(w.Ctx, 3, 100, nil)
				if err != nil {
					t.Error(err)
				}
				given <- list
			}()
		}
		seen := map[string]int{}
		for range 20 {
			for _, v := range <-given {
				seen[v.BotID]++
			}
		}
		for id, n := range seen {
			if n != 1 {
				t.Errorf("bot %s was given out %d times", id, n)
			}
		}
		must.Same(t, "bots that were given out", len(seen), 20)
	})
}

// A check says something of the version that was checked alone, whoever asked for it, and of nothing that happened after it had begun.
func TestACheckSpeaksOfItsVersionAndItsTime(t *testing.T) {
	for _, found := range []string{"", "nobody answers"} {
		on(t, storetest.One, func(t *testing.T, w *world) {
			l, bots := w.StandingLadder(storetest.Toy, 2, 600)
			b, match := bots[0], w.Tick(l)[0]
			greeted := director.Greeting{BotID: b.ID, VersionID: b.VersionID, Began: w.Clock.Now(), Failure: found}
			w.Clock.Move(time.Second)
			w.ends(match, b.ID, absent)
			w.Did(w.Greeted(w.Ctx, greeted))
			state := func() (s store.BotState) {
				w.Must(w.InTx(w.Ctx, func(tx *store.Tx) (err error) { s, err = tx.LockBotState(b.ID); return err }))
				return s
			}
			if s := state(); s.UnprovenAt == nil || !s.TrialDue || s.Failures != 1 {
				t.Errorf("a check from before its loss finds %q: %+v, want that the loss stands", found, s)
			}
			w.Did(w.Promote(w.Ctx, b.ID, w.Second(b, storetest.Toy).ID))
			w.Did(w.Greeted(w.Ctx, greeted))
			directortest.Refused(t, "a check of the version before", directortest.Err(w.Checked(w.Ctx, b.ID, b.VersionID, found)), tournament.ErrState)
			if s := state(); s.Status != tournament.BotActive {
				t.Errorf("checks of the version before find %q: the bot is paused: %s", found, s.Reason)
			}
		})
	}
}
