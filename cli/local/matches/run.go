package matches

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/review"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/runner"
)

// Played is what a match of a series came to.
type Played struct {
	Number  int // from 1
	Match   string
	Players []int // by seat: the index of the bot
	Result  game.Result
	Rank    []int // by seat, after retirements
	Retired game.Seats
	Failed  game.Seats // those that lost by faults alone, retired or without one answer that counted; empty if it was kept
	Luck    []float64  // by seat: what chance gave it, in points; nil in a series without
	Steps   int
	Faults  []Fault
	File    string // its record
	Kept    bool   // it had been played before
	record  []byte // until it is written
}

// Lost reports whether a seat has lost.
func (p Played) Lost(seat int) bool {
	return tournament.VerdictOf(rating.Points(p.Result, p.Retired)[seat], p.Rank[seat]) == tournament.Loss
}

// Fault is one decision that the house had to make for a bot.
type Fault struct {
	Seat   game.Seat `json:"seat"`
	Step   int       `json:"step"` // of the record, whose turn it is
	Kind   string    `json:"kind"`
	Reason string    `json:"reason,omitempty"` // "" when it is read from a record
}

// Faulty reports whether the house decided in the place of a bot that had failed. Turns of a retired seat are no faults.
func Faulty(t replay.Turn) bool { return t.By == replay.ByHouse && t.Why != tournament.WhyRetired }

// Field finds all who play in a series: its bots, and behind them who fills the seats that are left. No two have one name.
func (r *Room) Field(ctx context.Context, s *Series) ([]Bot, error) {
	var out []Bot
	args := s.Bots
	if s.filler() >= 0 {
		args = append(slices.Clone(args), s.Fill)
	} else if s.Fill != "" {
		if err := r.Check(s.Fill, s.Game); err != nil {
			return nil, err
		}
	}
	for i, arg := range args {
		b, err := r.Bot(ctx, arg, s.Game)
		if err != nil {
			return nil, err
		}
		if i == len(s.Bots) {
			b.Name += " (fill)"
		}
		out = append(out, b)
	}
	Distinguish(out)
	return out, nil
}

// Distinguish gives bots of one name different ones: the second of "mole" becomes "mole#2".
func Distinguish(field []Bot) {
	taken := map[string]bool{}
	for i := range field {
		name := field[i].Name
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s#%d", field[i].Name, n)
		}
		taken[name] = true
		field[i].Name = name
	}
}

// Run plays the matches of a series that its folder does not hold yet, at most atOnce at a time, and tells of all of them,
// those played before too, in order, until tell says that it is enough. Records are written in that order: what was played beyond the
// end of a test leaves none, so that the folder does not depend on which match was done first. Without a folder nothing is kept.
func (r *Room) Run(ctx context.Context, s *Series, field []Bot, folder Folder, program string, atOnce int, tell func(Played) (more bool, err error)) error {
	if folder != (Folder{}) {
		if err := folder.Fits(s, field); err != nil {
			return err
		}
	}
	one := func(ctx context.Context, number int) (Played, error) {
		f, err := s.fixture(number)
		if err != nil {
			return Played{}, err
		}
		spec := s.spec(f, program, field)
		if p, ok, err := folder.load(s, f, spec); ok || err != nil {
			return p, err
		}
		return r.match(ctx, s, f, spec, field)
	}
	return inOrder(ctx, s.Games, max(1, atOnce), one, func(p Played) (bool, error) {
		if !p.Kept && folder != (Folder{}) {
			p.File = folder.record(s, p.Number-1)
			if err := Replace(p.File, p.record); err != nil {
				return false, err
			}
			p.record = nil
		}
		return tell(p)
	})
}

// inOrder works on 0, 1, … n-1, at most atOnce of them at a time, and has the results taken in that order.
func inOrder[T any](ctx context.Context, n, atOnce int, work func(context.Context, int) (T, error), take func(T) (more bool, err error)) error {
	type result struct {
		value T
		err   error
	}
	var wg sync.WaitGroup
	defer wg.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var waiting []chan result
	next := 0
	for done := range n {
		for ; next < min(n, done+atOnce); next++ {
			number, out := next, make(chan result, 1)
			wg.Go(func() {
				v, err := work(ctx, number)
				out <- result{v, err}
			})
			waiting = append(waiting, out)
		}
		r := <-waiting[0]
		waiting = waiting[1:]
		if r.err != nil {
			return r.err
		}
		if more, err := take(r.value); err != nil || !more {
			return err
		}
	}
	return nil
}

// match plays one match and makes its record.
func (r *Room) match(ctx context.Context, s *Series, f fixture, spec runner.Spec, field []Bot) (Played, error) {
	players, err := s.seats(f, field, r.player)
	if err != nil {
		return Played{}, err
	}
	p, t, err := playOn(ctx, spec, players, f.nonce)
	if err != nil {
		return Played{}, fmt.Errorf("match %d: %w", f.number+1, err)
	}
	p.Number, p.Players = f.number+1, f.players
	if !s.Luckless {
		p.Luck, err = luckOf(spec.Engine, t.played(spec))
	}
	return p, err
}

// playOn plays a match from its recorded steps to its end, and makes its record.
func playOn(ctx context.Context, spec runner.Spec, players []runner.Player, nonce [16]byte) (Played, *tape, error) {
	t := &tape{}
	outcome, err := runner.Play(ctx, spec, players, t)
	if err != nil {
		runner.Farewell(context.WithoutCancel(ctx), spec, players, nil)
		return Played{}, nil, err
	}
	spec.Recorded = append(spec.Recorded, t.steps...)
	var b bytes.Buffer
	if err := runner.Write(&b, spec, nonce); err != nil {
		return Played{}, nil, err
	}
	runner.Farewell(ctx, spec, players, &outcome)
	return Played{
		Match: spec.Header.Match, Result: outcome.Result, Rank: outcome.Rank, Retired: outcome.Retired, Failed: outcome.Failed,
		Steps: outcome.Steps, Faults: t.faults(), record: b.Bytes(),
	}, t, nil
}

// seats returns who sits where in a match: player makes one of the field, with all its luck.
func (s *Series) seats(f fixture, field []Bot, player func(b Bot, luck uint64) (runner.Player, error)) ([]runner.Player, error) {
	luck := game.Stream(house.Seed(s.Seed), f.number, "bots")
	draws := make([]uint64, max(s.Seats, len(field)))
	for i := range draws {
		draws[i] = luck.Uint64()
	}
	players := make([]runner.Player, len(f.players))
	for seat, p := range f.players {
		draw := draws[p]
		if p == len(s.Bots) || s.Fill == "" { // a bot with several seats of a match has luck of its own in each
			draw += uint64(seat)
		}
		var err error
		if players[seat], err = player(field[p], draw); err != nil {
			return nil, err
		}
	}
	return players, nil
}

// luckOf returns what chance gave each seat of a match.
func luckOf(e game.Engine, rec *replay.Record) ([]float64, error) {
	luck, err := review.Luck(e, rec, review.Redraws)
	if err != nil {
		return nil, fmt.Errorf("%s: the luck of it: %w", rec.Header.Match, err)
	}
	return review.Total(luck), nil
}

// tape keeps the steps of a match in memory.
type tape struct{ steps []runner.Step }

// Append keeps a step.
func (t *tape) Append(_ context.Context, s runner.Step) error {
	t.steps = append(t.steps, s)
	return nil
}

// played returns what a record needs to be played again.
func (t *tape) played(spec runner.Spec) *replay.Record {
	rec := &replay.Record{Header: spec.Header, Steps: make([]replay.Step, 1, 1+len(t.steps)), Seed: spec.Seed}
	for _, s := range t.steps {
		step := replay.Step{}
		for _, d := range s.Turns {
			step.Turns = append(step.Turns, d.Turn)
		}
		rec.Steps = append(rec.Steps, step)
	}
	return rec
}

func (t *tape) faults() []Fault {
	var list []Fault
	for _, s := range t.steps {
		for _, d := range s.Turns {
			if Faulty(d.Turn) {
				list = append(list, Fault{Step: s.Step, Seat: d.Seat, Kind: d.Fault, Reason: d.Reason})
			}
		}
	}
	return list
}
