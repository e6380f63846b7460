package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/web"
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

func (s *Server) listBots(ctx context.Context, in wire.BotsQuery, p httpx.PageQuery) ([]wire.Bot, string, error) {
	if err := errors.Join(checkName(in.Name), s.checkGame(in.Game)); err != nil {
		return nil, "", err
	}
	switch {
	case in.Owner == "me":
		if in.Owner = gate.UserID(ctx); in.Owner == "" {
			return nil, "", httpx.ErrToken
		}
	case in.Owner != "" && !httpx.IsUUID(in.Owner):
		return nil, "", httpx.BadQuery("owner", "is no id")
	}
	f := store.BotFilter{Name: in.Name, Game: in.Game, OwnerID: in.Owner, Status: tournament.BotStatus(in.Status)}
	rows, next, err := s.Store.Bots(ctx, f, pageOf(p, store.Newest))
	return each(rows, botDTO), next, err
}

func (s *Server) createBot(ctx context.Context, in wire.BotCreate) (wire.BotCreated, error) {
	none := wire.BotCreated{}
	if err := gate.Unbound(ctx); err != nil {
		return none, err
	}
	if err := errors.Join(tournament.CheckName("/name", in.Name), s.checkBotURL(in.URL), s.fillSecret(&in.Secret)); err != nil {
		return none, err
	}
	version := tournament.Version{URL: address(gate.UserID(ctx), in.URL), Secrets: tournament.Secrets{in.Secret}}
	hello, err := s.hello(ctx, version)
	if err != nil {
		return none, err
	}
	version.Author, version.Build, version.WantsText = hello.Author, hello.Build, hello.Text
	if version.Games, err = s.knownGames(hello); err != nil {
		return none, err
	}
	bot, version, err := s.Store.CreateBot(ctx, tournament.Bot{OwnerID: gate.UserID(ctx), Name: in.Name}, version, s.Limits.Bots)
	if err != nil {
		return none, err
	}
	return wire.BotCreated{Bot: botDTO(bot), Version: versionDTO(version, true), Secret: in.Secret}, nil
}

// fillSecret makes a secret if there is none; one that signs nothing is refused.
func (s *Server) fillSecret(secret *string) (err error) {
	if *secret == "" {
		*secret, err = protocol.NewSecret(s.Rand)
		return err
	}
	return checkSecret(*secret)
}

// checkSecret refuses a secret that signs nothing.
func checkSecret(secret string) error {
	if _, err := protocol.ParseKeys(secret); err != nil {
		return &tournament.FieldError{Pointer: "/secret", Reason: tournament.Facts(err, protocol.ErrSecret)}
	}
	return nil
}

func (s *Server) checkBotURL(url string) error {
	for prefix, named := range map[string]string{relayPrefix: "that molerun connect is given", agentPrefix: "of the agent"} {
		if name, ok := strings.CutPrefix(url, prefix); ok && len(url) <= maxURL {
			if tournament.CheckName("", name) != nil {
				return &tournament.FieldError{Pointer: "/url", Reason: "names no mailbox: write " + prefix + " and 2 to 32 letters, digits, - or _, the name " + named}
			}
			return nil
		}
	}
	return s.checkURL(url)
}

// checkURL refuses the form of an address of a bot or a webhook.
func (s *Server) checkURL(url string) error {
	if url == "" || len(url) > maxURL {
		return &tournament.FieldError{Pointer: "/url", Reason: fmt.Sprintf("wants 1 to %d bytes", maxURL)}
	}
	if err := s.CheckURL(url); err != nil {
		return &tournament.FieldError{Pointer: "/url", Reason: gate.Detail(gate.KindOf(tournament.ErrBot), err)}
	}
	return nil
}

// knownGames returns the games of a hello that are played here.
func (s *Server) knownGames(hello protocol.HelloAnswer) ([]string, error) {
	if len(hello.Author) > maxAuthor || len(hello.Build) > protocol.MaxBuildBytes {
		return nil, fmt.Errorf("%w: its hello is too long: author at most %d bytes, build %d", tournament.ErrBot, maxAuthor, protocol.MaxBuildBytes)
	}
	var games []string
	for _, id := range hello.Games {
		if _, ok := s.Engines.Find(id); ok && !slices.Contains(games, id) {
			games = append(games, id)
		}
	}
	if len(games) == 0 {
		return nil, fmt.Errorf(`%w: its hello %s; answer with "games", as in {"challenge":"…","games":[%q]}`, tournament.ErrBot, hello.NamesNone(s.Engines), s.Engines[0].Info().ID)
	}
	return games, nil
}

// callError returns why a call of a bot or a webhook failed. Whatever is not a fault of whom we called is ours, and says nothing about it.
func callError(err error) error {
	if err == nil || errors.Is(err, tournament.ErrBot) {
		return err
	}
	return &gate.Unready{Said: "the platform could not call the address; try again soon", Reason: fmt.Errorf("calling the address: %w", err)}
}

func (s *Server) getBot(ctx context.Context, in op.One) (wire.BotDetail, error) {
	bot, err := s.Store.Bot(ctx, in.ID)
	if err != nil {
		return wire.BotDetail{}, err
	}
	version, err := s.Store.Version(ctx, bot.VersionID)
	if err != nil {
		return wire.BotDetail{}, err
	}
	if gate.OwnsBot(ctx, bot.OwnerID, bot.ID) {
		return myDetail(bot, version), nil
	}
	return wire.BotDetail{Bot: botDTO(bot), Active: versionDTO(version, false)}, nil
}

// myDetail returns what the owner of a bot sees of it.
func myDetail(bot tournament.Bot, version tournament.Version) wire.BotDetail {
	return wire.BotDetail{Bot: botDTO(bot), Active: versionDTO(version, true), Private: &wire.BotPrivate{Reason: bot.Reason}}
}

func (s *Server) listVersions(ctx context.Context, in op.ListOf, p httpx.PageQuery) ([]wire.BotVersion, string, error) {
	bot, err := s.Store.Bot(ctx, in.ID)
	if err != nil {
		return nil, "", err
	}
	versions, err := s.Store.Versions(ctx, bot.ID)
	rows, next := httpx.Cut(versions, p)
	mine := gate.OwnsBot(ctx, bot.OwnerID, bot.ID)
	return each(rows, func(v tournament.Version) wire.BotVersion { return versionDTO(v, mine) }), next, err
}

func (s *Server) updateBot(ctx context.Context, in op.WithID[wire.BotPatch]) (wire.Bot, error) {
	bot, err := s.myBot(ctx, in.ID)
	if err != nil {
		return wire.Bot{}, err
	}
	return as(botDTO)(s.Director.TakeChallenges(ctx, bot.ID, in.Body.TakesChallenges))
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

func ladderStateDTO(s tournament.LadderState) wire.LadderState {
	return wire.LadderState{
		Ladder: s.LadderID, MatchesPerHour: s.MatchesPerHour, Used: s.Used, State: string(s.Code), Text: s.String(), NextAt: s.NextAt,
		Owners: s.Owners, Rating: s.Rating, Matches: s.Rated,
	}
}

func (s *Server) getBotHealth(c *gin.Context) error {
	p, err := s.cursors.Page(c)
	if err != nil {
		return err
	}
	bot, err := web.Named(c, s.Store.Bot)
	if err != nil {
		return err
	}
	out := wire.BotHealth{
		Status: string(bot.Status),
		Banned: bot.BannedAt != nil,
		Reason: bot.OpenReason(),
		Data:   []wire.HealthCheck{},
	}
	states, err := s.Director.LadderStates(c.Request.Context(), bot)
	if err != nil {
		return err
	}
	out.Ladders = each(states, ladderStateDTO)
	if !gate.OwnsBot(c, bot.OwnerID, bot.ID) {
		return httpx.Send(c, http.StatusOK, out)
	}
	if out.Reason != "" {
		out.Reason = bot.Reason
	}
	rows, next, err := s.Store.Checks(c.Request.Context(), bot.ID, pageOf(p, store.Newest))
	if err != nil {
		return err
	}
	out.Data, out.Next = each(rows, healthCheckDTO), p.Next(c, next)
	return httpx.Send(c, http.StatusOK, out)
}
