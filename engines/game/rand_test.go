package game_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

// TestStreamsAreKeyedAsWritten recomputes the key by hand: it is part of the replay format.
func TestStreamsAreKeyedAsWritten(t *testing.T) {
	seed := game.Seed{1, 2, 3, 31: 9}
	for _, row := range []struct {
		step  int
		label string
		seat  game.Seat
	}{{0, "deal", game.Spectator}, {7, "apply", game.Spectator}, {7, "house", 3}, {1 << 40, "", 0}} {
		var key []byte
		key = append(key, seed[:]...)
		key = binary.BigEndian.AppendUint64(key, uint64(row.step))
		key = append(key, byte(row.seat))
		key = append(key, row.label...)
		want := rand.NewChaCha8(sha256.Sum256(key))
		var r game.Rand
		r.Reset(seed, row.step, row.label, row.seat)
		for range 40 {
			if got, want := r.Uint64(), want.Uint64(); got != want {
				t.Fatalf("%+v: got %x, want %x", row, got, want)
			}
		}
	}
}

// TestStreamsAndDrawsAreAsEverBefore pins the replay format: a change here breaks every stored match.
func TestStreamsAndDrawsAreAsEverBefore(t *testing.T) {
	r := game.Stream(game.Seed{}, 0, "deal")
	got := fmt.Sprintf("%x %x %x", r.Uint64(), r.Uint64(), r.Uint64())
	r = game.Stream(game.Seed{31: 1}, 5, "apply")
	got += fmt.Sprintf(" %x", r.Uint64())
	r = game.Stream(game.Seed{1}, 1, "draws")
	got += " ints"
	for _, n := range []int{1, 2, 6, 52, 1000, 1 << 40, math.MaxInt} {
		got += fmt.Sprintf(" %d", r.IntN(n))
	}
	list := []string{"a", "b", "c", "d", "e"}
	game.Shuffle(r, list)
	got += fmt.Sprint(" perm ", r.Perm(8), " shuffle ", list, " bits ", r.Bit(0xff00), r.Bit(1<<63), " subset ", text(r.Subset(game.FirstSeats(10), 4)))
	want := "bd644cab37828d5c cc6f5b376690fdaa 6f883dc900a0b48e 480b89918cebcc07 ints 0 0 3 25 465 1086943100731 4546191606101942118" +
		" perm [7 3 6 0 1 4 2 5] shuffle [e c b a d] bits 14 63 subset [5,6,8,9]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAimingIsFreeAndForgetsThePast(t *testing.T) {
	var r game.Rand
	r.Reset(game.Seed{1}, 1, "a", 0)
	first := r.Uint64()
	r.Uint64()
	r.Reset(game.Seed{2}, 1, "a", 0)
	r.Reset(game.Seed{1}, 1, "a", 0)
	if r.Uint64() != first {
		t.Error("the same aim gives another stream")
	}
	for _, other := range []func(){
		func() { r.Reset(game.Seed{2}, 1, "a", 0) }, func() { r.Reset(game.Seed{1}, 2, "a", 0) },
		func() { r.Reset(game.Seed{1}, 1, "b", 0) }, func() { r.Reset(game.Seed{1}, 1, "a", 1) },
	} {
		if other(); r.Uint64() == first {
			t.Error("another aim gives the same stream")
		}
	}
}

// uneven is Pearson's chi-square of counts against equal shares, in standard deviations above what luck gives.
func uneven(counts map[string]int, cells, draws int) float64 {
	expect := float64(draws) / float64(cells)
	sum := float64(cells-len(counts)) * expect // cells never hit
	for _, n := range counts {
		d := float64(n) - expect
		sum += d * d / expect
	}
	df := float64(cells - 1)
	return (sum - df) / math.Sqrt(2*df)
}

const limit = 5 // standard deviations: a fair draw passes (seeds are fixed), every planted bias is far beyond

// TestIntNIsUnbiased looks at small ranges, and at one so large that a modulo or a product without rejection shows.
func TestIntNIsUnbiased(t *testing.T) {
	fair := func(r *game.Rand, n int) int { return r.IntN(n) }
	modulo := func(r *game.Rand, n int) int { return int(r.Uint64() % uint64(n)) }
	product := func(r *game.Rand, n int) int { return int(mulHigh(r.Uint64(), uint64(n))) }
	short := func(r *game.Rand, n int) int { return r.IntN(max(1, n-1)) }
	const large = 3 << 61
	rows := []struct {
		name   string
		n      int
		cells  int
		cell   func(v int) int
		biased []func(*game.Rand, int) int
	}{
		{"2", 2, 2, func(v int) int { return v }, []func(*game.Rand, int) int{short}},
		{"7", 7, 7, func(v int) int { return v }, []func(*game.Rand, int) int{short}},
		{"100", 100, 100, func(v int) int { return v }, []func(*game.Rand, int) int{short}},
		{"3·2^61 by thirds", large, 3, func(v int) int { return v >> 61 }, []func(*game.Rand, int) int{modulo}},
		{"3·2^61 by remainders", large, 3, func(v int) int { return v % 3 }, []func(*game.Rand, int) int{product}},
	}
	for _, row := range rows {
		spread := func(draw func(*game.Rand, int) int) float64 {
			r, counts := game.Stream(game.Seed{4}, 0, row.name), map[string]int{}
			const draws = 60000
			for range draws {
				v := draw(r, row.n)
				if v < 0 || v >= row.n {
					t.Fatalf("%s: drew %d", row.name, v)
				}
				counts[fmt.Sprint(row.cell(v))]++
			}
			return uneven(counts, row.cells, draws)
		}
		if got := spread(fair); got > limit {
			t.Errorf("IntN, %s: %.1f standard deviations from even", row.name, got)
		}
		for k, biased := range row.biased {
			if got := spread(biased); got <= limit {
				t.Errorf("%s: the check passes planted bias %d (%.1f standard deviations)", row.name, k, got)
			}
		}
	}
}

// mulHigh returns the high word of a product, by schoolbook halves.
func mulHigh(a, b uint64) uint64 {
	lo := (a & 0xffffffff) * (b & 0xffffffff)
	m1 := (a>>32)*(b&0xffffffff) + lo>>32
	m2 := (a&0xffffffff)*(b>>32) + m1&0xffffffff
	return (a>>32)*(b>>32) + m1>>32 + m2>>32
}

func TestIntNOfNothingIsABug(t *testing.T) {
	for _, n := range []int{0, -1} {
		func() {
			defer func() {
				if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "n >= 1") {
					t.Errorf("IntN(%d): got %v, want a panic", n, p)
				}
			}()
			game.Stream(game.Seed{}, 0, "").IntN(n)
		}()
	}
}

// TestPermutationsAreUniform counts all n! orders; shuffles with well-known mistakes fail the same check.
func TestPermutationsAreUniform(t *testing.T) {
	planted := map[string]func(r *game.Rand, n int) []int{
		"swaps with any place": func(r *game.Rand, n int) []int {
			p := identity(n)
			for i := range p {
				j := r.IntN(n)
				p[i], p[j] = p[j], p[i]
			}
			return p
		},
		"never leaves a card in place": func(r *game.Rand, n int) []int {
			p := identity(n)
			for i := n - 1; i > 0; i-- {
				j := r.IntN(i)
				p[i], p[j] = p[j], p[i]
			}
			return p
		},
		"forgets the last swap": func(r *game.Rand, n int) []int {
			p := identity(n)
			for i := n - 1; i > 1; i-- {
				j := r.IntN(i + 1)
				p[i], p[j] = p[j], p[i]
			}
			return p
		},
	}
	cells := 1
	for n := 2; n <= 6; n++ {
		cells *= n
		spread := func(shuffle func(*game.Rand, int) []int) float64 {
			r, counts, draws := game.Stream(game.Seed{6}, n, "perm"), map[string]int{}, 100*max(cells, 100)
			for range draws {
				counts[fmt.Sprint(shuffle(r, n))]++
			}
			return uneven(counts, cells, draws)
		}
		if got := spread((*game.Rand).Perm); got > limit {
			t.Errorf("Perm(%d): %.1f standard deviations from even", n, got)
		}
		for mistake, shuffle := range planted {
			if n == 2 && mistake == "swaps with any place" {
				continue // four equally likely pairs of swaps, two of each order: no bias at n = 2
			}
			if got := spread(shuffle); got <= limit {
				t.Errorf("n = %d: the check passes a shuffle that %s (%.1f standard deviations)", n, mistake, got)
			}
		}
	}
}

func identity(n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	return p
}

func TestSubsetsAndBitsAreUniform(t *testing.T) {
	r := game.Stream(game.Seed{8}, 0, "subset")
	from := game.Seats(0b1011010101) // six seats
	for k, cells := range map[int]int{0: 1, 1: 6, 2: 15, 3: 20, 6: 1} {
		counts, draws := map[string]int{}, 20000
		for range draws {
			s := r.Subset(from, k)
			if s.Len() != k || s&^from != 0 {
				t.Fatalf("Subset(%d): got %b of %b", k, s, from)
			}
			counts[text(s)]++
		}
		if got := uneven(counts, cells, draws); cells > 1 && got > limit || len(counts) != cells {
			t.Errorf("Subset(%d): %d of %d sets, %.1f standard deviations from even", k, len(counts), cells, got)
		}
	}
	counts := map[string]int{}
	for range 20000 {
		counts[fmt.Sprint(r.Bit(1|1<<17|1<<40|1<<63))]++
	}
	if got := uneven(counts, 4, 20000); got > limit || len(counts) != 4 || counts["63"] == 0 {
		t.Errorf("Bit: got %v", counts)
	}
}

func TestSeedsAre64HexDigits(t *testing.T) {
	long := strings.Repeat("0f", 32)
	seed, err := game.ParseSeed(long)
	if err != nil || seed.String() != long {
		t.Errorf("got %s (%v)", seed, err)
	}
	for _, bad := range []string{"", "0f", long + "00", long[:63], long[:62] + "gg", " " + long, "0x" + long[2:]} {
		if _, err := game.ParseSeed(bad); err == nil || !strings.Contains(err.Error(), "bad_seed: want 64 hex digits") {
			t.Errorf("%q: got %v, want bad_seed", bad, err)
		}
	}
}

func TestACommitmentIsTheHashOfNonceAndSeed(t *testing.T) {
	nonce, seed := [16]byte{1, 2}, game.Seed{3, 4}
	want := sha256.Sum256([]byte(string(nonce[:]) + string(seed[:])))
	if got := seed.Commit(nonce); got != want {
		t.Errorf("got %s, want %s", hex.EncodeToString(got[:]), hex.EncodeToString(want[:]))
	}
	if seed.Commit([16]byte{9}) == want {
		t.Error("another nonce gives the same commitment")
	}
}
