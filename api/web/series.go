package web

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/series"
	"github.com/molerun/molerun/tournament/store"
)

// Series returns the page of a series.
func (s *Pages) Series(c *gin.Context) ([]byte, error) {
	board, err := Named(c, s.Director.SeriesBoard)
	if err != nil {
		return nil, err
	}
	x := board.Series
	out := pages.Series{
		Page:        pages.Page{Title: x.Name, About: fmt.Sprintf("Standings over %s.", game.Plural(len(board.Events), "tournament")), At: s.Now(), Here: "/tournaments"},
		ID:          x.ID,
		Name:        x.Name,
		How:         howItCounts(x),
		Tournaments: tournamentsOf(board),
		TooMany:     len(board.Events) > maxCross,
	}
	if x.ScheduleID != "" {
		its, err := s.Store.Schedule(c.Request.Context(), x.ScheduleID)
		if err != nil {
			return nil, err
		}
		out.Coming = coming(nil, []store.ComingSchedule{{Schedule: its}})
	}
	if !out.TooMany {
		out.Columns = board.Events
	}
	for _, l := range board.Lines {
		row := pages.SeriesRow{Line: l, Cells: make([]*series.Result, len(out.Columns))}
		for i, column := range out.Columns {
			if at := slices.IndexFunc(l.Results, func(r series.Result) bool { return r.TournamentID == column.ID }); at >= 0 {
				row.Cells[i] = &l.Results[at]
			}
		}
		out.Rows = append(out.Rows, row)
	}
	return s.site.Page("series", out)
}

// tournamentsOf returns the tournaments of a series, with who won those that are over.
func tournamentsOf(board director.SeriesBoard) []pages.SeriesTournament {
	standings := map[string][]tournament.Standing{}
	for _, e := range board.Events {
		standings[e.ID] = e.Standings
	}
	out := make([]pages.SeriesTournament, len(board.Tournaments))
	for i, t := range board.Tournaments {
		out[i] = pages.SeriesTournament{Tournament: t, Winner: strings.Join(winners(t.Format, standings[t.ID]), ", ")}
	}
	return out
}

// howItCounts says what a series counts.
func howItCounts(x series.Series) string {
	which, worth := "All results of a bot count", "each with the points it has in the tournament."
	if x.Best > 0 {
		which = "The best result of a bot counts"
		if x.Best > 1 {
			which = fmt.Sprintf("The best %d results of a bot count", x.Best)
		}
	}
	if x.By == series.Rank {
		list := make([]string, len(x.RankPoints))
		for i, p := range x.RankPoints {
			list[i] = strconv.FormatFloat(p, 'f', -1, 64)
		}
		worth = fmt.Sprintf("each with points for the rank: %s. Bots that share a rank share the points of the ranks they take.", strings.Join(list, ", "))
	}
	return which + ", " + worth
}
