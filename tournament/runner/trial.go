package runner

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
)

// Trial asks a player for one decision, the first of a match that is dealt from a seed for it alone and goes no further, and returns
// what is wrong with its answer: the error is [tournament.ErrBot] with fault and reason. Who answers hello and nothing else is
// found so. Any other error is ours.
func Trial(ctx context.Context, e game.Engine, seed game.Seed, p Player) error {
	info := e.Info()
	seats := max(2, info.MinSeats)
	config, err := e.Configure(nil, seats)
	if err != nil {
		return err
	}
	commitment := seed.Commit([16]byte{})
	h := replay.Header{
		Format: replay.Format, Match: "trial-" + hex.EncodeToString(commitment[:8]), Game: info.ID, RulesVersion: info.Version, Config: config,
		Commitment: hex.EncodeToString(commitment[:]),
	}
	for i := range seats {
		h.Seats = append(h.Seats, replay.Seat{Alias: fmt.Sprintf("seat-%d", i+1)})
	}
	spec := Spec{Header: h, Engine: e, Seed: seed, Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits()}
	m, err := open(&spec)
	if err != nil {
		return err
	}
	for seat := range m.table.Due().Each() {
		briefings := make([]Briefing, seats)
		briefings[seat] = spec.briefing(seat)
		turns, err := m.decide(ctx, game.Seats(0).With(seat), slices.Repeat([]Player{p}, seats), briefings)
		if err == nil && turns[0].Fault != "" {
			err = fmt.Errorf("%w: a decision on trial in %s: %s: %s", tournament.ErrBot, info.ID, turns[0].Fault, turns[0].Reason)
		}
		return err
	}
	return nil
}
