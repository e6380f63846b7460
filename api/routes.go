package api

import (
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/account"
	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/login"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// handler carries a request out on the server over the request's store.
type handler func(*Server, *gin.Context) error

// route is one of the API's: the scope that a token needs to ask, and the handler that answers.
type route struct {
	method string
	path   string
	need   tournament.Scope
	do     handler
	probe  bool // for health probes
	quiet  bool // leaves no audit line

	deprecated *gate.Deprecation // of a route that will go
}

const (
	mayRead     = tournament.ScopeRead
	mayBot      = tournament.ScopeBot
	mayEnter    = tournament.ScopeEnter
	mayAccount  = tournament.ScopeAccount
	mayOrganise = tournament.ScopeOrganise
	mayAdmin    = tournament.ScopeAdmin
)

func get(path string, need tournament.Scope, do handler) route {
	return route{method: http.MethodGet, path: path, need: need, do: do}
}

func post(path string, need tournament.Scope, do handler) route {
	return route{method: http.MethodPost, path: path, need: need, do: do}
}

func put(path string, need tournament.Scope, do handler) route {
	return route{method: http.MethodPut, path: path, need: need, do: do}
}

func patch(path string, need tournament.Scope, do handler) route {
	return route{method: http.MethodPatch, path: path, need: need, do: do}
}

func del(path string, need tournament.Scope, do handler) route {
	return route{method: http.MethodDelete, path: path, need: need, do: do}
}

func probe(r route) route {
	r.probe = true
	return r
}

// quiet is a write without an audit line: it changes nothing that lasts, or a match's record says it already.
func quiet(r route) route {
	r.quiet = true
	return r
}

// allRoutes lists everything the API answers.
func allRoutes() []route {
	return slices.Concat(
		pageRoutes(),
		platformRoutes(),
		loginRoutes(),
		userRoutes(),
		botRoutes(),
		ladderRoutes(),
		tournamentRoutes(),
		scheduleRoutes(),
		seriesRoutes(),
		matchRoutes(),
		webhookRoutes(),
	)
}

// routes are all routes as the gate has them.
func (s *Server) routes() []gate.Route {
	var list []gate.Route
	for _, r := range allRoutes() {
		list = append(list, gate.Route{
			Method: r.method,
			Path:   r.path,
			Need:   r.need,
			Probe:  r.probe,
			Quiet:  r.quiet,

			Deprecated: r.deprecated,
			Do:         func(db *store.Store, c *gin.Context) error { return r.do(s.on(db), c) },
		})
	}
	return list
}

func pageRoutes() []route {
	return []route{
		get("/", gate.Anybody, forPeople((*web.Pages).Home)),
		get("/card.png", gate.Anybody, of((*web.Pages).HomeCard)),
		get("/games", gate.Anybody, forPeople((*web.Pages).Games)),
		get("/games/:game", gate.Anybody, forPeople((*web.Pages).Game)),
		get("/games/:game/board.svg", gate.Anybody, of((*web.Pages).GamePicture)),
		get("/games/:game/card.png", gate.Anybody, of((*web.Pages).GameCard)),
		get("/tournaments", gate.Anybody, forPeople((*web.Pages).Tournaments)),
		get("/matches", gate.Anybody, forPeople((*web.Pages).Matches)),
		get("/bots", gate.Anybody, forPeople((*web.Pages).Bots)),
		get("/schedules", gate.Anybody, forPeople((*web.Pages).Schedules)),
		get("/ladders/:id", gate.Anybody, forPeople((*web.Pages).Ladder)),
		get("/ladders/:id/calibration", gate.Anybody, forPeople((*web.Pages).Calibration)),
		get("/bots/:id", gate.Anybody, forPeople((*web.Pages).Bot)),
		get("/tournaments/:id", gate.Anybody, forPeople((*web.Pages).Tournament)),
		get("/tournaments/:id/card.png", gate.Anybody, of((*web.Pages).TournamentCard)),
		get("/series/:id", gate.Anybody, forPeople((*web.Pages).Series)),
		get("/matches/:id", gate.Anybody, forPeople((*web.Pages).Match)),
		get("/matches/:id/board.svg", gate.Anybody, of((*web.Pages).Board)),
		get("/matches/:id/board.png", gate.Anybody, of((*web.Pages).BoardPicture)),
		get("/matches/:id/card.png", gate.Anybody, of((*web.Pages).MatchCard)),
		get("/matches/:id/frames", gate.Anybody, of((*web.Pages).Frames)),
		get("/matches/:id/moves", gate.Anybody, of((*web.Pages).Moves)),
		get("/embed/matches/:id", gate.Anybody, of((*web.Pages).Embed)),
		get("/oembed", gate.Anybody, of((*web.Pages).OEmbed)),
		get("/guides", gate.Anybody, forPeople((*web.Pages).Guides)),
		get("/guides/:name", gate.Anybody, forPeople((*web.Pages).Guide)),
		get("/rules/:game", gate.Anybody, forPeople((*web.Pages).Rules)),
		get("/api", gate.Anybody, forPeople((*web.Pages).Reference)),
		get("/calendar.ics", gate.Anybody, of((*web.Pages).Calendar)),
		get("/news.atom", gate.Anybody, of((*web.Pages).News)),
		get("/play/:game", gate.Anybody, forPeople((*web.Pages).Play)),
		quiet(post("/play/:game", gate.Anybody, (*Server).takeSeat)),
		get("/seat", gate.Anybody, (*Server).sitting),
		quiet(post("/seat", gate.Anybody, (*Server).decide)),
		get("/seat/board.svg", gate.Anybody, of((*web.Pages).SeatBoard)),
		quiet(post("/seat/leave", gate.Anybody, (*Server).leaveSeat)),
		probe(get("/assets/:name", gate.Anybody, of((*web.Pages).Asset))),
	}
}

func loginRoutes() []route {
	return []route{
		get("/login", gate.Anybody, forLogin((*login.Login).Start)),
		get("/login/callback", gate.Anybody, forLogin((*login.Login).Callback)),
		get("/login/name", gate.Anybody, forLogin((*login.Login).Ask)),
		post("/login/name", gate.Anybody, forLogin((*login.Login).Register)),
		post("/login/link", gate.Anybody, forLogin((*login.Login).Link)),
		get("/me", gate.Anybody, forMe((*Server).myPage)),
		post("/me/bots/:id/check", gate.Anybody, forMe((*Server).checkMine)),
		post("/me/bots/:id/pause", gate.Anybody, forMe((*Server).pauseMine)),
		post("/me/bots/:id/resume", gate.Anybody, forMe((*Server).resumeMine)),
		post("/me/bots/:id/promote", gate.Anybody, forMe((*Server).promoteMine)),
		post("/me/tokens", gate.Anybody, forMe((*Server).makeMine)),
		post("/me/tokens/:id/revoke", gate.Anybody, forMe((*Server).revokeMine)),
		post("/me/logins/:id/end", gate.Anybody, forMe((*Server).endLoginMine)),
		post("/me/sessions/:id/end", gate.Anybody, forMe((*Server).endSessionMine)),
		post("/me/webhooks/:id/deliveries/:delivery_id/redeliver", gate.Anybody, forMe((*Server).redeliverMine)),
		post("/logout", gate.Anybody, forLogin((*login.Login).Logout)),
		post("/v1/login/device", gate.Anybody, (*Server).startDevice),
		post("/v1/login/device/look", gate.Anybody, (*Server).lookDevice),
	}
}

func platformRoutes() []route {
	return []route{
		probe(get("/livez", gate.Anybody, (*Server).livez)),
		probe(get("/readyz", gate.Anybody, (*Server).readyz)),
		get("/version", gate.Anybody, (*Server).getVersion),
		get("/openapi.json", gate.Anybody, (*Server).getDocument),
		get("/docs", gate.Anybody, (*Server).docsPage),

		get("/v1/games", gate.Anybody, (*Server).listGames),
		get("/v1/games/:game", gate.Anybody, (*Server).getGame),
		get("/v1/games/:game/rules", gate.Anybody, (*Server).getGameRules),
		get("/v1/games/:game/schemas/:name", gate.Anybody, (*Server).getGameSchema),
		get("/v1/protocol/schemas/:name", gate.Anybody, (*Server).getProtocolSchema),
	}
}

func userRoutes() []route {
	return []route{
		post("/v1/users", gate.Anybody, (*Server).createUser),
		get("/v1/users", mayAdmin, (*Server).listUsers),
		get("/v1/users/:id", mayAdmin, (*Server).getUser),
		post("/v1/users/:id/disable", mayAdmin, (*Server).disableUser),
		post("/v1/users/:id/enable", mayAdmin, (*Server).enableUser),
		post("/v1/users/:id/recovery", mayAdmin, ofAccount((*account.Accounts).CreateRecovery)),
		post("/v1/recovery", gate.Anybody, ofAccount((*account.Accounts).Recover)),
		get("/v1/admin/jobs", mayAdmin, (*Server).listJobs),
		get("/v1/admin/ladders/:id/partners", mayAdmin, (*Server).listLadderPartners),
		get("/v1/admin/conduct", mayAdmin, (*Server).listConduct),
		get("/v1/admin/audit", mayAdmin, ofAccount((*account.Accounts).ListAudit)),
		get("/v1/me", mayRead, (*Server).getMe),
		del("/v1/me", mayAccount, (*Server).deleteMe),
		get("/v1/me/export", mayAccount, ofAccount((*account.Accounts).Export)),
		post("/v1/me/rotate", mayAccount, ofAccount((*account.Accounts).Rotate)),
		del("/v1/me/logins/:id", mayAccount, ofAccount((*account.Accounts).DeleteLogin)),
		del("/v1/me/sessions/:id", mayAccount, ofAccount((*account.Accounts).DeleteSession)),
		get("/v1/tokens", mayAccount, ofAccount((*account.Accounts).ListTokens)),
		post("/v1/tokens", mayAccount, ofAccount((*account.Accounts).CreateToken)),
		del("/v1/tokens/:id", mayAccount, ofAccount((*account.Accounts).DeleteToken)),
	}
}

func botRoutes() []route {
	return []route{
		get("/v1/bots", gate.Anybody, (*Server).listBots),
		post("/v1/bots", mayBot, (*Server).createBot),
		get("/v1/bots/:id", gate.Anybody, (*Server).getBot),
		patch("/v1/bots/:id", mayBot, (*Server).updateBot),
		del("/v1/bots/:id", mayBot, (*Server).deleteBot),
		get("/v1/bots/:id/versions", gate.Anybody, (*Server).listVersions),
		post("/v1/bots/:id/versions", mayBot, (*Server).createVersion),
		post("/v1/bots/:id/promote", mayBot, (*Server).promoteVersion),
		get("/v1/bots/:id/health", gate.Anybody, (*Server).getBotHealth),
		post("/v1/bots/:id/check", mayBot, (*Server).checkBot),
		post("/v1/bots/:id/pause", mayBot, (*Server).pauseBot),
		post("/v1/bots/:id/resume", mayBot, (*Server).resumeBot),
		post("/v1/bots/:id/rotate-secret", mayBot, (*Server).rotateBotSecret),
		post("/v1/bots/:id/drop-old-secret", mayBot, (*Server).dropOldBotSecret),
		post("/v1/bots/:id/ban", mayAdmin, (*Server).banBot),
		post("/v1/bots/:id/unban", mayAdmin, (*Server).unbanBot),
		get("/v1/bots/:id/rating-history", gate.Anybody, (*Server).listRatingHistory),
		get("/v1/bots/:id/matches", gate.Anybody, (*Server).listBotMatches),
		get("/v1/bots/:id/records", gate.Anybody, (*Server).exportRecords),

		quiet(post("/v1/relays/:name/fetch", mayBot, (*Server).fetchMessages)),
		quiet(post("/v1/relays/:name/answer", mayBot, (*Server).answerMessage)),
	}
}

func ladderRoutes() []route {
	return []route{
		get("/v1/ladders", gate.Anybody, (*Server).listLadders),
		get("/v1/ladders/:id", gate.Anybody, (*Server).getLadder),
		get("/v1/ladders/:id/entries", gate.Anybody, (*Server).listLadderEntries),
		get("/v1/ladders/:id/fit", gate.Anybody, (*Server).getLadderFit),
		get("/v1/ladders/:id/calibration", gate.Anybody, (*Server).getLadderCalibration),
		get("/v1/ladders/:id/seasons", gate.Anybody, (*Server).listSeasons),
		post("/v1/ladders/:id/seasons", mayAdmin, (*Server).createSeason),
		post("/v1/ladders/:id/entries", mayEnter, (*Server).joinLadder),
		del("/v1/ladders/:id/entries/:bot_id", mayEnter, (*Server).leaveLadder),
	}
}

func tournamentRoutes() []route {
	return []route{
		get("/v1/tournaments", gate.Anybody, (*Server).listTournaments),
		post("/v1/tournaments", mayOrganise, (*Server).createTournament),
		quiet(post("/v1/tournaments/preview", mayOrganise, (*Server).previewTournament)),
		get("/v1/tournaments/:id", gate.Anybody, (*Server).getTournament),
		get("/v1/tournaments/:id/entries", gate.Anybody, (*Server).listTournamentEntries),
		post("/v1/tournaments/:id/entries", mayEnter, (*Server).joinTournament),
		del("/v1/tournaments/:id/entries/:bot_id", mayEnter, (*Server).withdrawEntry),
		post("/v1/tournaments/:id/entries/:bot_id/check-in", mayEnter, (*Server).checkInEntry),
		patch("/v1/tournaments/:id", mayOrganise, (*Server).updateTournament),
		put("/v1/tournaments/:id/seeds", mayOrganise, (*Server).seedTournament),
		put("/v1/tournaments/:id/rounds/:round", mayOrganise, (*Server).arrangeRound),
		post("/v1/tournaments/:id/start", mayOrganise, (*Server).startTournament),
		post("/v1/tournaments/:id/pause", mayOrganise, (*Server).pauseTournament),
		post("/v1/tournaments/:id/resume", mayOrganise, (*Server).resumeTournament),
		post("/v1/tournaments/:id/cancel", mayOrganise, (*Server).cancelTournament),
		get("/v1/tournaments/:id/events", gate.Anybody, (*Server).listTournamentEvents),
		get("/v1/tournaments/:id/standings", gate.Anybody, (*Server).listTournamentStandings),
		get("/v1/tournaments/:id/bracket", gate.Anybody, (*Server).listTournamentRounds),
		get("/v1/tournaments/:id/crosstable", gate.Anybody, (*Server).listTournamentCrosstable),
		get("/v1/tournaments/:id/export", gate.Anybody, (*Server).exportTournament),
		get("/v1/tournaments/:id/matches", gate.Anybody, (*Server).listTournamentMatches),
	}
}

func scheduleRoutes() []route {
	return []route{
		get("/v1/schedules", gate.Anybody, (*Server).listSchedules),
		post("/v1/schedules", mayOrganise, (*Server).createSchedule),
		quiet(post("/v1/schedules/preview", mayOrganise, (*Server).previewSchedule)),
		get("/v1/schedules/:id", gate.Anybody, (*Server).getSchedule),
		patch("/v1/schedules/:id", mayOrganise, (*Server).updateSchedule),
		del("/v1/schedules/:id", mayOrganise, (*Server).deleteSchedule),
		post("/v1/schedules/:id/pause", mayOrganise, (*Server).pauseSchedule),
		post("/v1/schedules/:id/resume", mayOrganise, (*Server).resumeSchedule),
		post("/v1/schedules/:id/cancel", mayOrganise, (*Server).cancelSchedule),
	}
}

func seriesRoutes() []route {
	return []route{
		get("/v1/series", gate.Anybody, (*Server).listSeries),
		post("/v1/series", mayOrganise, (*Server).createSeries),
		get("/v1/series/:id", gate.Anybody, (*Server).getSeries),
		patch("/v1/series/:id", mayOrganise, (*Server).updateSeries),
		del("/v1/series/:id", mayOrganise, (*Server).deleteSeries),
		get("/v1/series/:id/standings", gate.Anybody, (*Server).listSeriesStandings),
		get("/v1/series/:id/export", gate.Anybody, (*Server).exportSeries),
	}
}

func matchRoutes() []route {
	return []route{
		get("/v1/events", gate.Anybody, (*Server).listEvents),

		get("/v1/matches", gate.Anybody, (*Server).listMatches),
		get("/v1/matches/export", gate.Anybody, (*Server).exportMatches),
		get("/v1/matches/:id", gate.Anybody, (*Server).getMatch),
		post("/v1/matches/:id/void", mayAdmin, (*Server).voidMatch),
		post("/v1/matches/:id/requeue", mayAdmin, (*Server).requeueMatch),
		get("/v1/matches/:id/events", gate.Anybody, (*Server).listMatchEvents),
		get("/v1/matches/:id/view", gate.Anybody, (*Server).getMatchView),
		get("/v1/matches/:id/replay", gate.Anybody, (*Server).getMatchReplay),
		get("/v1/matches/:id/decisions", mayRead, (*Server).listMatchDecisions),
		post("/v1/matches/:id/rematch", mayEnter, (*Server).createRematch),
		post("/v1/challenges", mayEnter, (*Server).createChallenge),
	}
}

func webhookRoutes() []route {
	return []route{
		get("/v1/webhooks", mayAccount, (*Server).listWebhooks),
		post("/v1/webhooks", mayAccount, (*Server).createWebhook),
		get("/v1/webhooks/:id", mayAccount, (*Server).getWebhook),
		patch("/v1/webhooks/:id", mayAccount, (*Server).updateWebhook),
		del("/v1/webhooks/:id", mayAccount, (*Server).deleteWebhook),
		post("/v1/webhooks/:id/rotate-secret", mayAccount, (*Server).rotateWebhookSecret),
		get("/v1/webhooks/:id/deliveries", mayAccount, (*Server).listDeliveries),
		post("/v1/webhooks/:id/deliveries/:delivery_id/redeliver", mayAccount, (*Server).redeliver),
	}
}

// forPeople makes a route whose answer is a page.
func forPeople(do func(*web.Pages, *gin.Context) ([]byte, error)) handler {
	return func(s *Server, c *gin.Context) error {
		body, err := do(s.pages, c)
		if err == nil {
			web.Send(c, http.StatusOK, body)
		}
		return err
	}
}

func (s *Server) startDevice(c *gin.Context) error { return s.login.StartDevice(c) }

// forLogin makes a route of a step of a login.
func forLogin(do func(*login.Login, *gin.Context) error) handler {
	return func(s *Server, c *gin.Context) error { return s.login.Answer(c, do) }
}

// forMe makes a route of what only who is logged in may do.
func forMe(do handler) handler {
	return func(s *Server, c *gin.Context) error {
		return s.login.Answer(c, func(l *login.Login, c *gin.Context) error {
			return l.Behind(c, func() error { return do(s, c) })
		})
	}
}

func (s *Server) lookDevice(c *gin.Context) error {
	in, err := read[wire.DeviceLook](c)
	if err != nil {
		return err
	}
	return s.login.LookDevice(c, in)
}

// of makes a route of what the pages answer themselves.
func of(do func(*web.Pages, *gin.Context) error) handler {
	return func(s *Server, c *gin.Context) error { return do(s.pages, c) }
}

// ofAccount makes a route of what accounts answer.
func ofAccount(do func(*account.Accounts, *gin.Context) error) handler {
	return func(s *Server, c *gin.Context) error { return do(s.accounts, c) }
}

// takeSeat seats a person at a table of bots ([web.Pages.TakeSeat]).
func (s *Server) takeSeat(c *gin.Context) error {
	if s.limits.Guests == 0 {
		return tournament.ErrNotFound
	}
	address, err := s.gate.TakeSeat(c)
	if err != nil {
		return err
	}
	return s.pages.TakeSeat(c, address, refusal)
}

// sitting is the page of a person's seat; one that waits for news takes the place of a stream.
func (s *Server) sitting(c *gin.Context) error {
	if c.Request.URL.RawQuery != "" {
		leave, err := s.gate.HoldStream(c)
		if err != nil {
			return err
		}
		defer leave()
		gate.SkipLatencyMetric(c)
	}
	return forPeople((*web.Pages).Seat)(s, c)
}

func (s *Server) decide(c *gin.Context) error { return s.pages.Decide(c, refusal) }

func (s *Server) leaveSeat(c *gin.Context) error { return s.pages.LeaveSeat(c) }

// refusal is how a page tells a person what was wrong with a form, as a status and in words; 0 is an error of ours, which a
// page does not tell.
func refusal(err error) (int, string) {
	k := gate.KindOf(err)
	if k.Status >= http.StatusInternalServerError {
		return 0, ""
	}
	return k.Status, gate.Detail(k, err)
}
