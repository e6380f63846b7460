package replay

import (
	"bytes"
	"encoding/hex"
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// Player plays a match step by step from its deal, and writes the lines of its record. Recorded and new steps take the same
// path, so a replayed match cannot differ unnoticed. The errors of its methods name the step. It is not safe for concurrent
// use.
type Player struct {
	table  game.Table
	chain  *chain
	header []byte
	line   []byte
	events []game.Event
	turns  []game.Turn // of the last step, reused
}

// Deal starts a match; errors are the engine's.
func Deal(engine game.Engine, h Header, seed game.Seed) (*Player, error) {
	table, events, err := engine.New(h.Config, len(h.Seats), seed)
	if err != nil {
		return nil, err
	}
	p := &Player{table: table, events: events}
	p.chain, p.header = newChain(h)
	p.line = p.chain.Step(0, nil, events, table.Hash())
	return p, nil
}

// Table returns the present table; change it only through the player.
func (p *Player) Table() game.Table { return p.table }

// Step returns the number of the last step played; 0 is the deal.
func (p *Player) Step() int { return p.table.Step() }

// Events returns the last step's; at first, the deal's.
func (p *Player) Events() []game.Event { return p.events }

// Header returns the first line of the record, without a newline.
func (p *Player) Header() []byte { return p.header }

// Line returns the record's line of the last step. The next step writes over it.
func (p *Player) Line() []byte { return p.line }

// Hash returns the record's chain hash after the last step.
func (p *Player) Hash() [32]byte { return p.chain.prev }

// Play plays a step that is not yet recorded.
func (p *Player) Play(turns []Turn) error {
	p.turns = appendPlain(p.turns[:0], turns)
	events, err := p.table.Apply(p.turns)
	if err != nil {
		return fmt.Errorf("step %d: %w", p.Step()+1, err)
	}
	p.events = events
	p.line = p.chain.Step(p.Step(), turns, events, p.table.Hash())
	return nil
}

// End returns the last line of the record of a match that is over. nonce opens the commitment in the header.
func (p *Player) End(retired game.Seats, seed game.Seed, nonce [16]byte) []byte {
	result, _ := p.table.Result()
	return p.chain.end(result, retired, seed, nonce)
}

// PlayRecorded plays a recorded step and checks that the chain then has the recorded hash.
func (p *Player) PlayRecorded(step int, turns []Turn, hash [32]byte) error {
	if due := p.Step() + 1; step != due {
		return fmt.Errorf("step %d stands where %d is due", step, due)
	}
	if err := p.Play(turns); err != nil {
		return err
	}
	if p.Hash() != hash {
		return fmt.Errorf("step %d does not fit its hash", step)
	}
	return nil
}

// repeat plays the next step of a record file: its house actions, events and state must be what the rules give. The chain of a
// file holds as it is written there; it was checked when the file was read.
func (p *Player) repeat(s Step) error {
	for _, t := range s.Turns {
		if err := p.decided(t); err != nil {
			return fmt.Errorf("step %d: seat %d: %w", p.Step()+1, t.Seat, err)
		}
	}
	if err := p.Play(s.Turns); err != nil {
		return err
	}
	return p.compare(s)
}

// decided checks who decided a turn.
func (p *Player) decided(t Turn) error {
	switch t.By {
	case ByBot:
		return nil
	case ByHouse:
		if want := p.table.House(t.Seat); !bytes.Equal(want, t.Action) {
			return fmt.Errorf("the house would have played %s", want)
		}
		return nil
	}
	return fmt.Errorf("decided by %q, want %q or %q", t.By, ByBot, ByHouse)
}

// compare holds the last step against what a record file has of it.
func (p *Player) compare(s Step) error {
	if len(p.events) != len(s.Events) {
		return fmt.Errorf("step %d: %d events recorded, the rules give %d", p.Step(), len(s.Events), len(p.events))
	}
	for i, e := range p.events {
		if want := e.AppendJSON(nil); !bytes.Equal(want, s.Events[i]) {
			return fmt.Errorf("step %d: event %d: the rules give %s", p.Step(), i, want)
		}
	}
	if got := p.table.Hash(); hex.EncodeToString(got[:]) != s.State {
		return fmt.Errorf("step %d: the rules give another state", p.Step())
	}
	return nil
}

// GameTurns returns the turns as a table takes them.
func GameTurns(turns []Turn) []game.Turn { return appendPlain(make([]game.Turn, 0, len(turns)), turns) }

func appendPlain(out []game.Turn, turns []Turn) []game.Turn {
	for _, t := range turns {
		out = append(out, game.Turn{Seat: t.Seat, Action: t.Action, Say: t.Say})
	}
	return out
}

// Play replays a record. It calls each with the match after every step, the deal first, once the step agrees with the record.
// The error is [ErrReplay], or each's own.
func (rec *Record) Play(each func(p *Player) error) error {
	return rec.PlayAs(rec.Header, len(rec.Steps)-1, each)
}

// PlayAs works like Play up to the step last, under the header of another record of the same match: the player writes the beginning
// of that record.
func (rec *Record) PlayAs(h Header, last int, each func(p *Player) error) error {
	p, err := Deal(rec.engine, h, rec.Seed)
	if err != nil {
		return fmt.Errorf("%w: header: %w", ErrReplay, err)
	}
	if err := p.compare(rec.Steps[0]); err != nil {
		return fmt.Errorf("%w: %w", ErrReplay, err)
	}
	if err := each(p); err != nil {
		return err
	}
	for _, s := range rec.Steps[1 : last+1] {
		if err := p.repeat(s); err != nil {
			return fmt.Errorf("%w: %w", ErrReplay, err)
		}
		if err := each(p); err != nil {
			return err
		}
	}
	return nil
}
