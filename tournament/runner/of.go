package runner

import (
	"encoding/hex"
	"fmt"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
)

// SpecOf is a match as it is played, resumed and played again: whoever needs the record of a match builds it here, since
// its hashes begin with the header. An engine of another game or other rules is [tournament.ErrState].
func SpecOf(m tournament.Match, engine game.Engine, recorded []Step) (Spec, error) {
	if info := engine.Info(); info.ID != m.Game || info.Version != m.RulesVersion {
		return Spec{}, fmt.Errorf("%w: the match was played by rules %d of %s, this program has rules %d of %s: use the release that played it (%s)",
			tournament.ErrState, m.RulesVersion, m.Game, info.Version, info.ID, m.Engine)
	}
	commitment := m.Commitment()
	s := Spec{
		Header: replay.Header{
			Format: replay.Format, Match: m.ID, Game: m.Game, RulesVersion: m.RulesVersion, Engine: m.Engine, Config: m.Config,
			Seats: make([]replay.Seat, len(m.Seats)), Commitment: hex.EncodeToString(commitment[:]),
		},
		Engine: engine, Seed: m.Seed, Clock: m.Clock, Limits: m.Limits, Recorded: recorded,
	}
	for i, seat := range m.Seats {
		s.Header.Seats[i] = replay.Seat{Alias: seat.Alias, Bot: seat.BotName, Build: seat.Build}
	}
	return s, nil
}
