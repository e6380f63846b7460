package api_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/jobs"
)

// upload returns a card that differs from all others, with decisions.
func (w *world) upload() map[string]any {
	w.t.Helper()
	w.cards++
	c := card.Card{
		Format: card.Format, Subject: card.Subject{Name: fmt.Sprintf("<b>agent %d</b>", w.cards), Build: "b1"}, Program: "molerun test",
		Plan: card.Plan{Name: "quick", Hash: "ab"}, Pool: card.Pool{Version: 1, Hash: "cd"}, Clean: card.Estimate{Value: 40, Low: 30, High: 50}.Rounded(), WithErrors: card.Estimate{Value: 20, Low: 10, High: 30}.Rounded(),
		Games: []card.Game{{
			Game: "demol", Variant: "base", Rules: 1, Seats: 5, Matches: 72, Decisions: 900, Faulty: 3, Faults: []card.Fault{}, ByRole: []card.Share{}, BySeat: []card.Share{},
			Clean: card.Estimate{Value: 40, Low: 30, High: 50}.Rounded(), WithErrors: card.Estimate{Value: 20, Low: 10, High: 30}.Rounded(), Opponents: []card.Opponent{{Bot: "greedy", Pairs: 12, Share: card.Estimate{Value: .8, Low: .7, High: .9}.Rounded(), Beaten: true}},
			Beliefs: &card.Beliefs{Beliefs: 900, Brier: .3125, RulesBrier: .4, Log: .7071},
		}},
		Run: card.Run{Times: []card.Times{{Game: "demol", MedianUS: 812_345, P95US: 4_567_890}}, Usage: []card.Usage{{Game: "demol", Decisions: 900, InputTokens: 123456}}, Records: []card.Record{}},
	}
	var packed bytes.Buffer
	must.OK(w.t, gzip.NewWriter(&packed).Close())
	return map[string]any{"card": c, "decisions": base64.StdEncoding.EncodeToString(packed.Bytes())}
}

// card returns the hash of a card of owner's, in a state.
func (w *world) card(state tournament.CardState) string {
	w.t.Helper()
	body := w.upload()
	x := body["card"].(card.Card)
	text, err := x.JSON()
	must.OK(w.t, err)
	hash, err := x.Hash()
	must.OK(w.t, err)
	ctx := w.t.Context()
	_, err = w.store.UploadCard(ctx, tournament.Card{Hash: hash, OwnerID: w.users[owner].ID, Card: string(text), Decisions: body["decisions"].(string)}, 1000, 1000)
	must.OK(w.t, err)
	if state != tournament.CardWaiting {
		w.checked(hash, state, "")
	}
	return hash
}

// checked writes what came of a card's check, as a worker does.
func (w *world) checked(hash string, state tournament.CardState, reason string) {
	w.t.Helper()
	for {
		c, err := w.store.ClaimCard(w.t.Context(), 1<<40)
		if err != nil || c == nil {
			w.t.Fatalf("got %v (%v), want card %s", c, err, hash)
		}
		if c.Hash != hash {
			continue // of another request
		}
		c.State, c.Reason = state, reason
		if x, err := card.Read([]byte(c.Card)); err == nil && state == tournament.CardChecked {
			c.Summary = jobs.Summarise(x)
		}
		must.OK(w.t, w.store.SaveCard(w.t.Context(), *c, 0))
		return
	}
}

// A card is seen by its owner alone until it was checked, then by everybody; what is refused says why to its owner.
func TestACardIsShownOnceItWasChecked(t *testing.T) {
	onOne(t, func(w *world) {
		body := w.upload()
		up := into[wire.UploadedCard](w.do(owner, "POST", "/v1/cards", body).want(202, ""))
		again := into[wire.UploadedCard](w.do(owner, "POST", "/v1/cards", body).want(202, ""))
		if up.State != "waiting" || up.Card != nil || again.Hash != up.Hash {
			t.Errorf("got %+v, and again %+v", up, again)
		}
		hidden := func() {
			t.Helper()
			w.get(anon, "/v1/cards/"+up.Hash).want(404, "not_found")
			w.get(anon, "/cards/"+up.Hash).want(404, "")
			must.Say(t, string(w.get(anon, "/cards").want(200, "").body), "There is no card yet")
			w.get(anon, "/cards/"+up.Hash+"/badge.svg").want(404, "")
		}
		hidden()
		w.do(other, "DELETE", "/v1/cards/"+up.Hash, nil).want(404, "not_found")
		w.checked(up.Hash, tournament.CardRefused, "/clean/value is 40 in the card, and the records give 39")
		hidden()
		if got := into[wire.UploadedCard](w.get(owner, "/v1/cards/"+up.Hash).want(200, "")); got.State != "refused" || !strings.Contains(got.Reason, "/clean/value is 40") {
			t.Errorf("got %+v, want why", got)
		}
		// While the card of one waits or is being checked, another hears that theirs is not taken; once it was refused, theirs is.
		w.do(other, "POST", "/v1/cards", body).want(202, "")
		w.do(owner, "POST", "/v1/cards", body).want(429, "rate_limited")
		if c, err := w.store.ClaimCard(w.t.Context(), 0); err != nil || c == nil || c.OwnerID != w.users[other].ID {
			t.Fatalf("got %+v (%v)", c, err)
		}
		w.do(owner, "POST", "/v1/cards", body).want(429, "rate_limited")
		w.checked(up.Hash, tournament.CardRefused, "the records give 39")
		w.do(owner, "POST", "/v1/cards", body).want(202, "")
		w.checked(up.Hash, tournament.CardChecked, "its matches are those of another")
		w.do(other, "POST", "/v1/cards", body).want(202, "").has("state", "checked")
		if got := into[wire.UploadedCard](w.get(anon, "/v1/cards/"+up.Hash).want(200, "")); got.State != "checked" || !strings.Contains(string(got.Card), `agent 1`) || got.Decisions != body["decisions"] {
			t.Errorf("got %+v, want the card and its decisions", got)
		}
		page := string(w.get(anon, "/cards/"+up.Hash).want(200, "").body)
		must.Say(t, page, "&lt;b&gt;agent 1&lt;/b&gt;", "40 [30, 50]", "20 [10, 30]", "0.3125", "0.7071", "812.3", "4567.9", "123456", "80 % [70, 90]", "plan quick", "Who decided is not proven; the name, the build, the clock", "But its matches are those of another.")
		must.Say(t, page, "not", "<b>agent")
		listed := w.get(anon, "/v1/cards").want(200, "")
		listed.has("data/#", 1, "data/0/hash", up.Hash, "data/0/summary/subject", "<b>agent 1</b>", "data/0/summary/games/0/clean/value", 40)
		must.Say(t, string(w.get(anon, "/cards").want(200, "").body), `<a href="/cards/`+up.Hash+`">&lt;b&gt;agent 1&lt;/b&gt;</a>`, "not", "<svg class=\"plot")
		w.do(other, "DELETE", "/v1/cards/"+up.Hash, nil).want(403, "not_yours")
		w.do(admin, "DELETE", "/v1/cards/"+up.Hash, nil).want(204, "")
		hidden()
	})
}

func TestABadUploadIsRefusedBeforeItWaits(t *testing.T) {
	onOneWith(t, func(c *api.Config) { c.Limits.Card = httpx.Rate{Count: 2, Per: 1 << 42}; c.Limits.Cards = 1 }, func(w *world) {
		for name, x := range map[string]struct {
			key   string
			value any
			want  string
		}{
			"no card":              {"card", map[string]any{"format": "card/9"}, "/card"},
			"no base64":            {"decisions", "?", "/decisions"},
			"no gzip":              {"decisions", "AAAA", "/decisions"},
			"another kind of card": {"card", map[string]any{"x": 1}, "/card"},
		} {
			body := w.upload()
			body[x.key] = x.value
			if got := w.do(owner, "POST", "/v1/cards", body).want(422, "invalid"); !bytes.Contains(got.body, []byte(x.want)) {
				t.Errorf("%s: got %s", name, got.body)
			}
		}
		w.do(owner, "POST", "/v1/cards", w.upload()).want(202, "")
		w.do(owner, "POST", "/v1/cards", w.upload()).want(409, "limit_reached")
		if got := w.do(owner, "POST", "/v1/cards", w.upload()).want(429, "rate_limited"); got.header.Get("Retry-After") == "" {
			t.Error("it does not say how long to wait")
		}
	})
}
