package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
)

// What follows is checked, what does not is refused with the first place and without its decisions, and a failure of the platform is tried
// again until it is one too many.
func TestCardsAreCheckedOrRefusedInWords(t *testing.T) {
	storetest.SQLite(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		u := w.NewUser("u")
		for _, hash := range []string{"good", "forged", "broken", "panics"} {
			_, err := w.UploadCard(w.Ctx, tournament.Card{Hash: hash, OwnerID: u.ID, Card: hash, Decisions: "of " + hash}, 10, 10)
			w.Must(err)
		}
		w.Must(w.SQL(w.Ctx).Exec("UPDATE cards SET tries = 2 WHERE hash IN ('broken', 'panics')").Error)
		c := w.config(newBots())
		c.Card = func(_ context.Context, text, decisions string, pause func()) error {
			pause()
			switch {
			case decisions != "of "+text:
				return fmt.Errorf("%w: got %q of %q", card.ErrCard, decisions, text)
			case text == "forged":
				return fmt.Errorf("%w: /clean/value is 9", card.ErrCard)
			case text == "broken":
				return errors.New("no memory")
			case text == "panics":
				panic("ouch")
			}
			return nil
		}
		stop := w.run(c)
		for hash, want := range map[string]tournament.Card{
			"good":   {State: tournament.CardChecked, Decisions: "of good"},
			"forged": {State: tournament.CardRefused, Reason: "card_refused: /clean/value is 9"},
			"broken": {State: tournament.CardRefused, Reason: "the platform could not check it in 3 tries; its operator finds in the log why"},
			"panics": {State: tournament.CardRefused, Reason: "the platform could not check it in 3 tries; its operator finds in the log why"},
		} {
			w.until("the check of "+hash, func() bool {
				got, err := w.Card(w.Ctx, hash)
				w.Must(err)
				return got.State == want.State && got.Reason == want.Reason && got.Decisions == want.Decisions && got.EndedAt != nil
			})
		}
		stop()
	})
}
