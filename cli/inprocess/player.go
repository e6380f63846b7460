package inprocess

import (
	"context"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// Player seats a bot of this process. It has no clock: its time is ours.
func Player(decide kit.Decide) runner.Player { return player{decide: decide} }

type player struct {
	Quiet
	decide kit.Decide
}

// Quiet is a [runner.Player] without its decisions, that knows all it needs from the turn.
type Quiet struct{}

// Start does nothing.
func (Quiet) Start(context.Context, runner.Briefing) error { return nil }

// End does nothing.
func (Quiet) End(context.Context, runner.Briefing, *game.Result, int) {}

// RoundTrip returns 0: there is no network.
func (Quiet) RoundTrip() time.Duration { return 0 }

// Ask shows the bot what the wire would show it.
func (p player) Ask(ctx context.Context, br runner.Briefing, a runner.Ask) runner.Reply {
	turn := Turn(br, a)
	answer, err := p.decide(ctx, &turn)
	if err != nil {
		return runner.Reply{Fault: tournament.FaultPlatform, Reason: "the house bot could not decide: " + err.Error()}
	}
	return runner.Reply{
		Action: answer.Action, Choose: answer.Choose, Then: answer.Then, Say: answer.Say, Memo: answer.Memo, Debug: answer.Debug, Build: answer.Build,
		Usage: answer.Usage, Belief: answer.Belief,
	}
}

// Turn returns what the wire would show of a decision.
func Turn(br runner.Briefing, a runner.Ask) protocol.Turn {
	turn := protocol.Turn{
		Protocol: protocol.Version, Type: protocol.TypeTurn, Match: br.Match, Game: br.Info.ID, RulesVersion: br.Info.Version,
		Config: br.Config, Seat: br.Seat, Step: a.Step, Decision: a.Decision, Events: a.Events, View: a.View, Offer: a.Offer, Memo: a.Memo, Text: a.Text,
		Asks:  protocol.Questions(a.Asks),
		Clock: protocol.Clock{LimitMS: br.Clock.Limit.Milliseconds(), BankMS: a.Bank.Milliseconds(), IncrementMS: br.Clock.Increment.Milliseconds()},
	}
	if last := a.Previous; last != nil {
		turn.Previous = &protocol.Previous{Status: last.Status, ElapsedMS: last.Elapsed.Milliseconds(), ChargedMS: last.Charged.Milliseconds(), Reason: last.Reason}
	}
	for i, alias := range br.Aliases {
		if seat := game.Seat(i); seat != br.Seat {
			turn.Opponents = append(turn.Opponents, protocol.Opponent{Seat: seat, Alias: alias})
		}
	}
	return turn
}
