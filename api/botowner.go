package api

import (
	"context"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/tournament"
)

// @Summary	Check a bot now
// @Description	Sends a hello. A bot that answers becomes active; one that does not is paused. ok and reason say which. A bot that its
// @Description	owner has paused is greeted too, but stays paused.
// @Tags		bots
// @Security	Bearer
// @Param		id	path		string	true	"id of the bot"
// @Success	200	{object}	wire.BotChecked
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Router		/v1/bots/{id}/check [post]
func (s *Server) checkBot(c *gin.Context) error { return s.checkNow(c, false) }

// @Summary	Resume a bot
// @Description	Sends a hello. If the bot answers, it plays again. Otherwise it stays paused, with what was found as the reason, and
// @Description	resumes by itself when two checks in a row pass.
// @Tags		bots
// @Security	Bearer
// @Param		id	path		string	true	"id of the bot"
// @Success	200	{object}	wire.BotChecked
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Router		/v1/bots/{id}/resume [post]
func (s *Server) resumeBot(c *gin.Context) error { return s.checkNow(c, true) }

// @Summary	Pause a bot
// @Description	The bot gets no new matches until you resume it; matches it already has are played to the end. Health checks do not
// @Description	resume it.
// @Tags		bots
// @Security	Bearer
// @Param		id	path		string	true	"id of the bot"
// @Success	200	{object}	wire.BotDetail
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Router		/v1/bots/{id}/pause [post]
func (s *Server) pauseBot(c *gin.Context) error {
	bot, version, err := s.myActiveBot(c)
	if err != nil {
		return err
	}
	if bot, err = s.director.PauseBot(c.Request.Context(), bot.ID); err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, wire.BotDetail{Bot: botDTO(bot), Active: versionDTO(version, true), Private: &wire.BotPrivate{Reason: bot.Reason}})
}

// checkNow greets a bot; one that its owner has paused plays again only if resume is set.
func (s *Server) checkNow(c *gin.Context, resume bool) error {
	bot, version, err := s.myActiveBot(c)
	if err != nil {
		return err
	}
	if bot.BannedAt != nil {
		return fmt.Errorf("%w: the bot is %s; ask an administrator", tournament.ErrState, bot.Reason)
	}
	leave, err := s.gate.HoldCall(c)
	if err != nil {
		return err
	}
	defer leave()
	start := s.now()
	hello, err := s.greet(c.Request.Context(), version.URL, version.Secrets)
	if err == nil {
		_, err = s.knownGames(hello)
	}
	took := s.now().Sub(start)
	out := wire.BotChecked{OK: err == nil, TookMS: took.Milliseconds(), Build: hello.Build}
	status := tournament.BotActive
	if err != nil {
		status, out.Reason = tournament.BotPaused, gate.Detail(gate.KindOf(tournament.ErrBot), botError(err))
	}
	if resume || bot.Pause != tournament.PausedByOwner {
		if bot, err = s.director.SetBotStatus(c.Request.Context(), bot.ID, status, out.Reason); err != nil {
			return err
		}
	}
	if err := s.store.LogCheck(c.Request.Context(), tournament.Check{
		BotID:     bot.ID,
		VersionID: version.ID,
		Failure:   out.Reason,
		Build:     hello.Build,
		Took:      took,
	}); err != nil {
		return err
	}
	out.Bot = botDTO(bot)
	return httpx.Send(c, http.StatusOK, out)
}

// @Summary	Rotate a bot's secret
// @Description	Requests are signed with both the new and the present secret until the next rotation, which drops the older. If a
// @Description	secret has leaked, drop-old-secret ends it at once. Other versions of the bot keep their secrets.
// @Tags		bots
// @Security	Bearer
// @Param		id	path		string	true	"id of the bot"
// @Success	200	{object}	wire.SecretRotated
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Router		/v1/bots/{id}/rotate-secret [post]
func (s *Server) rotateBotSecret(c *gin.Context) error {
	_, version, err := s.myActiveBot(c)
	if err != nil {
		return err
	}
	secret, err := protocol.NewSecret(s.rand)
	if err != nil {
		return err
	}
	if version, err = s.store.RotateSecret(c.Request.Context(), version.ID, secret); err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, wire.SecretRotated{Secret: secret, Secrets: len(version.Secrets)})
}

// @Summary	Retire a bot
// @Description	Permanent: the bot gets no more matches. Its matches and ratings stay.
// @Tags		bots
// @Security	Bearer
// @Param		id	path	string	true	"id of the bot"
// @Success	204
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Router		/v1/bots/{id} [delete]
func (s *Server) deleteBot(c *gin.Context) error {
	bot, _, err := s.myActiveBot(c)
	if err != nil {
		return err
	}
	if _, err := s.director.RetireBot(c.Request.Context(), bot.ID, "retired by its owner"); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}

// myActiveBot is the caller's bot that the path names, not retired, with its active version, for routes without body and query.
func (s *Server) myActiveBot(c *gin.Context) (tournament.Bot, tournament.Version, error) {
	if err := httpx.Bare(c); err != nil {
		return tournament.Bot{}, tournament.Version{}, err
	}
	return s.myLivingBot(c)
}

// myLivingBot is the caller's bot that the path names, not retired, with its active version.
func (s *Server) myLivingBot(c *gin.Context) (tournament.Bot, tournament.Version, error) {
	bot, err := s.botOf(c)
	switch {
	case err != nil:
	case !gate.OwnsBot(c, bot.OwnerID, bot.ID):
		err = tournament.ErrNotYours
	case bot.Status == tournament.BotRetired:
		err = fmt.Errorf("%w: the bot is retired", tournament.ErrState)
	}
	if err != nil {
		return tournament.Bot{}, tournament.Version{}, err
	}
	version, err := s.store.Version(c.Request.Context(), bot.VersionID)
	return bot, version, err
}

// @Summary	Ban a bot
// @Description	For administrators, with a reason that everyone sees. The bot gets no new matches, whatever its checks find, until the
// @Description	ban is lifted.
// @Tags		bots
// @Security	Bearer
// @Accept		json
// @Param		id		path		string			true	"id of the bot"
// @Param		body	body		wire.CancelRequest	true	"why"
// @Success	200		{object}	wire.Bot
// @Failure	403		{object}	wire.Problem
// @Failure	404		{object}	wire.Problem
// @Failure	409		{object}	wire.Problem
// @Failure	413		{object}	wire.Problem
// @Failure	415		{object}	wire.Problem
// @Failure	422		{object}	wire.Problem
// @Router		/v1/bots/{id}/ban [post]
func (s *Server) banBot(c *gin.Context) error {
	return withReason(c, func(ctx context.Context, id, reason string) error {
		b, err := s.director.BanBot(ctx, id, reason)
		if err != nil {
			return err
		}
		return httpx.Send(c, http.StatusOK, botDTO(b))
	})
}

// @Summary	Lift the ban of a bot
// @Description	For administrators. The bot returns when it has passed its checks.
// @Tags		bots
// @Security	Bearer
// @Param		id	path		string	true	"id of the bot"
// @Success	200	{object}	wire.Bot
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Router		/v1/bots/{id}/unban [post]
func (s *Server) unbanBot(c *gin.Context) error {
	return withoutReason(c, func(ctx context.Context, id string) error {
		b, err := s.director.UnbanBot(ctx, id)
		if err != nil {
			return err
		}
		return httpx.Send(c, http.StatusOK, botDTO(b))
	})
}
