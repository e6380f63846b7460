package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
)

func (s *Server) checkBot(c *gin.Context) error { return s.sendCheck(c, false) }

func (s *Server) resumeBot(c *gin.Context) error { return s.sendCheck(c, true) }

func (s *Server) pauseBot(c *gin.Context) error {
	bot, version, err := s.pauseNow(c)
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, wire.BotDetail{Bot: botDTO(bot), Active: versionDTO(version, true), Private: &wire.BotPrivate{Reason: bot.Reason}})
}

func (s *Server) pauseNow(c *gin.Context) (tournament.Bot, tournament.Version, error) {
	bot, version, err := s.myActiveBot(c)
	if err == nil {
		bot, err = s.director.PauseBot(c.Request.Context(), bot.ID)
	}
	return bot, version, err
}

// sendCheck answers with what [Server.checkNow] found.
func (s *Server) sendCheck(c *gin.Context, resume bool) error {
	out, err := s.checkNow(c, resume)
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, out)
}

// checkNow greets a bot and has it make a decision; one that its owner has paused plays again only if resume is set.
func (s *Server) checkNow(c *gin.Context, resume bool) (wire.BotChecked, error) {
	bot, version, err := s.myActiveBot(c)
	if err != nil {
		return wire.BotChecked{}, err
	}
	if bot.BannedAt != nil {
		return wire.BotChecked{}, fmt.Errorf("%w: the bot is %s; ask an administrator", tournament.ErrState, bot.Reason)
	}
	leave, err := s.gate.HoldCall(c)
	if err != nil {
		return wire.BotChecked{}, err
	}
	defer leave()
	start := s.now()
	hello, err := s.greet(c.Request.Context(), version.URL, version.Secrets)
	if err == nil {
		_, err = s.knownGames(hello)
	}
	if err == nil && s.try != nil {
		err = s.try(c.Request.Context(), version)
	}
	if err = callError(err); err != nil && !errors.Is(err, tournament.ErrBot) {
		return wire.BotChecked{}, err // nothing is known of the bot
	}
	took := s.now().Sub(start)
	out := wire.BotChecked{OK: err == nil, TookMS: took.Milliseconds(), Build: hello.Build}
	status := tournament.BotActive
	if err != nil {
		status, out.Reason = tournament.BotPaused, gate.Detail(gate.KindOf(tournament.ErrBot), err)
	}
	if resume || bot.Pause != tournament.PausedByOwner {
		if bot, err = s.director.SetBotStatus(c.Request.Context(), bot.ID, status, out.Reason); err != nil {
			return out, err
		}
	}
	out.Bot = botDTO(bot)
	return out, s.store.LogCheck(c.Request.Context(), tournament.Check{
		BotID:     bot.ID,
		VersionID: version.ID,
		Failure:   out.Reason,
		Build:     hello.Build,
		Took:      took,
	})
}

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

func (s *Server) banBot(c *gin.Context) error {
	return withReason(c, func(ctx context.Context, id, reason string) error {
		b, err := s.director.BanBot(ctx, id, reason)
		if err != nil {
			return err
		}
		return httpx.Send(c, http.StatusOK, botDTO(b))
	})
}

func (s *Server) unbanBot(c *gin.Context) error {
	return withoutReason(c, func(ctx context.Context, id string) error {
		b, err := s.director.UnbanBot(ctx, id)
		if err != nil {
			return err
		}
		return httpx.Send(c, http.StatusOK, botDTO(b))
	})
}

// myPage is the page behind the login.
//
// @Summary	My bots, for people
// @Description	Bots, checks, versions, lost matches, tokens and webhooks of who is logged in in this browser; others are led to /login.
// @Tags		pages
// @Produce	text/html
// @Success	200	{string}	string	"a page"
// @Success	303
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Router		/me [get]
func (s *Server) myPage(c *gin.Context) error {
	if _, err := httpx.Query(c); err != nil {
		return err
	}
	body, err := s.mine.Page(c.Request.Context(), gate.Who(c).User)
	if err == nil {
		web.Send(c, http.StatusOK, body)
	}
	return err
}

// backToMine reads a form of the page, carries it out, and leads back to the page.
func backToMine(c *gin.Context, do func(in url.Values) error, fields ...string) error {
	in, err := web.ReadForm(c, fields...)
	if err != nil {
		return err
	}
	if err := do(in); err != nil {
		return err
	}
	c.Redirect(http.StatusSeeOther, "/me")
	return nil
}

// @Summary	Check a bot of mine
// @Description	For the form of /me.
// @Tags		pages
// @Produce	text/html
// @Param		id	path	string	true	"id of the bot"
// @Success	303
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Failure	415	{object}	wire.Problem
// @Failure	429	{object}	wire.Problem
// @Router		/me/bots/{id}/check [post]
func (s *Server) checkMine(c *gin.Context) error {
	return backToMine(c, func(url.Values) error {
		_, err := s.checkNow(c, false)
		return err
	})
}

// @Summary	Resume a bot of mine
// @Description	For the form of /me.
// @Tags		pages
// @Produce	text/html
// @Param		id	path	string	true	"id of the bot"
// @Success	303
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Failure	415	{object}	wire.Problem
// @Failure	429	{object}	wire.Problem
// @Router		/me/bots/{id}/resume [post]
func (s *Server) resumeMine(c *gin.Context) error {
	return backToMine(c, func(url.Values) error {
		_, err := s.checkNow(c, true)
		return err
	})
}

// @Summary	Pause a bot of mine
// @Description	For the form of /me.
// @Tags		pages
// @Produce	text/html
// @Param		id	path	string	true	"id of the bot"
// @Success	303
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Failure	415	{object}	wire.Problem
// @Router		/me/bots/{id}/pause [post]
func (s *Server) pauseMine(c *gin.Context) error {
	return backToMine(c, func(url.Values) error {
		_, _, err := s.pauseNow(c)
		return err
	})
}
