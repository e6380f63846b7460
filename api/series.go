package api

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/series"
	"github.com/molerun/molerun/tournament/store"
)

// checkSeries refuses a series of the caller's: everything wrong with it at once, what it counts too, which must be there and
// the caller's, unless it counted before.
func (s *Server) checkSeries(ctx context.Context, x, was series.Series) error {
	errs := []error{x.Check()}
	if x.ScheduleID != "" && x.ScheduleID != was.ScheduleID {
		errs = append(errs, s.countable(ctx, "/schedule_id", "schedule", x.ScheduleID, s.scheduleOwner))
	}
	if len(x.Tournaments) > series.MaxTournaments {
		return errors.Join(errs...)
	}
	known, err := s.tournamentsByID(ctx, x.Tournaments)
	if err != nil {
		return err
	}
	for i, id := range x.Tournaments {
		if slices.Contains(was.Tournaments, id) {
			continue
		}
		t := known[id]
		owner := t.OrganiserID
		if t.Unlisted {
			owner = unlisted
		}
		errs = append(errs, s.countable(ctx, fmt.Sprintf("/tournaments/%d", i), "tournament", id, func(context.Context, string) (string, error) { return owner, nil }, t.ScheduleID))
	}
	return errors.Join(errs...)
}

// countable refuses an id of nothing, or of what belongs to somebody else; owner is "" of nothing. with are the ids of what it is a part of.
func (s *Server) countable(ctx context.Context, pointer, what, id string, owner func(ctx context.Context, id string) (string, error), with ...string) error {
	if _, err := parseID(pointer, id); err != nil {
		return err
	}
	of, err := owner(ctx, id)
	switch {
	case err != nil:
		return err
	case of == unlisted:
		return &tournament.FieldError{Pointer: pointer, Reason: "this " + what + " is unlisted, and a series is for everybody"}
	case of == "":
		return &tournament.FieldError{Pointer: pointer, Reason: "there is no such " + what}
	}
	if err := s.organises(ctx, of, append(with, id)...); !errors.Is(err, tournament.ErrNotYours) {
		return err
	}
	return &tournament.FieldError{Pointer: pointer, Reason: "this " + what + " belongs to somebody else"}
}

// unlisted is whose an unlisted thing is, as a series sees it: nobody's.
const unlisted = "unlisted"

// scheduleOwner returns whose schedule an id names, "" if it names none.
func (s *Server) scheduleOwner(ctx context.Context, id string) (string, error) {
	x, err := s.Store.Schedule(ctx, id)
	if errors.Is(err, tournament.ErrNotFound) {
		return "", nil
	}
	if x.Template.Unlisted {
		return unlisted, err
	}
	return x.OrganiserID, err
}

// tournamentsByID returns the tournaments that ids name, by id.
func (s *Server) tournamentsByID(ctx context.Context, ids []string) (map[string]tournament.Tournament, error) {
	out := map[string]tournament.Tournament{}
	if len(ids) == 0 {
		return out, nil
	}
	list, err := s.Store.TournamentsByID(ctx, ids)
	for _, t := range list {
		out[t.ID] = t
	}
	return out, err
}

func (s *Server) createSeries(ctx context.Context, in wire.SeriesCreate) (wire.Series, error) {
	x := series.Series{
		OrganiserID: gate.UserID(ctx),
		Name:        in.Name,
		ScheduleID:  in.ScheduleID,
		Tournaments: in.Tournaments,
		By:          series.By(in.By),
		Best:        in.Best,
		RankPoints:  in.RankPoints,
	}.Filled()
	if err := s.checkSeries(ctx, x, series.Series{}); err != nil {
		return wire.Series{}, err
	}
	x, err := s.Store.WithQuota(x.OrganiserID, store.Series, s.Limits.Series).CreateSeries(ctx, x)
	return wire.Series(x), err
}

func (s *Server) listSeries(ctx context.Context, in wire.SeriesQuery, p httpx.PageQuery) ([]wire.Series, string, error) {
	organiser, err := organiserOf(ctx, in.Organiser)
	if err != nil {
		return nil, "", err
	}
	f := store.SeriesFilter{ScheduleID: in.Schedule, TournamentID: in.Tournament, OrganiserID: organiser}
	rows, next, err := s.Store.AllSeries(ctx, f, pageOf(p, store.Newest))
	return each(rows, func(x series.Series) wire.Series { return wire.Series(x) }), next, err
}

func (s *Server) getSeries(ctx context.Context, in op.One) (wire.Series, error) {
	x, err := s.Store.SeriesByID(ctx, in.ID)
	return wire.Series(x), err
}

// revisedSeries returns a series with a patch on it, not checked. Points of ranks go with counting by rank, and come with it.
func revisedSeries(x series.Series, p wire.SeriesPatch) series.Series {
	if p.By != nil {
		x.RankPoints = nil
	}
	applyPatch(&x, p)
	return x.Filled()
}

func (s *Server) updateSeries(ctx context.Context, in op.WithID[wire.SeriesPatch]) (wire.Series, error) {
	x, err := s.mySeries(ctx, in.ID)
	if err != nil {
		return wire.Series{}, err
	}
	if err := s.checkSeries(ctx, revisedSeries(x, in.Body), x); err != nil {
		return wire.Series{}, err
	}
	x, err = s.Store.ChangeSeries(ctx, x.ID, func(x series.Series) (series.Series, error) {
		x = revisedSeries(x, in.Body)
		return x, x.Check() // another patch may have come between
	})
	return wire.Series(x), err
}

func (s *Server) deleteSeries(ctx context.Context, in op.One) (op.None, error) {
	x, err := s.Store.SeriesByID(ctx, in.ID)
	if err := owned(ctx, x.OrganiserID, err); err != nil {
		return op.None{}, err
	}
	return op.None{}, s.Store.DeleteSeries(ctx, x.ID)
}

func (s *Server) listSeriesStandings(ctx context.Context, in op.ListOf, p httpx.PageQuery) ([]series.Line, string, error) {
	board, err := s.Director.SeriesBoard(ctx, in.ID)
	rows, next := httpx.Cut(board.Lines, p)
	return rows, next, err
}

func (s *Server) exportSeries(c *gin.Context, in wire.SeriesExport) error {
	board, err := s.Director.SeriesBoard(c.Request.Context(), in.ID)
	if err != nil {
		return err
	}
	out := httpx.Sheet{Columns: []string{"rank", "bot_id", "bot", "points", "played", "wins", "tournament_id", "tournament", "tournament_rank", "tournament_points", "counts"}}
	for _, l := range board.Lines {
		for _, r := range l.Results {
			out.Rows = append(out.Rows, []any{l.Rank, l.BotID, l.Bot, l.Points, l.Played, l.Wins, r.TournamentID, r.Tournament, r.Rank, r.Points, r.Counts})
		}
	}
	return httpx.SendSheet(c, out, board.Series.ID+"-series", in.Format)
}

// mySeries returns the series with an id that the caller organises.
func (s *Server) mySeries(ctx context.Context, id string) (series.Series, error) {
	x, err := s.Store.SeriesByID(ctx, id)
	if err == nil {
		err = s.organises(ctx, x.OrganiserID, x.ID)
	}
	return x, err
}
