package api

import (
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/account"
	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/login"
	"github.com/molerun/molerun/api/op"
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

	spec *op.Spec // of an operation of the API; nil for a page
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

			Do: func(db *store.Store, c *gin.Context) error { return r.do(s.on(db), c) },
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
		get("/docs", gate.Anybody, forPeople((*web.Pages).APIGuide)),
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
		manual(wire.StartDevice, (*Server).startDevice),
		manual(wire.LookDevice, (*Server).lookDevice),
	}
}

func platformRoutes() []route {
	return []route{
		manual(wire.Livez, (*Server).livez),
		manual(wire.Readyz, (*Server).readyz),
		manual(wire.GetVersion, (*Server).getVersion),
		manual(wire.GetDocument, (*Server).getDocument),

		manual(wire.ListGames, (*Server).listGames),
		manual(wire.GetGame, (*Server).getGame),
		manual(wire.GetGameRules, (*Server).getGameRules),
		manual(wire.GetGameSchema, (*Server).getGameSchema),
		manual(wire.GetProtocolSchema, (*Server).getProtocolSchema),
	}
}

func userRoutes() []route {
	return []route{
		manual(wire.CreateUser, (*Server).createUser),
		manual(wire.ListUsers, (*Server).listUsers),
		manual(wire.GetUser, (*Server).getUser),
		manual(wire.DisableUser, (*Server).disableUser),
		manual(wire.EnableUser, (*Server).enableUser),
		manual(wire.CreateRecovery, ofAccount((*account.Accounts).CreateRecovery)),
		manual(wire.RecoverAccount, ofAccount((*account.Accounts).Recover)),
		manual(wire.ListJobs, (*Server).listJobs),
		manual(wire.ListLadderPartners, (*Server).listLadderPartners),
		manual(wire.ListConduct, (*Server).listConduct),
		manual(wire.ListAudit, ofAccount((*account.Accounts).ListAudit)),
		manual(wire.GetMe, (*Server).getMe),
		manual(wire.DeleteMe, (*Server).deleteMe),
		manual(wire.ExportMe, ofAccount((*account.Accounts).Export)),
		manual(wire.RotateAccount, ofAccount((*account.Accounts).Rotate)),
		manual(wire.DeleteLogin, ofAccount((*account.Accounts).DeleteLogin)),
		manual(wire.DeleteSession, ofAccount((*account.Accounts).DeleteSession)),
		manual(wire.ListTokens, ofAccount((*account.Accounts).ListTokens)),
		manual(wire.CreateToken, ofAccount((*account.Accounts).CreateToken)),
		manual(wire.DeleteToken, ofAccount((*account.Accounts).DeleteToken)),
	}
}

func botRoutes() []route {
	return []route{
		manual(wire.ListBots, (*Server).listBots),
		manual(wire.CreateBot, (*Server).createBot),
		manual(wire.GetBot, (*Server).getBot),
		manual(wire.UpdateBot, (*Server).updateBot),
		manual(wire.DeleteBot, (*Server).deleteBot),
		manual(wire.ListVersions, (*Server).listVersions),
		manual(wire.CreateVersion, (*Server).createVersion),
		manual(wire.PromoteVersion, (*Server).promoteVersion),
		manual(wire.GetBotHealth, (*Server).getBotHealth),
		manual(wire.CheckBot, (*Server).checkBot),
		manual(wire.PauseBot, (*Server).pauseBot),
		manual(wire.ResumeBot, (*Server).resumeBot),
		manual(wire.RotateBotSecret, (*Server).rotateBotSecret),
		manual(wire.DropOldBotSecret, (*Server).dropOldBotSecret),
		manual(wire.BanBot, (*Server).banBot),
		manual(wire.UnbanBot, (*Server).unbanBot),
		manual(wire.ListRatingHistory, (*Server).listRatingHistory),
		manual(wire.ListBotMatches, (*Server).listBotMatches),
		manual(wire.ExportRecords, (*Server).exportRecords),

		manual(wire.FetchMessages, (*Server).fetchMessages),
		manual(wire.AnswerMessage, (*Server).answerMessage),
	}
}

func ladderRoutes() []route {
	return []route{
		manual(wire.ListLadders, (*Server).listLadders),
		manual(wire.GetLadder, (*Server).getLadder),
		manual(wire.ListLadderEntries, (*Server).listLadderEntries),
		manual(wire.GetLadderFit, (*Server).getLadderFit),
		manual(wire.GetLadderCalibration, (*Server).getLadderCalibration),
		manual(wire.ListSeasons, (*Server).listSeasons),
		manual(wire.CreateSeason, (*Server).createSeason),
		manual(wire.JoinLadder, (*Server).joinLadder),
		manual(wire.LeaveLadder, (*Server).leaveLadder),
	}
}

func tournamentRoutes() []route {
	return []route{
		manual(wire.ListTournaments, (*Server).listTournaments),
		manual(wire.CreateTournament, (*Server).createTournament),
		manual(wire.PreviewTournament, (*Server).previewTournament),
		manual(wire.GetTournament, (*Server).getTournament),
		manual(wire.ListTournamentEntries, (*Server).listTournamentEntries),
		manual(wire.JoinTournament, (*Server).joinTournament),
		manual(wire.WithdrawEntry, (*Server).withdrawEntry),
		manual(wire.CheckInEntry, (*Server).checkInEntry),
		manual(wire.UpdateTournament, (*Server).updateTournament),
		manual(wire.SeedTournament, (*Server).seedTournament),
		manual(wire.ArrangeRound, (*Server).arrangeRound),
		manual(wire.StartTournament, (*Server).startTournament),
		manual(wire.PauseTournament, (*Server).pauseTournament),
		manual(wire.ResumeTournament, (*Server).resumeTournament),
		manual(wire.CancelTournament, (*Server).cancelTournament),
		manual(wire.ListTournamentEvents, (*Server).listTournamentEvents),
		manual(wire.ListTournamentStandings, (*Server).listTournamentStandings),
		manual(wire.ListTournamentRounds, (*Server).listTournamentRounds),
		manual(wire.ListTournamentCrosstable, (*Server).listTournamentCrosstable),
		manual(wire.ExportTournament, (*Server).exportTournament),
		manual(wire.ListTournamentMatches, (*Server).listTournamentMatches),
	}
}

func scheduleRoutes() []route {
	return []route{
		manual(wire.ListSchedules, (*Server).listSchedules),
		manual(wire.CreateSchedule, (*Server).createSchedule),
		manual(wire.PreviewSchedule, (*Server).previewSchedule),
		manual(wire.GetSchedule, (*Server).getSchedule),
		manual(wire.UpdateSchedule, (*Server).updateSchedule),
		manual(wire.DeleteSchedule, (*Server).deleteSchedule),
		manual(wire.PauseSchedule, (*Server).pauseSchedule),
		manual(wire.ResumeSchedule, (*Server).resumeSchedule),
		manual(wire.CancelSchedule, (*Server).cancelSchedule),
	}
}

func seriesRoutes() []route {
	return []route{
		list(wire.ListSeries, (*Server).listSeries),
		serve(wire.CreateSeries, (*Server).createSeries),
		serve(wire.GetSeries, (*Server).getSeries),
		serve(wire.UpdateSeries, (*Server).updateSeries),
		serve(wire.DeleteSeries, (*Server).deleteSeries),
		list(wire.ListSeriesStandings, (*Server).listSeriesStandings),
		raw(wire.ExportSeries, (*Server).exportSeries),
	}
}

func matchRoutes() []route {
	return []route{
		manual(wire.ListEvents, (*Server).listEvents),

		manual(wire.ListMatches, (*Server).listMatches),
		manual(wire.ExportMatches, (*Server).exportMatches),
		manual(wire.GetMatch, (*Server).getMatch),
		manual(wire.VoidMatch, (*Server).voidMatch),
		manual(wire.RequeueMatch, (*Server).requeueMatch),
		manual(wire.ListMatchEvents, (*Server).listMatchEvents),
		manual(wire.GetMatchView, (*Server).getMatchView),
		manual(wire.GetMatchReplay, (*Server).getMatchReplay),
		manual(wire.ListMatchDecisions, (*Server).listMatchDecisions),
		manual(wire.CreateRematch, (*Server).createRematch),
		manual(wire.CreateChallenge, (*Server).createChallenge),
	}
}

func webhookRoutes() []route {
	return []route{
		list(wire.ListWebhooks, (*Server).listWebhooks),
		serve(wire.CreateWebhook, (*Server).createWebhook),
		serve(wire.GetWebhook, (*Server).getWebhook),
		serve(wire.UpdateWebhook, (*Server).updateWebhook),
		serve(wire.DeleteWebhook, (*Server).deleteWebhook),
		serve(wire.RotateWebhookSecret, (*Server).rotateWebhookSecret),
		list(wire.ListDeliveries, (*Server).listDeliveries),
		serve(wire.Redeliver, (*Server).redeliver),
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
