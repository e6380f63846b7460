package stats

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/engines/game"
)

// Options say what is played.
type Options struct {
	Engines  []game.Engine
	Variants []string // names; a game without a variant of that name leaves it out
	Bots     []Entry  // house bots, the weakest first; a game that a bot does not play leaves it out
	Contests Counts   // matches of each bot in each contest; 0: no contests
	Seed     uint64   // all luck follows from it
	Workers  int      // matches at once; it changes no number
	// Progress is told how many lines and contests are done, of how many: at the start, and when one is done; nil tells nobody.
	Progress func(done, total int)
}

// Entry is a house bot by name, and of how many matches its lines are.
type Entry struct {
	Bot     string
	Matches Counts
}

// Counts is a number of matches: ByGame where that has the game's id, else Each.
type Counts struct {
	Each   int
	ByGame map[string]int
}

func (c Counts) of(gameID string) int {
	if n, ok := c.ByGame[gameID]; ok {
		return n
	}
	return c.Each
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
	Steps              Tally          // of the matches
	First, FirstWins   int            // matches in which the events say who moved first, and how many of them that seat won
	Rounds             rounds         // of all matches, in Mole
}

// Table is what matches are played at.
type Table struct {
	Engine  game.Engine
	Variant game.Variant
	Seats   int
}

func (t Table) String() string {
	return fmt.Sprintf("%s %s, %d seats", t.Engine.Info().ID, t.Variant.Name, t.Seats)
}

// part is one line or one table's contests.
type part struct {
	what string
	play func() error
}

// Run plays everything, table by table. It returns the lines in the order of the options, tables by size, and the contests
// likewise.
func Run(ctx context.Context, o Options) ([]Line, []Contest, error) {
	var lines []Line
	var contests []Contest
	bots, err := o.bots()
	if err != nil {
		return nil, nil, err
	}
	var parts []part
	for _, t := range o.tables() {
		var playing []house.Bot
		for i, b := range bots {
			if !slices.Contains(b.Games, t.Engine.Info().ID) {
				continue
			}
			playing = append(playing, b)
			parts = append(parts, part{t.String() + ", " + b.Name, func() error {
				l, err := t.line(ctx, b, o.Bots[i].Matches.of(t.Engine.Info().ID), o)
				lines = append(lines, l)
				return err
			}})
		}
		if matches := o.Contests.of(t.Engine.Info().ID); matches > 0 && len(playing) > 1 {
			parts = append(parts, part{t.String() + ", contests", func() error {
				list, err := o.contests(ctx, t, playing, matches)
				contests = append(contests, list...)
				return err
			}})
		}
	}
	if o.Progress != nil {
		o.Progress(0, len(parts))
	}
	for i, p := range parts {
		if err := p.play(); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", p.what, err)
		}
		if o.Progress != nil {
			o.Progress(i+1, len(parts))
		}
	}
	return lines, contests, nil
}

func (o Options) bots() ([]house.Bot, error) {
	var list []house.Bot
	for _, entry := range o.Bots {
		b, ok := house.Find(entry.Bot)
		if !ok {
			return nil, fmt.Errorf("there is no house bot %q; there are %s", entry.Bot, strings.Join(house.Names(), ", "))
		}
		list = append(list, b)
	}
	return list, nil
}

func (o Options) tables() []Table {
	var list []Table
	for _, e := range o.Engines {
		for _, variant := range e.Info().Variants {
			if !slices.Contains(o.Variants, variant.Name) {
				continue
			}
			for seats := e.Info().MinSeats; seats <= e.Info().MaxSeats; seats++ {
				list = append(list, Table{e, variant, seats})
			}
		}
	}
	return list
}

// line plays the matches of one line.
func (t Table) line(ctx context.Context, b house.Bot, matches int, o Options) (Line, error) {
	l := Line{
		Game: t.Engine.Info().ID, Variant: t.Variant.Name, Bot: b.Name, Seats: t.Seats, Matches: matches,
		Whys: map[string]int{}, Teams: map[string]int{}, SeatWins: make([]int, t.Seats),
	}
	everywhere := slices.Repeat([]house.Bot{b}, t.Seats)
	err := t.each(ctx, matches, o.Workers, func(ctx context.Context, k int) (func(), error) {
		h := heard{first: game.Spectator}
		m, err := t.match(ctx, o.Seed+uint64(k), &h, func(game.Table) []house.Bot { return everywhere })
		return func() { l.count(&m, &h) }, err
	})
	return l, err
}

// each plays matches 0, 1, …, several at once. What play returns counts its match; no two count at the same time.
func (t Table) each(ctx context.Context, matches, workers int, play func(ctx context.Context, k int) (count func(), err error)) error {
	var counting sync.Mutex
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(max(workers, 1))
	for k := range matches {
		if running.Err() != nil {
			break
		}
		group.Go(func() error {
			count, err := play(running, k)
			if err != nil {
				return fmt.Errorf("match %d: %w", k, err)
			}
			counting.Lock()
			defer counting.Unlock()
			count()
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// deal deals a match: its configuration, its table and the opening events.
func (t Table) deal(seed uint64) (json.RawMessage, game.Table, []game.Event, error) {
	config, err := t.Engine.Configure(json.RawMessage(t.Variant.Config), t.Seats)
	if err != nil {
		return nil, nil, nil, err
	}
	table, opening, err := t.Engine.New(config, t.Seats, house.Seed(seed))
	return config, table, opening, err
}

// match deals, seats the bots and plays; h keeps what the events say.
func (t Table) match(ctx context.Context, seed uint64, h *heard, seat func(game.Table) []house.Bot) (house.Match, error) {
	if err := ctx.Err(); err != nil {
		return house.Match{}, err
	}
	config, table, opening, err := t.deal(seed)
	if err != nil {
		return house.Match{}, err
	}
	var players []kit.Decide
	for i, b := range seat(table) {
		players = append(players, b.Decide(seed<<8+uint64(i)))
	}
	return house.Play(ctx, t.Engine, config, watched{table, h}, opening, players)
}

func (l *Line) count(m *house.Match, h *heard) {
	l.Rounds.add(h.rounds)
	if h.first != game.Spectator {
		l.First++
		if house.Won(m.Result, h.first) {
			l.FirstWins++
		}
	}
	l.Whys[m.Result.Why]++
	l.Steps.add(m.Steps)
	winners, team := 0, ""
	for seat := range l.SeatWins {
		if house.Won(m.Result, game.Seat(seat)) {
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
