package pairing

import (
	"fmt"

	"github.com/molerun/molerun/tournament"
)

// Matches returns the most matches that so many entries can make of a tournament, or why it is refused ([ErrOptions]): that
// number is exact for a round robin in which nobody is kept apart. An arena has no such number: it is 0.
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
	return ties * (max(s.BestOf, s.games(2)) + 2)
}

// Rounds returns the most rounds that a full field plays one after another if no tie is drawn, which would be played again in a round of
// its own; 0 for an arena, whose rounds nobody knows before.
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

// roundsAmong returns the rounds of a round robin of so many.
func (s Settings) roundsAmong(entries int) int {
	matches, err := Count(entries, roundRobin{}.options(s, nil))
	if err != nil {
		return 0
	}
	return s.roundsOf(matches, entries)
}

// roundsOf returns the rounds in which so many entries play so many matches; 0 if they fill no table.
func (s Settings) roundsOf(matches, entries int) int {
	at := s.mostAtOnce(entries)
	if at == 0 {
		return 0
	}
	return (matches + at - 1) / at
}

// roundsOut returns the rounds of an elimination: of a bracket, with a second final and the losers' rounds, of which every other is
// played beside one of the winners', where a loss is not the end; or of a knockout.
func roundsOut(entries int, s Settings) int {
	if k := s.SeatsPerTable; k > 2 {
		out := 1
		for n := entries; n > k; n = knockoutNextSize(n, k) {
			out++
		}
		return out
	}
	if s.Format == tournament.DoubleElimination {
		return 2*rounds(entries) + 1
	}
	return rounds(entries)
}
