package api

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// Bounds of what a bot says about itself, in bytes.
const (
	maxURL    = 500
	maxAuthor = 64
)

func botDTO(b tournament.Bot) wire.Bot {
	return wire.Bot{
		ID:              b.ID,
		Name:            b.Name,
		OwnerID:         b.OwnerID,
		Status:          string(b.Status),
		Banned:          b.BannedAt != nil,
		Conduct:         string(b.Conduct),
		CreatedAt:       b.CreatedAt,
		TakesChallenges: b.TakesChallenges,
	}
}

func versionDTO(v tournament.Version, private bool) wire.BotVersion {
	out := wire.BotVersion{
		ID:        v.ID,
		Number:    v.Number,
		Author:    v.Author,
		Build:     v.Build,
		Games:     append([]string{}, v.Games...),
		Text:      v.WantsText,
		CreatedAt: v.CreatedAt,
	}
	if private {
		out.Private = &wire.VersionPrivate{URL: written(v.URL), Secrets: len(v.Secrets), Note: v.Note}
	}
	return out
}

func (s *Server) listBots(c *gin.Context) error {
	p, err := s.cursors.Page(c, "name", "game", "owner", "status")
	if err != nil {
		return err
	}
	f := store.BotFilter{}
	if f.Name, err = nameFilter(p.Filter); err != nil {
		return err
	}
	if f.Game, err = s.gameFilter(p.Filter); err != nil {
		return err
	}
	status, err := httpx.OneOf(p.Filter, "status", string(tournament.BotActive), string(tournament.BotPaused), string(tournament.BotRetired))
	if err != nil {
		return err
	}
	f.Status = tournament.BotStatus(status)
	if owner, given := p.Filter["owner"]; given && owner == "me" {
		if f.OwnerID = gate.UserID(c); f.OwnerID == "" {
			return httpx.ErrToken
		}
	} else if f.OwnerID, err = uuidFilter(p.Filter, "owner"); err != nil {
		return err
	}
	rows, next, err := s.store.Bots(c.Request.Context(), f, pageOf(p, store.Newest))
	if err != nil {
		return err
	}
	return httpx.SendPage(c, p, rows, next, botDTO)
}

func (s *Server) createBot(c *gin.Context) error {
	in, err := read[wire.BotCreate](c)
	if err != nil {
		return err
	}
	if err := gate.Unbound(c); err != nil {
		return err
	}
	if err := s.checkBotCreate(&in); err != nil {
		return err
	}
	version := tournament.Version{URL: address(gate.UserID(c), in.URL), Secrets: tournament.Secrets{in.Secret}}
	hello, err := s.hello(c, version)
	if err != nil {
		return err
	}
	version.Author, version.Build, version.WantsText = hello.Author, hello.Build, hello.Text
	if version.Games, err = s.knownGames(hello); err != nil {
		return err
	}
	bot, version, err := s.store.CreateBot(c.Request.Context(), tournament.Bot{OwnerID: gate.UserID(c), Name: in.Name}, version, s.limits.Bots)
	if err != nil {
		return err
	}
	c.Header("Location", "/v1/bots/"+bot.ID)
	return httpx.Send(c, http.StatusCreated, wire.BotCreated{Bot: botDTO(bot), Version: versionDTO(version, true), Secret: in.Secret})
}

// checkBotCreate checks the form of a registration and makes the secret if there is none.
func (s *Server) checkBotCreate(in *wire.BotCreate) error {
	if err := tournament.CheckName("/name", in.Name); err != nil {
		return err
	}
	if err := s.checkBotURL(in.URL); err != nil {
		return err
	}
	if in.Secret == "" {
		secret, err := protocol.NewSecret(s.rand)
		in.Secret = secret
		return err
	}
	if _, err := protocol.ParseKeys(in.Secret); err != nil {
		return &tournament.FieldError{Pointer: "/secret", Reason: err.Error()}
	}
	return nil
}

func (s *Server) checkBotURL(url string) error {
	if url == "" || len(url) > maxURL {
		return &tournament.FieldError{Pointer: "/url", Reason: fmt.Sprintf("wants 1 to %d bytes", maxURL)}
	}
	if name, ok := strings.CutPrefix(url, relayPrefix); ok {
		if tournament.CheckName("", name) != nil {
			return &tournament.FieldError{Pointer: "/url", Reason: "names no mailbox: write relay: and 2 to 32 letters, digits, - or _, the name that molerun connect is given"}
		}
		return nil
	}
	if err := s.checkURL(url); err != nil {
		return &tournament.FieldError{Pointer: "/url", Reason: err.Error()}
	}
	return nil
}

// knownGames are the games of a hello that are played here.
func (s *Server) knownGames(hello protocol.HelloAnswer) ([]string, error) {
	if len(hello.Author) > maxAuthor || len(hello.Build) > protocol.MaxBuildBytes {
		return nil, fmt.Errorf("%w: its hello is too long: author at most %d bytes, build %d", tournament.ErrBot, maxAuthor, protocol.MaxBuildBytes)
	}
	var games []string
	for _, id := range hello.Games {
		if _, ok := s.engines.Find(id); ok && !slices.Contains(games, id) {
			games = append(games, id)
		}
	}
	if len(games) == 0 {
		return nil, fmt.Errorf(`%w: its hello names no game of this platform; answer with "games", as in {"challenge":"…","games":[%q]}`,
			tournament.ErrBot, s.engines[0].Info().ID)
	}
	return games, nil
}

// callError returns why a call of a bot or a webhook failed. Whatever is not a fault of whom we called is ours, and says nothing about it.
func callError(err error) error {
	if err == nil || errors.Is(err, tournament.ErrBot) {
		return err
	}
	return &gate.Unready{Check: "calling the address", Reason: err}
}

func (s *Server) getBot(c *gin.Context) error {
	if _, err := httpx.Query(c); err != nil {
		return err
	}
	bot, err := s.botOf(c)
	if err != nil {
		return err
	}
	version, err := s.store.Version(c.Request.Context(), bot.VersionID)
	if err != nil {
		return err
	}
	mine := gate.OwnsBot(c, bot.OwnerID, bot.ID)
	out := wire.BotDetail{Bot: botDTO(bot), Active: versionDTO(version, mine)}
	if mine {
		out.Private = &wire.BotPrivate{Reason: bot.Reason}
	}
	return httpx.Send(c, http.StatusOK, out)
}

func (s *Server) listVersions(c *gin.Context) error {
	p, err := s.cursors.Page(c)
	if err != nil {
		return err
	}
	bot, err := s.botOf(c)
	if err != nil {
		return err
	}
	versions, err := s.store.Versions(c.Request.Context(), bot.ID)
	if err != nil {
		return err
	}
	rows, next := httpx.Cut(versions, p)
	mine := gate.OwnsBot(c, bot.OwnerID, bot.ID)
	return httpx.SendPage(c, p, rows, next, func(v tournament.Version) wire.BotVersion { return versionDTO(v, mine) })
}

// botOf is the bot the path names.
func (s *Server) botOf(c *gin.Context) (tournament.Bot, error) {
	return named(c, s.store.Bot)
}

func (s *Server) updateBot(c *gin.Context) error {
	in, err := read[wire.BotPatch](c)
	if err != nil {
		return err
	}
	bot, err := s.botOf(c)
	if err == nil && !gate.OwnsBot(c, bot.OwnerID, bot.ID) {
		err = tournament.ErrNotYours
	}
	if err != nil {
		return err
	}
	if bot, err = s.director.TakeChallenges(c.Request.Context(), bot.ID, in.TakesChallenges); err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, botDTO(bot))
}

func healthCheckDTO(k tournament.Check) wire.HealthCheck {
	return wire.HealthCheck{
		At:        k.At,
		VersionID: k.VersionID,
		OK:        k.Failure == "",
		Reason:    k.Failure,
		Build:     k.Build,
		TookMS:    k.Took.Milliseconds(),
	}
}

func ladderStateDTOs(list []tournament.LadderState) []wire.LadderState {
	out := make([]wire.LadderState, len(list))
	for i, s := range list {
		out[i] = wire.LadderState{
			Ladder: s.LadderID, MatchesPerHour: s.MatchesPerHour, Used: s.Used, State: string(s.Code), Text: s.String(), NextAt: s.NextAt,
			Owners: s.Owners, Rating: s.Rating, Matches: s.Rated,
		}
	}
	return out
}

func (s *Server) getBotHealth(c *gin.Context) error {
	p, err := s.cursors.Page(c)
	if err != nil {
		return err
	}
	bot, err := s.botOf(c)
	if err != nil {
		return err
	}
	out := wire.BotHealth{
		Status: string(bot.Status),
		Banned: bot.BannedAt != nil,
		Reason: bot.OpenReason(),
		Data:   []wire.HealthCheck{},
	}
	states, err := s.director.LadderStates(c.Request.Context(), bot)
	if err != nil {
		return err
	}
	out.Ladders = ladderStateDTOs(states)
	if !gate.OwnsBot(c, bot.OwnerID, bot.ID) {
		return httpx.Send(c, http.StatusOK, out)
	}
	rows, next, err := s.store.Checks(c.Request.Context(), bot.ID, pageOf(p, store.Newest))
	if err != nil {
		return err
	}
	for _, r := range rows {
		out.Data = append(out.Data, healthCheckDTO(r))
	}
	out.Next = p.Next(c, next)
	return httpx.Send(c, http.StatusOK, out)
}
