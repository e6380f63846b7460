package pairing_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// past is who has met whom, who has had byes, and who has had seat 0 how much oftener, before the latest round.
type past struct {
	met     map[[2]int]int
	byes    map[int]int
	balance map[int]int
}

func history(rounds []pairing.Round) past {
	p := past{map[[2]int]int{}, map[int]int{}, map[int]int{}}
	for _, r := range rounds {
		for _, b := range r.Blocks {
			if b.Games[0].Result.Void && b.Games[len(b.Games)-1].Result.Void {
				continue
			}
			s := b.Games[0].Seats
			p.met[[2]int{min(s[0], s[1]), max(s[0], s[1])}]++
			if len(b.Games) == 1 {
				p.balance[s[0]]++
				p.balance[s[1]]--
			}
		}
		for _, e := range r.Byes {
			p.byes[e]++
		}
	}
	return p
}

// price returns the rematches of a round, then the byes that its byes' entries have had before.
func (p past) price(pairs [][2]int, byes []int) (price [2]int) {
	for _, x := range pairs {
		price[0] += p.met[[2]int{min(x[0], x[1]), max(x[0], x[1])}]
	}
	for _, e := range byes {
		price[1] += p.byes[e]
	}
	return price
}

// cheapest returns the least price of any round of a field, by trying all.
func (p past) cheapest(field []int, pairs [][2]int, byes []int) [2]int {
	if len(field) == 0 {
		return p.price(pairs, byes)
	}
	best := [2]int{1 << 30}
	if len(field)%2 == 1 && len(byes) == 0 {
		best = p.cheapest(field[1:], pairs, append(slices.Clone(byes), field[0]))
	}
	for i := 1; i < len(field); i++ {
		rest := slices.Concat(field[1:i], field[i+1:])
		if got := p.cheapest(rest, append(slices.Clone(pairs), [2]int{field[0], field[i]}), byes); slices.Compare(got[:], best[:]) < 0 {
			best = got
		}
	}
	return best
}

func latest(c pairing.Contest) (pairs [][2]int, r pairing.Round) {
	r = c.Rounds[len(c.Rounds)-1]
	for _, b := range r.Blocks {
		pairs = append(pairs, [2]int(b.Games[0].Seats))
	}
	return pairs, r
}

// Compared with all possible rounds: nobody meets again while that can be helped, then nobody has a second bye.
func TestSwissRematchesAndSecondByesOnlyWhenUnavoidable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(t, "entries")
		w := &world{
			t: t, r: game.Stream(game.Seed{rapid.Byte().Draw(t, "luck")}, 0, "world"), late: rapid.IntRange(0, 1).Draw(t, "late"),
			c: pairing.Contest{
				Settings: pairing.Settings{Format: tournament.Swiss, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{Rounds: rapid.IntRange(0, 7).Draw(t, "rounds")}},
				Entries:  field(n), Seed: game.Seed{1},
			},
			leaves: rapid.SampledFrom([]int{0, 5}).Draw(t, "leaves"), trouble: rapid.SampledFrom([]int{0, 10}).Draw(t, "trouble"),
		}
		for w.round() {
			before := history(w.c.Rounds[:len(w.c.Rounds)-1])
			pairs, r := latest(w.c)
			var field []int
			for _, x := range pairs {
				field = append(field, x[0], x[1])
			}
			field = append(field, r.Byes...)
			slices.Sort(field)
			if got, want := before.price(pairs, r.Byes), before.cheapest(field, nil, nil); got != want {
				t.Fatalf("round %d, %v bye %v: rematches and byes before are %v, and %v can be had", len(w.c.Rounds), pairs, r.Byes, got, want)
			}
			w.finish()
			w.happen()
		}
	})
}

// Up to the round in which half of the field has been met a round without rematches and second byes exists (Dirac), and
// nobody gets one seat more than once beyond an even share.
func TestSwissOfTheDefaultLengthHasNoRematch(t *testing.T) {
	check := func(t fataler, n int, luck byte) {
		w := &world{
			t: t, r: game.Stream(game.Seed{luck}, 0, "world"),
			c: pairing.Contest{Settings: pairing.Settings{Format: tournament.Swiss, SeatsPerTable: 2}, Entries: field(n), Seed: game.Seed{1}},
		}
		for w.round() {
			before := history(w.c.Rounds[:len(w.c.Rounds)-1])
			pairs, r := latest(w.c)
			if len(r.Byes) != n%2 {
				t.Fatalf("%d entries, round %d: byes %v", n, len(w.c.Rounds), r.Byes)
			}
			if price := before.price(pairs, r.Byes); len(w.c.Rounds)-1 <= (n+n%2)/2-1 && price != [2]int{} {
				t.Fatalf("%d entries, round %d: %v rematches and second byes", n, len(w.c.Rounds), price)
			}
			w.finish()
			for e, more := range history(w.c.Rounds).balance {
				if more < -2 || more > 2 {
					t.Fatalf("%d entries, round %d: entry %d has had seat 0 %d times more than seat 1", n, len(w.c.Rounds), e, more)
				}
			}
		}
		if want := pairing.SwissRounds(n); len(w.c.Rounds) != want {
			t.Fatalf("%d entries: %d rounds, want %d", n, len(w.c.Rounds), want)
		}
	}
	rapid.Check(t, func(t *rapid.T) { check(t, rapid.IntRange(2, 64).Draw(t, "entries"), rapid.Byte().Draw(t, "luck")) })
	for _, n := range []int{129, 200} { // where not all pairs are weighed
		check(t, n, 1)
	}
}

func TestSwissRounds(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 0, 2: 1, 3: 3, 4: 3, 5: 5, 6: 5, 7: 5, 8: 5, 9: 6, 16: 6, 17: 7, 64: 8, 1000: 12, 1024: 12, 1025: 13} {
		must.Same(t, fmt.Sprintf("%d entries: rounds", n), pairing.SwissRounds(n), want)
	}
}

// The golden of gnutterts/chesspairing@a413c36, pairing/dutch/testdata: 8 players, 5 rounds, the higher rated always wins.
// We find the same opponents in four rounds. In the fifth the Dutch system keeps two pairs within the group of two points
// and lets the leaders meet far below (1-7, 2-8: points apart 3, 3, 0, 0); ours has the least sum of squares (2, 1, 2, 1).
func TestSwissAgainstThePublishedDutchExample(t *testing.T) {
	dutch := []string{"1-5 2-6 3-7 4-8", "1-4 2-3 5-8 6-7", "1-2 3-5 4-6 7-8", "1-3 2-4 5-7 6-8", "1-7 2-8 3-6 4-5"}
	same := []bool{true, true, true, true, false}
	w := newWorld(t, pairing.Settings{Format: tournament.Swiss, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{Rounds: 5}}, 8)
	w.result = byIndex
	for i := 0; w.round(); i++ {
		pairs, _ := latest(w.c)
		var got []string
		for _, x := range pairs {
			got = append(got, fmt.Sprintf("%d-%d", min(x[0], x[1])+1, max(x[0], x[1])+1))
		}
		slices.Sort(got)
		if now := strings.Join(got, " "); (now == dutch[i]) != same[i] {
			t.Errorf("round %d: got %s, the Dutch system %s; want the same: %v", i+1, now, dutch[i], same[i])
		}
		w.finish()
	}
}

// Published examples of bbpPairings@16a000f, test/tests: the bye goes to the lowest who has had none (dutch_2025_C5), of
// equals to who has missed fewest rounds (dutch_2025_C9). We find the same pairs.
func TestSwissByesAreThePublishedOnes(t *testing.T) {
	type round struct {
		pairs  [][2]int // the first named had white and is first here; won by who is named in winner
		winner []int
		absent []int
	}
	for _, row := range []struct {
		name   string
		n      int
		rounds []round
		absent []int // in the round to be paired
		want   string
	}{
		{"dutch_2025_C5", 6, []round{
			{pairs: [][2]int{{1, 4}, {5, 2}, {3, 6}}, winner: []int{1, 2, 3}},
			{pairs: [][2]int{{2, 1}, {4, 3}, {6, 5}}, winner: []int{1, 3, 5}},
		}, []int{4}, "1-5 2-3 bye 6"},
		{"dutch_2025_C9", 5, []round{{pairs: [][2]int{{1, 3}, {4, 2}}, winner: []int{1, 2}, absent: []int{5}}}, nil, "1-2 3-5 bye 4"},
	} {
		c := pairing.Contest{Settings: pairing.Settings{Format: tournament.Swiss, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{Rounds: 3}}, Entries: field(row.n)}
		for _, r := range row.rounds {
			var out pairing.Round
			for i, p := range r.pairs {
				res := &pairing.Result{Points: []float64{1, 0}, Score: []float64{0, 0}}
				if r.winner[i] == p[1] {
					res.Points = []float64{0, 1}
				}
				out.Blocks = append(out.Blocks, pairing.Block{Games: []pairing.Game{{Seats: []int{p[0] - 1, p[1] - 1}, Result: res}}})
			}
			for _, e := range r.absent {
				out.Absent = append(out.Absent, pairing.Absence{Entry: e - 1, Why: "its bot is paused"})
			}
			c.Rounds = append(c.Rounds, out)
		}
		for _, e := range row.absent {
			c.Entries[e-1].State = pairing.Paused
		}
		s := must.Get(pairing.Next(c))(t)
		var got []string
		for _, b := range s.Round.Blocks {
			x := b.Games[0].Seats
			got = append(got, fmt.Sprintf("%d-%d", min(x[0], x[1])+1, max(x[0], x[1])+1))
		}
		slices.Sort(got)
		for _, e := range s.Round.Byes {
			got = append(got, fmt.Sprintf("bye %d", e+1))
		}
		must.Same(t, row.name, strings.Join(got, " "), row.want)
	}
}

// A has taken six points, B four, C two and D none; A has met B, and C has met D. A-C and B-D are four points apart each,
// A-D and B-C six and two: the sums are alike, the squares are not.
func TestSwissSpreadsWhatCannotBeHelped(t *testing.T) {
	c := games(tournament.Swiss, 5, "AB1", "AE1", "AE1", "BE1", "BE1", "CD1")
	c.Settings.Duplicate, c.Settings.Rounds = true, 9
	for i := range c.Rounds {
		b := &c.Rounds[i].Blocks[0]
		s := b.Games[0].Seats
		b.Games = append(b.Games, pairing.Game{Seats: []int{s[1], s[0]}, Result: &pairing.Result{Points: []float64{0, 1}, Score: []float64{0, 0}}})
	}
	c.Entries[4].State = pairing.Withdrawn
	step, err := pairing.Next(c)
	if err != nil || len(step.Round.Blocks) != 2 {
		t.Fatalf("%+v, %v", step, err)
	}
	for _, b := range step.Round.Blocks {
		if s := b.Games[0].Seats; s[0]%2 != s[1]%2 {
			t.Errorf("%v meet, want 0 and 2, 1 and 3", s)
		}
	}
}

// A swiss takes entries while at most half of its rounds are made, an arena until it is closed, the others before they begin.
func TestLateEntries(t *testing.T) {
	for _, row := range []struct {
		format     tournament.Format
		last, rest int // rounds made at which an entry is taken still, and no more; 0 rest: always
	}{
		{tournament.Swiss, 2, 3},
		{tournament.Arena, 9, 0},
		{tournament.RoundRobin, 0, 1},
		{tournament.SingleElimination, 0, 1},
		{tournament.DoubleElimination, 0, 1},
		{tournament.Gauntlet, 0, 1},
		{tournament.Groups, 0, 1},
		{tournament.SPRT, 0, 1},
	} {
		c := pairing.Contest{Settings: pairing.Settings{Format: row.format, SeatsPerTable: 2}, Entries: field(8)} // a swiss of five rounds
		c.Rounds = make([]pairing.Round, row.last)
		if err := pairing.Late(c); err != nil {
			t.Errorf("%s, %d rounds made: %v, want the entry taken", row.format, row.last, err)
		}
		if c.Rounds = make([]pairing.Round, row.rest); row.rest > 0 && !errors.Is(pairing.Late(c), pairing.ErrOptions) {
			t.Errorf("%s, %d rounds made: %v, want a refusal", row.format, row.rest, pairing.Late(c))
		}
		if c.Closed = true; row.rest == 0 && !errors.Is(pairing.Late(c), pairing.ErrOptions) {
			t.Errorf("%s, closed: %v, want a refusal", row.format, pairing.Late(c))
		}
	}
	even := pairing.Contest{Settings: pairing.Settings{Format: tournament.Swiss, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{Rounds: 4}}, Entries: field(8), Rounds: make([]pairing.Round, 2)}
	if err := pairing.Late(even); err != nil {
		t.Errorf("swiss, 2 of 4 rounds made: %v, want the entry taken", err)
	}
}

// Tables of more than two: everybody plays as often as byes allow, and byes are spread.
func TestSwissOfLargerTablesSpreadsByesAndMeetings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(3, 10).Draw(t, "seats")
		n := rapid.IntRange(k, 40).Draw(t, "entries")
		w := &world{
			t: t, r: game.Stream(game.Seed{rapid.Byte().Draw(t, "luck")}, 0, "world"),
			c: pairing.Contest{Settings: pairing.Settings{Format: tournament.Swiss, SeatsPerTable: k}, Entries: field(n), Seed: game.Seed{1}},
		}
		byes := make([]int, n)
		for w.round() {
			r := w.c.Rounds[len(w.c.Rounds)-1]
			if len(r.Blocks) != n/k {
				t.Fatalf("%d entries: %d tables of %d", n, len(r.Blocks), k)
			}
			for _, e := range r.Byes {
				byes[e]++
			}
			if spread(byes) > 1 {
				t.Fatalf("byes %v", byes)
			}
			w.finish()
		}
	})
}

// The bye of a larger table is for the lowest of those who have had fewest; an owner with more entries than there are tables rests one
// after the other, the lowest first.
func TestSwissByesOfLargerTablesTakeTurns(t *testing.T) {
	for _, row := range []struct {
		entries, ofOne int // of one owner, the first
		byes           []int
	}{{4, 1, []int{3, 2, 1, 0}}, {7, 3, []int{2, 1, 0}}} {
		c := pairing.Contest{Settings: pairing.Settings{Format: tournament.Swiss, SeatsPerTable: 3, OwnersApart: true, FormatOptions: tournament.FormatOptions{Rounds: 4}}, Entries: field(row.entries)}
		for e := range row.ofOne {
			c.Entries[e].Owner = "one"
		}
		for round, want := range row.byes {
			step, err := pairing.Next(c)
			if err != nil || !slices.Equal(step.Round.Byes, []int{want}) {
				t.Fatalf("%d entries, round %d: %+v (%v), want a bye for entry %d", row.entries, round+1, step, err, want)
			}
			for _, b := range step.Round.Blocks {
				b.Games[0].Result = &pairing.Result{Points: []float64{.5, .5, .5}, Score: []float64{0, 0, 0}}
			}
			c.Rounds = append(c.Rounds, step.Round)
		}
	}
}

// Six at two tables of three, compared with all ten ways to seat them: as few meetings again as can be, then those of like
// points together, by the sum of the squares.
func TestSwissOfLargerTablesSeatsLikeWithLike(t *testing.T) {
	c := pairing.Contest{Settings: pairing.Settings{Format: tournament.Swiss, SeatsPerTable: 3, FormatOptions: tournament.FormatOptions{Rounds: 5}}, Entries: field(6)}
	points, met := map[int]float64{}, map[[2]int]int{}
	price := func(first []int) (sum [2]float64) {
		for x := range 6 {
			for y := range x {
				if slices.Contains(first, x) == slices.Contains(first, y) {
					gap := points[x] - points[y]
					sum[0], sum[1] = sum[0]+float64(met[[2]int{y, x}]), sum[1]+gap*gap
				}
			}
		}
		return sum
	}
	for round := range 5 {
		step, err := pairing.Next(c)
		if err != nil || len(step.Round.Blocks) != 2 {
			t.Fatalf("round %d: %+v (%v)", round+1, step, err)
		}
		got := price(step.Round.Blocks[0].Games[0].Seats)
		for x := 1; x < 6; x++ {
			for y := x + 1; y < 6; y++ {
				if can := price([]int{0, x, y}); slices.Compare(can[:], got[:]) < 0 {
					t.Errorf("round %d: %v, meetings again and squares %v; with 0, %d and %d %v", round+1, step.Round, got, x, y, can)
				}
			}
		}
		for _, b := range step.Round.Blocks {
			s := b.Games[0].Seats
			b.Games[0].Result = &pairing.Result{Points: []float64{.5, 1, 0}, Score: []float64{0, 0, 0}}
			for i, e := range s {
				points[e] += b.Games[0].Result.Points[i]
				for _, o := range s[:i] {
					met[[2]int{min(e, o), max(e, o)}]++
				}
			}
		}
		c.Rounds = append(c.Rounds, step.Round)
	}
}

// At larger tables, without duplicate, no seat is held two times more or less often than its even share.
func TestSwissSeatsOfLargerTablesAreNearlyEven(t *testing.T) {
	for k := 3; k <= 10; k++ {
		for n := k; n <= 40; n += 8 {
			w := newWorld(t, pairing.Settings{Format: tournament.Swiss, SeatsPerTable: k}, n)
			w.r = game.Stream(game.Seed{byte(n)}, 0, "world")
			had, games := make([][]int, n), make([]int, n)
			for e := range had {
				had[e] = make([]int, k)
			}
			for w.round() {
				for _, b := range w.c.Rounds[len(w.c.Rounds)-1].Blocks {
					for seat, e := range b.Games[0].Seats {
						had[e][seat]++
						games[e]++
					}
				}
				w.finish()
			}
			for e, seats := range had {
				for _, times := range seats {
					if off := times*k - games[e]; off >= 2*k || off <= -2*k {
						t.Errorf("%d entries at tables of %d: entry %d has the seats %v times", n, k, e, seats)
					}
				}
			}
		}
	}
}

// With twice as many tables as seats nobody need meet again for a while, and nobody does.
func TestSwissOfLargerTablesAvoidsRematches(t *testing.T) {
	for k := 3; k <= 6; k++ {
		for luck := range 3 {
			w := newWorld(t, pairing.Settings{Format: tournament.Swiss, SeatsPerTable: k, FormatOptions: tournament.FormatOptions{Rounds: 3}}, 2*k*k)
			w.r = game.Stream(game.Seed{byte(luck)}, 0, "world")
			met := map[[2]int]bool{}
			for w.round() {
				for _, b := range w.c.Rounds[len(w.c.Rounds)-1].Blocks {
					for i, x := range b.Games[0].Seats {
						for _, y := range b.Games[0].Seats[:i] {
							if key := [2]int{min(x, y), max(x, y)}; met[key] {
								t.Errorf("%d entries at tables of %d, round %d: %d and %d meet again", 2*k*k, k, len(w.c.Rounds), x, y)
							} else {
								met[key] = true
							}
						}
					}
				}
				w.finish()
			}
		}
	}
}
