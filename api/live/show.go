package live

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// show is a match played again step by step as it is recorded, for all who watch it in this process.
type show struct {
	mu     sync.Mutex
	player *replay.Player // nil at first
	events []game.Event   // all, hidden ones too: what of them may leave is for heard
	now    Spectacle
}

// Spectacle is what a spectator sees of a match after some steps.
type Spectacle struct {
	Step int
	Due  game.Seats
	View json.RawMessage
}

// show is a match as far as it is recorded now. Playing a match again can be dear, so the last ones are kept.
func (x *Matches) show(ctx context.Context, m tournament.Match) (*show, error) {
	engine, err := x.engineOf(m)
	if err != nil {
		return nil, err
	}
	out := &show{}
	if old, had, _ := x.shows.PeekOrAdd(m.ID, out); had {
		out = old
		x.shows.Get(m.ID) // counts as seen
	}
	out.mu.Lock()
	defer out.mu.Unlock()
	if out.player == nil { // the whole match so far, which can be long; later it is a step at a time
		leave, err := x.reruns.enter(ctx)
		if err != nil {
			return nil, err
		}
		defer leave()
		if m, err = x.store.Match(ctx, m.ID); err != nil { // m may be from before it began
			return nil, err
		}
		spec := runner.SpecOf(m, engine, nil)
		if out.player, err = spec.Deal(); err != nil {
			return nil, fmt.Errorf("match %s: %w", m.ID, err)
		}
		out.keep()
		out.look()
	}
	steps, err := x.store.DecisionsAfter(ctx, m.ID, out.player.Step())
	if err != nil {
		return nil, err
	}
	for _, step := range steps {
		if err := step.Again(out.player); err != nil {
			x.shows.Remove(m.ID)
			return nil, fmt.Errorf("match %s: %w", m.ID, err)
		}
		out.keep()
	}
	if len(steps) > 0 {
		out.look()
	}
	return out, nil
}

// keep keeps the events of the last step; what they are told as is for who plays them, and takes room.
func (x *show) keep() {
	for _, e := range x.player.Events() {
		x.events = append(x.events, game.Event{For: e.For, Data: e.Data})
	}
}

// look takes down what a spectator sees after steps that fit their hashes.
func (x *show) look() {
	table := x.player.Table()
	x.now = Spectacle{table.Step(), table.Due(), table.View(game.Spectator)}
}

// seen is what a spectator sees now.
func (x *show) seen() Spectacle {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.now
}

// heard is up to limit events that a seat, or a spectator, was told, after its first so many.
func (x *show) heard(seat game.Seat, after, limit int) []json.RawMessage {
	var out []json.RawMessage
	x.mu.Lock()
	defer x.mu.Unlock()
	n := 0
	for _, e := range x.events {
		if len(out) == limit {
			break
		}
		if !e.Hears(seat) {
			continue
		}
		if n++; n > after {
			out = append(out, e.Data)
		}
	}
	return out
}

// Seen is what a spectator sees of a match now.
func (x *Matches) Seen(ctx context.Context, m tournament.Match) (Spectacle, error) {
	seen, err := x.show(ctx, m)
	if err != nil {
		return Spectacle{}, err
	}
	return seen.seen(), nil
}

// Told is what of a match a spectator, or a seat, was told; nothing before it has begun. A match that was lost by its
// worker waits for another: what was told stays told.
func (x *Matches) Told(ctx context.Context, m tournament.Match, seat game.Seat, after, limit int) ([]json.RawMessage, error) {
	if m.StartedAt == nil {
		return nil, nil
	}
	seen, err := x.show(ctx, m)
	if err != nil {
		return nil, err
	}
	return seen.heard(seat, after, limit), nil
}
