package api

import (
	"fmt"
	"net/http"
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

// @Summary	Register a version of a bot
// @Description	The bot is greeted at the new address; its answer permanently fixes build, games and author. The version plays no
// @Description	match until it is promoted.
// @Tags		bots
// @Security	Bearer
// @Accept		json
// @Param		id		path		string			true	"id of the bot"
// @Param		body	body		wire.VersionCreate	true	"the version"
// @Success	201		{object}	wire.BotVersion
// @Failure	403		{object}	wire.Problem
// @Failure	404		{object}	wire.Problem
// @Failure	409		{object}	wire.Problem
// @Failure	413		{object}	wire.Problem
// @Failure	415		{object}	wire.Problem
// @Failure	422		{object}	wire.Problem
// @Router		/v1/bots/{id}/versions [post]
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
		return hello, botError(err)
	}
	if v.Build != "" && hello.Build != v.Build {
		return hello, fmt.Errorf("%w: its hello says build %q, want %q; what runs there is not this version", tournament.ErrBot, hello.Build, v.Build)
	}
	return hello, nil
}

// @Summary	Let a version of a bot play
// @Description	Newer or older: to go back, promote an older one, which resumes its old ratings. A version that is new on a ladder
// @Description	starts with the rating of the one that it replaces. The version is greeted first and must report the build that it was
// @Description	registered with. Matches and tournaments that have begun keep their version.
// @Tags		bots
// @Security	Bearer
// @Accept		json
// @Param		id		path		string			true	"id of the bot"
// @Param		body	body		wire.VersionPromote	true	"which"
// @Success	200		{object}	wire.BotDetail
// @Failure	403		{object}	wire.Problem
// @Failure	404		{object}	wire.Problem
// @Failure	409		{object}	wire.Problem
// @Failure	413		{object}	wire.Problem
// @Failure	415		{object}	wire.Problem
// @Failure	422		{object}	wire.Problem
// @Router		/v1/bots/{id}/promote [post]
func (s *Server) promoteVersion(c *gin.Context) error {
	in, err := read[wire.VersionPromote](c)
	if err != nil {
		return err
	}
	bot, _, err := s.myLivingBot(c)
	if err != nil {
		return err
	}
	versions, err := s.store.Versions(c.Request.Context(), bot.ID)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(versions, func(v tournament.Version) bool { return v.Number == in.Number })
	if i < 0 {
		return &tournament.FieldError{Pointer: "/number", Reason: "names no version; the bot has 1 to " + strconv.Itoa(versions[0].Number)}
	}
	if versions[i].ID == bot.VersionID {
		return fmt.Errorf("%w: version %d plays already", tournament.ErrState, in.Number)
	}
	if _, err := s.hello(c, versions[i]); err != nil {
		return err
	}
	if bot, err = s.director.Promote(c.Request.Context(), bot.ID, versions[i].ID); err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, wire.BotDetail{Bot: botDTO(bot), Active: versionDTO(versions[i], true), Private: &wire.BotPrivate{Reason: bot.Reason}})
}

// @Summary	End a rotation early
// @Description	Drops the older secret of the active version at once: requests are then signed only with the newest.
// @Tags		bots
// @Security	Bearer
// @Param		id	path		string	true	"id of the bot"
// @Success	200	{object}	wire.SecretsLive
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Router		/v1/bots/{id}/drop-old-secret [post]
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
