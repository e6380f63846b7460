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
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func (s *Server) listMatches(ctx context.Context, in wire.MatchesQuery, p httpx.PageQuery) ([]wire.Match, string, error) {
	f, err := s.matchFilter(in.MatchFilter)
	if err != nil {
		return nil, "", err
	}
	f.Status = tournament.MatchStatus(in.Status)
	return s.listed(ctx, f, p, store.Newest)
}

// matchFilter returns what the list of all matches and their export narrow by.
func (s *Server) matchFilter(in wire.MatchFilter) (store.MatchFilter, error) {
	err := errors.Join(checkLadder(in.Ladder), s.checkGame(in.Game), httpx.CheckSpan(in.Since, in.Until))
	if in.Result != "" && in.Bot == "" {
		err = errors.Join(err, httpx.BadQuery("result", "wants bot too: it is the result of that bot"))
	}
	return store.MatchFilter{
		TournamentID: in.Tournament,
		LadderID:     in.Ladder,
		Game:         in.Game,
		BotID:        in.Bot,
		Verdict:      tournament.Verdict(in.Result),
		Since:        in.Since,
		Until:        in.Until,
	}, err
}

const (
	// exportLife bounds an export.
	exportLife = time.Hour
	// exportRead bounds the reading of one part of it, which may have to wait until its caller may have more played again.
	exportRead = 2 * time.Minute
)

func (s *Server) exportMatches(c *gin.Context, in wire.MatchFilter) error {
	f, err := s.matchFilter(in)
	if err != nil {
		return err
	}
	f.Over, f.Named = true, s.Engines.Named()
	return s.export(c, httpx.LinesType, func(ctx context.Context, after string) ([]byte, string, error) {
		rows, next, err := s.Store.Matches(ctx, f, store.Page{Limit: store.MaxPage, Sort: store.Oldest, After: after})
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

func (s *Server) exportRecords(c *gin.Context, in wire.RecordsExport) error {
	if err := httpx.CheckSpan(in.Since, in.Until); err != nil {
		return err
	}
	bot, err := s.Store.Bot(c.Request.Context(), in.ID)
	if err != nil {
		return err
	}
	f := store.MatchFilter{BotID: bot.ID, Status: tournament.MatchDone, Named: s.Engines.Named(), Since: in.Since, Until: in.Until}
	c.Header("Content-Disposition", `attachment; filename="`+bot.ID+`.tar"`)
	return s.export(c, httpx.TarType, func(ctx context.Context, after string) ([]byte, string, error) {
		rows, next, err := s.Store.Matches(ctx, f, store.Page{Limit: 1, Sort: store.Newest, After: after}) // to play one again may take seconds
		if err != nil {
			return nil, "", err
		}
		part, err := s.archived(ctx, httpx.CallerOf(c), rows, next == "")
		return part, next, err
	})
}

// archived returns a part of a tar: the records of those matches that are open. The last part ends the tar.
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
			Name:    pages.RecordName(m.ID),
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
	out := httpx.NewParts(c.Writer, mediaType, s.Limits.SlowReader)
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
			s.Logger.Info("export broke off", "request_id", gate.RequestID(c), "err", err.Error())
			panic(http.ErrAbortHandler) // a reader must not take it for the end
		}
	}
}

func (s *Server) listTournamentMatches(ctx context.Context, in wire.TournamentMatchesQuery, p httpx.PageQuery) ([]wire.Match, string, error) {
	t, err := s.Store.Tournament(ctx, in.ID)
	if err != nil {
		return nil, "", err
	}
	return s.listed(ctx, store.MatchFilter{TournamentID: t.ID, Status: tournament.MatchStatus(in.Status)}, p, store.Oldest)
}

func (s *Server) listBotMatches(ctx context.Context, in op.ListOf, p httpx.PageQuery) ([]wire.Match, string, error) {
	bot, err := s.Store.Bot(ctx, in.ID)
	if err != nil {
		return nil, "", err
	}
	return s.listed(ctx, store.MatchFilter{BotID: bot.ID, Status: tournament.MatchDone}, p, store.Newest)
}

// listed returns a part of a list of matches, each shown as far as it is open. A list by bot names the bot of each row, so the
// store leaves out those whose bots are sealed.
func (s *Server) listed(ctx context.Context, f store.MatchFilter, p httpx.PageQuery, sort string) ([]wire.Match, string, error) {
	f.Named = s.Engines.Named()
	rows, next, err := s.Store.Matches(ctx, f, pageOf(p, sort))
	if err != nil {
		return nil, "", err
	}
	out, err := s.shown(ctx, rows)
	return out, next, err
}

// shown returns matches as far as they are open now.
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
