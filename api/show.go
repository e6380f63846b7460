package api

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
	now    spectacle
}

// spectacle is what a spectator sees of a match after some steps.
type spectacle struct {
	step int
	due  game.Seats
	view json.RawMessage
}

// show is a match as far as it is recorded now. Playing a match again can be dear, so the last ones are kept.
func (s *Server) show(ctx context.Context, m tournament.Match) (*show, error) {
	engine, err := s.engineOf(m)
	if err != nil {
		return nil, err
	}
	x := &show{}
	if old, had, _ := s.shows.PeekOrAdd(m.ID, x); had {
		x = old
		s.shows.Get(m.ID) // counts as seen
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.player == nil { // the whole match so far, which can be long; later it is a step at a time
		leave, err := s.reruns.enter(ctx)
		if err != nil {
			return nil, err
		}
		defer leave()
		if m, err = s.store.Match(ctx, m.ID); err != nil { // m may be from before it began
			return nil, err
		}
		spec := runner.SpecOf(m, engine, nil)
		if x.player, err = spec.Deal(); err != nil {
			return nil, fmt.Errorf("match %s: %w", m.ID, err)
		}
		x.keep()
		x.look()
	}
	steps, err := s.store.DecisionsAfter(ctx, m.ID, x.player.Step())
	if err != nil {
		return nil, err
	}
	for _, step := range steps {
		if err := step.Again(x.player); err != nil {
			s.shows.Remove(m.ID)
			return nil, fmt.Errorf("match %s: %w", m.ID, err)
		}
		x.keep()
	}
	if len(steps) > 0 {
		x.look()
	}
	return x, nil
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
	x.now = spectacle{table.Step(), table.Due(), table.View(game.Spectator)}
}

// seen is what a spectator sees now.
func (x *show) seen() spectacle {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.now
}

// heard is up to limit events that a seat, or a spectator, was told, after its first so many.
func (x *show) heard(seat game.Seat, after, limit int) (out []json.RawMessage) {
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

// matchSource is the stream of a match: what a spectator, or after the end a seat, was told, then the end.
type matchSource struct {
	s    *Server
	m    tournament.Match // as it was when somebody came to watch
	seat game.Seat
}

// matchEnd is the last event of a match's stream.
type matchEnd struct {
	Status string `json:"status"`
}

func (x matchSource) load(ctx context.Context, after int64, limit int) ([]item, bool, error) {
	m := x.m
	var err error
	m.Status, m.StartedAt, err = x.s.store.MatchState(ctx, m.ID) // before the steps: those of a match that is over are all there
	if err != nil {
		return nil, false, err
	}
	told, err := x.s.told(ctx, m, x.seat, int(after), limit)
	if err != nil {
		return nil, false, err
	}
	var out []item
	for i, e := range told {
		out = append(out, item{id: after + int64(i) + 1, data: asJSON(MatchEvent{int(after) + i + 1, e})})
	}
	if !m.Status.Over() || len(out) == limit {
		return out, false, nil
	}
	return append(out, item{id: after + int64(len(out)) + 1, kind: "end", data: asJSON(matchEnd{string(m.Status)})}), true, nil
}

// told is what of a match a spectator, or a seat, was told; nothing before it has begun. A match that was lost by its
// worker waits for another: what was told stays told.
func (s *Server) told(ctx context.Context, m tournament.Match, seat game.Seat, after, limit int) ([]json.RawMessage, error) {
	if m.StartedAt == nil {
		return nil, nil
	}
	x, err := s.show(ctx, m)
	if err != nil {
		return nil, err
	}
	return x.heard(seat, after, limit), nil
}

// asJSON is one of our own values as JSON.
func asJSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic("api: own data cannot be written as JSON: " + err.Error())
	}
	return b
}
