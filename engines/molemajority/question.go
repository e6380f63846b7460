package molemajority

import (
	"strconv"

	"github.com/molerun/molerun/engines/game"
)

// Questions asks of each other seat with home tokens what they are worth together. Every way in which the tokens that the seat has not
// seen can lie counts once, as [Rules.Resample] draws.
func (Rules) Questions(s *State, seat game.Seat) []game.Question {
	unseen := s.unseenHomes(seat)
	var out []game.Question
	for other := range s.seats().Without(seat).Each() {
		held := int(s.homeCount(other))
		if held == 0 {
			continue
		}
		q := game.Question{About: strconv.Itoa(int(other))}
		if seat == game.Everything || s.Phase == PhaseOver {
			q.Answers, q.P = []string{strconv.Itoa(worth(s.Homes[other]))}, []float64{1}
		} else {
			q.Answers, q.P = worths(unseen, held)
		}
		out = append(out, q)
	}
	return out
}

// unseenHomes counts the home tokens whose value seat does not know, by value from 1.
func (s *State) unseenHomes(seat game.Seat) (unseen [maxValue]int8) {
	for _, value := range s.Pile[:s.PileN] {
		unseen[value-1]++
	}
	for m := s.Homed; m != 0; m &= m - 1 {
		unseen[s.Home[m.Lowest()]-1]++
	}
	for other := range s.seats().Without(seat).Each() {
		for i, n := range s.Homes[other] {
			unseen[i] += n
		}
	}
	return unseen
}

// worth returns the sum of tokens by value.
func worth(tokens [maxValue]int8) (sum int) {
	for i, n := range tokens {
		sum += (i + 1) * int(n)
	}
	return sum
}

// worths returns what held of the unseen tokens can be worth together, ascending, and the chances.
func worths(unseen [maxValue]int8, held int) (sums []string, chances []float64) {
	ways := make([][]float64, held+1) // by how many tokens, and their sum
	for n := range ways {
		ways[n] = make([]float64, held*maxValue+1)
	}
	ways[0][0] = 1
	for i, copies := range unseen {
		for range copies {
			for n := held; n > 0; n-- {
				for sum := held * maxValue; sum > i; sum-- {
					ways[n][sum] += ways[n-1][sum-i-1]
				}
			}
		}
	}
	var total float64
	for _, w := range ways[held] {
		total += w
	}
	for sum, w := range ways[held] {
		if w > 0 {
			sums, chances = append(sums, strconv.Itoa(sum)), append(chances, w/total)
		}
	}
	return sums, chances
}
