package connlimit_test

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/molerun/molerun/api/connlimit"
)

// takes is how many places a caller gets until there is none.
func takes(p *connlimit.Pool, keys ...string) (n int) {
	for ; ; n++ {
		if _, err := p.Acquire(keys...); err != nil {
			return n
		}
	}
}

func TestACallerHasItsShareAndLeavesPlaceForTheNext(t *testing.T) {
	p := connlimit.NewPool(20, 1000)
	if n := takes(p, "first"); n != 20 {
		t.Errorf("the first caller has %d places, want 20", n)
	}
	for i := range 150 {
		if takes(p, fmt.Sprint(i)) == 0 {
			t.Fatalf("caller %d finds no place beside others that hold %d of 1000", i, p.InUse())
		}
	}
	if _, err := p.Acquire("last"); err != nil {
		t.Errorf("after 150 that took all they could: %v", err)
	}
}

func TestPlacesComeBack(t *testing.T) {
	p := connlimit.NewPool(2, 4)
	var leave [4]func()
	for i, key := range []string{"a", "a", "b", "c"} {
		var err error
		if leave[i], err = p.Acquire(key); err != nil {
			t.Fatalf("place %d, for %s: %v", i, key, err)
		}
		if i != 1 {
			continue
		}
		var full *connlimit.FullError
		if _, err := p.Acquire("a"); !errors.As(err, &full) || full.Total || full.Held != 2 {
			t.Errorf("a third for a: %v, want to hear of two that are held", err)
		}
	}
	var full *connlimit.FullError
	if _, err := p.Acquire("d"); !errors.As(err, &full) || !full.Total {
		t.Errorf("beyond all: %v, want to hear that all are taken", err)
	}
	leave[0]()
	if _, err := p.Acquire("d"); err != nil {
		t.Errorf("after one was left: %v", err)
	}
}

// Whatever comes and goes, no caller holds more than its share nor all more than there are, and nothing is left at the end.
func TestAPoolCountsRight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		each, all := rapid.IntRange(1, 5).Draw(t, "each"), rapid.IntRange(1, 20).Draw(t, "all")
		p := connlimit.NewPool(each, all)
		type held struct {
			narrow, wide int
			leave        func()
		}
		var open []held
		count := func(f func(held) bool) (n int) {
			for _, h := range open {
				if f(h) {
					n++
				}
			}
			return n
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if len(open) > 0 && rapid.Bool().Draw(t, "leave") {
				i := rapid.IntRange(0, len(open)-1).Draw(t, "which")
				open[i].leave()
				open = slices.Delete(open, i, i+1)
				continue
			}
			wide, narrow := rapid.IntRange(0, 2).Draw(t, "wide"), rapid.IntRange(0, 3).Draw(t, "narrow")
			leave, err := p.Acquire(fmt.Sprint("n", wide, narrow), fmt.Sprint("w", wide))
			if err == nil {
				open = append(open, held{narrow: 10*wide + narrow, wide: wide, leave: leave})
			}
			if n := count(func(h held) bool { return h.narrow == 10*wide+narrow }); n > each {
				t.Fatalf("a caller holds %d, want at most %d", n, each)
			}
			if n := count(func(h held) bool { return h.wide == wide }); n > 2*each {
				t.Fatalf("callers of one network hold %d, want at most %d", n, 2*each)
			}
			if p.InUse() != len(open) || len(open) > all {
				t.Fatalf("%d are taken, %d are held, there are %d", p.InUse(), len(open), all)
			}
		}
		for _, h := range open {
			h.leave()
		}
		if p.InUse() != 0 {
			t.Fatalf("%d are taken when all have left", p.InUse())
		}
	})
}

func TestCallersAreAddressesAndNetworks(t *testing.T) {
	for address, want := range map[string][]string{
		"192.0.2.7":            {"192.0.2.7"},
		"::ffff:192.0.2.7":     {"192.0.2.7"},
		"2001:db8:1:2ff::1":    {"2001:db8:1:2ff::/64", "2001:db8:1:200::/56"},
		"fe80::1%eth0":         {"fe80::/64", "fe80::/56"},
		"2001:db8:1:2ff:9::77": {"2001:db8:1:2ff::/64", "2001:db8:1:200::/56"},
	} {
		if got := connlimit.CallerKeys(netip.MustParseAddr(address)); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", address, got, want)
		}
	}
}
