package gametest

import "github.com/molerun/molerun/engines/game"

// Faulty is rules with planted leaks, to test that the laws see them. Each hook may be nil; s is the true state.
type Faulty[C, S, A, V, E any] struct {
	game.Rules[C, S, A, V, E]
	SpoilView   func(s *S, seat game.Seat, v *V)
	SpoilOffer  func(s *S, seat game.Seat, o *game.Offer[A])
	SpoilLegal  func(s *S, seat game.Seat, err error) error
	SpoilDue    func(s *S, due game.Seats) game.Seats
	SpoilSample func(s *S, seat game.Seat, a *A)
	// SpoilNote gets each event, and SpoilNotes all of a step, with the state before it.
	SpoilNote  func(s *S, n *game.Note[E])
	SpoilNotes func(s *S, notes []game.Note[E]) []game.Note[E]
	// NoResample makes every twin the state itself.
	NoResample bool
}

// View spoils the view.
func (x Faulty[C, S, A, V, E]) View(s *S, seat game.Seat) V {
	v := x.Rules.View(s, seat)
	if x.SpoilView != nil {
		x.SpoilView(s, seat, &v)
	}
	return v
}

// Offer spoils the offer.
func (x Faulty[C, S, A, V, E]) Offer(s *S, seat game.Seat, o *game.Offer[A]) {
	x.Rules.Offer(s, seat, o)
	if x.SpoilOffer != nil {
		x.SpoilOffer(s, seat, o)
	}
}

// Legal spoils the error.
func (x Faulty[C, S, A, V, E]) Legal(s *S, seat game.Seat, a A) error {
	err := x.Rules.Legal(s, seat, a)
	if err != nil && x.SpoilLegal != nil {
		err = x.SpoilLegal(s, seat, err)
	}
	return err
}

// Due spoils who is asked.
func (x Faulty[C, S, A, V, E]) Due(s *S) game.Seats {
	due := x.Rules.Due(s)
	if due != 0 && x.SpoilDue != nil {
		due = x.SpoilDue(s, due)
	}
	return due
}

// Sample spoils the house's action.
func (x Faulty[C, S, A, V, E]) Sample(s *S, seat game.Seat, r *game.Rand) A {
	a := x.Rules.Sample(s, seat, r)
	if x.SpoilSample != nil {
		x.SpoilSample(s, seat, &a)
	}
	return a
}

// Apply spoils the events.
func (x Faulty[C, S, A, V, E]) Apply(s *S, acts []game.Act[A], r *game.Rand, log *game.Log[E]) {
	before := *s
	x.Rules.Apply(s, acts, r, log)
	if log == nil {
		return
	}
	for i := range log.Notes {
		if x.SpoilNote != nil {
			x.SpoilNote(&before, &log.Notes[i])
		}
	}
	if x.SpoilNotes != nil {
		log.Notes = x.SpoilNotes(&before, log.Notes)
	}
}

// Resample is that of the rules.
func (x Faulty[C, S, A, V, E]) Resample(s *S, seat game.Seat, r *game.Rand) {
	if rules, ok := x.Rules.(game.Resampler[S]); ok && !x.NoResample {
		rules.Resample(s, seat, r)
	}
}
