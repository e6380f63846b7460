package game

import (
	"bytes"
	"fmt"
	"iter"
	"math/bits"
	"strconv"

	"github.com/molerun/molerun/engines/game/strict"
)

// Seat is a place at the table, from 0. [Spectator] has none.
type Seat int8

// Spectator is the seat of someone who only watches: a view for Spectator holds only public facts.
const Spectator Seat = -1

// Everything is the seat of someone from whom nothing is hidden: it sees roles, hands, and who knows what ([Opener]). It looks at matches
// that are over.
const Everything Seat = -2

// MaxSeats is the size of the largest possible table.
const MaxSeats = 16

// Seats is a set of seats. Its JSON form is an ascending list: [0,2].
type Seats uint16

// All is the audience of a public event.
const All Seats = 1<<MaxSeats - 1

// FirstSeats returns the set of the seats 0..n-1; n is 0 to [MaxSeats].
func FirstSeats(n int) Seats { return Seats(1<<n - 1) }

// Only returns the set of one seat; [Spectator] gives the empty set.
func Only(s Seat) Seats { return Seats(0).With(s) }

// Has reports whether s is in the set; [Spectator] never is.
func (m Seats) Has(s Seat) bool { return s >= 0 && m>>uint(s)&1 == 1 }

// With returns the set plus s; [Spectator] adds nothing.
func (m Seats) With(s Seat) Seats {
	if s < 0 {
		return m
	}
	return m | 1<<uint(s)
}

// Without returns the set less s.
func (m Seats) Without(s Seat) Seats {
	if s < 0 {
		return m
	}
	return m &^ (1 << uint(s))
}

// Len counts the seats of the set.
func (m Seats) Len() int { return bits.OnesCount16(uint16(m)) }

// Lowest returns the smallest seat of the set, [Spectator] if it is empty.
func (m Seats) Lowest() Seat {
	if m == 0 {
		return Spectator
	}
	return Seat(bits.TrailingZeros16(uint16(m)))
}

// Each walks the set in ascending order.
func (m Seats) Each() iter.Seq[Seat] {
	return func(yield func(Seat) bool) {
		for ; m != 0; m &= m - 1 {
			if !yield(m.Lowest()) {
				return
			}
		}
	}
}

// AppendJSON appends the ascending list to b.
func (m Seats) AppendJSON(b []byte) []byte {
	b = append(b, '[')
	for i := m; i != 0; i &= i - 1 {
		if i != m {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(i.Lowest()), 10)
	}
	return append(b, ']')
}

// MarshalJSON writes the ascending list.
func (m Seats) MarshalJSON() ([]byte, error) { return m.AppendJSON(nil), nil }

// UnmarshalJSON reads a list of distinct seats 0..15 in any order; anything else is an error. Views hold many such lists, so
// those in the form of [Seats.AppendJSON] are read without a decoder.
func (m *Seats) UnmarshalJSON(b []byte) error {
	if out, ok := readSeats(b); ok {
		*m = out
		return nil
	}
	var list []int
	if err := strict.Decode(b, &list); err != nil {
		return err
	}
	var out Seats
	for _, s := range list {
		if s < 0 || s >= MaxSeats {
			return fmt.Errorf("seat %d is outside 0..%d", s, MaxSeats-1)
		}
		if out.Has(Seat(s)) {
			return fmt.Errorf("seat %d is named twice", s)
		}
		out = out.With(Seat(s))
	}
	*m = out
	return nil
}

// readSeats reads a list without spaces of distinct seats 0..15; false for anything else. b is valid JSON.
func readSeats(b []byte) (Seats, bool) {
	if len(b) < 2 || b[0] != '[' {
		return 0, false
	}
	var out Seats
	if len(b) == 2 {
		return out, true
	}
	for word := range bytes.SplitSeq(b[1:len(b)-1], []byte{','}) {
		const bits = 4 // of a number below MaxSeats
		n, err := strconv.ParseUint(string(word), 10, bits)
		if err != nil || out.Has(Seat(n)) {
			return 0, false
		}
		out = out.With(Seat(n))
	}
	return out, true
}
