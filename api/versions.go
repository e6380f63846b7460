package api

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/tournament"
)

// maxVersionNote bounds the note of a version, in bytes.
const maxVersionNote = 200

func (s *Server) createVersion(c *gin.Context, in op.WithID[wire.VersionCreate]) error {
	v, err := s.addVersion(gate.Context(c), in)
	if err != nil {
		return err
	}
	c.Header("Location", "/v1/bots/"+in.ID+"/versions") // a version has no path of its own
	return send(c, wire.CreateVersion.Spec, v)
}

func (s *Server) addVersion(ctx context.Context, in op.WithID[wire.VersionCreate]) (wire.BotVersion, error) {
	none := wire.BotVersion{}
	if err := s.checkVersionCreate(in.Body); err != nil {
		return none, err
	}
	bot, active, err := s.myLivingBot(ctx, in.ID)
	if err != nil {
		return none, err
	}
	v := tournament.Version{
		BotID: bot.ID,
		URL:   address(bot.OwnerID, in.Body.URL),
		Note:  in.Body.Note,
		Build: in.Body.Build,
	}
	greeted := v
	greeted.Secrets = active.Secrets // as they are now; the version gets them as they are when it is made
	if in.Body.Secret != "" {
		v.Secrets = tournament.Secrets{in.Body.Secret}
		greeted.Secrets = v.Secrets
	}
	hello, err := s.hello(ctx, greeted)
	if err != nil {
		return none, err
	}
	v.Author, v.Build, v.WantsText = hello.Author, hello.Build, hello.Text
	if v.Games, err = s.knownGames(hello); err != nil {
		return none, err
	}
	if v, err = s.Store.AddVersion(ctx, v, s.Limits.Versions); err != nil {
		return none, err
	}
	return versionDTO(v, true), nil
}

func (s *Server) checkVersionCreate(in wire.VersionCreate) error {
	errs := []error{s.checkBotURL(in.URL)}
	if in.Secret != "" {
		errs = append(errs, checkSecret(in.Secret))
	}
	if in.Build != "" {
		err := tournament.CheckText("/build", in.Build, protocol.MaxBuildBytes)
		if err == nil && len(in.Build) > protocol.MaxBuildBytes { // a bot could not say it
			err = &tournament.FieldError{Pointer: "/build", Reason: fmt.Sprintf("wants at most %d bytes", protocol.MaxBuildBytes)}
		}
		errs = append(errs, err)
	}
	if in.Note != "" {
		errs = append(errs, tournament.CheckText("/note", in.Note, maxVersionNote))
	}
	return errors.Join(errs...)
}

// hello greets a version, counted against the caller's rate. One that says another build than the version's is refused: it
// is not that version.
func (s *Server) hello(ctx context.Context, v tournament.Version) (protocol.HelloAnswer, error) {
	leave, err := s.gate.HoldCall(ctx)
	if err != nil {
		return protocol.HelloAnswer{}, err
	}
	defer leave()
	if _, is := tournament.AgentName(v.URL); is { // whoever registers an agent is about to have it play
		if err := s.Store.Attend(ctx, v.URL, tournament.AgentAway); err != nil {
			return protocol.HelloAnswer{}, err
		}
	}
	hello, err := s.Greet(ctx, v.URL, v.Secrets)
	if err != nil {
		return hello, callError(err)
	}
	if v.Build != "" && hello.Build != v.Build {
		return hello, fmt.Errorf("%w: its hello says build %q, want %q; what runs there is not this version", tournament.ErrBot, hello.Build, v.Build)
	}
	return hello, nil
}

// promoteVersion greets a version of the caller's bot, and lets it play.
func (s *Server) promoteVersion(ctx context.Context, in op.WithID[wire.VersionPromote]) (wire.BotDetail, error) {
	none, number := wire.BotDetail{}, in.Body.Number
	bot, _, err := s.myLivingBot(ctx, in.ID)
	if err != nil {
		return none, err
	}
	versions, err := s.Store.Versions(ctx, bot.ID)
	if err != nil {
		return none, err
	}
	i := slices.IndexFunc(versions, func(v tournament.Version) bool { return v.Number == number })
	if i < 0 {
		return none, &tournament.FieldError{Pointer: "/number", Reason: "names no version; the bot has 1 to " + strconv.Itoa(versions[0].Number)}
	}
	if versions[i].ID == bot.VersionID {
		return none, fmt.Errorf("%w: version %d plays already", tournament.ErrState, number)
	}
	if _, err := s.hello(ctx, versions[i]); err != nil {
		return none, err
	}
	bot, err = s.Director.Promote(ctx, bot.ID, versions[i].ID)
	return myDetail(bot, versions[i]), err
}

func (s *Server) rotateBotSecret(ctx context.Context, in op.One) (wire.SecretRotated, error) {
	_, version, err := s.myLivingBot(ctx, in.ID)
	if err != nil {
		return wire.SecretRotated{}, err
	}
	secret, err := protocol.NewSecret(s.Rand)
	if err != nil {
		return wire.SecretRotated{}, err
	}
	version, err = s.Store.RotateSecret(ctx, version.ID, secret)
	return wire.SecretRotated{Secret: secret, Secrets: len(version.Secrets)}, err
}

func (s *Server) dropOldBotSecret(ctx context.Context, in op.One) (wire.SecretsLive, error) {
	_, version, err := s.myLivingBot(ctx, in.ID)
	if err != nil {
		return wire.SecretsLive{}, err
	}
	version, err = s.Store.DropOldSecret(ctx, version.ID)
	return wire.SecretsLive{Secrets: len(version.Secrets)}, err
}
