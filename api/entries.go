package api

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
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
	}
}

func (s *Server) listTournamentEntries(c *gin.Context) error {
	return sendOfTournament(s, c, s.store.Entries, tournamentEntryDTO)
}

func (s *Server) joinTournament(c *gin.Context) error {
	in, err := read[wire.EntryCreate](c)
	if err != nil {
		return err
	}
	botID, err := parseID("/bot_id", in.BotID)
	if err != nil {
		return err
	}
	if in.AgainstID != "" {
		if _, err := parseID("/against_version_id", in.AgainstID); err != nil {
			return err
		}
	}
	t, bot, err := s.entryOf(c, botID)
	if err != nil {
		return err
	}
	entry, err := s.director.JoinAs(c.Request.Context(), t.ID, bot.ID, bot.OwnerID,
		director.EntryOptions{Invite: in.InviteCode, Challenger: in.Challenger, Against: in.AgainstID})
	if errors.Is(err, tournament.ErrInvite) && in.InviteCode != "" {
		return s.gate.WrongInvite(c, err)
	}
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusCreated, tournamentEntryDTO(entry))
}

func (s *Server) withdrawEntry(c *gin.Context) error {
	t, bot, err := s.entered(c)
	if err != nil {
		return err
	}
	if _, err := s.director.Withdraw(c.Request.Context(), t.ID, bot.ID, bot.OwnerID); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}

func (s *Server) checkInEntry(c *gin.Context) error {
	t, bot, err := s.entered(c)
	if err != nil {
		return err
	}
	e, err := s.director.CheckIn(c.Request.Context(), t.ID, bot.ID, bot.OwnerID)
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, tournamentEntryDTO(e))
}

// entered is the tournament and the bot of a path without a body, where the caller is the bot's owner or the organiser.
func (s *Server) entered(c *gin.Context) (tournament.Tournament, tournament.Bot, error) {
	if err := httpx.Bare(c); err != nil {
		return tournament.Tournament{}, tournament.Bot{}, err
	}
	botID, err := pathUUID(c, "bot_id")
	if err != nil {
		return tournament.Tournament{}, tournament.Bot{}, err
	}
	t, bot, err := s.entryOf(c, botID)
	if errors.Is(err, tournament.ErrNotYours) && gate.Organises(c, t.OrganiserID) {
		err = nil
	}
	return t, bot, err
}

// entryOf is the tournament of the path and a bot of the caller's.
func (s *Server) entryOf(c *gin.Context, botID string) (tournament.Tournament, tournament.Bot, error) {
	t, err := s.tournamentOf(c)
	if err != nil {
		return t, tournament.Bot{}, err
	}
	bot, err := s.store.Bot(c.Request.Context(), botID)
	if err == nil && !gate.OwnsBot(c, bot.OwnerID, bot.ID) {
		err = tournament.ErrNotYours
	}
	return t, bot, err
}

// What an organiser arranges by hand: seeds before the start, and the pairing of a round before it begins.

func (s *Server) seedTournament(c *gin.Context) error {
	in, err := read[wire.Seeds](c)
	if err != nil {
		return err
	}
	t, err := s.myTournament(c)
	if err != nil {
		return err
	}
	entries, err := s.director.SeedEntries(c.Request.Context(), t.ID, in.Bots)
	if err != nil {
		return err
	}
	out := wire.Page[wire.Entry]{Data: []wire.Entry{}}
	for _, e := range entries {
		out.Data = append(out.Data, tournamentEntryDTO(e))
	}
	return httpx.Send(c, http.StatusOK, out)
}
