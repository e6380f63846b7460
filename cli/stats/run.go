package stats

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/engines/game"
)

// Options say what is played.
type Options struct {
	Engines  []game.Engine
	Variants []string // names; a game without a variant of that name leaves it out
	Bots     []string // house bots; a game that a bot does not play leaves it out
	Matches  int      // of each line
	Seed     uint64   // all luck follows from it
	Workers  int      // matches at once; it changes no number
	// Progress is told, when a line is done, what it was and how many of how many are done; nil tells nobody.
	Progress func(what string, done, total int)
}

// Line is the count of all matches of one bot at one table: the same bot sits in every seat.
type Line struct {
	Game, Variant, Bot string
	Seats, Matches     int
	Whys               map[string]int // matches by how they ended
	Teams              map[string]int // matches won by team; empty for games without teams
	SeatWins           []int          // matches won by seat: ranked first, unless nobody won
	Nobody             int            // matches that nobody won
	Shared             int            // matches that several seats won, none of them as a team
	Steps              []int          // of each match
	Rounds             Rounds         // of all matches, in Mole
}

// job is a line to be.
type job struct {
	engine  game.Engine
	variant game.Variant
	bot     house.Bot
	seats   int
}

// Run plays everything, line by line, and returns the lines in the order of the options, tables by size.
func Run(ctx context.Context, o Options) ([]Line, error) {
	jobs, err := o.jobs()
	if err != nil {
		return nil, err
	}
	lines := make([]Line, len(jobs))
	for i, j := range jobs {
		if lines[i], err = j.play(ctx, o); err != nil {
			return nil, fmt.Errorf("%s, %s, %d seats, %s: %w", j.engine.Info().ID, j.variant.Name, j.seats, j.bot.Name, err)
		}
		if o.Progress != nil {
			o.Progress(fmt.Sprintf("%s %s, %d seats, %s", j.engine.Info().ID, j.variant.Name, j.seats, j.bot.Name), i+1, len(jobs))
		}
	}
	return lines, nil
}

func (o Options) jobs() (list []job, err error) {
	var bots []house.Bot
	for _, name := range o.Bots {
		b, ok := house.Find(name)
		if !ok {
			return nil, fmt.Errorf("there is no house bot %q; there are %s", name, strings.Join(house.Names(), ", "))
		}
		bots = append(bots, b)
	}
	for _, e := range o.Engines {
		info := e.Info()
		for _, variant := range info.Variants {
			if !slices.Contains(o.Variants, variant.Name) {
				continue
			}
			for seats := info.MinSeats; seats <= info.MaxSeats; seats++ {
				for _, b := range bots {
					if slices.Contains(b.Games, info.ID) {
						list = append(list, job{e, variant, b, seats})
					}
				}
			}
		}
	}
	return list, nil
}

// play plays the matches of one line at once and counts them in order.
func (j job) play(ctx context.Context, o Options) (Line, error) {
	matches, rounds := make([]house.Match, o.Matches), make([]Rounds, o.Matches)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(o.Workers, 1))
	for k := range matches {
		group.Go(func() (err error) {
			if err = ctx.Err(); err == nil {
				matches[k], err = j.match(ctx, o.Seed+uint64(k), &rounds[k]) //nolint:gosec // not negative
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return Line{}, err
	}
	line := Line{
		Game: j.engine.Info().ID, Variant: j.variant.Name, Bot: j.bot.Name, Seats: j.seats, Matches: o.Matches,
		Whys: map[string]int{}, Teams: map[string]int{}, SeatWins: make([]int, j.seats),
	}
	for i := range matches {
		line.count(&matches[i])
		line.Rounds.add(rounds[i])
	}
	return line, nil
}

func (j job) match(ctx context.Context, seed uint64, rounds *Rounds) (house.Match, error) {
	config, err := j.engine.Configure(json.RawMessage(j.variant.Config), j.seats)
	if err != nil {
		return house.Match{}, err
	}
	luck := house.Seed(seed)
	table, events, err := j.engine.New(config, j.seats, luck)
	if err != nil {
		return house.Match{}, err
	}
	players := make([]kit.Decide, j.seats)
	for i := range players {
		players[i] = j.bot.Decide(seed<<8 + uint64(i)) //nolint:gosec // not negative
	}
	return house.Play(ctx, j.engine, config, watched{table, rounds}, events, players)
}

func (l *Line) count(m *house.Match) {
	l.Whys[m.Result.Why]++
	l.Steps = append(l.Steps, m.Steps)
	winners, team := 0, ""
	for seat := range l.SeatWins {
		if house.Won(m.Result, game.Seat(seat)) { //nolint:gosec // at most 16
			l.SeatWins[seat]++
			winners++
			if len(m.Result.Team) > 0 {
				team = m.Result.Team[seat]
			}
		}
	}
	switch {
	case winners == 0:
		l.Nobody++
	case team != "":
		l.Teams[team]++
	case winners > 1:
		l.Shared++
	}
}
