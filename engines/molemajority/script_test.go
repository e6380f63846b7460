package molemajority

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
)

// board is a table under test: a state, and the events so far.
type board struct {
	State
	r    *game.Rand
	told game.Log[Event]
}

// newBoard sets up a table in seat 0's first turn. The centre and the ring have four empty spaces and a home token of 2
// each; the Home Bases are 1,1 (seat 0), -1,-1 (1), 2,-1 (2) and -2,1 (3). Everybody holds a number_4 over a deck of five
// number_3; the discard piles are empty, the unused tokens are a 1 and, on top, a 3. edit changes that.
func newBoard(t *testing.T, config string, seats int, edit func(*board)) *board {
	t.Helper()
	c, err := readConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := (Rules{}).Validate(c, seats); err != nil {
		t.Fatal(err)
	}
	b := &board{r: game.Stream(game.Seed{7}, 0, "board")}
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

func readConfig(config string) (Config, error) {
	c := Rules{}.Defaults()
	if config == "" {
		return c, nil
	}
	return c, strict.Merge([]byte(config), &c)
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

// wire writes an action given in short; anything that starts with { is JSON already.
func wire(short string) string {
	if strings.HasPrefix(short, "{") {
		return short
	}
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

// read returns the action of seat, if it is due and the action is legal.
func (b *board) read(seat game.Seat, short string) (a Action, err error) {
	if !(Rules{}).Due(&b.State).Has(seat) {
		return a, fmt.Errorf("seat %d is not due", seat)
	}
	if err := a.UnmarshalJSON([]byte(wire(short))); err != nil {
		return a, err
	}
	return a, Rules{}.Legal(&b.State, seat, a)
}

// play plays lines like "0 play number_3". "0 done | words" is a line that must be refused with those words.
func (b *board) play(t *testing.T, lines ...string) {
	t.Helper()
	for _, line := range lines {
		line, refusal, refused := strings.Cut(line, " | ")
		seat, _ := strconv.Atoi(line[:1])
		a, err := b.read(game.Seat(seat), line[2:])
		if offered := b.offers(game.Seat(seat), a); err == nil && !offered {
			t.Fatalf("%s: it is legal and not on the list", line)
		}
		switch {
		case refused && (err == nil || !strings.Contains(err.Error(), refusal)):
			t.Fatalf("%s: want a refusal with %q, got %v", line, refusal, err)
		case !refused && err != nil:
			t.Fatalf("%s: %v", line, err)
		case !refused:
			Rules{}.Apply(&b.State, []game.Act[Action]{{Seat: game.Seat(seat), Action: a}}, b.r, &b.told)
		}
	}
}

func (b *board) offers(seat game.Seat, a Action) bool {
	for _, x := range listOf(&b.State, seat) {
		if x == a {
			return true
		}
	}
	return false
}

// listOf returns what a due seat is offered.
func listOf(s *State, seat game.Seat) []Action {
	var o game.Offer[Action]
	Rules{}.Offer(s, seat, &o)
	return o.List
}

// fact tells what a test may want to know of a table.
func (b *board) fact(key string) string {
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
	case "due":
		return strings.Trim(string((Rules{}).Due(&b.State).AppendJSON(nil)), "[]")
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
	case "why":
		return Rules{}.Result(&b.State).Why
	case "rank":
		return strings.Trim(fmt.Sprint(Rules{}.Result(&b.State).Rank), "[]")
	case "points":
		return strings.Trim(fmt.Sprint(Rules{}.Result(&b.State).Points), "[]")
	case "list": // the actions offered, in order
		var words []string
		for _, a := range listOf(&b.State, b.Active) {
			words = append(words, a.Kind.String())
		}
		return strings.Join(words, ",")
	case "told": // how often an event of this kind was told to all
		n := 0
		for _, note := range b.told.Notes {
			text, _ := json.Marshal(note.Event)
			if note.For == game.All && strings.HasPrefix(string(text), `{"kind":"`+rest+`"`) {
				n++
			}
		}
		return strconv.Itoa(n)
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

// row is one case of the rules: what is set up, what is played, and what is so afterwards ("1,0: A|aab.; moles.0: 24").
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
		t.Run(x.name, func(t *testing.T) {
			b := newBoard(t, x.config, max(x.seats, 2), x.edit)
			b.play(t, x.play...)
			for _, fact := range strings.Split(x.want, ";") {
				key, want, _ := strings.Cut(strings.TrimSpace(fact), ":")
				if got := b.fact(key); got != strings.TrimSpace(want) {
					t.Errorf("%s: want %q, got %q", key, strings.TrimSpace(want), got)
				}
			}
		})
	}
}
