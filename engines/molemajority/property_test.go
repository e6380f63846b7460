package molemajority

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

// drawnState returns a state after some random steps of a random match.
func drawnState(t *rapid.T) (Config, State) {
	config := rapid.SampledFrom([]string{`{}`, `{"choose_spaces":true}`, smallDecks, oddBoard}).Draw(t, "config")
	seats := rapid.IntRange(minSeats, MaxSeats).Draw(t, "seats")
	c, err := gametest.ConfigOf(Rules{}, gametest.Case{Config: config, Seats: seats})
	must.OK(t, err)
	var s State
	r := game.Stream(gametest.Seed(rapid.IntRange(0, 1<<16).Draw(t, "seed")), 0, "property")
	Rules{}.Deal(&s, c, seats, r, nil)
	sim := game.Sim[Config, State, Action, View, Event]{Rules: Rules{}}
	for range rapid.IntRange(0, 400).Draw(t, "steps") {
		if due := (Rules{}).Due(&s); due != 0 {
			sim.Step(&s, due, r)
		}
	}
	return c, s
}

// conserved tells which tokens, tiles or cards of a state are not those of the match.
func conserved(c Config, s *State) error {
	seats := int(s.Seats)
	tiles, homes, cards := c.Tiles, c.HomeTokens, Deck{}
	walls := 0
	for seat := range game.Seat(seats) {
		walls += c.CaveIns - int(s.CaveIns[seat])
		if got := s.BoardMoles(seat) + int(s.Moles[seat]); got != c.Moles {
			return fmt.Errorf("seat %d has %d moles of %d", seat, got, c.Moles)
		}
		if got := s.Claimed[seat].Len() + int(s.Claims[seat]); got != c.Claims {
			return fmt.Errorf("seat %d has %d claims of %d", seat, got, c.Claims)
		}
		if got := s.Hand[seat].sum() + s.DeckN[seat] + s.JunkN[seat]; int(got) != game.Sum(c.Deck[:]) || s.Hand[seat].sum() != s.HandN[seat] || s.HandN[seat] > s.FullHand {
			return fmt.Errorf("seat %d has %d cards of %d, %d in hand", seat, got, game.Sum(c.Deck[:]), s.HandN[seat])
		}
		for _, x := range slices.Concat(s.Deck[seat][:s.DeckN[seat]], s.Junk[seat][:s.JunkN[seat]]) {
			cards[x]++
		}
		for kind, n := range s.Hand[seat] {
			cards[kind] += int(n)
		}
		for i, n := range s.Homes[seat] {
			homes[i] -= int(n)
		}
	}
	for kind, n := range c.Deck {
		if cards[kind] != n*seats {
			return fmt.Errorf("%d cards %s of %d", cards[kind], Card(kind), n*seats)
		}
	}
	for m := s.Homed; m != 0; m &= m - 1 {
		homes[s.Home[m.Lowest()]-1]--
	}
	for _, value := range s.Pile[:s.PileN] {
		homes[value-1]--
	}
	if homes != (homeTokens{}) {
		return fmt.Errorf("home tokens too few or too many by value: %v", homes)
	}
	if s.Walls.Len() != walls || s.Walls&^s.edges() != 0 {
		return fmt.Errorf("%d Cave-Ins on the board, %d have left the supplies", s.Walls.Len(), walls)
	}
	return conservedTiles(tiles, s)
}

func conservedTiles(tiles Tiles, s *State) error {
	for m := s.Tiles; m != 0; m &= m - 1 {
		tiles[s.Size[m.Lowest()]-minSize]--
	}
	for _, size := range s.Stack[:s.Tiled] {
		tiles[size-minSize]--
	}
	if s.Tile != 0 {
		tiles[s.Tile-minSize]--
	}
	if s.Phase == PhaseHome {
		tiles[maxSize-minSize] -= int(s.Seats) - int(s.Active)
	}
	for i, n := range tiles {
		if n < 0 || s.Phase < PhasePlay && n != 0 {
			return fmt.Errorf("tiles of size %d: %d are missing", minSize+i, n)
		}
	}
	return nil
}

// consistent tells where the sets of a state do not say what the spaces say.
func consistent(s *State) error {
	claimed := Board(0)
	for h := range Hex(hexes) {
		var on [MaxSeats]int8
		free := false
		for i, x := range s.Space[h] {
			if x == 0 {
				free = free || int8(i) < s.Size[h]
			} else if int8(i) >= s.Size[h] {
				return fmt.Errorf("%s has a mole beside its spaces", h)
			} else {
				on[x-1]++
			}
		}
		if free != s.Free.Has(h) {
			return fmt.Errorf("%s: a free space is %v", h, free)
		}
		for seat, n := range on {
			if n != s.On[seat][h] || n > 0 != s.Occupied[seat].Has(h) {
				return fmt.Errorf("%s has %d moles of seat %d", h, n, seat)
			}
		}
	}
	for seat := range game.Seat(s.Seats) {
		if s.Claimed[seat]&(claimed|^s.Tiles|^s.moled()) != 0 {
			return fmt.Errorf("seat %d claims a hex twice, without a tile or without moles", seat)
		}
		claimed |= s.Claimed[seat]
		if s.Phase >= PhasePlay && (s.Claimed[seat] == 0) != (s.Out[seat] != 0) {
			return fmt.Errorf("seat %d: out is %d", seat, s.Out[seat])
		}
	}
	return nil
}

func TestNothingAppearsOrVanishes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, s := drawnState(t)
		must.OK(t, conserved(c, &s))
		must.OK(t, consistent(&s))
		Rules{}.Resample(&s, game.Seat(rapid.IntRange(-1, int(s.Seats)-1).Draw(t, "seat")), game.Stream(game.Seed{}, 0, "twin"))
		if err := conserved(c, &s); err != nil {
			t.Fatalf("after Resample: %v", err)
		}
	})
}

// everyAction returns every action that can be written, legal or not.
func everyAction(choose bool) (out []Action) {
	add := func(a Action) { out = append(out, a) }
	for c := range noCard {
		add(Action{Kind: ActPlay, Card: c})
		for as := asBreed; as <= asConvert; as++ {
			add(Action{Kind: ActStack, Card: c, As: as})
		}
		for seat := range game.Seat(MaxSeats) {
			add(Action{Kind: ActSwap, Seat: seat, Card: c})
		}
	}
	spaces, leaves := int8(0), int8(0)
	if choose {
		spaces, leaves = maxSize, maxSize
	}
	for h := range Hex(hexes) {
		add(Action{Kind: ActPlaceHome, At: h})
		add(Action{Kind: ActPlaceTile, At: h})
		add(Action{Kind: ActMakeHome, At: h})
		for space := range spaces + 1 {
			add(Action{Kind: ActBreed, At: h, Space: space})
			for seat := range game.Seat(MaxSeats) {
				add(Action{Kind: ActConvert, At: h, Seat: seat, Space: space})
			}
			for to := range Hex(hexes) {
				for leave := range leaves + 1 {
					add(Action{Kind: ActMove, At: h, To: to, Space: space, Leave: leave})
				}
			}
		}
		for space := int8(1); space <= maxSize; space++ {
			for count := int8(1); count <= maxSize; count++ {
				add(Action{Kind: ActRoll, At: h, Space: space, Count: count})
				add(Action{Kind: ActRoll, At: h, Space: space, Count: count, Way: CCW})
			}
		}
	}
	for a := range int8(edges) {
		for b := a + 1; b < edges; b++ {
			add(Action{Kind: ActCaveIn, Edges: [2]int8{a, b}})
		}
	}
	return append(out, Action{Kind: ActDone}, Action{Kind: ActDiscardHand})
}

// The list is complete, has nothing twice, and every sample is on it.
func TestTheListIsExactlyWhatIsLegal(t *testing.T) {
	every := [2][]Action{everyAction(false), everyAction(true)}
	rapid.Check(t, func(t *rapid.T) {
		_, s := drawnState(t)
		due := (Rules{}).Due(&s)
		if due == 0 {
			return
		}
		seat := due.Lowest()
		listed := map[Action]bool{}
		for _, a := range listOf(&s, seat) {
			if listed[a] {
				t.Fatalf("%s is listed twice", a.AppendJSON(nil))
			}
			listed[a] = true
		}
		all := every[0]
		if s.Choose {
			all = every[1]
		}
		n := 0
		for _, a := range all {
			legal := Rules{}.Legal(&s, seat, a) == nil
			if legal != listed[a] {
				t.Fatalf("%s: legal %v, listed %v", a.AppendJSON(nil), legal, listed[a])
			}
			if legal {
				n++
			}
		}
		if n != len(listed) {
			t.Fatalf("%d of %d on the list can be written", n, len(listed))
		}
		r := game.Stream(game.Seed{1}, 0, "sample")
		for range 20 {
			if a := (Rules{}).Sample(&s, seat, r); !listed[a] {
				t.Fatalf("%s is drawn and not listed", a.AppendJSON(nil))
			}
		}
	})
}

// Every action listed is drawn at some time.
func TestEverySampleIsPossible(t *testing.T) {
	r := game.Stream(gametest.Seed(3), 0, "all")
	for _, config := range []string{`{}`, `{"choose_spaces":true}`, smallDecks} {
		c, err := gametest.ConfigOf(Rules{}, gametest.Case{Config: config, Seats: 3})
		must.OK(t, err)
		var s State
		Rules{}.Deal(&s, c, 3, r, nil)
		sim := game.Sim[Config, State, Action, View, Event]{Rules: Rules{}}
		seen := map[Do]bool{}
		for step := 0; s.Phase != PhaseOver; step++ {
			if !seen[s.Current()] || step%20 == 0 {
				seen[s.Current()] = true
				left := map[Action]bool{}
				for _, a := range listOf(&s, s.Active) {
					left[a] = true
				}
				for try := 0; try < 400_000 && len(left) > 0; try++ {
					delete(left, Rules{}.Sample(&s, s.Active, r))
				}
				for a := range left {
					t.Fatalf("%s is never drawn", a.AppendJSON(nil))
				}
			}
			sim.Step(&s, Rules{}.Due(&s), r)
		}
	}
}

// The network by brute force: a path found hex by hex, as the rule says it.
func TestMovesAreWhatTheRuleSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, s := drawnState(t)
		s.Walls = walls(rapid.Uint64().Draw(t, "walls")) & walls(rapid.Uint64().Draw(t, "fewer")) & s.edges()
		for seat := range game.Seat(s.Seats) {
			moves := false
			for from := range Hex(hexes) {
				want := slowTargets(&s, seat, from)
				if got := s.targets(seat, from); got != want {
					t.Fatalf("seat %d from %s: want %b, got %b", seat, from, want, got)
				}
				moves = moves || want != 0
			}
			if got := s.canMove(seat); got != moves {
				t.Fatalf("seat %d can move: want %t, got %t", seat, moves, got)
			}
		}
	})
}

// slowTargets follows the rules word by word.
func slowTargets(s *State, seat game.Seat, from Hex) (out Board) {
	mine := func(h Hex) bool { return s.firstOf(h, int8(seat)+1) >= 0 }
	claimed := func(h Hex) bool { return s.Owner(h) == seat }
	open := func(a, b Hex) bool {
		if grid.steps(a, b) != 1 || !s.Tiles.Has(a) || !s.Tiles.Has(b) {
			return false
		}
		e, ok := edgeOf(min(a, b).String() + "/" + max(a, b).String())
		return ok && (!s.PathNeeded || !s.Walls.has(e))
	}
	if !claimed(from) || !mine(from) {
		return 0
	}
	for to := range Hex(hexes) {
		inNetwork := claimed(to) || mine(to)
		for near := range Hex(hexes) {
			inNetwork = inNetwork || mine(near) && open(near, to)
		}
		room := s.Tiles.Has(to) && s.firstOf(to, 0) >= 0
		if to == from || !inNetwork || !room {
			continue
		}
		been := Board(1) << from
		var reach func(at Hex) bool
		reach = func(at Hex) bool {
			if open(at, to) {
				return true
			}
			for next := range Hex(hexes) {
				if !been.Has(next) && open(at, next) && (claimed(next) || mine(next)) {
					been |= 1 << next
					if reach(next) {
						return true
					}
				}
			}
			return false
		}
		if !s.PathNeeded || reach(from) {
			out |= 1 << to
		}
	}
	return out
}
