package api

import (
	"math"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
)

func tenth(x float64) float64 { return math.Round(10*x) / 10 }

func strengthDTO(e tournament.Estimate) wire.FitStrength {
	return wire.FitStrength{
		Rating:    tenth(e.Elo),
		Low:       tenth(e.Low),
		High:      tenth(e.High),
		PlusMinus: tenth(e.Half()),
	}
}

func columnsDTO(r tournament.FitRow) wire.FitColumns {
	return wire.FitColumns{FitStrength: strengthDTO(r.Estimate), RankFrom: r.Best, RankTo: r.Worst}
}

func advantagesDTO(list []tournament.Advantage) []wire.PlaceAdvantage {
	out := make([]wire.PlaceAdvantage, len(list))
	for i, a := range list {
		out[i] = wire.PlaceAdvantage{
			Seats:     a.Seats,
			Team:      a.Team,
			Elo:       a.Elo,
			Low:       tenth(a.Low),
			High:      tenth(a.High),
			PlusMinus: tenth(a.Half()),
		}
		if a.Team == "" {
			out[i].Seat = new(a.Seat)
		}
	}
	return out
}

func fitDTO(f tournament.LadderFit) wire.LadderFit {
	out := wire.LadderFit{
		Ladder:     f.LadderID,
		Rated:      f.ToSeq,
		Matches:    f.Matches,
		Blocks:     f.Blocks,
		Versions:   make([]wire.FitVersion, len(f.Rows)),
		Advantages: advantagesDTO(f.Advantages),
	}
	if f.ToSeq > 0 {
		out.FittedAt = &f.FittedAt
	}
	for i, r := range f.Rows {
		v := wire.FitVersion{
			FitColumns: columnsDTO(r),
			BotID:      r.BotID,
			Bot:        r.Bot,
			VersionID:  r.VersionID,
			Version:    r.Number,
			Matches:    r.Matches,
			Island:     r.Island,
		}
		for k, role := range r.Roles {
			v.Roles = append(v.Roles, wire.FitRole{Team: f.Teams[k], FitStrength: strengthDTO(role)})
		}
		out.Versions[i] = v
	}
	return out
}

func seasonDTO(x tournament.Season) wire.Season {
	return wire.Season{
		Ladder:     x.LadderID,
		Number:     x.Number,
		FromSeq:    x.FromSeq,
		Advantages: advantagesDTO(x.Advantages),
		BeganAt:    x.BeganAt,
	}
}

func (s *Server) getLadderFit(c *gin.Context) error {
	if _, err := httpx.Query(c); err != nil {
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
	return httpx.Send(c, http.StatusOK, fitDTO(f))
}

func forecastBinDTO(b tournament.ForecastBin) wire.ForecastBin {
	return wire.ForecastBin{
		From:        b.From,
		To:          b.To,
		Comparisons: b.Comparisons,
		Matches:     b.Matches,
		Chance:      b.Chance,
		Won:         wire.Mean(b.Won),
	}
}

func forecasterDTO(f tournament.Forecaster) wire.Forecaster {
	out := wire.Forecaster{
		Name:        f.Name,
		Brier:       f.Brier,
		Bits:        f.Bits,
		BrierBehind: wire.Mean(f.BrierBehind),
		BitsBehind:  wire.Mean(f.BitsBehind),
		Bins:        make([]wire.ForecastBin, len(f.Bins)),
	}
	for i, b := range f.Bins {
		out.Bins[i] = forecastBinDTO(b)
	}
	if f.All != nil {
		out.All = new(forecastBinDTO(*f.All))
	}
	return out
}

func calibrationDTO(c tournament.Calibration) wire.Calibration {
	out := wire.Calibration{
		Ladder:      c.LadderID,
		Rated:       c.ToSeq,
		Matches:     c.Matches,
		Judged:      c.Judged,
		Comparisons: c.Comparisons,
		Fits:        c.Fits,
		Forecasters: make([]wire.Forecaster, len(c.Forecasters)),
	}
	if c.ToSeq > 0 {
		out.MadeAt = &c.MadeAt
	}
	for i, f := range c.Forecasters {
		out.Forecasters[i] = forecasterDTO(f)
	}
	return out
}

func (s *Server) getLadderCalibration(c *gin.Context) error {
	if _, err := httpx.Query(c); err != nil {
		return err
	}
	ladder, err := s.ladderOf(c)
	if err != nil {
		return err
	}
	found, err := s.store.Calibration(c.Request.Context(), ladder.ID)
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, calibrationDTO(found))
}

func (s *Server) listSeasons(c *gin.Context) error {
	p, err := s.cursors.Page(c)
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
	rows, next := httpx.Cut(list, p)
	return httpx.SendPage(c, p, rows, next, seasonDTO)
}

func (s *Server) createSeason(c *gin.Context) error {
	if err := httpx.Bare(c); err != nil {
		return err
	}
	ladder, err := s.ladderOf(c)
	if err != nil {
		return err
	}
	next, err := s.director.NewSeason(c.Request.Context(), ladder.ID)
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusCreated, seasonDTO(next))
}

func partnerDTO(x director.Partnership) wire.Partner {
	n := float64(x.Matches)
	return wire.Partner{
		OwnerID:   x.OwnerID,
		Owner:     x.Owner,
		PartnerID: x.PartnerID,
		Partner:   x.Surplus.Partner,
		Matches:   x.Matches,
		Score:     x.Score / n,
		Expected:  x.Expected / n,
		Elsewhere: x.Elsewhere,
		Z:         x.Z,
		P:         x.P,
		Adjusted:  x.Adjusted,
	}
}

func (s *Server) listLadderPartners(c *gin.Context) error {
	l, err := s.ladderOf(c)
	if err != nil {
		return err
	}
	worst, pairs, err := s.director.Partners(c.Request.Context(), l)
	if err != nil {
		return err
	}
	out := wire.Partners{Ladder: l.ID, Pairs: pairs, Worst: make([]wire.Partner, len(worst))}
	for i, x := range worst {
		out.Worst[i] = partnerDTO(x)
	}
	return httpx.Send(c, http.StatusOK, out)
}
