package pages

import (
	"errors"
	"fmt"
	"html/template"
	"slices"
	"sync"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament/runner"
)

// Replay is a match played again, so that any step can be looked at. It does not change; many may look at once.
type Replay struct {
	engine    game.Engine
	deal      []game.Event
	turns     [][]replay.Turn // by step; none of step 0, the deal
	snapshots [][]byte        // a snapshot of every markEvery-th step
	beats     []beat          // by step
	ahead     []int           // by step: the side that was ahead last; -1 before any was
	bytes     int             // that it takes, about
	claims    []claim.Account // by seat, up to the last that claimed something

	once      sync.Once // for what follows
	times     template.HTML
	timesText string
}

// Claims sums up what the bots of a match claimed, by seat; nil if they claimed nothing. It is for open matches.
func (f *Replay) Claims() []claim.Account { return f.claims }

// claimed takes down what came with the turns that follow a table.
func (f *Replay) claimed(before game.Table, turns []replay.Turn) {
	for _, t := range turns {
		if len(t.Usage)+len(t.Belief) == 0 {
			continue
		}
		if int(t.Seat) >= len(f.claims) {
			f.claims = append(f.claims, make([]claim.Account, int(t.Seat)+1-len(f.claims))...)
		}
		f.claims[t.Seat].Take(before, t.Seat, t.Usage, t.Belief)
	}
}

// snapshotEvery is how many steps at most are played again for a look at one.
const snapshotEvery = 16

// Recorder makes the replay of a match while that is played. It is not safe for concurrent use.
type Recorder struct {
	player *replay.Player
	replay *Replay // as far as the match has come
	latest *Replay // what was handed out last; nil if it has gone on since
}

// NewRecorder begins the replay of a match, as it was dealt.
func NewRecorder(spec runner.Spec) (*Recorder, error) {
	p, err := spec.Deal()
	if err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	f := &Replay{engine: spec.Engine, deal: p.Events()}
	return &Recorder{player: p, replay: f}, f.keep(p, nil)
}

// Step returns the last step of the replay.
func (s *Recorder) Step() int { return s.replay.Last() }

// Bytes estimates the memory of the replay.
func (s *Recorder) Bytes() int { return s.replay.bytes }

// Play takes down the next steps of the match.
func (s *Recorder) Play(steps []runner.Step) error {
	s.latest = nil
	for _, step := range steps {
		turns := step.Plain()
		s.replay.claimed(s.player.Table(), turns)
		if err := s.player.PlayRecorded(step.Step, turns, step.Hash); err != nil {
			return fmt.Errorf("pages: %w: recorded %w", runner.ErrPlatform, err)
		}
		if err := s.replay.keep(s.player, turns); err != nil {
			return err
		}
	}
	return nil
}

// Replay returns the replay as far as it has come. What comes later is written behind it.
func (s *Recorder) Replay() *Replay {
	if s.latest == nil {
		f := s.replay
		s.latest = &Replay{engine: f.engine, deal: f.deal, turns: f.turns, snapshots: f.snapshots, beats: f.beats, ahead: f.ahead, claims: slices.Clone(f.claims)}
	}
	return s.latest
}

// replayOf returns the replay of a record that was verified.
func replayOf(rec *replay.Record, engine game.Engine) (*Replay, error) {
	f := &Replay{engine: engine}
	err := rec.Play(func(p *replay.Player) error {
		if p.Step() == 0 {
			f.deal = p.Events()
		}
		return f.keep(p, rec.Steps[p.Step()].Turns)
	})
	return f, err
}

// turnBytes is about what a turn takes beside its texts.
const turnBytes = 160

// keep takes down the step that was played last.
func (f *Replay) keep(p *replay.Player, turns []replay.Turn) error {
	beat, err := beatOf(p.Table(), p.Events())
	if err != nil {
		return fmt.Errorf("pages: step %d: %w", p.Step(), err)
	}
	before := -1
	if len(f.ahead) > 0 {
		before = f.ahead[len(f.ahead)-1]
	}
	f.beats, f.ahead = append(f.beats, beat), append(f.ahead, lead(beat.score.Sides, before))
	f.turns = append(f.turns, turns)
	f.bytes += beat.bytes()
	for _, t := range turns {
		f.bytes += turnBytes + len(t.Action) + len(t.Say) + len(t.Clock)
	}
	if p.Step()%snapshotEvery == 0 {
		mark := p.Table().Snapshot()
		f.snapshots = append(f.snapshots, mark)
		f.bytes += len(mark)
	}
	return nil
}

// Last returns the number of the last step.
func (f *Replay) Last() int { return len(f.turns) - 1 }

// Hides reports whether the match can be looked at with everything open.
func (f *Replay) Hides() bool { return f.engine.Hides() }

// At returns the table after a step, 0 to Last.
func (f *Replay) At(step int) (game.Table, error) {
	if step < 0 || step > f.Last() {
		return nil, f.noSuchStep(step)
	}
	table, err := f.engine.Restore(f.snapshots[step/snapshotEvery])
	if err != nil {
		return nil, fmt.Errorf("pages: step %d: %w", step, err)
	}
	for _, turns := range f.turns[step/snapshotEvery*snapshotEvery+1 : step+1] {
		if err := table.Repeat(replay.GameTurns(turns)); err != nil {
			return nil, fmt.Errorf("pages: step %d: %w", step, err)
		}
	}
	return table, nil
}

func (f *Replay) noSuchStep(step int) error {
	return fmt.Errorf("pages: there is no step %d of %d", step, f.Last())
}

// Frame is one look at a match: a step as a seat, or a spectator, sees it.
type Frame struct {
	Step    int       `json:"step"`
	SVG     string    `json:"svg,omitempty"` // "" where the game has no drawing
	HTML    string    `json:"html"`          // what happened
	Caption string    `json:"caption"`       // the same in a sentence or two
	Dwell   int       `json:"dwell_ms"`      // how long it is looked at when the match plays; 0: it is passed over
	Ahead   string    `json:"ahead"`         // who is, in a sentence
	Flick   *Flick    `json:"flick,omitempty"`
	Due     []int     `json:"due"`
	Score   []float64 `json:"score,omitempty"` // by side, as the seat sees it
	Banks   []string  `json:"banks,omitempty"` // by seat: what is left in the bank, "" while not known
	look    `json:"-"`
}

// Look is who looks at a match.
type Look struct {
	Seat  int      // -1: a spectator; -2: everything is open
	Open  bool     // decisions and clocks may be shown
	Names []string // what to call the seats
}

// look is what the HTML of a frame is made of.
type look struct {
	Events []string
	Asked  []string // the names of those who are to decide
	Turns  []Decided
	Words  string // the view in words, "" where the game has none
}

// frames returns the frames of some steps, from one on, as far as there are.
func (f *Replay) frames(who Look, from, most int) ([]Frame, error) {
	if from > f.Last() {
		return nil, f.noSuchStep(from)
	}
	table, err := f.At(max(0, from-1)) // the step that is looked at tells what happened in it
	if err != nil {
		return nil, err
	}
	var out []Frame
	for step := from; step <= min(f.Last(), from+most-1); step++ {
		events := f.deal
		if step > 0 {
			if events, err = table.Apply(replay.GameTurns(f.turns[step])); err != nil {
				return nil, fmt.Errorf("pages: step %d: %w", step, err)
			}
		}
		fr, err := f.frame(table, events, step, who)
		if err != nil {
			return nil, err
		}
		out = append(out, fr)
	}
	return out, nil
}

// frame returns a look at a table after a step in which events happened.
func (f *Replay) frame(table game.Table, events []game.Event, step int, who Look) (Frame, error) {
	fr, seat := Frame{Step: step, Due: []int{}}, seatOf(who.Seat)
	svg, err := table.Draw(seat, who.Names)
	if err != nil && !errors.Is(err, game.ErrUnsupported) {
		return fr, err
	}
	fr.SVG = string(svg)
	if fr.Words, err = table.Describe(seat); err != nil && !errors.Is(err, game.ErrUnsupported) {
		return fr, err
	}
	score, err := table.Score(seat)
	if err != nil && !errors.Is(err, game.ErrUnsupported) {
		return fr, err
	}
	for _, side := range score.Sides {
		fr.Score = append(fr.Score, side.Points)
	}
	fr.Ahead = standing(score, who.Names, table.Due() == 0)
	t := tellingOf(events, seat)
	fr.Caption, fr.Dwell = f.words(step, t, who.Open && who.Seat < 0, who.Names), t.dwell(len(f.keys(step, who.Open, who.Names)) > 0)
	for s := range table.Due().Each() {
		fr.Due, fr.Asked = append(fr.Due, int(s)), append(fr.Asked, nameOf(int(s), who.Names))
	}
	for _, e := range events {
		if !e.VisibleTo(seat) {
			continue
		}
		fr.Events = append(fr.Events, Named(sentenceTo(e, seat), who.Names))
		if fr.Flick == nil {
			fr.Flick = flickOf(e.Data, table.View(game.Spectator))
		}
	}
	if who.Open {
		fr.Banks = f.banks(step, table.Seats())
		for _, t := range f.turns[step] {
			fr.Turns = append(fr.Turns, f.decided(t, who.Names))
		}
	}
	return fr, nil
}

// banks returns what the seats have left after a step.
func (f *Replay) banks(step, seats int) []string {
	out, known := make([]string, seats), 0
	for ; step > 0 && known < seats; step-- {
		for _, t := range f.turns[step] {
			if c, ok := runner.ReadClock(t.Clock); ok && out[t.Seat] == "" {
				out[t.Seat] = fmt.Sprintf("%.1f s", float64(c.BankUS)/1e6)
				known++
			}
		}
	}
	return out
}

// Decided is a decision with its clock, as everybody may see it once the match is over.
type Decided struct {
	Seat            int
	Name            string
	Does            string // the action in words, "" where the game has none
	Action, Say     string
	By, Why         string
	Timed           bool
	Elapsed         string // "12.3 ms"
	Charged, Bank   string
	Parts           string // where the time went
	House, NoteThen bool
}

func (f *Replay) decided(t replay.Turn, names []string) Decided {
	d := Decided{
		Seat:     int(t.Seat),
		Name:     nameOf(int(t.Seat), names),
		Does:     Named(f.engine.ActionWords(t.Action), names),
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

func seatOf(n int) game.Seat { return game.Seat(n) } // a seat of the match, -1 or -2
