package director

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/series"
	"github.com/molerun/molerun/tournament/store"
)

// Standings returns the standings so far, in the order of the format ([pairing.Standings]).
func (d *Director) Standings(ctx context.Context, id string) ([]tournament.Standing, error) {
	c, err := d.look(ctx, id)
	if err != nil {
		return nil, err
	}
	faults, err := d.store.Reader(ctx).Faults(id, c.sealed)
	if err != nil {
		return nil, err
	}
	who, err := d.roster(ctx, c)
	if err != nil {
		return nil, err
	}
	lines, err := c.standings(who, faults)
	if err != nil {
		return nil, err
	}
	lucks, err := d.lucks(ctx, c)
	if err != nil {
		return nil, err
	}
	lucks.adjust(c, lines)
	return lines, nil
}

const (
	// mostAdjusted is the most games of an event whose luck is computed: more would take too long for a page.
	mostAdjusted = 5000
	// fitOver is how many times the games of an event the fit must have seen: one that rests on the event's own results explains
	// them too well, and the intervals are too narrow (docs/4-ratings.md).
	fitOver = 4
)

// lucks are what the deals of an event gave its entries: each of them, without the games of a playoff, and each against each
// other. They are empty where that is not known.
type lucks struct {
	entries []*rating.Luck
	pairs   map[rating.Pair]*rating.Luck
}

// lucks returns the luck of an event's deals, by the ladder's last fit.
func (d *Director) lucks(ctx context.Context, c *contest) (lucks, error) {
	substituted := slices.ContainsFunc(c.field, func(e store.Entered) bool { return e.Replaces != "" }) // no strength is known of such a place
	if !c.info.Teams || c.t.Format == tournament.SPRT || substituted {
		return lucks{}, nil
	}
	rounds := c.Counting()
	first := teamBlocks(rounds[:c.Playoff()])
	blocks := slices.Concat(first, teamBlocks(rounds[c.Playoff():]))
	games := 0
	for _, b := range blocks {
		games += len(b)
	}
	if games == 0 || games > mostAdjusted {
		return lucks{}, nil
	}
	versions := store.Map(c.field, func(e store.Entered) string { return e.VersionID })
	f, err := d.store.Reader(ctx).FitOf(cmp.Or(c.t.LadderID, c.t.Game), versions)
	if err != nil {
		return lucks{}, err
	}
	strengths, known := rating.StrengthsOf(f, versions)
	if !known || f.Matches < fitOver*games {
		return lucks{}, nil
	}
	dealt := strengths.Deals(blocks)
	return lucks{entries: rating.Lucks(len(versions), dealt[:len(first)]), pairs: rating.PairLucks(dealt)}, nil
}

// adjust tells what the points of an event's lines are without the luck of the deals.
func (l lucks) adjust(c *contest, lines []tournament.Standing) {
	of := map[string]*rating.Luck{}
	for e, x := range l.entries {
		of[c.field[e].VersionID] = x
	}
	for i := range lines {
		if x := of[lines[i].VersionID]; x != nil {
			points := lines[i].Points - x.Points
			lines[i].Adjusted = &tournament.Mean{Value: hundredth(points), Low: hundredth(points - x.Half), High: hundredth(points + x.Half)}
		}
	}
}

func hundredth(x float64) float64 { return math.Round(100*x) / 100 }

func millionth(x float64) float64 { return math.Round(1e6*x) / 1e6 }

// teamBlocks returns the games of the blocks that are over.
func teamBlocks(rounds []pairing.Round) [][]rating.TeamGame {
	var out [][]rating.TeamGame
	for _, r := range rounds {
		for _, b := range r.Blocks {
			games := b.Counting()
			if len(games) == 0 {
				continue
			}
			out = append(out, store.Map(games, func(g pairing.Game) rating.TeamGame {
				return rating.TeamGame{Seats: g.Seats, Team: g.Result.Team, Points: g.Result.Points}
			}))
		}
	}
	return out
}

// standings returns the lines of the contest, with the faults of each version.
func (c *contest) standings(who tournament.Roster, faults map[string]int) ([]tournament.Standing, error) {
	lines, err := pairing.Standings(c.Contest)
	if err != nil {
		return nil, err
	}
	trial, err := pairing.Trial(c.Contest)
	if err != nil {
		return nil, err
	}
	ties := c.Settings.Ties()
	out := make([]tournament.Standing, len(lines))
	for i, l := range lines {
		e := c.field[l.Entry]
		out[i] = tournament.Standing{
			Rank:      l.Rank,
			BotID:     e.BotID,
			Bot:       e.BotName,
			VersionID: e.VersionID,
			Played:    l.Played,
			Points:    l.Points,
			Wins:      l.Wins,
			Draws:     l.Draws,
			Losses:    l.Losses,
			Score:     l.Score,
			Faults:    faults[e.VersionID],
			Byes:      l.Byes,
			Forfeits:  l.Forfeits,

			IsAnnulled: l.Annulled,
			Replaces:   who.Before(l.Entry).BotName,
			SinceRound: e.SinceRound,
			Ties:       make([]tournament.TieValue, len(l.Ties)),
		}
		if l.Withdrew {
			out[i].WithdrewAfter = new(l.Left)
		}
		if l.Entry == 0 {
			out[i].Trial = trial
		}
		for k, v := range l.Ties {
			out[i].Ties[k] = tournament.TieValue{By: string(ties[k]), Value: v}
		}
	}
	return out, nil
}

// Contest returns a tournament's rounds so far, with who had the places. Its seed is left out: it is secret.
func (d *Director) Contest(ctx context.Context, id string) (pairing.Contest, tournament.Roster, error) {
	c, err := d.look(ctx, id)
	if err != nil {
		return pairing.Contest{}, tournament.Roster{}, err
	}
	who, err := d.roster(ctx, c)
	return c.Contest, who, err
}

// Round returns a round of a tournament as it was made, without results.
func (d *Director) Round(ctx context.Context, tournamentID string, number int) (pairing.Round, error) {
	row, err := d.store.Reader(ctx).Round(tournamentID, number)
	if err != nil {
		return pairing.Round{}, err
	}
	return roundOf(row)
}

// roster returns who has the places of a contest, and had them.
func (d *Director) roster(ctx context.Context, c *contest) (tournament.Roster, error) {
	out := c.roster()
	if len(out.Out) == 0 {
		return out, nil
	}
	var err error
	out.Sat, err = c.sat(d.store.Reader(ctx), out)
	return out, err
}

// roster returns who has the places, and had them, without who sat where.
func (c *contest) roster() tournament.Roster {
	out := tournament.Roster{Entries: store.Map(c.field, entryOf), Out: map[string]tournament.Entry{}}
	for _, e := range c.aside {
		if c.by[e.BotID].BotID != "" {
			out.Out[e.BotID] = e.Entry
		}
	}
	return out
}

// sat returns by match of a round which bots sat there whose place another has taken.
func (c *contest) sat(r store.Reader, who tournament.Roster) (map[string][]string, error) {
	sat, err := r.SatIn(c.t.ID, slices.Collect(maps.Keys(who.Out)))
	out := map[string][]string{}
	for _, r := range c.Rounds { // what was dealt again for a substitute is in none
		for _, b := range r.Blocks {
			for _, id := range b.Matches() {
				if bots := sat[id]; bots != nil {
					out[id] = bots
				}
			}
		}
	}
	return out, err
}

// Scoreboard is a tournament with its rounds and standings.
type Scoreboard struct {
	Tournament tournament.Tournament
	Contest    pairing.Contest
	tournament.Roster
	Aside     []tournament.EntryState // those that wait for a place, were left out at the start or replaced after it, in the order of joining
	Standings []tournament.Standing
	States    map[string]tournament.EntryState // of Entries, by bot

	lucks lucks
}

// Scoreboard returns what the page of a tournament shows; the seed is left out. Faults are not counted here.
func (d *Director) Scoreboard(ctx context.Context, id string) (Scoreboard, error) {
	var out Scoreboard
	c, err := d.look(ctx, id)
	if err != nil {
		return out, err
	}
	out.Tournament, out.Contest = c.t, c.Contest
	if out.Roster, err = d.roster(ctx, c); err != nil {
		return out, err
	}
	out.States = c.states(d.now())
	out.Aside = store.Map(c.aside, func(e store.Entered) tournament.EntryState {
		return stateOf(c.t, c.info, e, c.by[e.BotID], false, false, d.now())
	})
	if out.Standings, err = c.standings(out.Roster, nil); err != nil {
		return out, err
	}
	if out.lucks, err = d.lucks(ctx, c); err != nil {
		return out, err
	}
	out.lucks.adjust(c, out.Standings)
	return out, nil
}

// CrossLine is a line of a crosstable: what an entry has of each of the others, in the order of the lines.
type CrossLine struct {
	Rank  int
	Entry tournament.Entry
	Cells []CrossCell
}

// CrossCell is what an entry has of another.
type CrossCell struct {
	pairing.Cell
	// Adjusted is the level without the luck of the deals, with the interval of 95 %; nil where the luck is not known, or the two never
	// met. It may lie outside 0 to 1: luck may have been worth more than what was taken.
	Adjusted *tournament.Mean
}

// Crosstable has a line for each entry, in the order of the standings.
func (b Scoreboard) Crosstable() ([]CrossLine, error) {
	lines, err := pairing.Standings(b.Contest)
	if err != nil {
		return nil, err
	}
	cells := pairing.Crosstable(b.Contest)
	return store.Map(lines, func(l pairing.Line) CrossLine {
		return CrossLine{
			Rank:  l.Rank,
			Entry: b.Entries[l.Entry],
			Cells: store.Map(lines, func(o pairing.Line) CrossCell {
				return b.lucks.cell(rating.Pair{Entry: l.Entry, Other: o.Entry}, cells[l.Entry][o.Entry])
			}),
		}
	}), nil
}

// cell returns what the first of a pair has of the other, with luck and without.
func (l lucks) cell(p rating.Pair, x pairing.Cell) CrossCell {
	out, luck := CrossCell{Cell: x}, l.pairs[p]
	if luck == nil || x.Blocks == 0 {
		return out
	}
	games := float64(x.Shared)
	without, half := x.Level-luck.Points/games, luck.Half/games
	out.Adjusted = &tournament.Mean{Value: millionth(without), Low: millionth(without - half), High: millionth(without + half)}
	return out
}

func entryOf(e store.Entered) tournament.Entry { return e.Entry }

// SeriesBoard is a series with its tournaments, those of them that are over, and its standings.
type SeriesBoard struct {
	Series      series.Series
	Tournaments []tournament.Tournament
	Events      []series.Event // that count so far, in the order of the tournaments
	Lines       []series.Line
}

// SeriesBoard returns where a series stands. A tournament counts when it has finished; one that is cancelled never does.
func (d *Director) SeriesBoard(ctx context.Context, id string) (SeriesBoard, error) {
	x, err := d.store.SeriesByID(ctx, id)
	if err != nil {
		return SeriesBoard{}, err
	}
	list, err := d.store.SeriesTournaments(ctx, x)
	if err != nil {
		return SeriesBoard{}, err
	}
	out := SeriesBoard{Series: x, Tournaments: list}
	for _, t := range list {
		if t.Status != tournament.Finished {
			continue
		}
		standings, err := d.final(ctx, t.ID)
		if err != nil {
			return SeriesBoard{}, err
		}
		out.Events = append(out.Events, series.Event{ID: t.ID, Name: t.Name, Standings: standings})
	}
	out.Lines = x.Standings(out.Events)
	return out, nil
}

// maxFinals is how many tournaments are kept as they ended.
const maxFinals = 1000

// final returns the standings of a tournament that has finished: nothing changes them any more. Faults are not counted in them.
func (d *Director) final(ctx context.Context, id string) ([]tournament.Standing, error) {
	if kept, known := d.finals.Get(id); known {
		return kept, nil
	}
	c, err := d.look(ctx, id)
	if err != nil {
		return nil, err
	}
	who, err := d.roster(ctx, c)
	if err != nil {
		return nil, err
	}
	standings, err := c.standings(who, nil)
	if err == nil {
		d.finals.Add(id, standings)
	}
	return standings, err
}
