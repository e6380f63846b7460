package api_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/review/report"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// verdicts is a report on a match of some steps: seat 0 decides in odd steps, seat 1 in even ones, and step 2 was a blunder.
func verdicts(m tournament.Match, steps int) report.Report {
	out := report.Report{
		Game: m.Game, Rules: strconv.Itoa(m.RulesVersion), Valuer: report.Valuer{Name: "playouts", Version: 1, Hash: "ab12"}, Playouts: 800,
		Steps: []report.Position{}, Decisions: []report.Decision{},
	}
	for step := range steps + 1 {
		p := report.Position{Step: step, Luck: make([]float64, len(m.Seats))}
		for seat := range m.Seats {
			p.Values = append(p.Values, report.Estimate{Value: 0.5 + 0.4*float64(step*(1-2*(seat%2)))/float64(steps), Error: 0.02})
		}
		out.Steps = append(out.Steps, p)
		if step == 0 {
			continue
		}
		d := report.Decision{
			Step: step, Seat: game.Seat((step + 1) % 2), Phase: "play", Action: json.RawMessage(`{"nod":0}`), Words: "nods to seat 0", Low: -0.02, High: 0.02,
			Mark: report.Best,
		}
		if step == 2 {
			d.Better, d.BetterWords, d.Regret, d.Low, d.High, d.Mark, d.House = json.RawMessage(`{"nod":1,"say":"it's"}`), "nods to seat 1", 0.31, 0.25, 0.37, report.Blunder, true
		}
		out.Decisions = append(out.Decisions, d)
	}
	for seat := range m.Seats {
		out.Seats = append(out.Seats, report.Summary{
			Seat: game.Seat(seat), Phases: []report.Accuracy{{Phase: "play", Decisions: steps / 2, Accuracy: 0.9}}, Costliest: []int{}, Luck: 0.05,
		})
	}
	out.Seats[1].Costliest = []int{1}
	return out
}

// review makes the review of a match that is over, as a worker does.
func (w *world) review(m tournament.Match, made report.Report) {
	w.t.Helper()
	_, err := w.store.AskReview(w.t.Context(), m.ID, false, 100)
	must.OK(w.t, err)
	w.makes(func(r *tournament.MatchReview) {
		r.State = tournament.ReviewDone
		r.Report, err = json.Marshal(made)
	})
	must.OK(w.t, err)
}

// makes settles the review that is due.
func (w *world) makes(settle func(r *tournament.MatchReview)) {
	w.t.Helper()
	r, err := w.store.ClaimReview(w.t.Context(), time.Hour)
	if err == nil && r == nil {
		err = errors.New("no review is due")
	}
	must.OK(w.t, err)
	settle(r)
	must.OK(w.t, w.store.SaveReview(w.t.Context(), *r, 0))
}

func TestAMatchHasOneReviewOnceAllOnItsDealAreOver(t *testing.T) {
	onBoth(t, func(w *world) {
		_, list := w.started(func(c *tournament.Tournament) { c.Game, c.Duplicate = "openmasks", true }, owner, other)
		m, at := list[0], "/v1/matches/"+list[0].ID+"/review"
		refused := func(when string) {
			t.Helper()
			for _, who := range people() {
				w.do(who, "POST", at, nil).want(409, "wrong_state")
				w.do(who, "GET", at, nil).want(409, "wrong_state")
			}
			if _, err := w.store.Review(t.Context(), m.ID); !errors.Is(err, tournament.ErrNotFound) {
				t.Errorf("%s there is a review (%v)", when, err)
			}
		}
		refused("before the match")
		w.play(m, 100)
		refused("while another on its deal is not over")
		w.play(list[1], 100)
		none := w.get(anon, at).want(404, "not_found")
		holds(t, "a match without a review says how to ask for one: "+string(none.body), strings.Contains(string(none.body), "POST "+at))

		first := into[wire.MatchReview](w.do(anon, "POST", at, nil).want(202, ""))
		same(t, "its state", first.State, "waiting")
		for _, who := range people() {
			same(t, "asked again by "+who, into[wire.MatchReview](w.do(who, "POST", at, nil).want(202, "")), first)
		}
		w.makes(func(r *tournament.MatchReview) {
			same(t, "the owner of a bot in it asked", r.ByOwner, true)
			same(t, "its state while it is made", into[wire.MatchReview](w.get(anon, at).want(200, "")).State, "running")
			r.State, r.Reason = tournament.ReviewFailed, "it took longer than 5m0s"
		})
		failed := into[wire.MatchReview](w.get(anon, at).want(200, ""))
		same(t, "a review that failed", failed.State+": "+failed.Reason, "failed: it took longer than 5m0s")
		same(t, "asked for again", into[wire.MatchReview](w.do(other, "POST", at, nil).want(202, "")).State, "waiting")
		w.makes(func(r *tournament.MatchReview) {
			r.State = tournament.ReviewDone
			r.Report, _ = json.Marshal(verdicts(m, 3))
		})
		done := w.do(anon, "POST", at, nil).want(202, "")
		same(t, "its state at last", into[wire.MatchReview](done).State, "done")
		var got struct {
			Report map[string]any `json:"report"`
		}
		must.OK(t, json.Unmarshal(w.get(anon, at).want(200, "").body, &got))
		var want map[string]any
		raw, _ := json.Marshal(verdicts(m, 3))
		must.OK(t, json.Unmarshal(raw, &want))
		if !reflect.DeepEqual(got.Report, want) {
			t.Errorf("the report got %v, want all that the reviewer wrote: %v", got.Report, want)
		}
	})
}

func TestStrangersCannotFillTheReviews(t *testing.T) {
	onOneWith(t, func(c *api.Config) {
		c.Limits.Reviews, c.Limits.Review = 2, httpx.Rate{Count: 2, Per: time.Hour}
	}, func(w *world) {
		_, list := w.played(func(c *tournament.Tournament) { c.Cycles = 4 }, owner, other)
		ask := func(who string, i int) answer { return w.do(who, "POST", "/v1/matches/"+list[i].ID+"/review", nil) }
		waits := func(what string, got answer) {
			t.Helper()
			got.want(429, "rate_limited")
			seconds, err := strconv.Atoi(got.header.Get("Retry-After"))
			holds(t, what+": "+string(got.body), err == nil && bytes.Contains(got.body, fmt.Appendf(nil, "try again in %d s", seconds)))
		}
		ask(anon, 0).want(202, "")
		ask(anon, 1).want(202, "")
		waits("a third of an address", ask(anon, 2))
		ask(anon, 0).want(202, "") // what was asked for costs nothing
		waits("a third that waits", ask(rival, 2))
		ask(owner, 2).want(202, "")
		ask(other, 3).want(202, "")
	})
}

func TestThePageOfAMatchShowsItsReview(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(c *tournament.Tournament) { c.Cycles = 2 }, owner, other)
		m, at := list[0], "/matches/"+list[0].ID
		page := func(query string) string {
			t.Helper()
			return string(w.visits("", at+query, nil).want(200, "").body)
		}
		shows := func(what, page string, want ...string) {
			t.Helper()
			for _, text := range want {
				must.Say(t, page, text)
			}
		}
		w.play(m, 2)
		if got := page(""); strings.Contains(got, `/review"`) || strings.Contains(got, `id="review"`) {
			t.Error("the page of a match that runs offers a review")
		}
		w.visits("", at+"/review", url.Values{}).want(409, "")
		w.goOn(m, 100)
		shows("a match without a review", page(""), `<form method="post" action="`+at+`/review">`)
		w.visits("", at+"/review", url.Values{}, "Sec-Fetch-Site", "cross-site").want(403, "")
		got := w.visits(w.browser(owner), at+"/review", url.Values{}).want(http.StatusSeeOther, "")
		same(t, "where the button leads", got.header.Get("Location"), at+"#review")
		shows("a match that is being reviewed", page(""), "is being reviewed: it waits", `data-live="poll"`, `<noscript><p><a href="`+at+`#review">Look again</a></p></noscript>`)
		w.makes(func(r *tournament.MatchReview) {
			same(t, "the button knows who is logged in", r.ByOwner, true)
			r.State, r.Reason = tournament.ReviewFailed, "<it> failed"
		})
		shows("a review that failed", page(""), "&lt;it&gt; failed", "Review this match again")
		w.visits("", at+"/review", url.Values{}).want(http.StatusSeeOther, "")
		w.makes(func(r *tournament.MatchReview) {
			r.State = tournament.ReviewDone
			r.Report, _ = json.Marshal(verdicts(m, w.matchOf(m.ID).Steps))
		})
		names := []string{m.Seats[0].BotName, m.Seats[1].BotName}
		blunder := `<span class="verdict blunder spoil">` + names[1] + `, by the house: blunder</span>`
		done := page("")
		shows("a match that is reviewed", done, "Chance to win by step", blunder, `data-marks="{`, names[1]+" nods to "+names[0], "better was: nods to "+names[1],
			"31 points of a hundred (25 to 37)", `50 % ± 4`,
			"molerun replay fork "+m.ID+".replay.jsonl.gz --at 1 --seat 1 --action &#39;{&#34;nod&#34;:1,&#34;say&#34;:&#34;it&#39;\\&#39;&#39;s&#34;}&#39;")
		if strings.Contains(done, "data-live") || strings.Contains(done, "http-equiv") {
			t.Error("the page of a review that is done is loaded again and again")
		}
		hidden := page("?step=1&spoilers=hide")
		shows("hidden results", hidden, `<div class="reviewed spoil"`)
		must.Say(t, hidden, "not", blunder)
		must.Say(t, string(w.visits("", "/embed"+at, nil).want(200, "").body), "not", `id="review"`)
	})
}
