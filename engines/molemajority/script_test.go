package molemajority

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

// board is a table under test: a state, and the events so far.
type board struct {
	State
	gametest.Script[Config, State, Action, View, Event]
}

// newBoard sets up a table in seat 0's first turn. The centre and the ring have four empty spaces and a home token of 2
// each; the Home Bases are 1,1 (seat 0), -1,-1 (1), 2,-1 (2) and -2,1 (3). Everybody holds a number_4 over a deck of five
// number_3; the discard piles are empty, the unused tokens are a 1 and, on top, a 3. edit changes that.
func newBoard(t *testing.T, config string, seats int, edit func(*board)) *board {
	t.Helper()
	seats = max(seats, minSeats)
	c, err := gametest.ConfigOf(Rules{}, gametest.Case{Config: config, Seats: seats})
	must.OK(t, err)
	b := &board{}
	b.Rules, b.At, b.Luck, b.Wire = Rules{}, &b.State, game.Stream(game.Seed{7}, 0, "board"), wire
	b.start(c, seats)
	b.Stack, b.Tiled = [maxTiles]int8{}, 0
	b.Phase, b.Turn = PhasePlay, 1
	b.at("0,0:-|.... 1,0:-|.... 0,1:-|.... -1,1:-|.... -1,0:-|.... 0,-1:-|.... 1,-1:-|....")
	b.Homed = b.Tiles
	for m := b.Homed; m != 0; m &= m - 1 {
		b.Home[m.Lowest()] = 2
	}
	b.Pile, b.PileN = [maxHomes]int8{1, 3}, 2
	for seat, at := range []string{"1,1:A|aaaaaa", "-1,-1:B|bbbbbb", "2,-1:C|cccccc", "-2,1:D|dddddd"}[:seats] {
		b.at(at)
		b.hand(seat, Number4)
		b.deck(seat, Number3, Number3, Number3, Number3, Number3)
	}
	if edit != nil {
		edit(b)
	}
	return b
}

func (b *board) hand(seat int, cards ...Card) {
	b.Hand[seat], b.HandN[seat] = Counts{}, int8(len(cards))
	for _, c := range cards {
		b.Hand[seat][c]++
	}
}

func (b *board) deck(seat int, topLast ...Card) {
	b.Deck[seat] = [maxDeck]Card{}
	b.DeckN[seat] = int8(copy(b.Deck[seat][:], topLast))
}

func (b *board) junk(seat int, topLast ...Card) {
	b.Junk[seat] = [maxDeck]Card{}
	b.JunkN[seat] = int8(copy(b.Junk[seat][:], topLast))
}

// at sets hexes: "1,0:A|ab.." is claimed by seat 0, with moles of seats 0 and 1 and two free spaces; "-" is no claim. What
// was there goes back to the supplies.
func (b *board) at(words string) {
	for _, word := range strings.Fields(words) {
		name, what, _ := strings.Cut(word, ":")
		h, ok := hexOf(name)
		if !ok {
			panic(word)
		}
		for i := range b.Size[h] {
			if b.Space[h][i] != 0 {
				b.Moles[b.lift(h, i)]++
			}
		}
		if owner := b.Owner(h); owner >= 0 {
			b.Claimed[owner] &^= 1 << h
			b.Claims[owner]++
		}
		claim, spaces, _ := strings.Cut(what, "|")
		b.lay(h, int8(len(spaces)))
		for i, c := range spaces {
			if c != '.' {
				b.put(game.Seat(c-'a'), h, int8(i))
				b.Moles[c-'a']--
			}
		}
		if claim != "-" {
			b.Claimed[claim[0]-'A'] |= 1 << h
			b.Claims[claim[0]-'A']--
		}
	}
}

func (b *board) walls(names ...string) {
	for _, name := range names {
		e, ok := edgeOf(name)
		if !ok {
			panic(name)
		}
		b.Walls |= 1 << e
	}
}

// wire writes an action given in short.
func wire(short string) string {
	w := strings.Fields(short)
	key := func(names ...string) string {
		var out strings.Builder
		for i, name := range names {
			value := strconv.Quote(w[i+1])
			if slices.Contains([]string{"victim", "seat", "space", "count"}, name) {
				value = w[i+1]
			}
			fmt.Fprintf(&out, `,%q:%s`, name, value)
		}
		return fmt.Sprintf(`{"type":%q%s}`, w[0], out.String())
	}
	switch w[0] {
	case "play":
		return key("card")
	case "stack":
		return key("card", "as")
	case "move":
		return key("from", "to")
	case "convert":
		return key("at", "victim")
	case "roll":
		return key("at", "space", "direction", "count")
	case "swap":
		return key("seat", "card")
	case "cave_in":
		return fmt.Sprintf(`{"type":"cave_in","edges":[%q,%q]}`, w[1], w[2])
	case "done", "discard_hand":
		return key()
	}
	return key("at")
}

// listOf returns what a due seat is offered.
func listOf(s *State, seat game.Seat) []Action {
	var o game.Offer[Action]
	Rules{}.Offer(s, seat, &o)
	return o.List
}

// Tell tells what a test may want to know of a table.
func (b *board) Tell(key string) string {
	if fact, common := b.Fact(key); common {
		return strings.Trim(fact, "[]")
	}
	name, rest, _ := strings.Cut(key, ".")
	seat, _ := strconv.Atoi(rest)
	who := game.Seat(seat)
	if h, ok := hexOf(key); ok {
		return b.hex(h)
	}
	num := func(n int8) string { return strconv.Itoa(int(n)) }
	switch name {
	case "phase":
		return b.Phase.String()
	case "turn":
		return strconv.Itoa(int(b.Turn))
	case "pending":
		var words []string
		for _, p := range b.Parts[:b.PartN] {
			words = append(words, fmt.Sprintf("%s %d", p.Do, p.Left))
		}
		return strings.Join(words, ",")
	case "moles":
		return num(b.Moles[seat])
	case "claims":
		return num(b.Claims[seat])
	case "caves":
		return num(b.CaveIns[seat])
	case "hand":
		return strings.Join(b.Hand[seat].words(), ",")
	case "discard":
		return strings.Join(game.WordsOf(b.Junk[seat][:b.JunkN[seat]]), ",")
	case "deck":
		return num(b.DeckN[seat])
	case "homes":
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(b.homes(who)), " ", ","), "[]")
	case "pile":
		return num(b.PileN)
	case "homed":
		return strconv.Itoa(b.Homed.Len())
	case "edges":
		return strings.Join(b.Walls.words(), " ")
	case "out":
		return num(b.Out[seat])
	case "known":
		return strings.Join(b.Trail[seat].Known.words(), ",")
	case "list": // the actions offered, in order
		var words []string
		for _, a := range listOf(&b.State, b.Active) {
			words = append(words, a.Kind.String())
		}
		return strings.Join(words, ",")
	}
	return "no fact " + key
}

// hex writes a hex as at reads it.
func (b *board) hex(h Hex) string {
	out := []byte("-|")
	if owner := b.Owner(h); owner >= 0 {
		out[0] = 'A' + byte(owner)
	}
	for i := range b.Size[h] {
		if seat := b.Space[h][i]; seat == 0 {
			out = append(out, '.')
		} else {
			out = append(out, 'a'+byte(seat-1))
		}
	}
	return string(out)
}

// row is a [gametest.Row] on a board.
type row struct {
	name   string
	config string
	seats  int
	edit   func(*board)
	play   []string
	want   string
}

func runRows(t *testing.T, rows []row) {
	t.Helper()
	for _, x := range rows {
		gametest.Row(t, x.name, func(t *testing.T) gametest.Scripted { return newBoard(t, x.config, x.seats, x.edit) }, x.play, x.want)
	}
}
