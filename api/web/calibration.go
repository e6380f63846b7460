package web

import (
	"fmt"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/tournament"
)

// Calibration returns the page that says how well a ladder's forecasts came true.
func (s *Pages) Calibration(c *gin.Context) ([]byte, error) {
	if _, err := httpx.Query(c); err != nil {
		return nil, err
	}
	id := c.Param("id")
	if !tournament.IsLadderID(id) {
		return nil, tournament.ErrNotFound
	}
	ladder, err := s.store.Ladder(c.Request.Context(), id)
	if err != nil {
		return nil, err
	}
	found, err := s.store.Calibration(c.Request.Context(), id)
	if err != nil {
		return nil, err
	}
	name := s.gameName(ladder.Game)
	out := pages.Calibration{
		Page: pages.Page{
			Title: "Do the forecasts of " + name + " come true?",
			About: fmt.Sprintf("Of the matches of %s that the ratings gave a chance to, how many were won.", name),
			At:    s.now(),
		},
		ID:      id,
		Game:    name,
		Matches: found.Matches,
		Judged:  found.Judged,
		Fits:    found.Fits,
	}
	for _, f := range found.Forecasters {
		out.Scores = append(out.Scores, scoreRow(f))
		switch f.Name {
		case tournament.ForecastByFit:
			for _, b := range f.Bins {
				out.Bins = append(out.Bins, binRow(b, per(b.From)+"–"+per(b.To)+" %"))
			}
			out.Bins = append(out.Bins, binRow(*f.All, "all"))
			out.SVG = pages.Reliability(fmt.Sprintf("%s: how many favourites won, by the chance that the fit gave them", name), f.Bins)
		case tournament.ForecastByRating:
			for _, b := range f.Bins {
				out.Online = append(out.Online, binRow(b, per(b.From)+"–"+per(b.To)+" %"))
			}
			out.Online = append(out.Online, binRow(*f.All, "all"))
		}
	}
	return s.site.Calibration(out)
}

// per writes a part of 1 in per cent, without the sign.
func per(x float64) string { return fmt.Sprintf("%.0f", 100*x) }

func binRow(b tournament.ForecastBin, chance string) pages.ForecastRow {
	return pages.ForecastRow{
		Chance:  chance,
		Matches: fmt.Sprintf("%.0f", b.Matches),
		Given:   fmt.Sprintf("%.1f %%", 100*b.Chance),
		Won:     fmt.Sprintf("%.1f %% [%.1f, %.1f]", 100*b.Won.Value, 100*b.Won.Low, 100*b.Won.High),
		Off:     b.Chance < b.Won.Low || b.Chance > b.Won.High,
	}
}

// forecasterNames are the forecasters in words.
var forecasterNames = map[string]string{
	tournament.ForecastByFit:    "the fit",
	tournament.ForecastByRating: "on-line Elo",
	tournament.ForecastByCoin:   "a coin",
}

func scoreRow(f tournament.Forecaster) pages.ScoreRow {
	out := pages.ScoreRow{
		Name:  forecasterNames[f.Name],
		Brier: fmt.Sprintf("%.4f", f.Brier),
		Bits:  fmt.Sprintf("%.4f", f.Bits),
	}
	if f.Name != tournament.ForecastByFit {
		out.BrierBehind = behind(f.BrierBehind)
		out.BitsBehind = behind(f.BitsBehind)
	}
	return out
}

func behind(m tournament.Mean) string {
	return tournament.Interval("%+.4f", m.Value, m.Low, m.High)
}
