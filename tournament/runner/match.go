package runner

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
)

// match is the state of a match in progress: the player of its record, and what is kept per seat.
type match struct {
	spec   *Spec
	player *replay.Player
	table  game.Table // the player's
	seats  []seat
}

// seat is what the runner remembers about one seat.
type seat struct {
	bank     time.Duration
	faults   int // in all
	inRow    int // of them, since its last answer that counted
	retired  bool
	memo     string
	previous *Previous
	heard    []game.Event    // events since its last turn
	then     []string        // actions sent ahead
	thenStep int             // the step then[0] is for
	took     []time.Duration // by its own answers
	claims   claim.Account   // its bot's
}

// open deals the match and takes the recorded steps.
func open(spec *Spec) (*match, error) {
	m, err := deal(spec)
	if err == nil {
		err = m.again(spec.Recorded, m.claimed, func() {})
	}
	return m, err
}

// deal deals the match.
func deal(spec *Spec) (*match, error) {
	p, err := spec.Deal()
	if err != nil {
		return nil, err
	}
	m := &match{spec: spec, player: p, table: p.Table(), seats: make([]seat, len(spec.Header.Seats))}
	for i := range m.seats {
		m.seats[i].bank = spec.Clock.Bank
	}
	m.tell()
	return m, nil
}

// again takes recorded steps, whose hashes must be those of the record, and calls before and after in turn with every one.
func (m *match) again(steps []Step, before func([]Decision), after func()) error {
	for _, s := range steps {
		before(s.Turns)
		if err := s.Again(m.player); err != nil {
			return err
		}
		if err := m.settle(s.Turns); err != nil {
			return fmt.Errorf("%w: recorded %w", ErrPlatform, err)
		}
		after()
	}
	return nil
}

// claimed takes what bots claim beside the decisions of a step that is about to be played: beliefs are scored at its table.
func (m *match) claimed(turns []Decision) {
	for _, d := range turns {
		m.seats[d.Seat].claims.Take(m.table, d.Seat, d.Usage, d.Belief)
	}
}

// take plays a step that has just been decided.
func (m *match) take(turns []Decision) error {
	m.claimed(turns)
	err := m.player.Play(Step{Turns: turns}.Plain())
	if err == nil {
		err = m.settle(turns)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPlatform, err)
	}
	return nil
}

// settle updates every seat after the step that was played last.
func (m *match) settle(turns []Decision) error {
	for _, d := range turns {
		if err := m.seats[d.Seat].decided(d, m.table.Step(), m.spec.Limits); err != nil {
			return fmt.Errorf("step %d: %w", m.table.Step(), err)
		}
		if s := &m.seats[d.Seat]; len(s.then) > 0 && !m.table.Chains(d.Action) {
			s.then = nil
		}
	}
	m.tell()
	return nil
}

// decided updates a seat after its decision at step.
func (s *seat) decided(d Decision, step int, limits tournament.FaultLimits) error {
	switch d.Why {
	case tournament.WhyRetired:
		return nil
	case tournament.WhyThen:
		if len(s.then) > 0 { // whoever writes a record reads steps without what was sent ahead
			s.then = s.then[1:]
		}
		s.thenStep = step + 1 // its events stay: the bot has not heard of them
		return nil
	}
	l := d.Asked
	if l == nil { // of the record
		if err := json.Unmarshal(d.Clock, &l); err != nil {
			return fmt.Errorf("seat %d: clock: %w", d.Seat, err)
		}
	}
	s.bank = us(l.BankUS)
	s.previous = &Previous{Status: "ok", Elapsed: us(l.ElapsedUS), Charged: us(l.ChargedUS), Reason: d.Reason}
	s.heard, s.then = nil, nil
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

// tell keeps the events of the last step for the seats that may hear them, until their next turn.
func (m *match) tell() {
	for i := range m.seats {
		for _, e := range m.player.Events() {
			if e.VisibleTo(game.Seat(i)) {
				m.seats[i].heard = append(m.seats[i].heard, e)
			}
		}
	}
}

func (m *match) outcome() Outcome {
	result, _ := m.table.Result()
	o := Outcome{
		Result: result,
		Steps:  m.table.Step(),
		Faults: make([]int, len(m.seats)),
		P95:    make([]time.Duration, len(m.seats)),
		Claims: make([]claim.Account, len(m.seats)),
		Hash:   m.player.Hash(),
	}
	for i, s := range m.seats {
		o.Faults[i], o.P95[i], o.Claims[i] = s.faults, p95(s.took), s.claims
		if s.retired {
			o.Retired = o.Retired.With(game.Seat(i))
		}
		if s.inRow > 0 {
			o.Failing = o.Failing.With(game.Seat(i))
		}
		if s.retired || s.faults > 0 && len(s.took) == 0 {
			o.Failed = o.Failed.With(game.Seat(i))
		}
	}
	o.Rank = rating.Placing(result, o.Retired)
	return o
}
