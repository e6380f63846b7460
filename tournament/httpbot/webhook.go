package httpbot

import (
	"context"
	"crypto/subtle"
	"fmt"
	"io"
	"time"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// typeChallenge is the type of the message that asks whether a webhook is wanted.
const typeChallenge = "webhook.challenge"

type challengeMessage struct {
	Type      string        `json:"type"`
	Timestamp time.Time     `json:"timestamp"`
	Data      challengeText `json:"data"`
}

type challengeText struct {
	Challenge string `json:"challenge"`
}

// Prove asks a webhook's URL to echo a challenge: a receiver that answers it wants our traffic. random feeds the challenge. Whatever
// the receiver did wrong is a [tournament.ErrBot] with the reason; any other error is ours.
func Prove(ctx context.Context, c Config, random io.Reader) error {
	l, err := c.line()
	if err != nil {
		return err
	}
	challenge, err := newChallenge(random)
	if err != nil {
		return err
	}
	o, err := l.message(ctx, protocol.MessageID(typeChallenge, challenge, game.Spectator), challengeMessage{typeChallenge, l.now().UTC(), challengeText{challenge}})
	if err != nil {
		return err
	}
	if o.fault != "" {
		return refusal(o)
	}
	var answer challengeText
	if err := decode(o.body, &answer); err != nil {
		return fmt.Errorf(`%w: the answer to the challenge %w; want {"challenge":"…"} with the text of data.challenge`, tournament.ErrBot, err)
	}
	if subtle.ConstantTimeCompare([]byte(answer.Challenge), []byte(challenge)) != 1 {
		return fmt.Errorf("%w: the answer does not echo the challenge", tournament.ErrBot)
	}
	return nil
}

// Deliver sends one message to a webhook, signed, under a stable id. Every 2xx answer is success; its body is not read. An
// error is ours: nothing is known of the receiver then.
func Deliver(ctx context.Context, c Config, id string, body []byte) (tournament.Attempt, error) {
	l, err := c.line()
	if err != nil { // the URL was allowed once, and is not any more
		return tournament.Attempt{Reason: tournament.Facts(err, tournament.ErrBot)}, nil
	}
	l.any2xx = true
	l.out = append(l.out, body...)
	begin := l.now()
	ctx, cancel := context.WithTimeout(ctx, messageLimit)
	defer cancel()
	o := l.send(ctx, id, begin)
	if o.fault == tournament.FaultPlatform {
		return tournament.Attempt{}, fmt.Errorf("%w: %s", errPlatform, o.reason)
	}
	a := tournament.Attempt{HTTPStatus: o.status, Reason: o.reason, Took: l.now().Sub(begin)}
	if o.status/100 != 2 && o.fault == tournament.FaultStatus {
		a.Reason = fmt.Sprintf(answered+"%d, want 2xx", o.status)
	}
	return a, nil
}
