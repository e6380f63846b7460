package api

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/tournament"
)

// maxVersionNote bounds the note of a version, in bytes.
const maxVersionNote = 200

func (s *Server) createVersion(c *gin.Context) error {
	in, err := read[wire.VersionCreate](c)
	if err != nil {
		return err
	}
	if err := s.checkVersionCreate(in); err != nil {
		return err
	}
	bot, active, err := s.myLivingBot(c)
	if err != nil {
		return err
	}
	v := tournament.Version{
		BotID:   bot.ID,
		URL:     address(bot.OwnerID, in.URL),
		Secrets: active.Secrets,
		Note:    in.Note,
		Build:   in.Build,
	}
	if in.Secret != "" {
		v.Secrets = tournament.Secrets{in.Secret}
	}
	hello, err := s.hello(c, v)
	if err != nil {
		return err
	}
	v.Author, v.Build, v.WantsText = hello.Author, hello.Build, hello.Text
	if v.Games, err = s.knownGames(hello); err != nil {
		return err
	}
	if v, err = s.store.AddVersion(c.Request.Context(), v, s.limits.Versions); err != nil {
		return err
	}
	c.Header("Location", "/v1/bots/"+bot.ID+"/versions")
	return httpx.Send(c, http.StatusCreated, versionDTO(v, true))
}

func (s *Server) checkVersionCreate(in wire.VersionCreate) error {
	if err := s.checkBotURL(in.URL); err != nil {
		return err
	}
	if in.Secret != "" {
		if _, err := protocol.ParseKeys(in.Secret); err != nil {
			return &tournament.FieldError{Pointer: "/secret", Reason: err.Error()}
		}
	}
	if in.Build != "" {
		if err := tournament.CheckText("/build", in.Build, protocol.MaxBuildBytes); err != nil {
			return err
		}
	}
	if in.Note != "" {
		return tournament.CheckText("/note", in.Note, maxVersionNote)
	}
	return nil
}

// hello greets a version, counted against the caller's rate. One that says another build than the version's is refused: it
// is not that version.
func (s *Server) hello(c *gin.Context, v tournament.Version) (protocol.HelloAnswer, error) {
	leave, err := s.gate.HoldCall(c)
	if err != nil {
		return protocol.HelloAnswer{}, err
	}
	defer leave()
	hello, err := s.greet(c.Request.Context(), v.URL, v.Secrets)
	if err != nil {
		return hello, callError(err)
	}
	if v.Build != "" && hello.Build != v.Build {
		return hello, fmt.Errorf("%w: its hello says build %q, want %q; what runs there is not this version", tournament.ErrBot, hello.Build, v.Build)
	}
	return hello, nil
}

func (s *Server) promoteVersion(c *gin.Context) error {
	in, err := read[wire.VersionPromote](c)
	if err != nil {
		return err
	}
	bot, version, err := s.promoteNow(c, in.Number)
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, wire.BotDetail{Bot: botDTO(bot), Active: versionDTO(version, true), Private: &wire.BotPrivate{Reason: bot.Reason}})
}

// promoteNow greets a version of the caller's bot, and lets it play.
func (s *Server) promoteNow(c *gin.Context, number int) (tournament.Bot, tournament.Version, error) {
	none := tournament.Version{}
	bot, _, err := s.myLivingBot(c)
	if err != nil {
		return bot, none, err
	}
	versions, err := s.store.Versions(c.Request.Context(), bot.ID)
	if err != nil {
		return bot, none, err
	}
	i := slices.IndexFunc(versions, func(v tournament.Version) bool { return v.Number == number })
	if i < 0 {
		return bot, none, &tournament.FieldError{Pointer: "/number", Reason: "names no version; the bot has 1 to " + strconv.Itoa(versions[0].Number)}
	}
	if versions[i].ID == bot.VersionID {
		return bot, none, fmt.Errorf("%w: version %d plays already", tournament.ErrState, number)
	}
	if _, err := s.hello(c, versions[i]); err != nil {
		return bot, none, err
	}
	bot, err = s.director.Promote(c.Request.Context(), bot.ID, versions[i].ID)
	return bot, versions[i], err
}

// @Summary	Let a version of a bot of mine play
// @Description	For the form of /me.
// @Tags		pages
// @Produce	text/html
// @Param		id	path	string	true	"id of the bot"
// @Success	303
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Failure	415	{object}	wire.Problem
// @Failure	422	{object}	wire.Problem
// @Failure	429	{object}	wire.Problem
// @Router		/me/bots/{id}/promote [post]
func (s *Server) promoteMine(c *gin.Context) error {
	return backToMine(c, func(in url.Values) error {
		number, err := strconv.Atoi(in.Get("number"))
		if err != nil {
			return &tournament.FieldError{Pointer: "/number", Reason: "is no number of a version"}
		}
		_, _, err = s.promoteNow(c, number)
		return err
	}, "number")
}

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

func (s *Server) dropOldBotSecret(c *gin.Context) error {
	_, version, err := s.myActiveBot(c)
	if err != nil {
		return err
	}
	if version, err = s.store.DropOldSecret(c.Request.Context(), version.ID); err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, wire.SecretsLive{Secrets: len(version.Secrets)})
}
