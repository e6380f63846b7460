package check

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
)

func (r *run) greet(ctx context.Context, secrets ...string) (protocol.HelloAnswer, error) {
	return httpbot.Greet(ctx, httpbot.Config{URL: r.URL, Secrets: secrets, Client: r.client, Now: r.Now}, r.Random)
}

// hello reads the bot's card; false if there is no use in going on.
func (r *run) hello(ctx context.Context) bool {
	card, err := r.greet(ctx, r.Secrets...)
	if err != nil {
		next := httpbot.AtHello(err, len(r.Secrets) > 0)
		if other := r.otherScheme(ctx); other != "" {
			next = "the bot speaks " + strings.Split(other, "://")[0] + ": check " + other
		}
		r.found(Fault, "hello", "", reason(err), next)
		return false
	}
	r.report.Card = card
	var play, strange []string
	for _, id := range card.Games {
		if slices.ContainsFunc(r.Games, func(e game.Engine) bool { return e.Info().ID == id }) {
			play = append(play, id)
		} else {
			strange = append(strange, protocol.Quote(id))
		}
	}
	if len(play) == 0 {
		r.found(Fault, "hello", "", "the answer "+card.NamesNone(r.Games), `add "games":["molehill"] to the answer to hello`)
		return false
	}
	r.found(OK, "hello", "", fmt.Sprintf("%s echoes the challenge and plays %s", called(card), strings.Join(play, ", ")), "")
	if len(strange) > 0 {
		r.found(Advice, "hello", "", "the answer names games that the platform does not have: "+strings.Join(strange, ", "), "take them out of \"games\"")
	}
	if card.Name == "" {
		r.found(Advice, "hello", "", "the answer has no name", `add "name":"…": people will see it`)
	}
	return r.again(ctx)
}

// otherScheme returns the bot's URL with https for http, or http for https, if the bot answers a hello there; "" if not.
func (r *run) otherScheme(ctx context.Context) string {
	other, isHTTPS := strings.CutPrefix(r.URL, "https://")
	if other = "http://" + other; !isHTTPS {
		other = "https://" + strings.TrimPrefix(r.URL, "http://")
	}
	if r.rawHello(ctx, other).Fault != "" {
		return ""
	}
	return other
}

// again says hello on a second connection, while the first is kept: false if that brings no answer.
func (r *run) again(ctx context.Context) bool {
	back := r.rawHello(ctx, r.URL)
	if back.Fault != "" {
		r.found(Fault, "parallel", "", "hello on a second connection, while a first is kept open: "+back.String(), sideBySide)
		return false
	}
	if text := against(r.messages["hello_answer"], back.Body); text != "" {
		r.found(Advice, "hello", "", "the answer does not fit its schema: "+text, "see molerun schema protocol hello_answer")
	}
	return true
}

// rawHello says hello to a URL, and looks at nothing of the answer.
func (r *run) rawHello(ctx context.Context, url string) reply {
	return r.send(ctx, url, r.sign(protocol.MessageID(protocol.TypeHello, r.match, game.Spectator), []byte(`{"protocol":1,"type":"hello","challenge":"`+r.match+`"}`)))
}

const sideBySide = "let the server answer requests side by side (in Python: ThreadingHTTPServer): several matches run at once, over kept connections"

func called(card protocol.HelloAnswer) string {
	if card.Name == "" {
		return "the bot"
	}
	return protocol.Quote(card.Name)
}

func reason(err error) string { return tournament.Facts(err, tournament.ErrBot) }

// signatures sends what the platform would never send: a bot that has a secret must refuse it.
func (r *run) signatures(ctx context.Context) {
	if len(r.Secrets) == 0 {
		r.found(Advice, "signature", "", "unsigned messages are accepted: anybody who finds the URL can ask the bot",
			"set MOLERUN_SECRET for the bot and for this check; you get the secret when you register the bot")
		return
	}
	foreign, err := protocol.NewSecret(r.Random)
	if err != nil {
		return
	}
	other, err := protocol.ParseKeys(foreign)
	if err != nil {
		return
	}
	good := true
	if _, err := r.greet(ctx, foreign, r.Secrets[0]); err != nil {
		good = false
		r.found(Fault, "signature", "", "with two signatures, as while a secret is rotated, the message is refused: "+reason(err),
			"split webhook-signature at spaces and accept if any of them fits")
	}
	for _, p := range r.forgeries(other) {
		accepted, back := r.accepts(ctx, p)
		if !r.afterRefusal(ctx, "signature") {
			good = false
		}
		refused := back.Status/100 == 4
		switch {
		case accepted && p.old:
			good = false
			r.found(Advice, "signature", "", p.name+" is accepted", "refuse a webhook-timestamp that is more than five minutes off")
		case accepted:
			good = false
			r.found(Fault, "signature", "", p.name+" is accepted", "compute HMAC-SHA256 over id.timestamp.body and answer 401 if no signature fits")
		case !refused:
			good = false
			r.found(Advice, "signature", "", fmt.Sprintf("%s: %s", p.name, back), "answer 401, after the whole body is read")
		}
	}
	if good {
		r.found(OK, "signature", "", "what the platform signed is accepted, all else refused", "")
	}
}

// afterRefusal says hello on the connection on which a message was refused, and on a new one if that fails: a bot that refuses before
// it has read the body takes the rest of it for the next message. It reports whether all was well, and finds this once. Later messages
// get a new connection, so that nothing else is blamed.
func (r *run) afterRefusal(ctx context.Context, what string) bool {
	kept := r.rawHello(ctx, r.URL)
	if kept.Fault == "" {
		return true
	}
	r.raw.Close()
	r.raw = httpbot.NewClient(httpbot.Options{Guard: r.Guard})
	if kept.Status == 0 { // the bot has closed the connection, as it may
		return true
	}
	if r.rawHello(ctx, r.URL).Fault == "" && !r.hasty {
		r.hasty = true
		r.found(Fault, what, "", "after a message that the bot refuses, the next on the same connection is not understood: "+kept.String(),
			"read the whole body before you answer, whatever the answer is, or close the connection")
	}
	return false
}

// forgery is a hello that is not genuine.
type forgery struct {
	name string
	old  bool
	httpbot.Message
	challenge string
}

func (r *run) forgeries(other protocol.Keys) []forgery {
	now := r.Now()
	made := func(name string, change func(*httpbot.Message)) forgery {
		challenge := r.match + " " + name
		body, err := json.Marshal(protocol.Hello{Protocol: protocol.Version, Type: protocol.TypeHello, Challenge: challenge})
		if err != nil {
			panic("check: a hello cannot be written as JSON: " + err.Error())
		}
		id := protocol.MessageID(protocol.TypeHello, challenge, game.Spectator)
		l := httpbot.Message{ID: id, At: now, Signature: r.keys.Sign(id, now, body), Body: body}
		change(&l)
		return forgery{name: name, Message: l, challenge: challenge}
	}
	old := made("a message that is ten minutes old", func(l *httpbot.Message) {
		l.At = now.Add(-10 * time.Minute)
		l.Signature = r.keys.Sign(l.ID, l.At, l.Body)
	})
	old.old = true
	return []forgery{
		made("a message signed with another secret", func(l *httpbot.Message) { l.Signature = other.Sign(l.ID, l.At, l.Body) }),
		made("a message without a signature", func(l *httpbot.Message) { l.Signature = "" }),
		made("a message changed after it was signed", func(l *httpbot.Message) { l.Body = append(l.Body, ' ') }),
		made("a message under another webhook-id", func(l *httpbot.Message) { l.ID += "0" }),
		made("a message under another webhook-timestamp", func(l *httpbot.Message) { l.At = l.At.Add(time.Second) }),
		old,
	}
}

func (r *run) accepts(ctx context.Context, p forgery) (bool, reply) {
	back := r.send(ctx, r.URL, p.Message)
	var card protocol.HelloAnswer
	return back.Fault == "" && json.Unmarshal(back.Body, &card) == nil && card.Challenge == p.challenge, back
}
