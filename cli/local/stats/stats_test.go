package stats_test

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/cli/local/stats"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
)

func options(t *testing.T, id string, matches, workers int) stats.Options {
	t.Helper()
	e, ok := catalog.Find(id)
	if !ok {
		t.Fatalf("there is no game %s", id)
	}
	return stats.Options{Engines: []game.Engine{e}, Variants: []string{"base"}, Bots: []stats.Entry{{Bot: "random", Matches: stats.Counts{Each: matches}}, {Bot: "greedy", Matches: stats.Counts{Each: matches}}}, Seed: 3, Workers: workers}
}

func page(t *testing.T, o stats.Options) string {
	t.Helper()
	lines, contests, err := stats.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := stats.Write(&b, "molerun stats", lines, contests); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestThePageDoesNotDependOnTheWorkers(t *testing.T) {
	for _, id := range []string{"cia", "demol"} {
		o := options(t, id, 2, 1)
		o.Bots, o.Contests = append(o.Bots, stats.Entry{Bot: "thinker", Matches: stats.Counts{Each: 1}}), stats.Counts{Each: 3}
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
		o.Progress = func(done, total int) { told = append(told, done, total) }
		lines, contests, err := stats.Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		if len(contests) > 0 {
			t.Errorf("%s: %d contests, want none", id, len(contests))
		}
		info := o.Engines[0].Info()
		if want := (info.MaxSeats - info.MinSeats + 1) * 2; len(lines) != want || len(told) != 2*(want+1) || told[len(told)-2] != want {
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
			if whys != l.Matches || l.Steps.N != l.Matches || l.Whys["free_agent"] != l.Nobody {
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
	o.Bots = []stats.Entry{{Bot: "alphazero", Matches: stats.Counts{Each: 1}}}
	if _, _, err := stats.Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "greedy") {
		t.Errorf("got %v, want an error that names those there are", err)
	}
}

func TestARunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := stats.Run(ctx, options(t, "demol", 3, 2)); err == nil {
		t.Error("a run under an ended context went well")
	}
}

// random plays itself, so both of it have the same luck; greedy does not.
func TestAContestCountsEverySeatOfEveryMatch(t *testing.T) {
	for id, want := range map[string][]string{"demol": {"all agents", "all moles", "every second seat"}, "cia": {"every second seat"}, "molehill": {"every second seat"}} {
		o := options(t, id, 1, 2)
		o.Contests.Each = 12
		_, contests, err := stats.Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		info := o.Engines[0].Info()
		if n := (info.MaxSeats - info.MinSeats + 1) * len(want); len(contests) != n {
			t.Fatalf("%s: %d contests, want %d", id, len(contests), n)
		}
		for i := range contests {
			c := &contests[i]
			if !strings.Contains(c.String(), want[i%len(want)]) || len(c.Standings) != 2 {
				t.Errorf("%s, want %s", c, want[i%len(want)])
			}
			for _, s := range c.Standings {
				mean, low, high := s.Share()
				switch {
				case s.N != o.Contests.Each:
					t.Errorf("%s: s.N is %v, want %v", c, s.N, o.Contests.Each)
				case mean < low:
					t.Errorf("%s: mean is %v, want at least %v", c, mean, low)
				case mean > high:
					t.Errorf("%s: mean is %v, want at most %v", c, mean, high)
				case low < 0:
					t.Errorf("%s: low is %v, want at least 0", c, low)
				case high > 1:
					t.Errorf("%s: high is %v, want at most 1", c, high)
				}
			}
		}
	}
}

func TestTheBotsOfAContestMeetTheSameField(t *testing.T) {
	o := options(t, "demol", 1, 2)
	bot, ok := house.Find("greedy")
	if !ok {
		t.Fatal("no greedy")
	}
	table := stats.Table{Engine: o.Engines[0], Variant: o.Engines[0].Info().Variants[0], Seats: 5}
	for _, team := range []string{"agent", "mole"} {
		c, err := table.ByTeam(context.Background(), team, []house.Bot{bot, bot}, 40, 1, 2)
		if err != nil {
			t.Fatal(err)
		}
		if c.Standings[0] != c.Standings[1] || c.Rising() {
			t.Errorf("%s: the same bot twice, want the same twice", &c)
		}
	}
}

func TestABetterBotRises(t *testing.T) {
	better, same := stats.Contest{}, stats.Contest{}
	for _, row := range []struct {
		c   *stats.Contest
		sum []int
	}{{&better, []int{10, 50, 90}}, {&same, []int{10, 50, 51}}} {
		for _, n := range row.sum {
			row.c.Standings = append(row.c.Standings, stats.Standing{Bot: "b", Tally: stats.Tally{N: 100, Sum: n * 2520, Squares: n * 2520 * 2520}})
		}
	}
	if !better.Rising() || same.Rising() {
		t.Errorf("%s: %v, %s: %v; want true, false", &better, better.Rising(), &same, same.Rising())
	}
}

// Worked values: half of 100 matches won, as whole ones, and with half of the matches shared, which scatters like 200 matches.
func TestAShareOfHalfMatchesIsKnownBetter(t *testing.T) {
	whole := stats.Tally{N: 100, Sum: 50 * 2520, Squares: 50 * 2520 * 2520}
	mixed := stats.Tally{N: 100, Sum: 50 * 2520, Squares: (25*4 + 50) * 1260 * 1260} // 25 whole, 50 half, 25 none
	low, high := stats.Wilson(50, 100)
	if mean, l, h := whole.Share(); mean != 0.5 || math.Abs(l-low) > 1e-9 || math.Abs(h-high) > 1e-9 {
		t.Errorf("got %.4f in %.4f to %.4f, want Wilson's %.4f to %.4f", mean, l, h, low, high)
	}
	low, high = stats.Wilson(100, 200)
	if mean, l, h := mixed.Share(); mean != 0.5 || math.Abs(l-low) > 1e-9 || math.Abs(h-high) > 1e-9 {
		t.Errorf("got %.4f in %.4f to %.4f, want that of 200 matches, %.4f to %.4f", mean, l, h, low, high)
	}
	if mean, l, h := (stats.Tally{}).Share(); mean != 0 || l != 0 || h != 1 {
		t.Errorf("of nothing: got %.4f in %.4f to %.4f, want 0 in 0 to 1", mean, l, h)
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
