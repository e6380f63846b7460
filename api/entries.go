package api

import (
	"context"
	"errors"
	"fmt"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
)

func tournamentEntryDTO(e tournament.Entry) wire.Entry {
	return wire.Entry{
		BotID:       e.BotID,
		Bot:         e.BotName,
		OwnerID:     e.OwnerID,
		VersionID:   e.VersionID,
		JoinedAt:    e.JoinedAt,
		WithdrawnAt: e.WithdrawnAt,
		Challenger:  e.Challenger,
		Seed:        e.Seed,
		AgainstID:   e.AgainstID,
		Waiting:     e.Waiting,
		CheckedInAt: e.CheckedInAt,
		LeftOut:     string(e.LeftOut),
		Replaces:    e.ReplacesName,
		SinceRound:  e.SinceRound,
	}
}

func (s *Server) entries(ctx context.Context, id string) ([]wire.Entry, error) {
	list, err := s.Director.EntryStates(ctx, id)
	return each(list, func(e tournament.EntryState) wire.Entry {
		out := tournamentEntryDTO(e.Entry)
		out.State, out.Text = string(e.Code), e.String()
		return out
	}), err
}

func (s *Server) joinTournament(ctx context.Context, in op.WithID[wire.EntryCreate]) (wire.Entry, error) {
	botID, err := parseID("/bot_id", in.Body.BotID)
	if err != nil {
		return wire.Entry{}, err
	}
	if in.Body.AgainstID != "" {
		if _, err := parseID("/against_version_id", in.Body.AgainstID); err != nil {
			return wire.Entry{}, err
		}
	}
	t, bot, err := s.entryOf(ctx, in.ID, botID)
	if err != nil {
		return wire.Entry{}, err
	}
	entry, err := s.Director.JoinAs(ctx, t.ID, bot.ID, bot.OwnerID,
		director.EntryOptions{Invite: in.Body.InviteCode, Challenger: in.Body.Challenger, Against: in.Body.AgainstID})
	if errors.Is(err, tournament.ErrInvite) && in.Body.InviteCode != "" {
		err = s.gate.WrongInvite(ctx, err)
	}
	return tournamentEntryDTO(entry), err
}

func (s *Server) withdrawEntry(ctx context.Context, in wire.EntryOf) (op.None, error) {
	t, bot, err := s.entered(ctx, in)
	if err != nil {
		return op.None{}, err
	}
	withdraw := s.Director.Withdraw
	if !gate.OwnsBot(ctx, bot.OwnerID, bot.ID) {
		withdraw = s.Director.Expel
	}
	_, err = withdraw(ctx, t.ID, bot.ID, bot.OwnerID)
	return op.None{}, err
}

func (s *Server) admitEntry(ctx context.Context, in wire.EntryOf) (wire.Entry, error) {
	t, err := s.myTournament(ctx, in.ID)
	if err != nil {
		return wire.Entry{}, err
	}
	bot, err := s.Store.Bot(ctx, in.BotID)
	if err != nil {
		return wire.Entry{}, err
	}
	return as(tournamentEntryDTO)(s.Director.Admit(ctx, t.ID, bot.ID, bot.OwnerID))
}

func (s *Server) checkInEntry(ctx context.Context, in wire.EntryOf) (wire.Entry, error) {
	t, bot, err := s.entered(ctx, in)
	if err != nil {
		return wire.Entry{}, err
	}
	return as(tournamentEntryDTO)(s.Director.CheckIn(ctx, t.ID, bot.ID, bot.OwnerID))
}

func (s *Server) substituteEntry(ctx context.Context, in wire.SubstituteOf) (wire.Entry, error) {
	byID, err := parseID("/bot_id", in.Body.BotID)
	if err != nil {
		return wire.Entry{}, err
	}
	t, bot, err := s.entered(ctx, in.EntryOf)
	if err != nil {
		return wire.Entry{}, err
	}
	by, err := s.Store.Bot(ctx, byID)
	if errors.Is(err, tournament.ErrNotFound) {
		err = &tournament.FieldError{Pointer: "/bot_id", Reason: "names no bot"}
	}
	if err == nil && !gate.OwnsBot(ctx, by.OwnerID, by.ID) && (by.OwnerID != bot.OwnerID || s.organises(ctx, t.OrganiserID, t.ID, t.ScheduleID) != nil) {
		err = &tournament.FieldError{Pointer: "/bot_id", Reason: fmt.Sprintf("bot %q belongs neither to the owner of the entry nor to you; name one that does", by.Name)}
		if bound := gate.Unbound(ctx); bound != nil {
			return wire.Entry{}, bound
		}
		if e, failed := s.Store.Reader(ctx).Entry(t.ID, by); failed == nil && e.WithdrawnAt == nil {
			err = fmt.Errorf("%w: bot %q is entered already", tournament.ErrTaken, by.Name)
		}
	}
	if err != nil {
		return wire.Entry{}, err
	}
	return as(tournamentEntryDTO)(s.Director.Substitute(ctx, t.ID, bot.ID, by.ID))
}

// entered returns the tournament and the bot of an entry, where the caller is the bot's owner or the organiser.
func (s *Server) entered(ctx context.Context, in wire.EntryOf) (tournament.Tournament, tournament.Bot, error) {
	t, bot, err := s.entryOf(ctx, in.ID, in.BotID)
	if errors.Is(err, tournament.ErrNotYours) {
		err = s.organises(ctx, t.OrganiserID, t.ID, t.ScheduleID)
	}
	return t, bot, err
}

// entryOf returns a tournament and a bot of the caller's.
func (s *Server) entryOf(ctx context.Context, tournamentID, botID string) (tournament.Tournament, tournament.Bot, error) {
	t, err := s.Store.Tournament(ctx, tournamentID)
	if err != nil {
		return t, tournament.Bot{}, err
	}
	bot, err := s.myBot(ctx, botID)
	return t, bot, err
}

// What an organiser arranges by hand: seeds before the start, and the pairing of a round before it begins.

func (s *Server) seedTournament(ctx context.Context, in op.WithID[wire.Seeds]) (wire.Page[wire.Entry], error) {
	t, err := s.myTournament(ctx, in.ID)
	if err != nil {
		return wire.Page[wire.Entry]{}, err
	}
	entries, err := s.Director.SeedEntries(ctx, t.ID, in.Body.Bots)
	return wire.Page[wire.Entry]{Data: each(entries, tournamentEntryDTO)}, err
}
