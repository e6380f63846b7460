package director_test

import (
	"fmt"
	"testing"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// In a round robin everybody meets everybody, so those of one owner too: these matches have no place on the ladder and enter
// neither the ratings on line nor the history that the fit reads, and everything else goes on around them.
func TestAMatchOfOneOwnerRatesNobody(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		ada, bob := w.NewUser("ada"), w.NewUser("bob")
		x := w.Plan(func(x *tournament.Tournament) { x.OwnerEntries, x.Duplicate = 3, true })
		for i, u := range []tournament.User{ada, ada, ada, bob} {
			b := w.NewBot(fmt.Sprint(u.Name, "-", i), u)
			w.Did(w.Join(w.Ctx, x.ID, b.ID, u.ID))
		}
		w.Begin(x)
		list := w.All(store.MatchFilter{TournamentID: x.ID})
		rated := 0
		for _, m := range list {
			one := m.Seats[0].OwnerID == m.Seats[1].OwnerID
			if m.Rated == one || (m.LadderID == "") != one || (m.LadderSeq == 0) != one {
				t.Errorf("match of one owner: %v, rated %v, ladder %q, place %d", one, m.Rated, m.LadderID, m.LadderSeq)
			}
			if m.Rated {
				rated++
			}
			w.Must(w.Played(m, 0))
		}
		if len(list) != 2*rated {
			t.Fatalf("%d of %d matches are rated, want half", rated, len(list))
		}
		l := w.ladder(x.Game)
		if int(l.LastSeq) != rated || int(l.NextSeq) != rated+1 {
			t.Errorf("the ladder gave out %d places and rated %d, want %d", l.LastSeq, l.NextSeq-1, rated)
		}
		w.Must(w.CheckRatings(w.Ctx, l.ID))
		h := must.Get(w.History(w.Ctx, l.ID))(w.T)
		if len(h.Matches) != rated {
			t.Errorf("the fit reads %d matches, want %d", len(h.Matches), rated)
		}
		w.Over(x)
		worst, pairs, err := w.Partners(w.Ctx, l)
		w.Must(err)
		if len(worst) != 2 || pairs != 2 || worst[0].Matches != rated || worst[0].Owner == "" || worst[0].OwnerID == worst[0].PartnerID {
			t.Errorf("%d pairs, %+v; want 2 of two owners, with %d matches", pairs, worst, rated)
		}
	})
}

// On a standing ladder bots of one owner wait for others; with one other there they meet it in turn.
func TestOnALadderBotsOfOneOwnerWaitForOthers(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		l, bots := w.StandingLadder(storetest.Toy, 1, 600)
		owner := must.Get(w.Bot(w.Ctx, bots[0].ID))(w.T)
		join := func(name string, u tournament.User) {
			w.Did(w.JoinLadder(w.Ctx, l.ID, w.NewBot(name, u).ID, u.ID, 600))
		}
		for i := range 4 {
			join(fmt.Sprint("clone", i), tournament.User{ID: owner.OwnerID})
		}
		if list := w.Tick(l); len(list) > 0 {
			t.Fatalf("five bots of one owner alone: %d matches", len(list))
		}
		join("other", w.NewUser("other"))
		met := map[string]int{}
		for range 10 {
			list := w.Tick(l)
			if len(list) != 1 || !list[0].Rated || list[0].OneOwner() {
				t.Fatalf("got %+v, want a rated match of the other with one of the five", list)
			}
			for _, s := range list[0].Seats {
				if s.OwnerID == owner.OwnerID {
					met[s.BotID]++
				}
			}
			w.Must(w.Played(list[0], 0))
		}
		for id, n := range met {
			if n != 2 {
				t.Errorf("bot %s had %d of ten matches, want 2", id, n)
			}
		}
	})
}

// A rated tournament takes one entry of an owner, and who leaves after the start leaves no place to another bot.
func TestTheBoundOnAnOwnersEntries(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		ada, bob := w.NewUser("ada"), w.NewUser("bob")
		x := w.Plan(func(x *tournament.Tournament) { x.Format, x.Options.LateEntries = tournament.Swiss, true })
		first, second, other := w.NewBot("first", ada), w.NewBot("second", ada), w.NewBot("other", bob)
		for _, b := range []tournament.Bot{first, other, w.NewBot("third", w.NewUser("cas"))} { // a swiss of two is over when one leaves
			w.Did(w.Join(w.Ctx, x.ID, b.ID, b.OwnerID))
		}
		directortest.Refused(t, "a second entry where rated", directortest.Err(w.Join(w.Ctx, x.ID, second.ID, ada.ID)), tournament.ErrLimit)
		w.Did(w.Withdraw(w.Ctx, x.ID, first.ID, ada.ID))
		w.Did(w.Join(w.Ctx, x.ID, second.ID, ada.ID))
		w.Begin(x)
		w.Did(w.Withdraw(w.Ctx, x.ID, second.ID, ada.ID))
		directortest.Refused(t, "another bot after one has left a running tournament", directortest.Err(w.Join(w.Ctx, x.ID, first.ID, ada.ID)), tournament.ErrLimit)
	})
}
