package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
)

func TestACardIsCheckedOnceAndOnlyTheLastTryCounts(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
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
		if c := upload(you.ID, "a", 2, 2, nil); c.OwnerID != u.ID {
			t.Errorf("another takes over a card that waits: %+v", c)
		}
		lost, err := w.ClaimCard(w.Ctx, 0)
		w.Must(err)
		again, err := w.ClaimCard(w.Ctx, time.Hour)
		w.Must(err)
		if lost == nil || again == nil || lost.Hash != "a" || again.Hash != "a" || again.Tries != 2 || again.State != tournament.CardRunning {
			t.Fatalf("got %+v and %+v, want a twice", lost, again)
		}
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
