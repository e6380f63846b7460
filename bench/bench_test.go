package main

import (
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
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

func TestWhatCannotBeMeasuredIsRefused(t *testing.T) {
	for _, x := range []struct{ flags, says string }{
		{"pages -span 10ms", `"pages" is no flag`},
		{"-only nothing", `no part begins with -only "nothing"`},
		{"-span 0s -only pages", "-span: want a time above 0"},
		{"-matches -5 -only nothing", "-matches: want 1 or more, got -5"},
	} {
		if err := command(t.Context(), strings.Fields(x.flags), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%s: %v, want %q", x.flags, err, x.says)
		}
	}
}

// Every late move that is compared has twins of its type in the first tenth; in each game that is a good part of them.
func TestLateMovesAreComparedWithTheirLike(t *testing.T) {
	for _, c := range contests(false) {
		p, err := c.positions()
		if err != nil {
			t.Fatal(err)
		}
		for name, k := range p.kinds {
			for tenth, kept := range k.kept {
				for _, w := range kept {
					if n := w.Step(game.Stream(game.Seed{}, 0, "test")); n < 1 {
						t.Errorf("%s: a position of tenth %d, %q, is over", c.name, tenth, name)
					}
				}
				if want := min(k.seen[tenth], lateKept); len(kept) != want {
					t.Errorf("%s: %d positions of %q are kept in tenth %d, want %d", c.name, len(kept), name, tenth, want)
				}
			}
		}
		first, last, share := p.measure(time.Millisecond)
		if !(first > 0 && last > 0 && share > 0.3 && share <= 1) {
			t.Errorf("%s: got %g and %g ns, comparing %g of the late moves; want times, and more than 0.3", c.name, first, last, share)
		}
	}
}

func TestRefitsAndMatchmakingAreMeasured(t *testing.T) {
	if s, mb, err := refit(2000); err != nil || s <= 0 || mb <= 0 {
		t.Errorf("refit: got %v s, %v MB, %v; want some of both", s, mb, err)
	}
	if s := tick(200, []int{3, 4}); s <= 0 {
		t.Errorf("tick: got %v s, want some", s)
	}
}

func TestEveryGameIsPlayedForItsViewsAndOffers(t *testing.T) {
	for _, c := range contests(false) {
		if cost, err := c.askCost(time.Millisecond); err != nil || cost <= 0 {
			t.Errorf("%s: got %v, %v; want some time", c.name, cost, err)
		}
	}
}

func TestReadsAreMeasuredWhileMatchesAreWatched(t *testing.T) {
	file := filepath.Join(t.TempDir(), "watchers.db")
	o := options{Span: 100 * time.Millisecond, Now: time.Now}
	row, err := watchersOn(t.Context(), o, crowd{watchers: 6, matches: 3},
		database{name: "SQLite", url: "sqlite:" + file, driver: "sqlite", dsn: file + "?_pragma=busy_timeout(10000)"})
	if err != nil || row.Ours <= 0 || row.Anchor <= 0 {
		t.Errorf("got %+v, %v; want two times", row, err)
	}
}
