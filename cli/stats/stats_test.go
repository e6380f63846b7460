package stats_test

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/molerun/molerun/cli/stats"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
)

func options(t *testing.T, id string, matches, workers int) stats.Options {
	t.Helper()
	e, ok := catalog.Find(id)
	if !ok {
		t.Fatalf("there is no game %s", id)
	}
	return stats.Options{Engines: []game.Engine{e}, Variants: []string{"base"}, Bots: []string{"random", "greedy"}, Matches: matches, Seed: 3, Workers: workers}
}

func page(t *testing.T, o stats.Options) string {
	t.Helper()
	lines, err := stats.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := stats.Write(&b, "molerun stats", lines); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestThePageDoesNotDependOnTheWorkers(t *testing.T) {
	for _, id := range []string{"cia", "demol"} {
		o := options(t, id, 2, 1)
		o.Bots = append(o.Bots, "thinker")
		one := page(t, o)
		if o.Workers = 4; page(t, o) != one {
			t.Errorf("%s: one worker\n%s\nfour\n%s", id, one, page(t, o))
		}
		if o.Seed = 4; page(t, o) == one {
			t.Errorf("%s: another seed gives the same page", id)
		}
	}
}

func TestEveryMatchIsCountedOnce(t *testing.T) {
	for _, id := range []string{"cia", "demol", "molehill"} {
		o := options(t, id, 5, 2)
		var told []int
		o.Progress = func(_ string, done, total int) { told = append(told, done, total) }
		lines, err := stats.Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		info := o.Engines[0].Info()
		if want := (info.MaxSeats - info.MinSeats + 1) * 2; len(lines) != want || len(told) != 2*want || told[len(told)-2] != want {
			t.Errorf("%s: %d lines, progress %v, want %d", id, len(lines), told, want)
		}
		for _, l := range lines {
			whys, teams, seats := 0, 0, 0
			for _, n := range l.Whys {
				whys += n
			}
			for _, n := range l.Teams {
				teams += n
			}
			for _, n := range l.SeatWins {
				seats += n
			}
			if whys != l.Matches || len(l.Steps) != l.Matches || l.Whys["free_agent"] != l.Nobody {
				t.Errorf("%s: %+v: want %d matches in whys and steps", id, l, l.Matches)
			}
			if id == "demol" && teams != l.Matches {
				t.Errorf("%s: %d matches won by teams, want %d", id, teams, l.Matches)
			}
			if seats < l.Matches-l.Nobody || len(l.Teams) == 0 && l.Shared == 0 && seats != l.Matches-l.Nobody {
				t.Errorf("%s: %+v: %d wins of seats", id, l, seats)
			}
		}
	}
}

func TestThePageNamesItsCommandAndColumns(t *testing.T) {
	text := page(t, options(t, "demol", 4, 2))
	for _, want := range []string{"Made by `molerun stats`", "## demol, base", "| agents win | moles win |", "`three_fails`", "| 10 | greedy | 4 |"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not on the page:\n%s", want, text)
		}
	}
}

func TestAnUnknownBotIsRefused(t *testing.T) {
	o := options(t, "demol", 1, 1)
	o.Bots = []string{"alphazero"}
	if _, err := stats.Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "greedy") {
		t.Errorf("got %v, want an error that names those there are", err)
	}
}

func TestARunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := stats.Run(ctx, options(t, "demol", 3, 2)); err == nil {
		t.Error("a run under an ended context went well")
	}
}

// Worked values: Wilson 1927 for 8 of 10, and the ends.
func TestWilson(t *testing.T) {
	for _, row := range []struct {
		k, n      int
		low, high float64
	}{
		{8, 10, 0.4902, 0.9433},
		{0, 10, 0, 0.2775},
		{10, 10, 0.7225, 1},
		{0, 0, 0, 1},
	} {
		low, high := stats.Wilson(row.k, row.n)
		if math.Abs(low-row.low) > 1e-4 || math.Abs(high-row.high) > 1e-4 {
			t.Errorf("%d of %d: got %.4f to %.4f, want %.4f to %.4f", row.k, row.n, low, high, row.low, row.high)
		}
	}
}
