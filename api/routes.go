package api

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/tournament"
)

// anybody marks a route that needs no token; a bad one is refused all the same.
const anybody tournament.Role = ""

// route is one line of the API. What a caller may do with a thing beyond their role is the handler's or the store's to say.
type route struct {
	method, path string
	need         tournament.Role
	do           func(*Server, *gin.Context) error
	probe        bool // health probes: no limits, no database for a token
}

// routes lists everything the API answers.
func routes() []route {
	const get, post, patch, del = http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete
	const owner, organiser, admin = tournament.RoleOwner, tournament.RoleOrganiser, tournament.RoleAdmin
	return []route{
		{get, "/", anybody, forPeople((*web.Pages).Home), false},
		{get, "/ladders/:id", anybody, forPeople((*web.Pages).Ladder), false},
		{get, "/bots/:id", anybody, forPeople((*web.Pages).Bot), false},
		{get, "/tournaments/:id", anybody, forPeople((*web.Pages).Tournament), false},
		{get, "/matches/:id", anybody, forPeople((*web.Pages).Match), false},
		{get, "/matches/:id/board.svg", anybody, of((*web.Pages).Board), false},
		{get, "/matches/:id/frames", anybody, of((*web.Pages).Frames), false},
		{get, "/assets/:name", anybody, of((*web.Pages).Asset), true},

		{get, "/livez", anybody, (*Server).livez, true},
		{get, "/readyz", anybody, (*Server).readyz, true},
		{get, "/version", anybody, (*Server).getVersion, false},
		{get, "/openapi.json", anybody, (*Server).openapi, false},
		{get, "/docs", anybody, (*Server).docsPage, false},

		{get, "/v1/games", anybody, (*Server).listGames, false},
		{get, "/v1/games/:game", anybody, (*Server).getGame, false},
		{get, "/v1/games/:game/rules", anybody, (*Server).getRules, false},
		{get, "/v1/games/:game/schemas/:name", anybody, (*Server).getGameSchema, false},
		{get, "/v1/protocol/schemas/:name", anybody, (*Server).getProtocolSchema, false},

		{post, "/v1/users", anybody, (*Server).createUser, false},
		{get, "/v1/users", admin, (*Server).listUsers, false},
		{get, "/v1/users/:id", admin, (*Server).getUser, false},
		{post, "/v1/users/:id/disable", admin, (*Server).disableUser, false},
		{post, "/v1/users/:id/enable", admin, (*Server).enableUser, false},
		{get, "/v1/admin/jobs", admin, (*Server).listJobs, false},
		{get, "/v1/admin/ladders/:id/partners", admin, (*Server).listPartners, false},
		{get, "/v1/admin/conduct", admin, (*Server).listConduct, false},
		{get, "/v1/me", owner, (*Server).getMe, false},
		{get, "/v1/tokens", owner, (*Server).listTokens, false},
		{post, "/v1/tokens", owner, (*Server).createToken, false},
		{del, "/v1/tokens/:id", owner, (*Server).deleteToken, false},

		{get, "/v1/bots", anybody, (*Server).listBots, false},
		{post, "/v1/bots", owner, (*Server).createBot, false},
		{get, "/v1/bots/:id", anybody, (*Server).getBot, false},
		{patch, "/v1/bots/:id", owner, (*Server).patchBot, false},
		{del, "/v1/bots/:id", owner, (*Server).deleteBot, false},
		{get, "/v1/bots/:id/versions", anybody, (*Server).listVersions, false},
		{post, "/v1/bots/:id/versions", owner, (*Server).createVersion, false},
		{post, "/v1/bots/:id/promote", owner, (*Server).promoteVersion, false},
		{get, "/v1/bots/:id/health", anybody, (*Server).botHealth, false},
		{post, "/v1/bots/:id/check", owner, (*Server).checkBot, false},
		{post, "/v1/bots/:id/pause", owner, (*Server).pauseBot, false},
		{post, "/v1/bots/:id/resume", owner, (*Server).resumeBot, false},
		{post, "/v1/bots/:id/rotate-secret", owner, (*Server).rotateSecret, false},
		{post, "/v1/bots/:id/drop-old-secret", owner, (*Server).dropOldSecret, false},
		{post, "/v1/bots/:id/ban", admin, (*Server).banBot, false},
		{post, "/v1/bots/:id/unban", admin, (*Server).unbanBot, false},
		{get, "/v1/bots/:id/rating-history", anybody, (*Server).ratingHistory, false},
		{get, "/v1/bots/:id/matches", anybody, (*Server).botMatches, false},

		{post, "/v1/relays/:name/fetch", owner, (*Server).fetchLetters, false},
		{post, "/v1/relays/:name/answer", owner, (*Server).answerLetter, false},

		{get, "/v1/ladders", anybody, (*Server).listLadders, false},
		{get, "/v1/ladders/:id", anybody, (*Server).getLadder, false},
		{get, "/v1/ladders/:id/entries", anybody, (*Server).ladderEntries, false},
		{get, "/v1/ladders/:id/fit", anybody, (*Server).ladderFit, false},
		{get, "/v1/ladders/:id/seasons", anybody, (*Server).listSeasons, false},
		{post, "/v1/ladders/:id/seasons", tournament.RoleAdmin, (*Server).newSeason, false},
		{post, "/v1/ladders/:id/entries", owner, (*Server).joinLadder, false},
		{del, "/v1/ladders/:id/entries/:bot_id", owner, (*Server).leaveLadder, false},

		{get, "/v1/tournaments", anybody, (*Server).listTournaments, false},
		{post, "/v1/tournaments", organiser, (*Server).createTournament, false},
		{get, "/v1/tournaments/:id", anybody, (*Server).getTournament, false},
		{get, "/v1/tournaments/:id/entries", anybody, (*Server).listEntries, false},
		{post, "/v1/tournaments/:id/entries", owner, (*Server).joinTournament, false},
		{del, "/v1/tournaments/:id/entries/:bot_id", owner, (*Server).withdrawEntry, false},
		{post, "/v1/tournaments/:id/start", organiser, (*Server).startTournament, false},
		{post, "/v1/tournaments/:id/pause", organiser, (*Server).pauseTournament, false},
		{post, "/v1/tournaments/:id/resume", organiser, (*Server).resumeTournament, false},
		{post, "/v1/tournaments/:id/cancel", organiser, (*Server).cancelTournament, false},
		{get, "/v1/tournaments/:id/events", anybody, (*Server).tournamentEvents, false},
		{get, "/v1/tournaments/:id/standings", anybody, (*Server).listStandings, false},
		{get, "/v1/tournaments/:id/bracket", anybody, (*Server).listRounds, false},
		{get, "/v1/tournaments/:id/crosstable", anybody, (*Server).listCrosstable, false},
		{get, "/v1/tournaments/:id/export", anybody, (*Server).exportTournament, false},
		{get, "/v1/tournaments/:id/matches", anybody, (*Server).tournamentMatches, false},

		{get, "/v1/schedules", anybody, (*Server).listSchedules, false},
		{post, "/v1/schedules", organiser, (*Server).createSchedule, false},
		{get, "/v1/schedules/:id", anybody, (*Server).getSchedule, false},
		{patch, "/v1/schedules/:id", organiser, (*Server).patchSchedule, false},
		{del, "/v1/schedules/:id", organiser, (*Server).deleteSchedule, false},
		{post, "/v1/schedules/:id/pause", organiser, (*Server).pauseSchedule, false},
		{post, "/v1/schedules/:id/resume", organiser, (*Server).resumeSchedule, false},
		{post, "/v1/schedules/:id/cancel", organiser, (*Server).cancelSchedule, false},

		{get, "/v1/events", anybody, (*Server).listEvents, false},

		{get, "/v1/matches", anybody, (*Server).listMatches, false},
		{get, "/v1/matches/:id", anybody, (*Server).getMatch, false},
		{post, "/v1/matches/:id/void", admin, (*Server).voidMatch, false},
		{post, "/v1/matches/:id/requeue", admin, (*Server).requeueMatch, false},
		{get, "/v1/matches/:id/events", anybody, (*Server).matchEvents, false},
		{get, "/v1/matches/:id/view", anybody, (*Server).matchView, false},
		{get, "/v1/matches/:id/replay", anybody, (*Server).matchReplay, false},
		{get, "/v1/matches/:id/decisions", owner, (*Server).matchDecisions, false},
		{post, "/v1/matches/:id/rematch", owner, (*Server).rematch, false},
		{post, "/v1/challenges", owner, (*Server).createChallenge, false},

		{get, "/v1/webhooks", owner, (*Server).listWebhooks, false},
		{post, "/v1/webhooks", owner, (*Server).createWebhook, false},
		{get, "/v1/webhooks/:id", owner, (*Server).getWebhook, false},
		{patch, "/v1/webhooks/:id", owner, (*Server).changeWebhook, false},
		{del, "/v1/webhooks/:id", owner, (*Server).deleteWebhook, false},
		{post, "/v1/webhooks/:id/rotate-secret", owner, (*Server).rotateWebhook, false},
		{get, "/v1/webhooks/:id/deliveries", owner, (*Server).listDeliveries, false},
		{post, "/v1/webhooks/:id/deliveries/:delivery_id/redeliver", owner, (*Server).redeliver, false},
	}
}
