package gametest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/molerun/molerun/engines/game"
)

// Indistinguishable checks the law of non-interference: what a seat, or a spectator, gets is the same on a state and on its resampled
// twin. It plays random matches of c and at every step compares, for every seat, who is due, the view, the offer, the
// errors for a table of probing actions (the given ones and some seen in play) and the house's action. Then, if the step's
// acts are legal in both and end neither, the events that the seat gets are equal exactly when its views afterwards are.
// It counts the pairs compared, at least as many as asked for, and stops at the first leak.
func Indistinguishable[C, S, A, V, E any](r game.Rules[C, S, A, V, E], c Case, pairs int, probes ...A) (int, error) {
	var done int
	resampler, ok := r.(game.Resampler[S])
	if !ok {
		return 0, errors.New("the rules do not resample")
	}
	config, err := ConfigOf(r, c)
	if err != nil {
		return 0, err
	}
	x := indistinguishable[C, S, A, V, E]{r: r, resampler: resampler, seats: game.Seat(c.Seats), probes: slices.Clone(probes)}
	for match := 0; done < pairs; match++ {
		n, err := x.match(config, Seed(match))
		if done += n; err != nil {
			return done, fmt.Errorf("%v, match %d, %w", c, match, err)
		}
	}
	return done, nil
}

// maxProbes bounds the probing actions taken from play.
const maxProbes = 12

type indistinguishable[C, S, A, V, E any] struct {
	r         game.Rules[C, S, A, V, E]
	resampler game.Resampler[S]
	seats     game.Seat
	probes    []A
	taken     int
	stream    game.Rand
	offer     game.Offer[A]
}

// observation is all that a seat gets of a state.
type observation struct {
	due                         game.Seats
	view, offer, errors, sample []byte
}

// match compares along one match.
func (x *indistinguishable[C, S, A, V, E]) match(config C, seed game.Seed) (int, error) {
	pairs := 0
	var s S
	r := game.Stream(seed, 0, "twins")
	x.r.Deal(&s, config, int(x.seats), r, nil)
	for step := 0; ; step++ {
		acts := x.acts(&s, r)
		after, log := s, game.Log[E]{}
		if len(acts) > 0 {
			x.stream.Reset(seed, step+1, "apply", game.Spectator)
			x.r.Apply(&after, acts, &x.stream, &log)
		}
		for seat := game.Spectator; seat < x.seats; seat++ {
			twin := s
			x.resampler.Resample(&twin, seat, r)
			pairs++
			if what := x.look(&s, seat).differs(x.look(&twin, seat)); what != "" {
				return pairs, fmt.Errorf("step %d: %s of seat %d distinguishes twins", step, what, seat)
			}
			if len(acts) == 0 || x.r.Due(&after) == 0 || !x.legal(&twin, acts) {
				continue
			}
			x.stream.Reset(seed, step+1, "apply", game.Spectator)
			if err := x.follow(&after, log.Notes, &twin, acts, seat); err != nil {
				return pairs, fmt.Errorf("step %d: seat %d: %w", step, seat, err)
			}
		}
		if len(acts) == 0 {
			return pairs, nil
		}
		s = after
	}
}

// acts decides at random for all due seats, and remembers some of the actions as probes.
func (x *indistinguishable[C, S, A, V, E]) acts(s *S, r *game.Rand) []game.Act[A] {
	var acts []game.Act[A]
	for seat := range x.r.Due(s).Each() {
		a := x.r.Sample(s, seat, r)
		acts = append(acts, game.Act[A]{Seat: seat, Action: a})
		if x.taken < maxProbes {
			x.taken++
			x.probes = append(x.probes, a)
		} else if at := r.IntN(8 * maxProbes); at < maxProbes {
			x.probes[len(x.probes)-1-at] = a
		}
	}
	return acts
}

func (x *indistinguishable[C, S, A, V, E]) look(s *S, seat game.Seat) observation {
	var out observation
	out.due = x.r.Due(s)
	out.view = JSON(x.r.View(s, seat))
	if !out.due.Has(seat) {
		return out
	}
	x.offer.List, x.offer.Forms, x.offer.Examples = x.offer.List[:0], x.offer.Forms[:0], x.offer.Examples[:0]
	x.r.Offer(s, seat, &x.offer)
	out.offer = x.offer.AppendJSON(nil)
	for i := range x.probes {
		if err := x.r.Legal(s, seat, x.probes[i]); err != nil {
			out.errors = append(out.errors, err.Error()...)
		}
		out.errors = append(out.errors, '\n')
	}
	x.stream.Reset(game.Seed{}, 0, "sample", seat)
	out.sample = JSON(x.r.Sample(s, seat, &x.stream))
	return out
}

// differs names what distinguishes two sights.
func (a observation) differs(b observation) string {
	switch {
	case a.due != b.due:
		return "due"
	case !bytes.Equal(a.view, b.view):
		return fmt.Sprintf("view %s or %s", a.view, b.view)
	case !bytes.Equal(a.offer, b.offer):
		return fmt.Sprintf("offer %s or %s", a.offer, b.offer)
	case !bytes.Equal(a.errors, b.errors):
		return fmt.Sprintf("error %q or %q", a.errors, b.errors)
	case !bytes.Equal(a.sample, b.sample):
		return fmt.Sprintf("house action %s or %s", a.sample, b.sample)
	}
	return ""
}

// legal reports whether the acts can be played on the twin.
func (x *indistinguishable[C, S, A, V, E]) legal(twin *S, acts []game.Act[A]) bool {
	for i := range acts {
		if x.r.Legal(twin, acts[i].Seat, acts[i].Action) != nil {
			return false
		}
	}
	return true
}

// follow plays the acts on the twin and compares what the seat hears with what it sees.
func (x *indistinguishable[C, S, A, V, E]) follow(after *S, notes []game.Note[E], twin *S, acts []game.Act[A], seat game.Seat) error {
	var log game.Log[E]
	x.r.Apply(twin, acts, &x.stream, &log)
	if x.r.Due(twin) == 0 {
		return nil
	}
	heard, twinHeard := eventsOf(notes, seat), eventsOf(log.Notes, seat)
	view, twinView := JSON(x.r.View(after, seat)), JSON(x.r.View(twin, seat))
	if bytes.Equal(heard, twinHeard) != bytes.Equal(view, twinView) {
		return fmt.Errorf("events %s and %s do not go with views %s and %s", heard, twinHeard, view, twinView)
	}
	return nil
}

// eventsOf returns the events that a seat gets.
func eventsOf[E any](notes []game.Note[E], seat game.Seat) []byte {
	var out []json.RawMessage
	for i := range notes {
		if (game.Event{For: notes[i].For}).VisibleTo(seat) {
			out = append(out, JSON(notes[i].Event))
		}
	}
	return JSON(out)
}
