package pages

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"sync"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament/runner"
)

// Film is a match played again, so that any step can be looked at. It does not change; many may look at once.
type Film struct {
	engine game.Engine
	deal   []game.Event
	turns  [][]replay.Turn // by step; none of step 0, the deal
	marks  [][]byte        // a snapshot of every markEvery-th step

	once      sync.Once // for what follows
	times     template.HTML
	timesText string
}

// markEvery is how many steps at most are played again for a look at one.
const markEvery = 16

// NewFilm plays a match again as far as it is recorded; every step must fit its hash.
func NewFilm(spec runner.Spec) (*Film, error) {
	p, err := spec.Deal()
	if err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	f := &Film{engine: spec.Engine, deal: p.Events()}
	f.keep(p, nil)
	for _, s := range spec.Recorded {
		if err := s.Again(p); err != nil {
			return nil, fmt.Errorf("pages: %w", err)
		}
		f.keep(p, s.Plain())
	}
	return f, nil
}

// filmOf is the film of a record that was verified.
func filmOf(rec *replay.Record, engine game.Engine) (*Film, error) {
	f := &Film{engine: engine}
	err := rec.Play(func(p *replay.Player) error {
		if p.Step() == 0 {
			f.deal = p.Events()
		}
		f.keep(p, rec.Steps[p.Step()].Turns)
		return nil
	})
	return f, err
}

// keep takes down the step that was played last.
func (f *Film) keep(p *replay.Player, turns []replay.Turn) {
	f.turns = append(f.turns, turns)
	if p.Step()%markEvery == 0 {
		f.marks = append(f.marks, p.Table().Snapshot())
	}
}

// Last is the number of the last step.
func (f *Film) Last() int { return len(f.turns) - 1 }

// At is the table after a step, 0 to Last.
func (f *Film) At(step int) (game.Table, error) {
	if step < 0 || step > f.Last() {
		return nil, f.none(step)
	}
	table, err := f.engine.Restore(f.marks[step/markEvery])
	if err != nil {
		return nil, fmt.Errorf("pages: step %d: %w", step, err)
	}
	for _, turns := range f.turns[step/markEvery*markEvery+1 : step+1] {
		if err := table.Repeat(replay.Plain(turns)); err != nil {
			return nil, fmt.Errorf("pages: step %d: %w", step, err)
		}
	}
	return table, nil
}

func (f *Film) none(step int) error {
	return fmt.Errorf("pages: there is no step %d of %d", step, f.Last())
}

// Frame is one look at a match: a step as a seat, or a spectator, sees it.
type Frame struct {
	Step  int    `json:"step"`
	SVG   string `json:"svg,omitempty"` // "" where the game has no drawing
	HTML  string `json:"html"`          // what happened
	Flick *Flick `json:"flick,omitempty"`
	look  `json:"-"`
}

// look is what the HTML of a frame is made of.
type look struct {
	Due    []int
	Events []string
	Turns  []Decided
	Words  string // the view in words, "" where the game has none
}

// Looks are the frames of some steps, from one on, as far as there are.
func (f *Film) looks(seat game.Seat, from, most int, open bool) ([]Frame, error) {
	if from > f.Last() {
		return nil, f.none(from)
	}
	table, err := f.At(max(0, from-1)) // the step that is looked at tells what happened in it
	if err != nil {
		return nil, err
	}
	var out []Frame
	for step := from; step <= min(f.Last(), from+most-1); step++ {
		events := f.deal
		if step > 0 {
			if events, err = table.Apply(replay.Plain(f.turns[step])); err != nil {
				return nil, fmt.Errorf("pages: step %d: %w", step, err)
			}
		}
		fr := Frame{Step: step}
		svg, err := table.Draw(seat, nil)
		if err != nil && !errors.Is(err, game.ErrUnsupported) {
			return nil, err
		}
		fr.SVG = string(svg)
		if fr.Words, err = table.Describe(seat); err != nil && !errors.Is(err, game.ErrUnsupported) {
			return nil, err
		}
		for s := range table.Due().Each() {
			fr.Due = append(fr.Due, int(s))
		}
		for _, e := range events {
			if !e.Hears(seat) {
				continue
			}
			fr.Events = append(fr.Events, cmp.Or(e.Words(), Sentence(e.Data)))
			if fr.Flick == nil {
				fr.Flick = flickOf(e.Data, table.View(game.Spectator))
			}
		}
		if open {
			for _, t := range f.turns[step] {
				fr.Turns = append(fr.Turns, f.decided(t))
			}
		}
		out = append(out, fr)
	}
	return out, nil
}

// Decided is a decision with its clock, as everybody may see it once the match is over.
type Decided struct {
	Seat            int
	Does            string // the action in words, "" where the game has none
	Action, Say     string
	By, Why         string
	Timed           bool
	Elapsed         string // "12.3 ms"
	Charged, Bank   string
	Parts           string // where the time went
	House, NoteThen bool
}

func (f *Film) decided(t replay.Turn) Decided {
	d := Decided{
		Seat:     int(t.Seat),
		Does:     f.engine.Does(t.Action),
		Action:   string(t.Action),
		Say:      t.Say,
		By:       t.By,
		Why:      words(t.Why),
		House:    t.By == replay.ByHouse,
		NoteThen: t.Why == "then",
	}
	c, ok := runner.ReadClock(t.Clock)
	if !ok {
		return d
	}
	d.Timed, d.Elapsed, d.Charged, d.Bank = true, ms(c.ElapsedUS), ms(c.ChargedUS), ms(c.BankUS)
	for _, p := range []struct {
		name string
		us   int64
	}{
		{"DNS", c.DNSUS},
		{"connect", c.ConnectUS},
		{"TLS", c.TLSUS},
		{"written", c.WrittenUS},
		{"first byte", c.FirstByteUS},
		{"body", c.BodyUS},
		{"round trip", c.RoundTripUS},
		{"the platform stood still", c.StoodUS},
	} {
		if p.us > 0 {
			if d.Parts != "" {
				d.Parts += " · "
			}
			d.Parts += p.name + " " + ms(p.us)
		}
	}
	if c.Kernel {
		d.Parts += " · by the kernel"
	}
	return d
}

func ms(us int64) string {
	switch {
	case us >= 1_000_000:
		return fmt.Sprintf("%.2f s", float64(us)/1e6)
	case us >= 100_000:
		return fmt.Sprintf("%.0f ms", float64(us)/1e3)
	}
	return fmt.Sprintf("%.1f ms", float64(us)/1e3)
}

func seatOf(n int) game.Seat { return game.Seat(n) } // a seat of the match, or -1
