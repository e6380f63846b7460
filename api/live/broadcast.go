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

// broadcast follows a match for all who watch it in this process: its events, and what a spectator sees now.
type broadcast struct {
	player  *replay.Player
	events  []stepEvent // all, including hidden ones: eventsSeen decides which may leave
	current SpectatorView
	person  bool              // a person has a seat: the values of events are kept for their words
	last    map[game.Seat]Own // by seat, for a person
	bytes   int
}

// stepEvent is an event and the step that it happened in.
type stepEvent struct {
	game.Event
	step int
}

// SpectatorView holds what a spectator sees of a match after a step.
type SpectatorView struct {
	Step int
	Due  game.Seats
	View json.RawMessage
}

// tableBytes is about what a match in progress takes.
const tableBytes = 16 << 10

// newBroadcast returns a match as it was dealt.
func newBroadcast(m tournament.Match, spec runner.Spec) (*broadcast, error) {
	p, err := spec.Deal()
	if err != nil {
		return nil, err
	}
	x := &broadcast{player: p, person: m.AskerID == tournament.GuestsID, bytes: tableBytes}
	x.keep()
	x.look()
	return x, nil
}

// Step returns the last step that is shown.
func (x *broadcast) Step() int { return x.player.Step() }

// Bytes returns about what the show takes.
func (x *broadcast) Bytes() int { return x.bytes }

// Play shows the next steps.
func (x *broadcast) Play(steps []runner.Step) error {
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

// keep appends the events of the last step. Their values take memory and serve only people, so matches of bots drop them.
func (x *broadcast) keep() {
	for _, e := range x.player.Events() {
		if !x.person {
			e.Value = nil
		}
		x.events = append(x.events, stepEvent{e, x.player.Step()})
		x.bytes += eventBytes + len(e.Data)
	}
}

// look takes down what a spectator sees now.
func (x *broadcast) look() {
	table := x.player.Table()
	x.current = SpectatorView{table.Step(), table.Due(), table.View(game.Spectator)}
}

// eventsSeen returns up to limit events visible to a seat, or a spectator, after its first so many; [ErrAhead] if there are fewer. In the stream
// the end of a match that is over has a number too.
func (x *broadcast) eventsSeen(seat game.Seat, after, limit int, over bool) ([]json.RawMessage, error) {
	var out []json.RawMessage
	n := 0
	for _, e := range x.events {
		if len(out) == limit {
			break
		}
		if !e.VisibleTo(seat) {
			continue
		}
		if n++; n > after {
			out = append(out, e.Data)
		}
	}
	if over {
		n++
	}
	if n < after {
		return nil, ErrAhead
	}
	return out, nil
}

// SpectatorView returns what a spectator sees of a match now.
func (x *Matches) SpectatorView(ctx context.Context, who httpx.Caller, m tournament.Match) (SpectatorView, error) {
	var out SpectatorView
	err := x.shows.Get(ctx, who, m, func(s *broadcast) error {
		out = s.current
		return nil
	})
	return out, err
}

// EventsSeen returns the events of a match visible to a spectator or a seat; none before it has begun. If its worker is lost, the match
// waits for another, and its events stay.
func (x *Matches) EventsSeen(ctx context.Context, who httpx.Caller, m tournament.Match, seat game.Seat, after, limit int) (events []json.RawMessage, over bool, err error) {
	if m.StartedAt == nil {
		if after > 1 || after == 1 && !m.Status.Over() {
			err = ErrAhead
		}
		return nil, false, err
	}
	err = x.shows.Get(ctx, who, m, func(s *broadcast) error {
		over = s.current.Due == 0 || m.Status.Over()
		events, err = s.eventsSeen(seat, after, limit, over)
		return err
	})
	return events, over, err
}
