package httpbot

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"io"
	"time"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/tournament"
)

// helloPatience is how long a bot may be away when it is greeted: a check that falls into a restart must not pause it, and one of a
// dead bot must not hold its place for long.
const helloPatience = 2 * time.Second

// Greet says hello to a URL: it proves that a bot lives there and wants our traffic, and returns its card. random feeds
// the challenge. Whatever the bot did wrong is a [tournament.ErrBot] with the reason; any other error is ours.
func Greet(ctx context.Context, c Config, random io.Reader) (protocol.HelloAnswer, error) {
	none := protocol.HelloAnswer{}
	l, err := c.line()
	if err != nil {
		return none, err
	}
	l.restart = helloPatience
	challenge, err := newChallenge(random)
	if err != nil {
		return none, err
	}
	o, err := l.message(ctx, protocol.MessageID(protocol.TypeHello, challenge, game.Spectator), protocol.Hello{
		Protocol: protocol.Version, Type: protocol.TypeHello, Challenge: challenge,
	})
	if err != nil {
		return none, err
	}
	if o.fault != "" {
		return none, refusal(o)
	}
	var card protocol.HelloAnswer
	if err := decode(o.body, &card); err != nil {
		return none, fmt.Errorf("%w: the answer to hello %w", tournament.ErrBot, err)
	}
	if subtle.ConstantTimeCompare([]byte(card.Challenge), []byte(challenge)) != 1 {
		return none, fmt.Errorf("%w: the answer to hello does not echo the challenge", tournament.ErrBot)
	}
	if err := keepable(card); err != nil {
		return none, fmt.Errorf("%w: the answer to hello: %w", tournament.ErrBot, err)
	}
	return card, nil
}

// decode reads the JSON of an answer.
func decode(body []byte, to any) error {
	plain, err := protocol.Plain(body)
	if err != nil {
		return err
	}
	return strict.Decode(plain, to)
}

// keepable refuses a card with a text that is not kept.
func keepable(h protocol.HelloAnswer) error {
	if len(h.Games) > protocol.MaxGames {
		return fmt.Errorf("games: %d, at most %d are kept", len(h.Games), protocol.MaxGames)
	}
	for _, one := range []struct {
		name, said string
		max        int
	}{
		{"name", h.Name, protocol.MaxNameBytes},
		{"author", h.Author, protocol.MaxNameBytes},
		{"build", h.Build, protocol.MaxBuildBytes},
	} {
		if err := text.Line.Check(one.said, one.max); err != nil {
			return fmt.Errorf("%s: %w", one.name, err)
		}
	}
	for i, id := range h.Games {
		if err := text.Line.Check(id, protocol.MaxNameBytes); err != nil {
			return fmt.Errorf("games: entry %d: %w", i, err)
		}
	}
	return nil
}

func newChallenge(random io.Reader) (string, error) {
	var raw [24]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return "", fmt.Errorf("%w: draw a challenge: %w", errPlatform, err)
	}
	return base64.RawURLEncoding.EncodeToString(raw[:]), nil
}
