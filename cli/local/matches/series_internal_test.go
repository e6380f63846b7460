package matches

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// zeros is a source of randomness that tests can do with.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

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
	if err := s.Settle(e); err != nil {
		t.Fatal(err)
	}
	return &s, e
}

func TestOverABlockEverybodyGoesRoundTheSeats(t *testing.T) {
	for _, row := range []struct {
		s          Series
		sharedDeal bool
	}{
		{Series{Game: "molehill", Bots: []string{"greedy", "random"}, Games: 4, Rotate: true}, true},
		{Series{Game: "molemajority", Bots: []string{"greedy", "random"}, Seats: 4, Games: 8, Rotate: true}, false},
		{Series{Game: "mole", Bots: []string{"greedy", "random"}, Games: 4, Rotate: true}, false},
		{Series{Game: "demol", Bots: []string{"greedy", "thinker"}, Seats: 7, Games: 14, Rotate: true}, false},
		{Series{Game: "cia", Bots: []string{"greedy"}, Seats: 3, Games: 6, Rotate: true}, false},
	} {
		s, e := settled(t, row.s)
		for first := 0; first < s.Games; first += s.Seats {
			where := map[int]map[int]int{}
			seeds := map[game.Seed]bool{}
			for number := first; number < first+s.Seats; number++ {
				f := s.fixture(e, number)
				seeds[f.seed] = true
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
			if len(seeds) != map[bool]int{true: 1, false: s.Seats}[row.sharedDeal] {
				t.Errorf("%s: %d deals in a block of %d games; one deal for all is %v", s.Game, len(seeds), s.Seats, row.sharedDeal)
			}
		}
	}
}

func TestWithoutRotationEverybodyKeepsTheSeatAndEveryDealIsNew(t *testing.T) {
	s, e := settled(t, Series{Game: "molemajority", Bots: []string{"greedy", "random"}, Seats: 3, Games: 5})
	seeds := map[game.Seed]bool{}
	for number := range s.Games {
		f := s.fixture(e, number)
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
		pairs := row.seats * (row.seats - 1) / 2
		s, e := settled(t, Series{Game: row.name, Bots: []string{"greedy", "random"}, Seats: row.seats, Games: 2 * pairs, Test: &Test{
			Elo0:       0,
			Elo1:       30,
			Alpha:      .05,
			Beta:       .05,
			Normalised: false,
		}})
		met := map[[2]int]int{}
		for k := range pairs {
			a, b := s.fixture(e, 2*k), s.fixture(e, 2*k+1)
			x, y := slices.Index(a.players, 0), slices.Index(a.players, 1)
			met[[2]int{min(x, y), max(x, y)}]++
			if b.players[x] != 1 || b.players[y] != 0 {
				t.Errorf("%s: pair %d is %v and %v, want the first two changed", row.name, k, a.players, b.players)
			}
			if shared := a.seed == b.seed; shared != (row.name == "molehill") {
				t.Errorf("%s: pair %d: one deal for both is %v; want that where nothing is hidden", row.name, k, shared)
			}
		}
		if len(met) != pairs {
			t.Errorf("%s: %d of %d pairs of seats used", row.name, len(met), pairs)
		}
	}
}

func TestSeriesThatMakeNoSenseAreRefused(t *testing.T) {
	e, _ := catalog.Find("demol")
	good := Series{Bots: []string{"greedy", "random"}, Games: 2, LimitMS: 1000}
	for name, change := range map[string]func(s *Series){
		"too few seats":  func(s *Series) { s.Seats = 4 },
		"too many seats": func(s *Series) { s.Seats = 11 },
		"too many bots":  func(s *Series) { s.Seats = 5; s.Bots = make([]string, 6) },
		"no bot":         func(s *Series) { s.Bots = nil },
		"no games":       func(s *Series) { s.Games = 0 },
		"half a pair": func(s *Series) {
			s.Games, s.Test = 3, &Test{
				Elo0:       0,
				Elo1:       30,
				Alpha:      .05,
				Beta:       .05,
				Normalised: false,
			}
		},
		"a test of three": func(s *Series) {
			s.Bots, s.Test = make([]string, 3), &Test{
				Elo0:       0,
				Elo1:       30,
				Alpha:      .05,
				Beta:       .05,
				Normalised: false,
			}
		},
		"a test of no sense": func(s *Series) {
			s.Test = &Test{
				Elo0:       30,
				Elo1:       0,
				Alpha:      .05,
				Beta:       .05,
				Normalised: false,
			}
		},
		"no time":             func(s *Series) { s.LimitMS = 0 },
		"unknown key":         func(s *Series) { s.Config = []byte(`{"dragons":1}`) },
		"config is no object": func(s *Series) { s.Config = []byte(`[]`) },
	} {
		s := good
		change(&s)
		if err := s.Settle(e); !errors.Is(err, command.ErrUsage) {
			t.Errorf("%s: got %v, want %v", name, err, command.ErrUsage)
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

func TestOnlyThisMachineIsCalledUnlessPublicAddressesAreAllowed(t *testing.T) {
	for _, public := range []bool{false, true} {
		r, err := Open(Options{Public: public, Random: zeros{}})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range []struct {
			arg           string
			local, public bool // allowed
		}{
			{"greedy", true, true},
			{"genius", false, false},
			{"", false, false},
			{"http://127.0.0.1:8000/", true, true},
			{"http://[::1]:8000/", true, true},
			{"http://localhost:8000", true, true},
			{"http://127.0.0.1:22/", false, false},
			{"https://bot.example.org/", false, true},
			{"https://93.184.215.14/", false, true},
			{"http://93.184.215.14:8000/", false, false},
			{"http://10.0.0.1:8000/", false, false},
			{"http://169.254.169.254/", false, false},
			{"http://[fd00:ec2::254]/", false, false},
			{"http://0.0.0.0:8000/", false, false},
			{"ftp://127.0.0.1:8000/", false, false},
			{"http://user@127.0.0.1:8000/", false, false},
		} {
			want := map[bool]bool{false: row.local, true: row.public}[public]
			if err := r.check(row.arg, "molehill"); (err == nil) != want || err != nil && !errors.Is(err, command.ErrUsage) {
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
	if _, err := Open(Options{Secret: "x"}); err == nil {
		t.Error("a secret that is none was taken")
	}
}

func TestTheNamesOfAFieldAreAllDifferent(t *testing.T) {
	r, err := Open(Options{Random: zeros{}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	s, _ := settled(t, Series{Game: "cia", Bots: []string{"random", "greedy", "random"}, Seats: 5, Games: 1})
	field, err := r.Field(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, b := range field {
		names = append(names, b.Name)
	}
	if got, want := fmt.Sprint(names), "[random greedy random#2 random (fill)]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
