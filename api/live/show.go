package live

import (
	"context"
	"encoding/json"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// show follows a match for all who watch it in this process: what everybody heard, and what a spectator sees now.
type show struct {
	player *replay.Player
	events []happened // all, including hidden ones: heard decides which may leave
	now    Spectacle
	person bool              // a person has a seat: what events are told as is kept
	last   map[game.Seat]Own // by seat, for a person
	bytes  int
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

// tableBytes is about what a match in progress takes.
const tableBytes = 16 << 10

// newShow is a match as it was dealt.
func newShow(m tournament.Match, spec runner.Spec) (*show, error) {
	p, err := spec.Deal()
	if err != nil {
		return nil, err
	}
	x := &show{player: p, person: m.AskerID == tournament.GuestsID, bytes: tableBytes}
	x.keep()
	x.look()
	return x, nil
}

// Step is the last step that is shown.
func (x *show) Step() int { return x.player.Step() }

// Bytes is about what the show takes.
func (x *show) Bytes() int { return x.bytes }

// Play shows the next steps.
func (x *show) Play(steps []runner.Step) error {
	for _, step := range steps {
		if err := step.Again(x.player); err != nil {
			return err
		}
		x.keep()
		x.own(step)
	}
	x.look()
	return nil
}

// eventBytes is about what an event takes beside its text.
const eventBytes = 96

// keep keeps the events of the last step; what they are told as takes room, and only people read it.
func (x *show) keep() {
	for _, e := range x.player.Events() {
		if !x.person {
			e.Told = nil
		}
		x.events = append(x.events, happened{e, x.player.Step()})
		x.bytes += eventBytes + len(e.Data)
	}
}

// look takes down what a spectator sees now.
func (x *show) look() {
	table := x.player.Table()
	x.now = Spectacle{table.Step(), table.Due(), table.View(game.Spectator)}
}

// heard is up to limit events that a seat, or a spectator, was told, after its first so many; [ErrAhead] if it was told fewer.
func (x *show) heard(seat game.Seat, after, limit int) ([]json.RawMessage, error) {
	var out []json.RawMessage
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
	if x.now.Due == 0 {
		n++ // in the stream the end has a number too
	}
	if n < after {
		return nil, ErrAhead
	}
	return out, nil
}

// Seen is what a spectator sees of a match now.
func (x *Matches) Seen(ctx context.Context, who httpx.Caller, m tournament.Match) (Spectacle, error) {
	var out Spectacle
	err := x.shows.Get(ctx, who, m, func(s *show) error {
		out = s.now
		return nil
	})
	return out, err
}

// Told is what a spectator or a seat has heard of a match; nothing before it has begun. If its worker is lost, the match
// waits for another, and what was heard stays.
func (x *Matches) Told(ctx context.Context, who httpx.Caller, m tournament.Match, seat game.Seat, after, limit int) (told []json.RawMessage, over bool, err error) {
	if m.StartedAt == nil {
		if after > 0 {
			err = ErrAhead
		}
		return nil, false, err
	}
	err = x.shows.Get(ctx, who, m, func(s *show) error {
		told, err = s.heard(seat, after, limit)
		over = s.now.Due == 0
		return err
	})
	return told, over, err
}
