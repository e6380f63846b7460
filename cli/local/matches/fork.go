package matches

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// Fork says how a match goes on otherwise.
type Fork struct {
	At     int                  // the last step that is kept; 0 is the deal
	Seat   game.Seat            // who decides otherwise in the next step
	Action json.RawMessage      // what it does then; nil: the seat decides for itself
	Bots   map[game.Seat]string // who plays on, by seat, as named
	Fill   string               // who plays on in the other seats, where the record names no house bot
	Seed   uint64               // the luck of house bots; that of the game is the record's
	Clock  tournament.Clock
}

// Forked is what came of it.
type Forked struct {
	Played
	Header replay.Header
}

// Write writes the record.
func (f Forked) Write(w io.Writer) error {
	_, err := w.Write(f.record)
	return err
}

// Fork plays a match on from one of its steps. All luck that is still to come is that of the record: it follows from the
// seed and the number of the step. Seats that are due with the one that decides otherwise do what they did.
func (r *Room) Fork(ctx context.Context, rec *replay.Record, o Fork, program string) (Forked, error) {
	h := rec.Header
	if last := len(rec.Steps) - 2; o.At < 0 || o.At > last {
		return Forked{}, fmt.Errorf("%w: --at %d: want 0 to %d, after which somebody still had to decide", command.ErrUsage, o.At, last)
	}
	for seat := range o.Bots {
		if int(seat) >= len(h.Seats) {
			return Forked{}, fmt.Errorf("%w: there is no seat %d at a table of %d", command.ErrUsage, seat, len(h.Seats))
		}
	}
	engine, _ := catalog.Find(h.Game) // the record has been verified
	if o.Action != nil {
		if err := legal(rec, o); err != nil {
			return Forked{}, err
		}
	}
	h.Fork = &replay.Fork{Match: rec.Header.Match, Step: o.At, Hash: rec.Steps[o.At].Hash}
	h.Match, h.Engine = "fork-"+name(h.Fork, o.Seat, o.Action, o.Seed), program
	players, seats, err := r.heirs(ctx, rec, o)
	if err != nil {
		return Forked{}, err
	}
	h.Seats = seats
	steps, limits, err := taken(h, rec, o.At)
	if err != nil {
		return Forked{}, err
	}
	p, _, err := playOn(ctx, runner.Spec{Header: h, Engine: engine, Seed: rec.Seed, Clock: o.Clock, Limits: limits, Beliefs: believed(rec), Recorded: steps}, players, rec.Nonce)
	return Forked{p, h}, err
}

// legal refuses what the seat could not have done.
func legal(rec *replay.Record, o Fork) error {
	return rec.PlayAs(rec.Header, o.At, func(p *replay.Player) error {
		if p.Step() < o.At {
			return nil
		}
		if err := p.Table().Check(game.Turn{Seat: o.Seat, Action: o.Action}); err != nil {
			return fmt.Errorf("%w: after step %d (due: seats %s): %w", command.ErrUsage, o.At, p.Table().Due().AppendJSON(nil), err)
		}
		return nil
	})
}

// heirs returns the players that go on, by seat.
func (r *Room) heirs(ctx context.Context, rec *replay.Record, o Fork) ([]runner.Player, []replay.Seat, error) {
	if err := r.Check(o.Fill, rec.Header.Game); err != nil { // also where no seat is left for it
		return nil, nil, err
	}
	luck := game.Stream(rec.Seed, int(o.Seed%(1<<31)), "fork bots")
	var players []runner.Player
	var seats []replay.Seat
	for i, s := range rec.Header.Seats {
		seat, arg := game.Seat(i), o.Fill
		if name := houseOf(s.Bot, rec.Header.Game); name != "" {
			arg = name
		}
		chosen, given := o.Bots[seat]
		if given {
			arg = chosen
		}
		b, err := r.Bot(ctx, arg, rec.Header.Game)
		if err != nil {
			return nil, nil, err
		}
		p, err := r.player(b, luck.Uint64())
		if err != nil {
			return nil, nil, err
		}
		if o.Action != nil {
			was, due := turnOf(rec.Steps[o.At+1], seat)
			switch {
			case seat == o.Seat:
				p = forced{p, o.At, replay.Turn{Action: o.Action}}
			case due && !given:
				p = forced{p, o.At, was}
			}
		}
		players, seats = append(players, p), append(seats, replay.Seat{Alias: s.Alias, Bot: b.Name, Build: b.Build})
	}
	return players, seats, nil
}

// numbered matches what a series puts behind the name of a bot, see [Room.Field].
var numbered = regexp.MustCompile(`( \(fill\))?(#\d+)?$`)

// IsOf reports whether a seat of a record may be that of a bot of this name and build.
func IsOf(s replay.Seat, b Bot) bool {
	return s.Bot == b.Name || numbered.ReplaceAllString(s.Bot, "") == b.Name || s.Build != "" && s.Build == b.Build
}

// houseOf returns the house bot that a record names: "greedy", "greedy#2", "greedy (fill)" and "greedy-otter" are greedy; "" if it names none.
func houseOf(name, gameID string) string {
	name, _, _ = strings.Cut(numbered.ReplaceAllString(name, ""), "-")
	if b, ok := house.Find(name); ok && slices.Contains(b.Games, gameID) {
		return name
	}
	return ""
}

// forced is a player whose action in one step is given.
type forced struct {
	runner.Player
	step int
	turn replay.Turn
}

// Ask answers itself in that step.
func (f forced) Ask(ctx context.Context, br runner.Briefing, a runner.Ask) runner.Reply {
	if a.Step == f.step {
		return runner.Reply{Action: f.turn.Action, Say: f.turn.Say}
	}
	return f.Player.Ask(ctx, br, a)
}

// WantsText implements [runner.Reader] as the player behind does.
func (f forced) WantsText() bool {
	p, ok := f.Player.(runner.Reader)
	return ok && p.WantsText()
}

// taken returns the steps of a record up to the step at, in the chain of another header, and limits by which nobody is retired
// for what happened in them.
func taken(h replay.Header, rec *replay.Record, at int) ([]runner.Step, tournament.FaultLimits, error) {
	limits := tournament.DefaultFaultLimits()
	var steps []runner.Step
	err := rec.PlayAs(h, at, func(p *replay.Player) error {
		if p.Step() == 0 {
			return nil
		}
		s := runner.Step{Step: p.Step(), Hash: p.Hash()}
		for _, t := range rec.Steps[s.Step].Turns {
			d := runner.Decision{Turn: t, Then: ahead(rec, t.Seat, s.Step, at)}
			if t.By == replay.ByHouse {
				d.Fault, d.Then = t.Why, nil
				limits.InRow++
				limits.Total++
			}
			s.Turns = append(s.Turns, d)
		}
		steps = append(steps, s)
		return nil
	})
	return steps, limits, err
}
