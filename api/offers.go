package api

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/api/web/form"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/store"
)

// offers lists what people do in a browser: an operation each.
func offers() []offer {
	return slices.Concat(authorOffers(), entryOffers(), organiserOffers(), scheduleOffers(), seriesOffers())
}

func authorOffers() []offer {
	return []offer{
		{
			path: "/me/bots/new", spec: wire.CreateBot.Spec, button: "Register", to: "/me", secret: "secret",
			done: "The bot is registered. Give it this secret as MOLERUN_SECRET; then check it on your page.",
		},
		{path: "/me/bots/:id/version", spec: wire.CreateVersion.Spec, button: "Register the version", to: "/me", done: "The version is registered. It plays once you promote it."},
		{path: "/me/bots/:id/change", spec: wire.UpdateBot.Spec, now: &wire.GetBot.Spec, within: "bot", button: "Save", to: "/me", done: "The bot is changed."},
		{path: "/me/bots/:id/check", spec: wire.CheckBot.Spec, to: "/me", tells: checkWords},
		{path: "/me/bots/:id/pause", spec: wire.PauseBot.Spec, to: "/me", done: "The bot is paused: it gets no new matches."},
		{path: "/me/bots/:id/resume", spec: wire.ResumeBot.Spec, to: "/me", tells: checkWords},
		{path: "/me/bots/:id/promote", spec: wire.PromoteVersion.Spec, to: "/me", done: "The version plays from now on."},
		{
			path: "/me/bots/:id/secret", spec: wire.RotateBotSecret.Spec, button: "Make a new secret", confirm: true, to: "/me", secret: "secret",
			done: "Requests are signed with the new secret and the one before.",
		},
		{path: "/me/bots/:id/retire", spec: wire.DeleteBot.Spec, button: "Retire it for good", confirm: true, to: "/me", done: "The bot is retired."},
		{path: "/me/tokens/:id/revoke", spec: wire.DeleteToken.Spec, to: "/me", done: "The token is revoked."},
		{path: "/me/logins/:id/end", spec: wire.DeleteLogin.Spec, to: "/me"},
		{path: "/me/sessions/:id/end", spec: wire.DeleteSession.Spec, to: "/me"},
		{
			path: "/me/webhooks/new", spec: wire.CreateWebhook.Spec, button: "Register", to: "/me", secret: "secret",
			done: "The webhook is registered. What is sent there is signed with this secret.",
		},
		{path: "/me/webhooks/:id/change", spec: wire.UpdateWebhook.Spec, now: &wire.GetWebhook.Spec, button: "Save", to: "/me", done: "The webhook is changed.", prepare: webhookEvents},
		{
			path: "/me/webhooks/:id/secret", spec: wire.RotateWebhookSecret.Spec, button: "Make a new secret", confirm: true, to: "/me", secret: "secret",
			done: "For a day, messages are signed with both secrets.",
		},
		{path: "/me/webhooks/:id/delete", spec: wire.DeleteWebhook.Spec, button: "Delete", confirm: true, to: "/me", done: "The webhook is deleted."},
		{path: "/me/webhooks/:id/deliveries/:delivery_id/redeliver", spec: wire.Redeliver.Spec, to: "/me", done: "The event is sent again."},
	}
}

func entryOffers() []offer {
	return []offer{
		{
			path: "/ladders/:id/join", spec: wire.JoinLadder.Spec, button: "Join", to: "/ladders/{id}/join", done: "The bot plays on this ladder from now on.",
			prepare: func(s *Server, c *gin.Context, f *form.Form, _ url.Values) error {
				f.Set("matches_per_hour", strconv.Itoa(tournament.DefaultMatchesPerHour))
				l, err := s.ladder(c.Request.Context(), wire.LadderOf{ID: c.Param("id")})
				if err != nil {
					return err
				}
				return s.chooseBot(c, f, func(b tournament.Bot, v tournament.Version) error { return mayPlay(b, v, l.Game) })
			},
			beside: (*Server).besideLadder,
		},
		{path: "/ladders/:id/entries/:bot_id/leave", spec: wire.LeaveLadder.Spec, to: "/ladders/{id}/join", done: "The bot has left the ladder; its rating stays."},
		{
			path: "/tournaments/:id/enter", spec: wire.JoinTournament.Spec, button: "Enter", to: "/tournaments/{id}/enter", done: "The bot is entered.",
			prepare: (*Server).prepareEntry, beside: (*Server).besideEntry,
		},
		{path: "/tournaments/:id/entries/:bot_id/check-in", spec: wire.CheckInEntry.Spec, to: "/tournaments/{id}/enter", done: "The bot is checked in."},
		{path: "/tournaments/:id/entries/:bot_id/withdraw", spec: wire.WithdrawEntry.Spec, to: "/tournaments/{id}/enter", done: "The bot is withdrawn."},
		{
			path: "/challenges/new", spec: wire.CreateChallenge.Spec, button: "Challenge", to: "/matches/{id}", open: []string{"game", "bots", "config"},
			prepare: (*Server).prepareChallenge, beside: games,
		},
	}
}

func organiserOffers() []offer {
	return []offer{
		{
			path: "/tournaments/new", spec: wire.CreateTournament.Spec, preview: &wire.PreviewTournament.Spec, button: "Announce", to: "/tournaments/{id}/organise",
			done: "The tournament is announced.", secret: "invite_code",
			open: append([]string{"name", "game", "format", "starts_at"}, usual()...), prepare: (*Server).prepareTournament, beside: games,
		},
		{path: "/tournaments/:id/organise/:bot_id/check-in", spec: wire.CheckInEntry.Spec, to: "/tournaments/{id}/organise", done: "The bot is checked in."},
		{path: "/tournaments/:id/organise/:bot_id/withdraw", spec: wire.WithdrawEntry.Spec, to: "/tournaments/{id}/organise", done: "You have withdrawn the bot. Before the start you can admit it again; after the start it cannot return."},
		{path: "/tournaments/:id/organise/:bot_id/admit", spec: wire.AdmitEntry.Spec, to: "/tournaments/{id}/organise", done: "The bot is entered again."},
		{
			path: "/tournaments/:id/organise/:bot_id/substitute", spec: wire.SubstituteEntry.Spec, button: "Substitute", to: "/tournaments/{id}/organise",
			done: "The other bot plays in its place from now on.", prepare: (*Server).prepareSubstitute,
		},
		{
			path: "/tournaments/:id/edit", spec: wire.UpdateTournament.Spec, now: &wire.GetTournament.Spec, button: "Save", to: "/tournaments/{id}/organise",
			done: "The tournament is changed.", secret: "invite_code", open: append([]string{"name", "format", "starts_at", "opens_at", "closes_at"}, usual()...),
			prepare: (*Server).prepareEdit,
		},
		{
			path: "/tournaments/:id/invite", spec: wire.RenewInvite.Spec, button: "Make a new code", to: "/tournaments/{id}/organise", secret: "invite_code",
			done: "This code invites from now on; the one before admits nobody any more.",
		},
		{
			path: "/tournaments/:id/organisers", spec: wire.SetTournamentOrganisers.Spec, now: &wire.GetTournamentOrganisers.Spec, button: "Save",
			to: "/tournaments/{id}/organise", done: "The co-organisers are named.",
		},
		{path: "/tournaments/:id/seeds", spec: wire.SeedTournament.Spec, button: "Seed", to: "/tournaments/{id}/organise", done: "The entries are seeded.", prepare: (*Server).prepareSeeds},
		{path: "/tournaments/:id/start", spec: wire.StartTournament.Spec, to: "/tournaments/{id}/organise", done: "The tournament has started."},
		{path: "/tournaments/:id/pause", spec: wire.PauseTournament.Spec, to: "/tournaments/{id}/organise", done: "The tournament is paused: no new match starts."},
		{path: "/tournaments/:id/resume", spec: wire.ResumeTournament.Spec, to: "/tournaments/{id}/organise", done: "The tournament goes on."},
		{path: "/tournaments/:id/cancel", spec: wire.CancelTournament.Spec, button: "Cancel the tournament", to: "/tournaments/{id}/organise", done: "The tournament is cancelled."},
		{
			path: "/tournaments/:id/rounds/:round", spec: wire.ArrangeRound.Spec, button: "Pair it like this", to: "/tournaments/{id}/organise", done: "The round is paired by hand.",
			prepare: (*Server).prepareRound,
		},
		{path: "/matches/:id/void", spec: wire.VoidMatch.Spec, button: "Make it void", to: "/matches/{id}"},
	}
}

// usual are the fields of a tournament that stand in the open, after its times.
func usual() []string {
	return []string{"capacity", "format_options/rounds", "format_options/playoff", "format_options/finalists", "check_in_ms", "rated", "invite_only", "description"}
}

func scheduleOffers() []offer {
	return []offer{
		{
			path: "/me/classes/new", spec: wire.CreateClassLink.Spec, button: "Make the link", to: "/me/events", secret: "url",
			done: "Whoever opens this link makes an account, and may enter the events.", prepare: (*Server).prepareClass,
		},
		{path: "/me/classes/:id/end", spec: wire.DeleteClassLink.Spec, to: "/me/events", done: "The link has ended; its accounts stay."},
		{
			path: "/schedules/:id/organisers", spec: wire.SetScheduleOrganisers.Spec, now: &wire.GetScheduleOrganisers.Spec, button: "Save",
			to: "/schedules/{id}/organise", done: "The co-organisers are named.",
		},
		{
			path: "/schedules/new", spec: wire.CreateSchedule.Spec, preview: &wire.PreviewSchedule.Spec, button: "Make the schedule", to: "/schedules/{id}/organise",
			done: "The schedule is made; its tournaments are announced as their registration opens.", secret: "invite_code", hide: []string{"starts_at"},
			open: append([]string{"name", "game", "format", "cron", "zone", "opens_before_ms", "closes_before_ms"}, usual()...), prepare: (*Server).prepareSchedule, beside: games,
		},
		{
			path: "/schedules/:id/edit", spec: wire.UpdateSchedule.Spec, now: &wire.GetSchedule.Spec, button: "Save", to: "/schedules/{id}/organise", prepare: (*Server).prepareRevision,
			done: "The schedule is changed.", open: append([]string{"name", "starts_at", "cron", "zone", "opens_before_ms", "closes_before_ms"}, usual()...),
		},
		{path: "/schedules/:id/pause", spec: wire.PauseSchedule.Spec, to: "/schedules/{id}/organise", done: "The schedule is paused."},
		{path: "/schedules/:id/resume", spec: wire.ResumeSchedule.Spec, to: "/schedules/{id}/organise", done: "The schedule goes on."},
		{path: "/schedules/:id/cancel", spec: wire.CancelSchedule.Spec, button: "Cancel the schedule", to: "/schedules/{id}/organise", done: "The schedule is cancelled; what it has announced stays."},
		{path: "/schedules/:id/delete", spec: wire.DeleteSchedule.Spec, button: "Delete", confirm: true, to: "/me/events", done: "The schedule is deleted."},
	}
}

func seriesOffers() []offer {
	return []offer{
		{
			path: "/series/:id/organisers", spec: wire.SetSeriesOrganisers.Spec, now: &wire.GetSeriesOrganisers.Spec, button: "Save",
			to: "/series/{id}/organise", done: "The co-organisers are named.",
		},
		{path: "/series/new", spec: wire.CreateSeries.Spec, button: "Make the series", to: "/series/{id}/organise", done: "The series is made.", prepare: (*Server).prepareSeries},
		{
			path: "/series/:id/edit", spec: wire.UpdateSeries.Spec, now: &wire.GetSeries.Spec, button: "Save", to: "/series/{id}/organise", done: "The series is changed.",
			prepare: (*Server).prepareSeries,
		},
		{path: "/series/:id/delete", spec: wire.DeleteSeries.Spec, button: "Delete", confirm: true, to: "/me/events", done: "The series is deleted; its tournaments stay."},
	}
}

// checkWords says what a check found.
func checkWords(answer []byte) string {
	var found wire.BotChecked
	if err := json.Unmarshal(answer, &found); err != nil || !found.OK {
		return "The check failed: " + found.Reason
	}
	return fmt.Sprintf("The check passed in %d ms; the bot is %s.", found.TookMS, found.Bot.Status)
}

// webhookEvents offers the kinds of events, which the type of a change leaves open.
func webhookEvents(_ *Server, _ *gin.Context, f *form.Form, _ url.Values) error {
	x := f.Field("events")
	x.Kind = form.Ticks
	for _, k := range tournament.WebhookKinds() {
		x.Options = append(x.Options, form.Option{Value: string(k), Words: string(k)})
	}
	return nil
}

// mayPlay says why a bot cannot play a game.
func mayPlay(b tournament.Bot, v tournament.Version, game string) error {
	switch {
	case b.Status != tournament.BotActive:
		return fmt.Errorf("%w: it gets no matches: %s", tournament.ErrState, b.OpenReason())
	case !slices.Contains(v.Games, game):
		return fmt.Errorf("%w: it does not play %s", tournament.ErrState, game)
	}
	return nil
}

func (s *Server) prepareEntry(c *gin.Context, f *form.Form, _ url.Values) error {
	ctx := c.Request.Context()
	t, err := web.Named(c, s.Store.Tournament)
	if err != nil {
		return err
	}
	for name, is := range map[string]bool{
		"invite_code":        t.Invite.Needed(),
		"challenger":         t.Format == tournament.Gauntlet,
		"against_version_id": t.Format == tournament.SPRT,
	} {
		if !is {
			f.Drop(name)
		}
	}
	entries, err := s.Store.Entries(ctx, t.ID)
	if err != nil {
		return err
	}
	engine, ok := s.Engines.Find(t.Game)
	if !ok {
		return tournament.ErrNotFound
	}
	var late error
	if t.Status == tournament.Running && t.Options.LateEntries {
		contest, _, err := s.Director.Contest(ctx, t.ID)
		if err != nil {
			return err
		}
		late = pairing.Late(contest)
	}
	return s.chooseBot(c, f, func(b tournament.Bot, v tournament.Version) error {
		if err := mayPlay(b, v, t.Game); err != nil {
			return err
		}
		if late != nil {
			return fmt.Errorf("%w: %s", tournament.ErrWindow, pairing.Reason(late))
		}
		return tournament.CanJoin(t, engine.Info(), entries, b, v.Games, s.Now())
	})
}

// prepareChallenge offers the caller's bots and those that take challenges, for each seat.
func (s *Server) prepareChallenge(c *gin.Context, f *form.Form, in url.Values) error {
	game := s.chooseGame(f, in)
	mine, err := s.myBots(c)
	if err != nil {
		return err
	}
	others, err := s.Store.TakingChallenges(c.Request.Context(), game, maxChallenged)
	if err != nil {
		return err
	}
	x := f.Field("bots")
	x.Kind = form.Order
	mine = slices.DeleteFunc(mine, func(b tournament.Bot) bool { return b.Status != tournament.BotActive })
	for _, b := range append(mine, others...) {
		if !slices.ContainsFunc(x.Options, func(o form.Option) bool { return o.Value == b.ID }) {
			x.Options = append(x.Options, form.Option{Value: b.ID, Words: b.Name})
		}
	}
	if engine, ok := s.Engines.Find(game); ok {
		x.Places = engine.Info().MaxSeats
	}
	if len(mine) > 0 {
		x.Typed = []string{mine[0].ID}
	}
	setClock(f)
	return nil
}

// maxChallenged is the most bots of others that the form of a challenge offers.
const maxChallenged = 200

// games leads to the same form of each game, which has choices and values of its own.
func games(s *Server, c *gin.Context, d *pages.Desk) error {
	for _, e := range s.Engines {
		if id := e.Info().ID; id != d.Form.Field("game").Value() {
			d.Ways = append(d.Ways, pages.Way{Path: c.Request.URL.Path + "?game=" + id, Words: e.Info().Name + " instead"})
		}
	}
	return nil
}

// setClock fills in the usual clock and fault limits.
func setClock(f *form.Form) {
	clock, limits := tournament.DefaultClock(), tournament.DefaultFaultLimits()
	f.Set("clock/limit_ms", clock.Limit.String())
	f.Set("clock/bank_ms", clock.Bank.String())
	f.Set("clock/increment_ms", clock.Increment.String())
	f.Set("clock/network_allowance_ms", clock.Allowance.String())
	f.Set("fault_limits/max_faults_in_row", strconv.Itoa(limits.InRow))
	f.Set("fault_limits/max_faults", strconv.Itoa(limits.Total))
}

// prepareTemplate fills in what tournaments and schedules usually are.
func (s *Server) prepareTemplate(f *form.Form, in url.Values) {
	game := s.chooseGame(f, in)
	f.Set("format", string(tournament.Swiss))
	f.Set("cycles", "1")
	f.Set("capacity", "16")
	if engine, ok := s.Engines.Find(game); ok {
		f.Set("table_size", strconv.Itoa(engine.Info().MinSeats))
		if engine.Info().MinSeats == 2 {
			f.Set("duplicate", "on")
		}
	}
	setClock(f)
	orderTieBreaks(f)
}

func (s *Server) prepareTournament(_ *gin.Context, f *form.Form, in url.Values) error {
	for name, help := range map[string]string{"opens_at": "of registration; now, if left empty", "closes_at": "registration; at the start, if left empty"} {
		x := f.Field(name)
		x.Required, x.Help = false, help
	}
	f.Field("closes_at").Else = in.Get("starts_at")
	if in.Get("opens_at") == "" && in.Has("starts_at") {
		zone, err := time.LoadLocation(in.Get(form.ZoneName))
		if err != nil {
			zone = time.UTC
		}
		in.Set("opens_at", shownAt(in, s.Now()).In(zone).Format("2006-01-02T15:04:05"))
	}
	s.prepareTemplate(f, in)
	return nil
}

// shownAt returns when a form was shown, which its key holds, and now where it has none: so it asks for the same when it is sent again.
func shownAt(in url.Values, now time.Time) time.Time {
	key, err := uuid.Parse(in.Get("once"))
	if err != nil || key.Version() != 7 {
		return now
	}
	if at := time.Unix(key.Time().UnixTime()); at.Before(now) {
		return at
	}
	return now
}

func (s *Server) prepareSchedule(_ *gin.Context, f *form.Form, in url.Values) error {
	f.Set("opens_before_ms", "6d")
	f.Set("closes_before_ms", "0s")
	x := f.Field("zone")
	x.Required = true
	f.Set("zone", "UTC")
	s.prepareTemplate(f, in)
	return nil
}

// prepareRevision asks for a day and a time where a schedule has one start alone, otherwise for those that come again.
func (s *Server) prepareRevision(c *gin.Context, f *form.Form, _ url.Values) error {
	x, err := web.Named(c, s.Store.Schedule)
	if err != nil {
		return err
	}
	if x.When.Line == "" {
		f.Drop("cron", "zone")
	} else {
		f.Drop("starts_at")
	}
	orderTieBreaks(f)
	return nil
}

// placed returns the entries of the tournament of the path that have a place, to choose from.
func (s *Server) placed(c *gin.Context) ([]tournament.Entry, []form.Option, error) {
	t, err := web.Named(c, s.Store.Tournament)
	if err != nil {
		return nil, nil, err
	}
	all, err := s.Store.Entries(c.Request.Context(), t.ID)
	list := slices.DeleteFunc(all, func(e tournament.Entry) bool { return e.WithdrawnAt != nil || e.Waiting })
	var options []form.Option
	for _, e := range list {
		options = append(options, form.Option{Value: e.BotID, Words: e.BotName})
	}
	return list, options, err
}

func (s *Server) prepareSeeds(c *gin.Context, f *form.Form, _ url.Values) error {
	list, options, err := s.placed(c)
	if err != nil {
		return err
	}
	x := f.Field("bots")
	x.Kind, x.Options, x.Places = form.Order, options, len(list)
	slices.SortFunc(list, func(a, b tournament.Entry) int { return a.Seed - b.Seed })
	for _, e := range list {
		if e.Seed > 0 {
			x.Typed = append(x.Typed, e.BotID)
		}
	}
	return nil
}

// prepareRound offers the bots of a tournament at the tables of a round, as it is paired now; where that is secret, the tables are empty.
func (s *Server) prepareRound(c *gin.Context, f *form.Form, _ url.Values) error {
	_, options, err := s.placed(c)
	if err != nil {
		return err
	}
	t, err := web.Named(c, s.Store.Tournament)
	if err != nil {
		return err
	}
	rounds, err := s.rounds(c.Request.Context(), t.ID)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(c.Param("round"))
	if err != nil || n < 1 || n > len(rounds) {
		return tournament.ErrNotFound
	}
	ids := map[string]string{}
	for _, o := range options {
		ids[o.Words] = o.Value
	}
	tables, byes := f.Field("tables"), f.Field("byes")
	tables.Options, byes.Options = options, options
	playing := len(rounds[n-1].Byes)
	for _, table := range rounds[n-1].Tables {
		row := make([]string, t.Table)
		for i, bot := range table.Bots {
			row[i] = ids[bot]
		}
		tables.Cells, playing = append(tables.Cells, row), playing+len(table.Bots)
	}
	for len(tables.Cells) < playing/t.Table { // bots that rest may play, too
		tables.Cells = append(tables.Cells, make([]string, t.Table))
	}
	byes.Kind, byes.Places = form.Order, len(rounds[n-1].Byes)+t.Table // and a table may rest
	for _, bot := range rounds[n-1].Byes {
		byes.Typed = append(byes.Typed, ids[bot])
	}
	return nil
}

// prepareEdit asks for a tournament's texts alone once it has started. A form that was opened before asks for the rest, too, and hears of it.
func (s *Server) prepareEdit(c *gin.Context, f *form.Form, in url.Values) error {
	orderTieBreaks(f)
	t, err := web.Named(c, s.Store.Tournament)
	if err == nil && t.Status != tournament.Scheduled && !in.Has("name") {
		f.Only("description", "rules", "prizes")
	}
	return err
}

// orderTieBreaks asks for tie-breaks in their order, as many as there are.
func orderTieBreaks(f *form.Form) {
	ties := f.Field("format_options/tie_breaks")
	ties.Kind, ties.Places = form.Order, len(ties.Options)
}

// prepareSubstitute offers the bots that may take the place of an entry: those of its owner, and the caller's.
func (s *Server) prepareSubstitute(c *gin.Context, f *form.Form, _ url.Values) error {
	was, err := s.Store.Bot(c.Request.Context(), c.Param("bot_id"))
	if err != nil {
		return err
	}
	theirs, _, err := s.Store.Bots(c.Request.Context(), store.BotFilter{OwnerID: was.OwnerID, Living: true}, store.Page{Sort: store.Newest, Limit: store.MaxPage})
	if err != nil {
		return err
	}
	mine, err := s.myBots(c)
	if err != nil {
		return err
	}
	entries, err := s.Store.Entries(c.Request.Context(), c.Param("id"))
	if err != nil {
		return err
	}
	x := f.Field("bot_id")
	x.Kind = form.Choice
	for _, b := range append(theirs, mine...) {
		isIn := func(e tournament.Entry) bool { // or left after the start, or is kept out
			return e.BotID == b.ID && (e.WithdrawnAt == nil || e.VersionID != "" || e.Excluded)
		}
		if b.Status == tournament.BotActive && !slices.ContainsFunc(entries, isIn) && !slices.ContainsFunc(x.Options, func(o form.Option) bool { return o.Value == b.ID }) {
			x.Options = append(x.Options, form.Option{Value: b.ID, Words: b.Name})
		}
	}
	return nil
}

// prepareClass offers the caller's tournaments that are to come, and their schedules.
func (s *Server) prepareClass(c *gin.Context, f *form.Form, _ url.Values) error {
	schedules, tournaments, _, err := s.organised(c)
	if err != nil {
		return err
	}
	x := f.Field("events")
	x.Kind = form.Ticks
	for _, t := range tournaments {
		if t.Status == tournament.Scheduled {
			x.Options = append(x.Options, form.Option{Value: t.ID, Words: t.Name})
		}
	}
	for _, one := range schedules {
		if one.EndedAt == nil {
			x.Options = append(x.Options, form.Option{Value: one.ID, Words: one.Template.Name + ", again and again"})
		}
	}
	f.Set("accounts", "30")
	return nil
}

// prepareSeries offers the caller's schedules and tournaments, and first what counts already, whoever's it is.
func (s *Server) prepareSeries(c *gin.Context, f *form.Form, _ url.Values) error {
	schedules, tournaments, _, err := s.organised(c)
	if err != nil {
		return err
	}
	schedules = slices.DeleteFunc(schedules, func(x schedule.Schedule) bool { return x.Template.Unlisted }) // a series is for everybody
	tournaments = slices.DeleteFunc(tournaments, func(t tournament.Tournament) bool { return t.Unlisted })
	var counted []tournament.Tournament
	if c.Param("id") != "" {
		x, err := web.Named(c, s.Store.SeriesByID)
		if err != nil {
			return err
		}
		if counted, err = s.Store.TournamentsByID(c.Request.Context(), x.Tournaments); err != nil {
			return err
		}
		at := func(t tournament.Tournament) int { return slices.Index(x.Tournaments, t.ID) }
		slices.SortFunc(counted, func(a, b tournament.Tournament) int { return at(a) - at(b) })
	}
	if x := f.Field("schedule_id"); x != nil {
		x.Kind = form.Choice
		for _, one := range schedules {
			x.Options = append(x.Options, form.Option{Value: one.ID, Words: one.Template.Name})
		}
	}
	x := f.Field("tournaments")
	x.Kind = form.Ticks
	for _, t := range append(counted, tournaments...) {
		if !slices.ContainsFunc(x.Options, func(o form.Option) bool { return o.Value == t.ID }) {
			x.Options = append(x.Options, form.Option{Value: t.ID, Words: t.Name})
		}
	}
	return nil
}

// nextStarts returns the coming starts of a schedule in words.
func nextStarts(x schedule.Schedule) string {
	var out []string
	for _, at := range x.Upcoming(shownStarts) {
		out = append(out, pages.Day(at))
	}
	return strings.Join(out, ", ")
}
