package api

import (
	"context"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func jobDTO(j store.Job) wire.Job {
	return wire.Job{
		ID: j.ID, Kind: j.Kind, Queue: j.Queue, State: j.State, Args: j.Args, Attempt: j.Attempt, MaxAttempts: j.MaxAttempts,
		LastError: j.LastError, CreatedAt: j.CreatedAt, ScheduledAt: j.ScheduledAt, AttemptedAt: j.AttemptedAt, FinalizedAt: j.FinalizedAt,
	}
}

// @Summary	The jobs of the queue
// @Description	For administrators, the last made first. Finished ones are kept for a while.
// @Tags		operation
// @Security	Bearer
// @Param		state	query		string	false	"available, cancelled, completed, discarded, pending, retryable, running or scheduled"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the page before"
// @Success	200		{object}	wire.Page[wire.Job]
// @Failure	403		{object}	wire.Problem
// @Router		/v1/admin/jobs [get]
func (s *Server) listJobs(c *gin.Context) error {
	p, err := s.cursors.Page(c, "state")
	if err != nil {
		return err
	}
	state, err := httpx.OneOf(p.Filter, "state", store.JobStates()...)
	if err != nil {
		return err
	}
	rows, next, err := s.store.Jobs(c.Request.Context(), state, pageOf(p, store.Newest))
	if err != nil {
		return err
	}
	return httpx.SendPage(c, p, rows, next, jobDTO)
}

// @Summary	All users
// @Description	For administrators.
// @Tags		users
// @Security	Bearer
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the page before"
// @Success	200		{object}	wire.Page[wire.User]
// @Failure	403		{object}	wire.Problem
// @Router		/v1/users [get]
func (s *Server) listUsers(c *gin.Context) error {
	p, err := s.cursors.Page(c)
	if err != nil {
		return err
	}
	rows, next, err := s.store.Users(c.Request.Context(), pageOf(p, store.Newest))
	if err != nil {
		return err
	}
	return httpx.SendPage(c, p, rows, next, userDTO)
}

// @Summary	One user
// @Description	For administrators.
// @Tags		users
// @Security	Bearer
// @Param		id	path		string	true	"id of the user"
// @Success	200	{object}	wire.User
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Router		/v1/users/{id} [get]
func (s *Server) getUser(c *gin.Context) error {
	return httpx.SendOne(c, func(c *gin.Context) (tournament.User, error) { return named(c, s.store.User) }, userDTO)
}

// @Summary	Disable a user
// @Description	For administrators, with a reason that the user is told. Its tokens are refused from now on, its bots are banned and
// @Description	withdrawn from tournaments. Its open challenges, and those with a bot of its, are void, running ones too; so are ladder
// @Description	matches that have not begun. Matches of tournaments and ladders that have begun are played to the end.
// @Tags		users
// @Security	Bearer
// @Accept		json
// @Param		id		path		string			true	"id of the user"
// @Param		body	body		wire.CancelRequest	true	"why"
// @Success	200		{object}	wire.User
// @Failure	403		{object}	wire.Problem
// @Failure	404		{object}	wire.Problem
// @Failure	409		{object}	wire.Problem
// @Failure	413		{object}	wire.Problem
// @Failure	415		{object}	wire.Problem
// @Failure	422		{object}	wire.Problem
// @Router		/v1/users/{id}/disable [post]
func (s *Server) disableUser(c *gin.Context) error {
	return withReason(c, func(ctx context.Context, id, reason string) error {
		if id == userID(c) {
			return fmt.Errorf("%w: you cannot disable yourself; ask another administrator", tournament.ErrState)
		}
		u, err := s.director.DisableUser(ctx, id, reason)
		if err != nil {
			return err
		}
		return httpx.Send(c, http.StatusOK, userDTO(u))
	})
}

// @Summary	Enable a user again
// @Description	For administrators. The bans that came with the disabling are lifted: bots are back, on their ladders too, after two
// @Description	health checks. What was void stays void, and tournaments that have lost a bot go on without it.
// @Tags		users
// @Security	Bearer
// @Param		id	path		string	true	"id of the user"
// @Success	200	{object}	wire.User
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Router		/v1/users/{id}/enable [post]
func (s *Server) enableUser(c *gin.Context) error {
	return withoutReason(c, func(ctx context.Context, id string) error {
		u, err := s.director.EnableUser(ctx, id)
		if err != nil {
			return err
		}
		return httpx.Send(c, http.StatusOK, userDTO(u))
	})
}

// @Summary	Ban a bot
// @Description	For administrators, with a reason that everybody sees. The bot gets no new matches, whatever its checks find, until
// @Description	the ban is lifted.
// @Tags		bots
// @Security	Bearer
// @Accept		json
// @Param		id		path		string			true	"id of the bot"
// @Param		body	body		wire.CancelRequest	true	"why"
// @Success	200		{object}	wire.Bot
// @Failure	403		{object}	wire.Problem
// @Failure	404		{object}	wire.Problem
// @Failure	409		{object}	wire.Problem
// @Failure	413		{object}	wire.Problem
// @Failure	415		{object}	wire.Problem
// @Failure	422		{object}	wire.Problem
// @Router		/v1/bots/{id}/ban [post]
func (s *Server) banBot(c *gin.Context) error {
	return withReason(c, func(ctx context.Context, id, reason string) error {
		b, err := s.director.BanBot(ctx, id, reason)
		if err != nil {
			return err
		}
		return httpx.Send(c, http.StatusOK, botDTO(b))
	})
}

// @Summary	Lift the ban of a bot
// @Description	For administrators. The bot comes back when it has passed its checks.
// @Tags		bots
// @Security	Bearer
// @Param		id	path		string	true	"id of the bot"
// @Success	200	{object}	wire.Bot
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Router		/v1/bots/{id}/unban [post]
func (s *Server) unbanBot(c *gin.Context) error {
	return withoutReason(c, func(ctx context.Context, id string) error {
		b, err := s.director.UnbanBot(ctx, id)
		if err != nil {
			return err
		}
		return httpx.Send(c, http.StatusOK, botDTO(b))
	})
}

// @Summary	Make a match void
// @Description	For administrators, with a reason that everybody sees, as long as the match is not over: a result stands. Nobody is
// @Description	rated; its tournament goes on as after a fault of the platform.
// @Tags		matches
// @Security	Bearer
// @Accept		json
// @Param		id		path		string			true	"id of the match"
// @Param		body	body		wire.CancelRequest	true	"why"
// @Success	200		{object}	wire.Match
// @Failure	403		{object}	wire.Problem
// @Failure	404		{object}	wire.Problem
// @Failure	409		{object}	wire.Problem
// @Failure	413		{object}	wire.Problem
// @Failure	415		{object}	wire.Problem
// @Failure	422		{object}	wire.Problem
// @Router		/v1/matches/{id}/void [post]
func (s *Server) voidMatch(c *gin.Context) error {
	return withReason(c, func(ctx context.Context, id, reason string) error {
		m, err := s.director.VoidMatch(ctx, id, reason)
		if err != nil {
			return err
		}
		return s.sendMatch(ctx, c, m)
	})
}

// @Summary	Queue a match again
// @Description	For administrators, as long as the match is not over: it is taken from the worker that has it and goes on elsewhere
// @Description	from its last recorded decision.
// @Tags		matches
// @Security	Bearer
// @Param		id	path		string	true	"id of the match"
// @Success	200	{object}	wire.Match
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Router		/v1/matches/{id}/requeue [post]
func (s *Server) requeueMatch(c *gin.Context) error {
	return withoutReason(c, func(ctx context.Context, id string) error {
		m, err := s.director.Requeue(ctx, id)
		if err != nil {
			return err
		}
		return s.sendMatch(ctx, c, m)
	})
}

func (s *Server) sendMatch(ctx context.Context, c *gin.Context, m tournament.Match) error {
	sec, err := s.matches.Seals().Of(ctx, m)
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, live.MatchOf(m, sec))
}

// withReason reads the id of the path and the reason of the body.
func withReason(c *gin.Context, do func(ctx context.Context, id, reason string) error) error {
	reason, err := readReason(c)
	if err != nil {
		return err
	}
	id, err := pathUUID(c, "id")
	if err != nil {
		return err
	}
	return do(c.Request.Context(), id, reason)
}

// withoutReason reads the id of the path, and refuses a body.
func withoutReason(c *gin.Context, do func(ctx context.Context, id string) error) error {
	if err := httpx.Bare(c); err != nil {
		return err
	}
	id, err := pathUUID(c, "id")
	if err != nil {
		return err
	}
	return do(c.Request.Context(), id)
}
