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

// show replays a match step by step as it is recorded, for all who watch it in this process.
type show struct {
	mu     sync.Mutex
	player *replay.Player // nil at first
	events []happened     // all, including hidden ones: heard decides which may leave
	now    Spectacle
	person bool              // a person has a seat: what events are told as is kept
	last   map[game.Seat]Own // by seat, for a person
}

// happened is an event and the step that it happened in.
type happened struct {
	game.Event
	step int
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
		out.person = m.AskerID == tournament.GuestsID
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
		out.own(step)
	}
	if len(steps) > 0 {
		out.look()
	}
	return out, nil
}

// keep keeps the events of the last step; what they are told as takes room, and only people read it.
func (x *show) keep() {
	for _, e := range x.player.Events() {
		if !x.person {
			e.Told = nil
		}
		x.events = append(x.events, happened{e, x.player.Step()})
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

// Told is what a spectator or a seat has heard of a match; nothing before it has begun. If its worker is lost, the match
// waits for another, and what was heard stays.
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
