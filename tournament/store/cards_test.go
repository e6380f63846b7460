package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/database"
)

func TestACardIsCheckedOnceAndOnlyTheLastTryCounts(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		u, you := w.NewUser("u"), w.NewUser("you")
		upload := func(owner, hash string, quota, most int, want error) tournament.Card {
			t.Helper()
			c, err := w.UploadCard(w.Ctx, tournament.Card{Hash: hash, OwnerID: owner, Card: `{"of":"` + owner + `"}`, Decisions: "AAAA"}, quota, most)
			if !errors.Is(err, want) {
				t.Errorf("%s by %s: got %v, want %v", hash, owner, err, want)
			}
			return c
		}
		upload(u.ID, "a", 2, 3, nil)
		w.Clock.Move(time.Second)
		upload(u.ID, "b", 2, 3, nil)
		upload(u.ID, "c", 2, 3, tournament.ErrLimit)
		upload(you.ID, "c", 2, 2, tournament.ErrFull)
		upload(you.ID, "a", 2, 2, tournament.ErrState)
		if c := upload(u.ID, "a", 2, 2, nil); c.OwnerID != u.ID || c.State != tournament.CardWaiting {
			t.Errorf("uploaded again by its owner: %+v", c)
		}
		lost := must.Get(w.ClaimCard(w.Ctx, 0))(w.T)
		again := must.Get(w.ClaimCard(w.Ctx, time.Hour))(w.T)
		if lost == nil || again == nil || lost.Hash != "a" || again.Hash != "a" || again.Tries != 2 || again.State != tournament.CardRunning {
			t.Fatalf("got %+v and %+v, want a twice", lost, again)
		}
		upload(you.ID, "a", 2, 3, tournament.ErrState)
		lost.State = tournament.CardChecked
		w.Must(w.SaveCard(w.Ctx, *lost, 0))
		if c, err := w.Card(w.Ctx, "a"); err != nil || c.State != tournament.CardRunning {
			t.Errorf("after the lost try has written: %+v (%v)", c, err)
		}
		again.State, again.Reason, again.Decisions = tournament.CardRefused, "/clean differs", ""
		w.Must(w.SaveCard(w.Ctx, *again, 0))
		if c, err := w.Card(w.Ctx, "a"); err != nil || c.State != tournament.CardRefused || c.Reason != "/clean differs" || c.Decisions != "" || c.EndedAt == nil {
			t.Errorf("got %+v (%v), want it refused", c, err)
		}
		if c := upload(you.ID, "a", 2, 3, nil); c.OwnerID != you.ID || c.State != tournament.CardWaiting || c.Reason != "" {
			t.Errorf("uploaded again: got %+v, want that it waits, of the other", c)
		}
		if list, err := w.CardsOf(w.Ctx, you.ID); err != nil || len(list) != 1 || list[0].Hash != "a" {
			t.Errorf("got %+v (%v)", list, err)
		}
		w.Must(w.DeleteCard(w.Ctx, "a"))
		if err := w.DeleteCard(w.Ctx, "a"); !errors.Is(err, tournament.ErrNotFound) {
			t.Errorf("deleted twice: %v", err)
		}
	})
}

// Somebody whose cards take long holds up no other: owners take turns, whether one process checks cards or several do.
func TestOwnersOfCardsTakeTurns(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		many, one, other := w.NewUser("many"), w.NewUser("one"), w.NewUser("other")
		for _, c := range []struct {
			hash  string
			owner tournament.User
		}{{"a1", many}, {"a2", many}, {"a3", many}, {"b1", one}, {"b2", one}, {"c1", other}} {
			w.Did(w.UploadCard(w.Ctx, tournament.Card{Hash: c.hash, OwnerID: c.owner.ID, Card: "{}", Decisions: "AAAA"}, 10, 10))
			w.Clock.Move(time.Second)
		}
		var got []string
		for range 3 { // two processes
			pair := []*tournament.Card{must.Get(w.ClaimCard(w.Ctx, time.Hour))(w.T), must.Get(w.ClaimCard(w.Ctx, time.Hour))(w.T)}
			for _, c := range pair {
				got = append(got, c.Hash)
				c.State = tournament.CardChecked
				w.Must(w.SaveCard(w.Ctx, *c, 0))
				w.Clock.Move(time.Second)
			}
		}
		if want := "[a1 b1 c1 a2 b2 a3]"; fmt.Sprint(got) != want {
			t.Errorf("checked in the order %v, want %v", got, want)
		}
	})
}

// Cards over more games come first, then the stronger ones; a page goes on where the one before ended, and what was not checked is on none.
func TestCardsAreListedByGamesAndStrength(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		u := w.NewUser("u")
		for hash, of := range map[string]struct {
			games    int
			strength float64
			state    tournament.CardState
		}{
			"weak": {2, -3.25, tournament.CardChecked}, "strong": {2, 61.07, tournament.CardChecked}, "even": {2, 61.07, tournament.CardChecked},
			"narrow": {1, 99, tournament.CardChecked}, "forged": {2, 100, tournament.CardRefused},
		} {
			w.Did(w.UploadCard(w.Ctx, tournament.Card{Hash: hash, OwnerID: u.ID, Card: "{}", Decisions: "AAAA"}, 10, 10))
			c := must.Get(w.ClaimCard(w.Ctx, time.Hour))(w.T)
			c.State = of.state
			c.Summary = tournament.CardSummary{Games: make([]tournament.CardStrength, of.games), Clean: tournament.Mean{Value: of.strength}}
			w.Must(w.SaveCard(w.Ctx, *c, 0))
		}
		var got []string
		for p := (store.Page{Limit: 1}); ; {
			list, next, err := w.CheckedCards(w.Ctx, p)
			w.Must(err)
			for _, c := range list {
				got = append(got, fmt.Sprintf("%s %v", c.Hash, c.Summary.Clean.Value))
			}
			if p.After = next; next == "" {
				break
			}
		}
		if want := "even 61.07, strong 61.07, weak -3.25, narrow 99"; strings.Join(got, ", ") != want {
			t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
		}
		for _, after := range []string{"x", database.Cursor("2", "61"), database.Cursor("two", "61", "even"), database.Cursor("2", "much", "even")} {
			if _, _, err := w.CheckedCards(w.Ctx, store.Page{After: after}); err == nil {
				t.Errorf("%q is a place in the list", after)
			}
		}
	})
}
