package pairing

import (
	"fmt"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing/designs"
)

// Matches returns the most matches that so many entries can make of a tournament, or why it is refused ([ErrOptions]): that
// number is exact for a round robin in which everybody may meet. An arena has no such number: it is 0.
func Matches(entries int, s Settings) (int, error) {
	f, err := of(s.Format)
	if err != nil {
		return 0, err
	}
	if err := f.check(entries, s); err != nil {
		return 0, err
	}
	n, err := f.matches(entries, s)
	if err == nil && n > maxMatches {
		err = fmt.Errorf("%w: that would be up to %d matches; at most %d", ErrTooMany, n, maxMatches)
	}
	return n, err
}

// mostAtOnce returns the most matches of one round.
func (s Settings) mostAtOnce(entries int) int {
	return max(entries/s.SeatsPerTable, len(s.sizes(entries))) * s.games(s.SeatsPerTable)
}

// mostInPlayoff returns the most matches of the second stage, 0 if there is none.
func (s Settings) mostInPlayoff(entries int) int {
	if s.Playoff == "" {
		return 0
	}
	return mostOut(s.playoffSize(entries), s.playoff())
}

// mostOut returns the most matches of an elimination: every tie, with an extra pair; or every round of a knockout.
func mostOut(entries int, s Settings) int {
	if k := s.SeatsPerTable; k > 2 {
		sum := s.games(k)
		for n := entries; n > k; n = knockoutNextSize(n, k) {
			sum += s.mostAtOnce(n)
		}
		return sum
	}
	ties := entries - 1
	if s.ThirdPlace && entries > 3 {
		ties++
	}
	if s.Format == tournament.DoubleElimination {
		ties = 2*entries - 1
	}
	return ties * (s.bestOf() + 2)
}

// Rounds returns the most rounds that a full field plays one after another: in a bracket each game of a tie, or each pair, is a round of its own, and
// so is the pair after an even tie. It is 0 for an arena, whose rounds nobody knows before.
func Rounds(entries int, s Settings) int {
	f, err := of(s.Format)
	if err != nil {
		return 0
	}
	rounds := f.rounds(entries, s)
	if s.Playoff != "" {
		rounds += roundsOut(s.playoffSize(entries), s.playoff())
	}
	return rounds
}

// roundsAmong returns the rounds of a round robin of so many; 0 if they fill no table.
func (s Settings) roundsAmong(entries int) int {
	opts := roundRobin{}.options(entries, s, nil)
	switch _, err := Count(entries, opts); {
	case err != nil:
		return 0
	case opts.SeatsPerTable > 2:
		return designs.Rounds(entries, opts.design())
	}
	return opts.Cycles * (entries - 1 + entries%2)
}

// roundsOut returns the rounds of an elimination: of a bracket if every tie is even, or of a knockout.
func roundsOut(entries int, s Settings) int {
	if k := s.SeatsPerTable; k > 2 {
		out := 1
		for n := entries; n > k; n = knockoutNextSize(n, k) {
			out++
		}
		return out
	}
	b := single(entries, s.ThirdPlace)
	if s.Format == tournament.DoubleElimination {
		b = double(entries)
	}
	return b.depth(entries) * (s.bestOf()/s.games(2) + 1)
}
