package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// Seat is what a person sees of the running match that they play. Only who proves that the seat is theirs may be given it.
type Seat struct {
	Step    int
	Own     Own     // the seat's last decision
	Heard   []Heard // since then, that step included
	Aid     game.Aid
	View    json.RawMessage
	Words   string // the view in words; "" where the game has none
	Drawing []byte // nil where the game has none
}

// Heard is an event that a seat was let know, and the step after which.
type Heard struct {
	Step int
	game.Event
}

// Own is a decision of a seat.
type Own struct {
	Step  int    // 0: it has not decided yet
	House string // why the house decided; "": it did not
}

// own takes down who decided in a step.
func (x *broadcast) own(step runner.Step) {
	if !x.person {
		return
	}
	if x.last == nil {
		x.last = map[game.Seat]Own{}
	}
	for _, d := range step.Turns {
		o := Own{Step: x.player.Step()}
		if d.By == replay.ByHouse {
			o.House = d.Why
			if d.Fault != "" {
				o.House = d.Fault
			}
		}
		x.last[d.Seat] = o
	}
}

// AtSeat returns a person's match as their seat sees it now; names are what the drawing calls the seats.
func (x *Matches) AtSeat(ctx context.Context, who httpx.Caller, m tournament.Match, seat game.Seat, names []string) (out Seat, err error) {
	err = x.shows.Get(ctx, who, m, func(s *broadcast) error {
		var err error
		out, err = s.seat(seat, names)
		return err
	})
	return out, err
}

func (x *broadcast) seat(seat game.Seat, names []string) (Seat, error) {
	table := x.player.Table()
	out := Seat{Step: table.Step(), Own: x.last[seat], Aid: table.Aid(seat), View: table.View(seat)}
	for _, e := range x.events {
		if e.VisibleTo(seat) && e.step >= out.Own.Step {
			out.Heard = append(out.Heard, Heard{e.step, e.Event})
		}
	}
	var err error
	if out.Words, err = table.Describe(seat); err != nil && !errors.Is(err, game.ErrUnsupported) {
		return out, err
	}
	if out.Drawing, err = table.Draw(seat, names); errors.Is(err, game.ErrUnsupported) {
		err = nil
	}
	return out, err
}

// recordLate is how long the record of a step may take after the next turn was sent, and lookAgain how often it is looked at.
const (
	recordLate = 2 * time.Second
	lookAgain  = 25 * time.Millisecond
)

// CheckTurn says why a turn may not be played in a match after a step: [tournament.ErrInvalid] if the rules refuse it, and
// [tournament.ErrState] if the match does not stand there. The record may be a moment behind what the seat was asked.
func (x *Matches) CheckTurn(ctx context.Context, who httpx.Caller, m tournament.Match, step int, t game.Turn) error {
	end, tick := time.NewTimer(recordLate), time.NewTicker(lookAgain)
	defer end.Stop()
	defer tick.Stop()
	for {
		err := x.shows.Get(ctx, who, m, func(s *broadcast) error {
			table := s.player.Table()
			if table.Step() != step {
				return tournament.ErrState
			}
			return table.Check(t)
		})
		if errors.Is(err, game.ErrIllegal) || errors.Is(err, game.ErrSay) {
			_, why := game.Code(err)
			err = fmt.Errorf("%w: %s", tournament.ErrInvalid, why)
		}
		if !errors.Is(err, tournament.ErrState) {
			return err
		}
		select {
		case <-tick.C:
		case <-end.C:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
