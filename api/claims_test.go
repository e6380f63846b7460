package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// claimant plays at random, says what it used, and believes what the rules alone tell.
type claimant struct{ nodder }

func (claimant) Ask(_ context.Context, b runner.Briefing, a runner.Ask) runner.Reply {
	var offer struct{ List, Examples []json.RawMessage }
	if err := json.Unmarshal(a.Offer, &offer); err != nil {
		panic(err)
	}
	var r runner.Reply
	r.Choose = new((7*a.Step + int(b.Seat)) % (len(offer.List) + len(offer.Examples)))
	r.Usage = &claim.Usage{Model: "m-1", InputTokens: 1000, OutputTokens: 10, CostUSD: 0.01}
	if len(a.Asks) > 0 {
		r.Belief = claim.ByRules(a.Asks)
	}
	r.Ledger = runner.Ledger{Elapsed: time.Millisecond}
	return r
}

func TestClaimsAreShownOnceTheMatchIsOpen(t *testing.T) {
	onSQLite(t, func(c *api.Config) { c.Engines = append(engines(), catalog.All()...) }, func(w *world) {
		e, _ := catalog.Find("demol")
		config, err := e.Configure(nil, 5)
		must.OK(t, err)
		_, list := w.started(func(x *tournament.Tournament) {
			x.Game, x.Config, x.Table, x.Beliefs = "demol", config, 5, true
		}, owner, other, organiser, rival, admin)
		m := list[0]
		w.playOn(m, e, 4, claimant{})
		m = w.matchOf(m.ID)
		read := func(who, path string) string { return string(w.get(who, path).want(200, "").body) }
		for _, path := range []string{"/v1/matches/" + m.ID, "/matches/" + m.ID} {
			if text := read(owner, path); strings.Contains(text, "usage") || strings.Contains(text, "What the bots claim") {
				t.Errorf("%s of a match that runs shows claims", path)
			}
		}
		w.release(m) // to be played on
		w.playOn(w.matchOf(m.ID), e, 10_000, claimant{})
		m = w.matchOf(m.ID)
		var dto wire.Match
		must.OK(t, json.Unmarshal([]byte(read(owner, "/v1/matches/"+m.ID)), &struct{ Match *wire.Match }{&dto}))
		if !dto.Beliefs || dto.Outcome == nil || len(dto.Outcome.Usage) != 5 || len(dto.Outcome.Beliefs) != 5 {
			t.Fatalf("the match has %+v, want usage and beliefs of five seats", dto.Outcome)
		}
		scoredSeats := 0
		for _, seat := range m.Seats {
			got := dto.Outcome.Usage[seat.Seat]
			if n := got.Decisions; n == 0 || got.InputTokens != int64(1000*n) || got.OutputTokens != int64(10*n) || got.CostUSD != float64(n)/100 {
				t.Errorf("seat %d used %+v", seat.Seat, got)
			}
			believed := dto.Outcome.Beliefs[seat.Seat]
			if (believed.Beliefs == 0) != (believed.Brier == 0) || believed.Brier != believed.RulesBrier || believed.Log != believed.RulesLog {
				t.Errorf("seat %d, which believes what the rules tell, has %+v", seat.Seat, believed)
			}
			if n := believed.Beliefs; n > 0 {
				scoredSeats++
				must.Say(t, read(anon, "/bots/"+seat.BotID), fmt.Sprintf("%d of its beliefs in De Mol score %.4f (Brier", n, believed.Brier))
			}
			if seat.OwnerID == w.users[owner].ID {
				own := read(owner, fmt.Sprintf("/v1/matches/%s/decisions?seat=%d", m.ID, seat.Seat))
				must.Say(t, own, `"usage":{"model":"m-1","input_tokens":1000`, "not", "was dropped")
				must.Say(t, read(anon, "/bots/"+seat.BotID), fmt.Sprintf("By its own account it used in these matches: %d tokens in", got.InputTokens))
			}
		}
		holds(t, "a seat's beliefs are scored", scoredSeats > 0)
		must.Say(t, read(anon, "/v1/matches/export"), `"beliefs":[{"beliefs":`)
		rows := regexp.MustCompile(`<td class="n">([0-9.]+)</td><td class="n">([0-9.]+)</td><td class="n">([0-9.]+)</td><td class="n">([0-9.]+)</td></tr>`)
		_, page, found := strings.Cut(read(anon, "/matches/"+m.ID), "What the bots claim")
		page, _, _ = strings.Cut(page, "</section>")
		scored := rows.FindAllStringSubmatch(page, -1)
		if !found || len(scored) != 3 { // the moles know each other: nothing is hidden from them
			t.Fatalf("the page scores %d seats, want the three agents:\n%s", len(scored), page)
		}
		for _, x := range scored {
			if x[1] != x[2] || x[3] != x[4] || x[1] == "0.0000" {
				t.Errorf("who believes what the rules tell has the scores %v, want those of the rules", x[1:])
			}
		}
		rec, err := replay.Verify(bytes.NewReader(w.get(anon, "/v1/matches/"+m.ID+"/replay").want(200, "").body), catalog.Find)
		if err != nil || !strings.Contains(string(rec.Steps[1].Turns[0].Usage), "m-1") {
			t.Errorf("the record: %v", err)
		}
	})
}
