package pairing

import (
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// roundRobin is [RoundRobin] as a format. It never waits for results: all rounds may be made at once.
type roundRobin struct{}

func (roundRobin) options(s Settings, conflict func(a, b int) bool) Options {
	return Options{SeatsPerTable: s.SeatsPerTable, Cycles: s.cycles(), Duplicate: s.Duplicate, Conflict: conflict}
}

func (f roundRobin) Check(entries int, s Settings) error {
	if err := s.check(entries); err != nil {
		return err
	}
	_, err := Count(entries, f.options(s, nil))
	return err
}

func (roundRobin) Late(c Contest) error { return noLate(tournament.RoundRobin, c) }

func (f roundRobin) Next(c Contest) (Step, error) {
	field := c.starters()
	if err := f.Check(len(field), c.Settings); err != nil {
		return Step{}, err
	}
	plan, err := RoundRobin(len(field), f.options(c.Settings, c.conflict(field)), game.Stream(c.Seed, 0, "round robin"))
	if err != nil {
		return Step{}, err
	}
	if len(c.Rounds) >= len(plan.Rounds) {
		return Step{Status: Over}, nil
	}
	return Step{Status: Play, Round: c.settle(plan.Rounds[len(c.Rounds)].of(field))}, nil
}

func (roundRobin) Ties(s Settings) []Tie {
	if s.SeatsPerTable > 2 {
		return []Tie{ByPoints, ByScore, ByDirect, ByWins}
	}
	return []Tie{ByPoints, ByDirect, ByWins, BySonneborn, ByScore}
}
