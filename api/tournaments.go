package api

import (
	"context"
	"errors"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func tournamentDTO(t tournament.Tournament) wire.Tournament {
	template, expected := templateDTO(t)
	return wire.Tournament{
		ID:                 t.ID,
		OrganiserID:        t.OrganiserID,
		TournamentTemplate: template,
		Config:             template.Config,
		Rated:              t.Rated,
		LadderID:           t.LadderID,
		Expected:           expected,
		Clock:              *template.Clock,
		Faults:             *template.Faults,
		OpensAt:            t.OpensAt,
		ClosesAt:           t.ClosesAt,
		StartsAt:           t.StartsAt,
		Status:             string(t.Status),
		Reason:             t.Reason,
		CreatedAt:          t.CreatedAt,
		StartedAt:          t.StartedAt,
		EndedAt:            t.EndedAt,
		PausedAt:           t.PausedAt,
		InviteOnly:         template.InviteOnly,
		ScheduleID:         t.ScheduleID,
		Number:             t.Number,
	}
}

func (s *Server) createTournament(ctx context.Context, in wire.TournamentCreate) (wire.Tournament, error) {
	t, err := s.announced(in, gate.UserID(ctx))
	if err != nil {
		return wire.Tournament{}, err
	}
	var code string
	if in.InviteOnly {
		if code, t.Invite, err = tournament.NewInvite(s.rand); err != nil {
			return wire.Tournament{}, err
		}
	}
	within := s.store.WithQuota(t.OrganiserID, store.Tournaments, s.limits.Tournaments)
	out, err := as(tournamentDTO)(s.director.On(within).CreateTournament(ctx, t))
	out.InviteCode = code
	return out, err
}

func (s *Server) listTournaments(ctx context.Context, in wire.TournamentsQuery, p httpx.PageQuery) ([]wire.Tournament, string, error) {
	if err := errors.Join(checkName(in.Name), s.checkGame(in.Game)); err != nil {
		return nil, "", err
	}
	f := store.TournamentFilter{Name: in.Name, Game: in.Game, Status: tournament.Status(in.Status), ScheduleID: in.Schedule}
	rows, next, err := s.store.Tournaments(ctx, f, pageOf(p, store.Newest))
	return each(rows, tournamentDTO), next, err
}

func (s *Server) getTournament(ctx context.Context, in op.One) (wire.Tournament, error) {
	return s.withTexts(ctx)(s.store.Tournament(ctx, in.ID))
}

// withTexts makes a tournament, and what is written about it, an answer.
func (s *Server) withTexts(ctx context.Context) func(tournament.Tournament, error) (wire.Tournament, error) {
	return func(t tournament.Tournament, err error) (wire.Tournament, error) {
		if err != nil {
			return wire.Tournament{}, err
		}
		t.Texts, err = s.store.Texts(ctx, t.ID)
		return tournamentDTO(t), err
	}
}

func (s *Server) startTournament(ctx context.Context, in op.WithID[*wire.StartRequest]) (wire.Tournament, error) {
	if in.Body != nil && in.Body.Paused {
		return s.changeTournament(ctx, in.ID, s.director.StartPaused)
	}
	return s.changeTournament(ctx, in.ID, s.director.Start)
}

func (s *Server) pauseTournament(ctx context.Context, in op.One) (wire.Tournament, error) {
	return s.changeTournament(ctx, in.ID, s.director.PauseTournament)
}

func (s *Server) resumeTournament(ctx context.Context, in op.One) (wire.Tournament, error) {
	return s.changeTournament(ctx, in.ID, s.director.ResumeTournament)
}

func (s *Server) cancelTournament(ctx context.Context, in op.WithID[*wire.CancelRequest]) (wire.Tournament, error) {
	reason, err := cancelReason(in.Body)
	if err != nil {
		return wire.Tournament{}, err
	}
	return s.changeTournament(ctx, in.ID, func(ctx context.Context, id string) (tournament.Tournament, error) {
		return s.director.Cancel(ctx, id, reason)
	})
}

// changeTournament does to the caller's tournament what needs nothing but its id.
func (s *Server) changeTournament(ctx context.Context, id string, do func(context.Context, string) (tournament.Tournament, error)) (wire.Tournament, error) {
	if _, err := s.myTournament(ctx, id); err != nil {
		return wire.Tournament{}, err
	}
	return s.withTexts(ctx)(do(ctx, id))
}

// myTournament returns the caller's tournament with an id; an administrator may act on all.
func (s *Server) myTournament(ctx context.Context, id string) (tournament.Tournament, error) {
	t, err := s.store.Tournament(ctx, id)
	if err == nil && !gate.Owns(ctx, t.OrganiserID) {
		err = tournament.ErrNotYours
	}
	return t, err
}

func (s *Server) updateTournament(ctx context.Context, in op.WithID[wire.TournamentPatch]) (wire.Tournament, error) {
	return s.changeTournament(ctx, in.ID, func(ctx context.Context, id string) (tournament.Tournament, error) {
		return s.director.Write(ctx, id, func(texts *tournament.Texts) {
			is := wire.Texts(*texts)
			applyPatch(&is, in.Body)
			*texts = textsOf(is)
		})
	})
}
