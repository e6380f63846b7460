package web

import (
	"fmt"
	"html/template"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// Ladders returns the page of all ladders.
func (s *Pages) Ladders(c *gin.Context) ([]byte, error) {
	tops, err := s.Store.Tops(c.Request.Context())
	if err != nil {
		return nil, err
	}
	out := pages.List[pages.GameCard]{Asking: pages.Asking{
		Page: pages.Page{Title: "Ladders", About: "Who plays each game best, by all rated matches.", At: s.Now(), Here: "/ladders"},
		Name: "ladder",
	}}
	out.Rows = s.cards(nil, tops)
	return s.site.Page("ladders", out)
}

// Ladder returns the page of a ladder.
func (s *Pages) Ladder(c *gin.Context) ([]byte, error) {
	out := pages.Ladder{Asking: pages.Asking{
		Page:   pages.Page{Live: "/v1/events", Here: "/ladders"},
		Name:   "rated bot",
		Search: pages.Choice{Key: "q", Label: "Bot"},
	}}
	p, err := s.asked(c, &out.Asking)
	if err != nil {
		return nil, err
	}
	if !tournament.IsLadderID(c.Param("id")) {
		return nil, tournament.ErrNotFound
	}
	ctx := c.Request.Context()
	var rows []tournament.LadderRow
	next := ""
	if name := p.Filter["q"]; findable(name) {
		out.Ladder, rows, next, err = s.Store.LadderPage(ctx, c.Param("id"), name, store.Page{After: p.After, Limit: p.Limit})
	} else {
		out.Ladder, err = s.Store.Ladder(ctx, c.Param("id"))
	}
	if err != nil {
		return nil, err
	}
	versions := make([]string, len(rows))
	for i, r := range rows {
		versions[i] = r.VersionID
	}
	trends, err := s.Store.Trends(ctx, out.Ladder.ID, versions)
	if err != nil {
		return nil, err
	}
	out.Game = s.Engines.NameOf(out.Ladder.Game)
	out.Title = "Ladder of " + s.Engines.NameOf(out.Ladder.ID)
	out.About = fmt.Sprintf("Who plays %s best, after %d rated matches.", s.Engines.NameOf(out.Ladder.ID), out.Ladder.Rated())
	ladderLines(&out, rows, trends)
	goOn(&out.Asking, c, p, next)
	return s.site.Page("ladder", out)
}

// ladderLines fills in the lines by class, on a scale that holds all their bars.
func ladderLines(out *pages.Ladder, rows []tournament.LadderRow, trends map[string][]int64) {
	low, high := pages.ScaleOf(spansOf(rows))
	out.Low, out.High = fmt.Sprintf("%.0f", low), fmt.Sprintf("%.0f", high)
	for _, r := range rows {
		if n := len(out.Groups); n == 0 || out.Groups[n-1].Class != string(r.Class) {
			out.Groups = append(out.Groups, pages.LadderGroup{Class: string(r.Class), Title: classTitles[r.Class]})
		}
		group := &out.Groups[len(out.Groups)-1]
		row := pages.LadderRow{LadderRow: r, Trend: trendOf(trends[r.VersionID])}
		if s := spansOf([]tournament.LadderRow{r}); len(s) > 0 {
			row.Bar = pages.Interval(s[0], low, high)
		}
		group.Rows = append(group.Rows, row)
	}
}

// trendOf draws what the last fits have said of a line; nothing of a line that only one has seen.
func trendOf(milli []int64) template.HTML {
	ratings := make([]float64, len(milli))
	for i, m := range milli {
		ratings[i] = tournament.Elo(m)
	}
	return pages.Trend(ratings)
}

// classTitles head the groups of a ladder.
var classTitles = map[tournament.LineClass]string{
	tournament.LineEstablished: "Ranking",
	tournament.LineProvisional: "Provisional: fewer than 30 matches, or an interval wider than ± 100",
	tournament.LineInactive:    "Inactive: no match for 30 days",
	tournament.LineReplaced:    "History: versions that no longer play, and retired bots",
}

// spansOf returns the intervals of the lines that the last fit has seen.
func spansOf(rows []tournament.LadderRow) []pages.Span {
	var out []pages.Span
	for _, r := range rows {
		if r.Fit != nil {
			out = append(out, pages.Span{Low: r.Fit.Low, Rating: tournament.Elo(r.Milli), High: r.Fit.High})
		}
	}
	return out
}

// Calibration returns the page that says how well a ladder's forecasts came true.
func (s *Pages) Calibration(c *gin.Context) ([]byte, error) {
	id := c.Param("id")
	if !tournament.IsLadderID(id) {
		return nil, tournament.ErrNotFound
	}
	ladder, err := s.Store.Ladder(c.Request.Context(), id)
	if err != nil {
		return nil, err
	}
	found, err := s.Store.Calibration(c.Request.Context(), id)
	if err != nil {
		return nil, err
	}
	name := s.Engines.NameOf(ladder.ID)
	out := pages.Calibration{
		Page: pages.Page{
			Title: "Do the forecasts of " + name + " come true?",
			About: fmt.Sprintf("Of the matches of %s that the ratings gave a chance to, how many were won.", name),
			At:    s.Now(),
		},
		ID:          id,
		Game:        name,
		Calibration: found,
	}
	for _, f := range found.Forecasters {
		if f.Name == tournament.ForecastByFit {
			out.SVG = pages.Reliability(fmt.Sprintf("%s: how many favourites won, by the chance that the fit gave them", name), f.Bins)
		}
	}
	return s.site.Page("calibration", out)
}
