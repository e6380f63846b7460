package pairing

import (
	"fmt"
	"math/bits"

	"github.com/molerun/molerun/tournament"
)

// Matches is the most matches that so many entries can make of a tournament, or why it is refused ([ErrOptions]): that
// number is exact for a round robin in which nobody is kept apart. An arena has no such number: it is 0.
func Matches(entries int, s Settings) (int, error) {
	f, err := Of(s.Format)
	if err != nil {
		return 0, err
	}
	if err := f.Check(entries, s); err != nil {
		return 0, err
	}
	n, err := most(entries, s)
	if err == nil && n > maxMatches {
		err = fmt.Errorf("%w: that would be up to %d matches; at most %d", ErrOptions, n, maxMatches)
	}
	return n, err
}

func most(entries int, s Settings) (int, error) {
	k := s.SeatsPerTable
	switch s.Format {
	case tournament.RoundRobin:
		return Count(entries, roundRobin{}.options(s, nil))
	case tournament.Swiss:
		rounds := s.Rounds
		if rounds == 0 {
			rounds = SwissRounds(entries)
		}
		return rounds*s.mostAtOnce(entries) + s.mostInPlayoff(entries), nil
	case tournament.SingleElimination, tournament.DoubleElimination:
		return mostOut(entries, s), nil
	case tournament.Gauntlet:
		// As many challengers as others make the most tables.
		return (entries/2 + 1) * ((entries + 1) / 2) * s.cycles() * s.games(k), nil
	case tournament.Groups:
		return mostInGroups(entries, s)
	case tournament.SPRT:
		return 2 * s.Test.Filled().MaxPairs, nil
	default: // an arena
		return 0, nil
	}
}

// mostAtOnce is the most matches of one round.
func (s Settings) mostAtOnce(entries int) int {
	return max(entries/s.SeatsPerTable, len(s.sizes(entries))) * s.games(s.SeatsPerTable)
}

// mostInPlayoff is the most matches of the second stage, 0 if there is none.
func (s Settings) mostInPlayoff(entries int) int {
	if s.Playoff == "" {
		return 0
	}
	return mostOut(s.playoffSize(entries), s.playoff())
}

// mostOut is the most matches of an elimination: every tie, with an extra pair; or every round of a knockout.
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

// mostInGroups is the matches of all groups and of the final.
func mostInGroups(entries int, s Settings) (int, error) {
	sum := s.mostInPlayoff(entries)
	count := groups{}.count(entries, s)
	fields := []int{}
	for g := range count {
		fields = append(fields, (entries+g)/count)
	}
	if n := (groups{}).finalists(entries, s); n > 0 && s.Playoff == "" {
		fields = append(fields, n)
	}
	for _, n := range fields {
		matches, err := Count(n, roundRobin{}.options(s, nil))
		if err != nil {
			return 0, err
		}
		sum += matches
	}
	return sum, nil
}

// Rounds is the most rounds that a full field plays one after another if no tie is drawn, which would be played again in a round of
// its own; 0 for an arena, whose rounds nobody knows before.
func Rounds(entries int, s Settings) int {
	if s.Playoff != "" {
		return roundsBefore(entries, s) + roundsOut(s.playoffSize(entries), s.playoff())
	}
	return roundsBefore(entries, s)
}

// roundsBefore is Rounds without a playoff.
func roundsBefore(entries int, s Settings) int {
	switch s.Format {
	case tournament.Swiss:
		if s.Rounds == 0 {
			return SwissRounds(entries)
		}
		return s.Rounds
	case tournament.SingleElimination, tournament.DoubleElimination:
		return roundsOut(entries, s)
	case tournament.SPRT:
		return (s.Test.Filled().MaxPairs + pairsAtOnce - 1) / pairsAtOnce
	case tournament.RoundRobin:
		return s.roundsAmong(entries)
	case tournament.Groups: // side by side, the largest the longest
		count := groups{}.count(entries, s)
		rounds := s.roundsAmong((entries + count - 1) / count)
		if n := (groups{}).finalists(entries, s); n > 0 && s.Playoff == "" {
			rounds += s.roundsAmong(n)
		}
		return rounds
	case tournament.Gauntlet:
		matches, err := most(entries, s)
		if at := s.mostAtOnce(entries); err == nil && at > 0 {
			return (matches + at - 1) / at
		}
	}
	return 0
}

// roundsAmong is the rounds of a round robin of so many.
func (s Settings) roundsAmong(entries int) int {
	matches, err := Count(entries, roundRobin{}.options(s, nil))
	at := s.mostAtOnce(entries)
	if err != nil || at == 0 {
		return 0
	}
	return (matches + at - 1) / at
}

// roundsOut is the rounds of an elimination: of a bracket, with a second final and the losers' rounds, of which every other is
// played beside one of the winners', where a loss is not the end; or of a knockout.
func roundsOut(entries int, s Settings) int {
	rounds := 1
	if k := s.SeatsPerTable; k > 2 {
		for n := entries; n > k; n = knockoutNextSize(n, k) {
			rounds++
		}
		return rounds
	}
	rounds = bits.Len(uint(entries - 1))
	if s.Format == tournament.DoubleElimination {
		return 2*rounds + 1
	}
	return rounds
}
