package api_test

import (
	"fmt"
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
)

// rights are a row of the matrix.
type rights struct {
	route string
	want  string
	path  func(scene) string // of the path's parameters, and the query
	body  func(scene) any
}

// scene is a fresh request of a row; m is a match of owner's that is over.
func (w *world) scene(row rights, m tournament.Match) (method, path string, body any) {
	w.t.Helper()
	_, method, path, body = w.staged(row, m)
	return method, path, body
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
	if row.path != nil {
		path = row.path(s)
	}
	if row.body != nil {
		body = row.body(s)
	}
	return s, method, path, body
}

// matrix says for every route what each of the people gets: anon, other, owner, rival, organiser, admin.
var matrix = []rights{
	{"GET /", "200 200 200 200 200 200", nil, nil},
	{"GET /card.png", "200 200 200 200 200 200", nil, nil},
	{"GET /games", "200 200 200 200 200 200", nil, nil},
	{"GET /games/:game", "200 200 200 200 200 200", func(scene) string { return "/games/masks" }, nil},
	{"GET /games/:game/board.svg", "404 404 404 404 404 404", func(scene) string { return "/games/masks/board.svg" }, nil}, // masks cannot be drawn
	{"GET /games/:game/card.png", "200 200 200 200 200 200", func(scene) string { return "/games/masks/card.png" }, nil},
	{"GET /tournaments", "200 200 200 200 200 200", nil, nil},
	{"GET /matches", "200 200 200 200 200 200", nil, nil},
	{"GET /bots", "200 200 200 200 200 200", nil, nil},
	{"GET /schedules", "200 200 200 200 200 200", nil, nil},
	{"GET /ladders", "200 200 200 200 200 200", nil, nil},
	{"GET /series", "200 200 200 200 200 200", nil, nil},
	{"GET /robots.txt", "200 200 200 200 200 200", nil, nil},
	{"GET /llms.txt", "200 200 200 200 200 200", nil, nil},
	{"GET /skill.md", "200 200 200 200 200 200", nil, nil},
	{"POST /mcp", "401 200 200 200 200 200", nil, func(scene) any {
		return map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": map[string]any{}}
	}},
	{"GET /sitemap.xml", "200 200 200 200 200 200", nil, nil},
	{"GET /ladders/:id", "200 200 200 200 200 200", func(scene) string { return "/ladders/masks" }, nil},
	{"GET /ladders/:id/calibration", "200 200 200 200 200 200", func(scene) string { return "/ladders/masks/calibration" }, nil},
	{"GET /bots/:id", "200 200 200 200 200 200", func(s scene) string { return "/bots/" + s.bot.ID }, nil},
	{"GET /tournaments/:id/broadcast", "200 200 200 200 200 200", func(s scene) string { return "/tournaments/" + s.cup.ID + "/broadcast" }, nil},
	{"GET /tournaments/:id", "200 200 200 200 200 200", func(s scene) string { return "/tournaments/" + s.cup.ID }, nil},
	{"GET /tournaments/:id/card.png", "200 200 200 200 200 200", func(s scene) string { return "/tournaments/" + s.cup.ID + "/card.png" }, nil},
	{"GET /matches/:id", "200 200 200 200 200 200", func(s scene) string { return "/matches/" + s.match.ID + "?seat=1&step=0" }, nil},
	{"GET /matches/:id/board.svg", "404 404 404 404 404 404", func(s scene) string { return "/matches/" + s.match.ID + "/board.svg" }, nil}, // masks cannot be drawn
	{"GET /matches/:id/card.png", "200 200 200 200 200 200", func(s scene) string { return "/matches/" + s.match.ID + "/card.png" }, nil},
	{"GET /matches/:id/frames", "200 200 200 200 200 200", func(s scene) string { return "/matches/" + s.match.ID + "/frames?seat=1" }, nil},
	{"POST /matches/:id/review", "415 415 415 415 415 415", func(s scene) string { return "/matches/" + s.match.ID + "/review" }, nil}, // a form: reviews_test.go sends some
	{"GET /embed/matches/:id", "200 200 200 200 200 200", func(s scene) string { return "/embed/matches/" + s.match.ID + "?seat=1&step=0" }, nil},
	{"GET /oembed", "200 200 200 200 200 200", func(s scene) string { return "/oembed?url=http%3A%2F%2Fexample.com%2Fmatches%2F" + s.match.ID }, nil},
	{"GET /matches/:id/moves", "200 200 200 200 200 200", func(s scene) string { return "/matches/" + s.match.ID + "/moves?from=1" }, nil},
	{"GET /guides", "200 200 200 200 200 200", func(scene) string { return "/guides" }, nil},
	{"GET /guides/:name", "200 200 200 200 200 200", func(scene) string { return "/guides/start" }, nil},
	{"GET /rules/:game", "200 200 200 200 200 200", func(scene) string { return "/rules/demol" }, nil},
	{"GET /api", "200 200 200 200 200 200", nil, nil},
	{"GET /calendar.ics", "200 200 200 200 200 200", nil, nil},
	{"GET /news.atom", "200 200 200 200 200 200", nil, nil},
	{"GET /assets/:name", "404 404 404 404 404 404", func(scene) string { return "/assets/app.css" }, nil}, // the name has a hash
	{"GET /play/:game", "404 404 404 404 404 404", func(scene) string { return "/play/masks" }, nil},       // no guests here: seats_test.go has some
	{"POST /play/:game", "404 404 404 404 404 404", func(scene) string { return "/play/masks" }, nil},
	{"GET /seat", "404 404 404 404 404 404", nil, nil},
	{"POST /seat", "404 404 404 404 404 404", nil, nil},
	{"GET /seat/board.svg", "404 404 404 404 404 404", nil, nil},
	{"POST /seat/leave", "404 404 404 404 404 404", nil, nil},
	{"GET /login", "200 200 200 200 200 200", nil, nil}, // no issuer here: api/login has one
	{"GET /login/once", "403 403 403 403 403 403", func(scene) string { return "/login/once?code=guess" }, nil},
	{"POST /login/once", "415 415 415 415 415 415", nil, nil}, // a form: api/login sends some
	{"GET /class", "403 403 403 403 403 403", func(scene) string { return "/class?code=guess" }, nil},
	{"POST /class", "415 415 415 415 415 415", nil, nil},
	{"GET /login/callback", "404 404 404 404 404 404", nil, nil},
	{"GET /login/name", "404 404 404 404 404 404", nil, nil},
	{"POST /login/name", "404 404 404 404 404 404", nil, nil},
	{"POST /login/link", "404 404 404 404 404 404", nil, nil},
	{"POST /logout", "415 415 415 415 415 415", nil, nil},
	{"GET /me", "303 303 303 303 303 303", nil, nil},
	{"GET /me/events", "303 303 303 303 303 303", nil, nil},
	{"GET /tournaments/:id/organise", "303 303 303 303 303 303", func(s scene) string { return "/tournaments/" + s.cup.ID + "/organise" }, nil},
	{"GET /schedules/:id/organise", "303 303 303 303 303 303", func(s scene) string { return strings.TrimPrefix(s.series(false), "/v1") + "/organise" }, nil},
	{"GET /series/:id/organise", "303 303 303 303 303 303", func(s scene) string { return "/series/" + s.league() + "/organise" }, nil},
	{"POST /me/tokens", "415 415 415 415 415 415", nil, nil},
	{"POST /v1/login/device", "404 404 404 404 404 404", nil, nil},
	{"POST /v1/login/device/look", "404 404 404 404 404 404", nil, func(scene) any { return map[string]any{"handle": "guess"} }},

	{"GET /livez", "200 200 200 200 200 200", nil, nil},
	{"GET /readyz", "200 200 200 200 200 200", nil, nil},
	{"GET /version", "200 200 200 200 200 200", nil, nil},
	{"GET /openapi.json", "200 200 200 200 200 200", nil, nil},
	{"GET /docs", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/games", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/games/:game", "200 200 200 200 200 200", func(scene) string { return "/v1/games/masks" }, nil},
	{"GET /v1/games/:game/rules", "200 200 200 200 200 200", func(scene) string { return "/v1/games/masks/rules" }, nil},
	{"GET /v1/games/:game/schemas/:name", "404 404 404 404 404 404", func(scene) string { return "/v1/games/masks/schemas/view" }, nil},
	{"GET /v1/protocol/schemas/:name", "200 200 200 200 200 200", func(scene) string { return "/v1/protocol/schemas/turn" }, nil},

	{"POST /v1/users", "201 201 201 201 201 201", nil, func(s scene) any { return map[string]any{"name": s.w.name("new")} }},
	{"GET /v1/users", "401 403 403 403 403 200", nil, nil},
	{"GET /v1/users/:id", "401 403 403 403 403 200", func(s scene) string { return "/v1/users/" + s.bot.OwnerID }, nil},
	{
		"POST /v1/users/:id/disable", "401 403 403 403 403 200", func(s scene) string { return "/v1/users/" + s.stranger(false) + "/disable" },
		func(scene) any { return map[string]any{"reason": "spam"} },
	},
	{"POST /v1/users/:id/enable", "401 403 403 403 403 200", func(s scene) string { return "/v1/users/" + s.stranger(true) + "/enable" }, nil},
	{"POST /v1/users/:id/recovery", "401 403 403 403 403 201", func(s scene) string { return "/v1/users/" + s.stranger(false) + "/recovery" }, nil},
	{"POST /v1/me/login-links", "401 201 201 201 201 201", nil, func(scene) any { return map[string]any{"lasts_ms": 60_000} }},
	{"POST /v1/users/:id/login-links", "401 403 403 404 404 201", func(s scene) string { return "/v1/users/" + s.stranger(false) + "/login-links" }, func(scene) any { return map[string]any{"lasts_ms": 60_000} }},
	{"POST /v1/class-links", "401 403 403 422 201 201", nil, func(s scene) any { return map[string]any{"events": []string{s.cup.ID}, "accounts": 3} }},
	{"GET /v1/class-links", "401 403 403 200 200 200", nil, nil},
	{"GET /v1/class-links/:id", "401 403 403 403 200 200", func(s scene) string { return "/v1/class-links/" + s.class().ID }, nil},
	{"DELETE /v1/class-links/:id", "401 403 403 403 204 204", func(s scene) string { return "/v1/class-links/" + s.class().ID }, nil},
	{"POST /v1/class-links/join", "201 201 201 201 201 201", nil, func(s scene) any {
		_, code, _ := strings.Cut(s.class().URL, "code=")
		return map[string]any{"code": code, "name": s.w.name("pupil")}
	}},
	{"POST /v1/recovery", "201 201 201 201 201 201", nil, func(s scene) any {
		id := s.stranger(false)
		made := into[wire.RecoveryCode](s.w.do(admin, "POST", "/v1/users/"+id+"/recovery", nil).want(201, ""))
		return map[string]any{"name": made.Name, "code": made.Code}
	}},
	{"GET /v1/admin/jobs", "401 403 403 403 403 200", nil, nil},
	{"GET /v1/admin/ladders/:id/partners", "401 403 403 403 403 200", func(scene) string { return "/v1/admin/ladders/masks/partners" }, nil},
	{"GET /v1/admin/conduct", "401 403 403 403 403 200", nil, nil},
	{"GET /v1/admin/audit", "401 403 403 403 403 200", nil, nil},
	{"GET /v1/me", "401 200 200 200 200 200", nil, nil},
	{"DELETE /v1/me", "401 422 422 422 422 422", nil, func(scene) any { return map[string]any{"name": "somebody-else"} }},      // who may: erasure_test.go
	{"POST /v1/me/rotate", "401 422 422 422 422 422", nil, func(scene) any { return map[string]any{"name": "somebody-else"} }}, // who may: recovery_test.go
	{"DELETE /v1/me/logins/:id", "401 404 204 404 404 404", func(s scene) string { return "/v1/me/logins/" + s.w.linked(owner).ID() }, nil},
	{"DELETE /v1/me/sessions/:id", "401 404 204 404 404 404", func(s scene) string { return "/v1/me/sessions/" + s.w.session(owner).ID }, nil},
	{"GET /v1/me/export", "401 200 200 200 200 200", nil, nil},
	{"GET /v1/tokens", "401 200 200 200 200 200", nil, nil},
	{"POST /v1/tokens", "401 201 201 201 201 201", nil, func(scene) any { return map[string]any{} }},
	{"DELETE /v1/tokens/:id", "401 404 204 404 404 404", func(s scene) string { return "/v1/tokens/" + s.token }, nil},

	{"GET /v1/bots", "200 200 200 200 200 200", nil, nil},
	{"POST /v1/bots", "401 201 201 201 201 201", nil, func(s scene) any {
		return map[string]any{"name": s.w.name("fresh"), "url": "https://bot.example/"}
	}},
	{"GET /v1/bots/:id", "200 200 200 200 200 200", func(s scene) string { return "/v1/bots/" + s.bot.ID }, nil},
	{
		"PATCH /v1/bots/:id", "401 403 200 403 403 200", func(s scene) string { return "/v1/bots/" + s.bot.ID },
		func(scene) any { return map[string]any{"takes_challenges": true} },
	},
	{"DELETE /v1/bots/:id", "401 403 204 403 403 204", func(s scene) string { return "/v1/bots/" + s.bot.ID }, nil},
	{"GET /v1/bots/:id/versions", "200 200 200 200 200 200", func(s scene) string { return "/v1/bots/" + s.bot.ID + "/versions" }, nil},
	{
		"POST /v1/bots/:id/versions", "401 403 201 403 403 201", func(s scene) string { return "/v1/bots/" + s.bot.ID + "/versions" },
		func(scene) any { return map[string]any{"url": "https://bot.example/two"} },
	},
	{
		"POST /v1/bots/:id/promote", "401 403 200 403 403 200", func(s scene) string {
			s.w.version(s.bot, "b1")
			return "/v1/bots/" + s.bot.ID + "/promote"
		}, func(scene) any { return map[string]any{"number": 2} },
	},
	{"GET /v1/bots/:id/health", "200 200 200 200 200 200", func(s scene) string { return "/v1/bots/" + s.bot.ID + "/health" }, nil},
	{"POST /v1/bots/:id/check", "401 403 200 403 403 200", func(s scene) string { return "/v1/bots/" + s.bot.ID + "/check" }, nil},
	{"POST /v1/bots/:id/pause", "401 403 200 403 403 200", func(s scene) string { return "/v1/bots/" + s.bot.ID + "/pause" }, nil},
	{"POST /v1/bots/:id/resume", "401 403 200 403 403 200", func(s scene) string { return "/v1/bots/" + s.bot.ID + "/resume" }, nil},
	{"POST /v1/bots/:id/rotate-secret", "401 403 200 403 403 200", func(s scene) string { return "/v1/bots/" + s.bot.ID + "/rotate-secret" }, nil},
	{"POST /v1/bots/:id/drop-old-secret", "401 403 200 403 403 200", func(s scene) string {
		_, err := s.w.store.RotateSecret(s.w.t.Context(), s.bot.VersionID, "whsec_"+strings.Repeat("QUJE", 8))
		must.OK(s.w.t, err)
		return "/v1/bots/" + s.bot.ID + "/drop-old-secret"
	}, nil},
	{
		"POST /v1/bots/:id/ban", "401 403 403 403 403 200", func(s scene) string { return "/v1/bots/" + s.bot.ID + "/ban" },
		func(scene) any { return map[string]any{"reason": "cheats"} },
	},
	{"POST /v1/bots/:id/unban", "401 403 403 403 403 200", func(s scene) string {
		_, err := s.w.director.BanBot(s.w.t.Context(), s.bot.ID, "cheats")
		must.OK(s.w.t, err)
		return "/v1/bots/" + s.bot.ID + "/unban"
	}, nil},
	{"GET /v1/bots/:id/rating-history", "200 200 200 200 200 200", func(s scene) string { return "/v1/bots/" + s.bot.ID + "/rating-history" }, nil},
	{"GET /v1/bots/:id/matches", "200 200 200 200 200 200", func(s scene) string { return "/v1/bots/" + s.bot.ID + "/matches" }, nil},
	{"GET /v1/bots/:id/records", "200 200 200 200 200 200", func(s scene) string { return "/v1/bots/" + s.bot.ID + "/records" }, nil},

	{"POST /v1/relays/:name/fetch", "401 200 200 200 200 200", func(s scene) string { return "/v1/relays/" + s.bot.Name + "/fetch" }, func(scene) any {
		return map[string]any{"relay": relayID, "holds": []string{}, "room": 1} // each of their own mailbox of that name
	}},
	{"POST /v1/relays/:name/answer", "401 409 204 409 409 409", func(scene) string { return "/v1/relays/fox/answer" }, func(s scene) any {
		return map[string]any{"id": s.w.letter(owner, "fox"), "status": 200, "body": "e30="}
	}},

	{"GET /v1/ladders", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/ladders/:id", "200 200 200 200 200 200", func(scene) string { return "/v1/ladders/masks" }, nil},
	{"GET /v1/ladders/:id/entries", "200 200 200 200 200 200", func(scene) string { return "/v1/ladders/masks/entries" }, nil},
	{"GET /v1/ladders/:id/fit", "200 200 200 200 200 200", func(scene) string { return "/v1/ladders/masks/fit" }, nil},
	{"GET /v1/ladders/:id/calibration", "200 200 200 200 200 200", func(scene) string { return "/v1/ladders/masks/calibration" }, nil},
	{"GET /v1/ladders/:id/seasons", "200 200 200 200 200 200", func(scene) string { return "/v1/ladders/masks/seasons" }, nil},
	{"POST /v1/ladders", "401 403 403 403 403 201", func(scene) string { return "/v1/ladders" }, func(s scene) any {
		return map[string]any{"id": s.w.name("masks"), "game": "masks", "table_size": 2}
	}},
	{"POST /v1/ladders/:id/seasons", "401 403 403 403 403 201", func(s scene) string {
		s.w.fitted()
		return "/v1/ladders/masks/seasons"
	}, nil},
	{
		"POST /v1/ladders/:id/entries", "401 403 201 403 403 201", func(scene) string { return "/v1/ladders/masks/entries" },
		func(s scene) any { return map[string]any{"bot_id": s.bot.ID, "matches_per_hour": 60} },
	},
	{"DELETE /v1/ladders/:id/entries/:bot_id", "401 403 204 403 403 204", func(s scene) string {
		_, err := s.w.director.JoinLadder(s.w.t.Context(), "masks", s.bot.ID, s.bot.OwnerID, 1)
		must.OK(s.w.t, err)
		return "/v1/ladders/masks/entries/" + s.bot.ID
	}, nil},

	{"GET /v1/tournaments", "200 200 200 200 200 200", nil, nil},
	{"POST /v1/tournaments", "401 403 403 201 201 201", nil, func(s scene) any { return goodCup(s.w) }},
	{"POST /v1/tournaments/preview", "401 403 403 200 200 200", nil, func(s scene) any { return goodCup(s.w) }},
	{"GET /v1/tournaments/:id", "200 200 200 200 200 200", func(s scene) string { return "/v1/tournaments/" + s.cup.ID }, nil},
	{"GET /v1/tournaments/:id/entries", "200 200 200 200 200 200", func(s scene) string { return "/v1/tournaments/" + s.cup.ID + "/entries" }, nil},
	{
		"POST /v1/tournaments/:id/entries", "401 403 201 403 403 201", func(s scene) string { return "/v1/tournaments/" + s.cup.ID + "/entries" },
		func(s scene) any { return map[string]any{"bot_id": s.bot.ID} },
	},
	{"DELETE /v1/tournaments/:id/entries/:bot_id", "401 403 204 403 204 204", func(s scene) string {
		s.enter()
		return "/v1/tournaments/" + s.cup.ID + "/entries/" + s.bot.ID
	}, nil},
	{"POST /v1/tournaments/:id/entries/:bot_id/check-in", "401 403 200 403 200 200", func(s scene) string {
		s.enter()
		return "/v1/tournaments/" + s.cup.ID + "/entries/" + s.bot.ID + "/check-in"
	}, nil},
	{
		"POST /v1/tournaments/:id/entries/:bot_id/substitute", "401 403 200 403 200 200", func(s scene) string {
			s.enter()
			return "/v1/tournaments/" + s.cup.ID + "/entries/" + s.bot.ID + "/substitute"
		}, func(s scene) any { return map[string]any{"bot_id": s.w.bot(owner).ID} },
	},
	{"GET /v1/tournaments/:id/organisers", "200 200 200 200 200 200", func(s scene) string { return "/v1/tournaments/" + s.cup.ID + "/organisers" }, nil},
	{"PUT /v1/tournaments/:id/organisers", "401 403 403 403 200 200", func(s scene) string { return "/v1/tournaments/" + s.cup.ID + "/organisers" }, nobodyElse},
	{"GET /v1/schedules/:id/organisers", "200 200 200 200 200 200", func(s scene) string { return s.series(false) + "/organisers" }, nil},
	{"PUT /v1/schedules/:id/organisers", "401 403 403 403 200 200", func(s scene) string { return s.series(false) + "/organisers" }, nobodyElse},
	{"GET /v1/series/:id/organisers", "200 200 200 200 200 200", func(s scene) string { return "/v1/series/" + s.league() + "/organisers" }, nil},
	{"PUT /v1/series/:id/organisers", "401 403 403 403 200 200", func(s scene) string { return "/v1/series/" + s.league() + "/organisers" }, nobodyElse},
	{"POST /v1/tournaments/:id/invite", "401 403 403 403 200 200", func(s scene) string {
		return "/v1/tournaments/" + s.w.cup(func(t *tournament.Tournament) { t.Invite = tournament.Invite{1} }).ID + "/invite"
	}, func(s scene) any { return map[string]any{"expires_at": s.w.clk.Now().Add(time.Hour)} }},
	{
		"PUT /v1/tournaments/:id/seeds", "401 403 403 403 200 200", func(s scene) string { return "/v1/tournaments/" + s.cup.ID + "/seeds" },
		func(scene) any { return map[string]any{"bots": []string{}} },
	},
	{
		"PUT /v1/tournaments/:id/rounds/:round", "401 403 403 403 200 200", func(s scene) string { return "/v1/tournaments/" + s.cup.ID + "/rounds/1" },
		func(s scene) any { return map[string]any{"tables": [][]string{s.pair}, "reason": "rain"} },
	},
	{"POST /v1/tournaments/:id/start", "401 403 403 403 200 200", func(s scene) string {
		s.enter()
		return "/v1/tournaments/" + s.cup.ID + "/start"
	}, func(scene) any { return map[string]any{"paused": false} }},
	{
		"PATCH /v1/tournaments/:id", "401 403 403 403 200 200", func(s scene) string { return "/v1/tournaments/" + s.cup.ID },
		func(scene) any { return map[string]any{"rules": "Be *kind*."} },
	},
	{
		"POST /v1/tournaments/:id/cancel", "401 403 403 403 200 200", func(s scene) string { return "/v1/tournaments/" + s.cup.ID + "/cancel" },
		func(scene) any { return map[string]any{"reason": "rain"} },
	},
	{"POST /v1/tournaments/:id/pause", "401 403 403 403 200 200", func(s scene) string { return "/v1/tournaments/" + s.start() + "/pause" }, nil},
	{"POST /v1/tournaments/:id/resume", "401 403 403 403 200 200", func(s scene) string {
		id := s.start()
		_, err := s.w.director.PauseTournament(s.w.t.Context(), id)
		must.OK(s.w.t, err)
		return "/v1/tournaments/" + id + "/resume"
	}, nil},
	{"GET /v1/tournaments/:id/standings", "200 200 200 200 200 200", func(s scene) string { return "/v1/tournaments/" + s.cup.ID + "/standings" }, nil},
	{"GET /v1/tournaments/:id/broadcast", "200 200 200 200 200 200", func(s scene) string { return "/v1/tournaments/" + s.cup.ID + "/broadcast" }, nil},
	{"GET /v1/tournaments/:id/bracket", "200 200 200 200 200 200", func(s scene) string { return "/v1/tournaments/" + s.cup.ID + "/bracket" }, nil},
	{"GET /v1/tournaments/:id/crosstable", "200 200 200 200 200 200", func(s scene) string { return "/v1/tournaments/" + s.cup.ID + "/crosstable" }, nil},
	{"GET /v1/tournaments/:id/export", "200 200 200 200 200 200", func(s scene) string { return "/v1/tournaments/" + s.cup.ID + "/export" }, nil},
	{"GET /v1/tournaments/:id/matches", "200 200 200 200 200 200", func(s scene) string { return "/v1/tournaments/" + s.cup.ID + "/matches" }, nil},

	{"GET /v1/schedules", "200 200 200 200 200 200", nil, nil},
	{"POST /v1/schedules", "401 403 403 201 201 201", nil, func(s scene) any { return goodSeries(s.w) }},
	{"POST /v1/schedules/preview", "401 403 403 200 200 200", nil, func(s scene) any { return goodSeries(s.w) }},
	{"GET /v1/schedules/:id", "200 200 200 200 200 200", func(s scene) string { return s.series(false) }, nil},
	{
		"PATCH /v1/schedules/:id", "401 403 403 403 200 200", func(s scene) string { return s.series(false) },
		func(scene) any { return map[string]any{"capacity": 3} },
	},
	{"DELETE /v1/schedules/:id", "401 403 403 403 204 204", func(s scene) string { return s.series(false) }, nil},
	{"POST /v1/schedules/:id/pause", "401 403 403 403 200 200", func(s scene) string { return s.series(false) + "/pause" }, nil},
	{"POST /v1/schedules/:id/resume", "401 403 403 403 200 200", func(s scene) string { return s.series(true) + "/resume" }, nil},
	{
		"POST /v1/schedules/:id/cancel", "401 403 403 403 200 200", func(s scene) string { return s.series(false) + "/cancel" },
		func(scene) any { return map[string]any{"reason": "rain"} },
	},

	{"GET /series/:id", "200 200 200 200 200 200", func(s scene) string { return "/series/" + s.league() }, nil},
	{"GET /v1/series", "200 200 200 200 200 200", nil, nil},
	{"POST /v1/series", "401 403 403 422 201 201", nil, func(s scene) any { return map[string]any{"name": "x", "tournaments": []string{s.cup.ID}} }},
	{"GET /v1/series/:id", "200 200 200 200 200 200", func(s scene) string { return "/v1/series/" + s.league() }, nil},
	{
		"PATCH /v1/series/:id", "401 403 403 403 200 200", func(s scene) string { return "/v1/series/" + s.league() },
		func(scene) any { return map[string]any{"best": 3} },
	},
	{"DELETE /v1/series/:id", "401 403 403 403 204 204", func(s scene) string { return "/v1/series/" + s.league() }, nil},
	{"GET /v1/series/:id/standings", "200 200 200 200 200 200", func(s scene) string { return "/v1/series/" + s.league() + "/standings" }, nil},
	{"GET /v1/series/:id/export", "200 200 200 200 200 200", func(s scene) string { return "/v1/series/" + s.league() + "/export" }, nil},

	{"GET /v1/tournaments/:id/events", "200 200 200 200 200 200", func(s scene) string { return "/v1/tournaments/" + s.cup.ID + "/events" }, nil},
	{"GET /v1/events", "200 200 200 200 200 200", nil, nil},

	{"GET /v1/matches", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/matches/export", "200 200 200 200 200 200", func(s scene) string { return "/v1/matches/export" }, nil},
	{"GET /v1/matches/:id", "200 200 200 200 200 200", func(s scene) string { return "/v1/matches/" + s.match.ID }, nil},
	{
		"POST /v1/matches/:id/void", "401 403 403 403 200 200", func(s scene) string { return "/v1/matches/" + s.open() + "/void" },
		func(scene) any { return map[string]any{"reason": "power cut"} },
	},
	{"POST /v1/matches/:id/requeue", "401 403 403 403 403 200", func(s scene) string { return "/v1/matches/" + s.open() + "/requeue" }, nil},
	{"GET /v1/matches/:id/events", "200 200 200 200 200 200", func(s scene) string { return "/v1/matches/" + s.match.ID + "/events" }, nil},
	{"GET /v1/matches/:id/view", "200 200 200 200 200 200", func(s scene) string { return "/v1/matches/" + s.match.ID + "/view?seat=1&step=0" }, nil},
	{"GET /v1/matches/:id/replay", "200 200 200 200 200 200", func(s scene) string { return "/v1/matches/" + s.match.ID + "/replay" }, nil},
	{"GET /v1/matches/:id/decisions", "401 403 200 403 403 200", func(s scene) string {
		return fmt.Sprintf("/v1/matches/%s/decisions?seat=%d", s.match.ID, s.seat)
	}, nil},
	{"POST /v1/matches/:id/rematch", "401 201 201 403 201 201", func(s scene) string {
		for _, seat := range s.match.Seats {
			s.w.consent(seat.BotID)
		}
		return "/v1/matches/" + s.match.ID + "/rematch"
	}, nil},
	{"POST /v1/matches/:id/review", "202 202 202 202 202 202", func(s scene) string { return "/v1/matches/" + s.match.ID + "/review" }, nil},
	{"GET /v1/matches/:id/review", "200 200 200 200 200 200", func(s scene) string {
		_, err := s.w.store.AskReview(s.w.t.Context(), s.match.ID, false, 100)
		must.OK(s.w.t, err)
		return "/v1/matches/" + s.match.ID + "/review"
	}, nil},
	{"POST /v1/challenges", "401 403 201 403 403 201", nil, func(s scene) any {
		b := s.w.bot(rival)
		s.w.consent(b.ID)
		return map[string]any{"game": "masks", "bots": []string{s.bot.ID, b.ID}}
	}},

	{"GET /v1/webhooks", "401 200 200 200 200 200", nil, nil},
	{"GET /cards", "200 200 200 200 200 200", nil, nil},
	{"GET /v1/cards", "200 200 200 200 200 200", nil, nil},
	{"GET /cards/:hash", "200 200 200 200 200 200", func(s scene) string { return "/cards/" + s.w.card(tournament.CardChecked) }, nil},
	{"GET /cards/:hash/badge.svg", "200 200 200 200 200 200", func(s scene) string { return "/cards/" + s.w.card(tournament.CardChecked) + "/badge.svg" }, nil},
	{"POST /v1/cards", "401 202 202 202 202 202", nil, func(s scene) any { return s.w.upload() }},
	{"GET /v1/cards/:hash", "404 404 200 404 404 200", func(s scene) string { return "/v1/cards/" + s.w.card(tournament.CardWaiting) }, nil},
	{"DELETE /v1/cards/:hash", "401 403 204 403 403 204", func(s scene) string { return "/v1/cards/" + s.w.card(tournament.CardChecked) }, nil},
	{"POST /v1/webhooks", "401 201 201 201 201 201", nil, func(scene) any { return map[string]any{"url": "https://hook.example/"} }},
	{"GET /v1/webhooks/:id", "401 404 200 404 404 200", func(s scene) string { return "/v1/webhooks/" + s.hook.ID }, nil},
	{
		"PATCH /v1/webhooks/:id", "401 404 200 404 404 200", func(s scene) string { return "/v1/webhooks/" + s.hook.ID },
		func(scene) any { return map[string]any{"enabled": true} },
	},
	{"DELETE /v1/webhooks/:id", "401 404 204 404 404 204", func(s scene) string { return "/v1/webhooks/" + s.hook.ID }, nil},
	{"POST /v1/webhooks/:id/rotate-secret", "401 404 200 404 404 200", func(s scene) string { return "/v1/webhooks/" + s.hook.ID + "/rotate-secret" }, nil},
	{"GET /v1/webhooks/:id/deliveries", "401 404 200 404 404 200", func(s scene) string { return "/v1/webhooks/" + s.hook.ID + "/deliveries" }, nil},
	{"POST /v1/webhooks/:id/deliveries/:delivery_id/redeliver", "401 404 200 404 404 200", func(s scene) string {
		return "/v1/webhooks/" + s.hook.ID + "/deliveries/" + s.sent + "/redeliver"
	}, nil},
}

func TestWhoMayDoWhat(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 100)
		rows := map[string]bool{}
		for _, row := range matrix {
			rows[row.route] = true
			for i, want := range strings.Fields(row.want) {
				who := people()[i]
				method, at, body := w.scene(row, list[0])
				if got := w.do(who, method, at, body); strconv.Itoa(got.status) != want {
					t.Errorf("%s as %s: got %d %s, want %s", row.route, who, got.status, got.body, want)
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

func TestOnlyTheOwnerSeesWhereABotLives(t *testing.T) {
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
	})
}

func TestThingsThatAreNotThere(t *testing.T) {
	onOne(t, func(w *world) {
		const id = "01890000-0000-7000-8000-000000000000"
		for _, id := range []string{id, strings.ToUpper("01890000-0000-7000-8000-00000000000a"), "1", "x'--", "01890000000070008000000000000000", "{" + id + "}"} {
			for _, path := range []string{
				"/v1/bots/%s", "/v1/bots/%s/versions", "/v1/bots/%s/matches", "/v1/bots/%s/records", "/v1/bots/%s/rating-history", "/v1/bots/%s/health", "/v1/users/%s", "/v1/ladders/%s",
				"/v1/ladders/%s/entries", "/v1/ladders/%s/fit", "/v1/ladders/%s/calibration", "/v1/ladders/%s/seasons", "/v1/tournaments/%s", "/v1/tournaments/%s/entries", "/v1/tournaments/%s/standings", "/v1/tournaments/%s/bracket", "/v1/tournaments/%s/crosstable", "/v1/tournaments/%s/export", "/v1/tournaments/%s/matches",
				"/v1/schedules/%s", "/v1/series/%s", "/v1/series/%s/standings", "/v1/series/%s/export", "/series/%s", "/v1/matches/%s", "/v1/matches/%s/events", "/v1/matches/%s/replay", "/v1/matches/%s/review", "/v1/matches/%s/decisions?seat=0", "/v1/matches/%s/view?seat=0", "/v1/games/%s", "/v1/games/%s/rules",
				"/matches/%s/board.svg", "/matches/%s/card.png", "/tournaments/%s/card.png", "/games/%s/card.png", "/matches/%s/frames", "/matches/%s/moves", "/embed/matches/%s", "/assets/%s",
			} {
				w.get(admin, fmt.Sprintf(path, strings.ReplaceAll(id, "'", "%27"))).want(404, "not_found")
			}
			esc := strings.ReplaceAll(id, "'", "%27")
			w.do(admin, "DELETE", "/v1/tokens/"+esc, nil).want(404, "not_found")
			w.do(admin, "DELETE", "/v1/bots/"+esc, nil).want(404, "not_found")
			for _, path := range []string{"tournaments/%s/start", "tournaments/%s/pause", "tournaments/%s/resume", "schedules/%s/pause", "schedules/%s/resume", "bots/%s/drop-old-secret", "bots/%s/unban", "users/%s/enable", "matches/%s/requeue"} {
				w.do(admin, "POST", "/v1/"+fmt.Sprintf(path, esc), nil).want(404, "not_found")
			}
			w.do(admin, "POST", "/v1/ladders/"+esc+"/seasons", nil).want(404, "not_found")
			w.do(admin, "DELETE", "/v1/schedules/"+esc, nil).want(404, "not_found")
			w.do(admin, "PATCH", "/v1/schedules/"+esc, map[string]any{}).want(404, "not_found")
			w.do(admin, "PATCH", "/v1/tournaments/"+esc, map[string]any{}).want(404, "not_found")
			w.do(admin, "PATCH", "/v1/series/"+esc, map[string]any{}).want(404, "not_found")
			w.do(admin, "DELETE", "/v1/series/"+esc, nil).want(404, "not_found")
			w.do(admin, "PATCH", "/v1/bots/"+esc, map[string]any{"takes_challenges": true}).want(404, "not_found")
			w.do(admin, "POST", "/v1/matches/"+esc+"/rematch", nil).want(404, "not_found")
			for _, path := range []string{"schedules/%s/cancel", "bots/%s/ban", "users/%s/disable", "matches/%s/void"} {
				w.do(admin, "POST", "/v1/"+fmt.Sprintf(path, esc), map[string]any{"reason": "rain"}).want(404, "not_found")
			}
			w.do(admin, "POST", "/v1/bots/"+esc+"/versions", map[string]any{"url": "https://x.example"}).want(404, "not_found")
			w.do(admin, "POST", "/v1/bots/"+esc+"/promote", map[string]any{"number": 1}).want(404, "not_found")
		}
	})
}
