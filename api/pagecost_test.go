package api_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director/directortest"
	"github.com/molerun/molerun/tournament/series"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/storetest"
)

// A page must not cost more with the age of the platform: the number of its statements is bounded, whatever there is. Three
// are enough but for a tournament, which is shown with its texts. What a series reads of tournaments that are over, three for
// each, it keeps.
func TestAPageAsksTheDatabaseAtMostFourTimes(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open, func(*api.Config) {})
		cup, list := w.started(func(c *tournament.Tournament) {
			c.Game, c.Config, c.Cycles = "toy", json.RawMessage(`{"steps":5}`), 2
		}, owner, other, rival)
		w.play(list[0], 100)
		w.play(list[1], 100)
		w.play(list[2], 2)
		if _, err := w.director.ApplyRatings(t.Context(), "toy"); err != nil {
			t.Fatal(err)
		}
		league, err := w.store.CreateSeries(t.Context(), series.Series{OrganiserID: w.users[organiser].ID, Name: "league", Tournaments: []string{cup.ID}, By: series.Points})
		if err != nil {
			t.Fatal(err)
		}
		var asked []string
		cfg := w.cfg
		cfg.Metrics = prometheus.NewRegistry()
		cfg.Store = open(store.Options{Now: w.clk.Now, Query: func(sql string) { asked = append(asked, sql) }})
		cfg.Director = directortest.Of(cfg.Store, findGame)
		if w.api, err = api.New(cfg); err != nil {
			t.Fatal(err)
		}
		for name, path := range map[string]string{
			"tournaments": "/tournaments?q=cup&game=toy", "matches": "/matches?game=toy&bot=" + list[0].Seats[0].BotName, "bots": "/bots?q=bot", "schedules": "/schedules?q=cup",
			"search of a ladder": "/ladders/toy?q=bot",
			"games":              "/games", "game": "/games/toy",
			"home": "/", "ladder": "/ladders/toy", "bot": "/bots/" + list[0].Seats[0].BotID, "tournament": "/tournaments/" + cup.ID, "series": "/series/" + league.ID,
			"match that is over": "/matches/" + list[0].ID, "match that runs": "/matches/" + list[2].ID, "match that waits": "/matches/" + list[3].ID,
			"frames": "/matches/" + list[0].ID + "/frames", "moves": "/matches/" + list[0].ID + "/moves",
		} {
			most := 3
			if name == "tournament" {
				most = 4
			}
			asked = nil
			w.get(anon, path).want(200, "")
			if n := len(asked); n == 0 || n > most {
				t.Errorf("%s: got %d statements, want one to %d:\n%s", name, n, most, strings.Join(asked, "\n"))
			}
		}
	})
}
