package review

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/bots/review/report"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/engines/mole"
	"github.com/molerun/molerun/engines/molehill"
	"github.com/molerun/molerun/engines/molemajority"
)

// small searches positions near the end of a match to their ends, every line of them.
type small[C any, S comparable, A, V, E any] struct {
	rules game.Rules[C, S, A, V, E]
	every func(s *S, seat game.Seat) []A // all that may be done
	luck  int                            // draws that show every outcome of a step
	work  int                            // outcomes left to look at after an action; below 0: too many
	draws int                            // tables that show all that may be hidden
	known map[S][]float64                // values found
}

// value returns the shares if everybody plays perfectly, knowing the whole table; nil if that takes too much work.
func (x *small[C, S, A, V, E]) value(s *S) []float64 {
	due := x.rules.Due(s)
	if due == 0 {
		return search.Shares(x.rules.Result(s))
	}
	v, ok := x.known[*s]
	if !ok {
		if v = x.best(s, due, nil); v != nil {
			x.known[*s] = v
		}
	}
	return v
}

// best lets the seats due decide one after another, each for its own share.
func (x *small[C, S, A, V, E]) best(s *S, due game.Seats, acts []game.Act[A]) (top []float64) {
	if due == 0 {
		return x.mean(s, acts)
	}
	seat := due.Lowest()
	for _, a := range x.every(s, seat) {
		v := x.best(s, due.Without(seat), append(slices.Clip(acts), game.Act[A]{Seat: seat, Action: a}))
		if v == nil {
			return nil
		}
		if top == nil || v[seat] > top[seat] {
			top = v
		}
	}
	return top
}

// mean returns the mean over the outcomes of a step.
func (x *small[C, S, A, V, E]) mean(s *S, acts []game.Act[A]) (sum []float64) {
	outcomes := map[S]bool{}
	var list []S
	for k := range x.luck {
		next := *s
		x.rules.Apply(&next, acts, game.Stream(house.Seed(uint64(k)), 0, "outcome"), nil)
		if !outcomes[next] {
			outcomes[next], list = true, append(list, next)
		}
	}
	if x.work -= len(list); x.work < 0 {
		return nil
	}
	for i := range list {
		v := x.value(&list[i])
		if v == nil {
			return nil
		}
		sum = add(sum, v, 1/float64(len(list)))
	}
	return sum
}

func add(sum, v []float64, weight float64) []float64 {
	if sum == nil {
		sum = make([]float64, len(v))
	}
	for i := range v {
		sum[i] += weight * v[i]
	}
	return sum
}

// after returns what an action is worth to a seat, whatever the others due with it do: all that they may is alike.
func (x *small[C, S, A, V, E]) after(s *S, seat game.Seat, a A, due game.Seats, acts []game.Act[A]) (float64, bool) {
	if due == 0 {
		v := x.mean(s, acts)
		if v == nil {
			return 0, false
		}
		return v[seat], true
	}
	at := due.Lowest()
	list := []A{a}
	if at != seat {
		list = x.every(s, at)
	}
	sum := 0.0
	for _, b := range list {
		v, ok := x.after(s, seat, a, due.Without(at), append(slices.Clip(acts), game.Act[A]{Seat: at, Action: b}))
		if !ok {
			return 0, false
		}
		sum += v / float64(len(list))
	}
	return sum, true
}

// regret returns what an action cost, and what the worst would have, by an exhaustive search of the tables that the seat thinks
// possible; false if that takes too much work.
func (x *small[C, S, A, V, E]) regret(w *worlds, played A) (regret, worst float64, ok bool) {
	work := x.work
	defer func() { x.work = work }()
	var list []A
	var sums []float64
	for range x.draws {
		table, _ := w.next()
		s, _ := game.StateOf[S](table)
		x.known = map[S][]float64{}
		if list == nil {
			list = append([]A{played}, x.every(&s, w.seat)...)
			sums = make([]float64, len(list))
		}
		for i, a := range list {
			x.work = work
			v, ok := x.after(&s, w.seat, a, x.rules.Due(&s), nil)
			if !ok {
				return 0, 0, false
			}
			sums[i] += v / float64(x.draws)
		}
	}
	best := slices.Max(sums)
	return best - sums[0], best - slices.Min(sums), true
}

// agrees reports whether a mark says what the exhaustive search does.
func agrees(m report.Mark, regret float64) bool {
	switch m {
	case report.Best:
		return regret <= 0.02
	case report.Good:
		return regret > 1e-9 && regret <= 2*goodCosts
	case report.Mistake:
		return regret >= mistakeCosts/2
	case report.Blunder:
		return regret >= blunderCosts/2
	default:
		return regret > 1e-9
	}
}

// tally counts verdicts.
type tally struct{ positions, marked, agreed int }

// verdicts judges decisions in positions near the end and holds the marks against the exhaustive search. Every second decision is the
// one of the match, the others are drawn by lot.
func (x small[C, S, A, V, E]) verdicts(t *testing.T, config, bot string, seats int, late func(s *S) bool, want, playouts int) (sum tally) {
	t.Helper()
	e, _ := catalog.Find(x.rules.Info().ID)
	for seed := uint64(1); sum.positions < want; seed++ {
		if seed > 100*uint64(want) {
			t.Fatalf("%d matches have only %d positions near the end, want %d", seed, sum.positions, want)
		}
		rec := record(t, e, config, bot, seats, seed, nil)
		r := review{rec: rec, seen: make([][]json.RawMessage, seats)}
		var err error
		if r.judge, err = newJudge(t.Context().Err, e, rec.Header.Config, seats, playouts, seed); err != nil {
			t.Fatal(err)
		}
		err = rec.Play(func(p *replay.Player) error {
			protocol.Hear(r.seen, p.Events())
			s, _ := game.StateOf[S](p.Table())
			if p.Step()+1 == len(rec.Steps) || !late(&s) {
				return nil
			}
			turns := rec.Steps[p.Step()+1].Turns
			var list []A
			i := slices.IndexFunc(turns, func(turn replay.Turn) bool {
				list = x.every(&s, turn.Seat)
				return len(list) > 1
			})
			if i < 0 {
				return nil
			}
			turn := turns[i]
			if (p.Step()+int(seed))%2 == 0 {
				if turn.Action, err = json.Marshal(list[int(seed*7919)%len(list)]); err != nil {
					return err
				}
			}
			var played A
			if err := json.Unmarshal(turn.Action, &played); err != nil {
				return err
			}
			other := *r.judge
			other.seed += 1_000_000
			w, err := other.worlds(r.turn(p.Table(), turn.Seat))
			if err != nil {
				return err
			}
			regret, worst, ok := x.regret(w, played)
			if !ok || worst < blunderCosts && sum.positions%4 > 0 { // in three of four something must depend on the decision
				return nil
			}
			d, err := r.decided(p.Table(), turn)
			if err != nil {
				return err
			}
			if d.Low <= 0 && d.High > 0 && d.Mark != "" {
				t.Errorf("the regret is within its error (%.3f to %.3f), and the mark is %q", d.Low, d.High, d.Mark)
			}
			sum.positions++
			if d.Mark != "" {
				if sum.marked++; agrees(d.Mark, regret) {
					sum.agreed++
				} else {
					t.Logf("seed %d, step %d, seat %d, %s: %s, %.3f (%.3f to %.3f), the search says %.3f", seed, d.Step, d.Seat, d.Words, d.Mark, d.Regret, d.Low, d.High, regret)
				}
			}
			if sum.positions == want {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			t.Fatal(err)
		}
	}
	return sum
}

// listed returns what an offer lists.
func listed[C, S, A, V, E any](rules game.Rules[C, S, A, V, E]) func(*S, game.Seat) []A {
	return func(s *S, seat game.Seat) []A {
		var o game.Offer[A]
		rules.Offer(s, seat, &o)
		return o.List
	}
}

// moves returns every split of a roll, where the offer is a form.
func moves(s *cia.State, seat game.Seat) []cia.Action {
	var o game.Offer[cia.Action]
	cia.Rules{}.Offer(s, seat, &o)
	if len(o.Forms) == 0 {
		return o.List
	}
	var list []cia.Action
	var spread func(a cia.Action, agent cia.Agent)
	spread = func(a cia.Action, agent cia.Agent) {
		if agent == cia.NumAgents {
			if (cia.Rules{}).Legal(s, seat, a) == nil {
				list = append(list, a)
			}
			return
		}
		for n := range int8(s.Roll) + 1 {
			if n == 0 || s.InPlay.Has(agent) {
				a.Steps[agent] = n
				spread(a, agent+1)
			}
		}
	}
	spread(cia.Action{Kind: cia.ActMove}, 0)
	return list
}

// flicks returns a grid of the mole's flicks, and to decline.
func flicks(s *mole.State, seat game.Seat) []mole.Action {
	list := []mole.Action{{Type: mole.Nasdaq, Coin: mole.Mole}}
	for angle := int32(0); angle < 360_000; angle += 3_000 {
		list = append(list, mole.Action{Type: mole.Flick, Coin: mole.Mole, Angle: angle, Speed: s.MoleMax})
	}
	return slices.DeleteFunc(list, func(a mole.Action) bool { return (mole.Rules{}).Legal(s, seat, a) != nil })
}

// Of the verdicts that have a mark 95 % agree with an exhaustive search of the rest of the match; without one none may be wrong. What a seat
// believes of what is hidden is the same in both.
func TestMarksAgreeWithAnExhaustiveSearch(t *testing.T) {
	t.Parallel()
	want, playouts := 8, 160
	if nightly() {
		want, playouts = 200, 400
	}
	for id, verdicts := range map[string]func(t *testing.T) tally{
		"cia": func(t *testing.T) tally { // the last turn
			x := small[cia.Config, cia.State, cia.Action, cia.View, cia.Event]{rules: cia.Rules{}, every: moves, luck: 8, work: 14, draws: 12}
			return x.verdicts(t, `{"max_turns":10}`, "greedy", 2, func(s *cia.State) bool { return s.Turns >= 9 }, want, playouts)
		},
		"demol": func(t *testing.T) tally { // the last mission, once all depends on it
			x := small[demol.Config, demol.State, demol.Action, demol.View, demol.Event]{rules: demol.Rules{}, every: listed(demol.Rules{}), luck: 1, work: 5_000, draws: 12}
			return x.verdicts(t, `{}`, "random", 5, func(s *demol.State) bool { return s.Round == 5 && (s.Attempt == 5 || s.Phase.String() == "mission") }, want, playouts)
		},
		"mole": func(t *testing.T) tally { // the mole's last flick on a board without noise: it wins by it or loses
			x := small[mole.Config, mole.State, mole.Action, mole.View, mole.Event]{rules: mole.Rules{}, every: flicks, luck: 1, work: 2, draws: 1}
			config := `{"max_rounds":1,"mole_turns":3,"noise":"none","points":1,"lead":1,"friction_permille":150}`
			return x.verdicts(t, config, "thinker", 2, func(s *mole.State) bool { return s.Phase == mole.PhaseMole && s.MoleTurns == 2 }, want, playouts)
		},
		"molehill": func(t *testing.T) tally {
			want := want
			if !nightly() {
				want = 4 // the search of one takes a second
			}
			x := small[molehill.Config, molehill.State, molehill.Action, molehill.View, molehill.Event]{rules: molehill.Rules{}, every: listed(molehill.Rules{}), luck: 1, work: 3_000, draws: 1}
			return x.verdicts(t, `{}`, "greedy", 2, func(s *molehill.State) bool { return s.Round == 1 && s.Discs-s.Laid <= 3 }, want, playouts)
		},
		"molemajority": func(t *testing.T) tally { // the last turn
			x := small[molemajority.Config, molemajority.State, molemajority.Action, molemajority.View, molemajority.Event]{
				rules: molemajority.Rules{}, every: listed(molemajority.Rules{}), luck: 1, work: 1_000, draws: 32,
			}
			return x.verdicts(t, `{"max_turns":12}`, "greedy", 2, func(s *molemajority.State) bool { return s.Phase == molemajority.PhasePlay && s.Turn >= 11 }, want, playouts)
		},
	} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			sum := verdicts(t)
			t.Logf("%+v", sum)
			if sum.marked == 0 || 100*sum.agreed < 95*sum.marked {
				t.Errorf("of %d marks in %d positions %d agree with the search, want 95 %%", sum.marked, sum.positions, sum.agreed)
			}
		})
	}
}

func TestMarksFollowFromTheInterval(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		low, high float64
		want      report.Mark
	}{
		{-0.1, 0.1, ""}, {0, 0.9, ""}, {-0.9, 0.001, ""}, {0, 0, report.Best}, {-0.3, -0.1, report.Best}, {-0.1, 0, report.Best}, {0.01, 0.05, report.Good}, {0.01, 0.06, report.Doubtful},
		{0.049, 0.9, report.Doubtful}, {0.05, 0.9, report.Mistake}, {0.15, 0.2, report.Blunder}, {1, 1, report.Blunder},
	} {
		if got := mark(row.low, row.high); got != row.want {
			t.Errorf("%.3f to %.3f: got %q, want %q", row.low, row.high, got, row.want)
		}
	}
}

// A review that is stopped ends amid a decision, however many playouts that was to have.
func TestAReviewEndsAmidADecision(t *testing.T) {
	e, _ := catalog.Find("cia")
	rec := record(t, e, "{}", "greedy", 2, 1, nil)
	ctx, stop := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer stop()
	ended := make(chan error, 1)
	go func() {
		_, err := Review(ctx, e, rec, Options{Playouts: 1_000_000_000, Seed: 1})
		ended <- err
	}()
	select {
	case err := <-ended:
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want that it was stopped", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it goes on")
	}
}
