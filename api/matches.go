package api

import (
	"context"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// @Summary	All matches
// @Description	The newest first.
// @Tags		matches
// @Param		tournament	query		string	false	"id of a tournament"
// @Param		ladder		query		string	false	"id of a ladder"
// @Param		status		query		string	false	"queued, running, done or void"
// @Param		limit		query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor		query		string	false	"next_cursor of the page before"
// @Success	200			{object}	wire.Page[wire.Match]
// @Router		/v1/matches [get]
func (s *Server) listMatches(c *gin.Context) error {
	p, err := s.cursors.Page(c, "tournament", "ladder", "status")
	if err != nil {
		return err
	}
	f := store.MatchFilter{}
	if f.TournamentID, err = uuidFilter(p.Filter, "tournament"); err != nil {
		return err
	}
	if f.LadderID, err = ladderFilter(p.Filter); err != nil {
		return err
	}
	if f.Status, err = matchStatus(p.Filter); err != nil {
		return err
	}
	return s.sendMatches(c, p, f, store.Newest)
}

// @Summary	The matches of a tournament
// @Description	In the order of the schedule.
// @Tags		tournaments
// @Param		id		path		string	true	"id of the tournament"
// @Param		status	query		string	false	"queued, running, done or void"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the page before"
// @Success	200		{object}	wire.Page[wire.Match]
// @Failure	404		{object}	wire.Problem
// @Router		/v1/tournaments/{id}/matches [get]
func (s *Server) tournamentMatches(c *gin.Context) error {
	p, err := s.cursors.Page(c, "status")
	if err != nil {
		return err
	}
	status, err := matchStatus(p.Filter)
	if err != nil {
		return err
	}
	t, err := s.tournamentOf(c)
	if err != nil {
		return err
	}
	return s.sendMatches(c, p, store.MatchFilter{TournamentID: t.ID, Status: status}, store.Oldest)
}

// @Summary	The matches a bot has played
// @Description	Those that are done, the newest first. One whose bots are not open yet is left out, so a page may be shorter than
// @Description	its limit; only next_cursor null is the end.
// @Tags		bots
// @Param		id		path		string	true	"id of the bot"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the page before"
// @Success	200		{object}	wire.Page[wire.Match]
// @Failure	404		{object}	wire.Problem
// @Router		/v1/bots/{id}/matches [get]
func (s *Server) botMatches(c *gin.Context) error {
	p, err := s.cursors.Page(c)
	if err != nil {
		return err
	}
	bot, err := s.botOf(c)
	if err != nil {
		return err
	}
	return s.sendMatches(c, p, store.MatchFilter{BotID: bot.ID, Status: tournament.MatchDone}, store.Newest)
}

// sendMatches answers with a page of matches, each shown as far as it is open. A list by bot names the bot of each row,
// so it leaves out those whose bots are sealed.
func (s *Server) sendMatches(c *gin.Context, p httpx.PageQuery, f store.MatchFilter, sort string) error {
	rows, next, err := s.store.Matches(c.Request.Context(), f, pageOf(p, sort))
	if err != nil {
		return err
	}
	seals := s.matches.Seals()
	out := make([]wire.Match, 0, len(rows))
	for _, m := range rows {
		sec, err := seals.Of(c.Request.Context(), m)
		if err != nil {
			return err
		}
		if f.BotID == "" || sec.Names {
			out = append(out, live.MatchOf(m, sec))
		}
	}
	return httpx.SendPage(c, p, out, next, func(m wire.Match) wire.Match { return m })
}

func matchStatus(q map[string]string) (tournament.MatchStatus, error) {
	status, err := httpx.OneOf(q, "status", string(tournament.MatchQueued), string(tournament.MatchRunning), string(tournament.MatchDone), string(tournament.MatchVoid))
	return tournament.MatchStatus(status), err
}

// @Summary	One match
// @Description	While it runs: what a spectator sees. Which bot has which seat is shown unless the game has hidden teams; then,
// @Description	and for every match that shares its seed with others, names or all of it wait until the last of them is over.
// @Tags		matches
// @Param		id	path		string	true	"id of the match"
// @Success	200	{object}	wire.MatchDetail
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Router		/v1/matches/{id} [get]
func (s *Server) getMatch(c *gin.Context) error {
	if _, err := httpx.Query(c); err != nil {
		return err
	}
	m, sec, err := s.matchOf(c)
	if err != nil {
		return err
	}
	out := wire.MatchDetail{Match: live.MatchOf(m, sec)}
	if sec.Watch {
		seen, err := s.matches.Seen(c.Request.Context(), m)
		if err != nil {
			return err
		}
		out.Step, out.Due, out.View = &seen.Step, live.SeatList(seen.Due), seen.View
	}
	if out.Notes, err = s.redeploys(c, m, sec); err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, out)
}

// redeploys are those of the match that the caller may know of.
func (s *Server) redeploys(c *gin.Context, m tournament.Match, sec live.Secrecy) ([]wire.Redeploy, error) {
	mine := func(seat tournament.MatchSeat) bool { return gate.Owns(c, seat.OwnerID) }
	if m.Status == tournament.MatchQueued || !sec.Open && !slices.ContainsFunc(m.Seats, mine) {
		return nil, nil
	}
	list, err := s.store.Redeploys(c.Request.Context(), m.ID)
	var out []wire.Redeploy
	for _, r := range list {
		if sec.Open || mine(m.Seats[r.Seat]) {
			out = append(out, wire.Redeploy(r))
		}
	}
	return out, err
}

// matchOf is the match the path names, and what of it is open.
func (s *Server) matchOf(c *gin.Context) (tournament.Match, live.Secrecy, error) {
	m, err := named(c, s.store.Match)
	if err != nil {
		return m, live.Secrecy{}, err
	}
	sec, err := s.matches.Seals().Of(c.Request.Context(), m)
	return m, sec, err
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
