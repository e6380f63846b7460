package director

import (
	"context"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/store"
)

// Standings are the standings so far, in the order of the format ([pairing.Standings]).
func (d *Director) Standings(ctx context.Context, id string) ([]tournament.Standing, error) {
	c, err := d.look(ctx, id)
	if err != nil {
		return nil, err
	}
	faults, err := d.store.Reader(ctx).Faults(id)
	if err != nil {
		return nil, err
	}
	return c.standings(faults)
}

// standings are the lines of the contest, with the faults of each version.
func (c *contest) standings(faults map[string]int) ([]tournament.Standing, error) {
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
		}
		if l.Withdrew {
			out[i].WithdrewAfter = new(l.Left)
		}
		if l.Entry == 0 {
			out[i].Trial = trial
		}
		for k, v := range l.Ties {
			out[i].Ties = append(out[i].Ties, tournament.TieValue{By: string(ties[k]), Value: v})
		}
	}
	return out, nil
}

// Contest is a tournament's rounds so far, with the entries by their number in it. Its seed is left out: it is secret.
func (d *Director) Contest(ctx context.Context, id string) (pairing.Contest, []tournament.Entry, error) {
	c, err := d.look(ctx, id)
	if err != nil {
		return pairing.Contest{}, nil, err
	}
	return c.Contest, each(c.field, entryOf), nil
}

// Scoreboard is a tournament with its rounds, standings, and the id of each game in the order of the blocks.
type Scoreboard struct {
	Tournament tournament.Tournament
	Contest    pairing.Contest
	Entries    []tournament.Entry
	Standings  []tournament.Standing
	Matches    [][]string
}

// Scoreboard is what the page of a tournament shows; the seed is left out. Faults are not counted here.
func (d *Director) Scoreboard(ctx context.Context, id string) (out Scoreboard, err error) {
	c, err := d.look(ctx, id)
	if err != nil {
		return out, err
	}
	out.Tournament, out.Contest, out.Entries, out.Matches = c.t, c.Contest, each(c.field, entryOf), c.matches
	out.Standings, err = c.standings(nil)
	return out, err
}

func entryOf(e store.Entered) tournament.Entry { return e.Entry }
