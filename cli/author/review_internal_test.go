package author

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/review/report"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
)

// A platform on which the bot, in seat 1, has lost matches, the last first; of those with a review it says what it costs.
func platformWithLosses(t *testing.T, list []wire.Match, reviews map[string]wire.MatchReview) *client.Client {
	t.Helper()
	mux := http.NewServeMux()
	answer := func(w http.ResponseWriter, status int, v any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		if err := json.NewEncoder(w).Encode(v); err != nil {
			t.Error(err)
		}
	}
	mux.HandleFunc("GET /v1/bots/b/matches", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, wire.Page[wire.Match]{Data: list}) })
	mux.HandleFunc("GET /v1/matches/{id}/review", func(w http.ResponseWriter, r *http.Request) {
		if got, ok := reviews[r.PathValue("id")]; ok {
			answer(w, 200, got)
			return
		}
		answer(w, 404, wire.Problem{Code: "not_found"})
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return client.New(s.URL)
}

func TestBotShowNamesWhatCostTheLastLostLadderMatch(t *testing.T) {
	match := func(id, ladder, tournament string, rank ...int) wire.Match {
		return wire.Match{
			ID: id, LadderID: ladder, TournamentID: tournament, Outcome: &wire.Outcome{Rank: rank},
			Seats: []wire.MatchSeat{{Seat: 0, BotID: "a"}, {Seat: 1, BotID: "b"}},
		}
	}
	won, cup, challenge := match("won", "molehill", "", 2, 1), match("cup", "molehill", "t", 1, 2), match("challenge", "", "", 1, 2)
	first, second := match("first", "molehill", "", 1, 2), match("second", "molehill", "", 1, 2)
	done := func(costliest ...int) wire.MatchReview {
		return wire.MatchReview{State: "done", Report: &report.Report{
			Decisions: []report.Decision{{Step: 1, Seat: 0, Regret: 0.5}, {Step: 2, Seat: 1, Words: "digs at c3", BetterWords: "\x1b[2Jwaits", Mark: "blunder", Regret: 0.314, Low: 0.2, High: 0.4}},
			Seats:     []report.Summary{{Seat: 0, Costliest: []int{0}}, {Seat: 1, Costliest: costliest}},
		}}
	}
	const cost = ": step 2, seat 1 digs at c3 (blunder): cost 31 points of a hundred, 20 to 40; better: "
	for what, x := range map[string]struct {
		list    []wire.Match
		reviews map[string]wire.MatchReview
		out     string
		next    string
	}{
		"nothing was lost on a ladder": {[]wire.Match{won, cup, challenge}, nil, "", ""},
		"the last has no review":       {[]wire.Match{won, cup, challenge, first}, nil, "", "next: molerun bot review first"},
		"the last has one":             {[]wire.Match{won, first, second}, map[string]wire.MatchReview{"first": done(1), "second": done(1)}, "lost first" + cost, ""},
		"the one before has one":       {[]wire.Match{first, second}, map[string]wire.MatchReview{"second": done(1)}, "lost second" + cost, "next: molerun bot review first"},
		"the last is being reviewed":   {[]wire.Match{first}, map[string]wire.MatchReview{"first": {State: "running"}}, "", ""},
		"nothing is certain":           {[]wire.Match{first}, map[string]wire.MatchReview{"first": done()}, "lost first: no decision is certain", ""},
	} {
		call := platformWithLosses(t, x.list, x.reviews)
		var out, errs bytes.Buffer
		g := &account.Group{Console: command.Console{Out: &out, Err: &errs}}
		got, err := lossOf(t.Context(), call, wire.Bot{ID: "b"})
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		got.tell(&out, g, call.Base)
		if !strings.HasPrefix(out.String(), x.out) || (x.out == "") != (out.Len() == 0) || !strings.HasPrefix(errs.String(), x.next) || (x.next == "") != (errs.Len() == 0) {
			t.Errorf("%s: got %q and %q, want %q and %q", what, out.String(), errs.String(), x.out, x.next)
		}
		if strings.Contains(out.String(), "\x1b") || got.Costliest != nil && !strings.HasSuffix(out.String(), call.Base+"/matches/"+got.Match+"?step=2\n") {
			t.Errorf("%s: got %q, want text that is safe and the link to the step", what, out.String())
		}
	}
}
