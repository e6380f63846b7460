package api

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
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
		PausedMS:           t.Options.PausedMS,
		InviteOnly:         template.InviteOnly,
		InviteEnds:         t.InviteEndsAt,
		ScheduleID:         t.ScheduleID,
		Number:             t.Number,
	}
}

func (s *Server) createTournament(ctx context.Context, in wire.TournamentCreate) (wire.Tournament, error) {
	t, err := s.announced(ctx, in)
	if err != nil {
		return wire.Tournament{}, err
	}
	var code string
	if in.InviteOnly {
		if code, t.Invite, err = tournament.NewInvite(s.Rand); err != nil {
			return wire.Tournament{}, err
		}
	}
	within := s.Store.WithQuota(t.OrganiserID, store.Tournaments, s.Limits.Tournaments)
	out, err := as(tournamentDTO)(s.Director.On(within).CreateTournament(ctx, t))
	out.InviteCode = code
	return out, err
}

func (s *Server) listTournaments(ctx context.Context, in wire.TournamentsQuery, p httpx.PageQuery) ([]wire.Tournament, string, error) {
	organiser, err := organiserOf(ctx, in.Organiser)
	if err := errors.Join(checkName(in.Name), s.checkGame(in.Game), err); err != nil {
		return nil, "", err
	}
	f := store.TournamentFilter{
		Name:        in.Name,
		Game:        in.Game,
		Status:      tournament.Status(in.Status),
		ScheduleID:  in.Schedule,
		OrganiserID: organiser,
		ViewerID:    gate.UserID(ctx),
	}
	rows, next, err := s.Store.Tournaments(ctx, f, pageOf(p, store.Newest))
	return each(rows, tournamentDTO), next, err
}

func (s *Server) getTournament(ctx context.Context, in op.One) (wire.Tournament, error) {
	return s.withTexts(ctx)(s.Store.Tournament(ctx, in.ID))
}

// withTexts makes a tournament, and what is written about it, an answer.
func (s *Server) withTexts(ctx context.Context) func(tournament.Tournament, error) (wire.Tournament, error) {
	return func(t tournament.Tournament, err error) (wire.Tournament, error) {
		if err != nil {
			return wire.Tournament{}, err
		}
		t.Texts, err = s.Store.Reader(ctx).Texts(t.ID)
		return tournamentDTO(t), err
	}
}

func (s *Server) startTournament(ctx context.Context, in op.WithID[*wire.StartRequest]) (wire.Tournament, error) {
	if in.Body != nil && in.Body.Paused {
		return s.changeTournament(ctx, in.ID, s.Director.StartPaused)
	}
	return s.changeTournament(ctx, in.ID, s.Director.Start)
}

func (s *Server) pauseTournament(ctx context.Context, in op.One) (wire.Tournament, error) {
	return s.changeTournament(ctx, in.ID, s.Director.PauseTournament)
}

func (s *Server) resumeTournament(ctx context.Context, in op.One) (wire.Tournament, error) {
	return s.changeTournament(ctx, in.ID, s.Director.ResumeTournament)
}

func (s *Server) cancelTournament(ctx context.Context, in op.WithID[*wire.CancelRequest]) (wire.Tournament, error) {
	reason, err := cancelReason(in.Body)
	if err != nil {
		return wire.Tournament{}, err
	}
	return s.changeTournament(ctx, in.ID, func(ctx context.Context, id string) (tournament.Tournament, error) {
		if err := s.mayCancel(ctx, id); err != nil {
			return tournament.Tournament{}, err
		}
		return s.Director.Cancel(ctx, id, reason)
	})
}

// mayCancel returns why the organiser of a tournament may not end it now: as with [Server.mayVoid], no rating of theirs gains by it.
func (s *Server) mayCancel(ctx context.Context, id string) error {
	t, err := s.Store.Tournament(ctx, id)
	if err != nil || !t.Rated || gate.Owns(ctx, "") {
		return err
	}
	r := s.Store.Reader(ctx)
	playing, err := r.SeatedIn(id, tournament.MatchRunning)
	if err != nil {
		return err
	}
	entered, err := r.Entered(id)
	for _, e := range entered {
		if e.OwnerID == gate.UserID(ctx) && slices.Contains(playing, e.BotID) {
			return fmt.Errorf("%w: your bot %q plays a rated match; pause the tournament, and cancel it when that match is over, or ask an administrator", tournament.ErrState, e.BotName)
		}
	}
	return err
}

// changeTournament does to the caller's tournament what needs nothing but its id.
func (s *Server) changeTournament(ctx context.Context, id string, do func(context.Context, string) (tournament.Tournament, error)) (wire.Tournament, error) {
	if _, err := s.myTournament(ctx, id); err != nil {
		return wire.Tournament{}, err
	}
	return s.withTexts(ctx)(do(ctx, id))
}

// myTournament returns the tournament with an id that the caller organises.
func (s *Server) myTournament(ctx context.Context, id string) (tournament.Tournament, error) {
	t, err := s.Store.Tournament(ctx, id)
	if err == nil {
		err = s.organises(ctx, t.OrganiserID, t.ID, t.ScheduleID)
	}
	return t, err
}

func (s *Server) renewInvite(ctx context.Context, in op.WithID[*wire.InviteRenew]) (wire.Invite, error) {
	out := wire.Invite{}
	if in.Body != nil && in.Body.ExpiresAt != nil {
		if out.ExpiresAt = in.Body.ExpiresAt; !out.ExpiresAt.After(s.Now()) {
			return out, &tournament.FieldError{Pointer: "/expires_at", Reason: "lies in the past"}
		}
	}
	code, invite, err := tournament.NewInvite(s.Rand)
	if err != nil {
		return out, err
	}
	_, err = s.changeTournament(ctx, in.ID, func(ctx context.Context, id string) (tournament.Tournament, error) {
		return s.Director.RenewInvite(ctx, id, invite, out.ExpiresAt)
	})
	out.InviteCode = code
	return out, err
}

func (s *Server) updateTournament(ctx context.Context, in op.WithID[wire.TournamentPatch]) (wire.Tournament, error) {
	keys := keysIn(in.Body)
	if texts := keysIn(in.Body.TextsPatch); len(keys) > len(texts) {
		return s.reviseTournament(ctx, in.ID, in.Body, "its organiser has changed "+strings.Join(keys, ", "))
	}
	return s.changeTournament(ctx, in.ID, func(ctx context.Context, id string) (tournament.Tournament, error) {
		return s.Director.Write(ctx, id, func(texts *tournament.Texts) {
			applyPatch(texts, in.Body)
			*texts = textsOf(*texts)
		})
	})
}

// reviseTournament changes more of the caller's tournament than its texts.
func (s *Server) reviseTournament(ctx context.Context, id string, p wire.TournamentPatch, what string) (wire.Tournament, error) {
	code, invite, err := tournament.NewInvite(s.Rand)
	if err != nil {
		return wire.Tournament{}, err
	}
	ladders, err := s.Store.Ladders(ctx)
	if err != nil {
		return wire.Tournament{}, err
	}
	isNew := false // the code
	out, err := s.changeTournament(ctx, id, func(ctx context.Context, id string) (tournament.Tournament, error) {
		return s.Director.Revise(ctx, id, what, func(t tournament.Tournament) (tournament.Tournament, error) {
			next, err := s.revisedTournament(t, ladders, p)
			isNew = p.InviteOnly != nil && *p.InviteOnly && !t.Invite.Needed()
			switch {
			case isNew:
				next.Invite, next.InviteEndsAt = invite, nil
			case p.InviteOnly != nil && !*p.InviteOnly:
				next.Invite, next.InviteEndsAt = tournament.Invite{}, nil
			}
			return next, err
		})
	})
	if isNew {
		out.InviteCode = code
	}
	return out, err
}

// revisedTournament returns a tournament with a patch on it, checked.
func (s *Server) revisedTournament(t tournament.Tournament, ladders []tournament.Ladder, p wire.TournamentPatch) (tournament.Tournament, error) {
	template, _ := templateDTO(t)
	in := wire.TournamentCreate{TournamentTemplate: template, OpensAt: t.OpensAt, ClosesAt: t.ClosesAt, StartsAt: t.StartsAt}
	if t.OwnerEntries == t.Capacity { // as by default
		in.PerOwner = 0
	}
	applyPatch(&in, p)
	next, err := s.draft(in.TournamentTemplate, t.OrganiserID, ladders, func(x *tournament.Tournament, info game.Info) error {
		x.OpensAt, x.ClosesAt, x.StartsAt = in.OpensAt.UTC(), in.ClosesAt.UTC(), in.StartsAt.UTC()
		if x.Format != t.Format && p.Options == nil {
			x.DropForeignOptions()
		}
		return x.CheckRevised(t, info, s.Now())
	})
	next.ID, next.CreatedAt, next.ScheduleID, next.Number, next.Invite, next.InviteEndsAt = t.ID, t.CreatedAt, t.ScheduleID, t.Number, t.Invite, t.InviteEndsAt
	return next, err
}
