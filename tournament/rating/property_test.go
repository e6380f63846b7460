package rating_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/rating"
)

// scene is a random match: 2 to 16 seats, with or without teams, retirements, versions in several seats and advantages.
type scene struct {
	match   rating.Match
	players []rating.State
	params  rating.Params
}

func draw(t *rapid.T, teamGames, retire bool) scene {
	n := rapid.IntRange(2, 16).Draw(t, "seats")
	count := rapid.IntRange(2, n).Draw(t, "players")
	var s scene
	for range count {
		s.players = append(s.players, rating.State{
			Rating: rating.Milli(rapid.Int64Range(-3_000_000, 6_000_000).Draw(t, "rating")), Games: rapid.IntRange(0, 100).Draw(t, "games"),
		})
	}
	s.params.FixedK = float64(rapid.IntRange(0, 500).Draw(t, "tenths of K")) / 10
	adv := rating.Advantage{Team: map[string]float64{"agent": rapid.Float64Range(-200, 200).Draw(t, "offset")}}
	wins := rapid.SampledFrom([]string{"agent", "mole", "both"}).Draw(t, "winner")
	for i := range n {
		seat := rating.Seat{Player: rapid.IntRange(0, count-1).Draw(t, "player"), Rank: rapid.IntRange(1, n).Draw(t, "rank")}
		seat.Retired = retire && rapid.IntRange(0, 5).Draw(t, "retire") == 0
		if teamGames && n > 2 {
			if seat.Team = rapid.SampledFrom([]string{"agent", "mole"}).Draw(t, "team"); i < 2 {
				seat.Team = []string{"agent", "mole"}[i]
			}
			if seat.Rank = 2; seat.Team == wins || wins == "both" {
				seat.Rank = 1
			}
		}
		s.match.Seats = append(s.match.Seats, seat)
		adv.Seat = append(adv.Seat, rapid.Float64Range(-100, 100).Draw(t, "advantage"))
	}
	s.params.Tables = map[int]rating.Advantage{n: adv}
	return s
}

func (s scene) rate(t *rapid.T) []rating.Delta {
	t.Helper()
	return must.Get(rating.Rate(s.match, s.players, s.params))(t)
}

func TestChangesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t, rapid.Bool().Draw(t, "teams"), true)
		for _, d := range s.rate(t) {
			if d.Before != s.players[d.Player] || d.After.Rating != d.Before.Rating+d.Change {
				t.Fatalf("before, change and after do not add up: %+v", d)
			}
			if counted := d.After.Games - d.Before.Games; counted != 0 && counted != 1 || (counted == 0) != (d.K == 0) || (counted == 0 && d.Change != 0) {
				t.Fatalf("the match counted %d times: %+v", counted, d)
			}
		}
	})
}

func TestAtAFixedKNothingIsLostBeyondRounding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		teams := rapid.Bool().Draw(t, "teams")
		s := draw(t, teams, !teams)
		s.params.FixedK = float64(rapid.IntRange(1, 500).Draw(t, "tenths of K")) / 10
		sum, deltas := rating.Milli(0), s.rate(t)
		for _, d := range deltas {
			sum += d.Change
		}
		if 2*max(sum, -sum) > rating.Milli(len(deltas)) {
			t.Fatalf("%d players: the changes sum to %d milli-Elo", len(deltas), sum)
		}
	})
}

func TestACommonShiftOfRatingsChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t, rapid.Bool().Draw(t, "teams"), true)
		before := changes(s.rate(t))
		shift := rating.Milli(rapid.Int64Range(-5_000_000, 5_000_000).Draw(t, "shift"))
		for i := range s.players {
			s.players[i].Rating += shift
		}
		if after := changes(s.rate(t)); !slices.Equal(before, after) {
			t.Fatalf("shifted by %d: got %v, want %v", shift, after, before)
		}
	})
}

// The numbers of the players, and without seat advantages the order of the seats, are only names.
func TestTheOrderOfPlayersAndSeatsDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t, rapid.Bool().Draw(t, "teams"), true)
		n := len(s.match.Seats)
		s.params.Tables[n] = rating.Advantage{Team: s.params.Tables[n].Team}
		want := s.rate(t)
		name := rapid.Permutation(seq(len(s.players))).Draw(t, "names")
		other := scene{params: s.params, players: make([]rating.State, len(s.players))}
		for i, p := range s.players {
			other.players[name[i]] = p
		}
		for _, i := range rapid.Permutation(seq(n)).Draw(t, "seats") {
			seat := s.match.Seats[i]
			seat.Player = name[seat.Player]
			other.match.Seats = append(other.match.Seats, seat)
		}
		got := other.rate(t)
		for _, d := range want {
			d.Player = name[d.Player]
			if !slices.Contains(got, d) {
				t.Fatalf("got %+v, want among them %+v", got, d)
			}
		}
	})
}

func seq(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// For a player with one seat: a better place never pays less, a higher own rating never more, and a win of a team never
// costs its seats.
func TestChangesAreMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t, false, false)
		for i := range s.match.Seats {
			s.match.Seats[i].Player = i
		}
		for len(s.players) < len(s.match.Seats) {
			s.players = append(s.players, rating.New())
		}
		seat := rapid.IntRange(0, len(s.match.Seats)-1).Draw(t, "seat")
		base := s.rate(t)[seat].Change
		s.match.Seats[seat].Rank++
		if worse := s.rate(t)[seat].Change; worse > base {
			t.Fatalf("one place lower pays %d, more than %d", worse, base)
		}
		s.match.Seats[seat].Rank--
		s.players[seat].Rating += 1000 * rating.Milli(rapid.IntRange(1, 1000).Draw(t, "stronger"))
		if stronger := s.rate(t)[seat].Change; stronger > base {
			t.Fatalf("a stronger player gets %d, more than %d", stronger, base)
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t, true, false)
		for i := range s.match.Seats {
			s.match.Seats[i].Player = i
		}
		for len(s.players) < len(s.match.Seats) {
			s.players = append(s.players, rating.New())
		}
		deltas := s.rate(t)
		low := slices.MinFunc(s.match.Seats, func(a, b rating.Seat) int { return a.Rank - b.Rank }).Rank
		high := slices.MaxFunc(s.match.Seats, func(a, b rating.Seat) int { return a.Rank - b.Rank }).Rank
		for i, seat := range s.match.Seats {
			if low != high && seat.Team != "" && (seat.Rank == low) != (deltas[i].Change >= 0) && deltas[i].Change != 0 {
				t.Fatalf("seat %d of rank %d changed by %d", i, seat.Rank, deltas[i].Change)
			}
		}
	})
}

func TestFoldIsRateMatchByMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t, rapid.Bool().Draw(t, "teams"), true)
		matches := make([]rating.Match, rapid.IntRange(0, 20).Draw(t, "matches"))
		want := slices.Clone(s.players)
		for i := range matches {
			matches[i] = rating.Match{Seats: s.match.Seats, Void: rapid.IntRange(0, 4).Draw(t, "void") == 0}
			for _, d := range must.Get(rating.Rate(matches[i], want, s.params))(t) {
				want[d.Player] = d.After
			}
		}
		got, err := rating.Fold(s.players, nil, matches, s.params)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("got %v %v, want %v", got, err, want)
		}
	})
}
