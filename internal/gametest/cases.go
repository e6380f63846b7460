package gametest

import (
	"encoding/json"
	"fmt"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
)

// Case is one configuration at one table size.
type Case struct {
	Config string // a JSON object; empty is the base variant
	Seats  int
}

// String names the case in test output.
func (c Case) String() string { return fmt.Sprintf("%d_seats%s", c.Seats, c.Config) }

// Cases says where and how hard [Run] checks.
type Cases[S, A any] struct {
	// List is what is checked; empty: [Variants], every named variant at every table size.
	List []Case
	// MaxSteps is the bound within which every match must end.
	MaxSteps int
	// Matches per case and law; 0 is 2.
	Matches int
	// Pairs of a state and its twin per case; 0 is 1000. Games of open information have none.
	Pairs int
	// Open says that nothing is hidden; otherwise the rules must resample.
	Open bool
	// Hostile are further actions, as JSON, that are refused at every moment.
	Hostile []string
	// BadConfigs are further configurations that are refused at every table size.
	BadConfigs []string
	// Probes are further actions that are put before Legal on both twins.
	Probes []A
	// Hidden names the hidden facts; without it the state as a whole must vary.
	Hidden Hidden[S]
}

func (c Cases[S, A]) filled(info game.Info) Cases[S, A] {
	if len(c.List) == 0 {
		c.List = Variants(info)
	}
	if c.Matches == 0 {
		c.Matches = 2
	}
	if c.Pairs == 0 {
		c.Pairs = 1000
	}
	return c
}

// Variants returns every named variant at every table size.
func Variants(info game.Info) []Case {
	configs := make([]string, len(info.Variants))
	for i, v := range info.Variants {
		configs[i] = string(v.Config)
	}
	return Cross(info, configs...)
}

// Cross returns every given configuration at every table size.
func Cross(info game.Info, configs ...string) []Case {
	var out []Case
	for _, config := range configs {
		for seats := info.MinSeats; seats <= info.MaxSeats; seats++ {
			out = append(out, Case{config, seats})
		}
	}
	return out
}

// Seed returns the i-th fixed seed of the suite.
func Seed(i int) game.Seed {
	var s game.Seed
	s[0], s[1], s[2], s[3] = 't', byte(i), byte(i>>8), byte(i>>16)
	return s
}

// ConfigOf reads a case's configuration into the game's own type.
func ConfigOf[C, S, A, V, E any](r game.Rules[C, S, A, V, E], c Case) (C, error) {
	config := r.Defaults()
	if c.Config != "" {
		if err := strict.Merge([]byte(c.Config), &config); err != nil {
			return config, fmt.Errorf("%w: %w", game.ErrConfig, err)
		}
	}
	return config, r.Validate(config, c.Seats)
}

// JSON writes what a game gives.
func JSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("gametest: %T cannot be written as JSON: %v", v, err))
	}
	return b
}
