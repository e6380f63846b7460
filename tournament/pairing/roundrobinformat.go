package pairing

import (
	"github.com/molerun/molerun/engines/game"
)

// roundRobin is [RoundRobin] as a format. It never waits for results: all rounds may be made at once.
type roundRobin struct{ noLate }

func (roundRobin) options(entries int, s Settings, conflict func(a, b int) bool) Options {
	return Options{SeatsPerTable: s.seats(entries), Cycles: s.cycles(), Duplicate: s.Duplicate, Conflict: conflict, Soft: !s.OwnersApart}
}

func (f roundRobin) check(entries int, s Settings) error {
	if err := s.check(entries); err != nil {
		return err
	}
	_, err := Count(entries, f.options(entries, s, nil))
	return err
}

func (f roundRobin) matches(entries int, s Settings) (int, error) {
	return Count(entries, f.options(entries, s, nil))
}

func (roundRobin) rounds(entries int, s Settings) int { return s.roundsAmong(entries) }

func (roundRobin) meets(c Contest, e int, _ bool) int { return c.strangers(e, c.starters()) }

// strangers returns how many of a field entry e may meet.
func (c Contest) strangers(e int, field []int) int {
	n := 0
	for _, o := range field {
		if o != e && !c.barred(e, o) {
			n++
		}
	}
	return n
}

func (f roundRobin) next(c Contest) (Step, error) { return c.follow() }

func (f roundRobin) plan(c Contest) ([]Round, error) {
	return f.among(c, c.starters(), c.conflict(c.starters()), game.Stream(c.Seed, 0, "round robin"))
}

// among returns the round robin of some of the entries.
func (f roundRobin) among(c Contest, field []int, conflict func(a, b int) bool, r *game.Rand) ([]Round, error) {
	rounds, err := RoundRobin(len(field), f.options(len(field), c.Settings, conflict), r)
	return each(rounds, func(r Round) Round { return r.of(field) }), err
}

func (roundRobin) ties(s Settings) []Tie {
	if s.SeatsPerTable > 2 {
		return []Tie{ByPoints, ByScore, ByDirect, ByWins}
	}
	return []Tie{ByPoints, ByDirect, ByWins, BySonneborn, ByScore}
}
