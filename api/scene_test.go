package api_test

import (
	"strings"
	"time"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/series"
)

// scene is what the requests of the matrix are about. The bot is owner's, the cup organiser's.
type scene struct {
	w     *world
	bot   tournament.Bot
	cup   tournament.Tournament // takes entries; owner's bot is in when entered
	match tournament.Match      // done; owner's bot has a seat
	seat  int                   // owner's seat in it
	token string                // a token of owner's
	hook  tournament.Webhook    // owner's, with one delivery, which has failed
	sent  string                // the id of the delivery
	pair  []string              // the bots of the only table of the cup's round, which has not begun; only where a round is asked for
}

// at is the path of a route about what the scene has.
func (s scene) at(route string) string {
	_, path, _ := strings.Cut(route, " ")
	kind := strings.Split(strings.TrimPrefix(path, "/v1"), "/")[1]
	id := map[string]string{"admin": "masks", "ladders": "masks", "bots": s.bot.ID, "tournaments": s.cup.ID, "matches": s.match.ID, "embed": s.match.ID, "webhooks": s.hook.ID}[kind]
	if strings.Contains(path, ":id") {
		switch kind {
		case "series":
			id = s.league()
		case "schedules":
			id = strings.TrimPrefix(s.series(false), "/v1/schedules/")
		}
	}
	return strings.NewReplacer(":id", id, ":game", "masks", ":round", "1", ":bot_id", s.bot.ID, ":delivery_id", s.sent).Replace(path)
}

// entered is the path of a route about the cup with owner's bot in it.
func (s scene) entered() string {
	s.w.t.Helper()
	s.enter()
	return ""
}

// withReason is a body that gives a reason.
func withReason(scene) any { return map[string]any{"reason": "rain"} }

// enter puts owner's bot and another into the cup.
func (s scene) enter() {
	s.w.t.Helper()
	for who, b := range map[string]tournament.Bot{owner: s.bot, other: s.w.bot(other)} {
		_, err := s.w.director.Join(s.w.t.Context(), s.cup.ID, b.ID, s.w.users[who].ID)
		must.OK(s.w.t, err)
	}
}

// start starts the cup and returns its id.
func (s scene) start() string {
	s.w.t.Helper()
	s.w.begin(s.cup, s.bot, s.w.bot(other))
	return s.cup.ID
}

// open is the id of a match that is queued.
func (s scene) open() string {
	s.w.t.Helper()
	_, list := s.w.begin(s.cup, s.bot, s.w.bot(other))
	return list[0].ID
}

// stranger is the id of somebody nobody knows.
func (s scene) stranger(disabled bool) string {
	s.w.t.Helper()
	u, _, err := s.w.store.CreateUser(s.w.t.Context(), tournament.User{Name: s.w.name("stranger"), Role: tournament.RoleOwner}, tournament.Token{})
	if err == nil && disabled {
		_, err = s.w.director.DisableUser(s.w.t.Context(), u.ID, "spam")
	}
	must.OK(s.w.t, err)
	return u.ID
}

// class makes a class link of the organiser's.
func (s scene) class() wire.ClassLinkCreated {
	s.w.t.Helper()
	return into[wire.ClassLinkCreated](s.w.do(organiser, "POST", "/v1/class-links", map[string]any{"events": []string{s.cup.ID}, "accounts": 3}).want(201, ""))
}

// nobodyElse names no co-organisers.
func nobodyElse(scene) any { return map[string]any{"co_organisers": []string{}} }

// series is the path of a schedule of the organiser's.
func (s scene) series(paused bool) string {
	s.w.t.Helper()
	x := s.w.series(func(*schedule.Schedule) {})
	if paused {
		_, err := s.w.store.ChangeSchedule(s.w.t.Context(), x.ID, schedule.Schedule.Pause)
		must.OK(s.w.t, err)
	}
	return "/v1/schedules/" + x.ID
}

// league is the id of a series of the organiser's, over the cup.
func (s scene) league() string {
	s.w.t.Helper()
	x, err := s.w.store.CreateSeries(s.w.t.Context(), series.Series{
		OrganiserID: s.w.users[organiser].ID,
		Name:        "league",
		Tournaments: []string{s.cup.ID},
		By:          series.Points,
	})
	must.OK(s.w.t, err)
	return x.ID
}

// goodCup is a body that announces a tournament.
func goodCup(w *world) map[string]any {
	now := w.clk.Now()
	return map[string]any{
		"name": w.name("Cup"), "game": "masks", "table_size": 2, "format": "round_robin", "cycles": 1, "duplicate": true, "rated": true,
		"capacity": 4, "opens_at": now, "closes_at": now.Add(time.Hour), "starts_at": now.Add(2 * time.Hour),
	}
}
