package rating

import (
	"math"
	"math/bits"

	"github.com/molerun/molerun/tournament"
)

// TeamGame is a game of two hidden teams that is over.
type TeamGame struct {
	Seats  []int     // the entry of each seat
	Team   []string  // by seat
	Points []float64 // by seat, 0 to 1
}

// Strengths are what a fit says of the entries of an event, in Elo. An entry that it does not know is of mean strength: 1500.
type Strengths struct {
	Teams     [2]string
	As        [][2]float64    // by entry: its strength in each of the teams
	Advantage map[int]float64 // by seats: that of the first team
}

// Dealt is a game with what its deal was worth to each seat, in points: more than the mean of all deals that there could have been.
type Dealt struct {
	TeamGame
	Worth []float64
}

// Luck is what the deals of an event gave an entry, or an entry against another.
type Luck struct {
	Points float64 // that the deals were worth
	Half   float64 // of the 95 % interval of the points without them
}

// Pair is an entry and one that it met.
type Pair struct{ Entry, Other int }

const (
	mostDealt    = 10 // seats of a table whose deals are all looked at
	fewestBlocks = 4  // that an interval rests on
)

// Deals returns what the deals of blocks were worth. A block is a list of games on one deal or of one line-up, and one observation.
// What a deal is worth to a seat is the chance that the strengths give its team, less the mean of that over all deals of the
// same teams to the same table (Burch, Schmid, Moravčík and Bowling 2018, AIVAT: for the chance nodes alone). That is 0 on
// average however wrong the strengths are, as long as they do not rest on the same results, so points without luck are as just
// as points of record, and scatter less.
func (s Strengths) Deals(blocks [][]TeamGame) [][]Dealt {
	out := make([][]Dealt, len(blocks))
	for i, games := range blocks {
		for _, g := range games {
			out[i] = append(out[i], Dealt{TeamGame: g, Worth: s.deal(g)})
		}
	}
	return out
}

// Lucks is, for each entry, the luck of its deals; nil with fewer than four blocks.
func Lucks(entries int, blocks [][]Dealt) []*Luck {
	out := make([]*Luck, entries)
	of := lucks(blocks, func(g Dealt, add func(e int, took, worth float64)) {
		for seat, e := range g.Seats {
			add(e, g.Points[seat], g.Worth[seat])
		}
	})
	for e, luck := range of {
		out[e] = luck
	}
	return out
}

// PairLucks returns the luck of an entry against each other that it shared four blocks with. Of a game with another it takes 1 if it
// has more points, ½ if it has as many; of that the deal gave it half of what it was worth more to it than to the other.
func PairLucks(blocks [][]Dealt) map[Pair]*Luck {
	return lucks(blocks, func(g Dealt, add func(p Pair, took, worth float64)) {
		for i, e := range g.Seats {
			for j, o := range g.Seats {
				if i != j {
					add(Pair{e, o}, versus(g.Points[j], g.Points[i]), (g.Worth[i]-g.Worth[j])/2)
				}
			}
		}
	})
}

// lucks adds up the luck of all that show finds in the games: what it took of a game, and what of that the deal was worth.
func lucks[K comparable](blocks [][]Dealt, show func(g Dealt, add func(who K, took, worth float64))) map[K]*Luck {
	without, worths := map[K][]float64{}, map[K]float64{} // points without luck, by block
	for _, games := range blocks {
		taken := map[K]float64{}
		for _, g := range games {
			show(g, func(who K, took, worth float64) {
				taken[who] += took - worth
				worths[who] += worth
			})
		}
		for who, points := range taken {
			without[who] = append(without[who], points)
		}
	}
	out := map[K]*Luck{}
	for who, list := range without {
		if len(list) >= fewestBlocks {
			out[who] = &Luck{Points: worths[who], Half: halfOfSum(list)}
		}
	}
	return out
}

// deal returns what the deal of a game was worth to each seat, in points; 0 for all at tables that are too large.
func (s Strengths) deal(g TeamGame) []float64 {
	worth := make([]float64, len(g.Seats))
	if len(g.Seats) > mostDealt {
		return worth
	}
	first := s.first(g)
	chance := s.chance(g.Seats, first, bits.OnesCount(uint(first)))
	for seat, mean := range s.Means(g) {
		worth[seat] = ofTeam(chance, first, seat) - mean
	}
	return worth
}

// first returns the seats of the first team, as bits.
func (s Strengths) first(g TeamGame) int {
	seats := 0
	for seat, team := range g.Team {
		if team == s.Teams[0] {
			seats |= 1 << seat
		}
	}
	return seats
}

// Means returns the points, by seat, that the strengths expect before the teams are dealt: the mean over all deals of teams of these
// sizes. A table has ten seats at most.
func (s Strengths) Means(g TeamGame) []float64 {
	n, size := len(g.Seats), bits.OnesCount(uint(s.first(g)))
	means, deals := make([]float64, n), 0.0
	for dealt := range 1 << n {
		if bits.OnesCount(uint(dealt)) != size {
			continue
		}
		deals++
		chance := s.chance(g.Seats, dealt, size)
		for seat := range n {
			means[seat] += ofTeam(chance, dealt, seat)
		}
	}
	for seat := range means {
		means[seat] /= deals
	}
	return means
}

// ofTeam returns the chance of a seat's team, of which first has the seats of the first.
func ofTeam(chance float64, first, seat int) float64 {
	if first>>seat&1 == 1 {
		return chance
	}
	return 1 - chance
}

// chance that the first team, which has so many seats, wins.
func (s Strengths) chance(seats []int, first, size int) float64 {
	n := len(seats)
	lead := s.Advantage[n]
	start := float64(Start) / 1000
	for seat, e := range seats {
		if first>>seat&1 == 1 {
			lead += 2 * float64(n-size) / float64(n) * (s.As[e][0] - start)
		} else {
			lead -= 2 * float64(size) / float64(n) * (s.As[e][1] - start)
		}
	}
	return Expected(lead)
}

// halfOfSum returns half of the 95 % interval of a sum, from the scatter of its addends (Student).
func halfOfSum(list []float64) float64 {
	n, mean, squares := float64(len(list)), 0.0, 0.0
	for _, x := range list {
		mean += x / n
	}
	for _, x := range list {
		squares += (x - mean) * (x - mean)
	}
	return student(n-1) * math.Sqrt(squares*n/(n-1))
}

// student returns the quantile of 97.5 % of Student's distribution, to a hundredth from three degrees of freedom on (Hill's
// expansion in 1/degrees about the normal one).
func student(degrees float64) float64 {
	const z = tournament.Reach
	z3, z5, z7, z9 := math.Pow(z, 3), math.Pow(z, 5), math.Pow(z, 7), math.Pow(z, 9)
	return z + (z3+z)/(4*degrees) +
		(5*z5+16*z3+3*z)/(96*math.Pow(degrees, 2)) +
		(3*z7+19*z5+17*z3-15*z)/(384*math.Pow(degrees, 3)) +
		(79*z9+776*z7+1482*z5-1920*z3-945*z)/(92160*math.Pow(degrees, 4))
}

// StrengthsOf returns the strengths that the fit of a ladder gives to the versions of an event, by entry; false if the ladder has
// no fit of teams.
func StrengthsOf(f tournament.LadderFit, versions []string) (Strengths, bool) {
	if len(f.Teams) != 2 {
		return Strengths{}, false
	}
	s := Strengths{Teams: [2]string(f.Teams), As: make([][2]float64, len(versions)), Advantage: map[int]float64{}}
	at := map[string]int{}
	start := float64(Start) / 1000
	for e, version := range versions {
		at[version] = e
		s.As[e] = [2]float64{start, start}
	}
	for _, r := range f.Rows {
		if e, plays := at[r.VersionID]; plays && len(r.Roles) == 2 {
			s.As[e] = [2]float64{r.Roles[0].Elo, r.Roles[1].Elo}
		}
	}
	for _, a := range f.Advantages {
		if a.Team == s.Teams[0] {
			s.Advantage[a.Seats] = a.Elo
		}
	}
	return s, true
}
