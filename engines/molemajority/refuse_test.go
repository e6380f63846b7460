package molemajority

import (
	"fmt"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/svg"
	"github.com/molerun/molerun/internal/gametest"
)

// refusal is a change of a view, and the words with which StateFromView refuses it; none: it is taken.
type refusal struct {
	name string
	edit func(v *View)
	want string
}

func runRefusals(t *testing.T, what string, s *State, seat game.Seat, rows []refusal) {
	t.Helper()
	c := Rules{}.Defaults()
	for _, x := range rows {
		v := Rules{}.View(s, seat)
		x.edit(&v)
		var out State
		err := Rules{}.StateFromView(c, int(s.Seats), seat, v, &out, game.Stream(gametest.Seed(1), 0, "refusal"))
		if x.want == "" && err != nil || x.want != "" && (err == nil || !strings.Contains(err.Error(), x.want)) {
			t.Errorf("%s, %s: want a refusal with %q, got %v", what, x.name, x.want, err)
		}
	}
}

// setUpTo plays the first of every list for so many decisions of a set-up for three.
func setUpTo(steps int) *State {
	s := new(State)
	r := game.Stream(gametest.Seed(4), 0, "set-up")
	Rules{}.Deal(s, Rules{}.Defaults(), 3, r, nil)
	for range steps {
		Rules{}.Apply(s, []game.Act[Action]{{Seat: s.Active, Action: listOf(s, s.Active)[0]}}, r, nil)
	}
	return s
}

// based returns the first hex of a view that a seat claims.
func based(v *View, seat game.Seat) *hexView {
	for i := range v.Hexes {
		if x := &v.Hexes[i]; x.Claim != nil && *x.Claim == seat {
			return x
		}
	}
	panic("no such hex")
}

func active(seat game.Seat) func(*View) { return func(v *View) { v.Active = &seat } }

func tile(size int8) func(*View) { return func(v *View) { v.Tile = &size } }

// without returns the view without the hex at a place.
func without(name string) func(*View) {
	return func(v *View) {
		for i, x := range v.Hexes {
			if x.At == name {
				v.Hexes = append(v.Hexes[:i:i], v.Hexes[i+1:]...)
				return
			}
		}
	}
}

// fill gives all spaces of a seat's base to a seat, nil: to nobody.
func fill(base game.Seat, with *game.Seat) func(*View) {
	return func(v *View) {
		for i := range based(v, base).Spaces {
			based(v, base).Spaces[i] = with
		}
	}
}

func TestGuessHoldsTheSetUpAgainstItsOrder(t *testing.T) {
	as := func(*View) {}
	two := game.Seat(2)
	moved := func(to string) func(*View) { return func(v *View) { based(v, 0).At = to } }
	last := func(v *View) { based(v, 1).Spaces[5] = nil }
	homed := func(v *View) { v.Hexes[0].Home = true }
	claim := func(base, seat game.Seat) func(*View) { return func(v *View) { based(v, base).Claim = &seat } }
	runRefusals(t, "two of three Home Bases", setUpTo(2), 0, []refusal{
		{"as it is", as, ""},
		{"one too many for who is due", active(1), "/hexes: this is no board"},
		{"without the centre", without("0,0"), "/hexes: this is no board"},
		{"without a hex of the ring", without("1,0"), "/hexes: this is no board"},
		{"with a tile to be placed", tile(4), "/hexes: this is no board"},
		{"a home token", homed, "no home token"},
		{"a Home Base of a seat that has none yet", claim(1, 2), "a seat has a Home Base"},
		{"two of one seat", claim(1, 0), "a seat has a Home Base"},
		{"with five moles", last, "a seat has a Home Base"},
		{"with another's moles", fill(1, &two), "a seat has a Home Base"},
		{"where none fits", moved("2,-2"), "a seat has a Home Base"},
		{"of five spaces", func(v *View) { b := based(v, 1); b.Size, b.Spaces = 5, b.Spaces[:5] }, "a seat has a Home Base"},
		{"moles of a seat that has none yet", func(v *View) { v.Hexes[3].Spaces[0] = &two }, "a seat has a Home Base"},
		{"a turn", func(v *View) { v.Turn = 1 }, "/turn"},
		{"a Cave-In used", func(v *View) { v.Players[0].CaveIns = 3 }, "/edges"},
	})
	runRefusals(t, "three tiles placed", setUpTo(6), 0, []refusal{
		{"as it is", as, ""},
		{"another is due", active(0), "/hexes: 13 tiles do not go with seat 0"},
		{"a third is due", active(2), "/hexes: 13 tiles do not go with seat 2"},
		{"none to be placed", func(v *View) { v.Tile = nil }, "/hexes: this is no board"},
		{"of 3", tile(3), ""},
		{"of 6", tile(6), ""},
		{"of 2", tile(2), "/tile: want a size of 3 to 6"},
		{"of 7", tile(7), "/tile: want a size of 3 to 6"},
	})
	runRefusals(t, "the first tile", setUpTo(3), 0, []refusal{
		{"as it is", as, ""},
		{"a Home Base too few", without(based(ptr(Rules{}.View(setUpTo(3), 0)), 2).At), "/hexes"},
	})
	many := setUpTo(6)
	rows := []refusal{}
	for size := int8(minSize); size <= maxSize; size++ { // all tiles of one size: more than there are
		rows = append(rows, refusal{fmt.Sprintf("all of %d", size), func(v *View) {
			for i := range v.Hexes {
				if x := &v.Hexes[i]; x.Claim == nil {
					x.Size, x.Spaces = size, make([]*game.Seat, size)
				}
			}
		}, fmt.Sprintf("there are not so many tiles of size %d", size)})
	}
	runRefusals(t, "tiles", many, 0, rows)
}

func ptr[T any](x T) *T { return &x }

// TestGuessHoldsWhatIsStillDueAgainstTheCards: seat 0 claims two hexes with room, seat 1's moles and pile are near.
func TestGuessHoldsWhatIsStillDueAgainstTheCards(t *testing.T) {
	table := func(action Card, stacked bool, top ...Card) *State {
		b := newBoard(t, ``, 2, func(b *board) {
			b.at("1,1:A|aa.... 1,0:A|ab.. 0,1:-|bb..")
			b.hand(0, Number4)
			b.hand(1, Number4)
			deal := func(seat int, pile ...Card) { // the rest of the deck of the base game, by what lies on the pile
				left := Rules{}.Defaults().Deck
				left[Number4]--
				for _, c := range pile {
					left[c]--
				}
				var deck []Card
				for c, n := range left {
					for range n {
						deck = append(deck, Card(c))
					}
				}
				b.deck(seat, deck...)
				b.junk(seat, pile...)
			}
			deal(0, top...)
			deal(1, Number3)
			b.Homed = b.Tiles &^ (b.Claimed[0] | b.Claimed[1])
			for m := b.Homed; m != 0; m &= m - 1 {
				b.Home[m.Lowest()] = 2
			}
		})
		left := homeTokens{8, 8, 8}
		left[1] -= b.Homed.Len()
		extra := 2
		b.Pile, b.PileN = [maxHomes]int8{}, 0
		for _, name := range []string{"2,0", "-2,0", "0,2", "0,-2"} { // the tiles that two seats place
			b.at(name + ":-|...")
			h, _ := hexOf(name)
			b.Homed |= 1 << h
			b.Home[h] = int8(1 + extra%2)
			left[extra%2]--
			extra++
		}
		for i, n := range left {
			for range n {
				b.Pile[b.PileN] = int8(i + 1)
				b.PileN++
			}
		}
		b.Played, b.Stacked = action, stacked
		return &b.State
	}
	for _, x := range []struct {
		name    string
		action  Card
		stacked bool
		top     []Card
		fits    []Part // each alone taken
		wrong   []Part // each alone refused
	}{
		{"number_3", Number3, false, []Card{Number3}, []Part{{DoStep, 1}, {DoStep, 3}}, []Part{{DoStep, 0}, {DoStep, 4}, {DoStep, -1}, {DoBreed, 1}, {DoRoll, 1}, {DoSwap, 1}, {DoConvert, 1}, {DoMove, 1}}},
		{"number_2", Number2, false, []Card{Number2}, []Part{{DoBreed, 1}}, []Part{{DoBreed, 2}, {DoStep, 1}, {DoBreed, 0}}},
		{"convert", Convert, false, []Card{Convert}, []Part{{DoConvert, 1}}, []Part{{DoConvert, 2}, {DoBreed, 1}, {DoMove, 1}}},
		{"groundskeeper_2", Groundskeeper2, false, []Card{Groundskeeper2}, []Part{{DoBreed, 2}, {DoBreed, 1}}, []Part{{DoBreed, 3}, {DoRoll, 1}, {DoNumber, 1}}},
		{"nothing played", noCard, false, nil, nil, []Part{{DoStep, 1}, {DoBreed, 1}}},
		{"stacked only", noCard, true, []Card{GopherIt}, []Part{{DoBreed, 2}, {DoBreed, 1}, {DoMove, 1}}, []Part{{DoMove, 2}, {DoBreed, 3}, {DoBreed, 0}, {DoConvert, 1}, {DoStep, 1}, {DoSwap, 1}, {DoSpecial, 1}, {DoRoll, 2}}},
		{"stacked on a convert", Convert, true, []Card{Convert, Convert}, []Part{{DoConvert, 1}, {DoBreed, 1}, {DoMove, 1}}, []Part{{DoConvert, 2}, {DoConvert, 0}, {DoStep, 1}, {DoMove, 2}}},
		{"stacked on a number_3", Number3, true, []Card{Number3, Convert}, []Part{{DoBreed, 1}, {DoBreed, 2}, {DoMove, 1}}, []Part{{DoConvert, 1}, {DoStep, 3}}},
	} {
		var rows []refusal
		for want, list := range map[string][]Part{"": x.fits, "/pending": x.wrong} {
			for _, p := range list {
				rows = append(rows, refusal{fmt.Sprintf("%s %d", p.Do, p.Left), func(v *View) { v.Pending = []partView{{p.Do.String(), p.Left}} }, want})
			}
		}
		rows = append(rows, refusal{"nothing left", func(*View) {}, ""})
		runRefusals(t, x.name, table(x.action, x.stacked, x.top...), 0, rows)
	}
	two := func(first, second Part) func(*View) {
		return func(v *View) {
			v.Pending = []partView{{first.Do.String(), first.Left}, {second.Do.String(), second.Left}}
		}
	}
	breed := Part{DoBreed, 1}
	runRefusals(t, "groundskeeper_1", table(Groundskeeper1, false, Groundskeeper1, Number4), 0, []refusal{
		{"the number to choose", two(Part{DoNumber, 1}, breed), ""},
		{"a roll", two(Part{DoRoll, 4}, breed), ""},
		{"a roll of 1", two(Part{DoRoll, 1}, breed), ""},
		{"the longest roll", two(Part{DoRoll, 44}, breed), ""},
		{"a longer roll", two(Part{DoRoll, 45}, breed), "/pending"},
		{"a roll of 0", two(Part{DoRoll, 0}, breed), "/pending"},
		{"two numbers", two(Part{DoNumber, 2}, breed), "/pending"},
		{"more to breed", two(Part{DoRoll, 4}, Part{DoBreed, 2}), "/pending"},
	})
	runRefusals(t, "number_2 whole", table(Number2, false, Number2), 0, []refusal{
		{"two steps and a breed", two(Part{DoStep, 2}, breed), ""},
		{"a roll and a breed", two(Part{DoRoll, 2}, breed), "/pending"},
		{"two steps and a move", two(Part{DoStep, 2}, Part{DoMove, 1}), "/pending"},
	})
	runRefusals(t, "convert with two parts", table(Convert, false, Convert), 0, []refusal{
		{"a convert and a breed", two(Part{DoConvert, 1}, breed), "/pending"},
	})
	runRefusals(t, "a roll with a Convert stacked", table(Groundskeeper1, true, Groundskeeper1, Number4, Convert), 0, []refusal{
		{"a longer roll", two(Part{DoRoll, 5}, breed), ""},
		{"the number again", two(Part{DoNumber, 1}, breed), "/pending"},
	})
	swap := two(Part{DoSwap, 1}, breed)
	runRefusals(t, "gopher_it", table(GopherIt, false, Number3, GopherIt), 0, []refusal{
		{"to swap", swap, ""},
		{"to swap twice", two(Part{DoSwap, 2}, breed), "/pending"},
	})
	runRefusals(t, "gopher_it beneath", table(GopherIt, false, GopherIt, Number3), 0, []refusal{{"to swap", swap, "/pending"}, {"to breed", func(v *View) { v.Pending = []partView{{"breed", 1}} }, ""}})
	runRefusals(t, "gopher_it gone", table(GopherIt, false), 0, []refusal{{"to swap", swap, "/pending"}})
}

// TestNumbersOfAnActionHaveBounds on the wire.
func TestNumbersOfAnActionHaveBounds(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"convert","at":"0,0","victim":3}`:                                "",
		`{"type":"convert","at":"0,0","victim":4}`:                                "wants 0 to 3, not 4",
		`{"type":"convert","at":"0,0","victim":-1}`:                               "wants 0 to 3, not -1",
		`{"type":"swap","seat":3,"card":"number_4"}`:                              "",
		`{"type":"swap","seat":4,"card":"number_4"}`:                              "wants 0 to 3, not 4",
		`{"type":"breed","at":"0,0","space":5}`:                                   "",
		`{"type":"breed","at":"0,0","space":6}`:                                   "wants 0 to 5, not 6",
		`{"type":"move","from":"0,0","to":"1,0","from_space":5}`:                  "",
		`{"type":"move","from":"0,0","to":"1,0","from_space":6}`:                  "wants 0 to 5, not 6",
		`{"type":"roll","at":"0,0","space":5,"direction":"cw","count":6}`:         "",
		`{"type":"roll","at":"0,0","space":5,"direction":"cw","count":7}`:         "wants 1 to 6, not 7",
		`{"type":"roll","at":"0,0","space":5,"direction":"cw","count":0}`:         "wants 1 to 6, not 0",
		`{"type":"roll","at":"0,0","direction":"cw","count":1}`:                   "/space",
		`{"type":"convert","at":"0,0","victim":1,"space":0}`:                      "",
		`{"type":"move","from":"0,0","to":"1,0","space":0}`:                       "",
		`{"type":"cave_in","edges":["0,0/1,0","0,0/0,1"],"space":0}`:              "/space",
		`{"type":"roll","at":"0,0","space":0,"direction":"cw","count":1,"to":""}`: "/to",
	} {
		var a Action
		err := a.UnmarshalJSON([]byte(text))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(fmt.Sprintf("%v %+v", err, err), want)) {
			t.Errorf("%s: want a refusal with %q, got %v", text, want, err)
		}
	}
}

// TestCountsOfAConfigurationHaveBounds; of several keys that are none the first by name is reported.
func TestCountsOfAConfigurationHaveBounds(t *testing.T) {
	for _, x := range []struct{ text, want string }{
		{`{"6":40}`, ""},
		{`{"6":41}`, "wants 0 to 40, not 41"},
		{`{"6":-1}`, "wants 0 to 40, not -1"},
		{`{"9":1,"2":1,"8":1,"12":1,"7":1}`, "/12"},
		{`{"9":1,"3":4,"8":1,"7":1}`, "/7"},
	} {
		for range 10 {
			var tiles Tiles
			err := tiles.UnmarshalJSON([]byte(x.text))
			if x.want == "" && err != nil || x.want != "" && (err == nil || !strings.Contains(err.Error(), x.want)) {
				t.Fatalf("%s: want a refusal with %q, got %v", x.text, x.want, err)
			}
		}
	}
}

// TestDeedsOutsideTheBoardAreRefused, however they came about.
func TestDeedsOutsideTheBoardAreRefused(t *testing.T) {
	for _, x := range []struct {
		name string
		part Do
		a    Action
		want string
	}{
		{"a hex below all", DoStep, Action{Kind: ActBreed, At: -1}, "no such hex or seat"},
		{"a hex above all", DoStep, Action{Kind: ActBreed, At: hexes}, "no such hex or seat"},
		{"a target below all", DoStep, Action{Kind: ActMove, At: 9, To: -1}, "no such hex or seat"},
		{"a target above all", DoStep, Action{Kind: ActMove, At: 9, To: hexes}, "no such hex or seat"},
		{"a victim below all", DoConvert, Action{Kind: ActConvert, At: 9, Seat: -1}, "no such hex or seat"},
		{"a victim above all", DoConvert, Action{Kind: ActConvert, At: 9, Seat: MaxSeats}, "no such hex or seat"},
		{"an edge below all", DoSpecial, Action{Kind: ActCaveIn, Edges: [2]int8{-1, 5}}, "want two different edges"},
		{"an edge above all", DoSpecial, Action{Kind: ActCaveIn, Edges: [2]int8{5, edges}}, "want two different edges"},
		{"one edge twice", DoSpecial, Action{Kind: ActCaveIn, Edges: [2]int8{5, 5}}, "want two different edges"},
		{"a card below all", DoSwap, Action{Kind: ActSwap, Seat: 1, Card: -1}, "not among the top three"},
		{"a card above all", DoSwap, Action{Kind: ActSwap, Seat: 1, Card: noCard}, "not among the top three"},
		{"no space to roll from", DoRoll, Action{Kind: ActRoll, At: 9, Count: 1}, "no mole is there"},
		{"a space beyond the hex", DoRoll, Action{Kind: ActRoll, At: 9, Space: 5, Count: 1}, "no mole is there"},
		{"a card of the hand below all", DoNothing, Action{Kind: ActPlay, Card: -1}, "not in the hand"},
		{"a card of the hand above all", DoNothing, Action{Kind: ActPlay, Card: noCard}, "not in the hand"},
		{"a stacked card below all", DoNothing, Action{Kind: ActStack, Card: -1, As: asBreed}, "not in the hand"},
	} {
		b := newBoard(t, ``, 2, func(b *board) { b.junk(1, Number3) })
		if x.part != DoNothing {
			b.Played, b.PartN, b.Parts[0] = Number4, 1, Part{x.part, 3}
		}
		if err := (Rules{}).Legal(&b.State, 0, x.a); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: want a refusal with %q, got %v", x.name, x.want, err)
		}
	}
	b := newBoard(t, `{"choose_spaces":true}`, 2, func(b *board) { b.hand(0, Number4); b.at("1,0:-|.bb.") })
	b.Play(t, "0 play number_4", `0 {"type":"move","from":"1,1","to":"1,0","from_space":0,"space":2} | space: 2 of 1,0 is not free`)
}

// TestWordsOfWhatIsDue: between cards it reports whether one has been used.
func TestWordsOfWhatIsDue(t *testing.T) {
	action := "number_3"
	for want, list := range map[string][]View{
		"Cards can be stacked, or the turn ended.":       {{Phase: "play", Stacked: true}, {Phase: "play", Action: &action}, {Phase: "play", Action: &action, Stacked: true}},
		"Cards are to be played, or the hand discarded.": {{Phase: "play"}},
		"A tile of 4 spaces is to be placed.":            {{Phase: "place_tile", Tile: ptr(int8(4))}},
		"To be done of the card: step 2, then breed 1.":  {{Phase: "play", Action: &action, Pending: []partView{{"step", 2}, {"breed", 1}}}},
		"The next Home Base is to be placed.":            {{Phase: "place_home"}},
		"The match is over.":                             {{Phase: "over"}},
	} {
		for _, v := range list {
			if got := status(v); got != want {
				t.Errorf("%+v: got %q, want %q", v, got, want)
			}
		}
	}
}

// TestALongHandIsDrawnInRowsOfFour, and a seat that no board has is nobody's.
func TestALongHandIsDrawnInRowsOfFour(t *testing.T) {
	b := newBoard(t, `{"hand":10}`, 2, func(b *board) {
		b.hand(0, Number4, Number4, Number4, Number4, Number4, Number4, Number4)
	})
	drawing := string(Rules{}.Draw(Rules{}.View(&b.State, 0), nil))
	for column, want := range []int{2, 2, 2, 1} {
		x := margin + column*(cardWide+12)
		if got := strings.Count(drawing, fmt.Sprintf(`<rect x="%d" y=`, x)) - strings.Count(drawing, fmt.Sprintf(`<rect x="%d" y="%d" width="%d" height="%d"`, x, playerTop, svg.Width/2-3*margin/2, playerTal)); got != want {
			t.Errorf("column %d: got %d cards, want %d", column, got, want)
		}
	}
	for seat, want := range map[game.Seat]game.Seat{-1: game.Spectator, 0: 0, MaxSeats - 1: MaxSeats - 1, MaxSeats: game.Spectator} {
		if got := seatOf(&seat); got != want {
			t.Errorf("seat %d is drawn as %d, want %d", seat, got, want)
		}
	}
}
