package runner

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
)

// match is the state of a match in progress: the table, the record's chain, and what is kept per seat. Recorded steps
// and live ones change it through the same door, [match.take], so that a resumed match cannot differ.
type match struct {
	spec  *Spec
	table game.Table
	chain *replay.Chain
	seats []seat
	// line holds the record's line of the last step taken; the deal's at first.
	line   []byte
	header []byte
}

// seat is what the runner remembers about one seat.
type seat struct {
	bank     time.Duration
	faults   int // in all
	inRow    int
	retired  bool
	memo     string
	previous *Previous
	pending  []json.RawMessage // events since its last turn
	then     []string          // actions sent ahead
	thenStep int               // the step then[0] is for
	took     []time.Duration   // by its own answers
}

// open deals the match and takes the recorded steps, whose hashes must be those of the record.
func open(spec *Spec, each func(m *match, s Step, events []game.Event)) (*match, error) {
	return follow(spec, func(m *match, s Step, events []game.Event) error {
		if s.Step > 0 && s.Hash != m.chain.Hash() {
			return fmt.Errorf("%w: recorded step %d does not fit its hash", ErrPlatform, s.Step)
		}
		if each != nil {
			each(m, s, events)
		}
		return nil
	})
}

// follow deals the match and takes the recorded steps; each is told of the deal, as step 0, and of every step.
func follow(spec *Spec, each func(m *match, s Step, events []game.Event) error) (*match, error) {
	table, events, err := spec.Engine.New(spec.Header.Config, len(spec.Header.Seats), spec.Seed)
	if err != nil {
		return nil, fmt.Errorf("%w: deal: %w", ErrPlatform, err)
	}
	m := &match{spec: spec, table: table, seats: make([]seat, len(spec.Header.Seats))}
	m.chain, m.header = replay.NewChain(spec.Header)
	m.line = m.chain.Step(0, nil, events, table.Hash())
	for i := range m.seats {
		m.seats[i].bank = spec.Clock.Bank
	}
	m.tell(events)
	if err := each(m, Step{}, events); err != nil {
		return nil, err
	}
	for _, s := range spec.Recorded {
		if s.Step != table.Step()+1 {
			return nil, fmt.Errorf("%w: the record has step %d where %d is due", ErrPlatform, s.Step, table.Step()+1)
		}
		events, err := m.take(s.Turns)
		if err != nil {
			return nil, fmt.Errorf("%w: recorded step %d: %w", ErrPlatform, s.Step, err)
		}
		if err := each(m, s, events); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// take plays one step and updates every seat.
func (m *match) take(turns []Decision) ([]game.Event, error) {
	plain := make([]game.Turn, len(turns))
	written := make([]replay.Turn, len(turns))
	for i, d := range turns {
		plain[i] = game.Turn{Seat: d.Seat, Action: d.Action, Say: d.Say}
		written[i] = d.Turn
	}
	events, err := m.table.Apply(plain)
	if err != nil {
		return nil, err
	}
	m.line = m.chain.Step(m.table.Step(), written, events, m.table.Hash())
	for _, d := range turns {
		if err := m.seats[d.Seat].decided(d, m.table.Step(), m.spec.Limits); err != nil {
			return nil, err
		}
		if s := &m.seats[d.Seat]; len(s.then) > 0 && !m.table.Chains(d.Action) {
			s.then = nil
		}
	}
	m.tell(events)
	return events, nil
}

// decided updates a seat after its decision at step.
func (s *seat) decided(d Decision, step int, limits tournament.FaultLimits) error {
	switch d.Why {
	case tournament.WhyRetired:
		return nil
	case tournament.WhyThen:
		s.then, s.thenStep = s.then[1:], step+1 // its events stay pending: the bot has not been told of them
		return nil
	}
	var l ClockLine
	if err := json.Unmarshal(d.Clock, &l); err != nil {
		return fmt.Errorf("seat %d: clock: %w", d.Seat, err)
	}
	s.bank = us(l.BankUS)
	s.previous = &Previous{Status: "ok", Elapsed: us(l.ElapsedUS), Charged: us(l.ChargedUS), Reason: d.Reason}
	s.pending, s.then = nil, nil
	if d.By == replay.ByBot {
		s.inRow, s.memo = 0, d.Memo
		s.then, s.thenStep = d.Then, step+1
		s.took = append(s.took, us(l.ElapsedUS))
		return nil
	}
	s.previous.Status = d.Fault
	s.faults++
	s.inRow++
	s.retired = s.inRow >= limits.InRow || s.faults >= limits.Total
	return nil
}

// tell keeps the events for the seats that may hear them, until their next turn.
func (m *match) tell(events []game.Event) {
	for i := range m.seats {
		for _, e := range events {
			if e.Hears(game.Seat(i)) {
				m.seats[i].pending = append(m.seats[i].pending, e.Data)
			}
		}
	}
}

func (m *match) outcome() Outcome {
	result, _ := m.table.Result()
	o := Outcome{Result: result, Steps: m.table.Step(), Faults: make([]int, len(m.seats)), P95: make([]time.Duration, len(m.seats)), Hash: m.chain.Hash()}
	for i, s := range m.seats {
		o.Faults[i], o.P95[i] = s.faults, p95(s.took)
		if s.retired {
			o.Retired = o.Retired.With(game.Seat(i))
		}
	}
	o.Rank = rating.Placing(result, o.Retired)
	return o
}
