package api

import (
	"context"
	"math"

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

func advantageDTO(a tournament.Advantage) wire.PlaceAdvantage {
	out := wire.PlaceAdvantage{
		Seats:     a.Seats,
		Team:      a.Team,
		Elo:       a.Elo,
		Low:       tenth(a.Low),
		High:      tenth(a.High),
		PlusMinus: tenth(a.Half()),
	}
	if a.Team == "" {
		out.Seat = new(a.Seat)
	}
	return out
}

func fitDTO(f tournament.LadderFit) wire.LadderFit {
	out := wire.LadderFit{
		Ladder:     f.LadderID,
		Rated:      f.ToSeq,
		Matches:    f.Matches,
		Blocks:     f.Blocks,
		Advantages: each(f.Advantages, advantageDTO),
	}
	if f.ToSeq > 0 {
		out.FittedAt = &f.FittedAt
	}
	out.Versions = each(f.Rows, func(r tournament.FitRow) wire.FitVersion {
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
		return v
	})
	return out
}

func seasonDTO(x tournament.Season) wire.Season {
	return wire.Season{
		Ladder:     x.LadderID,
		Number:     x.Number,
		FromSeq:    x.FromSeq,
		Advantages: each(x.Advantages, advantageDTO),
		BeganAt:    x.BeganAt,
	}
}

func (s *Server) getLadderFit(ctx context.Context, in wire.LadderOf) (wire.LadderFit, error) {
	return as(fitDTO)(onLadder(ctx, s, in, s.Store.Fit))
}

func forecasterDTO(f tournament.Forecaster) wire.Forecaster {
	f.Bins = append([]tournament.ForecastBin{}, f.Bins...)
	return wire.Forecaster(f)
}

func calibrationDTO(c tournament.Calibration) wire.Calibration {
	out := wire.Calibration{
		Ladder:      c.LadderID,
		Rated:       c.ToSeq,
		Matches:     c.Matches,
		Judged:      c.Judged,
		Comparisons: c.Comparisons,
		Fits:        c.Fits,
		Forecasters: each(c.Forecasters, forecasterDTO),
	}
	if c.ToSeq > 0 {
		out.MadeAt = &c.MadeAt
	}
	return out
}

func (s *Server) getLadderCalibration(ctx context.Context, in wire.LadderOf) (wire.Calibration, error) {
	return as(calibrationDTO)(onLadder(ctx, s, in, s.Store.Calibration))
}

func (s *Server) listSeasons(ctx context.Context, in wire.LadderList, p httpx.PageQuery) ([]wire.Season, string, error) {
	list, err := onLadder(ctx, s, in.LadderOf, s.Store.Seasons)
	rows, next := httpx.Cut(list, p)
	return each(rows, seasonDTO), next, err
}

func (s *Server) createSeason(ctx context.Context, in wire.LadderOf) (wire.Season, error) {
	return as(seasonDTO)(onLadder(ctx, s, in, s.Director.NewSeason))
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

func (s *Server) listLadderPartners(ctx context.Context, in wire.LadderOf) (wire.Partners, error) {
	l, err := s.ladder(ctx, in)
	if err != nil {
		return wire.Partners{}, err
	}
	worst, pairs, err := s.Director.Partners(ctx, l)
	return wire.Partners{Ladder: l.ID, Pairs: pairs, Worst: each(worst, partnerDTO)}, err
}
