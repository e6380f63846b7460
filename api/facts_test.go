package api_test

import (
	"encoding/csv"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/series"
	"github.com/molerun/molerun/tournament/store"
)

// event is a tournament that is played by luck, while bots are paused, come back and withdraw.
type event struct {
	*world
	cup  tournament.Tournament
	bots []tournament.Bot
	r    *game.Rand
	// drawn is the chance in a hundred that a match is drawn.
	drawn int
}

// run plays the event to its end.
func (x *event) run(cup tournament.Tournament) {
	x.t.Helper()
	ctx := x.t.Context()
	x.begin(cup, x.bots...)
	for step := 0; ; step++ {
		var err error
		if x.cup, err = x.store.Tournament(ctx, cup.ID); err != nil || x.cup.Status == tournament.Finished || step > 100 {
			must.OK(x.t, err)
			break
		}
		list, _, err := x.store.Matches(ctx, store.MatchFilter{TournamentID: cup.ID, Status: tournament.MatchQueued}, store.Page{Sort: store.Oldest})
		must.OK(x.t, err)
		for i, m := range list {
			if i == len(list)-1 { // what happens now, the next round sees
				x.happen()
			}
			x.decide(m)
		}
		if len(list) == 0 { // it waits for bots
			for _, b := range x.bots {
				_, err := directortest.Greet(ctx, x.store, x.director, b.ID, "")
				must.OK(x.t, err)
			}
			must.OK(x.t, x.director.Advance(ctx, cup.ID))
		}
	}
	if x.cup.Status != tournament.Finished {
		x.t.Fatalf("%s is %s", x.cup.Name, x.cup.Status)
	}
}

// happen pauses bots, brings them back and withdraws one.
func (x *event) happen() {
	x.t.Helper()
	for _, b := range x.bots {
		failure := ""
		if x.r.IntN(4) == 0 {
			failure = "it is away"
		}
		if _, err := directortest.Greet(x.t.Context(), x.store, x.director, b.ID, failure); err != nil {
			x.t.Fatal(err)
		}
	}
	if b := x.bots[x.r.IntN(len(x.bots))]; x.r.IntN(3) == 0 {
		_, _ = x.director.Withdraw(x.t.Context(), x.cup.ID, b.ID, b.OwnerID) // refused the second time
	}
}

// decide ends a match by luck, unless a withdrawal has.
func (x *event) decide(m tournament.Match) {
	x.t.Helper()
	if now, err := x.store.Match(x.t.Context(), m.ID); err == nil && now.Status.Over() {
		return
	}
	m, _, err := x.director.Claim(x.t.Context(), store.PlayMatch{MatchID: m.ID, Epoch: m.Epoch}, "test", time.Minute)
	must.OK(x.t, err)
	o := directortest.Won(m, x.r.IntN(2))
	if x.r.IntN(100) < x.drawn {
		o = directortest.Won(m, -1)
		o.Rank, o.Result.Rank = []int{1, 1}, []int{1, 1}
	}
	must.OK(x.t, x.director.Finish(x.t.Context(), m, o, nil))
}

var (
	podiumFirst = regexp.MustCompile(`<li class="first">.*?<a href="/bots/([^"]+)">`)
	feedTitles  = regexp.MustCompile(`<title>(.*?)</title>`)
)

// facts compares what the API, the page, the files, the feed, the bracket and a series say.
func (x *event) facts() {
	x.t.Helper()
	path := "/v1/tournaments/" + x.cup.ID
	lines := into[wire.Page[tournament.Standing]](x.get(anon, path+"/standings?limit=100").want(200, "")).Data
	var first, names []string
	for _, l := range lines {
		if l.Rank == 1 {
			first, names = append(first, l.BotID), append(names, l.Bot)
		}
	}
	same := func(what string, got, want any) {
		x.t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			x.t.Errorf("%s: %s says %v, the standings %v", x.cup.Name, what, got, want)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(string(x.get(anon, path+"/export?table=standings").want(200, "").body))).ReadAll()
	must.OK(x.t, err)
	for i, l := range lines {
		same("the file", rows[i+1][:2], []string{strconv.Itoa(l.Rank), l.BotID})
	}
	if played := slices.ContainsFunc(lines, func(l tournament.Standing) bool { return l.Played > 0 && l.Rank <= 3 }); played {
		var podium []string
		for _, found := range podiumFirst.FindAllStringSubmatch(string(x.get(anon, "/tournaments/"+x.cup.ID).want(200, "").body), -1) {
			podium = append(podium, found[1])
		}
		same("the page", podium, first)
	}
	titles := feedTitles.FindAllStringSubmatch(string(x.get(anon, "/news.atom").want(200, "").body), -1)
	if !slices.ContainsFunc(titles, func(t []string) bool { return strings.HasPrefix(t[1], strings.Join(names, " and ")+" won "+x.cup.Name) }) {
		x.t.Errorf("%s: the feed says %v, the standings that %v are first", x.cup.Name, titles, names)
	}
	x.champion(path, lines)
	x.paid(lines)
}

// champion compares who won the last tie of a bracket with who is first.
func (x *event) champion(path string, lines []tournament.Standing) {
	x.t.Helper()
	rounds := into[wire.Page[wire.Round]](x.get(anon, path+"/bracket?limit=100").want(200, "")).Data
	tie, winner := 0, ""
	for _, r := range rounds {
		for _, t := range r.Tables {
			if t.Tie >= tie && t.Winner != "" {
				tie, winner = t.Tie, t.Winner
			}
		}
		for _, f := range r.Forfeits {
			if f.Tie > 0 && f.Tie >= tie {
				tie, winner = f.Tie, f.Winner
			}
		}
	}
	if tie > 0 && (lines[0].Bot != winner || len(lines) > 1 && lines[1].Rank == 1) {
		x.t.Errorf("%s: the bracket says that %s won tie %d, its last; the standings begin with %s\n%+v", x.cup.Name, winner, tie, lines[0].Bot, rounds)
	}
}

// paid compares what a series gives for the ranks with who played.
func (x *event) paid(lines []tournament.Standing) {
	x.t.Helper()
	made := into[wire.Series](x.do(organiser, "POST", "/v1/series", map[string]any{
		"name": "All of " + x.cup.Name, "tournaments": []string{x.cup.ID}, "by": "rank", "rank_points": []float64{90, 80, 70, 60, 50, 40, 30, 20},
	}).want(201, ""))
	paid := into[wire.Page[series.Line]](x.get(anon, "/v1/series/"+made.ID+"/standings").want(200, "")).Data
	for _, l := range lines {
		i := slices.IndexFunc(paid, func(p series.Line) bool { return p.BotID == l.BotID })
		if plays := l.Played > 0 && !l.IsAnnulled; plays != (i >= 0) {
			x.t.Errorf("%s: the series has a line of %s: %v, though its line is %+v", x.cup.Name, l.Bot, i >= 0, l)
		} else if plays && (paid[i].Results[0].Rank != l.Rank || paid[i].Points == 0) {
			x.t.Errorf("%s: the series pays %+v for %+v", x.cup.Name, paid[i], l)
		}
	}
}

// The API, the page, the files, the feed, the bracket and series agree on who won, whatever happened on the way.
func TestEverywhereTheSameBotHasWon(t *testing.T) {
	onOne(t, func(w *world) {
		var bots []tournament.Bot
		for i := range 7 {
			name := fmt.Sprint("author-", i)
			w.join(name, tournament.RoleOwner)
			bots = append(bots, w.bot(name))
		}
		for i, o := range []struct {
			format  tournament.Format
			options tournament.FormatOptions
		}{
			{tournament.SingleElimination, tournament.FormatOptions{ThirdPlace: true}},
			{tournament.DoubleElimination, tournament.FormatOptions{BestOf: 2}},
			{tournament.Swiss, tournament.FormatOptions{Rounds: 3, Playoff: tournament.SingleElimination, Finalists: 4}},
			{tournament.Swiss, tournament.FormatOptions{Rounds: 2, Playoff: tournament.DoubleElimination, Finalists: 4}},
			{tournament.Groups, tournament.FormatOptions{GroupSize: 4, Playoff: tournament.SingleElimination, Finalists: 4}},
			{tournament.Groups, tournament.FormatOptions{GroupSize: 4, Finalists: 3}},
			{tournament.RoundRobin, tournament.FormatOptions{}},
		} {
			for _, b := range bots {
				must.Get(directortest.Greet(t.Context(), w.store, w.director, b.ID, ""))(t)
			}
			x := &event{world: w, bots: bots, r: game.Stream(game.Seed{byte(i)}, 0, "events"), drawn: 30}
			x.run(w.cup(func(c *tournament.Tournament) {
				c.Game, c.Config, c.Rated, c.Format, c.Options = "toy", []byte(`{"steps":3}`), false, o.format, o.options
			}))
			x.facts()
		}
	})
}
