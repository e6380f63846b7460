package demol

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/molerun/molerun/engines/game"
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
	// PlotCards adds the expansion with the plot deck.
	PlotCards bool `json:"plot_cards"`
	// Targeting lets the leader pick the mission too.
	Targeting bool `json:"targeting"`
	// TargetingLastNeeds is when mission 5 may be picked: after "two_played" missions or "two_successes".
	TargetingLastNeeds string `json:"targeting_last_needs"`
	// BlindMoles leaves out the step in which the moles see each other.
	BlindMoles bool `json:"blind_moles"`
	// StrongLeaderWindow is when a Strong Leader may be played: once at the start of a "round", or once before
	// "every_leader" acts, so that a round may see several.
	StrongLeaderWindow string `json:"strong_leader_window"`
	// PassBinds is what declining a plot card rules out: playing it at this "opportunity", or any in this mission "round".
	PassBinds string `json:"pass_binds"`
	// PlotDeck is card → copies, 0–15 each, 60 in all at most and enough for five rounds; null is the printed deck.
	PlotDeck *map[string]int `json:"plot_deck"`
	// TalkRounds is how often all speak before each proposal, 0–9.
	TalkRounds int `json:"talk_rounds"`
	// VoteTalkRounds is how often all speak between a proposal and its vote, 0–9.
	VoteTalkRounds int `json:"vote_talk_rounds"`
}

// Defaults returns the base game.
func (Rules) Defaults() Config {
	return Config{TargetingLastNeeds: twoPlayed, StrongLeaderWindow: everyRound, PassBinds: opportunity}
}

// Validate names the key that is wrong.
func (Rules) Validate(c Config, seats int) error {
	if err := game.Within(game.Bound{Key: "seats", Got: seats, Min: MinSeats, Max: MaxSeats}); err != nil {
		return err
	}
	if c.PlotDeck != nil {
		if err := c.validateDeck(seats); err != nil {
			return err
		}
	}
	return cmp.Or(
		game.OneOf("targeting_last_needs", c.TargetingLastNeeds, twoPlayed, twoSuccesses),
		game.OneOf("strong_leader_window", c.StrongLeaderWindow, everyRound, everyLeader),
		game.OneOf("pass_binds", c.PassBinds, opportunity, everyRound),
		game.Within(
			game.Bound{Key: "talk_rounds", Got: c.TalkRounds, Min: 0, Max: maxTalkRounds},
			game.Bound{Key: "vote_talk_rounds", Got: c.VoteTalkRounds, Min: 0, Max: maxTalkRounds},
		),
	)
}

// MaxSteps counts five attempts in each of five rounds. Before a vote everybody may be asked for a Strong Leader and talk, after it
// for a No Confidence. In a round, besides, plot cards are given and take effect, everybody is asked for a Spotlight and a Close
// Eye, and again after playing one, and the mission is played.
func (Rules) MaxSteps(c Config, seats int) (int, string) {
	attempt := 2*seats + c.TalkRounds + c.VoteTalkRounds + 3 // the team, and a vote of two parts
	round := 2*maxDrawn + 2*(seats+maxPlays) + 2             // a mission of two parts
	return missions * (maxAttempts*attempt + round), "talk_rounds, vote_talk_rounds"
}

func (c Config) validateDeck(seats int) error {
	if !c.PlotCards {
		return errors.New("plot_deck: must be null without plot_cards")
	}
	total := 0
	for _, name := range slices.Sorted(maps.Keys(*c.PlotDeck)) {
		copies := (*c.PlotDeck)[name]
		if cardNamed(name) == NoCard {
			return fmt.Errorf("plot_deck: there is no card %q", name)
		}
		if copies < 0 || copies > maxCopies {
			return fmt.Errorf("plot_deck: want 0 to %d copies of %s, got %d", maxCopies, name, copies)
		}
		total += copies
	}
	if least := missions * cardsPerRound[seats]; total < least || total > maxDeck {
		return fmt.Errorf("plot_deck: want %d to %d cards at %d seats, got %d", least, maxDeck, seats, total)
	}
	return nil
}
