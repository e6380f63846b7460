package game

import "fmt"

// Scorer says how a match stands, for people who watch.
type Scorer[S any] interface {
	// Score is how the match stands as far as a seat's view shows it; it is asked for after every step, and changes nothing. The sides are as
	// many, in the same order, for every seat and spectator of a match.
	Score(s *S, seat Seat) Score
	// EndingWords puts a [Result.Why] into words that follow a colon ("three missions failed"); "" for a word that is none.
	EndingWords(why string) string
}

// Score is how a match stands.
type Score struct {
	Of    string // what is counted, in the plural: points, missions
	Rest  string // what decides or counts beside it ("the bonus of the dossiers"); "": nothing
	Sides []Side
}

// Side is whose score is counted: a seat, or a side with a name where the seats are hidden or share it.
type Side struct {
	Name   string // "" for the one seat in Seats
	Seats  Seats  // as far as the view shows them
	Points float64
}

// keyed is an event that people will want to find in a long match: Key is why, in a few words without a full stop; "" for an
// event that is like many others. Like [Worded] it says nothing that its JSON does not hold.
type keyed interface{ Key() string }

// Key returns why the event is one to jump to, in a few words ("Mission 2 fails"); "" if it is not.
func (e Event) Key() string {
	if k, ok := e.Value.(keyed); ok {
		return ReadBy(k.Key(), Spectator, Spectator)
	}
	return ""
}

// quiet is an event that changes nothing that people look at: a watcher may pass over it.
type quiet interface{ Quiet() bool }

// Quiet reports whether who watches may pass over the event.
func (e Event) Quiet() bool {
	q, ok := e.Value.(quiet)
	return ok && q.Quiet()
}

// BySeat returns a side for each seat.
func BySeat[N int | int16](points ...N) []Side {
	out := make([]Side, len(points))
	for i, p := range points {
		out[i] = Side{Seats: Seats(0).With(Seat(i)), Points: float64(p)}
	}
	return out
}

func (e engine[C, S, A, V, E]) EndingWords(why string) string {
	if x, ok := any(e.r).(Scorer[S]); ok {
		return x.EndingWords(why)
	}
	return ""
}

func (t *table[C, S, A, V, E]) Score(s Seat) (Score, error) {
	x, ok := t.r.(Scorer[S])
	if !ok {
		return Score{}, fmt.Errorf("%w: %s does not say how a match stands", ErrUnsupported, t.r.Info().ID)
	}
	return x.Score(&t.s, s), nil
}

// Ranks returns the rank of each of n seats: 1 more than there are seats ahead of it.
func Ranks(n int, ahead func(a, b int) bool) []int {
	ranks := make([]int, n)
	for seat := range ranks {
		ranks[seat] = 1
		for other := range n {
			if ahead(other, seat) {
				ranks[seat]++
			}
		}
	}
	return ranks
}
