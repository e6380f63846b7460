package bench

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/catalog"
)

func TestEveryGameAndItsFullVariantIsMeasured(t *testing.T) {
	var names []string
	for _, c := range contests(true) {
		names = append(names, c.name)
	}
	for _, e := range catalog.All() {
		info := e.Info()
		for i, v := range info.Variants {
			want := i == 0 || v.Name == "full"
			got := slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, info.Name+" "+v.Name+",") })
			if got != want {
				t.Errorf("%s %s: measured %v, want %v", info.Name, v.Name, got, want)
			}
		}
	}
}

func TestTheTenthsOfAMatchAreTheWholeMatch(t *testing.T) {
	for _, c := range contests(false) {
		x, err := newTenths(c)
		if err != nil {
			t.Fatal(err)
		}
		x.deal()
		whole := x.play(0, 10)
		x.deal()
		parts := x.play(0, 1) + x.play(1, 9) + x.play(9, 10)
		if whole == 0 || parts != whole {
			t.Errorf("%s: the parts have %d moves, the whole %d", c.name, parts, whole)
		}
		for i, w := range x.walks {
			if n := w.Step(&x.luck[i]); n != 0 {
				t.Errorf("%s: match %d goes on after its last tenth", c.name, i)
			}
		}
	}
}

func TestEveryGameIsPlayedForItsViewsAndOffers(t *testing.T) {
	for _, c := range contests(false) {
		if cost, err := c.askCost(time.Millisecond); err != nil || cost <= 0 {
			t.Errorf("%s: got %v, %v; want some time", c.name, cost, err)
		}
	}
}
