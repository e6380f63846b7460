package api

import (
	"context"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/pairing"
)

func trialDTO(t *tournament.Trial) *wire.Trial {
	if t == nil {
		return nil
	}
	return &wire.Trial{
		Verdict:    t.Verdict,
		Pairs:      t.Pairs,
		Tally:      t.Tally,
		LLR:        t.LLR,
		Lower:      t.Lower,
		Upper:      t.Upper,
		Elo:        t.Elo,
		Low:        t.Low,
		High:       t.High,
		Elo0:       t.Elo0,
		Elo1:       t.Elo1,
		Normalised: t.IsNormalisedTest,
	}
}

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

func standingDTO(r tournament.Standing) wire.Standing {
	ties := make([]wire.TieValue, len(r.Ties))
	for i, t := range r.Ties {
		ties[i] = wire.TieValue(t)
	}
	return wire.Standing{
		Rank:     r.Rank,
		BotID:    r.BotID,
		Bot:      r.Bot,
		Version:  r.VersionID,
		Played:   r.Played,
		Points:   r.Points,
		Wins:     r.Wins,
		Draws:    r.Draws,
		Losses:   r.Losses,
		Score:    r.Score,
		Faults:   r.Faults,
		Byes:     r.Byes,
		Forfeits: r.Forfeits,
		Withdrew: r.WithdrewAfter,
		Ties:     ties,
		Trial:    trialDTO(r.Trial),
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
func (s *Server) listEntries(c *gin.Context) error {
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
	if errors.Is(err, tournament.ErrNotYours) && gate.Owns(c, t.OrganiserID) {
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
	if err == nil && !gate.Owns(c, bot.OwnerID) {
		err = tournament.ErrNotYours
	}
	return t, bot, err
}

// @Summary	The standings so far
// @Description	tie_breaks lists what the format compares, in its order.
// @Tags		tournaments
// @Param		id		path		string	true	"id of the tournament"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the previous page"
// @Success	200		{object}	wire.Page[wire.Standing]
// @Failure	404		{object}	wire.Problem
// @Router		/v1/tournaments/{id}/standings [get]
func (s *Server) listStandings(c *gin.Context) error {
	return sendOfTournament(s, c, s.director.Standings, standingDTO)
}

// sendOfTournament sends a page of a list that the store returns whole for the tournament of the path.
func sendOfTournament[R, D any](s *Server, c *gin.Context, list func(context.Context, string) ([]R, error), dto func(R) D) error {
	p, err := s.cursors.Page(c)
	if err != nil {
		return err
	}
	t, err := s.tournamentOf(c)
	if err != nil {
		return err
	}
	all, err := list(c.Request.Context(), t.ID)
	if err != nil {
		return err
	}
	rows, next := httpx.Cut(all, p)
	return httpx.SendPage(c, p, rows, next, dto)
}

// rounds are all rounds of a tournament as everybody may see them now.
func (s *Server) rounds(ctx context.Context, id string) ([]wire.Round, error) {
	t, err := s.store.Tournament(ctx, id)
	if err != nil {
		return nil, err
	}
	c, entries, err := s.director.Contest(ctx, id)
	if err != nil {
		return nil, err
	}
	out := make([]wire.Round, len(c.Rounds))
	for i := range c.Rounds {
		out[i] = live.RoundOf(i+1, c, entries, s.engines.HiddenTeams(t.Game))
	}
	return out, nil
}

// @Summary	The rounds of a tournament
// @Description	For any format: who met whom, byes, and who was absent or forfeited, and why. In an elimination, tables are ties with
// @Description	names.
// @Tags		tournaments
// @Param		id		path		string	true	"id of the tournament"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the previous page"
// @Success	200		{object}	wire.Page[wire.Round]
// @Failure	404		{object}	wire.Problem
// @Router		/v1/tournaments/{id}/bracket [get]
func (s *Server) listRounds(c *gin.Context) error {
	return sendOfTournament(s, c, s.rounds, func(r wire.Round) wire.Round { return r })
}

// crosstable is the rows of a tournament in the order of its standings.
func (s *Server) crosstable(ctx context.Context, id string) ([]wire.CrosstableRow, error) {
	c, entries, err := s.director.Contest(ctx, id)
	if err != nil {
		return nil, err
	}
	lines, err := pairing.Standings(c)
	if err != nil {
		return nil, err
	}
	table := pairing.Crosstable(c)
	out := make([]wire.CrosstableRow, len(lines))
	for i, l := range lines {
		out[i] = wire.CrosstableRow{Rank: l.Rank, Bot: entries[l.Entry].BotName, Cells: []wire.CrosstableCell{}}
		for _, o := range lines {
			if x := table[l.Entry][o.Entry]; x.Blocks > 0 {
				out[i].Cells = append(out[i].Cells, wire.CrosstableCell{
					Bot:    entries[o.Entry].BotName,
					Blocks: x.Blocks,
					Games:  x.Games,
					Share:  x.Share,
					Low:    x.Low,
					High:   x.High,
				})
			}
		}
	}
	return out, nil
}

// @Summary	The crosstable
// @Description	In the order of the standings: each bot's result against each other, with a 95 % interval.
// @Tags		tournaments
// @Param		id		path		string	true	"id of the tournament"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the previous page"
// @Success	200		{object}	wire.Page[wire.CrosstableRow]
// @Failure	404		{object}	wire.Problem
// @Router		/v1/tournaments/{id}/crosstable [get]
func (s *Server) listCrosstable(c *gin.Context) error {
	return sendOfTournament(s, c, s.crosstable, func(r wire.CrosstableRow) wire.CrosstableRow { return r })
}
