package matchmaking_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/matchmaking"
)

func ladderField(n int, r *game.Rand) []matchmaking.Bot {
	bots := make([]matchmaking.Bot, n)
	for i := range bots {
		bots[i] = matchmaking.Bot{Owner: fmt.Sprint(i), Rating: float64(1200 + r.IntN(600)), Deviation: float64(30 + r.IntN(100)), Room: 1}
	}
	return bots
}

// note enters tables into the bots as the caller of Tables does.
func note(bots []matchmaking.Bot, tables []matchmaking.Table, now int64) {
	for _, table := range tables {
		for seat, b := range table.Seats {
			x := &bots[b]
			others := slices.Concat(table.Seats[:seat], table.Seats[seat+1:])
			slices.Sort(others)
			x.Matches, x.Since = x.Matches+1, now
			x.Recent = append(slices.Clone(x.Recent), others)
			x.Recent = x.Recent[max(0, len(x.Recent)-5):]
			for len(x.Sizes) <= len(table.Seats) {
				x.Sizes = append(x.Sizes, 0)
			}
			for len(x.Seats) <= seat {
				x.Seats = append(x.Seats, 0)
			}
			x.Sizes[len(table.Seats)]++
			x.Seats[seat]++
		}
	}
}

// ownersAlone returns the bots, of those without room nothing but whose they are.
func ownersAlone(bots []matchmaking.Bot) []matchmaking.Bot {
	out := slices.Clone(bots)
	for i, b := range out {
		if b.Room == 0 {
			out[i] = matchmaking.Bot{Owner: b.Owner}
		}
	}
	return out
}

func spread(list []int) int { return slices.Max(list) - slices.Min(list) }

func TestALadderTickIsLawful(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := game.Stream(game.Seed{rapid.Byte().Draw(t, "luck")}, 0, "ladder")
		bots := ladderField(rapid.IntRange(0, 40).Draw(t, "bots"), r)
		s := matchmaking.Settings{
			Sizes:  rapid.SliceOfNDistinct(rapid.IntRange(2, 10), 1, 4, rapid.ID[int]).Draw(t, "sizes"),
			Tables: rapid.SampledFrom([]int{0, 0, 2}).Draw(t, "tables"),
		}
		owners := rapid.IntRange(1, 40).Draw(t, "owners")
		for i := range bots {
			bots[i].Owner, bots[i].Room = fmt.Sprint(i%owners), r.IntN(4)
		}
		for tick := range 6 {
			before := slices.Clone(bots)
			tables := matchmaking.Tables(bots, s, game.Stream(game.Seed{byte(tick)}, 0, "tick"))
			if !reflect.DeepEqual(before, bots) {
				t.Fatal("Ladder changed its bots")
			}
			if again := matchmaking.Tables(bots, s, game.Stream(game.Seed{byte(tick)}, 0, "tick")); !reflect.DeepEqual(tables, again) {
				t.Fatalf("one seed, two answers: %v and %v", tables, again)
			}
			if of := matchmaking.Tables(ownersAlone(bots), s, game.Stream(game.Seed{byte(tick)}, 0, "tick")); !reflect.DeepEqual(tables, of) {
				t.Fatalf("with no more than the owners of those without room: %v, else %v", of, tables)
			}
			given := make([]int, len(bots))
			for _, table := range tables {
				if !slices.Contains(s.Sizes, len(table.Seats)) {
					t.Fatalf("a table of %d, of the sizes %v", len(table.Seats), s.Sizes)
				}
				for i, b := range table.Seats {
					given[b]++
					for _, o := range table.Seats[:i] {
						if b == o || bots[b].Owner == bots[o].Owner {
							t.Fatalf("bots %d and %d share a table", o, b)
						}
					}
				}
			}
			for b, n := range given {
				if n > bots[b].Room {
					t.Fatalf("bot %d has room for %d and got %d matches", b, bots[b].Room, n)
				}
			}
			if s.Tables > 0 && len(tables) > s.Tables {
				t.Fatalf("%d tables, want at most %d", len(tables), s.Tables)
			}
			note(bots, tables, int64(tick))
		}
	})
}

// Over many ticks: matches, table sizes and seats are even, the same opponents do not come back within five matches, and
// one table in ten is drawn uniformly.
func TestALadderIsFair(t *testing.T) {
	for _, sizes := range [][]int{{2}, {4}, {2, 3, 4}, {5, 6, 7, 8, 9, 10}} {
		r := game.Stream(game.Seed{1}, 0, "ladder")
		bots := ladderField(60, r)
		random, all := 0, 0
		for tick := range 300 {
			for i := range bots {
				bots[i].Room = 1
				if i%7 == tick%7 {
					bots[i].Room = 0 // busy with a long match
				}
			}
			recent := slices.Clone(bots)
			tables := matchmaking.Tables(bots, matchmaking.Settings{Sizes: sizes}, game.Stream(game.Seed{byte(tick), byte(tick >> 8)}, 0, "tick"))
			for _, table := range tables {
				all++
				if table.Random {
					random++
				}
				for i, b := range table.Seats {
					others := slices.Concat(table.Seats[:i], table.Seats[i+1:])
					slices.Sort(others)
					if slices.ContainsFunc(recent[b].Recent, func(set []int) bool { return slices.Equal(set, others) }) {
						t.Fatalf("sizes %v: bot %d meets %v again within five matches", sizes, b, others)
					}
				}
			}
			note(bots, tables, int64(tick))
		}
		var matches []int
		for b, x := range bots {
			matches = append(matches, x.Matches)
			var played []int
			for _, k := range sizes {
				played = append(played, x.Sizes[k])
			}
			if len(sizes) > 1 && spread(played) > x.Matches/3 {
				t.Errorf("sizes %v: bot %d played them %v times", sizes, b, played)
			}
			if seats := x.Seats[:sizes[0]]; spread(seats) > 2+x.Matches/25 {
				t.Errorf("sizes %v: bot %d had the seats %v times", sizes, b, seats)
			}
		}
		if slices.Max(matches)-slices.Min(matches) > 2+slices.Max(matches)/20 {
			t.Errorf("sizes %v: matches from %d to %d", sizes, slices.Min(matches), slices.Max(matches))
		}
		if part := 1000 * random / all; part < 70 || part > 130 {
			t.Errorf("sizes %v: %d of %d tables are random, want about one in ten", sizes, random, all)
		}
	}
}

// Opponents are mostly near in rating.
func TestLadderOpponentsAreInformative(t *testing.T) {
	r := game.Stream(game.Seed{1}, 0, "ladder")
	bots := ladderField(400, r)
	near, far := 0, 0
	for tick := range 20 {
		tables := matchmaking.Tables(bots, matchmaking.Settings{Sizes: []int{2}}, game.Stream(game.Seed{byte(tick)}, 0, "tick"))
		for _, table := range tables[:len(tables)/2] { // at the end of a tick those left are few
			gap := bots[table.Seats[0]].Rating - bots[table.Seats[1]].Rating
			switch {
			case table.Random:
			case max(gap, -gap) <= 60:
				near++
			default:
				far++
			}
		}
		note(bots, tables, int64(tick))
	}
	if far > near/10 {
		t.Errorf("%d opponents within 60 Elo, %d not", near, far)
	}
}

// Where few tables can be played, nobody waits for long, not even who has had more matches than all others: of 60 bots at one
// table of two a tick, a bot sits every 30 ticks on average, and always within 90.
func TestNobodyWaitsForTheOthersToCatchUp(t *testing.T) {
	bots := ladderField(60, game.Stream(game.Seed{1}, 0, "ladder"))
	bots[0].Matches = 1000
	longest := 0
	for tick := range 1200 {
		tables := matchmaking.Tables(bots, matchmaking.Settings{Sizes: []int{2}, Tables: 1}, game.Stream(game.Seed{byte(tick), byte(tick >> 8)}, 0, "tick"))
		for _, b := range tables[0].Seats {
			longest = max(longest, tick-int(bots[b].Since))
		}
		note(bots, tables, int64(tick))
	}
	for _, b := range bots {
		longest = max(longest, 1200-int(b.Since))
	}
	t.Logf("longest wait: %d ticks", longest)
	if longest > 90 {
		t.Errorf("a bot waited %d ticks, want at most 90", longest)
	}
}

// Two bots alone on a ladder go on playing; the law of five matches needs a choice.
func TestASmallLadderGoesOn(t *testing.T) {
	for n := 2; n <= 7; n++ {
		bots := ladderField(n, game.Stream(game.Seed{1}, 0, "ladder"))
		for tick := range 40 {
			note(bots, matchmaking.Tables(bots, matchmaking.Settings{Sizes: []int{2}}, game.Stream(game.Seed{byte(tick)}, 0, "tick")), int64(tick))
		}
		for b, x := range bots {
			if want := 40 * (n - n%2) / n; x.Matches < want*3/4 {
				t.Errorf("%d bots: bot %d had %d matches in 40 ticks, want about %d", n, b, x.Matches, want)
			}
		}
	}
}

// Bots of one owner never meet on a ladder, and nobody waits for ever as long as there are enough owners for a table.
func TestALadderOfFewOwnersStarvesNobody(t *testing.T) {
	for _, x := range []struct {
		counts, sizes []int
	}{
		{[]int{1, 3, 1}, []int{3}}, {[]int{20, 1}, []int{2}}, {[]int{20, 1, 1}, []int{2, 3}}, {[]int{20, 2, 1, 1}, []int{4}}, {[]int{7, 7}, []int{2}},
	} {
		var bots []matchmaking.Bot
		for owner, n := range x.counts {
			for range n {
				bots = append(bots, matchmaking.Bot{Owner: fmt.Sprint(owner), Rating: float64(1500 + 10*len(bots)), Deviation: 100})
			}
		}
		for tick := range 400 {
			for b := range bots {
				bots[b].Room = 1
			}
			tables := matchmaking.Tables(bots, matchmaking.Settings{Sizes: x.sizes}, game.Stream(game.Seed{byte(tick), byte(tick >> 8)}, 0, "tick"))
			for _, table := range tables {
				owners := map[string]bool{}
				for _, b := range table.Seats {
					owners[bots[b].Owner] = true
				}
				if len(owners) < len(table.Seats) {
					t.Fatalf("%v at tables of %v: %v has two of one owner", x.counts, x.sizes, table.Seats)
				}
			}
			note(bots, tables, int64(tick))
		}
		for b, bot := range bots {
			if bot.Matches < 8 || bot.Since < 300 {
				t.Errorf("%v at tables of %v: bot %d of owner %s had %d matches in 400 ticks, the last in tick %d", x.counts, x.sizes, b, bot.Owner, bot.Matches, bot.Since)
			}
		}
	}
}
