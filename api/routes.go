package api

import (
	"context"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/account"
	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/login"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// handler carries a request out on the server over the request's store.
type handler func(*Server, *gin.Context) error

// route is one of the API's, and the handler that answers.
type route struct {
	gate.Route // its Do follows from do
	do         handler
	spec       *op.Spec // of an operation of the API; nil for a page
}

func get(path string, do handler) route {
	return route{Route: gate.Route{Method: http.MethodGet, Path: path}, do: do}
}

func post(path string, need tournament.Scope, do handler) route {
	return route{Route: gate.Route{Method: http.MethodPost, Path: path, Need: need}, do: do}
}

func probe(r route) route {
	r.Probe = true
	return r
}

// quiet returns a write that leaves no audit line: it changes nothing that lasts, or a match's record says it already.
func quiet(r route) route {
	r.Quiet = true
	return r
}

// inSession returns a route of pages, or one that they read, whose caller is whoever the browser is logged in as, if it is; else it stays a stranger's.
func inSession(r route) route {
	r.Session = true
	return r
}

// follows returns the route of a page that follows what happens, or of what it loads.
func follows(r route) route {
	r.Follows = true
	return r
}

// allRoutes lists everything the API answers.
func allRoutes() []route {
	return slices.Concat(
		pageRoutes(),
		platformRoutes(),
		loginRoutes(),
		formRoutes(),
		deskRoutes(),
		userRoutes(),
		botRoutes(),
		ladderRoutes(),
		tournamentRoutes(),
		scheduleRoutes(),
		seriesRoutes(),
		matchRoutes(),
		webhookRoutes(),
		cardRoutes(),
	)
}

// routes returns all routes as the gate has them.
func (s *Server) routes() []gate.Route {
	var list []gate.Route
	for _, r := range allRoutes() {
		r.Do = func(db *store.Store, c *gin.Context) error { return r.do(s.on(db), c) }
		list = append(list, r.Route)
		if r.spec != nil {
			s.operations[r.spec.Method+" "+r.spec.Path] = r.Route
		}
	}
	return list
}

func pageRoutes() []route {
	return []route{
		follows(get("/", bare(forPeople((*web.Pages).Home)))),
		get("/card.png", bare(of((*web.Pages).HomeCard))),
		get("/games", bare(forPeople((*web.Pages).Games))),
		follows(get("/games/:game", bare(forPeople((*web.Pages).Game)))),
		get("/games/:game/board.svg", bare(of((*web.Pages).GamePicture))),
		get("/games/:game/card.png", bare(of((*web.Pages).GameCard))),
		get("/tournaments", forPeople((*web.Pages).Tournaments)),
		get("/matches", forPeople((*web.Pages).Matches)),
		get("/bots", forPeople((*web.Pages).Bots)),
		get("/schedules", forPeople((*web.Pages).Schedules)),
		get("/ladders", bare(forPeople((*web.Pages).Ladders))),
		follows(get("/ladders/:id", forPeople((*web.Pages).Ladder))),
		get("/ladders/:id/calibration", bare(forPeople((*web.Pages).Calibration))),
		get("/bots/:id", bare(forPeople((*web.Pages).Bot))),
		follows(get("/tournaments/:id", forPeople((*web.Pages).Tournament))),
		get("/tournaments/:id/broadcast", bare(forPeople((*web.Pages).Broadcast))),
		get("/tournaments/:id/card.png", bare(of((*web.Pages).TournamentCard))),
		get("/series", forPeople((*web.Pages).AllSeries)),
		get("/series/:id", bare(forPeople((*web.Pages).Series))),
		follows(get("/matches/:id", forPeople((*web.Pages).Match))),
		follows(get("/matches/:id/board.svg", of((*web.Pages).Board))),
		get("/matches/:id/card.png", bare(of((*web.Pages).MatchCard))),
		follows(get("/matches/:id/frames", of((*web.Pages).Frames))),
		follows(get("/matches/:id/moves", of((*web.Pages).Moves))),
		inSession(quiet(post("/matches/:id/review", gate.Anybody, (*Server).askReviewHere))), // the operation leaves the audit line
		get("/embed/matches/:id", of((*web.Pages).Embed)),
		get("/oembed", of((*web.Pages).OEmbed)),
		get("/guides", bare(forPeople((*web.Pages).Guides))),
		get("/guides/:name", bare(forPeople((*web.Pages).Guide))),
		get("/docs", bare(forPeople((*web.Pages).APIGuide))),
		get("/rules/:game", bare(forPeople((*web.Pages).Rules))),
		get("/api", bare(forPeople((*web.Pages).Reference))),
		get("/calendar.ics", bare(of((*web.Pages).Calendar))),
		get("/news.atom", bare(of((*web.Pages).News))),
		get("/robots.txt", bare(of((*web.Pages).Robots))),
		get("/sitemap.xml", bare(of((*web.Pages).Sitemap))),
		get("/llms.txt", bare((*Server).forModels)),
		get("/skill.md", bare((*Server).skill)),
		quiet(post("/mcp", tournament.ScopeBot, (*Server).serveAgent)),
		get("/play/:game", bare(forPeople((*web.Pages).Play))),
		inSession(quiet(post("/play/:game", gate.Anybody, (*Server).takeSeat))),
		inSession(get("/seat", (*Server).sitting)),
		inSession(quiet(post("/seat", gate.Anybody, (*Server).decide))),
		inSession(get("/seat/board.svg", of((*web.Pages).SeatBoard))),
		inSession(quiet(post("/seat/leave", gate.Anybody, of((*web.Pages).LeaveSeat)))),
		probe(get("/assets/:name", bare(of((*web.Pages).Asset)))),
	}
}

func loginRoutes() []route {
	return []route{
		get("/login", forLogin((*login.Login).Start)),
		get("/login/callback", atIssuer((*login.Login).Callback)),
		get("/login/name", atIssuer((*login.Login).Ask)),
		post("/login/name", gate.Anybody, atIssuer((*login.Login).Register)),
		post("/login/link", gate.Anybody, atIssuer((*login.Login).Link)),
		get(wire.LoginLinkPath, forLogin((*login.Login).Once)),
		post(wire.LoginLinkPath, gate.Anybody, forLogin((*login.Login).Enter)),
		get("/me", forMe((*Server).myPage)),
		post("/me/tokens", gate.Anybody, forMe((*Server).makeMine)),
		post("/logout", gate.Anybody, forLogin((*login.Login).Logout)),
		get(wire.ClassLinkPath, forLogin((*login.Login).Class)),
		post(wire.ClassLinkPath, gate.Anybody, forBrowser((*Server).enterClass)),
		raw(wire.StartDevice, func(s *Server, c *gin.Context, _ op.None) error { return s.login.StartDevice(c) }),
		raw(wire.LookDevice, func(s *Server, c *gin.Context, in wire.DeviceLook) error { return s.login.LookDevice(c, in) }),
		raw(wire.LookDeviceBefore, func(s *Server, c *gin.Context, in wire.DeviceLook) error { return s.login.LookDevice(c, in) }),
		serve(wire.CreateMyLoginLink, func(s *Server, ctx context.Context, in wire.MyLoginLink) (wire.LoginLink, error) {
			return s.login.MyLink(ctx, in.Body)
		}),
		serve(wire.CreateLoginLink, (*Server).createLoginLink),
	}
}

func platformRoutes() []route {
	return []route{
		manual(wire.Livez, (*Server).livez),
		manual(wire.Readyz, (*Server).readyz),
		serve(wire.GetVersion, (*Server).getVersion),
		raw(wire.GetDocument, (*Server).getDocument),

		list(wire.ListGames, (*Server).listGames),
		serve(wire.GetGame, (*Server).getGame),
		raw(wire.GetGameRules, (*Server).getGameRules),
		raw(wire.GetGameSchema, (*Server).getGameSchema),
		raw(wire.GetProtocolSchema, (*Server).getProtocolSchema),
	}
}

func userRoutes() []route {
	return []route{
		serve(wire.CreateUser, (*Server).createUser),
		list(wire.ListUsers, (*Server).listUsers),
		serve(wire.GetUser, (*Server).getUser),
		serve(wire.DisableUser, (*Server).disableUser),
		serve(wire.EnableUser, (*Server).enableUser),
		serve(wire.CreateRecovery, ofAccount((*account.Accounts).CreateRecovery)),
		serve(wire.RecoverAccount, ofAccount((*account.Accounts).Recover)),
		list(wire.ListJobs, (*Server).listJobs),
		serve(wire.ListLadderPartners, (*Server).listLadderPartners),
		serve(wire.ListConduct, (*Server).listConduct),
		list(wire.ListAudit, listOfAccount((*account.Accounts).ListAudit)),
		serve(wire.GetMe, (*Server).getMe),
		serve(wire.DeleteMe, (*Server).deleteMe),
		raw(wire.ExportMe, func(s *Server, c *gin.Context, _ op.None) error { return s.accounts.Export(c) }),
		serve(wire.RotateAccount, ofAccount((*account.Accounts).Rotate)),
		serve(wire.DeleteLogin, ofAccount((*account.Accounts).DeleteLogin)),
		serve(wire.DeleteSession, ofAccount((*account.Accounts).DeleteSession)),
		serve(wire.CreateClassLink, (*Server).createClassLink),
		list(wire.ListClassLinks, (*Server).listClassLinks),
		serve(wire.GetClassLink, (*Server).getClassLink),
		serve(wire.DeleteClassLink, (*Server).deleteClassLink),
		serve(wire.JoinClass, (*Server).joinClass),
		list(wire.ListTokens, listOfAccount((*account.Accounts).ListTokens)),
		serve(wire.CreateToken, ofAccount((*account.Accounts).CreateToken)),
		serve(wire.DeleteToken, ofAccount((*account.Accounts).DeleteToken)),
	}
}

func botRoutes() []route {
	return []route{
		list(wire.ListBots, (*Server).listBots),
		serve(wire.CreateBot, (*Server).createBot),
		serve(wire.GetBot, (*Server).getBot),
		serve(wire.UpdateBot, (*Server).updateBot),
		serve(wire.DeleteBot, (*Server).deleteBot),
		list(wire.ListVersions, (*Server).listVersions),
		raw(wire.CreateVersion, (*Server).createVersion),
		serve(wire.PromoteVersion, (*Server).promoteVersion),
		manual(wire.GetBotHealth, (*Server).getBotHealth),
		serve(wire.CheckBot, (*Server).checkBot),
		serve(wire.PauseBot, (*Server).pauseBot),
		serve(wire.ResumeBot, (*Server).resumeBot),
		serve(wire.RotateBotSecret, (*Server).rotateBotSecret),
		serve(wire.DropOldBotSecret, (*Server).dropOldBotSecret),
		serve(wire.BanBot, (*Server).banBot),
		serve(wire.UnbanBot, (*Server).unbanBot),
		list(wire.ListRatingHistory, (*Server).listRatingHistory),
		list(wire.ListBotMatches, (*Server).listBotMatches),
		raw(wire.ExportRecords, (*Server).exportRecords),

		raw(wire.FetchMessages, (*Server).fetchMessages),
		raw(wire.AnswerMessage, (*Server).answerMessage),
	}
}

func ladderRoutes() []route {
	return []route{
		list(wire.ListLadders, (*Server).listLadders),
		serve(wire.CreateLadder, (*Server).createLadder),
		serve(wire.GetLadder, (*Server).getLadder),
		list(wire.ListLadderEntries, (*Server).listLadderEntries),
		serve(wire.GetLadderFit, (*Server).getLadderFit),
		serve(wire.GetLadderCalibration, (*Server).getLadderCalibration),
		list(wire.ListSeasons, (*Server).listSeasons),
		serve(wire.CreateSeason, (*Server).createSeason),
		serve(wire.JoinLadder, (*Server).joinLadder),
		serve(wire.LeaveLadder, (*Server).leaveLadder),
	}
}

func tournamentRoutes() []route {
	return []route{
		list(wire.ListTournaments, (*Server).listTournaments),
		serve(wire.CreateTournament, (*Server).createTournament),
		serve(wire.PreviewTournament, (*Server).previewTournament),
		serve(wire.GetTournament, (*Server).getTournament),
		list(wire.ListTournamentEntries, ofTournament((*Server).entries)),
		serve(wire.JoinTournament, (*Server).joinTournament),
		serve(wire.WithdrawEntry, (*Server).withdrawEntry),
		serve(wire.AdmitEntry, (*Server).admitEntry),
		serve(wire.CheckInEntry, (*Server).checkInEntry),
		serve(wire.GetTournamentOrganisers, organised(store.Tournaments).get),
		serve(wire.SetTournamentOrganisers, organised(store.Tournaments).set),
		serve(wire.SubstituteEntry, (*Server).substituteEntry),
		serve(wire.UpdateTournament, (*Server).updateTournament),
		serve(wire.RenewInvite, (*Server).renewInvite),
		serve(wire.SeedTournament, (*Server).seedTournament),
		serve(wire.ArrangeRound, (*Server).arrangeRound),
		serve(wire.StartTournament, (*Server).startTournament),
		serve(wire.PauseTournament, (*Server).pauseTournament),
		serve(wire.ResumeTournament, (*Server).resumeTournament),
		serve(wire.CancelTournament, (*Server).cancelTournament),
		inSession(manual(wire.ListTournamentEvents, (*Server).listTournamentEvents)),
		list(wire.ListTournamentStandings, ofTournament((*Server).standings)),
		list(wire.ListTournamentRounds, ofTournament((*Server).rounds)),
		list(wire.ListShowings, ofTournament((*Server).showings)),
		list(wire.ListTournamentCrosstable, ofTournament((*Server).crosstable)),
		raw(wire.ExportTournament, (*Server).exportTournament),
		list(wire.ListTournamentMatches, (*Server).listTournamentMatches),
	}
}

func scheduleRoutes() []route {
	return []route{
		list(wire.ListSchedules, (*Server).listSchedules),
		serve(wire.CreateSchedule, (*Server).createSchedule),
		serve(wire.PreviewSchedule, (*Server).previewSchedule),
		serve(wire.GetSchedule, (*Server).getSchedule),
		serve(wire.UpdateSchedule, (*Server).updateSchedule),
		serve(wire.DeleteSchedule, (*Server).deleteSchedule),
		serve(wire.GetScheduleOrganisers, organised(store.Schedules).get),
		serve(wire.SetScheduleOrganisers, organised(store.Schedules).set),
		serve(wire.PauseSchedule, (*Server).pauseSchedule),
		serve(wire.ResumeSchedule, (*Server).resumeSchedule),
		serve(wire.CancelSchedule, (*Server).cancelSchedule),
	}
}

func seriesRoutes() []route {
	return []route{
		list(wire.ListSeries, (*Server).listSeries),
		serve(wire.CreateSeries, (*Server).createSeries),
		serve(wire.GetSeries, (*Server).getSeries),
		serve(wire.UpdateSeries, (*Server).updateSeries),
		serve(wire.DeleteSeries, (*Server).deleteSeries),
		serve(wire.GetSeriesOrganisers, organised(store.Series).get),
		serve(wire.SetSeriesOrganisers, organised(store.Series).set),
		list(wire.ListSeriesStandings, (*Server).listSeriesStandings),
		raw(wire.ExportSeries, (*Server).exportSeries),
	}
}

func matchRoutes() []route {
	return []route{
		inSession(manual(wire.ListEvents, (*Server).listEvents)),

		list(wire.ListMatches, (*Server).listMatches),
		raw(wire.ExportMatches, (*Server).exportMatches),
		raw(wire.GetMatch, (*Server).getMatch),
		serve(wire.VoidMatch, (*Server).voidMatch),
		serve(wire.RequeueMatch, (*Server).requeueMatch),
		inSession(manual(wire.ListMatchEvents, (*Server).listMatchEvents)),
		manual(wire.GetMatchView, (*Server).getMatchView),
		raw(wire.GetMatchReplay, (*Server).getMatchReplay),
		manual(wire.ListMatchDecisions, (*Server).listMatchDecisions),
		serve(wire.CreateRematch, (*Server).createRematch),
		serve(wire.AskReview, (*Server).askReview),
		serve(wire.GetReview, (*Server).getReview),
		serve(wire.CreateChallenge, (*Server).createChallenge),
	}
}

func cardRoutes() []route {
	return []route{
		serve(wire.UploadCard, (*Server).uploadCard),
		list(wire.ListCards, (*Server).listCards),
		serve(wire.GetCard, (*Server).getCard),
		serve(wire.DeleteCard, (*Server).deleteCard),
		get("/cards", forPeople((*web.Pages).Scorecards)),
		get("/cards/:hash", bare(forPeople((*web.Pages).Scorecard))),
		get("/cards/:hash/badge.svg", bare(of((*web.Pages).Badge))),
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

// bare makes a route that takes no query.
func bare(do handler) handler {
	return func(s *Server, c *gin.Context) error {
		if _, err := httpx.Query(c); err != nil {
			return err
		}
		return do(s, c)
	}
}

// forPeople makes a route whose answer is a page.
func forPeople(do func(*web.Pages, *gin.Context) ([]byte, error)) handler {
	return func(s *Server, c *gin.Context) error {
		body, err := do(&s.pages, c)
		return web.Send(c, http.StatusOK, body, err)
	}
}

// forLogin makes a route of a step of a login.
func forLogin(do func(*login.Login, *gin.Context) error) handler {
	return func(s *Server, c *gin.Context) error { return s.login.Answer(c, do) }
}

// atIssuer makes a route of a step of a login at the issuer.
func atIssuer(do func(*login.Login, *gin.Context) error) handler {
	return func(s *Server, c *gin.Context) error { return s.login.AtIssuer(c, do) }
}

// forBrowser makes a route of a step by which a browser comes in.
func forBrowser(do handler) handler {
	return func(s *Server, c *gin.Context) error {
		return s.login.Answer(c, func(*login.Login, *gin.Context) error { return do(s, c) })
	}
}

// forMe makes a route of what only a user who is logged in may do.
func forMe(do handler) handler {
	return func(s *Server, c *gin.Context) error {
		return s.login.Answer(c, func(l *login.Login, c *gin.Context) error {
			return l.Behind(c, func() error { return do(s, c) })
		})
	}
}

// of makes a route of what the pages answer themselves.
func of(do func(*web.Pages, *gin.Context) error) handler {
	return func(s *Server, c *gin.Context) error { return do(&s.pages, c) }
}

// ofAccount makes what accounts carry out the server's.
func ofAccount[In, Out any](do func(*account.Accounts, context.Context, In) (Out, error)) func(*Server, context.Context, In) (Out, error) {
	return func(s *Server, ctx context.Context, in In) (Out, error) { return do(&s.accounts, ctx, in) }
}

// listOfAccount makes a list of accounts the server's.
func listOfAccount[In, Row any](do func(*account.Accounts, context.Context, In, httpx.PageQuery) ([]Row, string, error)) func(*Server, context.Context, In, httpx.PageQuery) ([]Row, string, error) {
	return func(s *Server, ctx context.Context, in In, p httpx.PageQuery) ([]Row, string, error) {
		return do(&s.accounts, ctx, in, p)
	}
}

// takeSeat seats a person at a table of bots ([web.Pages.TakeSeat]).
func (s *Server) takeSeat(c *gin.Context) error {
	if s.Limits.Guests == 0 {
		return tournament.ErrNotFound
	}
	return s.pages.TakeSeat(c, s.gate.TakeSeat, refusal)
}

// sitting answers with the page of a person's seat; one that waits for news takes the place of a stream.
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

// refusal returns how a page says to a person what was wrong with a form, as a status and in words; 0 is an error of ours, which a
// page does not tell.
func refusal(err error) (int, string) {
	k := gate.KindOf(err)
	if k.Status >= http.StatusInternalServerError {
		return 0, ""
	}
	return k.Status, gate.Detail(k, err)
}
