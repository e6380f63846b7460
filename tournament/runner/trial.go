package runner

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// TrialTime returns how long a player may take for a decision on trial.
func TrialTime() time.Duration {
	c := tournament.DefaultClock()
	return c.Limit + c.Bank
}

// ErrLate reports a decision on trial that took too long.
var ErrLate = errors.New(string(tournament.FaultTimeout))

// Trial asks a player for one decision, the first of a match that is dealt from a seed for it alone and goes no further, and returns
// what is wrong with its answer: the error is [tournament.ErrBot] with fault and reason, and of a timeout [ErrLate]. It finds a bot that answers hello and nothing else.
// Any other error is ours.
func Trial(ctx context.Context, e game.Engine, seed game.Seed, p Player) error {
	info := e.Info()
	seats := max(2, info.MinSeats)
	config, err := e.Configure(nil, seats)
	if err != nil {
		return err
	}
	m := tournament.Match{
		Game: info.ID, RulesVersion: info.Version, Config: config, Seed: seed, Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits(),
	}
	commitment := m.Commitment()
	m.ID = "trial-" + hex.EncodeToString(commitment[:8])
	for i := range seats {
		m.Seats = append(m.Seats, tournament.MatchSeat{Alias: fmt.Sprintf("seat-%d", i+1)})
	}
	spec := SpecOf(m, e, nil)
	dealt, err := open(&spec)
	if err != nil {
		return err
	}
	for seat := range dealt.table.Due().Each() {
		briefings := make([]Briefing, seats)
		briefings[seat] = spec.briefing(seat)
		turns, err := dealt.decide(ctx, game.Seats(0).With(seat), slices.Repeat([]Player{p}, seats), briefings)
		if err == nil && turns[0].Fault != "" {
			fault := errors.New(turns[0].Fault)
			if turns[0].Fault == string(tournament.FaultTimeout) {
				fault = ErrLate
			}
			err = fmt.Errorf("%w: a decision on trial in %s: %w: %s", tournament.ErrBot, info.ID, fault, turns[0].Reason)
		}
		return err
	}
	return nil
}
