package live

import (
	"encoding/hex"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/tournament"
)

// SeatList returns a set of seats as a list of numbers.
func SeatList(m game.Seats) []int {
	out := []int{}
	for seat := range m.Each() {
		out = append(out, int(seat))
	}
	return out
}

// MatchOf returns a match as everyone may see it now.
func MatchOf(m tournament.Match, sec Secrecy) wire.Match {
	commitment := m.Commitment()
	out := wire.Match{
		ID:           m.ID,
		TournamentID: m.TournamentID,
		Round:        m.Round,
		Block:        m.Block,
		Number:       m.Number,
		Game:         m.Game,
		RulesVersion: m.RulesVersion,
		Config:       m.Config,
		Clock:        ClockOf(m.Clock),
		Beliefs:      m.Beliefs,
		Rated:        m.Rated,
		LadderID:     m.LadderID,
		Seats:        make([]wire.MatchSeat, 0, len(m.Seats)),
		Status:       string(m.Status),
		Reason:       m.Reason,
		Sealed:       sec.Why(),
		Commitment:   hex.EncodeToString(commitment[:]),
		CreatedAt:    m.CreatedAt,
		StartedAt:    m.StartedAt,
		EndedAt:      m.EndedAt,
		VoidCause:    string(m.VoidCause),
		ReplayedAs:   m.ReplayedAs,
		ReplayOf:     m.ReplayOf,
		Replay:       m.Replay,
	}
	for _, seat := range m.Seats {
		s := wire.MatchSeat{Seat: int(seat.Seat), Alias: seat.Alias}
		if sec.Names {
			s.BotID, s.Bot, s.VersionID, s.Build = seat.BotID, seat.BotName, seat.VersionID, seat.Build
		}
		out.Seats = append(out.Seats, s)
	}
	if sec.Open {
		out.Outcome = outcomeOf(m)
	}
	return out
}

func outcomeOf(m tournament.Match) *wire.Outcome {
	o := &wire.Outcome{
		Rank:    append([]int{}, m.Rank...),
		Retired: SeatList(m.Retired),
		Faults:  make([]int, 0, len(m.Seats)),
		Steps:   m.Steps,
		Seed:    m.Seed.String(),
		Nonce:   hex.EncodeToString(m.Nonce[:]),
		Hash:    m.Hash,
	}
	var used claim.Used
	believed := 0
	for _, seat := range m.Seats {
		o.Faults = append(o.Faults, seat.Faults)
		u := seat.Used
		o.Usage = append(o.Usage, wire.Usage{Decisions: u.Decisions, InputTokens: u.InputTokens, OutputTokens: u.OutputTokens, CostUSD: u.CostUSD()})
		used.Sum(u)
		b := wire.Beliefs{Beliefs: seat.Own.Beliefs}
		b.Brier, b.Log = seat.Own.Rounded()
		b.RulesBrier, b.RulesLog = seat.Rules.Rounded()
		o.Beliefs = append(o.Beliefs, b)
		believed += b.Beliefs
	}
	if believed == 0 {
		o.Beliefs = nil
	}
	if used.Decisions == 0 {
		o.Usage = nil
	}
	if r := m.Result; r != nil {
		o.Apart = m.Rated && m.Retired != 0 && len(r.Team) > 0
		o.Result = new(wire.Result(*r))
	}
	return o
}

// ClockOf returns a time control in milliseconds.
func ClockOf(c tournament.Clock) wire.Clock {
	return wire.Clock{
		LimitMS:            c.Limit.Milliseconds(),
		BankMS:             c.Bank.Milliseconds(),
		IncrementMS:        c.Increment.Milliseconds(),
		NetworkAllowanceMS: c.Allowance.Milliseconds(),
	}
}
