package matches

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// settled returns a series of a game between house bots.
func settled(t *testing.T, s Series) (*Series, game.Engine) {
	t.Helper()
	e, ok := catalog.Find(s.Game)
	if !ok {
		t.Fatalf("no game %s", s.Game)
	}
	if s.Fill == "" {
		s.Fill = "random"
	}
	if s.LimitMS == 0 {
		s.LimitMS, s.BankMS = 1000, 10_000
	}
	must.OK(t, s.Settle(e))
	return &s, e
}

func planned(t *testing.T, s *Series, number int) fixture {
	t.Helper()
	f, err := s.fixture(number)
	must.OK(t, err)
	return f
}

func TestOverABlockEverybodyGoesRoundTheSeats(t *testing.T) {
	for _, row := range []Series{
		{Game: "molehill", Bots: []string{"greedy", "random"}, Games: 4},
		{Game: "molemajority", Bots: []string{"greedy", "random"}, Seats: 4, Games: 8},
		{Game: "mole", Bots: []string{"greedy", "random"}, Games: 4},
		{Game: "demol", Bots: []string{"greedy", "thinker", "random"}, Seats: 7, Games: 14},
		{Game: "cia", Bots: []string{"greedy"}, Seats: 3, Games: 6},
	} {
		for _, paired := range []bool{true, false} {
			row.Rotate, row.Paired = true, paired
			s, e := settled(t, row)
			deals := map[game.Seed]bool{}
			for first := 0; first < s.Games; first += s.Seats {
				where := map[int]map[int]int{}
				for number := first; number < first+s.Seats; number++ {
					f := planned(t, s, number)
					deals[f.seed] = true
					for seat, p := range f.players {
						if where[p] == nil {
							where[p] = map[int]int{}
						}
						where[p][seat]++
					}
				}
				for p := range s.Bots {
					for seat := range s.Seats {
						if where[p][seat] != 1 {
							t.Errorf("%s: bot %d sat %d times in seat %d in the block from %d, want once", s.Game, p, where[p][seat], seat, first)
						}
					}
				}
			}
			want := s.Games
			if paired || e.Info().OneDeal {
				want /= s.Seats
			}
			if len(deals) != want {
				t.Errorf("%s, paired %v: %d deals in %d games, want %d", s.Game, paired, len(deals), s.Games, want)
			}
		}
	}
}

func TestWithoutRotationEverybodyKeepsTheSeatAndEveryDealIsNew(t *testing.T) {
	s, _ := settled(t, Series{Game: "molemajority", Bots: []string{"greedy", "random"}, Seats: 3, Games: 5})
	seeds := map[game.Seed]bool{}
	for number := range s.Games {
		f := planned(t, s, number)
		seeds[f.seed] = true
		if !slices.Equal(f.players, []int{0, 1, 2}) {
			t.Errorf("game %d: %v, want the bots in order and a filler", number, f.players)
		}
	}
	if len(seeds) != s.Games {
		t.Errorf("%d deals in %d games", len(seeds), s.Games)
	}
}

func TestThePairsOfATestChangeSeatsAndGoThroughAllOfThem(t *testing.T) {
	for _, row := range []struct {
		name  string
		seats int
	}{{"molehill", 2}, {"molemajority", 4}, {"cia", 3}, {"demol", 6}} {
		for _, paired := range []bool{true, false} {
			s, e := settled(t, Series{Game: row.name, Bots: []string{"greedy", "random"}, Seats: row.seats, Games: 200, Fill: "random", Paired: paired, Test: test(0, 30)})
			met := map[[2]int]int{}
			for k := range s.Games / 2 {
				a, b := planned(t, s, 2*k), planned(t, s, 2*k+1)
				x, y := slices.Index(a.players, 0), slices.Index(a.players, 1)
				met[[2]int{min(x, y), max(x, y)}]++
				if b.players[x] != 1 || b.players[y] != 0 {
					t.Errorf("%s: pair %d is %v and %v, want the first two changed", row.name, k, a.players, b.players)
				}
				if shared := a.seed == b.seed; shared != (paired || row.name == "molehill") {
					t.Errorf("%s, paired %v: pair %d: one deal for both is %v", row.name, paired, k, shared)
				}
				if teams := dealt(t, s, e, a); teams != nil && paired && teams[x] == teams[y] {
					t.Errorf("%s: pair %d: both are of the %ss", row.name, k, teams[x])
				}
			}
			if pairs := row.seats * (row.seats - 1) / 2; len(met) != pairs {
				t.Errorf("%s: %d of %d pairs of seats used", row.name, len(met), pairs)
			}
		}
	}
}

// dealt returns the hidden teams of a match.
func dealt(t *testing.T, s *Series, e game.Engine, f fixture) []string {
	t.Helper()
	table, _, err := e.New(s.Config, s.Seats, f.seed)
	must.OK(t, err)
	return table.Teams()
}

// Without a filler each of two bots has all seats of a team, and in the next game those of the other.
func TestTwoBotsShareTheTeamsOfADealAndChangeThem(t *testing.T) {
	for _, row := range []Series{
		{Rotate: true, Paired: true},
		{Paired: true, Test: test(0, 30)},
	} {
		row.Game, row.Bots, row.Seats, row.Games, row.LimitMS = "demol", []string{"greedy", "thinker"}, 7, 40, 1000
		e, _ := catalog.Find(row.Game)
		must.OK(t, row.Settle(e))
		for number := range row.Games {
			f := planned(t, &row, number)
			teams := dealt(t, &row, e, f)
			for seat, p := range f.players {
				if want := (number + boolInt(teams[seat] != teams[0])) % 2; p != want {
					t.Fatalf("game %d: bot %d has seat %d of %v, want bot %d: %v", number, p, seat, teams, want, f.players)
				}
			}
		}
		if row.filler() >= 0 {
			t.Errorf("there is a filler: %q", row.Fill)
		}
	}
}

// Whenever a series of couples stops, they have played as many blocks as each other, but for one; in each they change seats on one deal
// that no other block has.
func TestCouplesMeetInTurns(t *testing.T) {
	for _, row := range []struct {
		meetings string
		couples  [][2]int
	}{
		{RoundRobin, [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}},
		{Gauntlet, [][2]int{{0, 1}, {0, 2}, {0, 3}}},
	} {
		s, _ := settled(t, Series{Game: "molemajority", Bots: []string{"greedy", "random", "thinker", "greedy"}, Seats: 3, Games: 12 * len(row.couples), Rotate: true, Paired: true, Meetings: row.meetings})
		if got := s.couples(); !slices.Equal(got, row.couples) || s.Couples() != len(row.couples) {
			t.Errorf("%s: couples %v, want %v", row.meetings, got, row.couples)
		}
		met, deals := map[[2]int]int{}, map[game.Seed]bool{}
		for number := 0; number < s.Games; number += 2 {
			a, b := planned(t, s, number), planned(t, s, number+1)
			couple := slices.DeleteFunc(slices.Clone(a.players), func(p int) bool { return p == s.filler() })
			slices.Sort(couple)
			met[[2]int(couple)]++
			deals[a.seed] = true
			x, y := slices.Index(a.players, couple[0]), slices.Index(a.players, couple[1])
			if a.seed != b.seed || b.players[x] != couple[1] || b.players[y] != couple[0] {
				t.Errorf("%s: games %d and %d are %v and %v, want two bots changed on one deal", row.meetings, number, number+1, a.players, b.players)
			}
			least, most := met[row.couples[0]], 0
			for _, c := range row.couples {
				least, most = min(least, met[c]), max(most, met[c])
			}
			if most-least > 1 {
				t.Errorf("%s: after %d games blocks are %v", row.meetings, number+2, met)
			}
		}
		if len(deals) != s.Games/2 {
			t.Errorf("%s: %d deals in %d blocks", row.meetings, len(deals), s.Games/2)
		}
	}
}

// test is one between two differences in Elo.
func test(elo0, elo1 float64) *Test { return &Test{Elo0: elo0, Elo1: elo1, Alpha: .05, Beta: .05} }

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestSeriesThatMakeNoSenseAreRefused(t *testing.T) {
	e, _ := catalog.Find("demol")
	good := Series{Bots: []string{"greedy", "random"}, Games: 2, LimitMS: 1000}
	for name, change := range map[string]func(s *Series){
		"too few seats":                func(s *Series) { s.Seats = 4 },
		"too many seats":               func(s *Series) { s.Seats = 11 },
		"too many bots":                func(s *Series) { s.Seats = 5; s.Bots = make([]string, 6) },
		"no bot":                       func(s *Series) { s.Bots = nil },
		"no games":                     func(s *Series) { s.Games = 0 },
		"half a pair":                  func(s *Series) { s.Games, s.Test = 3, test(0, 30) },
		"a test of three":              func(s *Series) { s.Bots, s.Test = make([]string, 3), test(0, 30) },
		"a test of no sense":           func(s *Series) { s.Test = test(30, 0) },
		"a round robin of one":         func(s *Series) { s.Bots, s.Meetings = s.Bots[:1], RoundRobin },
		"a gauntlet in fixed seats":    func(s *Series) { s.Meetings, s.Rotate = Gauntlet, false },
		"half a pair of a round robin": func(s *Series) { s.Meetings, s.Rotate, s.Games = RoundRobin, true, 3 },
		"no time":                      func(s *Series) { s.LimitMS = 0 },
		"unknown key":                  func(s *Series) { s.Config = []byte(`{"dragons":1}`) },
		"config is no object":          func(s *Series) { s.Config = []byte(`[]`) },
	} {
		s := good
		change(&s)
		if err := s.Settle(e); err == nil || errors.Is(err, command.ErrUsage) {
			t.Errorf("%s: got %v, want a refusal that blames no command line: it may come from a file", name, err)
		}
	}
	if err := good.Settle(e); err != nil || good.Seats != 5 {
		t.Errorf("got %v and %d seats, want none and the least of the game", err, good.Seats)
	}
}

func TestResultsAreTakenInOrderWhoeverIsFirst(t *testing.T) {
	const n, atOnce = 9, 3
	var mu sync.Mutex
	running, most := 0, 0
	gate := make([]chan struct{}, n)
	for i := range gate {
		gate[i] = make(chan struct{})
	}
	work := func(_ context.Context, i int) (int, error) {
		mu.Lock()
		running++
		most = max(most, running)
		mu.Unlock()
		if i%atOnce != atOnce-1 { // the last of three ends first, the first last
			<-gate[i+1]
		}
		mu.Lock()
		running--
		mu.Unlock()
		close(gate[i])
		return i, nil
	}
	var got []int
	err := inOrder(t.Context(), n, atOnce, work, func(i int) (bool, error) { got = append(got, i); return i < 6, nil })
	if err != nil || !slices.Equal(got, []int{0, 1, 2, 3, 4, 5, 6}) {
		t.Errorf("got %v, %v; want 0 to 6 in order", got, err)
	}
	if most > atOnce { // that there were as many the gates show: they would never open
		t.Errorf("%d at once, want at most %d", most, atOnce)
	}
}

func TestTheFirstFailureInOrderEndsTheRow(t *testing.T) {
	broken := errors.New("broken")
	taken := 0
	err := inOrder(t.Context(), 100, 4, func(ctx context.Context, i int) (int, error) {
		if i == 2 {
			return 0, broken
		}
		if i > 2 {
			<-ctx.Done() // ended with the row
		}
		return i, nil
	}, func(int) (bool, error) { taken++; return true, nil })
	if !errors.Is(err, broken) || taken != 2 {
		t.Errorf("got %v after %d, want %v after 2", err, taken, broken)
	}
}

// Which addresses those are, command.BotAddress has tests of.
func TestOnlyThisMachineIsCalledUnlessPublicAddressesAreAllowed(t *testing.T) {
	for _, public := range []bool{false, true} {
		r, err := Open("", public, 0)
		must.OK(t, err)
		for _, row := range []struct {
			arg           string
			local, public bool // allowed
		}{
			{"greedy", true, true},
			{"genius", false, false},
			{"", false, false},
			{"http://127.0.0.1:8000/", true, true},
			{"https://bot.example.org/", false, true},
			{"https://93.184.215.14/", false, true},
			{"http://93.184.215.14:8000/", false, false},
			{"http://[fd00:ec2::254]/", false, false},
			{"http://user@127.0.0.1:8000/", false, false},
		} {
			want := map[bool]bool{false: row.local, true: row.public}[public]
			if err := r.Check(row.arg, "molehill"); (err == nil) != want || err != nil && !errors.Is(err, command.ErrUsage) {
				t.Errorf("%q, public addresses %v: got %v, want allowed = %v", row.arg, public, err, want)
			}
		}
		for address, want := range map[string]bool{"127.0.0.1:8000": true, "93.184.215.14:443": public, "10.0.0.1:443": false} {
			if err := r.guard.Control()("tcp4", address, nil); (err == nil) != want {
				t.Errorf("dialling %s, public addresses %v: got %v, want allowed = %v", address, public, err, want)
			}
		}
		r.Close()
	}
	if _, err := Open("x", false, 0); err == nil {
		t.Error("a secret that is none was taken")
	}
}
