package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/store"
)

func optionsDTO(o tournament.FormatOptions) *wire.FormatOptions {
	if o.IsZero() {
		return nil
	}
	x := o.Test
	return &wire.FormatOptions{
		MinTable:    o.MinTable,
		Rounds:      o.Rounds,
		BestOf:      o.BestOf,
		ThirdPlace:  o.ThirdPlace,
		GroupSize:   o.GroupSize,
		Playoff:     string(o.Playoff),
		Finalists:   o.Finalists,
		TieBreaks:   o.TieBreaks,
		LastsMS:     o.Lasts.Milliseconds(),
		LateEntries: o.LateEntries,
		Elo0:        x.Elo0,
		Elo1:        x.Elo1,
		Alpha:       x.Alpha,
		Beta:        x.Beta,
		Normalised:  x.Normalised,
		MaxPairs:    x.MaxPairs,
	}
}

// optionsOf are the options of a request; numbers far out of bounds stay out of bounds, so that a check refuses them.
func optionsOf(o *wire.FormatOptions) tournament.FormatOptions {
	if o == nil {
		return tournament.FormatOptions{}
	}
	return tournament.FormatOptions{
		MinTable:    o.MinTable,
		Rounds:      o.Rounds,
		BestOf:      o.BestOf,
		ThirdPlace:  o.ThirdPlace,
		GroupSize:   o.GroupSize,
		Playoff:     tournament.Format(o.Playoff),
		Finalists:   o.Finalists,
		TieBreaks:   o.TieBreaks,
		Lasts:       milliseconds(o.LastsMS),
		LateEntries: o.LateEntries,
		Test: tournament.Test{
			Elo0:       o.Elo0,
			Elo1:       o.Elo1,
			Alpha:      o.Alpha,
			Beta:       o.Beta,
			Normalised: o.Normalised,
			MaxPairs:   o.MaxPairs,
		},
	}
}

// clockOf is the clock of a request; numbers far out of bounds are kept in bounds of arithmetic, so that Validate refuses them.
func clockOf(c wire.Clock) tournament.Clock {
	ms := func(n int64) time.Duration { return time.Duration(min(max(n, -1), 1<<31)) * time.Millisecond }
	return tournament.Clock{
		Limit:     ms(c.LimitMS),
		Bank:      ms(c.BankMS),
		Increment: ms(c.IncrementMS),
		Allowance: ms(c.NetworkAllowanceMS),
	}
}

func tournamentDTO(t tournament.Tournament) wire.Tournament {
	expected, err := matchesAtCapacity(t)
	if err != nil {
		expected = 0
	}
	return wire.Tournament{
		ID:          t.ID,
		Name:        t.Name,
		OrganiserID: t.OrganiserID,
		Game:        t.Game,
		Config:      t.Config,
		Table:       t.Table,
		Format:      string(t.Format),
		Cycles:      t.Cycles,
		Options:     optionsDTO(t.Options),
		Duplicate:   t.Duplicate,
		Rated:       t.Rated,
		LadderID:    t.LadderID,
		Capacity:    t.Capacity,
		PerOwner:    t.OwnerEntries,
		Waiting:     t.WaitingList,
		CheckInMS:   t.CheckIn.Milliseconds(),
		Expected:    expected,
		Clock:       live.ClockOf(t.Clock),
		Faults:      wire.FaultLimits{InRow: t.Limits.InRow, Total: t.Limits.Total},
		OpensAt:     t.OpensAt,
		ClosesAt:    t.ClosesAt,
		StartsAt:    t.StartsAt,
		Status:      string(t.Status),
		Reason:      t.Reason,
		CreatedAt:   t.CreatedAt,
		StartedAt:   t.StartedAt,
		EndedAt:     t.EndedAt,
		PausedAt:    t.PausedAt,
		InviteOnly:  t.Invite.Needed(),
		ScheduleID:  t.ScheduleID,
		Number:      t.Number,
		Texts:       wire.Texts(t.Texts),
	}
}

// matchesAtCapacity is the most matches that a full field makes.
func matchesAtCapacity(t tournament.Tournament) (int, error) {
	return pairing.Matches(t.Capacity, pairing.SettingsOf(t, game.Info{}))
}

// draft makes the tournament that is asked for, and refuses everything wrong with it at once. check sees to its times, and looks
// at all but the number of matches and the configuration.
func (s *Server) draft(in wire.TournamentTemplate, organiser string, check func(*tournament.Tournament, game.Info) error) (tournament.Tournament, error) {
	t := tournament.Tournament{
		Name:         in.Name,
		OrganiserID:  organiser,
		Game:         in.Game,
		Format:       tournament.Format(in.Format),
		Table:        in.Table,
		Cycles:       in.Cycles,
		Options:      optionsOf(in.Options),
		Duplicate:    in.Duplicate,
		Rated:        in.Rated,
		Capacity:     in.Capacity,
		OwnerEntries: in.PerOwner,
		WaitingList:  in.Waiting,
		CheckIn:      milliseconds(in.CheckInMS),
		Clock:        tournament.DefaultClock(),
		Limits:       tournament.DefaultFaultLimits(),
		Status:       tournament.Scheduled,
		Texts:        textsOf(in.Texts),
	}
	if in.Clock != nil {
		t.Clock = clockOf(*in.Clock)
	}
	if in.Faults != nil {
		t.Limits = tournament.FaultLimits{InRow: in.Faults.InRow, Total: in.Faults.Total}
	}
	engine, known := s.engines.Find(in.Game)
	if !known {
		anyTable := game.Info{MinSeats: in.Table, MaxSeats: in.Table}
		return t, errors.Join(&tournament.FieldError{Pointer: "/game", Reason: "names no game; /v1/games lists them"}, check(&t, anyTable))
	}
	err := check(&t, engine.Info())
	if err == nil {
		err = s.checkMatches(t)
	}
	return t, errors.Join(err, configure(&t, engine, in.Config))
}

// checkMatches refuses a tournament whose full field would play too many matches.
func (s *Server) checkMatches(t tournament.Tournament) error {
	count, err := matchesAtCapacity(t)
	switch {
	case err != nil:
		return &tournament.FieldError{Pointer: "/capacity", Reason: err.Error()}
	case count > s.limits.Matches:
		return &tournament.FieldError{Pointer: "/capacity", Reason: fmt.Sprintf("a full field would play %d matches, more than %d: lower capacity, cycles, rounds or max_pairs", count, s.limits.Matches)}
	}
	return nil
}

// configure gives the tournament the configuration that is asked for, where its table is one that the game has.
func configure(t *tournament.Tournament, engine game.Engine, config json.RawMessage) error {
	if info := engine.Info(); t.Table < info.MinSeats || t.Table > info.MaxSeats {
		return nil // the table is refused
	}
	var err error
	if t.Config, err = engine.Configure(config, t.Table); err != nil {
		return configError(err)
	}
	for seats := t.Table - 1; t.Options.MinTable > 1 && seats >= t.Options.MinTable; seats-- {
		if _, err := engine.Configure(t.Config, seats); err != nil {
			return &tournament.FieldError{Pointer: "/format_options/min_table_size", Reason: fmt.Sprintf("a table of %d cannot be played: %v", seats, err)}
		}
	}
	return nil
}

// configError points into the configuration.
func configError(err error) error {
	var form *strict.Error
	if errors.As(err, &form) {
		return &tournament.FieldError{Pointer: "/config" + form.Pointer, Reason: form.Reason}
	}
	_, reason := game.Code(err)
	return &tournament.FieldError{Pointer: "/config", Reason: reason}
}

// @Summary	Announce a tournament
// @Description	For organisers. Everything is checked now, including the configuration against the game's rules. matches_at_capacity
// @Description	is how many matches a full field plays at most. With invite_only the answer shows the code, only now.
// @Tags		tournaments
// @Security	Bearer
// @Accept		json
// @Param		body	body		wire.TournamentCreate	true	"the tournament"
// @Success	201		{object}	wire.Tournament
// @Failure	403		{object}	wire.Problem
// @Failure	409		{object}	wire.Problem
// @Failure	413		{object}	wire.Problem
// @Failure	415		{object}	wire.Problem
// @Failure	422		{object}	wire.Problem
// @Router		/v1/tournaments [post]
func (s *Server) createTournament(c *gin.Context) error {
	in, err := read[wire.TournamentCreate](c)
	if err != nil {
		return err
	}
	t, err := s.announced(in, gate.UserID(c))
	if err != nil {
		return err
	}
	var code string
	if in.InviteOnly {
		if code, t.Invite, err = tournament.NewInvite(s.rand); err != nil {
			return err
		}
	}
	within := s.store.WithQuota(t.OrganiserID, store.Tournaments, s.limits.Tournaments)
	if t, err = s.director.On(within).CreateTournament(c.Request.Context(), t); err != nil {
		return err
	}
	c.Header("Location", "/v1/tournaments/"+t.ID)
	out := tournamentDTO(t)
	out.InviteCode = code
	return httpx.Send(c, http.StatusCreated, out)
}

// announced is the tournament that is asked for, checked.
func (s *Server) announced(in wire.TournamentCreate, organiser string) (tournament.Tournament, error) {
	return s.draft(in.TournamentTemplate, organiser, func(t *tournament.Tournament, info game.Info) error {
		t.OpensAt, t.ClosesAt, t.StartsAt = in.OpensAt.UTC(), in.ClosesAt.UTC(), in.StartsAt.UTC()
		return t.Check(info, s.now())
	})
}

// @Summary	All tournaments
// @Tags		tournaments
// @Param		game	query		string	false	"only this game"
// @Param		status	query		string	false	"scheduled, running, finished or cancelled"
// @Param		schedule	query		string	false	"only those that this schedule made"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the previous page"
// @Success	200		{object}	wire.Page[wire.Tournament]
// @Router		/v1/tournaments [get]
func (s *Server) listTournaments(c *gin.Context) error {
	p, err := s.cursors.Page(c, "game", "status", "schedule")
	if err != nil {
		return err
	}
	f := store.TournamentFilter{}
	if f.ScheduleID, err = uuidFilter(p.Filter, "schedule"); err != nil {
		return err
	}
	if f.Game, err = s.gameFilter(p.Filter); err != nil {
		return err
	}
	status, err := httpx.OneOf(p.Filter, "status", string(tournament.Scheduled), string(tournament.Running), string(tournament.Finished), string(tournament.Cancelled))
	if err != nil {
		return err
	}
	f.Status = tournament.Status(status)
	rows, next, err := s.store.Tournaments(c.Request.Context(), f, pageOf(p, store.Newest))
	if err != nil {
		return err
	}
	return httpx.SendPage(c, p, rows, next, tournamentDTO)
}

// @Summary	One tournament
// @Tags		tournaments
// @Param		id	path		string	true	"id of the tournament"
// @Success	200	{object}	wire.Tournament
// @Failure	404	{object}	wire.Problem
// @Router		/v1/tournaments/{id} [get]
func (s *Server) getTournament(c *gin.Context) error {
	if _, err := httpx.Query(c); err != nil {
		return err
	}
	t, err := s.tournamentOf(c)
	if err != nil {
		return err
	}
	return s.sendTournament(c, t)
}

// sendTournament answers with a tournament as it stands and what is written about it.
func (s *Server) sendTournament(c *gin.Context, t tournament.Tournament) error {
	var err error
	if t.Texts, err = s.store.Texts(c.Request.Context(), t.ID); err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, tournamentDTO(t))
}

// @Summary	Start a tournament now
// @Description	For its organiser. Makes the first round, or all rounds of a round robin. With too few entries nothing happens, and
// @Description	the answer says why. With paused no match begins until the tournament is resumed. The body may be left out.
// @Tags		tournaments
// @Security	Bearer
// @Accept		json
// @Param		id		path		string	true	"id of the tournament"
// @Param		body	body		wire.StartRequest	false	"how"
// @Success	200	{object}	wire.Tournament
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Failure	413	{object}	wire.Problem
// @Failure	415	{object}	wire.Problem
// @Failure	422	{object}	wire.Problem
// @Router		/v1/tournaments/{id}/start [post]
func (s *Server) startTournament(c *gin.Context) error {
	if c.Request.ContentLength == 0 {
		return s.changeTournament(c, s.director.Start)
	}
	in, err := read[wire.StartRequest](c)
	if err != nil {
		return err
	}
	t, err := s.myTournament(c)
	if err != nil {
		return err
	}
	start := s.director.Start
	if in.Paused {
		start = s.director.StartPaused
	}
	if t, err = start(c.Request.Context(), t.ID); err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, tournamentDTO(t))
}

// @Summary	Cancel a tournament
// @Description	For its organiser, with a reason that everyone sees; without a body the reason is "cancelled by its organiser".
// @Description	Matches that are not over become void.
// @Tags		tournaments
// @Security	Bearer
// @Accept		json
// @Param		id		path		string			true	"id of the tournament"
// @Param		body	body		wire.CancelRequest	false	"why"
// @Success	200		{object}	wire.Tournament
// @Failure	403		{object}	wire.Problem
// @Failure	404		{object}	wire.Problem
// @Failure	409		{object}	wire.Problem
// @Failure	413		{object}	wire.Problem
// @Failure	415		{object}	wire.Problem
// @Failure	422		{object}	wire.Problem
// @Router		/v1/tournaments/{id}/cancel [post]
func (s *Server) cancelTournament(c *gin.Context) error {
	reason, err := cancelReason(c)
	if err != nil {
		return err
	}
	t, err := s.myTournament(c)
	if err != nil {
		return err
	}
	if t, err = s.director.Cancel(c.Request.Context(), t.ID, reason); err != nil {
		return err
	}
	return s.sendTournament(c, t)
}

// tournamentOf is the tournament the path names.
func (s *Server) tournamentOf(c *gin.Context) (tournament.Tournament, error) {
	return named(c, s.store.Tournament)
}

// myTournament is the caller's tournament that the path names; an administrator may act on all.
func (s *Server) myTournament(c *gin.Context) (tournament.Tournament, error) {
	t, err := s.tournamentOf(c)
	if err == nil && !gate.Owns(c, t.OrganiserID) {
		err = tournament.ErrNotYours
	}
	return t, err
}

// @Summary	Pause a running tournament
// @Description	For its organiser. No new match starts; those that have begun are played to the end.
// @Tags		tournaments
// @Security	Bearer
// @Param		id	path		string	true	"id of the tournament"
// @Success	200	{object}	wire.Tournament
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Router		/v1/tournaments/{id}/pause [post]
func (s *Server) pauseTournament(c *gin.Context) error {
	return s.changeTournament(c, s.director.PauseTournament)
}

// @Summary	Resume a paused tournament
// @Description	For its organiser. Matches start again where they stopped.
// @Tags		tournaments
// @Security	Bearer
// @Param		id	path		string	true	"id of the tournament"
// @Success	200	{object}	wire.Tournament
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Router		/v1/tournaments/{id}/resume [post]
func (s *Server) resumeTournament(c *gin.Context) error {
	return s.changeTournament(c, s.director.ResumeTournament)
}

// changeTournament does to the caller's tournament of the path what needs nothing but its id.
func (s *Server) changeTournament(c *gin.Context, do func(context.Context, string) (tournament.Tournament, error)) error {
	if err := httpx.Bare(c); err != nil {
		return err
	}
	t, err := s.myTournament(c)
	if err != nil {
		return err
	}
	if t, err = do(c.Request.Context(), t.ID); err != nil {
		return err
	}
	return s.sendTournament(c, t)
}
