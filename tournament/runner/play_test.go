package runner_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// scripted is a player whose reply is a function of the ask; it keeps what it was asked.
type scripted struct {
	mu      sync.Mutex
	reply   func(a runner.Ask) runner.Reply
	asks    []runner.Ask
	started int
	result  *game.Result
	rank    int
}

func (p *scripted) Start(context.Context, runner.Briefing) error { p.started++; return nil }
func (p *scripted) Ask(_ context.Context, _ runner.Briefing, a runner.Ask) runner.Reply {
	p.mu.Lock()
	p.asks = append(p.asks, a)
	p.mu.Unlock()
	return p.reply(a)
}

func (p *scripted) End(_ context.Context, _ runner.Briefing, r *game.Result, rank int) {
	p.result, p.rank = r, rank
}
func (p *scripted) RoundTrip() time.Duration { return 0 }

func number(n int) json.RawMessage { return json.RawMessage(fmt.Sprintf(`{"n":%d}`, n)) }

// steady answers with a number that depends on the ask alone.
func steady(a runner.Ask) runner.Reply {
	return runner.Reply{Action: number(a.Step % 9), Ledger: runner.Ledger{Elapsed: 3 * time.Millisecond}}
}

// memory is a log that can fail.
type memory struct {
	steps []runner.Step
	fail  func(s runner.Step) error
}

func (l *memory) Append(_ context.Context, s runner.Step) error {
	if l.fail != nil {
		if err := l.fail(s); err != nil {
			return err
		}
	}
	l.steps = append(l.steps, s)
	return nil
}

var nonce = [16]byte{7}

func spec(engine game.Engine) runner.Spec {
	seed := game.Seed{1, 2, 3}
	commitment := seed.Commit(nonce)
	config, err := engine.Configure(nil, 3)
	if err != nil {
		panic(err)
	}
	h := replay.Header{
		Format: replay.Format, Match: "m1", Game: "toy", RulesVersion: 1, Engine: "test", Config: config,
		Seats: []replay.Seat{{Alias: "a"}, {Alias: "b"}, {Alias: "c"}}, Commitment: hex.EncodeToString(commitment[:]),
	}
	return runner.Spec{Header: h, Engine: engine, Seed: seed, Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits()}
}

func three(reply func(runner.Ask) runner.Reply) ([]*scripted, []runner.Player) {
	var out []*scripted
	var players []runner.Player
	for range 3 {
		p := &scripted{reply: reply}
		out, players = append(out, p), append(players, p)
	}
	return out, players
}

// played plays a match to its end.
func played(t *testing.T, s runner.Spec, players []runner.Player) (runner.Outcome, *memory) {
	t.Helper()
	log := &memory{}
	o := must.Get(runner.Play(t.Context(), s, players, log))(t)
	return o, log
}

func find(string) (game.Engine, bool) { return game.Wrap(toy{}), true }

func TestAMatchIsPlayedRecordedAndVerifies(t *testing.T) {
	s := spec(game.Wrap(toy{}))
	bots, players := three(steady)
	o, log := played(t, s, players)
	if o.Steps != 6 || len(log.steps) != 6 || o.Retired != 0 {
		t.Fatalf("got %d steps, %d recorded, retired %v; want 6, 6, none", o.Steps, len(log.steps), o.Retired)
	}
	runner.Farewell(t.Context(), s, players, &o)
	for i, b := range bots {
		if b.started != 1 || b.result == nil || b.rank != o.Rank[i] {
			t.Errorf("seat %d: started %d times, result %v, rank %d; want once, a result, rank %d", i, b.started, b.result, b.rank, o.Rank[i])
		}
	}
	s.Recorded = log.steps
	var file bytes.Buffer
	must.OK(t, runner.Write(&file, s, nonce))
	rec := must.Get(replay.Verify(bytes.NewReader(file.Bytes()), find))(t)
	if !reflect.DeepEqual(rec.Result, o.Result) {
		t.Errorf("verified result %v, want %v", rec.Result, o.Result)
	}
}

// unpacked returns the plain text of a finished match's file.
func unpacked(t *testing.T) []byte {
	t.Helper()
	s := spec(game.Wrap(toy{}))
	_, players := three(func(a runner.Ask) runner.Reply {
		if a.Step == 3 {
			return runner.Reply{Fault: tournament.FaultTimeout, Reason: "hung"}
		}
		return steady(a)
	})
	_, log := played(t, s, players)
	s.Recorded = log.steps
	var file bytes.Buffer
	must.OK(t, runner.Write(&file, s, nonce))
	z := must.Get(gzip.NewReader(&file))(t)
	return must.Get(io.ReadAll(z))(t)
}

func TestEveryChangedByteOfARecordIsFoundAndItsStepNamed(t *testing.T) {
	plain := unpacked(t)
	_, err := replay.Verify(bytes.NewReader(plain), find)
	must.OK(t, err)
	start := 0
	for n, line := range bytes.Split(bytes.TrimSpace(plain), []byte("\n")) {
		for i := range line {
			bad := bytes.Clone(plain)
			bad[start+i] ^= 1
			_, err := replay.Verify(bytes.NewReader(bad), find)
			if !errors.Is(err, replay.ErrReplay) {
				t.Fatalf("line %d byte %d (%q) changed: got %v, want a refusal", n, i, line[i], err)
			}
			if want := fmt.Sprintf("step %d", n-1); n > 1 && n < 8 && bad[start+i] != '\n' && !strings.Contains(err.Error(), want) {
				t.Fatalf("line %d byte %d changed: %v does not name %s", n, i, err, want)
			}
		}
		start += len(line) + 1
	}
}

func TestAShortenedRecordIsRefused(t *testing.T) {
	plain := unpacked(t)
	for cut := range plain[:len(plain)-1] {
		if _, err := replay.Verify(bytes.NewReader(plain[:cut]), find); err == nil {
			t.Fatalf("a record cut to %d of %d bytes was accepted", cut, len(plain))
		}
	}
}

func TestEachFaultIsReplacedByTheHouseAndTold(t *testing.T) {
	for _, row := range []struct {
		name  string
		reply runner.Reply
		fault tournament.Fault
		part  string
	}{
		{"timeout", runner.Reply{Fault: tournament.FaultTimeout, Reason: "hung"}, tournament.FaultTimeout, "hung"},
		{"connect", runner.Reply{Fault: tournament.FaultConnect, Reason: "refused"}, tournament.FaultConnect, "refused"},
		{"status", runner.Reply{Fault: tournament.FaultStatus, Reason: "500"}, tournament.FaultStatus, "500"},
		{"late although delivered", runner.Reply{Action: number(1), Ledger: runner.Ledger{Elapsed: 12 * time.Second}}, tournament.FaultTimeout, "12000 ms"},
		{"illegal action", runner.Reply{Action: number(9)}, tournament.FaultIllegal, "0..8"},
		{"unknown key", runner.Reply{Action: json.RawMessage(`{"n":1,"x":2}`)}, tournament.FaultIllegal, "/x"},
		{"choose too high", runner.Reply{Choose: new(9)}, tournament.FaultIllegal, "0..8"},
		{"choose negative", runner.Reply{Choose: new(-1)}, tournament.FaultIllegal, "-1"},
		{"unknown key with NUL", runner.Reply{Action: json.RawMessage(`{"n":1,"x\u0000\u202e":2}`)}, tournament.FaultIllegal, `/x\x00\u202e`},
		{"a reason that quotes the bot", runner.Reply{Fault: tournament.FaultBadJSON, Reason: "at /a\x00b"}, tournament.FaultBadJSON, `at /a\x00b`},
		{"a reason without end", runner.Reply{Fault: tournament.FaultBadJSON, Reason: strings.Repeat("r", 60_000)}, tournament.FaultBadJSON, "rrr…"},
		{"no JSON", runner.Reply{Action: json.RawMessage(`{`)}, tournament.FaultBadJSON, "action"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := spec(game.Wrap(toy{}))
			bots, players := three(steady)
			bots[1].reply = func(a runner.Ask) runner.Reply {
				if a.Step == 0 {
					return row.reply
				}
				return steady(a)
			}
			o, log := played(t, s, players)
			d, _ := log.steps[0].Decision(1)
			if d.By != replay.ByHouse || d.Why != string(row.fault) || !strings.Contains(d.Reason, row.part) {
				t.Errorf("got %s/%s/%q, want house/%s/…%s…", d.By, d.Why, d.Reason, row.fault, row.part)
			}
			if err := text.Line.Check(d.Reason, 1000); err != nil {
				t.Errorf("the reason %+q cannot be kept: %v", d.Reason, err)
			}
			if want := []int{0, 1, 0}; !reflect.DeepEqual(o.Faults, want) {
				t.Errorf("faults %v, want %v: they are the culprit's alone", o.Faults, want)
			}
			if p := bots[1].asks[1].Previous; p == nil || p.Status != string(row.fault) || !strings.Contains(p.Reason, row.part) {
				t.Errorf("the next turn says %+v, want status %s", p, row.fault)
			}
		})
	}
}

func TestChooseTakesFromTheOffer(t *testing.T) {
	s := spec(game.Wrap(toy{}))
	_, players := three(func(runner.Ask) runner.Reply { return runner.Reply{Choose: new(4)} })
	_, log := played(t, s, players)
	if d, _ := log.steps[0].Decision(2); string(d.Action) != `{"n":4}` {
		t.Errorf("got %s, want the fifth action of the list", d.Action)
	}
}

func TestTooManyFaultsRetireTheSeat(t *testing.T) {
	for _, row := range []struct {
		name    string
		limits  tournament.FaultLimits
		bad     func(step int) bool
		retired bool
		asked   int
	}{
		{"three in a row", tournament.FaultLimits{InRow: 3, Total: 10}, func(int) bool { return true }, true, 3},
		{"two in all", tournament.FaultLimits{InRow: 3, Total: 2}, func(s int) bool { return s == 0 || s == 4 }, true, 3},
		{"a good answer ends the row", tournament.FaultLimits{InRow: 2, Total: 10}, func(s int) bool { return s == 0 || s == 4 }, false, 4},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := spec(game.Wrap(toy{}))
			s.Header.Config = json.RawMessage(`{"steps":8}`)
			s.Limits = row.limits
			bots, players := three(steady)
			bots[0].reply = func(a runner.Ask) runner.Reply {
				if row.bad(a.Step) {
					return runner.Reply{Fault: tournament.FaultConnect}
				}
				return steady(a)
			}
			o, _ := played(t, s, players)
			if o.Retired.Has(0) != row.retired || len(bots[0].asks) != row.asked {
				t.Errorf("retired %v after %d asks, want %v after %d", o.Retired.Has(0), len(bots[0].asks), row.retired, row.asked)
			}
			if row.retired && (o.Rank[0] != 3 || o.Result.Rank[0] == 0) {
				t.Errorf("rank %v, want the retired seat last and the engine's own result %v kept", o.Rank, o.Result.Rank)
			}
		})
	}
}

func TestActionsSentAheadAreUsedWhileDueAndLegal(t *testing.T) {
	s := spec(game.Wrap(toy{}))
	s.Header.Config = json.RawMessage(`{"steps":3}`) // seat 0 is due at steps 0 and 1, seat 1 at 0 and 2
	bots, players := three(steady)
	bots[0].reply = func(a runner.Ask) runner.Reply {
		return runner.Reply{Action: number(1), Then: []json.RawMessage{number(7), number(8)}}
	}
	bots[1].reply = func(a runner.Ask) runner.Reply {
		return runner.Reply{Action: number(2), Then: []json.RawMessage{number(3)}} // not due at step 1: the run ends
	}
	_, log := played(t, s, players)
	if d, _ := log.steps[1].Decision(0); d.Why != tournament.WhyThen || string(d.Action) != `{"n":7}` || d.By != replay.ByBot {
		t.Errorf("step 2: got %s %s by %s, want the action sent ahead", d.Action, d.Why, d.By)
	}
	if len(bots[0].asks) != 1 || len(bots[1].asks) != 2 {
		t.Errorf("asked %d and %d times, want 1 and 2", len(bots[0].asks), len(bots[1].asks))
	}
}

func TestAnIllegalActionSentAheadAsksAnewWithoutFault(t *testing.T) {
	s := spec(game.Wrap(toy{}))
	bots, players := three(steady)
	bots[0].reply = func(a runner.Ask) runner.Reply {
		r := steady(a)
		if a.Step == 0 {
			r.Then = []json.RawMessage{number(9), number(1)}
		}
		return r
	}
	o, _ := played(t, s, players)
	if len(bots[0].asks) != 4 || o.Faults[0] != 0 {
		t.Errorf("asked %d times with %d faults, want 4 times and none", len(bots[0].asks), o.Faults[0])
	}
}

func TestAResumedMatchAsksNothingTwiceAndEndsTheSame(t *testing.T) {
	reply := func(seat int) func(a runner.Ask) runner.Reply {
		return func(a runner.Ask) runner.Reply {
			r := runner.Reply{Action: number((a.Step + seat) % 9), Memo: fmt.Sprint(a.Step), Ledger: runner.Ledger{Elapsed: 1500 * time.Millisecond}}
			if a.Step == 0 && seat == 0 {
				r.Then = []json.RawMessage{number(2)}
			}
			if seat == 1 {
				r = runner.Reply{Fault: tournament.FaultStatus, Reason: "500"}
			}
			return r
		}
	}
	play := func(recorded []runner.Step, stopAt int) (*memory, []*scripted, runner.Outcome, error) {
		s := spec(game.Wrap(toy{}))
		s.Recorded = recorded
		bots, players := three(nil)
		for i, b := range bots {
			b.reply = reply(i)
		}
		log := &memory{fail: func(st runner.Step) error {
			if st.Step == stopAt {
				return tournament.ErrFenced
			}
			return nil
		}}
		o, err := runner.Play(t.Context(), s, players, log)
		return log, bots, o, err
	}
	whole, wholeBots, want, err := play(nil, -1)
	must.OK(t, err)
	if slow := []time.Duration{1500 * time.Millisecond, 0, 1500 * time.Millisecond}; !slices.Equal(want.P95, slow) { // the second seat's answers are the house's
		t.Errorf("got a p95 of %v, want %v", want.P95, slow)
	}
	for stop := 1; stop <= len(whole.steps); stop++ {
		first, _, _, err := play(nil, stop)
		if !errors.Is(err, tournament.ErrFenced) {
			t.Fatalf("stopped at %d: got %v, want fenced", stop, err)
		}
		rest, bots, got, err := play(first.steps, -1)
		must.OK(t, err)
		if got.Hash != want.Hash || !reflect.DeepEqual(got, want) {
			t.Fatalf("stopped at %d and resumed: got %+v, want %+v", stop, got, want)
		}
		if len(first.steps)+len(rest.steps) != len(whole.steps) {
			t.Fatalf("stopped at %d: %d + %d steps recorded, want %d", stop, len(first.steps), len(rest.steps), len(whole.steps))
		}
		for seat, b := range bots {
			all := wholeBots[seat].asks
			if tail := all[len(all)-len(b.asks):]; len(tail) > 0 && !reflect.DeepEqual(b.asks, tail) {
				t.Fatalf("stopped at %d: seat %d was asked\n%+v\nwant the very same as without the stop\n%+v", stop, seat, b.asks, tail)
			}
		}
	}
}

func TestSimultaneousSeatsAreAskedAtOnce(t *testing.T) {
	s := spec(game.Wrap(toy{}))
	s.Header.Config = json.RawMessage(`{"steps":1}`)
	var here sync.WaitGroup
	here.Add(3)
	_, players := three(func(a runner.Ask) runner.Reply {
		here.Done()
		here.Wait() // nobody answers before everybody has been asked
		return steady(a)
	})
	played(t, s, players)
}

func TestStopsThatAreNobodysFault(t *testing.T) {
	t.Run("our own failure voids the match", func(t *testing.T) {
		_, players := three(func(runner.Ask) runner.Reply {
			return runner.Reply{Fault: tournament.FaultPlatform, Reason: "no file descriptors"}
		})
		log := &memory{}
		_, err := runner.Play(t.Context(), spec(game.Wrap(toy{})), players, log)
		if !errors.Is(err, runner.ErrPlatform) || !strings.Contains(err.Error(), "no file descriptors") || len(log.steps) != 0 {
			t.Errorf("got %v and %d steps, want a platform fault with its reason and nothing recorded", err, len(log.steps))
		}
	})
	t.Run("a worker that stops blames nobody", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		_, players := three(func(runner.Ask) runner.Reply {
			cancel()
			return runner.Reply{Fault: tournament.FaultTimeout}
		})
		log := &memory{}
		if _, err := runner.Play(ctx, spec(game.Wrap(toy{})), players, log); !errors.Is(err, context.Canceled) || len(log.steps) != 0 {
			t.Errorf("got %v and %d steps, want cancelled and nothing recorded", err, len(log.steps))
		}
	})
	t.Run("a record that does not fit is not played on", func(t *testing.T) {
		s := spec(game.Wrap(toy{}))
		_, players := three(steady)
		_, log := played(t, s, players)
		s.Recorded = log.steps[:3]
		s.Recorded[1].Hash[0] ^= 1
		if _, err := runner.Play(t.Context(), s, players, log); !errors.Is(err, runner.ErrPlatform) || !strings.Contains(err.Error(), "step 2") {
			t.Errorf("got %v, want a platform fault that names step 2", err)
		}
	})
}

// TestAMatchThatGoesOnForTooLongEnds: what its configuration promised does not count.
func TestAMatchThatGoesOnForTooLongEnds(t *testing.T) {
	for _, steps := range []int{game.MaxSteps, game.MaxSteps + 1} {
		s := spec(game.Wrap(toy{}))
		s.Header.Config = json.RawMessage(fmt.Sprintf(`{"steps":%d}`, steps))
		_, players := three(steady)
		log := &memory{}
		_, err := runner.Play(t.Context(), s, players, log)
		if long := steps > game.MaxSteps; errors.Is(err, runner.ErrPlatform) != long || long && !strings.Contains(err.Error(), "not over after 10000 steps") {
			t.Errorf("a match of %d steps: got %v", steps, err)
		}
		must.Same(t, fmt.Sprintf("a match of %d steps: steps played", steps), len(log.steps), game.MaxSteps)
		if _, err := s.Engine.Configure(s.Header.Config, 3); errors.Is(err, game.ErrConfig) != (steps > game.MaxSteps) {
			t.Errorf("a configuration of %d steps: got %v", steps, err)
		}
	}
}

// TestALongerRecordOfBeforeIsWrittenAndVerifies: matches that were longer were played once.
func TestALongerRecordOfBeforeIsWrittenAndVerifies(t *testing.T) {
	s := spec(game.Wrap(toy{}))
	s.Header.Config = json.RawMessage(fmt.Sprintf(`{"steps":%d}`, game.MaxSteps+1))
	p := must.Get(s.Deal())(t)
	for table := p.Table(); table.Due() != 0; {
		step := runner.Step{Step: p.Step() + 1}
		for seat := range table.Due().Each() {
			turn := replay.Turn{Seat: seat, Action: table.House(seat), By: replay.ByHouse, Why: tournament.WhyRetired}
			step.Turns = append(step.Turns, runner.Decision{Turn: turn})
		}
		must.OK(t, p.Play(step.Plain()))
		step.Hash = p.Hash()
		s.Recorded = append(s.Recorded, step)
	}
	var file bytes.Buffer
	must.OK(t, runner.Write(&file, s, nonce))
	if rec, err := replay.Verify(&file, find); err != nil || len(rec.Steps) != game.MaxSteps+2 {
		t.Errorf("got %v, %d lines, want a record of %d steps", err, len(rec.Steps), game.MaxSteps+1)
	}
}
