package api

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
)

// @Summary	Play on a standing ladder
// @Description	Your own active bot gets rated matches all the time, without a tournament, at every table size of the game's base
// @Description	variant: first those with fewest matches, against opponents near them. Sent again it changes matches_per_hour.
// @Tags		ladders
// @Security	Bearer
// @Accept		json
// @Param		id		path		string		true	"id of the ladder"
// @Param		body	body		wire.LadderJoin	true	"the bot"
// @Success	201		{object}	wire.LadderPlace
// @Failure	403		{object}	wire.Problem
// @Failure	404		{object}	wire.Problem
// @Failure	409		{object}	wire.Problem
// @Failure	413		{object}	wire.Problem
// @Failure	415		{object}	wire.Problem
// @Failure	422		{object}	wire.Problem
// @Router		/v1/ladders/{id}/entries [post]
func (s *Server) joinLadder(c *gin.Context) error {
	in, err := read[wire.LadderJoin](c)
	if err != nil {
		return err
	}
	botID, err := parseID("/bot_id", in.BotID)
	if err != nil {
		return err
	}
	bot, err := s.ladderBot(c, botID)
	if err != nil {
		return err
	}
	perHour := tournament.DefaultMatchesPerHour
	if in.MatchesPerHour != nil {
		perHour = *in.MatchesPerHour
	}
	e, err := s.director.JoinLadder(c.Request.Context(), c.Param("id"), bot.ID, bot.OwnerID, perHour)
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusCreated, wire.LadderPlace{Ladder: e.LadderID, BotID: e.BotID, Bot: e.BotName, MatchesPerHour: e.MatchesPerHour, JoinedAt: e.JoinedAt})
}

// @Summary	Leave a standing ladder
// @Description	Matches that are made already are played; the rating stays.
// @Tags		ladders
// @Security	Bearer
// @Param		id		path	string	true	"id of the ladder"
// @Param		bot_id	path	string	true	"id of the bot"
// @Success	204
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Router		/v1/ladders/{id}/entries/{bot_id} [delete]
func (s *Server) leaveLadder(c *gin.Context) error {
	if err := httpx.Bare(c); err != nil {
		return err
	}
	botID, err := pathUUID(c, "bot_id")
	if err != nil {
		return err
	}
	bot, err := s.ladderBot(c, botID)
	if err != nil {
		return err
	}
	if err := s.director.LeaveLadder(c.Request.Context(), c.Param("id"), bot.ID, bot.OwnerID); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}

// ladderBot is a bot of the caller's, after the ladder of the path.
func (s *Server) ladderBot(c *gin.Context, botID string) (tournament.Bot, error) {
	if _, err := s.ladderOf(c); err != nil {
		return tournament.Bot{}, err
	}
	bot, err := s.store.Bot(c.Request.Context(), botID)
	if err == nil && !owns(c, bot.OwnerID) {
		err = tournament.ErrNotYours
	}
	return bot, err
}
