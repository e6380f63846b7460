package demol

import (
	"errors"
	"fmt"
)

// The smallest and the largest table.
const (
	MinSeats = 5
	MaxSeats = 10
)

// The words of the configuration.
const (
	twoPlayed    = "two_played"
	twoSuccesses = "two_successes"
	everyRound   = "round"
	everyLeader  = "every_leader"
	opportunity  = "opportunity"
)

// maxTalkRounds bounds talk_rounds and vote_talk_rounds.
const maxTalkRounds = 9

// Config is the configuration of a match.
type Config struct {
	// PlotCards adds the expansion with the plot deck; this release refuses it.
	PlotCards bool `json:"plot_cards"`
	// Targeting lets the leader pick the mission too.
	Targeting bool `json:"targeting"`
	// TargetingLastNeeds is when mission 5 may be picked: after "two_played" missions or "two_successes".
	TargetingLastNeeds string `json:"targeting_last_needs"`
	// BlindMoles leaves out the step in which the moles see each other.
	BlindMoles bool `json:"blind_moles"`
	// StrongLeaderWindow is "round" or "every_leader"; it bears on plot cards only.
	StrongLeaderWindow string `json:"strong_leader_window"`
	// PassBinds is "opportunity" or "round"; it bears on plot cards only.
	PassBinds string `json:"pass_binds"`
	// PlotDeck is card → copies; null without plot cards.
	PlotDeck *map[string]int `json:"plot_deck"`
	// TalkRounds is how often all speak before each proposal, 0–9.
	TalkRounds int `json:"talk_rounds"`
	// VoteTalkRounds is how often all speak between a proposal and its vote, 0–9.
	VoteTalkRounds int `json:"vote_talk_rounds"`
}

// Defaults is the base game.
func (Rules) Defaults() Config {
	return Config{TargetingLastNeeds: twoPlayed, StrongLeaderWindow: everyRound, PassBinds: opportunity}
}

// Validate names the key that is wrong.
func (Rules) Validate(c Config, seats int) error {
	if seats < MinSeats || seats > MaxSeats {
		return fmt.Errorf("seats: want %d to %d, got %d", MinSeats, MaxSeats, seats)
	}
	if c.PlotCards {
		return errors.New("plot_cards: the plot deck comes in a later release of these rules, leave it false")
	}
	if c.PlotDeck != nil {
		return errors.New("plot_deck: must be null without plot_cards")
	}
	for _, word := range []struct{ key, got, a, b string }{
		{"targeting_last_needs", c.TargetingLastNeeds, twoPlayed, twoSuccesses},
		{"strong_leader_window", c.StrongLeaderWindow, everyRound, everyLeader},
		{"pass_binds", c.PassBinds, opportunity, everyRound},
	} {
		if word.got != word.a && word.got != word.b {
			return fmt.Errorf("%s: want %q or %q, got %q", word.key, word.a, word.b, word.got)
		}
	}
	for _, count := range []struct {
		key string
		got int
	}{{"talk_rounds", c.TalkRounds}, {"vote_talk_rounds", c.VoteTalkRounds}} {
		if count.got < 0 || count.got > maxTalkRounds {
			return fmt.Errorf("%s: want 0 to %d, got %d", count.key, maxTalkRounds, count.got)
		}
	}
	return nil
}
