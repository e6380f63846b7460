package api

import (
	"archive/tar"
	"bytes"
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
	// exportRead bounds the reading of one part of it, which may have to wait until its caller may have more played again.
	exportRead = 2 * time.Minute
)

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
	return s.export(c, httpx.LinesType, func(ctx context.Context, after string) ([]byte, string, error) {
		rows, next, err := s.store.Matches(ctx, f, store.Page{Limit: store.MaxPage, Sort: store.Oldest, After: after})
		if err != nil {
			return nil, "", err
		}
		list, err := s.shown(ctx, rows)
		if err != nil {
			return nil, "", err
		}
		part, err := httpx.Lines(list)
		return part, next, err
	})
}

func (s *Server) exportRecords(c *gin.Context) error {
	q, err := httpx.Query(c, "since", "until")
	if err != nil {
		return err
	}
	bot, err := s.botOf(c)
	if err != nil {
		return err
	}
	f := store.MatchFilter{BotID: bot.ID, Status: tournament.MatchDone, Named: s.engines.Named()}
	if f.Since, err = timeFilter(q, "since"); err != nil {
		return err
	}
	if f.Until, err = timeFilter(q, "until"); err != nil {
		return err
	}
	c.Header("Content-Disposition", `attachment; filename="`+bot.ID+`.tar"`)
	return s.export(c, httpx.TarType, func(ctx context.Context, after string) ([]byte, string, error) {
		rows, next, err := s.store.Matches(ctx, f, store.Page{Limit: 1, Sort: store.Newest, After: after}) // to play one again may take seconds
		if err != nil {
			return nil, "", err
		}
		part, err := s.archived(ctx, httpx.CallerOf(c), rows, next == "")
		return part, next, err
	})
}

// archived is a part of a tar: the records of those matches that are open. The last part ends the tar.
func (s *Server) archived(ctx context.Context, who httpx.Caller, rows []tournament.Match, last bool) ([]byte, error) {
	var out bytes.Buffer
	archive, seals := tar.NewWriter(&out), s.matches.Seals()
	for _, m := range rows {
		sec, err := seals.Of(ctx, m)
		if err != nil {
			return nil, err
		}
		if !sec.Open {
			continue
		}
		record, err := s.matches.FileOfMany(ctx, who, m)
		if errors.Is(err, tournament.ErrState) { // by rules that this program no longer has
			continue
		}
		if err != nil {
			return nil, err
		}
		header := tar.Header{
			Name:    recordName(m),
			Mode:    0o644,
			Size:    int64(len(record)),
			ModTime: m.CreatedAt.Truncate(time.Second),
		}
		if err := archive.WriteHeader(&header); err != nil {
			return nil, err
		}
		if _, err := archive.Write(record); err != nil {
			return nil, err
		}
	}
	end := archive.Flush
	if last {
		end = archive.Close
	}
	err := end()
	return out.Bytes(), err
}

// export answers with parts, each read when the reader has the one before, so that no more than one is held. read reads the part
// after a cursor, "" at first, and returns the cursor of the next, "" after the last.
func (s *Server) export(c *gin.Context, mediaType string, read func(ctx context.Context, after string) ([]byte, string, error)) error {
	done, err := s.gate.HoldExport(c)
	if err != nil {
		return err
	}
	defer done()
	ctx, cancel := context.WithTimeout(gate.BaseContext(c), exportLife)
	defer cancel()
	inTime := func(after string) ([]byte, string, error) {
		ctx, cancel := context.WithTimeout(ctx, exportRead)
		defer cancel()
		return read(ctx, after)
	}
	part, next, err := inTime("") // what is wrong before the first part is a problem
	if err != nil {
		return err
	}
	gate.SkipLatencyMetric(c)
	stopping, leave := s.streams.Lease(gate.TokenID(c))
	defer leave()
	out := httpx.NewParts(c.Writer, mediaType, s.limits.SlowReader)
	for {
		if err = out.Send(part); err == nil && next == "" {
			return nil
		}
		select {
		case <-stopping:
			err = errors.New("the process stops, or the token has ended")
		default:
		}
		if err == nil {
			part, next, err = inTime(next)
		}
		if err != nil {
			s.log.Info("export broke off", "request_id", gate.RequestID(c), "err", err.Error())
			panic(http.ErrAbortHandler) // a reader must not take it for the end
		}
	}
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
