package gametest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// Hidden names what is hidden in a game.
type Hidden[S any] struct {
	// Facts are the hidden things as they are in s, one short string each ("seat 3: mole").
	Facts func(s *S) []string
	// Possible are the facts of all states that seat cannot tell from s, found in another way than by Resample. Without
	// it, or without Facts, it is enough that for a spectator something changes in every match.
	Possible func(s *S, seat game.Seat) []string
	// Draws per state and seat is how many resamples may be needed to see every possible fact; 0 is 2000. A tenth of them
	// are made in any case, the others only while a possible fact has not been seen.
	Draws int
}

// Vary is the law that a resample redraws everything hidden: along random matches of c, over many draws, the facts seen
// are exactly those that the seat cannot rule out.
func Vary[C, S, A, V, E any](r game.Rules[C, S, A, V, E], c Case, matches int, h Hidden[S]) error {
	resampler, ok := r.(game.Resampler[S])
	if !ok {
		return errors.New("the rules do not resample")
	}
	config, err := ConfigOf(r, c)
	if err != nil {
		return err
	}
	if h.Draws == 0 {
		h.Draws = 2000
	}
	if h.Facts == nil {
		h.Facts, h.Possible = func(s *S) []string { return []string{string(bits(s))} }, nil
	}
	v := vary[C, S, A, V, E]{r, resampler, h}
	for match := range matches {
		if err := v.match(config, game.Seat(c.Seats), Seed(match)); err != nil {
			return fmt.Errorf("%v, match %d, %w", c, match, err)
		}
	}
	return nil
}

func bits(s any) []byte {
	b, err := binary.Append(nil, binary.LittleEndian, s)
	if err != nil {
		panic(fmt.Sprintf("gametest: the state is not plain data: %v", err))
	}
	return b
}

type vary[C, S, A, V, E any] struct {
	r         game.Rules[C, S, A, V, E]
	resampler game.Resampler[S]
	h         Hidden[S]
}

func (x vary[C, S, A, V, E]) match(config C, seats game.Seat, seed game.Seed) error {
	var s S
	r := game.Stream(seed, 0, "vary")
	x.r.Deal(&s, config, int(seats), r, nil)
	sim := game.Sim[C, S, A, V, E]{Rules: x.r}
	changed := false
	for step := 0; ; step++ {
		due := x.r.Due(&s)
		for seat := game.Spectator; seat < seats; seat++ {
			var want []string
			if x.h.Possible != nil {
				want = set(x.h.Possible(&s, seat))
			}
			drawn := x.drawn(&s, seat, len(want), r)
			changed = changed || seat == game.Spectator && len(drawn) > len(x.h.Facts(&s))
			if x.h.Possible != nil && !slices.Equal(drawn, want) {
				return fmt.Errorf("step %d, seat %d: %s", step, seat, missing(want, drawn))
			}
		}
		if due == 0 {
			break
		}
		sim.Step(&s, due, r)
	}
	if !changed {
		return errors.New("a spectator's resample never changes anything")
	}
	return nil
}

// drawn returns the facts seen over many resamples, ascending; it goes on longer while fewer than want are seen.
func (x vary[C, S, A, V, E]) drawn(s *S, seat game.Seat, want int, r *game.Rand) []string {
	seen := map[string]bool{}
	for i := 0; i < x.h.Draws/10 || i < x.h.Draws && len(seen) < want; i++ {
		twin := *s
		x.resampler.Resample(&twin, seat, r)
		for _, fact := range x.h.Facts(&twin) {
			seen[fact] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

func set(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// missing says how two sorted sets differ.
func missing(want, got []string) string {
	var words []string
	for _, fact := range want {
		if !slices.Contains(got, fact) {
			words = append(words, fmt.Sprintf("%q is never drawn", fact))
		}
	}
	for _, fact := range got {
		if !slices.Contains(want, fact) {
			words = append(words, fmt.Sprintf("%q is drawn and is impossible", fact))
		}
	}
	return strings.Join(words, ", ")
}
