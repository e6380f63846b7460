package stats

import (
	"context"
	"fmt"
	"slices"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/engines/game"
)

// Contest compares house bots at one table size.
type Contest struct {
	Game, Variant string
	Seats         int
	Team          string     // who sits in all seats of this team, one bot after the other; "" for every second seat
	Standings     []Standing // the weakest first
}

// Standing is how one bot does in a contest: its share of the wins, one number a match.
type Standing struct {
	Bot string
	Tally
}

// Rising reports whether each bot's interval lies above that of the one before.
func (c *Contest) Rising() bool {
	for i := 1; i < len(c.Standings); i++ {
		_, _, high := c.Standings[i-1].Share()
		if _, low, _ := c.Standings[i].Share(); low <= high {
			return false
		}
	}
	return true
}

// String says how the bots did, for tests.
func (c *Contest) String() string {
	out := fmt.Sprintf("%s %s, %d seats, %s:", c.Game, c.Variant, c.Seats, c.seated())
	for _, s := range c.Standings {
		out += fmt.Sprintf(" %s %s", s.Bot, s.share())
	}
	return out
}

func (c *Contest) seated() string {
	if c.Team == "" {
		return "every second seat"
	}
	return "all " + c.Team + "s"
}

// ByTeam plays a contest of bots, the weakest first, for a game with teams: each bot sits in all seats of the team, in as
// many matches. The other seats are one bot's, in turn each of the bots but the strongest. What matches differ in is the
// same for all bots.
func (t Table) ByTeam(ctx context.Context, team string, bots []house.Bot, matches int, seed uint64, workers int) (Contest, error) {
	c := t.contest(team)
	for _, b := range bots {
		s := Standing{Bot: b.Name}
		err := t.each(ctx, matches, workers, func(ctx context.Context, k int) (func(), error) {
			field := bots[k%max(1, len(bots)-1)]
			var mine game.Seats
			m, err := t.match(ctx, seed+uint64(k), &heard{first: game.Spectator}, func(table game.Table) (seated []house.Bot) { //nolint:gosec // not negative
				for seat, of := range table.Teams() {
					if of != team {
						seated = append(seated, field)
						continue
					}
					seated, mine = append(seated, b), mine.With(game.Seat(seat)) //nolint:gosec // at most 16
				}
				return seated
			})
			return func() { s.addShare(won(m.Result, mine), max(1, mine.Len())) }, err
		})
		if err != nil {
			return c, err
		}
		c.Standings = append(c.Standings, s)
	}
	return c, nil
}

// Mixed plays a contest of two bots, the weaker first, that have every second seat each and change places with every
// match. A bot's share of a match is how many of its seats win.
func (t Table) Mixed(ctx context.Context, weak, strong house.Bot, matches int, seed uint64, workers int) (Contest, error) {
	c := t.contest("")
	bots := []house.Bot{weak, strong}
	c.Standings = []Standing{{Bot: weak.Name}, {Bot: strong.Name}}
	err := t.each(ctx, matches, workers, func(ctx context.Context, k int) (func(), error) {
		var seats [2]game.Seats
		m, err := t.match(ctx, seed+uint64(k), &heard{first: game.Spectator}, func(game.Table) (seated []house.Bot) { //nolint:gosec // not negative
			for i := range t.Seats {
				of := (i + k) % 2
				seated, seats[of] = append(seated, bots[of]), seats[of].With(game.Seat(i)) //nolint:gosec // at most 16
			}
			return seated
		})
		return func() {
			for i := range seats {
				c.Standings[i].addShare(won(m.Result, seats[i]), seats[i].Len())
			}
		}, err
	})
	return c, err
}

func (t Table) contest(team string) Contest {
	return Contest{Game: t.Engine.Info().ID, Variant: t.Variant.Name, Seats: t.Seats, Team: team}
}

// won counts the seats that have won.
func won(r game.Result, seats game.Seats) int {
	var n int
	for seat := range seats.Each() {
		if house.Won(r, seat) {
			n++
		}
	}
	return n
}

// contests plays all contests of a table: of all the bots for each team, then of each bot with the next one.
func (o Options) contests(ctx context.Context, t Table, bots []house.Bot, matches int) ([]Contest, error) {
	var list []Contest
	teams, err := t.teams()
	if err != nil {
		return nil, err
	}
	for _, team := range teams {
		c, err := t.ByTeam(ctx, team, bots, matches, o.Seed, o.Workers)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	for i := 1; i < len(bots); i++ {
		c, err := t.Mixed(ctx, bots[i-1], bots[i], matches, o.Seed, o.Workers)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// teams names the teams of the table, in alphabetical order; where all are of one, there are none.
func (t Table) teams() ([]string, error) {
	_, table, _, err := t.deal(0)
	if err != nil {
		return nil, err
	}
	teams := slices.Clone(table.Teams())
	slices.Sort(teams)
	if teams = slices.Compact(teams); len(teams) < 2 {
		return nil, nil
	}
	return teams, nil
}
