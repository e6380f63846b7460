package matches

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"time"

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
	engine, ok := catalog.Find(s.Game)
	if !ok {
		return fmt.Errorf("%w: there is no game %q", ErrProof, s.Game)
	}
	one := func(ctx context.Context, number int) (Proven, error) {
		f, err := s.fixture(engine, number)
		if err != nil {
			return Proven{}, err
		}
		name := path.Join(s.Game, s.recordName(number))
		p, err := s.prove(ctx, files, name, f, s.spec(engine, f, "", field), field, again, sum)
		if err != nil {
			return p, fmt.Errorf("%s: %w", name, err)
		}
		return p, nil
	}
	return inOrder(ctx, s.Games, max(1, atOnce), one, func(p Proven) (bool, error) { return true, tell(p) })
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
	got, err := json.Marshal(rec.Header)
	if err != nil {
		return none, err
	}
	want, err := json.Marshal(spec.Header)
	if err != nil {
		return none, err
	}
	switch {
	case !bytes.Equal(got, want):
		return none, fmt.Errorf("%w: it is not the match of the plan: its header is %s, want %s", ErrProof, got, want)
	case rec.Seed != f.seed || rec.Nonce != f.nonce:
		return none, fmt.Errorf("%w: it is not the deal of the plan", ErrProof)
	}
	out.Played = playedOf(f, rec)
	out.File = name
	if again {
		err = s.again(ctx, f, spec, field, rec)
	}
	return out, err
}

// again plays a match once more, with those who have no program here as recorded, and compares.
func (s *Series) again(ctx context.Context, f fixture, spec runner.Spec, field []Bot, rec *replay.Record) error {
	seat := -1
	players, err := s.seats(f, field, func(b Bot, luck uint64) (runner.Player, error) {
		seat++
		if b.decide == nil {
			return recorded{rec, game.Seat(seat)}, nil
		}
		return inprocess.Player(b.decide(luck)), nil
	})
	if err != nil {
		return err
	}
	t := &compared{rec: rec}
	if _, err := runner.Play(ctx, spec, players, t); err != nil && ctx.Err() == nil && !errors.Is(err, ErrProof) {
		return fmt.Errorf("%w: it does not play again: %w", ErrProof, err)
	} else if err != nil {
		return err
	}
	return nil
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
		if !bytes.Equal(was.Action, now.Action) || was.Seat != now.Seat || was.Say != now.Say || was.By != now.By {
			return fmt.Errorf("%w: step %d, seat %d: %q decided %s, and the bot of this program decides %s", ErrProof, s.Step, was.Seat, c.rec.Header.Seats[was.Seat].Bot, was.Action, now.Action)
		}
	}
	return nil
}

// recorded decides at a seat what a record says.
type recorded struct {
	rec  *replay.Record
	seat game.Seat
}

// Start does nothing.
func (recorded) Start(context.Context, runner.Briefing) error { return nil }

// End does nothing.
func (recorded) End(context.Context, runner.Briefing, *game.Result, int) {}

// RoundTrip returns 0: there is no network.
func (recorded) RoundTrip() time.Duration { return 0 }

// Ask returns the recorded answer or fault.
func (r recorded) Ask(_ context.Context, _ runner.Briefing, a runner.Ask) runner.Reply {
	if a.Step+1 < len(r.rec.Steps) {
		turns := r.rec.Steps[a.Step+1].Turns
		if i := slices.IndexFunc(turns, func(t replay.Turn) bool { return t.Seat == r.seat }); i >= 0 {
			if t := turns[i]; t.By == replay.ByBot {
				return runner.Reply{Action: t.Action, Say: t.Say}
			} else if Faulty(t) && t.Why != string(tournament.FaultPlatform) {
				return runner.Reply{Fault: tournament.Fault(t.Why)}
			}
		}
	}
	return runner.Reply{Fault: tournament.FaultPlatform, Reason: "nothing that may be is recorded"}
}
