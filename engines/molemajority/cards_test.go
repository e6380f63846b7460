package molemajority

import "testing"

func TestCards(t *testing.T) { runRows(t, cardRows()) }

// room leaves spaces on the Home Base.
func room(cards ...Card) func(*board) {
	return func(b *board) { b.hand(0, cards...); b.at("1,1:A|aa.... 1,0:-|bb..") }
}

// cardRows are, for each card, its use, its stacking and each refusal.
func cardRows() []row {
	refuse := func(card, words string) []string { return []string{"0 play " + card + " | " + words} }
	notHeld := func(card string) row {
		return row{
			name:   card + ": not in hand",
			config: ``,
			seats:  2,
			edit:   room(),
			play:   []string{"0 play " + card + " | not in the hand", "0 stack " + card + " breed | not in the hand"},
			want:   "list: discard_hand",
		}
	}
	noStack := func(card string, c Card) row {
		return row{
			name:   card + ": does not stack",
			config: ``,
			seats:  2,
			edit:   room(c),
			play:   []string{"0 stack " + card + " breed | cannot be stacked as breed", "0 stack " + card + " move | cannot be stacked as move", "0 stack " + card + " roll | cannot be stacked as roll", "0 stack " + card + " convert | cannot be stacked as convert"},
			want:   "hand.0: " + card,
		}
	}
	onlyBreed := func(card string, c Card) row {
		return row{
			name:   card + ": stacks as breed only",
			config: ``,
			seats:  2,
			edit:   room(c),
			play:   []string{"0 stack " + card + " move | cannot be stacked as move", "0 stack " + card + " roll | cannot be stacked as roll", "0 stack " + card + " convert | cannot be stacked as convert"},
			want:   "hand.0: " + card,
		}
	}
	noRoom := func(card string, c Card) row {
		return row{
			name:   card + ": no stack without a place to breed",
			config: ``,
			seats:  2,
			edit:   func(b *board) { b.hand(0, c) },
			play:   []string{"0 stack " + card + " breed | cannot be stacked as breed"},
			want:   "hand.0: " + card,
		}
	}
	locked := func(c Card) func(*board) {
		return func(b *board) { b.hand(0, c); b.walls("1,0/1,1", "0,1/1,1"); b.CaveIns[0] = 0 }
	}
	rows := []row{
		{"number_4: four steps", ``, 2, room(Number4), []string{"0 play number_4", "0 breed 1,1", "0 move 1,1 1,0", "0 move 1,1 0,1", "0 breed 1,1"}, "1,1: A|aa....; 1,0: -|bba.; 0,1: -|a...; moles.0: 26; due: 1; discard.0: number_4"},
		{"number_4: no place to step", ``, 2, locked(Number4), refuse("number_4", "has no effect now"), "list: discard_hand"},
		{"number_3: three steps", ``, 2, room(Number3), []string{"0 play number_3", "0 breed 1,1", "0 breed 1,1", "0 breed 1,1"}, "1,1: A|aaaaa.; moles.0: 25; due: 1"},
		{"number_3: no place to step", ``, 2, locked(Number3), refuse("number_3", "has no effect now"), "list: discard_hand"},
		{"number_2: two steps, then a breed", ``, 2, room(Number2), []string{"0 play number_2", "0 move 1,1 0,1", "0 breed 1,1", "0 move 1,1 0,1 | what is to be done now is breed", "0 breed 1,1"}, "1,1: A|aaa...; due: 1"},
		{"number_2: no place to step", ``, 2, locked(Number2), refuse("number_2", "has no effect now"), "list: discard_hand"},
		{"number_2: stacked on an action", ``, 2, room(Number3, Number2), []string{"0 play number_3", "0 breed 1,1", "0 done", "0 stack number_2 breed", "0 breed 1,1"}, "1,1: A|aaaa..; due: 1; discard.0: number_3,number_2"},
		{"cave_in: two steps and walls", ``, 2, room(CaveIn), []string{"0 play cave_in", "0 breed 1,1", "0 breed 1,1", "0 cave_in 1,0/1,1 0,1/1,1"}, "edges: 0,1/1,1 1,0/1,1; homes.0: 3; due: 1"},
		{"cave_in: a home instead of walls", ``, 2, func(b *board) { b.hand(0, CaveIn); b.at("1,0:A|a...") }, []string{"0 play cave_in", "0 done", "0 make_home 1,0"}, "edges: ; homes.0: 2; caves.0: 4; due: 1"},
		{"cave_in: no place to step, no token, no home", ``, 2, locked(CaveIn), refuse("cave_in", "has no effect now"), "list: discard_hand"},
		{"cave_in: no edge off the board or of another's hex", ``, 2, room(CaveIn), []string{"0 play cave_in", "0 done", "0 cave_in 1,1/2,0 1,0/1,1 | between two tiles", "0 cave_in -1,-1/-1,0 1,0/1,1 | touches an own claimed hex"}, "pending: special 1"},
		{"convert: exchanges a mole", ``, 2, room(Convert), []string{"0 play convert", "0 convert 1,0 1"}, "1,0: -|ab..; moles.0: 27; moles.1: 23; due: 1"},
		{"convert: only one", ``, 2, room(Convert, Number3), []string{"0 play convert", "0 convert 1,0 1", "0 convert 1,0 1 | what is to be done now is nothing"}, "pending:"},
		{"convert: nobody in the network", ``, 2, func(b *board) { b.hand(0, Convert) }, refuse("convert", "has no effect now"), "list: stack,discard_hand"},
		{"convert: skipped", ``, 2, room(Convert), []string{"0 play convert", "0 done"}, "due: 1; 1,0: -|bb.."},
		{"convert: stacked as breed", ``, 2, room(Number3, Convert), []string{"0 play number_3", "0 done", "0 stack convert breed", "0 move 1,1 0,1 | what is to be done now is breed", "0 breed 1,1"}, "1,1: A|aaa...; due: 1"},
		{"convert: stacked as move", ``, 2, room(Number3, Convert), []string{"0 play number_3", "0 done", "0 stack convert move", "0 breed 1,1 | what is to be done now is move", "0 move 1,1 0,1"}, "1,1: A|a.....; due: 1"},
		{"convert: stacked as roll", ``, 2, room(Groundskeeper1, Number2, Convert), []string{"0 play groundskeeper_1", "0 play number_2", "0 stack convert roll", "0 roll -1,-1 0 cw 3", "0 done"}, "-1,-1: B|...bbb; due: 1"},
		{"convert: repeated on any target", ``, 2, func(b *board) { b.hand(0, Convert, Convert); b.at("1,0:-|b... 0,1:-|b...") }, []string{"0 play convert", "0 convert 1,0 1", "0 stack convert convert", "0 convert 0,1 1"}, "1,0: -|a...; 0,1: -|a...; due: 1"},
		{"convert: repeated by no other card", ``, 2, func(b *board) { b.hand(0, Convert, Number2); b.at("1,1:A|aa.... 1,0:-|bb..") }, []string{"0 play convert", "0 convert 1,0 1", "0 stack number_2 convert | cannot be stacked as convert"}, "list: stack,done"},
		{"convert: not repeated after another action", ``, 2, room(Number3, Convert), []string{"0 play number_3", "0 done", "0 stack convert convert | cannot be stacked as convert"}, "list: stack,stack,done"},
		{"convert: no place to breed or move", ``, 2, func(b *board) { b.hand(0, Convert); b.walls("1,0/1,1", "0,1/1,1") }, []string{"0 stack convert breed | cannot be stacked", "0 stack convert move | cannot be stacked"}, "list: discard_hand"},
		{"groundskeeper_1: number, roll, breed 1", ``, 2, room(Groundskeeper1, Number3), []string{"0 play groundskeeper_1", "0 play number_3", "0 roll -1,-1 0 cw 3", "0 breed 1,1"}, "-1,-1: B|...bbb; 1,1: A|aaa...; moles.1: 25; due: 1; discard.0: groundskeeper_1,number_3"},
		{"groundskeeper_1: the roll skipped", ``, 2, room(Groundskeeper1, Number3), []string{"0 play groundskeeper_1", "0 play number_3", "0 done", "0 done"}, "-1,-1: B|bbbbbb; due: 1"},
		{"groundskeeper_1: no number card", ``, 2, room(Groundskeeper1, Convert), refuse("groundskeeper_1", "has no effect now"), "hand.0: convert,groundskeeper_1"},
		{"groundskeeper_1: stacked", ``, 2, room(Number3, Groundskeeper1), []string{"0 play number_3", "0 done", "0 stack groundskeeper_1 breed", "0 breed 1,1"}, "1,1: A|aaa...; due: 1"},
		{"groundskeeper_2: number, roll, breed 2", ``, 2, room(Groundskeeper2, Number4), []string{"0 play groundskeeper_2", "0 play number_4", "0 roll -1,-1 2 ccw 4", "0 breed 1,1", "0 breed 1,1"}, "-1,-1: B|...bb.; 1,1: A|aaaa..; due: 1"},
		{"groundskeeper_2: no number card", ``, 2, room(Groundskeeper2, GopherIt), refuse("groundskeeper_2", "has no effect now"), "hand.0: groundskeeper_2,gopher_it"},
		{"groundskeeper_2: stacked, two breeds or fewer", ``, 2, room(Number3, Groundskeeper2), []string{"0 play number_3", "0 done", "0 stack groundskeeper_2 breed", "0 breed 1,1", "0 done"}, "1,1: A|aaa...; due: 1"},
		{"gopher_it: takes a card, then breeds", ``, 2, func(b *board) { room(GopherIt)(b); b.junk(1, Number4) }, []string{"0 play gopher_it", "0 swap 1 convert | not among the top three", "0 swap 1 number_4", "0 breed 1,1"}, "discard.0: number_4; discard.1: gopher_it; 1,1: A|aaa...; due: 1"},
		{"gopher_it: nothing to take", ``, 2, room(GopherIt), refuse("gopher_it", "has no effect now"), "list: stack,discard_hand"},
		{"gopher_it: stacked", ``, 2, room(Number3, GopherIt), []string{"0 play number_3", "0 done", "0 stack gopher_it breed", "0 breed 1,1"}, "1,1: A|aaa...; due: 1; discard.0: number_3,gopher_it"},
		{"a deed without its part", ``, 2, room(Number3, Number3), []string{"0 breed 1,1 | what is to be done now is nothing", "0 roll 1,1 0 cw 1 | what is to be done now is nothing", "0 play number_3", "0 convert 1,0 1 | what is to be done now is step", "0 place_home 2,0 | in phase play"}, "pending: step 3"},
		noStack("number_4", Number4), noStack("number_3", Number3), noStack("cave_in", CaveIn),
		onlyBreed("number_2", Number2), onlyBreed("groundskeeper_1", Groundskeeper1), onlyBreed("groundskeeper_2", Groundskeeper2), onlyBreed("gopher_it", GopherIt),
		noRoom("number_2", Number2), noRoom("groundskeeper_1", Groundskeeper1), noRoom("groundskeeper_2", Groundskeeper2), noRoom("gopher_it", GopherIt),
	}
	for c := range noCard {
		rows = append(rows, notHeld(c.String()))
	}
	return rows
}
