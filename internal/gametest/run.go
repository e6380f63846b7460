package gametest

import (
	"errors"
	"os"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

// Run checks every law over the rules of a game.
func Run[C, S, A, V, E any](t *testing.T, r game.Rules[C, S, A, V, E], cases Cases[S, A]) {
	t.Helper()
	cases = cases.filled(r.Info())
	s := &suite{
		e:        game.Wrap(r),
		maxSteps: cases.MaxSteps,
		hostile:  cases.Hostile,
		badConf:  cases.BadConfigs,
	}
	for _, law := range laws() {
		t.Run(law.name, func(t *testing.T) {
			for _, c := range cases.List {
				for i := range cases.Matches {
					if err := law.check(s, c, Seed(i)); err != nil {
						t.Errorf("%v, match %d: %v", c, i, err)
						break
					}
				}
			}
		})
	}
	t.Run("a playout allocates nothing", func(t *testing.T) {
		for _, c := range cases.List {
			if got := playoutAllocs(t, r, c); got != 0 {
				t.Errorf("%v: want 0 allocations a playout, got %v", c, got)
			}
		}
	})
	t.Run("a drawing is legible and needs nothing from outside", func(t *testing.T) {
		for _, c := range cases.List {
			drawings(t, s.e, c)
		}
	})
	if cases.Open {
		return
	}
	t.Run("nothing hidden leaks", func(t *testing.T) {
		total := 0
		for _, c := range cases.List {
			pairs, err := Indistinguishable(r, c, cases.Pairs, cases.Probes...)
			if total += pairs; err != nil {
				t.Error(err)
			}
		}
		t.Logf("%d pairs of twins", total)
	})
	t.Run("a resample redraws all that is hidden", func(t *testing.T) {
		for _, c := range cases.List {
			if err := Vary(r, c, 1, cases.Hidden); err != nil {
				t.Error(err)
			}
		}
	})
}

// drawEvery and readEvery are how many steps lie between two drawings that are looked at, and between two that are read word by word.
const (
	drawEvery = 3
	readEvery = 9
)

// drawings looks at the drawings along a match, with names as long as they may be.
func drawings(t *testing.T, e game.Engine, c Case) {
	t.Helper()
	Along(t, e, c, Seed(0), func(table game.Table) {
		step := table.Step()
		if step%drawEvery != 0 && table.Due() != 0 {
			return
		}
		seat := game.Seat(step/drawEvery%(c.Seats+1)) - 1
		svg, err := table.Draw(seat, LongNames())
		if errors.Is(err, game.ErrUnsupported) {
			return
		}
		if err != nil {
			t.Fatalf("%v, step %d: %v", c, step, err)
		}
		Drawing(t, svg)
		if step%readEvery == 0 || table.Due() == 0 {
			Legible(t, svg)
		}
	})
}

// Catch checks that each of some planted leaks is found by [Indistinguishable] within so many pairs of twins.
func Catch[C, S, A, V, E any](t *testing.T, r game.Rules[C, S, A, V, E], c Case, pairs int, leaks map[string]Faulty[C, S, A, V, E]) {
	t.Helper()
	for name, spoiled := range leaks {
		t.Run(name, func(t *testing.T) {
			spoiled.Rules = r
			if done, err := Indistinguishable(spoiled, c, pairs); err == nil {
				t.Errorf("%v: the leak was not seen in %d pairs", c, done)
			}
		})
	}
}

// playoutAllocs counts the allocations of dealing and playing one match on the typed path.
func playoutAllocs[C, S, A, V, E any](t *testing.T, r game.Rules[C, S, A, V, E], c Case) float64 {
	config, err := ConfigOf(r, c)
	must.OK(t, err)
	var s S
	sim := game.Sim[C, S, A, V, E]{Rules: r}
	rnd := game.Stream(Seed(0), 0, "allocs")
	return testing.AllocsPerRun(20, func() {
		r.Deal(&s, config, c.Seats, rnd, nil)
		sim.Playout(&s, rnd)
	})
}

// BenchmarkPlayout measures matches on the typed path; it reports moves per second and allocations.
func BenchmarkPlayout[C, S, A, V, E any](b *testing.B, r game.Rules[C, S, A, V, E], c Case) {
	config, err := ConfigOf(r, c)
	must.OK(b, err)
	var s S
	sim := game.Sim[C, S, A, V, E]{Rules: r}
	rnd := game.Stream(Seed(0), 0, "bench")
	moves := 0
	b.ReportAllocs()
	for b.Loop() {
		r.Deal(&s, config, c.Seats, rnd, nil)
		moves += sim.Playout(&s, rnd)
	}
	b.ReportMetric(float64(moves)/b.Elapsed().Seconds(), "moves/s")
}

// BenchmarkResample measures redrawing what is hidden from seat 0, along so many matches.
func BenchmarkResample[C, S, A, V, E any](b *testing.B, r game.Rules[C, S, A, V, E], c Case, matches int) {
	config, err := ConfigOf(r, c)
	must.OK(b, err)
	var states []S
	sim := game.Sim[C, S, A, V, E]{Rules: r}
	rnd := game.Stream(Seed(1), 0, "bench")
	for range matches {
		var s S
		r.Deal(&s, config, c.Seats, rnd, nil)
		for due := r.Due(&s); due != 0; due = r.Due(&s) {
			states = append(states, s)
			sim.Step(&s, due, rnd)
		}
	}
	resampler := r.(game.Resampler[S])
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s := states[i%len(states)]
		resampler.Resample(&s, 0, rnd)
	}
}

// BenchmarkAsk measures what a bot is sent for a decision: the view and the offer as JSON, along a match.
func BenchmarkAsk(b *testing.B, e game.Engine, c Case) {
	var tables []game.Table
	err := play(e, c, Seed(0), 1<<20, func(m moment) error {
		t, err := e.Restore(m.table.Snapshot())
		if t != nil && t.Due() != 0 {
			tables = append(tables, t)
		}
		return err
	})
	must.OK(b, err)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		t := tables[i%len(tables)]
		seat := t.Due().Lowest()
		t.View(seat)
		t.Offer(seat)
	}
}

// Nightly returns n in the nightly run, else 1.
func Nightly(n int) int {
	if os.Getenv("MOLERUN_NIGHTLY") == "1" {
		return n
	}
	return 1
}

// Mutating reports whether the whole package is run once for each mutant: then the long laws are kept short.
func Mutating() bool { return os.Getenv("MOLERUN_MUTATE") == "1" }

// Thinned returns the whole list, or under mutation testing every nth of it.
func Thinned[T any](list []T, nth int) []T {
	if !Mutating() {
		return list
	}
	return every(list, nth)
}

// Sampled returns every nth of the list, or at night the whole of it.
func Sampled[T any](list []T, nth int) []T {
	if Nightly(2) > 1 {
		return list
	}
	return every(list, nth)
}

func every[T any](list []T, nth int) (out []T) {
	for i := 0; i < len(list); i += nth {
		out = append(out, list[i])
	}
	return out
}
