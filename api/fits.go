package api

import (
	"math"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/tournament"
)

// FitStrength is a strength with its 95 % interval: the truth lies between low and high in 95 of 100 ladders.
type FitStrength struct {
	Rating    float64 `json:"rating" example:"1512.3"` // Elo, to one decimal; 1500 is the mean of the ladder
	Low       float64 `json:"low" example:"1470.6"`
	High      float64 `json:"high" example:"1554.0"`
	PlusMinus float64 `json:"plus_minus" example:"41.7"` // half the width of the interval
} // @name FitStrength

// FitColumns is what the fit says of a bot on a ladder.
type FitColumns struct {
	FitStrength
	RankFrom int `json:"rank_from" example:"2"` // below those that are surely stronger
	RankTo   int `json:"rank_to" example:"5"`   // above those that are surely weaker
} // @name FitColumns

// FitRole is a strength in one of the hidden teams.
type FitRole struct {
	Team string `json:"team" example:"agent"`
	FitStrength
} // @name FitRole

// FitVersion is what the fit says of one version of a bot.
type FitVersion struct {
	FitColumns
	BotID     string    `json:"bot_id"`
	Bot       string    `json:"bot" example:"wallwizard"`
	VersionID string    `json:"version_id"`
	Version   int       `json:"version" example:"1"`
	Matches   int       `json:"matches"`
	Roles     []FitRole `json:"roles,omitempty"`    // in games with hidden teams
	Island    int       `json:"island" example:"1"` // joined by matches; between islands there is nothing to compare by
} // @name FitVersion

// PlaceAdvantage is what a team is worth over the other, or a seat over the mean of its table, with its 95 % interval.
type PlaceAdvantage struct {
	Seats     int     `json:"table_size" example:"5"`
	Team      string  `json:"team,omitempty" example:"agent"`
	Seat      *int    `json:"seat,omitempty" example:"0"`
	Elo       float64 `json:"elo" example:"-31.125"`
	Low       float64 `json:"low" example:"-43.5"`
	High      float64 `json:"high" example:"-18.7"`
	PlusMinus float64 `json:"plus_minus" example:"12.4"` // half the width of the interval
} // @name PlaceAdvantage

// LadderFit is the fit of a whole ladder: the strengths that make all of its results likeliest.
type LadderFit struct {
	Ladder     string           `json:"ladder" example:"demol"`
	Rated      int64            `json:"matches_seen"` // places in the ladder's order that it has seen
	Matches    int              `json:"matches"`      // rated ones among them
	Blocks     int              `json:"blocks"`       // independent ones among those
	FittedAt   *time.Time       `json:"fitted_at,omitempty" format:"date-time"`
	Versions   []FitVersion     `json:"versions"` // the strongest first
	Advantages []PlaceAdvantage `json:"advantages"`
} // @name LadderFit

// Season is a part of a ladder's life in which the ratings take the same advantages for known.
type Season struct {
	Ladder     string           `json:"ladder" example:"demol"`
	Number     int              `json:"season" example:"2"`
	FromSeq    int64            `json:"from_seq"`   // its first place in the order of the ladder
	Advantages []PlaceAdvantage `json:"advantages"` // as they were at its beginning; none in the first
	BeganAt    time.Time        `json:"began_at" format:"date-time"`
} // @name Season

func tenth(x float64) float64 { return math.Round(10*x) / 10 }

func strengthDTO(e tournament.Estimate) FitStrength {
	return FitStrength{Rating: tenth(e.Elo), Low: tenth(e.Low()), High: tenth(e.High()), PlusMinus: tenth(e.Half())}
}

func columnsDTO(r tournament.FitRow) FitColumns {
	return FitColumns{strengthDTO(r.Estimate), r.Best, r.Worst}
}

func advantagesDTO(list []tournament.Advantage) []PlaceAdvantage {
	out := make([]PlaceAdvantage, len(list))
	for i, a := range list {
		out[i] = PlaceAdvantage{Seats: a.Seats, Team: a.Team, Elo: a.Elo, Low: tenth(a.Low()), High: tenth(a.High()), PlusMinus: tenth(a.Half())}
		if a.Team == "" {
			out[i].Seat = new(a.Seat)
		}
	}
	return out
}

func fitDTO(f tournament.LadderFit) LadderFit {
	out := LadderFit{
		Ladder: f.LadderID, Rated: f.ToSeq, Matches: f.Matches, Blocks: f.Blocks,
		Versions: make([]FitVersion, len(f.Rows)), Advantages: advantagesDTO(f.Advantages),
	}
	if f.ToSeq > 0 {
		out.FittedAt = &f.FittedAt
	}
	for i, r := range f.Rows {
		v := FitVersion{
			FitColumns: columnsDTO(r), BotID: r.BotID, Bot: r.Bot, VersionID: r.VersionID, Version: r.Number, Matches: r.Matches, Island: r.Island,
		}
		for k, role := range r.Roles {
			v.Roles = append(v.Roles, FitRole{f.Teams[k], strengthDTO(role)})
		}
		out.Versions[i] = v
	}
	return out
}

func seasonDTO(x tournament.Season) Season {
	return Season{x.LadderID, x.Number, x.FromSeq, advantagesDTO(x.Advantages), x.BeganAt}
}

// @Summary	The fit of a ladder
// @Description	The strengths and the advantages of teams or seats that make all rated matches of the ladder likeliest, with 95 % intervals. It is
// @Description	made anew some seconds after new results. A ladder without one yet has no fitted_at and no versions.
// @Tags		ladders
// @Param		id	path		string	true	"id of the ladder"
// @Success	200	{object}	LadderFit
// @Failure	404	{object}	Problem
// @Router		/v1/ladders/{id}/fit [get]
func (s *Server) ladderFit(c *gin.Context) error {
	if _, err := query(c); err != nil {
		return err
	}
	ladder, err := s.ladderOf(c)
	if err != nil {
		return err
	}
	f, err := s.store.Fit(c.Request.Context(), ladder.ID)
	if err != nil {
		return err
	}
	return s.send(c, http.StatusOK, fitDTO(f))
}

// @Summary	The seasons of a ladder
// @Tags		ladders
// @Param		id		path		string	true	"id of the ladder"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the page before"
// @Success	200		{object}	Page[Season]
// @Failure	404		{object}	Problem
// @Router		/v1/ladders/{id}/seasons [get]
func (s *Server) listSeasons(c *gin.Context) error {
	p, err := s.page(c)
	if err != nil {
		return err
	}
	ladder, err := s.ladderOf(c)
	if err != nil {
		return err
	}
	list, err := s.store.Seasons(c.Request.Context(), ladder.ID)
	if err != nil {
		return err
	}
	rows, next := cut(list, p)
	return sendPage(s, c, p, rows, next, seasonDTO)
}

// @Summary	Begin the next season of a ladder
// @Description	For admins. The advantages of the last fit are frozen: the ratings take them for known from the first match on that is not
// @Description	scheduled yet. Ratings go on as they are. Refused (409) before the first fit and while the season has no match.
// @Tags		ladders
// @Security	Bearer
// @Param		id	path		string	true	"id of the ladder"
// @Success	201	{object}	Season
// @Failure	403	{object}	Problem
// @Failure	404	{object}	Problem
// @Failure	409	{object}	Problem
// @Router		/v1/ladders/{id}/seasons [post]
func (s *Server) newSeason(c *gin.Context) error {
	if err := bare(c); err != nil {
		return err
	}
	ladder, err := s.ladderOf(c)
	if err != nil {
		return err
	}
	next, err := s.store.NewSeason(c.Request.Context(), ladder.ID)
	if err != nil {
		return err
	}
	return s.send(c, http.StatusCreated, seasonDTO(next))
}
