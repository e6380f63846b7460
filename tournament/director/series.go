package director

import (
	"context"
	"sync"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/series"
)

// SeriesBoard is a series with its tournaments, those of them that are over, and its standings.
type SeriesBoard struct {
	Series      series.Series
	Tournaments []tournament.Tournament
	Events      []series.Event // that count so far, in the order of the tournaments
	Lines       []series.Line
}

// SeriesBoard is where a series stands. A tournament counts when it has finished; one that is cancelled never does.
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

// finals are the standings of tournaments that are over, by id: nothing changes them any more. Faults are not counted in them.
type finals struct {
	mu sync.Mutex
	of map[string][]tournament.Standing
}

// final is the standings of a tournament that has finished.
func (d *Director) final(ctx context.Context, id string) ([]tournament.Standing, error) {
	d.finals.mu.Lock()
	kept, known := d.finals.of[id]
	d.finals.mu.Unlock()
	if known {
		return kept, nil
	}
	c, err := d.look(ctx, id)
	if err != nil {
		return nil, err
	}
	standings, err := c.standings(nil)
	if err != nil {
		return nil, err
	}
	d.finals.mu.Lock()
	defer d.finals.mu.Unlock()
	if len(d.finals.of) >= maxFinals {
		clear(d.finals.of)
	}
	d.finals.of[id] = standings
	return standings, nil
}
