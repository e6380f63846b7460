package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/api/web/mine"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
)

func (s *Server) checkBot(ctx context.Context, in op.One) (wire.BotChecked, error) {
	return s.greetNow(ctx, in.ID, false)
}

func (s *Server) resumeBot(ctx context.Context, in op.One) (wire.BotChecked, error) {
	return s.greetNow(ctx, in.ID, true)
}

func (s *Server) pauseBot(ctx context.Context, in op.One) (wire.BotDetail, error) {
	bot, version, err := s.myLivingBot(ctx, in.ID)
	if err != nil {
		return wire.BotDetail{}, err
	}
	bot, err = s.Director.PauseBot(ctx, bot.ID)
	return myDetail(bot, version), err
}

// greetNow greets a bot and has it make a decision; one that its owner has paused plays again only if resume is set.
func (s *Server) greetNow(ctx context.Context, id string, resume bool) (wire.BotChecked, error) {
	bot, version, err := s.myLivingBot(ctx, id)
	if err != nil {
		return wire.BotChecked{}, err
	}
	if bot.BannedAt != nil {
		return wire.BotChecked{}, fmt.Errorf("%w: the bot is %s; ask an administrator", tournament.ErrState, bot.Reason)
	}
	leave, err := s.gate.HoldCall(ctx)
	if err != nil {
		return wire.BotChecked{}, err
	}
	defer leave()
	var ends tournament.PauseCause
	if resume {
		ends = bot.Pause // not one that begins meanwhile
	}
	start := s.Now()
	hello, err := s.Greet(ctx, version.URL, version.Secrets)
	if err == nil {
		_, err = s.knownGames(hello)
	}
	if err == nil && s.Try != nil {
		err = s.Try(ctx, version)
	}
	if err = callError(err); err != nil && !errors.Is(err, tournament.ErrBot) {
		return wire.BotChecked{}, err // nothing is known of the bot
	}
	took := s.Now().Sub(start)
	out := wire.BotChecked{OK: err == nil, TookMS: took.Milliseconds(), Build: hello.Build}
	if err != nil {
		out.Reason = gate.Detail(gate.KindOf(tournament.ErrBot), err)
	}
	bot, err = s.Director.Greeted(ctx, director.Greeting{
		BotID:     bot.ID,
		VersionID: version.ID,
		Began:     start,
		Failure:   out.Reason,
		Ends:      ends,
	})
	if err != nil {
		return out, err
	}
	out.Bot = botDTO(bot)
	return out, s.Store.LogCheck(ctx, tournament.Check{
		BotID:     bot.ID,
		VersionID: version.ID,
		Failure:   out.Reason,
		Build:     hello.Build,
		Took:      took,
	})
}

func (s *Server) deleteBot(ctx context.Context, in op.One) (op.None, error) {
	bot, _, err := s.myLivingBot(ctx, in.ID)
	if err != nil {
		return op.None{}, err
	}
	_, err = s.Director.RetireBot(ctx, bot.ID, "retired by its owner")
	return op.None{}, err
}

// myBot returns a bot with an id. Another's comes with [tournament.ErrNotYours], and what a token for one bot is not about with
// [tournament.ErrScope].
func (s *Server) myBot(ctx context.Context, id string) (tournament.Bot, error) {
	bot, err := s.Store.Bot(ctx, id)
	if err == nil && !gate.OwnsBot(ctx, bot.OwnerID, bot.ID) {
		err = gate.NotYours(ctx, bot.OwnerID)
	}
	return bot, err
}

// myLivingBot returns the caller's bot with an id, not retired, and its active version.
func (s *Server) myLivingBot(ctx context.Context, id string) (tournament.Bot, tournament.Version, error) {
	bot, err := s.myBot(ctx, id)
	if err == nil && bot.Status == tournament.BotRetired {
		err = fmt.Errorf("%w: the bot is retired", tournament.ErrState)
	}
	if err != nil {
		return tournament.Bot{}, tournament.Version{}, err
	}
	version, err := s.Store.Version(ctx, bot.VersionID)
	return bot, version, err
}

func (s *Server) banBot(ctx context.Context, in op.WithID[wire.CancelRequest]) (wire.Bot, error) {
	if err := checkReason(in.Body); err != nil {
		return wire.Bot{}, err
	}
	return as(botDTO)(s.Director.BanBot(ctx, in.ID, in.Body.Reason))
}

func (s *Server) unbanBot(ctx context.Context, in op.One) (wire.Bot, error) {
	return as(botDTO)(s.Director.UnbanBot(ctx, in.ID))
}

// mineAt returns the page behind the login as the caller reads it.
func (s *Server) mineAt(c *gin.Context) *mine.Pages {
	p := s.mine
	p.Base = httpx.BaseOf(s.public, c.Request)
	return &p
}

// myPage answers with the page behind the login.
func (s *Server) myPage(c *gin.Context) error {
	done, err := doneOf(c)
	if err != nil {
		return err
	}
	body, err := s.mineAt(c).Page(c.Request.Context(), gate.Who(c).User, nil, pages.Mine{Done: done})
	return web.Send(c, http.StatusOK, body, err)
}
