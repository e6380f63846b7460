package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/series"
	"github.com/molerun/molerun/tournament/store"
)

// A page must not cost more with the age of the platform: the number of its statements is bounded, whatever there is. What a series reads of tournaments that are over, three for
// each, it keeps.
func TestAPageAsksTheDatabaseAFewTimes(t *testing.T) {
	storetest.One(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open, func(*api.Config) {})
		cup, list := w.started(func(c *tournament.Tournament) {
			c.Game, c.Config, c.Cycles = "toy", json.RawMessage(`{"steps":5}`), 2
		}, owner, other, rival)
		w.play(list[0], 100)
		w.play(list[1], 100)
		w.play(list[2], 2)
		_, err := w.director.ApplyRatings(t.Context(), "toy")
		must.OK(t, err)
		league, err := w.store.CreateSeries(t.Context(), series.Series{OrganiserID: w.users[organiser].ID, Name: "league", Tournaments: []string{cup.ID}, By: series.Points})
		must.OK(t, err)
		var asked []string
		cfg := w.cfg
		cfg.Metrics = prometheus.NewRegistry()
		cfg.Store = open(store.Options{Now: w.clk.Now, Query: func(sql string) { asked = append(asked, sql) }})
		cfg.Director = directortest.Of(cfg.Store, findGame)
		w.api, err = api.New(cfg)
		must.OK(t, err)
		for name, path := range map[string]string{
			"tournaments": "/tournaments?q=cup&game=toy", "matches": "/matches?game=toy&bot=" + list[0].Seats[0].BotName, "bots": "/bots?q=bot", "schedules": "/schedules?q=cup",
			"search of a ladder": "/ladders/toy?q=bot",
			"games":              "/games", "game": "/games/toy", "ladders": "/ladders", "list of series": "/series", "cards": "/cards", "sitemap": "/sitemap.xml",
			"home": "/", "ladder": "/ladders/toy", "bot": "/bots/" + list[0].Seats[0].BotID, "tournament": "/tournaments/" + cup.ID, "series": "/series/" + league.ID,
			"match that is over": "/matches/" + list[0].ID, "match that runs": "/matches/" + list[2].ID, "match that waits": "/matches/" + list[3].ID,
			"frames": "/matches/" + list[0].ID + "/frames", "moves": "/matches/" + list[0].ID + "/moves",
		} {
			most := 3
			switch name {
			case "tournament": // how long it is has to be known before it is read
				most = 4
			case "match that runs", "match that is over": // the same; what its tournament calls the round; its review
				most = 5
			case "match that waits": // what its tournament calls the round
				most = 4
			case "game": // its ladders
				most = 4
			case "home": // what schedules will announce; the stage of the match that it shows
				most = 5
			case "bot": // versions and their points have a bound each; and where it stands
				most = 5
			}
			asked = nil
			w.get(anon, path).want(200, "")
			if n := len(asked); n == 0 || n > most {
				t.Errorf("%s: got %d statements, want one to %d:\n%s", name, n, most, strings.Join(asked, "\n"))
			}
		}
	})
}

// onlooker is a player that looks at the match before each answer.
type onlooker struct {
	nodder
	look func(steps int)
}

func (o onlooker) Ask(ctx context.Context, b runner.Briefing, a runner.Ask) runner.Reply {
	if b.Seat == 0 { // the others are asked at the same time
		o.look(a.Step)
	}
	return o.nodder.Ask(ctx, b, a)
}

// The server reads by a store of its own, as beside a worker in another process; the clock stands still until it is moved.
func TestAPageThatManyFollowIsMadeOnceAndIsNeverOld(t *testing.T) {
	storetest.One(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open, func(*api.Config) {})
		_, list := w.started(func(c *tournament.Tournament) { c.Game, c.Config = "toy", json.RawMessage(`{"steps":5}`) }, owner, other)
		var asked atomic.Int64
		cfg := w.cfg
		cfg.Metrics = prometheus.NewRegistry()
		cfg.Store = open(store.Options{Now: w.clk.Now, Query: func(string) { asked.Add(1) }})
		cfg.Director = directortest.Of(cfg.Store, findGame)
		var err error
		w.api, err = api.New(cfg)
		must.OK(t, err)
		statements := func(path string) (string, int64) {
			before := asked.Load()
			page := w.get(anon, path).want(200, "")
			return string(page.body), asked.Load() - before
		}
		match := "/matches/" + list[0].ID
		w.playWith(list[0], 100, onlooker{look: func(steps int) {
			if steps == 0 {
				w.clk.Move(time.Second) // the match has begun, in another process
			}
			first, _ := statements(match)
			if want := fmt.Sprintf(`data-last="%d"`, steps); !strings.Contains(first, want) {
				t.Errorf("after step %d: want %s", steps, want)
			}
			if again, n := statements(match); again != first || n != 1 {
				t.Errorf("after step %d: a second request costs %d statements, want 1 and the same page", steps, n)
			}
			if _, n := statements("/"); n > 0 && steps > 0 {
				t.Errorf("after step %d: the first page costs %d statements, want none in the same second", steps, n)
			}
		}})
		if page, _ := statements("/"); !strings.Contains(page, "No match is over yet") {
			t.Error("the first page is not that of before in the same second")
		}
		must.OK(t, cfg.Store.InTx(t.Context(), func(*store.Tx) error { return nil }))
		if page, _ := statements("/"); strings.Contains(page, "No match is over yet") {
			t.Error("after a transaction of this process the first page is that of before")
		}
		w.clk.Move(time.Second)
		if _, n := statements("/"); n == 0 {
			t.Error("a second later the first page is that of before")
		}
	})
}
