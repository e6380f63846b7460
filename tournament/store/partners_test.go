package store_test

import (
	"fmt"
	"testing"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/storetest"
)

// In a round robin everybody meets everybody, so those of one owner too: these matches have no place on the ladder and enter neither the ratings on
// line nor the history that the fit reads, and everything else goes on around them.
func TestAMatchOfOneOwnerRatesNobody(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		ada, bob := w.user("ada"), w.user("bob")
		x := w.plan(func(x *tournament.Tournament) { x.OwnerEntries, x.Duplicate = 3, true })
		for i, u := range []tournament.User{ada, ada, ada, bob} {
			b := w.bot(fmt.Sprint(u.Name, "-", i), u)
			_, err := w.Join(w.ctx, x.ID, b.ID, u.ID)
			w.must(err)
		}
		_, err := w.Start(w.ctx, x.ID)
		w.must(err)
		list := w.all(store.MatchFilter{TournamentID: x.ID})
		rated := 0
		for _, m := range list {
			one := m.Seats[0].OwnerID == m.Seats[1].OwnerID
			if m.Rated == one || (m.LadderID == "") != one || (m.LadderSeq == 0) != one {
				t.Errorf("match of one owner: %v, rated %v, ladder %q, place %d", one, m.Rated, m.LadderID, m.LadderSeq)
			}
			if m.Rated {
				rated++
			}
			w.must(w.played(m, 0))
		}
		if len(list) != 2*rated {
			t.Fatalf("%d of %d matches are rated, want half", rated, len(list))
		}
		l := w.ladder(x.Game)
		if int(l.LastSeq) != rated || int(l.NextSeq) != rated+1 {
			t.Errorf("the ladder gave out %d places and rated %d, want %d", l.LastSeq, l.NextSeq-1, rated)
		}
		w.must(w.CheckRatings(w.ctx, l.ID))
		h, err := w.History(w.ctx, l.ID)
		w.must(err)
		if len(h.Matches) != rated {
			t.Errorf("the fit reads %d matches, want %d", len(h.Matches), rated)
		}
		if got := w.status(x); got.Status != tournament.Finished {
			t.Errorf("the tournament is %s", got.Status)
		}
		worst, pairs, err := w.Partners(w.ctx, l)
		w.must(err)
		if pairs != 2 || len(worst) != 2 || worst[0].Matches != rated || worst[0].Owner == "" || worst[0].OwnerID == worst[0].PartnerID {
			t.Errorf("partners %+v of %d pairs, want ada with bob and bob with ada over %d matches", worst, pairs, rated)
		}
	})
}

// On a standing ladder bots of one owner wait for others; with one other there they meet it in turn.
func TestOnALadderBotsOfOneOwnerWaitForOthers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		l, bots := w.standing(storetest.Toy, 1, 600)
		owner, err := w.Bot(w.ctx, bots[0].ID)
		w.must(err)
		join := func(name string, u tournament.User) {
			_, err := w.JoinLadder(w.ctx, l.ID, w.bot(name, u).ID, u.ID, 600)
			w.must(err)
		}
		for i := range 4 {
			join(fmt.Sprint("clone", i), tournament.User{ID: owner.OwnerID})
		}
		if list := w.tick(l); len(list) > 0 {
			t.Fatalf("five bots of one owner alone: %d matches", len(list))
		}
		join("other", w.user("other"))
		met := map[string]int{}
		for range 10 {
			list := w.tick(l)
			if len(list) != 1 || !list[0].Rated || list[0].OneOwner() {
				t.Fatalf("got %+v, want a rated match of the other with one of the five", list)
			}
			for _, s := range list[0].Seats {
				if s.OwnerID == owner.OwnerID {
					met[s.BotID]++
				}
			}
			w.must(w.played(list[0], 0))
		}
		for id, n := range met {
			if n != 2 {
				t.Errorf("bot %s had %d of ten matches, want 2", id, n)
			}
		}
	})
}

// A tournament that a program announced which knew no bound takes as many entries of an owner as before; one that is announced now takes one
// where rated, and who leaves after the start leaves no place to another bot.
func TestTheBoundOnAnOwnersEntries(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		ada, bob := w.user("ada"), w.user("bob")
		x := w.plan(func(x *tournament.Tournament) { x.Format, x.Options.LateEntries = tournament.Swiss, true })
		old := w.plan(nil)
		w.must(w.SQL(w.ctx).Exec("UPDATE tournaments SET entries_per_owner = 0 WHERE id = ?", old.ID).Error)
		first, second, other := w.bot("first", ada), w.bot("second", ada), w.bot("other", bob)
		for _, b := range []tournament.Bot{first, second, other} {
			_, err := w.Join(w.ctx, old.ID, b.ID, b.OwnerID)
			w.must(err)
		}
		for _, b := range []tournament.Bot{first, other} {
			_, err := w.Join(w.ctx, x.ID, b.ID, b.OwnerID)
			w.must(err)
		}
		_, err := w.Join(w.ctx, x.ID, second.ID, ada.ID)
		refused(t, "a second entry where rated", err, tournament.ErrLimit)
		_, err = w.Withdraw(w.ctx, x.ID, first.ID, ada.ID)
		w.must(err)
		_, err = w.Join(w.ctx, x.ID, second.ID, ada.ID)
		w.must(err)
		_, err = w.Start(w.ctx, x.ID)
		w.must(err)
		_, err = w.Withdraw(w.ctx, x.ID, second.ID, ada.ID)
		w.must(err)
		_, err = w.Join(w.ctx, x.ID, first.ID, ada.ID)
		refused(t, "another bot after one has left a running tournament", err, tournament.ErrLimit)
	})
}
