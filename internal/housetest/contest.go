package housetest

import (
	"fmt"
	"math"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

// Contest compares house bots at one table size.
type Contest struct {
	What      string
	Standings []Standing // the weakest first
}

// Standing is how one bot does in a contest.
type Standing struct {
	Bot    string
	Shares []float64 // of the wins, one a match, 0 to 1
}

// Won returns the sum of the shares.
func (s Standing) Won() float64 {
	var sum float64
	for _, x := range s.Shares {
		sum += x
	}
	return sum
}

// Interval returns the 95 % interval of the share: Wilson's for as many matches, won or lost, as would scatter like these.
func (s Standing) Interval() (low, high float64) {
	const z = 1.959964 // half width of the middle 95 % of a normal distribution, in standard deviations
	n := float64(len(s.Shares))
	p, squares := s.Won()/n, 0.0
	for _, x := range s.Shares {
		squares += x * x
	}
	if spread := squares/n - p*p; spread > 1e-12 {
		n *= p * (1 - p) / spread
	}
	centre := p + z*z/(2*n)
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(0, (centre-half)/(1+z*z/n)), min(1, (centre+half)/(1+z*z/n))
}

// Rising reports whether each bot's interval lies above that of the one before.
func (c Contest) Rising() bool {
	for i := 1; i < len(c.Standings); i++ {
		_, high := c.Standings[i-1].Interval()
		if low, _ := c.Standings[i].Interval(); low <= high {
			return false
		}
	}
	return true
}

func (c Contest) String() string {
	out := c.What + ":"
	for _, s := range c.Standings {
		low, high := s.Interval()
		out += fmt.Sprintf(" %s %.1f (%.1f–%.1f)", s.Bot, 100*s.Won()/float64(len(s.Shares)), 100*low, 100*high)
	}
	return out
}

// Add returns the contest of the same bots with the matches of both.
func (c Contest) Add(more Contest) Contest {
	out := Contest{What: c.What + " and " + more.What}
	for i, s := range c.Standings {
		out.Standings = append(out.Standings, Standing{s.Bot, append(s.Shares, more.Standings[i].Shares...)})
	}
	return out
}

// Table is what matches are played at.
type Table struct {
	Engine game.Engine
	Config string // JSON
	Seats  int
}

// ByTeam plays a contest of bots, the weakest first, for a game with teams: each bot sits in all seats of the team, in as many matches.
// The other seats are one bot's, in turn each of the bots but the strongest. What matches differ in is the same for all bots.
func (x Table) ByTeam(t testing.TB, team string, bots []house.Bot, matches int) Contest {
	t.Helper()
	c := Contest{What: fmt.Sprintf("%s, %d seats, all %ss", x.Engine.Info().ID, x.Seats, team)}
	for _, b := range bots {
		s := Standing{Bot: b.Name}
		for k := range matches {
			field := bots[k%max(1, len(bots)-1)]
			var mine game.Seats
			result := x.play(t, k, func(table game.Table) (seated []house.Bot) {
				for seat, of := range table.Teams() {
					if of != team {
						seated = append(seated, field)
						continue
					}
					seated, mine = append(seated, b), mine.With(game.Seat(seat))
				}
				return seated
			})
			s.Shares = append(s.Shares, share(result, mine))
		}
		c.Standings = append(c.Standings, s)
	}
	return c
}

// Mixed plays a contest of two bots, the weaker first, that have every second seat each and change places with every match. A bot's
// share of a match is how many of its seats win.
func (x Table) Mixed(t testing.TB, weak, strong house.Bot, matches int) Contest {
	t.Helper()
	bots := [2]house.Bot{weak, strong}
	c := Contest{
		What:      fmt.Sprintf("%s %s, %d seats, every second seat", x.Engine.Info().ID, x.Config, x.Seats),
		Standings: []Standing{{Bot: weak.Name}, {Bot: strong.Name}},
	}
	for k := range matches {
		var seats [2]game.Seats
		result := x.play(t, k, func(game.Table) (seated []house.Bot) {
			for i := range x.Seats {
				of := (i + k) % 2
				seated, seats[of] = append(seated, bots[of]), seats[of].With(game.Seat(i))
			}
			return seated
		})
		for i := range seats {
			c.Standings[i].Shares = append(c.Standings[i].Shares, share(result, seats[i]))
		}
	}
	return c
}

// share returns how many of some seats have won, 0 to 1.
func share(r game.Result, seats game.Seats) float64 {
	var won float64
	for seat := range seats.Each() {
		if house.Won(r, seat) {
			won++
		}
	}
	return won / float64(max(1, seats.Len()))
}

// play deals match k, seats the bots and plays it.
func (x Table) play(t testing.TB, k int, seat func(game.Table) []house.Bot) game.Result {
	t.Helper()
	config, err := x.Engine.Configure([]byte(x.Config), x.Seats)
	must.OK(t, err)
	table, opening, err := x.Engine.New(config, x.Seats, house.Seed(uint64(k)))
	must.OK(t, err)
	var players []kit.Decide
	for i, b := range seat(table) {
		players = append(players, b.Decide(uint64(k)<<8+uint64(i)))
	}
	m, err := house.Play(t.Context(), x.Engine, config, table, opening, players)
	if err != nil {
		t.Fatalf("%s %s, %d seats, match %d: %v", x.Engine.Info().ID, x.Config, x.Seats, k, err)
	}
	return m.Result
}
