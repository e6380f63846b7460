package game

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/bits"
	"math/rand/v2"
)

// Seed is all the luck of a match. Its text form is 64 hex digits.
type Seed [32]byte

// ParseSeed reads 64 hex digits.
func ParseSeed(text string) (Seed, error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != len(Seed{}) {
		return Seed{}, fmt.Errorf("%w: want 64 hex digits, got %d characters", ErrSeed, len(text))
	}
	return Seed(b), nil
}

// String returns the text form.
func (s Seed) String() string { return hex.EncodeToString(s[:]) }

// MarshalText writes the text form.
func (s Seed) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the text form.
func (s *Seed) UnmarshalText(b []byte) error {
	seed, err := ParseSeed(string(b))
	if err != nil {
		return err
	}
	*s = seed
	return nil
}

// Commit returns SHA-256(nonce ‖ seed): published when a match starts; seed and nonce follow when it is over.
func (s Seed) Commit(nonce [16]byte) [32]byte {
	return sha256.Sum256(append(nonce[:], s[:]...))
}

// Rand is a stream of ChaCha8 random numbers keyed by SHA-256(seed, step, seat, label). Aiming it costs nothing: the key is
// computed at the first draw. The draws are our own code because they are part of the replay format.
type Rand struct {
	src   rand.ChaCha8
	seed  Seed
	step  uint64
	label string
	seat  Seat
	keyed bool
}

// Stream returns a new Rand for one purpose.
func Stream(seed Seed, step int, label string) *Rand {
	r := new(Rand)
	r.Reset(seed, step, label, Spectator)
	return r
}

// Reset points r at another stream; nothing is computed until the first draw. step is 0 or more.
func (r *Rand) Reset(seed Seed, step int, label string, seat Seat) {
	r.seed, r.step, r.label, r.seat, r.keyed = seed, uint64(step), label, seat, false
}

func (r *Rand) key() {
	var b [64]byte
	copy(b[:], r.seed[:])
	binary.BigEndian.PutUint64(b[32:], r.step)
	b[40] = byte(r.seat)
	r.src.Seed(sha256.Sum256(append(b[:41], r.label...)))
	r.keyed = true
}

// Uint64 draws a word.
func (r *Rand) Uint64() uint64 {
	if !r.keyed {
		r.key()
	}
	return r.src.Uint64()
}

// IntN draws uniformly from 0..n-1 (Lemire 2019, "Fast random integer generation in an interval"); n is at least 1.
func (r *Rand) IntN(n int) int {
	if n < 1 {
		panic("game: IntN needs n >= 1")
	}
	hi, lo := bits.Mul64(r.Uint64(), uint64(n))
	if lo < uint64(n) {
		for floor := -uint64(n) % uint64(n); lo < floor; {
			hi, lo = bits.Mul64(r.Uint64(), uint64(n))
		}
	}
	return int(hi)
}

// Bit draws the position of one of the set bits of m, which has at least one.
func (r *Rand) Bit(m uint64) int {
	for range r.IntN(bits.OnesCount64(m)) {
		m &= m - 1
	}
	return bits.TrailingZeros64(m)
}

// Subset draws k of the seats of m uniformly; k is at most m.Len().
func (r *Rand) Subset(m Seats, k int) Seats {
	var out Seats
	for n := m.Len(); k > 0; n-- {
		low := m & -m
		m &^= low
		if r.IntN(n) < k {
			out |= low
			k--
		}
	}
	return out
}

// Perm draws a uniform permutation of 0..n-1.
func (r *Rand) Perm(n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	Shuffle(r, p)
	return p
}

// Shuffle puts list in uniformly random order (Fisher–Yates, from the end).
func Shuffle[T any](r *Rand, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := r.IntN(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}
