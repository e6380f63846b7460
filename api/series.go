package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/series"
	"github.com/molerun/molerun/tournament/store"
)

func seriesDTO(x series.Series) wire.Series {
	return wire.Series{
		ID:          x.ID,
		OrganiserID: x.OrganiserID,
		Name:        x.Name,
		ScheduleID:  x.ScheduleID,
		Tournaments: x.Tournaments,
		By:          string(x.By),
		Best:        x.Best,
		RankPoints:  x.RankPoints,
		CreatedAt:   x.CreatedAt,
	}
}

func seriesLineDTO(l series.Line) wire.SeriesLine {
	out := wire.SeriesLine{
		Rank:    l.Rank,
		BotID:   l.BotID,
		Bot:     l.Bot,
		Points:  l.Points,
		Played:  l.Played,
		Wins:    l.Wins,
		Results: make([]wire.SeriesResult, len(l.Results)),
	}
	for i, r := range l.Results {
		out.Results[i] = wire.SeriesResult{
			TournamentID: r.TournamentID,
			Name:         r.Tournament,
			Rank:         r.Rank,
			Points:       r.Points,
			Counts:       r.Counts,
		}
	}
	return out
}

// checkSeries refuses a series of the caller's: everything wrong with it at once, what it counts too, which must be there and
// the caller's.
func (s *Server) checkSeries(c *gin.Context, x series.Series) error {
	errs := []error{x.Check()}
	if x.ScheduleID != "" {
		errs = append(errs, s.countable(c, "/schedule_id", "schedule", x.ScheduleID, s.scheduleOwner))
	}
	if len(x.Tournaments) > series.MaxTournaments {
		return errors.Join(errs...)
	}
	owners, err := s.tournamentOwners(c.Request.Context(), x.Tournaments)
	if err != nil {
		return err
	}
	for i, id := range x.Tournaments {
		errs = append(errs, s.countable(c, fmt.Sprintf("/tournaments/%d", i), "tournament", id, func(_ context.Context, id string) (string, error) { return owners[id], nil }))
	}
	return errors.Join(errs...)
}

// countable refuses an id of nothing, or of what belongs to somebody else; owner is "" of nothing.
func (s *Server) countable(c *gin.Context, pointer, what, id string, owner func(ctx context.Context, id string) (string, error)) error {
	if _, err := parseID(pointer, id); err != nil {
		return err
	}
	of, err := owner(c.Request.Context(), id)
	switch {
	case err != nil:
		return err
	case of == "":
		return &tournament.FieldError{Pointer: pointer, Reason: "there is no such " + what}
	case !gate.Owns(c, of):
		return &tournament.FieldError{Pointer: pointer, Reason: "this " + what + " belongs to somebody else"}
	}
	return nil
}

// scheduleOwner is whose schedule an id names, "" if it names none.
func (s *Server) scheduleOwner(ctx context.Context, id string) (string, error) {
	x, err := s.store.Schedule(ctx, id)
	if errors.Is(err, tournament.ErrNotFound) {
		return "", nil
	}
	return x.OrganiserID, err
}

// tournamentOwners is whose tournaments ids name, by id.
func (s *Server) tournamentOwners(ctx context.Context, ids []string) (map[string]string, error) {
	out := map[string]string{}
	if len(ids) == 0 {
		return out, nil
	}
	list, err := s.store.TournamentsByID(ctx, ids)
	for _, t := range list {
		out[t.ID] = t.OrganiserID
	}
	return out, err
}

// @Summary	Make a series
// @Description	For organisers. Standings over several tournaments: all of one schedule of yours, or those of yours that are listed. A
// @Description	tournament counts when it has finished.
// @Tags		series
// @Security	Bearer
// @Accept		json
// @Param		body	body		wire.SeriesCreate	true	"the series"
// @Success	201		{object}	wire.Series
// @Failure	403		{object}	wire.Problem
// @Failure	409		{object}	wire.Problem
// @Failure	413		{object}	wire.Problem
// @Failure	415		{object}	wire.Problem
// @Failure	422		{object}	wire.Problem
// @Router		/v1/series [post]
func (s *Server) createSeries(c *gin.Context) error {
	in, err := read[wire.SeriesCreate](c)
	if err != nil {
		return err
	}
	x := series.Series{
		OrganiserID: gate.UserID(c),
		Name:        in.Name,
		ScheduleID:  in.ScheduleID,
		Tournaments: in.Tournaments,
		By:          series.By(in.By),
		Best:        in.Best,
		RankPoints:  in.RankPoints,
	}.Filled()
	if err := s.checkSeries(c, x); err != nil {
		return err
	}
	x, err = s.store.WithQuota(x.OrganiserID, store.Series, s.limits.Series).CreateSeries(c.Request.Context(), x)
	if err != nil {
		return err
	}
	c.Header("Location", "/v1/series/"+x.ID)
	return httpx.Send(c, http.StatusCreated, seriesDTO(x))
}

// @Summary	All series
// @Tags		series
// @Param		schedule	query		string	false	"only those of this schedule"
// @Param		tournament	query		string	false	"only those in which this tournament counts"
// @Param		limit		query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor		query		string	false	"next_cursor of the page before"
// @Success	200			{object}	wire.Page[wire.Series]
// @Router		/v1/series [get]
func (s *Server) listSeries(c *gin.Context) error {
	p, err := s.cursors.Page(c, "schedule", "tournament")
	if err != nil {
		return err
	}
	var f store.SeriesFilter
	if f.ScheduleID, err = uuidFilter(p.Filter, "schedule"); err != nil {
		return err
	}
	if f.TournamentID, err = uuidFilter(p.Filter, "tournament"); err != nil {
		return err
	}
	rows, next, err := s.store.AllSeries(c.Request.Context(), f, pageOf(p, store.Newest))
	if err != nil {
		return err
	}
	return httpx.SendPage(c, p, rows, next, seriesDTO)
}

// @Summary	One series
// @Tags		series
// @Param		id	path		string	true	"id of the series"
// @Success	200	{object}	wire.Series
// @Failure	404	{object}	wire.Problem
// @Router		/v1/series/{id} [get]
func (s *Server) getSeries(c *gin.Context) error {
	return httpx.SendOne(c, s.seriesOf, seriesDTO)
}

// revisedSeries is a series with a patch on it, not checked. Points of ranks go with counting by rank, and come with it.
func revisedSeries(x series.Series, p wire.SeriesPatch) series.Series {
	set(&x.Name, p.Name)
	set(&x.Best, p.Best)
	if p.Tournaments != nil {
		x.Tournaments = p.Tournaments
	}
	if p.By != nil {
		x.By = series.By(*p.By)
		x.RankPoints = nil
	}
	if p.RankPoints != nil {
		x.RankPoints = p.RankPoints
	}
	return x.Filled()
}

// @Summary	Change a series
// @Description	By its organiser: what is left out stays. Whether the tournaments are those of a schedule does not change.
// @Tags		series
// @Security	Bearer
// @Accept		json
// @Param		id		path		string				true	"id of the series"
// @Param		body	body		wire.SeriesPatch	true	"what is to change"
// @Success	200		{object}	wire.Series
// @Failure	403		{object}	wire.Problem
// @Failure	404		{object}	wire.Problem
// @Failure	413		{object}	wire.Problem
// @Failure	415		{object}	wire.Problem
// @Failure	422		{object}	wire.Problem
// @Router		/v1/series/{id} [patch]
func (s *Server) updateSeries(c *gin.Context) error {
	p, err := read[wire.SeriesPatch](c)
	if err != nil {
		return err
	}
	x, err := s.mySeries(c)
	if err != nil {
		return err
	}
	if err := s.checkSeries(c, revisedSeries(x, p)); err != nil {
		return err
	}
	x, err = s.store.ChangeSeries(c.Request.Context(), x.ID, func(x series.Series) (series.Series, error) {
		x = revisedSeries(x, p)
		return x, x.Check() // another patch may have come between
	})
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, seriesDTO(x))
}

// @Summary	Delete a series
// @Description	By its organiser. Its tournaments stay.
// @Tags		series
// @Security	Bearer
// @Param		id	path	string	true	"id of the series"
// @Success	204
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Router		/v1/series/{id} [delete]
func (s *Server) deleteSeries(c *gin.Context) error {
	if err := httpx.Bare(c); err != nil {
		return err
	}
	x, err := s.mySeries(c)
	if err != nil {
		return err
	}
	if err := s.store.DeleteSeries(c.Request.Context(), x.ID); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}

// @Summary	The standings of a series so far
// @Description	By points, then by tournaments won; who is equal in both shares the rank. results are in the order of the tournaments.
// @Tags		series
// @Param		id		path		string	true	"id of the series"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the page before"
// @Success	200		{object}	wire.Page[wire.SeriesLine]
// @Failure	404		{object}	wire.Problem
// @Router		/v1/series/{id}/standings [get]
func (s *Server) listSeriesStandings(c *gin.Context) error {
	p, err := s.cursors.Page(c)
	if err != nil {
		return err
	}
	board, err := named(c, s.director.SeriesBoard)
	if err != nil {
		return err
	}
	rows, next := httpx.Cut(board.Lines, p)
	return httpx.SendPage(c, p, rows, next, seriesLineDTO)
}

// @Summary	Take the standings of a series away
// @Description	A row for each result of each bot, with the bot's line. JSON is a list of objects, NDJSON one object a line; the keys
// @Description	are the columns of the CSV.
// @Tags		series
// @Produce	json,text/csv,application/x-ndjson
// @Param		id		path		string	true	"id of the series"
// @Param		format	query		string	false	"csv, json or ndjson; csv if left out"
// @Success	200		{object}	any
// @Failure	404		{object}	wire.Problem
// @Router		/v1/series/{id}/export [get]
func (s *Server) exportSeries(c *gin.Context) error {
	q, err := httpx.Query(c, "format")
	if err != nil {
		return err
	}
	format, err := httpx.SheetFormat(q)
	if err != nil {
		return err
	}
	board, err := named(c, s.director.SeriesBoard)
	if err != nil {
		return err
	}
	out := httpx.Sheet{Columns: []string{"rank", "bot_id", "bot", "points", "played", "wins", "tournament_id", "tournament", "tournament_rank", "tournament_points", "counts"}}
	for _, l := range board.Lines {
		for _, r := range l.Results {
			out.Rows = append(out.Rows, []any{l.Rank, l.BotID, l.Bot, l.Points, l.Played, l.Wins, r.TournamentID, r.Tournament, r.Rank, r.Points, r.Counts})
		}
	}
	return httpx.SendSheet(c, out, board.Series.ID+"-series", format)
}

// seriesOf is the series the path names.
func (s *Server) seriesOf(c *gin.Context) (series.Series, error) {
	return named(c, s.store.SeriesByID)
}

// mySeries is the caller's series that the path names; an administrator may act on all.
func (s *Server) mySeries(c *gin.Context) (series.Series, error) {
	x, err := s.seriesOf(c)
	if err == nil && !gate.Owns(c, x.OrganiserID) {
		err = tournament.ErrNotYours
	}
	return x, err
}
