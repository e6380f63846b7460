package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/jobs"
	"github.com/molerun/molerun/tournament/rating"
)

// Each of the results that De Mol's filled matches have is one that the engine gives, to the letter.
func TestResultsOfFilledTeamMatchesAreThoseOfTheGame(t *testing.T) {
	demol, _ := catalog.Find("demol")
	c := contest{engine: demol, config: "{}", name: "De Mol", seats: 5}
	engines := map[string]bool{}
	for i := range 256 {
		s, err := c.random(i)
		must.OK(t, err)
		text, _ := json.Marshal(s.result)
		engines[string(text)] = true
	}
	sides := secondSides(5)
	if len(sides) != 10 {
		t.Errorf("%d deals of two moles to five seats, want 10", len(sides))
	}
	for _, side := range sides {
		for _, won := range []bool{false, true} {
			if text, _ := json.Marshal(ended(5, side, won)); !engines[string(text)] {
				t.Errorf("the engine never gave %s", text)
			}
		}
	}
}

// The ladders that are filled are ones that the platform could have made: their fits find who is better, and their pages show.
func TestAPlatformIsFilledAsItWouldFillItself(t *testing.T) {
	p, err := newPlatform(t.Context(), options{Postgres: storetest.PostgresURL(t), Now: time.Now}, small)
	must.OK(t, err)
	defer func() {
		if err := p.close(); err != nil {
			t.Error(err)
		}
	}()
	for _, g := range scaleGames {
		p.checkMatches(t, g.id, g.seats)
		p.checkFit(t, g.id)
		for _, path := range []string{"/ladders/" + g.id, "/bots/" + botOn(g.id, 0), "/v1/ladders/" + g.id + "/fit"} {
			if _, err := p.site.ask(t.Context(), path); err != nil {
				t.Error(err)
			}
		}
	}
}

// checkMatches looks at every match of a ladder: as many seats as its game has, none of an owner twice, all of them placed and rated by
// the result; and at the sums.
func (p *platform) checkMatches(t *testing.T, id string, seats int) {
	t.Helper()
	list, _, err := p.store.Reader(t.Context()).OverFrom(id, 1, int64(small.Matches), small.Matches)
	if err != nil || len(list) != small.Matches/len(scaleGames) {
		t.Fatalf("%s: %d matches, %v; want %d", id, len(list), err, small.Matches/len(scaleGames))
	}
	results := map[string]int{}
	for _, m := range list {
		players := make([]int, len(m.Seats))
		for i := range players {
			players[i] = i
		}
		if err := rating.Of(*m.Result, players, 0).Check(seats); err != nil || len(m.Seats) != seats {
			t.Fatalf("%s: a match of %d seats cannot be rated: %v", id, len(m.Seats), err)
		}
		points := rating.Points(*m.Result, 0)
		for i, s := range m.Seats {
			if want := tournament.VerdictOf(points[i], m.Result.Rank[i]); s.Verdict != want {
				t.Fatalf("%s: seat %d of %+v has %q, want %q", id, i, m.Result, s.Verdict, want)
			}
		}
		results[fmt.Sprint(m.Result)]++
	}
	if want := map[bool]int{false: 2, true: 20}[seats > 2]; len(results) != want {
		t.Errorf("%s: %d results, want %d: %v", id, len(results), want, results)
	}
	var config string
	engine, _ := catalog.Find(id)
	must.OK(t, p.raw.QueryRowContext(t.Context(), "SELECT DISTINCT config FROM matches WHERE ladder_id = $1", id).Scan(&config))
	if full, err := engine.Configure([]byte(config), seats); err != nil || string(full) != config {
		t.Errorf("%s: matches have the configuration %s, %v; in full it is %s", id, config, err, full)
	}
	for what, where := range map[string]string{
		"seats beside one of the same owner": "JOIN match_seats o ON o.match_id = s.match_id AND o.owner_id = s.owner_id AND o.seat <> s.seat WHERE m.ladder_id = $1",
		"seats of another owner":             "JOIN bots b ON b.id = s.bot_id WHERE m.ladder_id = $1 AND b.owner_id <> s.owner_id",
		"seats off the ladder":               "LEFT JOIN ladder_entries e ON e.bot_id = s.bot_id AND e.ladder_id = m.ladder_id WHERE m.ladder_id = $1 AND e.bot_id IS NULL",
		"places off the result":              "WHERE m.ladder_id = $1 AND s.place IS DISTINCT FROM (m.result::json->'rank'->>s.seat)::int",
		"seats without an event":             "LEFT JOIN rating_events e ON e.match_id = s.match_id AND e.version_id = s.version_id WHERE m.ladder_id = $1 AND e.score IS DISTINCT FROM 2 - s.place",
		"seats that no rating counts": "LEFT JOIN (SELECT version_id, SUM(wins) AS wins, SUM(losses) AS losses FROM ratings GROUP BY version_id) r ON r.version_id = s.version_id" +
			" WHERE m.ladder_id = $1 GROUP BY r.version_id, r.wins, r.losses HAVING (r.wins, r.losses) IS DISTINCT FROM (COUNT(*) FILTER (WHERE s.place = 1), COUNT(*) FILTER (WHERE s.place = 2))",
	} {
		var n int
		query := "SELECT COUNT(*) FROM (SELECT 1 FROM match_seats s JOIN matches m ON m.id = s.match_id " + where + ") x"
		if err := p.raw.QueryRowContext(t.Context(), query, id).Scan(&n); err != nil || n > 0 {
			t.Errorf("%s: %d %s, %v; want none", id, n, what, err)
		}
	}
}

// checkFit wants a fit to find the teams that the filled one has, and the first bots of a ladder better than the last.
func (p *platform) checkFit(t *testing.T, id string) {
	t.Helper()
	f, err := jobs.FitLadder(t.Context(), p.director, catalog.Find, id)
	must.OK(t, err)
	stored, err := p.store.Fit(t.Context(), id)
	must.OK(t, err)
	if want := small.Live / len(scaleGames); len(f.Rows) != want || len(stored.Rows) != want {
		t.Fatalf("%s: fitted %d rows, stored %d, want %d", id, len(f.Rows), len(stored.Rows), want)
	}
	if !slices.Equal(f.Teams, stored.Teams) {
		t.Errorf("%s: fitted teams %q, stored %q", id, f.Teams, stored.Teams)
	}
	if len(stored.Advantages) != len(stored.Teams)/2 {
		t.Errorf("%s: the advantages %+v of teams %q are stored, want one for two teams", id, stored.Advantages, stored.Teams)
	}
	first, last := 0.0, 0.0
	for _, r := range f.Rows {
		if r.BotID < botOn(id, len(f.Rows)/2) {
			first += r.Elo
		} else {
			last += r.Elo
		}
	}
	if first <= last {
		t.Errorf("%s: the first half has %.0f Elo in all, the last %.0f; want less", id, first, last)
	}
	for i, r := range stored.Rows {
		if len(r.Roles) != len(stored.Teams) || len(f.Rows[i].Roles) != len(stored.Teams) {
			t.Fatalf("%s: roles %v stored, %v fitted; want one for each of %q", id, r.Roles, f.Rows[i].Roles, stored.Teams)
		}
	}
}
