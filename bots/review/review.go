package review

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/bots/review/report"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
)

// ErrOptions means that a review was asked for what the record does not have, or without a budget.
var ErrOptions = errors.New("bad_review")

// LeastPlayouts is the smallest budget for a decision: with fewer no interval holds.
const LeastPlayouts = 40

// DefaultPlayouts is what people wait for.
const DefaultPlayouts = 800

// Options say what is reviewed.
type Options struct {
	Seats    []game.Seat // whose decisions; none: everybody's
	Step     int         // the one step whose decisions are reviewed, from 1; 0: all of them
	Playouts int         // for a decision, [LeastPlayouts] or more
	Seed     uint64      // decides all luck of the review
	// Progress is called after every step that was reviewed; nil: nobody watches.
	Progress func(done, all int)
}

// check refuses options that do not fit the record.
func (o *Options) check(rec *replay.Record) error {
	seats, last := len(rec.Header.Seats), len(rec.Steps)-1
	for _, seat := range o.Seats {
		if seat < 0 || int(seat) >= seats {
			return fmt.Errorf("%w: there is no seat %d at a table of %d: want 0 to %d", ErrOptions, seat, seats, seats-1)
		}
	}
	if o.Step < 0 || o.Step > last {
		return fmt.Errorf("%w: there is no step %d in a match of %d steps: want 1 to %d", ErrOptions, o.Step, last, last)
	}
	if o.Playouts < LeastPlayouts {
		return fmt.Errorf("%w: %d playouts for a decision tell nothing: want %d or more", ErrOptions, o.Playouts, LeastPlayouts)
	}
	return nil
}

// Review judges the decisions of a match by what each seat knew when it decided. The record is one that was verified; what does
// not play again as it says is refused ([replay.ErrReplay]), as are options that do not fit it ([ErrOptions]). Equal records and
// options give equal reports on any machine.
func Review(ctx context.Context, e game.Engine, rec *replay.Record, o Options) (*report.Report, error) {
	if err := o.check(rec); err != nil {
		return nil, err
	}
	j, err := newJudge(ctx.Err, e, rec.Header.Config, len(rec.Header.Seats), o.Playouts, o.Seed)
	if err != nil {
		return nil, err
	}
	if len(o.Seats) == 0 {
		o.Seats = slices.Collect(game.FirstSeats(j.seats).Each())
	}
	x := review{judge: j, Options: o, rec: rec, seen: make([][]json.RawMessage, j.seats)}
	x.report = report.Report{Game: rec.Header.Game, Rules: fmt.Sprint(rec.Header.RulesVersion), Playouts: o.Playouts, Decisions: []report.Decision{}}
	if x.report.Valuer, err = j.fingerprint(); err != nil {
		return nil, err
	}
	err = rec.Play(func(p *replay.Player) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return x.step(p)
	})
	if err != nil {
		return nil, err
	}
	luck, err := Luck(e, rec, Redraws)
	if err != nil {
		return nil, err
	}
	x.sumUp(luck)
	return &x.report, nil
}

// review is one under way.
type review struct {
	*judge
	Options
	rec    *replay.Record
	seen   [][]json.RawMessage // events, by seat
	report report.Report
}

// step looks at the match after a step: at how it stands, and at what is decided next.
func (x *review) step(p *replay.Player) error {
	protocol.Hear(x.seen, p.Events())
	now, last := p.Step(), len(x.rec.Steps)-1
	if x.Step > 0 && now != x.Step && now != x.Step-1 {
		return nil
	}
	at, err := x.position(p.Table())
	if err != nil {
		return fmt.Errorf("step %d: %w", now, err)
	}
	x.report.Steps = append(x.report.Steps, at)
	if now < last && (x.Step == 0 || now == x.Step-1) {
		for _, turn := range x.rec.Steps[now+1].Turns {
			if !slices.Contains(x.Seats, turn.Seat) {
				continue
			}
			d, err := x.decided(p.Table(), turn)
			if err != nil {
				return fmt.Errorf("step %d, seat %d: %w", now+1, turn.Seat, err)
			}
			x.report.Decisions = append(x.report.Decisions, d)
		}
	}
	if x.Progress != nil {
		x.Progress(now, last)
	}
	return nil
}

// decided judges what a seat decided at a table.
func (x *review) decided(table game.Table, turn replay.Turn) (report.Decision, error) {
	d, err := x.decision(x.turn(table, turn.Seat), turn.Action)
	if d.House = turn.By == replay.ByHouse; d.House && d.Words != "" {
		d.Words += ", as the house decided"
	}
	return d, err
}

// turn returns what a seat knows of a table.
func (x *review) turn(table game.Table, seat game.Seat) *protocol.Turn {
	return &protocol.Turn{
		Protocol: protocol.Version, Type: protocol.TypeTurn, Game: x.rec.Header.Game, Config: x.config, Seat: seat,
		Opponents: make([]protocol.Opponent, x.seats-1), Step: table.Step(), Events: x.seen[seat], View: table.View(seat), Offer: table.Offer(seat),
	}
}

// position returns how a match stands, by what each seat knows.
func (x *review) position(table game.Table) (report.Position, error) {
	at := report.Position{Step: table.Step()}
	if result, over := table.Result(); over {
		for _, share := range search.Shares(result) {
			at.Values = append(at.Values, report.Estimate{Value: share})
		}
		return at, nil
	}
	for seat := range game.FirstSeats(x.seats).Each() {
		if seat > 0 && !x.engine.Hides() { // what one knows everybody knows
			break
		}
		values, err := x.values(x.turn(table, seat))
		if err != nil {
			return at, err
		}
		if at.Values = append(at.Values, values[seat]); !x.engine.Hides() {
			at.Values = values
		}
	}
	return at, nil
}

// sumUp fills in what luck gave, by step and seat, and the seats' summaries.
func (x *review) sumUp(luck [][]float64) {
	for _, step := range luck {
		for seat := range step {
			step[seat] = math.Round(1e6*step[seat]) / 1e6 // the last bits of exponentials differ between machines
		}
	}
	for i := range x.report.Steps {
		x.report.Steps[i].Luck = luck[x.report.Steps[i].Step]
	}
	for _, seat := range x.Seats {
		s := report.Summary{Seat: seat, Costliest: []int{}}
		for i := range x.report.Decisions {
			d := &x.report.Decisions[i]
			if d.Seat != seat {
				continue
			}
			if d.Low > 0 {
				s.Costliest = append(s.Costliest, i)
			}
			if d.House || x.rec.Header.Taken(d.Step) {
				continue
			}
			k := slices.IndexFunc(s.Phases, func(a report.Accuracy) bool { return a.Phase == d.Phase })
			if k < 0 {
				k, s.Phases = len(s.Phases), append(s.Phases, report.Accuracy{Phase: d.Phase})
			}
			if s.Phases[k].Decisions++; d.Low > 0 {
				s.Phases[k].Accuracy += d.Regret
			}
		}
		for k := range s.Phases {
			s.Phases[k].Accuracy = 1 - s.Phases[k].Accuracy/float64(s.Phases[k].Decisions)
		}
		slices.SortStableFunc(s.Costliest, func(a, b int) int {
			return cmp.Compare(x.report.Decisions[b].Regret, x.report.Decisions[a].Regret)
		})
		s.Costliest = s.Costliest[:min(3, len(s.Costliest))]
		for _, step := range luck {
			s.Luck += step[seat]
		}
		x.report.Seats = append(x.report.Seats, s)
	}
}

// fingerprint names the valuer; the hash is of what it makes of the beginning of matches in the base variant.
func (j *judge) fingerprint() (report.Valuer, error) {
	out, h := report.Valuer{Name: j.valuer.Name, Version: j.valuer.Version}, sha256.New()
	seats := j.engine.Info().MinSeats
	for k := range uint64(3) {
		table, _, err := j.engine.New(nil, seats, house.Seed(k))
		if err != nil {
			return out, err
		}
		for range 4 * k {
			var turns []game.Turn
			for seat := range table.Due().Each() {
				turns = append(turns, game.Turn{Seat: seat, Action: table.House(seat)})
			}
			if err := table.Repeat(turns); err != nil {
				return out, err
			}
		}
		for playout := range uint64(4) {
			shares, err := j.valuer.Play(table, house.Seed(playout), 0, nil)
			if err != nil {
				return out, err
			}
			for _, share := range shares {
				fmt.Fprintf(h, "%d ", int(math.Round(share*1e6))) // the last bits of exponentials differ between machines
			}
		}
	}
	out.Hash = hex.EncodeToString(h.Sum(nil))
	return out, nil
}
