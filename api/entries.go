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

// @Summary	The entries of a tournament
// @Description	In the order in which they joined, including withdrawn ones.
// @Tags		tournaments
// @Param		id		path		string	true	"id of the tournament"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the previous page"
// @Success	200		{object}	wire.Page[wire.Entry]
// @Failure	404		{object}	wire.Problem
// @Router		/v1/tournaments/{id}/entries [get]
func (s *Server) listTournamentEntries(c *gin.Context) error {
	return sendOfTournament(s, c, s.store.Entries, tournamentEntryDTO)
}

// @Summary	Enter a bot
// @Description	Enters your own active bot, if it plays the game. Registration must be open and have room; with late_entries, some
// @Description	formats take entries after the start. With waiting_list, an entry without a place waits for one. In a rated game with hidden teams an owner may enter one bot. An invite_only
// @Description	tournament needs the organiser's code.
// @Tags		tournaments
// @Security	Bearer
// @Accept		json
// @Param		id		path		string		true	"id of the tournament"
// @Param		body	body		wire.EntryCreate	true	"the bot"
// @Success	201		{object}	wire.Entry
// @Failure	403		{object}	wire.Problem
// @Failure	404		{object}	wire.Problem
// @Failure	409		{object}	wire.Problem
// @Failure	413		{object}	wire.Problem
// @Failure	415		{object}	wire.Problem
// @Failure	422		{object}	wire.Problem
// @Router		/v1/tournaments/{id}/entries [post]
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

// @Summary	Withdraw a bot
// @Description	For its owner or the organiser, before the end. After the start it is permanent: later rounds are made without the
// @Description	bot. In a round robin, what it has not begun is forfeited, or played short-handed at larger tables where that is
// @Description	allowed.
// @Tags		tournaments
// @Security	Bearer
// @Param		id		path	string	true	"id of the tournament"
// @Param		bot_id	path	string	true	"id of the bot"
// @Success	204
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Router		/v1/tournaments/{id}/entries/{bot_id} [delete]
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

// @Summary	Check a bot in
// @Description	For its owner or the organiser, from check_in_ms before the start on. Who enters while check-in is open is checked in.
// @Description	Who has not checked in at the start is left out, and those who wait take the places.
// @Tags		tournaments
// @Security	Bearer
// @Param		id		path	string	true	"id of the tournament"
// @Param		bot_id	path	string	true	"id of the bot"
// @Success	200		{object}	wire.Entry
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Router		/v1/tournaments/{id}/entries/{bot_id}/check-in [post]
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

// @Summary	Seed a tournament by hand
// @Description	By its organiser, before the start: bots, the best first. The other entries follow by rating; an empty list takes the
// @Description	seeds back. The answer is all entries that have not withdrawn.
// @Tags		tournaments
// @Security	Bearer
// @Accept		json
// @Param		id		path		string	true	"id of the tournament"
// @Param		body	body		wire.Seeds	true	"the seeds"
// @Success	200		{object}	wire.Page[wire.Entry]
// @Failure	403		{object}	wire.Problem
// @Failure	404		{object}	wire.Problem
// @Failure	409		{object}	wire.Problem
// @Failure	413		{object}	wire.Problem
// @Failure	415		{object}	wire.Problem
// @Failure	422		{object}	wire.Problem
// @Router		/v1/tournaments/{id}/seeds [put]
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
