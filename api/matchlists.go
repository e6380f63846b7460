package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
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
	f, err := s.matchFilter(p.Filter)
	if err != nil {
		return err
	}
	if f.Status, err = matchStatus(p.Filter); err != nil {
		return err
	}
	return s.sendMatches(c, p, f, store.Newest)
}

// matchFilter is what the lists of all matches and their export narrow by.
func (s *Server) matchFilter(q map[string]string) (store.MatchFilter, error) {
	var f store.MatchFilter
	var err error
	if f.TournamentID, err = uuidFilter(q, "tournament"); err != nil {
		return f, err
	}
	if f.LadderID, err = ladderFilter(q); err != nil {
		return f, err
	}
	if f.Game, err = s.gameFilter(q); err != nil {
		return f, err
	}
	if f.BotID, err = uuidFilter(q, "bot"); err != nil {
		return f, err
	}
	if f.Verdict, err = resultFilter(q); err != nil {
		return f, err
	}
	if f.Since, err = timeFilter(q, "since"); err != nil {
		return f, err
	}
	f.Until, err = timeFilter(q, "until")
	return f, err
}

const (
	// exportLife bounds an export.
	exportLife = time.Hour
	// exportRead bounds the reading of one part of it.
	exportRead = 20 * time.Second
)

// @Summary	All matches that are over, as a file
// @Description	One match a line, in the order in which they were made, however many there are. Each is shown as far as it is open, as in the list.
// @Description	The connection breaks off if the whole could not be sent: a file that came to its end is whole. A match that ends meanwhile may be
// @Description	left out. A caller may have two exports at once, which last an hour at most.
// @Tags		matches
// @Produce	application/x-ndjson
// @Param		tournament	query		string	false	"id of a tournament"
// @Param		ladder		query		string	false	"id of a ladder"
// @Param		game		query		string	false	"id of a game"
// @Param		bot			query		string	false	"id of a bot that plays"
// @Param		result		query		string	false	"win, draw or loss of that bot"
// @Param		since		query		string	false	"made at this time or later, RFC 3339"
// @Param		until		query		string	false	"made before this time, RFC 3339"
// @Success	200			{object}	any	"a match a line"
// @Router		/v1/matches/export [get]
func (s *Server) exportMatches(c *gin.Context) error {
	q, err := httpx.Query(c, "tournament", "ladder", "game", "bot", "result", "since", "until")
	if err != nil {
		return err
	}
	f, err := s.matchFilter(q)
	if err != nil {
		return err
	}
	f.Over, f.Named = true, s.engines.Named()
	done, err := s.gate.HoldExport(c)
	if err != nil {
		return err
	}
	defer done()
	ctx, cancel := context.WithTimeout(gate.Whole(c), exportLife)
	defer cancel()
	list, next, err := s.exported(ctx, f, "") // what is wrong before the first line is a problem
	if err != nil {
		return err
	}
	gate.Lasts(c)
	stopping, leave := s.streams.Lease(gate.TokenID(c))
	defer leave()
	out := httpx.NewLines(c.Writer, s.limits.SlowReader)
	for {
		if err = httpx.SendLines(out, list); err == nil && next == "" {
			return nil
		}
		select {
		case <-stopping:
			err = errors.New("the process stops, or the token has ended")
		default:
		}
		if err == nil {
			list, next, err = s.exported(ctx, f, next)
		}
		if err != nil {
			s.log.Info("export broke off", "request_id", gate.RequestID(c), "err", err.Error())
			panic(http.ErrAbortHandler) // a reader must not take it for the end
		}
	}
}

// exported is a part of an export, and where the next begins.
func (s *Server) exported(ctx context.Context, f store.MatchFilter, after string) ([]wire.Match, string, error) {
	ctx, cancel := context.WithTimeout(ctx, exportRead)
	defer cancel()
	rows, next, err := s.store.Matches(ctx, f, store.Page{Limit: store.MaxPage, Sort: store.Oldest, After: after})
	if err != nil {
		return nil, "", err
	}
	out, err := s.shown(ctx, rows)
	return out, next, err
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
	out, err := s.shown(c.Request.Context(), rows)
	if err != nil {
		return err
	}
	return httpx.SendPage(c, p, out, next, func(m wire.Match) wire.Match { return m })
}

// shown are matches as far as they are open now.
func (s *Server) shown(ctx context.Context, rows []tournament.Match) ([]wire.Match, error) {
	seals := s.matches.Seals()
	out := make([]wire.Match, 0, len(rows))
	for _, m := range rows {
		sec, err := seals.Of(ctx, m)
		if err != nil {
			return nil, err
		}
		out = append(out, live.MatchOf(m, sec))
	}
	return out, nil
}

func matchStatus(q map[string]string) (tournament.MatchStatus, error) {
	status, err := httpx.OneOf(q, "status", string(tournament.MatchQueued), string(tournament.MatchRunning), string(tournament.MatchDone), string(tournament.MatchVoid))
	return tournament.MatchStatus(status), err
}
