package api_test

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/series"
)

// rights are a row of the matrix.
type rights struct {
	route string
	scope tournament.Scope // that a token needs; "" is none
	want  string
	path  func(scene) string // nil or "": the route's, about what the scene has
	body  func(scene) any
}

// scene is a fresh request of a row; m is a match of owner's that is over.
func (w *world) scene(row rights, m tournament.Match) (method, path string, body any) {
	w.t.Helper()
	_, method, path, body = w.staged(row, m)
	return method, path, body
}

// rowOf returns the row of a route.
func (w *world) rowOf(route string) rights {
	w.t.Helper()
	i := slices.IndexFunc(matrix, func(r rights) bool { return r.route == route })
	if i < 0 {
		w.t.Fatalf("%s has no row in the matrix", route)
	}
	return matrix[i]
}

// may returns the people who get what a row is about.
func (r rights) may() (out []string) {
	for i, want := range strings.Fields(r.want) {
		if want[0] == '2' {
			out = append(out, people()[i])
		}
	}
	return out
}

// staged is a fresh request of a row, and what it is about.
func (w *world) staged(row rights, m tournament.Match) (s scene, method, path string, body any) {
	w.t.Helper()
	s = scene{w: w, bot: w.bot(owner), cup: w.cup(func(*tournament.Tournament) {}), match: m, token: w.spare(owner)}
	s.seat = slices.IndexFunc(m.Seats, func(s tournament.MatchSeat) bool { return s.OwnerID == w.users[owner].ID })
	method, path, _ = strings.Cut(row.route, " ")
	if strings.Contains(path, "/webhooks/:id") {
		s.hook, s.sent = w.hook(owner, s.bot)
	}
	if strings.Contains(path, "/rounds/:round") {
		var list []tournament.Match
		s.cup, list = w.started(func(t *tournament.Tournament) {
			t.Format = tournament.Swiss
			t.Options.Rounds = 1
		}, owner, other)
		s.pair = []string{list[0].Seats[1].BotID, list[0].Seats[0].BotID}
	}
	if strings.HasSuffix(path, "/check-in") {
		s.cup = w.cup(func(t *tournament.Tournament) { t.CheckIn = t.StartsAt.Sub(t.OpensAt) })
	}
	own := ""
	if row.path != nil {
		own = row.path(s)
	}
	if path = own; path == "" {
		path = s.at(row.route)
	}
	if row.body != nil {
		body = row.body(s)
	}
	return s, method, path, body
}

// matrix says for every route what each of the people gets: anon, other, owner, rival, organiser, admin.
var matrix = []rights{
	{"GET /", "", "200 200 200 200 200 200", nil, nil},
	{"GET /card.png", "", "200 200 200 200 200 200", nil, nil},
	{"GET /games", "", "200 200 200 200 200 200", nil, nil},
	{"GET /games/:game", "", "200 200 200 200 200 200", nil, nil},
	{"GET /games/:game/board.svg", "", "404 404 404 404 404 404", nil, nil}, // masks cannot be drawn
	{"GET /games/:game/card.png", "", "200 200 200 200 200 200", nil, nil},
	{"GET /tournaments", "", "200 200 200 200 200 200", nil, nil},
	{"GET /matches", "", "200 200 200 200 200 200", nil, nil},
	{"GET /bots", "", "200 200 200 200 200 200", nil, nil},
	{"GET /schedules", "", "200 200 200 200 200 200", nil, nil},
	{"GET /ladders", "", "200 200 200 200 200 200", nil, nil},
	{"GET /series", "", "200 200 200 200 200 200", nil, nil},
	{"GET /robots.txt", "", "200 200 200 200 200 200", nil, nil},
	{"GET /llms.txt", "", "200 200 200 200 200 200", nil, nil},
	{"GET /skill.md", "", "200 200 200 200 200 200", nil, nil},
	{"POST /mcp", "bot", "401 200 200 200 200 200", nil, func(scene) any {
		return map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": map[string]any{}}
	}},
	{"GET /sitemap.xml", "", "200 200 200 200 200 200", nil, nil},
	{"GET /ladders/:id", "", "200 200 200 200 200 200", nil, nil},
	{"GET /ladders/:id/calibration", "", "200 200 200 200 200 200", nil, nil},
	{"GET /bots/:id", "", "200 200 200 200 200 200", nil, nil},
	{"GET /tournaments/:id/broadcast", "", "200 200 200 200 200 200", nil, nil},
	{"GET /tournaments/:id", "", "200 200 200 200 200 200", nil, nil},
	{"GET /tournaments/:id/card.png", "", "200 200 200 200 200 200", nil, nil},
	{"GET /matches/:id", "", "200 200 200 200 200 200", func(s scene) string { return "/matches/" + s.match.ID + "?seat=1&step=0" }, nil},
	{"GET /matches/:id/board.svg", "", "404 404 404 404 404 404", nil, nil}, // masks cannot be drawn
	{"GET /matches/:id/card.png", "", "200 200 200 200 200 200", nil, nil},
	{"GET /matches/:id/frames", "", "200 200 200 200 200 200", func(s scene) string { return "/matches/" + s.match.ID + "/frames?seat=1" }, nil},
	{"POST /matches/:id/review", "", "415 415 415 415 415 415", nil, nil}, // a form: reviews_test.go sends some
	{"GET /embed/matches/:id", "", "200 200 200 200 200 200", func(s scene) string { return "/embed/matches/" + s.match.ID + "?seat=1&step=0" }, nil},
	{"GET /oembed", "", "200 200 200 200 200 200", func(s scene) string { return "/oembed?url=http%3A%2F%2Fexample.com%2Fmatches%2F" + s.match.ID }, nil},
	{"GET /matches/:id/moves", "", "200 200 200 200 200 200", func(s scene) string { return "/matches/" + s.match.ID + "/moves?from=1" }, nil},
	{"GET /guides", "", "200 200 200 200 200 200", nil, nil},
	{"GET /guides/:name", "", "200 200 200 200 200 200", func(scene) string { return "/guides/start" }, nil},
	{"GET /rules/:game", "", "200 200 200 200 200 200", func(scene) string { return "/rules/demol" }, nil},
	{"GET /api", "", "200 200 200 200 200 200", nil, nil},
	{"GET /calendar.ics", "", "200 200 200 200 200 200", nil, nil},
	{"GET /news.atom", "", "200 200 200 200 200 200", nil, nil},
	{"GET /assets/:name", "", "404 404 404 404 404 404", func(scene) string { return "/assets/app.css" }, nil}, // the name has a hash
	{"GET /play/:game", "", "404 404 404 404 404 404", nil, nil},                                               // no guests here: seats_test.go has some
	{"POST /play/:game", "", "404 404 404 404 404 404", nil, nil},
	{"GET /seat", "", "404 404 404 404 404 404", nil, nil},
	{"POST /seat", "", "404 404 404 404 404 404", nil, nil},
	{"GET /seat/board.svg", "", "404 404 404 404 404 404", nil, nil},
	{"POST /seat/leave", "", "404 404 404 404 404 404", nil, nil},
	{"GET /login", "", "200 200 200 200 200 200", nil, nil}, // no issuer here: api/login has one
	{"GET /login/once", "", "403 403 403 403 403 403", func(scene) string { return "/login/once?code=guess" }, nil},
	{"POST /login/once", "", "415 415 415 415 415 415", nil, nil}, // a form: api/login sends some
	{"GET /class", "", "403 403 403 403 403 403", func(scene) string { return "/class?code=guess" }, nil},
	{"POST /class", "", "415 415 415 415 415 415", nil, nil},
	{"GET /login/callback", "", "404 404 404 404 404 404", nil, nil},
	{"GET /login/name", "", "404 404 404 404 404 404", nil, nil},
	{"POST /login/name", "", "404 404 404 404 404 404", nil, nil},
	{"POST /login/link", "", "404 404 404 404 404 404", nil, nil},
	{"POST /logout", "", "415 415 415 415 415 415", nil, nil},
	{"GET /me", "", "303 303 303 303 303 303", nil, nil},
	{"GET /me/events", "", "303 303 303 303 303 303", nil, nil},
	{"GET /tournaments/:id/organise", "", "303 303 303 303 303 303", nil, nil},
	{"GET /schedules/:id/organise", "", "303 303 303 303 303 303", func(s scene) string { return strings.TrimPrefix(s.series(false), "/v1") + "/organise" }, nil},
	{"GET /series/:id/organise", "", "303 303 303 303 303 303", nil, nil},
	{"POST /me/tokens", "", "415 415 415 415 415 415", nil, nil},
	{"POST /v1/login/device", "", "404 404 404 404 404 404", nil, nil},
	{"POST /v1/login/device/token", "", "404 404 404 404 404 404", nil, func(scene) any { return map[string]any{"handle": "guess"} }},
	{"POST /v1/login/device/look", "", "404 404 404 404 404 404", nil, func(scene) any { return map[string]any{"handle": "guess"} }},

	{"GET /livez", "", "200 200 200 200 200 200", nil, nil},
	{"GET /readyz", "", "200 200 200 200 200 200", nil, nil},
	{"GET /version", "", "200 200 200 200 200 200", nil, nil},
	{"GET /openapi.json", "", "200 200 200 200 200 200", nil, nil},
	{"GET /docs", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/games", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/games/:game", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/games/:game/rules", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/games/:game/schemas/:name", "", "404 404 404 404 404 404", func(scene) string { return "/v1/games/masks/schemas/view" }, nil},
	{"GET /v1/protocol/schemas/:name", "", "200 200 200 200 200 200", func(scene) string { return "/v1/protocol/schemas/turn" }, nil},

	{"POST /v1/users", "", "201 201 201 201 201 201", nil, func(s scene) any { return map[string]any{"name": s.w.name("new")} }},
	{"GET /v1/users", "admin", "401 403 403 403 403 200", nil, nil},
	{"GET /v1/users/:id", "admin", "401 403 403 403 403 200", func(s scene) string { return "/v1/users/" + s.bot.OwnerID }, nil},
	{"POST /v1/users/:id/disable", "admin", "401 403 403 403 403 200", func(s scene) string { return "/v1/users/" + s.stranger(false) + "/disable" }, withReason},
	{"POST /v1/users/:id/enable", "admin", "401 403 403 403 403 200", func(s scene) string { return "/v1/users/" + s.stranger(true) + "/enable" }, nil},
	{"POST /v1/users/:id/recovery", "admin", "401 403 403 403 403 201", func(s scene) string { return "/v1/users/" + s.stranger(false) + "/recovery" }, nil},
	{"POST /v1/me/login-links", "account", "401 201 201 201 201 201", nil, func(scene) any { return map[string]any{"lasts_ms": 60_000} }},
	{"POST /v1/users/:id/login-links", "organise", "401 403 403 404 404 201", func(s scene) string { return "/v1/users/" + s.stranger(false) + "/login-links" }, func(scene) any { return map[string]any{"lasts_ms": 60_000} }},
	{"POST /v1/class-links", "organise", "401 403 403 422 201 201", nil, func(s scene) any { return map[string]any{"events": []string{s.cup.ID}, "accounts": 3} }},
	{"GET /v1/class-links", "organise", "401 403 403 200 200 200", nil, nil},
	{"GET /v1/class-links/:id", "organise", "401 403 403 403 200 200", func(s scene) string { return "/v1/class-links/" + s.class().ID }, nil},
	{"DELETE /v1/class-links/:id", "organise", "401 403 403 403 204 204", func(s scene) string { return "/v1/class-links/" + s.class().ID }, nil},
	{"POST /v1/class-links/join", "", "201 201 201 201 201 201", nil, func(s scene) any {
		_, code, _ := strings.Cut(s.class().URL, "code=")
		return map[string]any{"code": code, "name": s.w.name("pupil")}
	}},
	{"POST /v1/recovery", "", "201 201 201 201 201 201", nil, func(s scene) any {
		id := s.stranger(false)
		made := into[wire.RecoveryCode](s.w.do(admin, "POST", "/v1/users/"+id+"/recovery", nil).want(201, ""))
		return map[string]any{"name": made.Name, "code": made.Code}
	}},
	{"GET /v1/admin/jobs", "admin", "401 403 403 403 403 200", nil, nil},
	{"GET /v1/admin/ladders/:id/partners", "admin", "401 403 403 403 403 200", nil, nil},
	{"GET /v1/admin/conduct", "admin", "401 403 403 403 403 200", nil, nil},
	{"GET /v1/admin/audit", "admin", "401 403 403 403 403 200", nil, nil},
	{"GET /v1/me", "read", "401 200 200 200 200 200", nil, nil},
	{"DELETE /v1/me", "account", "401 422 422 422 422 422", nil, func(scene) any { return map[string]any{"name": "somebody-else"} }},      // who may: erasure_test.go
	{"POST /v1/me/rotate", "account", "401 422 422 422 422 422", nil, func(scene) any { return map[string]any{"name": "somebody-else"} }}, // who may: recovery_test.go
	{"DELETE /v1/me/logins/:id", "account", "401 404 204 404 404 404", func(s scene) string { return "/v1/me/logins/" + s.w.linked(owner).ID() }, nil},
	{"DELETE /v1/me/sessions/:id", "account", "401 404 204 404 404 404", func(s scene) string { return "/v1/me/sessions/" + s.w.session(owner).ID }, nil},
	{"GET /v1/me/export", "account", "401 200 200 200 200 200", nil, nil},
	{"GET /v1/tokens", "account", "401 200 200 200 200 200", nil, nil},
	{"POST /v1/tokens", "account", "401 201 201 201 201 201", nil, func(scene) any { return map[string]any{} }},
	{"DELETE /v1/tokens/:id", "account", "401 404 204 404 404 404", func(s scene) string { return "/v1/tokens/" + s.token }, nil},

	{"GET /v1/bots", "", "200 200 200 200 200 200", nil, nil},
	{"POST /v1/bots", "bot", "401 201 201 201 201 201", nil, func(s scene) any {
		return map[string]any{"name": s.w.name("fresh"), "url": "https://bot.example/"}
	}},
	{"GET /v1/bots/:id", "", "200 200 200 200 200 200", nil, nil},
	{"PATCH /v1/bots/:id", "bot", "401 403 200 403 403 200", nil, func(scene) any { return map[string]any{"takes_challenges": true} }},
	{"DELETE /v1/bots/:id", "bot", "401 403 204 403 403 204", nil, nil},
	{"GET /v1/bots/:id/versions", "", "200 200 200 200 200 200", nil, nil},
	{"POST /v1/bots/:id/versions", "bot", "401 403 201 403 403 201", nil, func(scene) any { return map[string]any{"url": "https://bot.example/two", "build": "b1"} }},
	{"POST /v1/bots/:id/promote", "bot", "401 403 200 403 403 200", nil, func(s scene) any {
		s.w.version(s.bot, "b1")
		return map[string]any{"number": 2}
	}},
	{"GET /v1/bots/:id/health", "", "200 200 200 200 200 200", nil, nil},
	{"POST /v1/bots/:id/check", "bot", "401 403 200 403 403 200", nil, nil},
	{"POST /v1/bots/:id/pause", "bot", "401 403 200 403 403 200", nil, nil},
	{"POST /v1/bots/:id/resume", "bot", "401 403 200 403 403 200", nil, nil},
	{"POST /v1/bots/:id/rotate-secret", "bot", "401 403 200 403 403 200", nil, nil},
	{"POST /v1/bots/:id/drop-old-secret", "bot", "401 403 200 403 403 200", func(s scene) string {
		_, err := s.w.store.RotateSecret(s.w.t.Context(), s.bot.VersionID, "whsec_"+strings.Repeat("QUJE", 8))
		must.OK(s.w.t, err)
		return "/v1/bots/" + s.bot.ID + "/drop-old-secret"
	}, nil},
	{"POST /v1/bots/:id/ban", "admin", "401 403 403 403 403 200", nil, withReason},
	{"POST /v1/bots/:id/unban", "admin", "401 403 403 403 403 200", func(s scene) string {
		_, err := s.w.director.BanBot(s.w.t.Context(), s.bot.ID, "cheats")
		must.OK(s.w.t, err)
		return "/v1/bots/" + s.bot.ID + "/unban"
	}, nil},
	{"GET /v1/bots/:id/rating-history", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/bots/:id/matches", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/bots/:id/records", "", "200 200 200 200 200 200", nil, nil},

	{"POST /v1/relays/:name/fetch", "bot", "401 200 200 200 200 200", func(s scene) string { return "/v1/relays/" + s.bot.Name + "/fetch" }, func(scene) any {
		return map[string]any{"relay": relayID, "holds": []string{}, "room": 1} // each of their own mailbox of that name
	}},
	{"POST /v1/relays/:name/answer", "bot", "401 409 204 409 409 409", func(scene) string { return "/v1/relays/fox/answer" }, func(s scene) any {
		return map[string]any{"id": s.w.letter(owner, "fox"), "status": 200, "body": "e30="}
	}},

	{"GET /v1/ladders", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/ladders/:id", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/ladders/:id/entries", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/ladders/:id/fit", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/ladders/:id/calibration", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/ladders/:id/seasons", "", "200 200 200 200 200 200", nil, nil},
	{"POST /v1/ladders", "admin", "401 403 403 403 403 201", nil, func(s scene) any {
		return map[string]any{"id": s.w.name("masks"), "game": "masks", "table_size": 2}
	}},
	{"POST /v1/ladders/:id/seasons", "admin", "401 403 403 403 403 201", func(s scene) string {
		s.w.fitted()
		return "/v1/ladders/masks/seasons"
	}, nil},
	{"POST /v1/ladders/:id/entries", "enter", "401 403 201 403 403 201", nil, func(s scene) any { return map[string]any{"bot_id": s.bot.ID, "matches_per_hour": 60} }},
	{"DELETE /v1/ladders/:id/entries/:bot_id", "enter", "401 403 204 403 403 204", func(s scene) string {
		_, err := s.w.director.JoinLadder(s.w.t.Context(), "masks", s.bot.ID, s.bot.OwnerID, 1)
		must.OK(s.w.t, err)
		return "/v1/ladders/masks/entries/" + s.bot.ID
	}, nil},

	{"GET /v1/tournaments", "", "200 200 200 200 200 200", nil, nil},
	{"POST /v1/tournaments", "organise", "401 403 403 201 201 201", nil, func(s scene) any { return goodCup(s.w) }},
	{"POST /v1/tournaments/preview", "organise", "401 403 403 200 200 200", nil, func(s scene) any { return goodCup(s.w) }},
	{"GET /v1/tournaments/:id", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/tournaments/:id/entries", "", "200 200 200 200 200 200", nil, nil},
	{"POST /v1/tournaments/:id/entries", "enter", "401 403 201 403 403 201", nil, func(s scene) any { return map[string]any{"bot_id": s.bot.ID} }},
	{"DELETE /v1/tournaments/:id/entries/:bot_id", "enter", "401 403 204 403 204 204", scene.entered, nil},
	{"POST /v1/tournaments/:id/entries/:bot_id/admit", "organise", "401 403 403 403 200 200", func(s scene) string {
		s.enter()
		_, err := s.w.director.Expel(s.w.t.Context(), s.cup.ID, s.bot.ID, s.bot.OwnerID)
		must.OK(s.w.t, err)
		return ""
	}, nil},
	{"POST /v1/tournaments/:id/entries/:bot_id/check-in", "enter", "401 403 200 403 200 200", scene.entered, nil},
	{"POST /v1/tournaments/:id/entries/:bot_id/substitute", "enter", "401 403 200 403 200 200", scene.entered, func(s scene) any { return map[string]any{"bot_id": s.w.bot(owner).ID} }},
	{"GET /v1/tournaments/:id/organisers", "", "200 200 200 200 200 200", nil, nil},
	{"PUT /v1/tournaments/:id/organisers", "organise", "401 403 403 403 200 200", nil, nobodyElse},
	{"GET /v1/schedules/:id/organisers", "", "200 200 200 200 200 200", nil, nil},
	{"PUT /v1/schedules/:id/organisers", "organise", "401 403 403 403 200 200", nil, nobodyElse},
	{"GET /v1/series/:id/organisers", "", "200 200 200 200 200 200", nil, nil},
	{"PUT /v1/series/:id/organisers", "organise", "401 403 403 403 200 200", nil, nobodyElse},
	{"POST /v1/tournaments/:id/invite", "organise", "401 403 403 403 200 200", func(s scene) string {
		return "/v1/tournaments/" + s.w.cup(func(t *tournament.Tournament) { t.Invite = tournament.Invite{1} }).ID + "/invite"
	}, func(s scene) any { return map[string]any{"expires_at": s.w.clk.Now().Add(time.Hour)} }},
	{"PUT /v1/tournaments/:id/seeds", "organise", "401 403 403 403 200 200", nil, func(scene) any { return map[string]any{"bots": []string{}} }},
	{"PUT /v1/tournaments/:id/rounds/:round", "organise", "401 403 403 403 200 200", nil, func(s scene) any { return map[string]any{"tables": [][]string{s.pair}, "reason": "rain"} }},
	{"POST /v1/tournaments/:id/start", "organise", "401 403 403 403 200 200", scene.entered, func(scene) any { return map[string]any{"paused": false} }},
	{"PATCH /v1/tournaments/:id", "organise", "401 403 403 403 200 200", nil, func(scene) any { return map[string]any{"rules": "Be *kind*."} }},
	{"POST /v1/tournaments/:id/cancel", "organise", "401 403 403 403 200 200", nil, withReason},
	{"POST /v1/tournaments/:id/pause", "organise", "401 403 403 403 200 200", func(s scene) string { return "/v1/tournaments/" + s.start() + "/pause" }, nil},
	{"POST /v1/tournaments/:id/resume", "organise", "401 403 403 403 200 200", func(s scene) string {
		id := s.start()
		_, err := s.w.director.PauseTournament(s.w.t.Context(), id)
		must.OK(s.w.t, err)
		return "/v1/tournaments/" + id + "/resume"
	}, nil},
	{"GET /v1/tournaments/:id/standings", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/tournaments/:id/broadcast", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/tournaments/:id/bracket", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/tournaments/:id/crosstable", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/tournaments/:id/export", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/tournaments/:id/matches", "", "200 200 200 200 200 200", nil, nil},

	{"GET /v1/schedules", "", "200 200 200 200 200 200", nil, nil},
	{"POST /v1/schedules", "organise", "401 403 403 201 201 201", nil, func(s scene) any { return goodSeries(s.w) }},
	{"POST /v1/schedules/preview", "organise", "401 403 403 200 200 200", nil, func(s scene) any { return goodSeries(s.w) }},
	{"GET /v1/schedules/:id", "", "200 200 200 200 200 200", nil, nil},
	{"PATCH /v1/schedules/:id", "organise", "401 403 403 403 200 200", nil, func(scene) any { return map[string]any{"capacity": 3} }},
	{"DELETE /v1/schedules/:id", "organise", "401 403 403 403 204 204", nil, nil},
	{"POST /v1/schedules/:id/pause", "organise", "401 403 403 403 200 200", nil, nil},
	{"POST /v1/schedules/:id/resume", "organise", "401 403 403 403 200 200", func(s scene) string { return s.series(true) + "/resume" }, nil},
	{"POST /v1/schedules/:id/cancel", "organise", "401 403 403 403 200 200", nil, withReason},

	{"GET /series/:id", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/series", "", "200 200 200 200 200 200", nil, nil},
	{"POST /v1/series", "organise", "401 403 403 422 201 201", nil, func(s scene) any { return map[string]any{"name": "x", "tournaments": []string{s.cup.ID}} }},
	{"GET /v1/series/:id", "", "200 200 200 200 200 200", nil, nil},
	{"PATCH /v1/series/:id", "organise", "401 403 403 403 200 200", nil, func(scene) any { return map[string]any{"best": 3} }},
	{"DELETE /v1/series/:id", "organise", "401 403 403 403 204 204", nil, nil},
	{"GET /v1/series/:id/standings", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/series/:id/export", "", "200 200 200 200 200 200", nil, nil},

	{"GET /v1/tournaments/:id/events", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/events", "", "200 200 200 200 200 200", nil, nil},

	{"GET /v1/matches", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/matches/export", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/matches/:id", "", "200 200 200 200 200 200", nil, nil},
	{"POST /v1/matches/:id/void", "organise", "401 403 403 403 200 200", func(s scene) string { return "/v1/matches/" + s.open() + "/void" }, withReason},
	{"POST /v1/matches/:id/requeue", "admin", "401 403 403 403 403 200", func(s scene) string { return "/v1/matches/" + s.open() + "/requeue" }, nil},
	{"GET /v1/matches/:id/events", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/matches/:id/view", "", "200 200 200 200 200 200", func(s scene) string { return "/v1/matches/" + s.match.ID + "/view?seat=1&step=0" }, nil},
	{"GET /v1/matches/:id/replay", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/matches/:id/decisions", "read", "401 403 200 403 403 200", func(s scene) string {
		return fmt.Sprintf("/v1/matches/%s/decisions?seat=%d", s.match.ID, s.seat)
	}, nil},
	{"POST /v1/matches/:id/rematch", "enter", "401 201 201 403 201 201", func(s scene) string {
		for _, seat := range s.match.Seats {
			s.w.consent(seat.BotID)
		}
		return "/v1/matches/" + s.match.ID + "/rematch"
	}, nil},
	{"POST /v1/matches/:id/review", "", "202 202 202 202 202 202", nil, nil},
	{"GET /v1/matches/:id/review", "", "200 200 200 200 200 200", func(s scene) string {
		_, err := s.w.store.AskReview(s.w.t.Context(), s.match.ID, false, 100)
		must.OK(s.w.t, err)
		return "/v1/matches/" + s.match.ID + "/review"
	}, nil},
	{"POST /v1/challenges", "enter", "401 403 201 403 403 201", nil, func(s scene) any {
		b := s.w.bot(rival)
		s.w.consent(b.ID)
		return map[string]any{"game": "masks", "bots": []string{s.bot.ID, b.ID}}
	}},

	{"GET /v1/webhooks", "account", "401 200 200 200 200 200", nil, nil},
	{"GET /cards", "", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/cards", "", "200 200 200 200 200 200", nil, nil},
	{"GET /cards/:hash", "", "200 200 200 200 200 200", func(s scene) string { return "/cards/" + s.w.card(tournament.CardChecked) }, nil},
	{"GET /cards/:hash/badge.svg", "", "200 200 200 200 200 200", func(s scene) string { return "/cards/" + s.w.card(tournament.CardChecked) + "/badge.svg" }, nil},
	{"POST /v1/cards", "bot", "401 202 202 202 202 202", nil, func(s scene) any { return s.w.upload() }},
	{"GET /v1/cards/:hash", "", "404 404 200 404 404 200", func(s scene) string { return "/v1/cards/" + s.w.card(tournament.CardWaiting) }, nil},
	{"DELETE /v1/cards/:hash", "bot", "401 403 204 403 403 204", func(s scene) string { return "/v1/cards/" + s.w.card(tournament.CardChecked) }, nil},
	{"POST /v1/webhooks", "account", "401 201 201 201 201 201", nil, func(scene) any { return map[string]any{"url": "https://hook.example/"} }},
	{"GET /v1/webhooks/:id", "account", "401 404 200 404 404 200", nil, nil},
	{"PATCH /v1/webhooks/:id", "account", "401 404 200 404 404 200", nil, func(scene) any { return map[string]any{"enabled": true} }},
	{"DELETE /v1/webhooks/:id", "account", "401 404 204 404 404 204", nil, nil},
	{"POST /v1/webhooks/:id/rotate-secret", "account", "401 404 200 404 404 200", nil, nil},
	{"GET /v1/webhooks/:id/deliveries", "account", "401 404 200 404 404 200", nil, nil},
	{"POST /v1/webhooks/:id/deliveries/:delivery_id/redeliver", "account", "401 404 200 404 404 200", nil, nil},
}

func TestWhoMayDoWhat(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 100)
		rows := map[string]bool{}
		for _, row := range matrix {
			rows[row.route] = true
			method, at, body := w.scene(row, list[0])
			for i, want := range strings.Fields(row.want) {
				who := people()[i]
				got := w.do(who, method, at, body)
				if strconv.Itoa(got.status) != want {
					t.Errorf("%s as %s: got %d %s, want %s", row.route, who, got.status, got.body, want)
				}
				if method != "GET" && got.status < 300 { // what was done cannot be done again
					method, at, body = w.scene(row, list[0])
				}
			}
		}
		for _, f := range api.Forms() { // forms_test.go holds them against the rows of their operations
			rows["GET "+f.Path], rows["POST "+f.Path] = true, true
		}
		for _, r := range w.api.Routes() {
			if !rows[r] {
				t.Errorf("%s has no row: say who may do it", r)
			}
		}
	})
}

// spare is the id of a fresh token of a person who keeps the one in use.
func (w *world) spare(who string) string {
	w.t.Helper()
	tok, err := w.store.CreateToken(w.t.Context(), tournament.Token{ID: fmt.Sprintf("%015d", w.serial+1), UserID: w.users[who].ID, RevokedAt: new(w.clk.Now())})
	must.OK(w.t, err)
	w.serial++
	return tok.ID
}

func TestThingsThatAreNotThereAndWhereABotLives(t *testing.T) {
	onOne(t, func(w *world) {
		b := w.bot(owner)
		_, err := directortest.Greet(t.Context(), w.store, w.director, b.ID, "dial https://secret.example: refused")
		must.OK(t, err)
		must.OK(t, w.store.LogCheck(t.Context(), tournament.Check{BotID: b.ID, VersionID: b.VersionID, Failure: "dial https://secret.example: refused"}))
		for _, who := range people() {
			for _, path := range []string{"/v1/bots", "/v1/bots/" + b.ID, "/v1/bots/" + b.ID + "/versions", "/v1/bots/" + b.ID + "/health", "/v1/bots?status=paused", "/v1/bots?game=masks"} {
				got := w.get(who, path).want(200, "")
				sees := strings.Contains(string(got.body), "secret.example")
				may := (who == owner || who == admin) && strings.HasPrefix(path, "/v1/bots/")
				if sees != may {
					t.Errorf("%s as %s: sees the address %v, want %v: %s", path, who, sees, may, got.body)
				}
				if strings.Contains(string(got.body), "whsec_") {
					t.Errorf("%s as %s: shows a secret: %s", path, who, got.body)
				}
			}
		}

		// Whatever names a thing that is not there is not found, whoever asks and however the name is written.
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 100)
		const id = "01890000-0000-7000-8000-000000000000"
		for _, row := range matrix {
			method, route, _ := strings.Cut(row.route, " ")
			if got := strings.Fields(row.want)[5]; got[0] != '2' && got != "404" {
				continue
			}
			_, at, body := w.scene(row, list[0])
			at, query, _ := strings.Cut(at, "?")
			for _, id := range []string{id, strings.ToUpper("01890000-0000-7000-8000-00000000000a"), "1", "x'--", "01890000000070008000000000000000", "{" + id + "}"} {
				parts, named := strings.Split(at, "/"), false
				for i, part := range strings.Split(route, "/") {
					if slices.Contains([]string{":id", ":game", ":hash"}, part) || part == ":name" && method == "GET" {
						parts[i], named = url.PathEscape(id), true
					}
				}
				if named {
					w.do(admin, method, strings.Join(parts, "/")+"?"+query, body).want(404, "not_found")
				}
			}
		}
	})
}

// scene holds what the requests of the matrix are about: a bot of owner's, a tournament of organiser's.
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

// at returns the path of a route about what the scene has.
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

// entered returns the path of a route about the cup with owner's bot in it.
func (s scene) entered() string {
	s.w.t.Helper()
	s.enter()
	return ""
}

// withReason returns a body that gives a reason.
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
