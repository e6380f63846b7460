package search

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
)

// Valuer values the positions of one game by playing them on. It is not safe for concurrent use.
type Valuer struct {
	Name    string
	Version int // raised with every change of its values
	// Ideas lists answers worth a look in a turn, the thinker's own first.
	Ideas func(t *protocol.Turn, rng *rand.Rand) ([]protocol.Answer, error)
	// Likely returns how likely a table is, 0 to 1, that was drawn evenly from those that a turn's seat cannot distinguish; nil
	// where all are alike.
	Likely func(t *protocol.Turn, rng *rand.Rand) (func(game.Table) float64, error)
	// Play plays a table on, all of its luck from the seed, and returns the share of each seat ([Shares]), where the end is far
	// an estimate. First the seat takes the actions, one after another as long as it alone is due and they are legal; of none it decides
	// for itself. The table does not change.
	Play func(table game.Table, seed game.Seed, seat game.Seat, actions []json.RawMessage) ([]float64, error)
	// Rest returns an action and what the seat best does after it while it alone is due, by what it knows of a table; the same for all tables that
	// it cannot distinguish. Without an action it begins at the table. It is nil where Play's own way to go on does as well.
	Rest func(table game.Table, seat game.Seat, action json.RawMessage) ([]json.RawMessage, error)
	// Solve returns the shares if everybody plays perfectly after the action; false if that takes more work than so many steps.
	// It is nil where anything is hidden or left to chance.
	Solve func(table game.Table, seat game.Seat, action json.RawMessage, work int) ([]float64, bool, error)
}

// Exact returns what each of the actions is worth to a seat if everybody plays perfectly after it; false if that takes more work than so
// many steps in all, or the game has no Solve.
func (v Valuer) Exact(table game.Table, seat game.Seat, actions []json.RawMessage, work int) ([]float64, bool, error) {
	if v.Solve == nil {
		return nil, false, nil
	}
	values := make([]float64, len(actions))
	for i, action := range actions {
		shares, ok, err := v.Solve(table, seat, action, work/len(actions))
		if err != nil || !ok {
			return nil, false, err
		}
		values[i] = shares[seat]
	}
	return values, true, nil
}

// Sim plays matches of one game on without JSON.
type Sim[C, S, A, V, E any] struct {
	Rules game.Rules[C, S, A, V, E]
	// Act returns what a seat does by what it may know: an action, or several that follow each other as long as it alone is due.
	// A random one takes the place of one that is not legal.
	Act func(s *S, seat game.Seat, luck *game.Rand) []A
	// Then returns what a seat best does in a row, at more expense than Act; nil where there is no [Valuer] Rest.
	Then func(s *S, seat game.Seat) []A
	// Err is how seldom a seat plays at random instead: once in so many decisions; 0: never.
	Err int
	// Leaf values a state without playing on; false: go on. It is nil where matches are played to their end.
	Leaf func(root, s *S) (shares []float64, leaf bool)
}

// Play is a [Valuer]'s.
func (m Sim[C, S, A, V, E]) Play(table game.Table, seed game.Seed, seat game.Seat, actions []json.RawMessage) ([]float64, error) {
	root, first, err := m.read(table, actions)
	if err != nil {
		return nil, err
	}
	s, acts, luck := root, []game.Act[A](nil), new(game.Rand)
	var ahead []A // of the one seat due
	for step := table.Step(); ; step++ {
		due := m.Rules.Due(&s)
		if due == 0 {
			return Shares(m.Rules.Result(&s)), nil
		}
		if m.Leaf != nil && step > table.Step() {
			if shares, leaf := m.Leaf(&root, &s); leaf {
				return shares, nil
			}
		}
		alone := due.Len() == 1 && len(acts) == 1 && due.Has(acts[0].Seat)
		acts = acts[:0]
		for at := range due.Each() {
			luck.Reset(seed, step, "play on", at)
			switch {
			case len(first) > 0 && at == seat:
				ahead, first = first, nil
			case !alone || len(ahead) == 0 || m.Rules.Legal(&s, at, ahead[0]) != nil:
				ahead = m.decide(&s, at, luck)
			}
			acts = append(acts, game.Act[A]{Seat: at, Action: m.legal(&s, at, ahead[0], luck)})
			ahead = ahead[1:]
		}
		luck.Reset(seed, step, "apply", game.Spectator)
		m.Rules.Apply(&s, acts, luck, nil)
	}
}

// read returns the state of a table and actions.
func (m Sim[C, S, A, V, E]) read(table game.Table, actions []json.RawMessage) (s S, first []A, err error) {
	s, ok := game.StateOf[S](table)
	if !ok {
		return s, nil, fmt.Errorf("play on: the table is not one of %s", m.Rules.Info().ID)
	}
	first = make([]A, len(actions))
	for i, action := range actions {
		if err := json.Unmarshal(action, &first[i]); err != nil {
			return s, nil, fmt.Errorf("play on: action: %w", err)
		}
	}
	return s, first, nil
}

// after returns the state of a table after an action of a seat, and a list of the action; without an action the table's own.
func (m Sim[C, S, A, V, E]) after(table game.Table, seat game.Seat, action json.RawMessage) (s S, actions []json.RawMessage, err error) {
	if action != nil {
		actions = append(actions, action)
	}
	s, first, err := m.read(table, actions)
	if err != nil {
		return s, nil, err
	}
	for _, a := range first {
		m.Rules.Apply(&s, []game.Act[A]{{Seat: seat, Action: a}}, new(game.Rand), nil)
	}
	return s, actions, nil
}

func (m Sim[C, S, A, V, E]) decide(s *S, seat game.Seat, luck *game.Rand) []A {
	if m.Err > 0 && luck.IntN(m.Err) == 0 {
		return []A{m.Rules.Sample(s, seat, luck)}
	}
	return m.Act(s, seat, luck)
}

func (m Sim[C, S, A, V, E]) legal(s *S, seat game.Seat, a A, luck *game.Rand) A {
	if m.Rules.Legal(s, seat, a) != nil {
		return m.Rules.Sample(s, seat, luck)
	}
	return a
}

// Rest is a [Valuer]'s, for games whose actions do not draw in the midst of a turn.
func (m Sim[C, S, A, V, E]) Rest(table game.Table, seat game.Seat, action json.RawMessage) ([]json.RawMessage, error) {
	s, actions, err := m.after(table, seat, action)
	if err != nil || m.Rules.Due(&s) != game.Only(seat) {
		return actions, err
	}
	for _, a := range m.Then(&s, seat) {
		raw, err := json.Marshal(a)
		if err != nil {
			return nil, fmt.Errorf("play on: %w", err)
		}
		actions = append(actions, raw)
	}
	return actions, nil
}

// Solve is a [Valuer]'s, for games in which one seat is due at a time and its offer a list.
func (m Sim[C, S, A, V, E]) Solve(table game.Table, seat game.Seat, action json.RawMessage, work int) ([]float64, bool, error) {
	s, _, err := m.after(table, seat, action)
	if err != nil {
		return nil, false, err
	}
	shares, ok := m.solve(&s, &work, make([]game.Act[A], 1), new(game.Rand))
	return shares, ok, nil
}

func (m Sim[C, S, A, V, E]) solve(s *S, work *int, act []game.Act[A], none *game.Rand) (best []float64, ok bool) {
	seat := m.Rules.Due(s).Lowest()
	if seat == game.Spectator {
		return Shares(m.Rules.Result(s)), true
	}
	var o game.Offer[A]
	m.Rules.Offer(s, seat, &o)
	if *work -= len(o.List); *work < 0 {
		return nil, false
	}
	for _, a := range o.List {
		next := *s
		act[0] = game.Act[A]{Seat: seat, Action: a}
		m.Rules.Apply(&next, act, none, nil)
		shares, ok := m.solve(&next, work, act, none)
		if !ok {
			return nil, false
		}
		if best == nil || shares[seat] > best[seat] {
			best = shares
		}
		if best[seat] == 1 {
			break
		}
	}
	return best, true
}

// Draw returns a table that a seat cannot distinguish from the root, its luck from the seed: of a few drawn evenly one by lot, the
// likelier the sooner. likely may be nil.
func Draw(root game.Table, seat game.Seat, seed game.Seed, likely func(game.Table) float64) game.Table {
	const draws = 8
	luck := game.Stream(seed, 0, "worlds")
	var pick game.Table
	sum := 0.0
	for range draws {
		table := root.Resample(seat, SeedOf(luck))
		if likely == nil {
			return table
		}
		w := likely(table)
		if sum += w; pick == nil || float64(luck.Uint64()>>11)*0x1p-53*sum < w {
			pick = table
		}
		if w == 1 && sum == 1 {
			break // it cannot be likelier
		}
	}
	return pick
}

// SeedOf draws a seed from a stream.
func SeedOf(luck *game.Rand) game.Seed { return Seed(rand.New(luck)) }

// Luck returns a generator of random numbers from a seed.
func Luck(seed game.Seed) *rand.Rand { return rand.New(game.Stream(seed, 0, "luck")) }

// Shares returns [game.Result.Shares]. Where a free agent of CIA took the match from everybody, the seats rank by their points.
func Shares(r game.Result) []float64 {
	if r.Why == "free_agent" {
		r.Rank = game.Ranks(len(r.Points), func(a, b int) bool { return r.Points[a] > r.Points[b] })
	}
	return r.Shares()
}
