package api

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// @Summary	All matches
// @Description	The newest first. A list by bot leaves out matches whose bots are not open yet, a list by result those that are sealed.
// @Tags		matches
// @Param		tournament	query		string	false	"id of a tournament"
// @Param		ladder		query		string	false	"id of a ladder"
// @Param		game		query		string	false	"id of a game"
// @Param		bot			query		string	false	"id of a bot that plays"
// @Param		result		query		string	false	"win, draw or loss of that bot"
// @Param		status		query		string	false	"queued, running, done or void"
// @Param		since		query		string	false	"made at this time or later, RFC 3339"
// @Param		until		query		string	false	"made before this time, RFC 3339"
// @Param		limit		query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor		query		string	false	"next_cursor of the previous page"
// @Success	200			{object}	wire.Page[wire.Match]
// @Router		/v1/matches [get]
func (s *Server) listMatches(c *gin.Context) error {
	p, err := s.cursors.Page(c, "tournament", "ladder", "game", "bot", "result", "status", "since", "until")
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
	if f.Game, err = s.gameFilter(p.Filter); err != nil {
		return err
	}
	if f.BotID, err = uuidFilter(p.Filter, "bot"); err != nil {
		return err
	}
	if f.Verdict, err = resultFilter(p.Filter); err != nil {
		return err
	}
	if f.Status, err = matchStatus(p.Filter); err != nil {
		return err
	}
	if f.Since, err = timeFilter(p.Filter, "since"); err != nil {
		return err
	}
	if f.Until, err = timeFilter(p.Filter, "until"); err != nil {
		return err
	}
	return s.sendMatches(c, p, f, store.Newest)
}

// resultFilter is the filter result, which says nothing without a bot.
func resultFilter(q map[string]string) (tournament.Verdict, error) {
	result, err := httpx.OneOf(q, "result", string(tournament.Win), string(tournament.Draw), string(tournament.Loss))
	if err == nil && result != "" && q["bot"] == "" {
		err = httpx.BadQuery("result", "wants bot too: it is the result of that bot")
	}
	return tournament.Verdict(result), err
}

// timeFilter is a filter by time; the zero time if it is absent.
func timeFilter(q map[string]string, name string) (time.Time, error) {
	text, given := q[name]
	if !given {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, httpx.BadQuery(name, "wants a time as in RFC 3339, like 2026-11-22T18:00:00Z")
	}
	return at, nil
}

// @Summary	The matches of a tournament
// @Description	In the order of the schedule.
// @Tags		tournaments
// @Param		id		path		string	true	"id of the tournament"
// @Param		status	query		string	false	"queued, running, done or void"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the previous page"
// @Success	200		{object}	wire.Page[wire.Match]
// @Failure	404		{object}	wire.Problem
// @Router		/v1/tournaments/{id}/matches [get]
func (s *Server) listTournamentMatches(c *gin.Context) error {
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
// @Description	Finished matches, the newest first. A match whose bots are not open yet is left out.
// @Tags		bots
// @Param		id		path		string	true	"id of the bot"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the previous page"
// @Success	200		{object}	wire.Page[wire.Match]
// @Failure	404		{object}	wire.Problem
// @Router		/v1/bots/{id}/matches [get]
func (s *Server) listBotMatches(c *gin.Context) error {
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
// so the store leaves out those whose bots are sealed.
func (s *Server) sendMatches(c *gin.Context, p httpx.PageQuery, f store.MatchFilter, sort string) error {
	f.Named = s.engines.Named()
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
		out = append(out, live.MatchOf(m, sec))
	}
	return httpx.SendPage(c, p, out, next, func(m wire.Match) wire.Match { return m })
}

func matchStatus(q map[string]string) (tournament.MatchStatus, error) {
	status, err := httpx.OneOf(q, "status", string(tournament.MatchQueued), string(tournament.MatchRunning), string(tournament.MatchDone), string(tournament.MatchVoid))
	return tournament.MatchStatus(status), err
}
