package jobs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/jobs"
	"github.com/molerun/molerun/tournament/store"
)

// A cost that not every game says is not the cost of all matches.
func TestACostThatIsNotSaidIsUnknown(t *testing.T) {
	c := card.Card{Games: []card.Game{{Game: "cia"}, {Game: "mole"}}}
	for _, x := range []struct {
		usage []card.Usage
		want  float64
	}{
		{nil, 0}, {[]card.Usage{{CostUSD: 1}}, 0}, {[]card.Usage{{CostUSD: 1}, {InputTokens: 7}}, 0}, {[]card.Usage{{CostUSD: 1}, {CostUSD: 2}}, 3},
	} {
		c.Run.Usage = x.usage
		must.Same(t, fmt.Sprintf("%+v", x.usage), jobs.Summarise(c).CostUSD, x.want)
	}
}

// What follows is checked, what does not is refused with the first place and without its decisions, and a failure of the platform is tried
// again until it is one too many.
func TestCardsAreCheckedOrRefusedInWords(t *testing.T) {
	on(t, storetest.SQLite, func(t *testing.T, w *world) {
		u := w.NewUser("u")
		for _, hash := range []string{"good", "forged", "broken", "panics"} {
			w.Did(w.UploadCard(w.Ctx, tournament.Card{Hash: hash, OwnerID: u.ID, Card: hash, Decisions: "of " + hash}, 10, 10))
		}
		w.Must(w.SQL(w.Ctx).Exec("UPDATE cards SET tries = 2 WHERE hash IN ('broken', 'panics')").Error)
		c := w.config(newBots())
		c.Card = func(_ context.Context, text, decisions string, pause func()) (card.Card, error) {
			pause()
			switch {
			case decisions != "of "+text:
				return card.Card{}, fmt.Errorf("%w: got %q of %q", card.ErrCard, decisions, text)
			case text == "forged":
				return card.Card{}, fmt.Errorf("%w: /clean/value is 9", card.ErrCard)
			case text == "broken":
				return card.Card{}, errors.New("no memory")
			case text == "panics":
				panic("ouch")
			}
			return card.Card{
				Subject: card.Subject{Name: "Fox"}, Plan: card.Plan{Name: "quick"}, Pool: card.Pool{Version: 1}, Clean: card.Estimate{Value: 40, Low: 30, High: 50}.Rounded(),
				Games: []card.Game{{Game: "cia", Matches: 72, Clean: card.Estimate{Value: 40, Low: 30, High: 50}.Rounded()}}, Run: card.Run{Usage: []card.Usage{{InputTokens: 3, OutputTokens: 4, CostUSD: .5}}},
			}, nil
		}
		stop := w.run(c)
		for hash, want := range map[string]tournament.Card{
			"good":   {State: tournament.CardChecked, Decisions: "of good"},
			"forged": {State: tournament.CardRefused, Reason: "/clean/value is 9"},
			"broken": {State: tournament.CardRefused, Reason: "the platform failed at it in 3 tries; its operator finds in the log why"},
			"panics": {State: tournament.CardRefused, Reason: "the platform failed at it in 3 tries; its operator finds in the log why"},
		} {
			w.until("the check of "+hash, func() bool {
				got := must.Get(w.Card(w.Ctx, hash))(w.T)
				return got.State == want.State && got.Reason == want.Reason && got.Decisions == want.Decisions && got.EndedAt != nil
			})
		}
		listed := must.First(w.CheckedCards(w.Ctx, store.Page{}))(w.T)
		want := tournament.CardSummary{
			Subject: "Fox", Plan: "quick", Pool: 1, Games: []tournament.CardStrength{{Game: "cia", Clean: tournament.Mean{Value: 40, Low: 30, High: 50}}},
			Clean: tournament.Mean{Value: 40, Low: 30, High: 50}, Matches: 72, Tokens: 7, CostUSD: .5,
		}
		if len(listed) != 1 || listed[0].Hash != "good" || !reflect.DeepEqual(listed[0].Summary, want) {
			t.Errorf("listed are %+v, want good with %+v", listed, want)
		}
		stop()
	})
}

// A card with matches of one that another user had uploaded before names that one, whatever it calls its agent; one's own, and other matches, name none.
func TestACardWithAnothersMatchesNamesTheirs(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		u, v := w.NewUser("u"), w.NewUser("v")
		c := w.config(newBots())
		c.Card = func(_ context.Context, text, _ string, _ func()) (out card.Card, err error) {
			err = json.Unmarshal([]byte(text), &out)
			return out, err
		}
		stop := w.run(c)
		first := ""
		for _, x := range []struct {
			name  string
			owner tournament.User
			games []card.Game
			want  string // the game whose matches were there
		}{
			{"original", u, []card.Game{{Game: "cia", Played: "c1"}, {Game: "demol", Played: "d1"}}, ""},
			{"copy", v, []card.Game{{Game: "cia", Played: "c1"}, {Game: "demol", Played: "d1"}}, "cia"},
			{"half a copy", v, []card.Game{{Game: "cia", Played: "c2"}, {Game: "demol", Played: "d1"}}, "demol"},
			{"a new build", u, []card.Game{{Game: "cia", Played: "c1"}}, ""},
			{`of "played": "c3"`, u, []card.Game{{Game: "mole", Played: "m1"}}, ""},
			{"honest", v, []card.Game{{Game: "cia", Played: "c3"}}, ""},
		} {
			made := card.Card{Format: card.Format, Subject: card.Subject{Name: x.name}, Program: "p", Games: x.games}
			text := must.Get(made.JSON())(w.T)
			hash := must.Get(made.Hash())(w.T)
			w.Clock.Move(time.Second)
			w.Did(w.UploadCard(w.Ctx, tournament.Card{Hash: hash, OwnerID: x.owner.ID, Card: string(text), Decisions: "AAAA"}, 10, 10))
			var got tournament.Card
			w.until("the check of "+x.name, func() bool {
				got = must.Get(w.Card(w.Ctx, hash))(w.T)
				return got.EndedAt != nil
			})
			want := ""
			if x.want != "" {
				want = "its matches of " + x.want + " are those of card " + first + ", which another user had uploaded before"
			}
			if got.State != tournament.CardChecked || got.Reason != want {
				t.Errorf("%s is %s, with %q, want %q", x.name, got.State, got.Reason, want)
			}
			if first == "" {
				first = hash
			}
		}
		stop()
	})
}

// Workers that stop in good order are no tries.
func TestACardOutlivesAnyNumberOfRestarts(t *testing.T) {
	on(t, storetest.SQLite, func(t *testing.T, w *world) {
		u := w.NewUser("u")
		w.Did(w.UploadCard(w.Ctx, tournament.Card{Hash: "good", OwnerID: u.ID, Card: "good", Decisions: "AAAA"}, 10, 10))
		for range 5 {
			begun := make(chan struct{}, 1)
			c := w.config(newBots())
			c.Card = func(ctx context.Context, _, _ string, _ func()) (card.Card, error) {
				begun <- struct{}{}
				<-ctx.Done()
				return card.Card{}, ctx.Err()
			}
			stop := w.run(c)
			w.until("the check", func() bool { return len(begun) > 0 })
			stop()
			if got, err := w.Card(w.Ctx, "good"); err != nil || got.State != tournament.CardWaiting || got.Tries != 0 || got.Decisions == "" {
				t.Fatalf("after the worker has stopped: %+v (%v)", got, err)
			}
		}
	})
}
