package runner

import (
	"encoding/hex"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
)

// SpecOf returns the Spec of a match: on a platform one that was claimed at least once, as before its Engine is unknown. The header
// follows from the match alone, so that every attempt and every later writing of the record give the same bytes.
func SpecOf(m tournament.Match, engine game.Engine, recorded []Step) Spec {
	commitment := m.Commitment()
	h := replay.Header{
		Format: replay.Format, Match: m.ID, Game: m.Game, RulesVersion: m.RulesVersion, Engine: m.Engine, Config: m.Config,
		Commitment: hex.EncodeToString(commitment[:]),
	}
	for _, s := range m.Seats {
		h.Seats = append(h.Seats, replay.Seat{Alias: s.Alias, Bot: s.BotName, Build: s.Build})
	}
	return Spec{Header: h, Engine: engine, Seed: m.Seed, Clock: m.Clock, Limits: m.Limits, Beliefs: m.Beliefs, Recorded: recorded}
}
