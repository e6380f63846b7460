package httpbot

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// Config of a bot behind a URL.
type Config struct {
	URL     string
	Secrets []string         // live ones, at most two; none: messages go out unsigned
	Text    bool             // turns carry the view in words
	Client  *Client          // shared by all bots
	Now     func() time.Time // the clock; nil is the system's
}

func (c Config) line() (*line, error) {
	now := c.Now
	if now == nil {
		now = systemNow
	}
	return newLine(c.Client, c.URL, c.Secrets, now)
}

// Bot is a [runner.Player]: one seat of one match. It is not safe for concurrent use.
type Bot struct {
	line      *line
	text      bool
	turn      protocol.Turn
	previous  protocol.Previous
	roundTrip time.Duration
}

var (
	_ runner.Player = (*Bot)(nil)
	_ runner.Reader = (*Bot)(nil)
)

// New makes the player of one seat. The error is [tournament.ErrBot] for a refused URL and [protocol.ErrSecret] for a
// refused secret.
func New(c Config) (*Bot, error) {
	l, err := c.line()
	if err != nil {
		return nil, err
	}
	l.places, l.restart = c.Client.asks, math.MaxInt64 // the deadline is its only limit
	if l.mailbox != nil {
		l.patience, l.again = servedPatience*l.patience, mailAgain
	}
	return &Bot{line: l, text: c.Text}, nil
}

// servedPatience is how much longer than any other want of ours it is waited out that nobody serves the API: a release may take two minutes.
const servedPatience = 24

// RoundTrip returns the kernel's smoothed round trip of the connection last used; 0 if unknown.
func (b *Bot) RoundTrip() time.Duration { return b.roundTrip }

// WantsText reports whether turns carry the view in words.
func (b *Bot) WantsText() bool { return b.text }

// Ask sends the turn and reads the answer, until ctx ends at the latest.
func (b *Bot) Ask(ctx context.Context, br runner.Briefing, a runner.Ask) runner.Reply {
	b.fill(br, a)
	b.line.out = b.turn.AppendJSON(b.line.out[:0])
	o := b.line.send(ctx, a.Decision, b.line.set(ctx, a.Limit))
	reply := runner.Reply{Fault: o.fault, Reason: o.reason, Ledger: o.ledger}
	if o.fault != "" {
		return reply
	}
	b.roundTrip = o.ledger.RoundTrip
	answer, notes, err := protocol.ParseAnswer(o.body)
	switch {
	case err != nil:
		reply.Fault, reply.Reason = tournament.FaultBadJSON, "the answer "+err.Error()
	case answer.Decision != "" && answer.Decision != a.Decision:
		reply.Fault, reply.Reason = tournament.FaultWrongDecision, fmt.Sprintf("asked for %s, the answer is for %s", a.Decision, protocol.Quote(answer.Decision))
	default:
		reply.Action, reply.Choose, reply.Then = answer.Action, answer.Choose, answer.Then
		reply.Say, reply.Memo, reply.Debug, reply.Build = answer.Say, answer.Memo, answer.Debug, answer.Build
		reply.Usage, reply.Belief = answer.Usage, answer.Belief
		reply.Note = strings.Join(notes, "; ")
	}
	return reply
}

// set returns when the deadline of ctx was set, for a limit from then on: whoever set it may have had to wait for a processor.
func (l *line) set(ctx context.Context, limit time.Duration) time.Time {
	now := l.now()
	if deadline, ok := ctx.Deadline(); ok && limit > 0 && deadline.Before(now.Add(limit)) {
		return deadline.Add(-limit)
	}
	return now
}

// fill makes the turn of a, reusing what it holds.
func (b *Bot) fill(br runner.Briefing, a runner.Ask) {
	b.turn = protocol.Turn{
		Protocol: protocol.Version, Type: protocol.TypeTurn, Match: br.Match, Game: br.Info.ID, RulesVersion: br.Info.Version,
		Config: br.Config, Seat: br.Seat, Opponents: opponents(b.turn.Opponents[:0], br), Step: a.Step, Decision: a.Decision,
		Clock: clock(br.Clock, a.Bank), Events: a.Events, View: a.View, Offer: a.Offer, Memo: a.Memo, Text: a.Text,
		Asks: protocol.Questions(a.Asks),
	}
	if p := a.Previous; p != nil {
		b.previous = protocol.Previous{Status: p.Status, ElapsedMS: p.Elapsed.Milliseconds(), ChargedMS: p.Charged.Milliseconds(), Reason: p.Reason}
		b.turn.Previous = &b.previous
	}
}

func opponents(list []protocol.Opponent, br runner.Briefing) []protocol.Opponent {
	for i, alias := range br.Aliases {
		if seat := game.Seat(i); seat != br.Seat {
			list = append(list, protocol.Opponent{Seat: seat, Alias: alias})
		}
	}
	return list
}

func clock(c tournament.Clock, bank time.Duration) protocol.Clock {
	return protocol.Clock{LimitMS: c.Limit.Milliseconds(), BankMS: bank.Milliseconds(), IncrementMS: c.Increment.Milliseconds()}
}

// Start tells the bot that it has a seat. The answer counts only as a sign of life.
func (b *Bot) Start(ctx context.Context, br runner.Briefing) error {
	return b.tell(ctx, protocol.MessageID(protocol.TypeStart, br.Match, br.Seat), protocol.Start{
		Protocol: protocol.Version, Type: protocol.TypeStart, Match: br.Match, Game: br.Info.ID, RulesVersion: br.Info.Version,
		Config: br.Config, Seat: br.Seat, Opponents: opponents([]protocol.Opponent{}, br), Clock: clock(br.Clock, br.Clock.Bank),
		Commitment: hex.EncodeToString(br.Commitment[:]),
	})
}

// End tells the bot the result; that it may not listen any more is its own affair.
func (b *Bot) End(ctx context.Context, br runner.Briefing, result *game.Result, rank int) {
	_ = b.tell(ctx, protocol.MessageID(protocol.TypeEnd, br.Match, br.Seat), protocol.End{
		Protocol: protocol.Version, Type: protocol.TypeEnd, Match: br.Match, Game: br.Info.ID, Seat: br.Seat, Result: result, Rank: rank,
	})
}

func (b *Bot) tell(ctx context.Context, id string, message any) error {
	o, err := b.line.message(ctx, id, message)
	if err == nil && o.fault != "" {
		err = fmt.Errorf("%s: %s", o.fault, o.reason)
	}
	if o.fault == "" {
		b.roundTrip = o.ledger.RoundTrip
	}
	return err
}

// message sends what is not timed by a match, so it has a limit of its own.
func (l *line) message(ctx context.Context, id string, message any) (outcome, error) {
	body, err := json.Marshal(message)
	if err != nil {
		return outcome{}, fmt.Errorf("write a message: %w", err)
	}
	l.out = append(l.out[:0], body...)
	since := l.now()
	ctx, cancel := context.WithTimeout(ctx, messageLimit)
	defer cancel()
	return l.send(ctx, id, since), nil
}

var errPlatform = errors.New("the platform could not ask")

// refusal returns the error of a hello that failed: the bot's own ([tournament.ErrBot]) or ours.
func refusal(o outcome) error {
	if o.fault == tournament.FaultPlatform {
		return fmt.Errorf("%w: %s", errPlatform, o.reason)
	}
	return &Refusal{Fault: o.fault, Status: o.status, reason: o.reason}
}

// Refusal reports, as a [tournament.ErrBot], what a bot did wrong with a message that it has to answer.
type Refusal struct {
	Fault  tournament.Fault
	Status int // of the answer; 0: no whole answer came
	reason string
}

// Error returns the fault and its reason.
func (r *Refusal) Error() string {
	return fmt.Sprintf("%s: %s: %s", tournament.ErrBot, r.Fault, r.reason)
}

// Unwrap returns the code of the error.
func (r *Refusal) Unwrap() error { return tournament.ErrBot }
