package game

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/molerun/molerun/engines/game/strict"
)

// Bound is a number of a configuration, or of seats, and what it may be.
type Bound struct {
	Key           string
	Got, Min, Max int
}

// Within refuses the numbers outside their bounds, by their keys.
func Within(list ...Bound) error {
	var wrong []string
	for _, x := range list {
		switch {
		case x.Got >= x.Min && x.Got <= x.Max:
		case x.Min == x.Max:
			wrong = append(wrong, fmt.Sprintf("%s: want %d, got %d", x.Key, x.Min, x.Got))
		default:
			wrong = append(wrong, fmt.Sprintf("%s: want %d to %d, got %d", x.Key, x.Min, x.Max, x.Got))
		}
	}
	if wrong == nil {
		return nil
	}
	return errors.New(strings.Join(wrong, "; "))
}

// OneOf refuses a word of a configuration that is none of the words it may be, by its key.
func OneOf(key, got string, words ...string) error {
	if slices.Contains(words, got) {
		return nil
	}
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = strconv.Quote(word)
	}
	last := len(quoted) - 1
	return fmt.Errorf("%s: want %s or %s, got %q", key, strings.Join(quoted[:last], ", "), quoted[last], got)
}

// First is the seat that begins a match, or [Lot]. JSON: a seat or "lot".
type First int8

// Lot draws the seat that begins when the match is dealt.
const Lot First = -1

// MarshalJSON writes the seat or "lot".
func (f First) MarshalJSON() ([]byte, error) {
	if f == Lot {
		return []byte(`"lot"`), nil
	}
	return strconv.AppendInt(nil, int64(f), 10), nil
}

// UnmarshalJSON reads a seat of the largest table or "lot". Whether a table has the seat is for Check to say.
func (f *First) UnmarshalJSON(b []byte) error {
	if b = bytes.TrimSpace(b); string(b) == `"lot"` {
		*f = Lot
		return nil
	}
	seat := Seat(-1)
	if err := strict.Decode(b, &seat); err != nil || seat < 0 || seat >= MaxSeats {
		return &strict.Error{Reason: `wants a seat or "lot"`}
	}
	*f = First(seat)
	return nil
}

// Check refuses a seat that a table does not have, by its key.
func (f First) Check(key string, seats int) error {
	if f < Lot || int(f) >= seats {
		return fmt.Errorf(`%s: want a seat 0 to %d or "lot", got %d`, key, seats-1, f)
	}
	return nil
}

// Draw returns the seat that begins, drawn if it is Lot; else r is not used.
func (f First) Draw(r *Rand, seats int) Seat {
	if f == Lot {
		return Seat(r.IntN(seats))
	}
	return Seat(f)
}

// Sum adds up a list.
func Sum[N ~int | ~int8](list []N) (n N) {
	for _, x := range list {
		n += x
	}
	return n
}

// LayOut appends the things of a list of counts, which are numbered from first on: each as often as there are of it.
func LayOut[T ~int8 | ~uint8, N ~int | ~int8](to []T, first T, counts []N) []T {
	for i, n := range counts {
		for range int(n) {
			to = append(to, first+T(i))
		}
	}
	return to
}

// AppendCounts writes how many there are of each of a list of things, by their keys in order.
func AppendCounts(list []int, key func(int) string) []byte {
	b := []byte{'{'}
	for i, n := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), key(i)...), `":`...)
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return append(b, '}')
}

// ReadCounts reads what AppendCounts writes into list; things left out are 0. Refused is what is not, in words, such a thing, and
// more than most of one.
func ReadCounts(b []byte, list []int, key func(int) string, most int, what string) error {
	var counts map[string]int
	if err := strict.Decode(b, &counts); err != nil {
		return err
	}
	for i := range list {
		list[i] = counts[key(i)]
		delete(counts, key(i))
		if list[i] < 0 || list[i] > most {
			return &strict.Error{Pointer: "/" + key(i), Reason: fmt.Sprintf("wants 0 to %d, not %d", most, list[i])}
		}
	}
	if len(counts) == 0 {
		return nil
	}
	return &strict.Error{Pointer: "/" + slices.Min(slices.Collect(maps.Keys(counts))), Reason: "is not " + what}
}
