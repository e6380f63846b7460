package matches

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"slices"

	"github.com/molerun/molerun/cli/inprocess"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// ErrProof means that records do not prove what is said of them; the text names the first place.
var ErrProof = errors.New("not_proven")

// Proven is a match of a series, by its record alone.
type Proven struct {
	Played
	Record *replay.Record
	Sum    [32]byte // SHA-256 of the file
}

// recordName returns the path of a match's record below the folder of its series.
func (s *Series) recordName(number int) string {
	return fmt.Sprintf("%s-%04d.jsonl.gz", s.Game, number+1)
}

// Prove reads the record of every match of a settled series from files, at most atOnce at a time, and hands each to tell in order once it
// is proven: it verifies, and it is the match that the series plans, with its deal and its seats. If again is set, every bot of this
// process among the field has also decided as it decides now; bots without a program here are taken as recorded. sum returns the hash that
// a file must have, false for any; p.File is its path in files. The error is [ErrProof] or tell's own.
func (s *Series) Prove(ctx context.Context, files fs.FS, field []Bot, again bool, atOnce int, sum func(file string) ([32]byte, bool), tell func(Proven) error) error {
	return s.each(ctx, atOnce, field, func(ctx context.Context, f fixture, spec runner.Spec, name string) (Proven, error) {
		return s.prove(ctx, files, name, f, spec, field, again, sum)
	}, tell)
}

// each hands the matches of a series to tell in order, each once one has its record from the plan, at most atOnce at a time.
func (s *Series) each(ctx context.Context, atOnce int, field []Bot, one func(ctx context.Context, f fixture, spec runner.Spec, name string) (Proven, error), tell func(Proven) error) error {
	return inOrder(ctx, s.Games, max(1, atOnce), func(ctx context.Context, number int) (Proven, error) {
		f, err := s.fixture(number)
		if err != nil {
			return Proven{}, err
		}
		name := path.Join(s.Game, s.recordName(number))
		p, err := one(ctx, f, s.spec(f, "", field), name)
		if err != nil {
			return p, fmt.Errorf("%s: %w", name, err)
		}
		p.Played = playedOf(f, p.Record)
		p.File = name
		return p, nil
	}, func(p Proven) (bool, error) { return true, tell(p) })
}

// Repeat plays the matches of a settled series once more, one after the other, and hands each to tell: bots of this process decide as they do
// now, and those without a program here as decided says, match by match: it has their turns in the order in which they were made, with no more
// of their clocks than one wants to keep. Every turn must be used, and be what the rules make of it. The records hold decisions alone, and no
// files have them. The error is [ErrProof], decided's or tell's own.
func (s *Series) Repeat(ctx context.Context, field []Bot, decided func() ([]replay.Turn, error), tell func(Proven) error) error {
	return s.each(ctx, 1, field, func(ctx context.Context, f fixture, spec runner.Spec, _ string) (Proven, error) {
		turns, err := decided()
		if err != nil {
			return Proven{}, err
		}
		rec, err := s.repeat(ctx, f, spec, field, turns)
		return Proven{Record: rec}, err
	}, tell)
}

// repeat plays a match with turns of those who have no program here, and returns its record without events and hashes.
func (s *Series) repeat(ctx context.Context, f fixture, spec runner.Spec, field []Bot, turns []replay.Turn) (*replay.Record, error) {
	next := make([][]replay.Turn, s.Seats) // by seat
	for _, t := range turns {
		if t.Seat < 0 || int(t.Seat) >= s.Seats || field[f.players[t.Seat]].decide != nil {
			return nil, fmt.Errorf("%w: a decision of seat %d, whose bot is this program's", ErrProof, t.Seat)
		}
		next[t.Seat] = append(next[t.Seat], t)
	}
	players, err := s.players(f, field, func(seat game.Seat, _ int) *replay.Turn {
		if len(next[seat]) == 0 {
			return nil
		}
		return &next[seat][0]
	})
	if err != nil {
		return nil, err
	}
	t := &repeated{next: next, given: func(seat game.Seat) bool { return field[f.players[seat]].decide == nil }}
	outcome, err := runner.Play(ctx, spec, players, t)
	if err := refuted(ctx, err); err != nil {
		return nil, err
	}
	for seat, left := range next {
		if len(left) > 0 {
			return nil, fmt.Errorf("%w: seat %d has %d decisions after the end of the match", ErrProof, seat, len(left))
		}
	}
	rec := t.played(spec)
	rec.Result, rec.Retired = outcome.Result, outcome.Retired
	return rec, nil
}

// repeated keeps the steps of a match with the turns that were given, whole.
type repeated struct {
	tape
	next  [][]replay.Turn // by seat: the turns that are to come
	given func(seat game.Seat) bool
}

// Append refuses the first turn that is not what the rules make of it: [ErrProof].
func (r *repeated) Append(ctx context.Context, s runner.Step) error {
	for i := range s.Turns {
		now := &s.Turns[i].Turn
		if !r.given(now.Seat) {
			continue
		}
		was := r.next[now.Seat][0] // the match has asked for it
		r.next[now.Seat] = r.next[now.Seat][1:]
		if !sameTurn(was, *now) || was.Why != now.Why && (now.By == replay.ByHouse || was.Why != tournament.WhyThen) {
			return fmt.Errorf("%w: step %d, seat %d: %s is said to be by the %s, and the rules have %s by the %s", ErrProof, s.Step, now.Seat, was.Action, who(was), now.Action, who(*now))
		}
		*now = was
	}
	return r.tape.Append(ctx, s)
}

// sameTurn reports whether two turns are one decision of one seat.
func sameTurn(a, b replay.Turn) bool {
	return bytes.Equal(a.Action, b.Action) && a.Seat == b.Seat && a.Say == b.Say && a.By == b.By
}

// who says who decided a turn, and why.
func who(t replay.Turn) string {
	if t.Why == "" {
		return t.By
	}
	return t.By + ", " + t.Why
}

func (s *Series) prove(ctx context.Context, files fs.FS, name string, f fixture, spec runner.Spec, field []Bot, again bool, sum func(string) ([32]byte, bool)) (Proven, error) {
	none := Proven{}
	b, err := fs.ReadFile(files, name)
	if errors.Is(err, fs.ErrNotExist) {
		return none, fmt.Errorf("%w: the record is missing", ErrProof)
	}
	if err != nil {
		return none, err
	}
	out := Proven{Sum: sha256.Sum256(b)}
	if want, ok := sum(name); ok && want != out.Sum {
		return none, fmt.Errorf("%w: its SHA-256 is %x, want %x: it was changed", ErrProof, out.Sum, want)
	}
	if out.Record, err = replay.Verify(bytes.NewReader(b), catalog.Find); err != nil {
		return none, fmt.Errorf("%w: %w", ErrProof, err)
	}
	rec := out.Record
	spec.Header.Engine = rec.Header.Engine
	switch d, err := Differ(rec.Header, spec.Header); {
	case err != nil:
		return none, err
	case d != nil:
		return none, fmt.Errorf("%w: it is not the match of the plan: its header has %s at %s, want %s", ErrProof, d.X, d.At, d.Y)
	case rec.Seed != f.seed || rec.Nonce != f.nonce:
		return none, fmt.Errorf("%w: it is not the deal of the plan", ErrProof)
	}
	if again {
		err = s.again(ctx, f, spec, field, rec)
	}
	return out, err
}

// again plays a match once more, with those who have no program here as recorded, and compares.
func (s *Series) again(ctx context.Context, f fixture, spec runner.Spec, field []Bot, rec *replay.Record) error {
	players, err := s.players(f, field, func(seat game.Seat, step int) *replay.Turn {
		if step+1 < len(rec.Steps) {
			if t, ok := turnOf(rec.Steps[step+1], seat); ok {
				return &t
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	_, err = runner.Play(ctx, spec, players, &compared{rec: rec})
	return refuted(ctx, err)
}

// refuted returns the error of a match that was played again: an [ErrProof], unless ctx has ended.
func refuted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() == nil && !errors.Is(err, ErrProof) {
		return fmt.Errorf("%w: it does not play again: %w", ErrProof, err)
	}
	return err
}

// compared holds the steps of a match against those of a record.
type compared struct{ rec *replay.Record }

// Append refuses the first decision that is not as recorded: [ErrProof].
func (c *compared) Append(_ context.Context, s runner.Step) error {
	if s.Step >= len(c.rec.Steps) || len(s.Turns) != len(c.rec.Steps[s.Step].Turns) {
		return fmt.Errorf("%w: step %d is another", ErrProof, s.Step)
	}
	for i, was := range c.rec.Steps[s.Step].Turns {
		now := s.Turns[i].Turn
		if !sameTurn(was, now) {
			return fmt.Errorf("%w: step %d, seat %d: %q decided %s, and the bot of this program decides %s", ErrProof, s.Step, was.Seat, c.rec.Header.Seats[was.Seat].Bot, was.Action, now.Action)
		}
	}
	return nil
}

// players returns who sits where in a match: bots of this process decide as they do now, the others as recorded.
func (s *Series) players(f fixture, field []Bot, others recorder) ([]runner.Player, error) {
	return s.seats(f, field, func(b Bot, luck uint64) (runner.Player, error) {
		if b.decide == nil {
			return recorded{turn: others}, nil
		}
		return inprocess.Player(b.decide(luck)), nil
	})
}

// recorder returns what a seat did after a step, as it was recorded, or nil.
type recorder func(seat game.Seat, step int) *replay.Turn

// recorded decides at a seat as it was recorded.
type recorded struct {
	inprocess.Quiet
	turn recorder
}

// Ask returns the recorded answer or fault.
func (r recorded) Ask(_ context.Context, br runner.Briefing, a runner.Ask) runner.Reply {
	if t := r.turn(br.Seat, a.Step); t != nil {
		if t.By == replay.ByBot {
			return runner.Reply{Action: t.Action, Say: t.Say}
		} else if Faulty(*t) && t.Why != string(tournament.FaultPlatform) {
			return runner.Reply{Fault: tournament.Fault(t.Why)}
		}
	}
	return runner.Reply{Fault: tournament.FaultPlatform, Reason: "nothing that may be is recorded"}
}

// Difference is the first place where two values differ as JSON, and what each has there.
type Difference struct {
	At   string // "" if only the text of the JSON differs
	X, Y []byte
}

// Differ compares two values as JSON; nil if they are the same.
func Differ(x, y any) (*Difference, error) {
	a, errA := json.Marshal(x)
	b, errB := json.Marshal(y)
	if err := errors.Join(errA, errB); err != nil || bytes.Equal(a, b) {
		return nil, err
	}
	var inX, inY any
	err := errors.Join(json.Unmarshal(a, &inX), json.Unmarshal(b, &inY))
	var d Difference
	d.At, d.X, d.Y = difference(inX, inY, "")
	return &d, err
}

// difference returns the first place where two values of JSON differ, and what each has there; "" if they are the same.
func difference(x, y any, at string) (place string, inX, inY []byte) {
	switch a := x.(type) {
	case map[string]any:
		b, ok := y.(map[string]any)
		if !ok {
			break
		}
		keys := maps.Clone(a)
		maps.Copy(keys, b)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			if place, inX, inY = difference(a[key], b[key], at+"/"+key); place != "" {
				return place, inX, inY
			}
		}
		return "", nil, nil
	case []any:
		if b, ok := y.([]any); ok && len(a) == len(b) {
			for i := range a {
				if place, inX, inY = difference(a[i], b[i], fmt.Sprintf("%s/%d", at, i)); place != "" {
					return place, inX, inY
				}
			}
			return "", nil, nil
		}
	}
	if reflect.DeepEqual(x, y) {
		return "", nil, nil
	}
	inX, _ = json.Marshal(x) // was JSON
	inY, _ = json.Marshal(y)
	return at, inX, inY
}
