package molemajority

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

// The numbers are those of docs/rules/molemajority.md: R the rulings, T the timing.
func TestRulings(t *testing.T) { runRows(t, rulings()) }
func TestTiming(t *testing.T)  { runRows(t, timing()) }

func TestEveryRulingHasARow(t *testing.T) {
	var names strings.Builder
	for _, list := range [][]row{rulings(), timing(), cardRows(), ends()} {
		for _, x := range list {
			names.WriteString(x.name + "\n")
		}
	}
	names.WriteString(testedElsewhere)
	for letter, last := range map[string]int{"R": 31, "T": 16} {
		for n := 1; n <= last; n++ {
			if !regexp.MustCompile(`\b` + letter + strconv.Itoa(n) + `\b`).MatchString(names.String()) {
				t.Errorf("no row names %s%d", letter, n)
			}
		}
	}
}

// testedElsewhere are the rulings whose tests are functions.
const testedElsewhere = `R2 TestTheBoardHasSoManyTiles, R24 R25 R26 T15 TestTheSetUp, R28 TestTheFirstSeatIsDrawnByLot, T16 TestLaws, TestPlantedLeaksAreCaught`

// few is a hand of one number_3, so that the turn ends with its last part.
func few(b *board) { b.hand(0, Number3) }

// with sets hexes after a hand of one number_3.
func with(words string) func(*board) {
	return func(b *board) { few(b); b.at(words) }
}

// ends returns the ends of a match, each as it is reached, and the order in which they are looked at.
func ends() []row {
	claims := `{"claims":2,"end_on_empty_supply":true}`
	most := "0,0:A|a... 0,1:A|a... -1,1:A|a... -1,0:B|b... 0,-1:B|b... 1,-1:B|b..."
	return []row{
		{"R1 R3 (a) the last claim token: the turn is finished first", claims, 2, with("1,0:-|aa."), []string{"0 play number_3", "0 move 1,1 1,0", "0 breed 1,1", "0 done"}, "phase: over; why: claims_out; rank: 1 2; points: 9 6; hand.0: ; deck.0: 5; told.over: 1; due:"},
		{"R1 R29 R30 (b) the last mole: the list that lacks this end does not forbid it", `{"moles":7}`, 2, with("1,0:A|b.."), []string{"0 play number_3", "0 breed 1,0", "0 done"}, "phase: over; why: moles_out; moles.0: 0; 1,0: A|ba."},
		{"R1 (b) is switched off", `{"moles":7,"end_on_empty_supply":false}`, 2, with("1,0:A|b.."), []string{"0 play number_3", "0 breed 1,0", "0 done"}, "phase: play; moles.0: 0; due: 1"},
		{"R1 (c) every hex is claimed", ``, 2, with(most + " 1,0:-|aa."), []string{"0 play number_3", "0 move 1,1 1,0", "0 done"}, "phase: over; why: all_claimed; points: 21 18; rank: 1 2"},
		{"R1 R4 (d) one player left wins at once, with fewer points or parts left", ``, 2, func(b *board) {
			b.hand(0, Groundskeeper2, Number2)
			b.at("-1,-1:B|b..... 1,1:A|a.....")
			b.Homes[1][2] = 5
		}, []string{"0 play groundskeeper_2", "0 play number_2", "0 roll -1,-1 0 cw 1"}, "phase: over; why: last_claimant; rank: 1 2; points: 6 0; out.1: 1; pending:"},
		{"the turn limit ends the match when that turn has ended", `{"max_turns":1}`, 2, few, []string{"0 play number_3", "0 move 1,1 1,0", "0 done"}, "phase: over; why: max_turns; turn: 1; deck.0: 5"},
		{"the turn limit of none", `{"max_turns":0}`, 2, few, []string{"0 discard_hand", "1 discard_hand"}, "phase: play; turn: 3"},
		{"why: a claim token before a mole, before all claimed, before the limit", `{"claims":2,"moles":7,"max_turns":1}`, 2, func(b *board) {
			few(b)
			b.at("1,1:A|aaa... 1,0:-|aaa.")
			b.Tiles = 0
			for _, h := range []string{"1,1", "-1,-1", "1,0"} {
				x, _ := hexOf(h)
				b.Tiles |= 1 << x
			}
		}, []string{"0 play number_3", "0 move 1,1 1,0", "0 breed 1,1", "0 done"}, "why: claims_out; moles.0: 0"},
	}
}

func TestEnds(t *testing.T) { runRows(t, ends()) }

func rulings() []row {
	return []row{
		{"R3 the end is not looked for within the turn", `{"claims":2}`, 2, func(b *board) { b.hand(0, Number3, Number3); b.at("1,0:-|aa.") }, []string{"0 play number_3", "0 move 1,1 1,0", "0 done"}, "phase: play; claims.0: 0; due: 0"},
		{"R4 otherwise most points win", `{"max_turns":1}`, 2, func(b *board) { few(b); b.Homes[1] = [maxValue]int8{1} }, []string{"0 discard_hand"}, "rank: 2 1; points: 6 7"},
		{"R5 T10 out: no more turns, moles stay and count for nothing, tokens are worth nothing", ``, 3, func(b *board) {
			b.hand(0, Groundskeeper1, Number3)
			b.at("-1,-1:B|b..... 0,1:-|bb..")
			b.Homes[1][2] = 2
		}, []string{"0 play groundskeeper_1", "0 play number_3", "0 roll -1,-1 0 ccw 1"}, "out.1: 1; due: 2; claims.1: 10; 0,1: -|bb..; told.out: 1; turn: 2; hand.0: number_3,number_3,number_3,number_3,number_3"},
		{"R6 (i) level: the mole that came last", ``, 2, with("1,0:-|ba.b"), []string{"0 play number_3", "0 move 1,1 1,0"}, "1,0: A|baab; claims.0: 8"},
		{"R6 (i) also by CONVERT", ``, 2, func(b *board) { b.hand(0, Convert); b.at("1,0:B|abbb") }, []string{"0 play convert", "0 convert 1,0 1"}, "1,0: A|aabb; moles.1: 22; claims.1: 9"},
		{"R6 (ii) T11 level without the last mole: the next backwards in seat order", ``, 4, func(b *board) {
			few(b)
			b.at("1,0:-|bbccd.")
			b.Active = 0
		}, []string{"0 play number_3", "0 move 1,1 1,0"}, "1,0: C|bbccda; claims.2: 8"},
		{"R6 (ii) T11 counted from the active seat", ``, 4, func(b *board) {
			b.hand(2, Number3)
			b.at("1,0:-|bbddc. 2,-1:C|ccccc.")
			b.Active = 2
		}, []string{"2 play number_3", "2 move 2,-1 1,0"}, "1,0: C|bbddcc"},
		{"R6 (ii) T11 from seat 3 it is seat 2 before seat 0", ``, 4, func(b *board) {
			b.hand(3, Number3)
			b.at("-1,0:-|aaccb.")
			b.Active = 3
		}, []string{"3 play number_3", "3 move -2,1 -1,0"}, "-1,0: C|aaccbd"},
		{"R6 the most moles win over the last mole", ``, 2, with("1,0:-|bbb.."), []string{"0 play number_3", "0 move 1,1 1,0", "0 move 1,1 1,0"}, "1,0: B|bbbaa; claims.1: 8"},
		{"R7 a full hex changes its owner by CONVERT, the old claim goes back", ``, 2, func(b *board) { b.hand(0, Convert); b.at("1,0:B|aabbb") }, []string{"0 play convert", "0 convert 1,0 1"}, "1,0: A|aaabb; claims.0: 8; claims.1: 9"},
		{"R7 without a claim token left the hex is claimed by nobody, and all are told", `{"claims":2}`, 2, func(b *board) {
			b.Active = 1
			b.hand(1, Convert, Number3)
			b.at("1,0:A|aabb -1,0:B|b...")
		}, []string{"1 play convert", "1 convert 1,0 0"}, "1,0: -|babb; claims.0: 1; claims.1: 0; told.claim: 1"},
		{"R7 no majority is looked at before the hex is full", ``, 2, with("1,0:B|b..."), []string{"0 play number_3", "0 move 1,1 1,0", "0 move 1,1 1,0"}, "1,0: B|baa."},
		{"R8 the claim of an emptied hex is returned", ``, 2, with("1,0:A|a..."), []string{"0 play number_3", "0 move 1,0 0,1"}, "1,0: -|....; claims.0: 9"},
		{"R8 a claim stays while any mole is there, and its owner breeds there", ``, 2, with("1,0:A|ab.."), []string{"0 play number_3", "0 move 1,0 0,1", "0 breed 1,0"}, "1,0: A|ab..; claims.0: 8"},
		{"R9 a MOVE does not start from an occupied hex", ``, 2, with("1,0:-|a..."), []string{"0 play number_3", "0 move 1,0 0,0 | no own claimed hex"}, "1,0: -|a..."},
		{"R9 nor from a claimed hex without own moles", ``, 2, with("1,0:A|b..."), []string{"0 play number_3", "0 move 1,0 0,0 | no own claimed hex"}, "1,0: A|b..."},
		{"R9 nor does it end where it starts, or on a full hex", ``, 2, with("1,0:-|bbbb 1,1:A|aaaaa."), []string{"0 play number_3", "0 move 1,1 1,1 | cannot be reached", "0 move 1,1 1,0 | cannot be reached"}, "pending: step 3"},
		{"R9 a MOVE goes to claimed, occupied and neighbouring hexes", ``, 2, with("1,0:A|a... 0,0:-|a..."), []string{"0 play number_3", "0 move 1,1 1,0", "0 move 1,1 0,0", "0 move 1,1 -1,0"}, "1,0: A|aa..; 0,0: -|aa..; -1,0: -|a..."},
		{"R9 and no further", ``, 2, few, []string{"0 play number_3", "0 move 1,1 0,0 | cannot be reached"}, "0,0: -|...."},
		{"R10 a path is needed", ``, 2, with("-1,0:-|a..."), []string{"0 play number_3", "0 move 1,1 -1,0 | cannot be reached"}, "-1,0: -|a..."},
		{"R10 switched off", `{"path_needed":false}`, 2, with("-1,0:-|a..."), []string{"0 play number_3", "0 move 1,1 -1,1", "0 move 1,1 -1,0"}, "-1,0: -|aa..; -1,1: -|a..."},
		{"R10 a Cave-In bars its edge", ``, 2, func(b *board) { few(b); b.walls("1,0/1,1") }, []string{"0 play number_3", "0 move 1,1 1,0 | cannot be reached", "0 move 1,1 0,1"}, "0,1: -|a..."},
		{"R10 but not the way round it", ``, 2, func(b *board) { few(b); b.at("0,1:-|a..."); b.walls("1,0/1,1") }, []string{"0 play number_3", "0 move 1,1 1,0"}, "1,0: -|a..."},
		{"R10 switched off, Cave-Ins are ignored", `{"path_needed":false}`, 2, func(b *board) { few(b); b.walls("1,0/1,1") }, []string{"0 play number_3", "0 move 1,1 1,0"}, "1,0: -|a..."},
		{"R10 CONVERT ignores Cave-Ins and paths", ``, 2, func(b *board) { b.hand(0, Convert); b.at("1,0:-|b..."); b.walls("1,0/1,1") }, []string{"0 play convert", "0 convert 1,0 1"}, "1,0: -|a..."},
		{"R11 a claimed hex without own moles gives no neighbours", ``, 2, with("1,0:A|b..."), []string{"0 play number_3", "0 move 1,1 0,0 | cannot be reached", "0 move 1,1 1,0"}, "1,0: A|ba.."},
		{"R11 but is crossed", ``, 2, with("1,0:A|bbbb 0,-1:-|a..."), []string{"0 play number_3", "0 move 1,1 1,-1"}, "1,-1: -|a..."},
		{"R12 steps in any mix and order", ``, 2, with("1,1:A|aaaa.."), []string{"0 play number_3", "0 breed 1,1", "0 move 1,1 0,1", "0 breed 1,1"}, "1,1: A|aaaaa.; 0,1: -|a...; due: 1"},
		{"R13 the Cave-In card gives steps first, then its special", ``, 2, func(b *board) { b.hand(0, CaveIn, Number3) }, []string{"0 play cave_in", "0 cave_in 0,1/1,1 1,0/1,1 | what is to be done now is step", "0 move 1,1 1,0", "0 done", "0 cave_in 0,1/1,1 1,0/1,1", "0 done"}, "edges: 0,1/1,1 1,0/1,1; due: 1"},
		{"R13 both parts can be skipped", ``, 2, func(b *board) { b.hand(0, CaveIn, Number3) }, []string{"0 play cave_in", "0 done", "0 done", "0 done"}, "edges: ; due: 1; hand.0: number_3,number_3"},
		{"R14 two tokens, which never come back, and the top token of the unused pile", ``, 2, func(b *board) { b.hand(0, CaveIn) }, []string{"0 play cave_in", "0 done", "0 cave_in 0,1/1,1 1,0/1,1"}, "caves.0: 2; homes.0: 3; pile: 1; points: 9 6"},
		{"R14 nothing when no token is left in the pile", ``, 2, func(b *board) { b.hand(0, CaveIn); b.PileN = 0 }, []string{"0 play cave_in", "0 done", "0 cave_in 0,1/1,1 1,0/1,1"}, "caves.0: 2; homes.0:"},
		{"R14 the last token of the pile", ``, 2, func(b *board) { b.hand(0, CaveIn); b.PileN = 1 }, []string{"0 play cave_in", "0 done", "0 cave_in 0,1/1,1 1,0/1,1"}, "homes.0: 1; pile: 0"},
		{"R14 one token is not enough", ``, 2, func(b *board) { b.hand(0, CaveIn, Number4); b.at("1,0:A|a..."); b.CaveIns[0] = 1 }, []string{"0 play cave_in", "0 done", "0 cave_in 0,1/1,1 1,0/1,1 | two Cave-In tokens are needed, 1 are left"}, "pending: special 1"},
		{"R14 without tokens and homes the special is passed over", ``, 2, func(b *board) { b.hand(0, CaveIn, Number4); b.CaveIns[0] = 1 }, []string{"0 play cave_in", "0 done"}, "pending: ; list: done"},
		{"R14 one token an edge", ``, 2, func(b *board) { b.hand(0, CaveIn); b.at("-1,1:A|a..."); b.walls("1,0/1,1") }, []string{"0 play cave_in", "0 done", "0 cave_in 0,1/1,1 1,0/1,1 | between two tiles, free", "0 cave_in 0,1/1,1 0,1/1,1 | two different edges"}, "pending: special 1"},
		{"R15 Make A Home", ``, 2, func(b *board) { b.hand(0, CaveIn); b.at("1,0:A|a...") }, []string{"0 play cave_in", "0 done", "0 make_home 0,0 | no own claimed hex", "0 make_home 1,1 | with a home token", "0 make_home 1,0"}, "homes.0: 2; homed: 6; points: 12 6"},
		{"R15 a token stays when the hex is lost", ``, 2, func(b *board) {
			b.hand(0, CaveIn, Number4)
			b.at("1,0:A|a...")
		}, []string{"0 play cave_in", "0 done", "0 make_home 1,0", "0 done", "1 discard_hand", "0 play number_4", "0 move 1,0 0,1"}, "1,0: -|....; homes.0: 2; points: 8 6"},
		{"R16 the Cave-In card and CONVERT are no number cards", ``, 2, func(b *board) { b.hand(0, Groundskeeper1, CaveIn, Convert) }, []string{"0 play groundskeeper_1 | has no effect now"}, "list: play,stack,discard_hand"},
		{"R17 own moles too, a hex emptied gives its claim back", ``, 2, func(b *board) {
			b.hand(0, Groundskeeper1, Number3)
			b.at("1,0:B|ba..")
		}, []string{"0 play groundskeeper_1", "0 play number_3", "0 roll 1,0 1 ccw 2"}, "1,0: -|....; moles.0: 24; moles.1: 24; claims.1: 9"},
		{"R17 once round the hex at most, and it stops at an empty space", ``, 2, func(b *board) {
			b.hand(0, Groundskeeper1, Number4)
			b.at("1,0:-|bbb 0,0:-|b.bb")
		}, []string{"0 play groundskeeper_1", "0 play number_4", "0 roll 1,0 1 cw 4 | want 1 to 3", "0 roll 0,0 0 cw 2 | want 1 to 1", "0 roll 0,0 0 ccw 4 | want 1 to 3", "0 roll 1,0 1 cw 3"}, "1,0: -|..."},
		{"R18 a Groundskeeper without a number card is only stacked", ``, 2, func(b *board) {
			b.hand(0, Groundskeeper2, GopherIt)
			b.at("1,1:A|aa....")
		}, []string{"0 play groundskeeper_2 | has no effect now", "0 stack groundskeeper_2 breed", "0 breed 1,1", "0 breed 1,1"}, "1,1: A|aaaa..; due: 0; discard.0: groundskeeper_2"},
		{"R19 the bonus is that of the card", ``, 2, func(b *board) {
			b.hand(0, Groundskeeper2, Number2, Number2)
			b.at("1,1:A|aa....")
		}, []string{"0 play groundskeeper_2", "0 play number_2", "0 roll -1,-1 0 cw 2"}, "pending: breed 2"},
		{"R19 the Gopher's is 1", ``, 2, func(b *board) {
			b.hand(0, GopherIt, Number2)
			b.at("1,1:A|aa....")
			b.junk(1, Number4)
		}, []string{"0 play gopher_it", "0 swap 1 number_4"}, "pending: breed 1; discard.0: number_4; discard.1: gopher_it"},
		{"R20 the Gopher looks at fewer than three cards too, an empty pile is no target", ``, 3, func(b *board) {
			b.hand(0, GopherIt, Number2)
			b.junk(1, Number4, CaveIn)
		}, []string{"0 play gopher_it", "0 swap 2 number_4 | not among the top three", "0 swap 0 gopher_it | not among the top three", "0 swap 1 number_4"}, "discard.1: cave_in,gopher_it"},
		{"R20 no pile, no play", ``, 2, func(b *board) { b.hand(0, GopherIt) }, []string{"0 play gopher_it | has no effect now"}, "list: discard_hand"},
		{"R21 no action after a stacked card", ``, 2, func(b *board) {
			b.hand(0, Number2, Number3)
			b.at("1,1:A|aa....")
		}, []string{"0 stack number_2 breed", "0 breed 1,1", "0 play number_3 | an action comes before all stacked cards", "0 done"}, "due: 1; hand.0: number_3,number_3"},
		{"R21 REPEAT CONVERT needs a CONVERT as the action", ``, 2, func(b *board) {
			b.hand(0, Convert, Convert, Number3)
			b.at("1,0:-|bb..")
		}, []string{"0 stack convert convert | cannot be stacked as convert", "0 play convert", "0 convert 1,0 1", "0 stack convert convert", "0 convert 1,0 1", "0 done"}, "1,0: -|aa..; due: 1"},
		{"R22 one card is drawn after playing", ``, 2, func(b *board) { b.hand(0, Number3, Number2, Number2) }, []string{"0 play number_3", "0 done", "0 done"}, "hand.0: number_3,number_2,number_2; deck.0: 4"},
		{"R22 five when the hand is empty", ``, 2, few, []string{"0 play number_3", "0 done"}, "hand.0: number_3,number_3,number_3,number_3,number_3; deck.0: 0"},
		{"R22 the discard is shuffled when the deck is empty, both empty draws nothing", ``, 2, func(b *board) {
			b.hand(0, Number3, Number4)
			b.deck(0)
		}, []string{"0 play number_3", "0 done", "0 done", "1 discard_hand"}, "hand.0: number_4,number_3; deck.0: 0; discard.0: ; told.shuffle: 1"},
		{"R23 there is no pass: the hand can always be discarded", ``, 2, func(b *board) { b.hand(0, GopherIt) }, []string{"0 done | no card has been played", "0 discard_hand"}, "hand.0: number_3,number_3,number_3,number_3,number_3"},
		{"R27 a hand is never above the full hand", `{"hand":2}`, 2, few, []string{"0 discard_hand"}, "hand.0: number_3,number_3"},
		{"R28 turns go to the left and are not made even", `{"max_turns":3}`, 2, few, []string{"0 discard_hand", "1 discard_hand", "0 discard_hand"}, "phase: over; turn: 3"},
		{"R29 level on points: moles on the board", `{"max_turns":1}`, 2, with("1,0:-|a..."), []string{"0 discard_hand"}, "points: 6 6; rank: 1 2"},
		{"R29 level on moles too: the number cards in hand", `{"max_turns":1}`, 2, func(b *board) { b.hand(0, Number2); b.hand(1, Number2, CaveIn, Convert) }, []string{"0 discard_hand"}, "rank: 2 1"},
		{"R29 their sum, not how many", `{"max_turns":1}`, 3, func(b *board) { b.hand(1, Number4); b.hand(2, Number2, Number2) }, []string{"0 discard_hand"}, "rank: 3 1 1"},
		{"R29 level on all: shared", `{"max_turns":1}`, 3, func(b *board) {
			b.hand(0, CaveIn)
			b.hand(1, GopherIt)
			b.hand(2, Number2)
		}, []string{"0 discard_hand"}, "rank: 2 2 1"},
		{"R30 no BREED with an empty supply", `{"moles":7,"end_on_empty_supply":false}`, 2, with("1,0:A|ab.."), []string{"0 play number_3", "0 breed 1,0 | a mole in supply"}, "moles.0: 0"},
		{"R31 networks overlap, nothing more", ``, 2, with("1,0:-|bb.."), []string{"0 play number_3", "0 move 1,1 1,0"}, "1,0: -|bba."},
	}
}

func timing() []row {
	return []row{
		{"T1 one action, then stacked cards", ``, 2, func(b *board) {
			b.hand(0, Number3, Number4, Number2)
			b.at("1,1:A|aa....")
		}, []string{"0 play number_3", "0 stack number_2 breed | done ends it", "0 done", "0 play number_4 | the action of this turn was number_3", "0 stack number_2 breed", "0 breed 1,1", "0 done"}, "due: 1; discard.0: number_3,number_2"},
		{"T1 each stacked card is finished before the next", ``, 2, func(b *board) {
			b.hand(0, Groundskeeper2, Number2)
			b.at("1,1:A|aa....")
		}, []string{"0 stack groundskeeper_2 breed", "0 stack number_2 breed | done ends it", "0 breed 1,1", "0 done", "0 stack number_2 breed", "0 breed 1,1"}, "1,1: A|aaaa..; due: 1"},
		{"T1 the list between cards: plays, stacks, discard_hand", ``, 2, func(b *board) {
			b.hand(0, Number3, Number2, Convert)
			b.at("1,1:A|aa....")
		}, nil, "list: play,play,stack,stack,stack,discard_hand"},
		{"T2 a turn with cards in hand ends only by done", ``, 2, func(b *board) { b.hand(0, Number3, CaveIn) }, []string{"0 play number_3", "0 done"}, "due: 0; list: done; pending:"},
		{"T2 with an empty hand the bonus comes first", ``, 2, func(b *board) { b.hand(0, Number2); b.at("1,1:A|aa....") }, []string{"0 play number_2", "0 done"}, "due: 0; pending: breed 1"},
		{"T3 a part without a decision is passed over", ``, 2, func(b *board) { b.hand(0, Number2) }, []string{"0 play number_2", "0 done"}, "due: 1"},
		{"T3 also within a part", ``, 2, func(b *board) {
			b.hand(0, Number3)
			b.at("1,1:A|aaaaa.")
			b.walls("1,0/1,1", "0,1/1,1")
		}, []string{"0 play number_3", "0 breed 1,1"}, "due: 1; 1,1: A|aaaaaa"},
		{"T3 done ends a part, and then the turn", ``, 2, func(b *board) { b.hand(0, Number2, Number2); b.at("1,1:A|aa....") }, []string{"0 play number_2", "0 done", "0 done", "0 done"}, "due: 1"},
		{"T3 done does not skip the number card", ``, 2, func(b *board) { b.hand(0, Groundskeeper1, Number2) }, []string{"0 play groundskeeper_1", "0 done | needs a number card", "0 discard_hand | a card has been played", "0 play number_2", "0 done"}, "due: 1"},
		{"T4 a card is played only if a part leaves a decision", ``, 2, func(b *board) {
			b.hand(0, Number3, CaveIn)
			b.walls("1,0/1,1", "0,1/1,1")
			b.CaveIns[0] = 1
		}, []string{"0 play number_3 | has no effect now", "0 play cave_in | has no effect now"}, "list: discard_hand"},
		{"T4 Cave-In is played for its special alone", ``, 2, func(b *board) {
			b.hand(0, CaveIn)
			b.walls("1,0/1,1", "0,1/1,1")
			b.at("0,0:A|b... -1,0:-|....")
			b.at("0,0:A|bbbb")
		}, []string{"0 play cave_in", "0 make_home 0,0"}, "homes.0: 2"},
		{"T4 the bonus alone does not make a Gopher playable", ``, 2, func(b *board) { b.hand(0, GopherIt); b.at("1,1:A|aa....") }, []string{"0 play gopher_it | has no effect now", "0 stack gopher_it breed"}, "pending: breed 1"},
		{"T4 a stacked CONVERT without an action", ``, 2, func(b *board) { b.hand(0, Convert) }, []string{"0 stack convert roll | cannot be stacked", "0 stack convert breed | cannot be stacked", "0 stack convert move", "0 move 1,1 1,0"}, "1,0: -|a...; due: 1"},
		{"T4 a roll: each CONVERT adds 1", ``, 2, func(b *board) {
			b.hand(0, Groundskeeper1, Number2, Convert, Convert)
		}, []string{"0 play groundskeeper_1", "0 stack convert roll | done ends it", "0 play number_2", "0 stack convert move | done ends it", "0 stack convert roll", "0 stack convert roll", "0 roll -1,-1 5 cw 4"}, "-1,-1: B|...bb.; moles.1: 28; due: 1"},
		{"T4 a roll: one CONVERT adds one", ``, 2, func(b *board) { b.hand(0, Groundskeeper1, Number2, Convert, Number4) }, []string{"0 play groundskeeper_1", "0 play number_2", "0 stack convert roll"}, "pending: roll 3,breed 1"},
		{"T5 the number card lies on the Groundskeeper, its effects are ignored", ``, 2, func(b *board) { b.hand(0, Groundskeeper1, Number2, Convert) }, []string{"0 play groundskeeper_1", "0 play convert | is no number card", "0 play number_2"}, "discard.0: groundskeeper_1,number_2; pending: roll 2,breed 1"},
		{"T5 fewer than possible; not from an empty space", ``, 2, func(b *board) {
			b.hand(0, Groundskeeper1, Number4)
			b.at("1,0:-|.bbb")
		}, []string{"0 play groundskeeper_1", "0 play number_4", "0 roll 1,0 0 cw 1 | no mole is there", "0 roll 1,0 1 cw 1"}, "1,0: -|..bb"},
		{"T5 both directions are listed for every count", ``, 2, func(b *board) {
			b.hand(0, Groundskeeper1, Number2)
			b.at("1,1:A|a.. -1,-1:B|bb.")
		}, []string{"0 play groundskeeper_1", "0 play number_2"}, "list: roll,roll,roll,roll,roll,roll,roll,roll,done"},
		{"T6 the lowest free space, the highest own mole, the victim's lowest", ``, 2, func(b *board) {
			b.hand(0, Number3, Convert)
			b.at("1,0:A|a.ab 0,0:-|.bb.")
		}, []string{"0 play number_3", "0 move 1,0 0,0", "0 done", "0 stack convert move", "0 move 1,0 0,1"}, "1,0: A|...b; 0,0: -|abb.; 0,1: -|a..."},
		{"T6 CONVERT takes the victim's lowest", ``, 2, func(b *board) { b.hand(0, Convert); b.at("1,0:-|.b.b") }, []string{"0 play convert", "0 convert 1,0 1"}, "1,0: -|.a.b"},
		{"T6 spaces are named under choose_spaces", `{"choose_spaces":true}`, 2, func(b *board) { b.hand(0, Number4); b.at("1,0:A|aa.b.") }, []string{
			"0 play number_4", `0 breed 1,0 | space: want 0 to 4`, `0 {"type":"breed","at":"1,0","space":3} | is not free`, `0 {"type":"breed","at":"1,0","space":5} | want 0 to 4`,
			`0 {"type":"breed","at":"1,0","space":4}`, `0 {"type":"move","from":"1,0","to":"0,0","space":2} | from_space: want 0 to 4`,
			`0 {"type":"move","from":"1,0","to":"0,0","from_space":3,"space":2} | there is no mole of seat 0 on space 3`,
			`0 {"type":"move","from":"1,0","to":"0,0","from_space":0,"space":2}`,
		}, "1,0: A|.a.ba; 0,0: -|..a."},
		{"T6 and for CONVERT the victim's", `{"choose_spaces":true}`, 2, func(b *board) { b.hand(0, Convert); b.at("1,0:-|.b.b") }, []string{
			"0 play convert", `0 {"type":"convert","at":"1,0","victim":1,"space":0} | there is no mole of seat 1`, `0 {"type":"convert","at":"1,0","victim":1,"space":3}`,
		}, "1,0: -|.b.a"},
		{"T6 but not without", ``, 2, few, []string{"0 play number_3", `0 {"type":"move","from":"1,1","to":"1,0","from_space":0,"space":2} | spaces are not chosen`}, "1,0: -|...."},
		{"T7 the edges of a Cave-In can touch different claimed hexes", ``, 2, func(b *board) { b.hand(0, CaveIn); b.at("-1,1:A|a...") }, []string{"0 play cave_in", "0 done", "0 cave_in -1,0/-1,1 0,-1/0,0 | touches an own claimed hex", "0 cave_in -1,0/-1,1 1,0/1,1"}, "edges: -1,0/-1,1 1,0/1,1"},
		{"T8 a discarded hand lies in the order of the table", ``, 2, func(b *board) { b.hand(0, GopherIt, Number2, Number4, Convert); b.junk(0, CaveIn) }, []string{"0 discard_hand"}, "discard.0: cave_in,number_4,number_2,convert,gopher_it"},
		{"T8 the topmost copy comes onto the own pile, the Gopher goes to the other's", ``, 2, func(b *board) {
			b.hand(0, GopherIt, Number3)
			b.junk(0, CaveIn)
			b.junk(1, Number2, Number4, Number4, Convert)
		}, []string{"0 play gopher_it", "0 swap 1 number_2 | not among the top three", "0 swap 1 number_4"}, "discard.0: cave_in,number_4; discard.1: number_2,number_4,convert,gopher_it"},
		{"T8 one entry a kind", ``, 2, func(b *board) { b.hand(0, GopherIt); b.junk(1, Number4, Number4, Convert) }, []string{"0 play gopher_it"}, "list: swap,swap,done"},
		{"T8 of two copies the upper one is taken", ``, 2, func(b *board) { b.hand(0, GopherIt, Number3); b.junk(1, Number4, Convert, Number4) }, []string{"0 play gopher_it", "0 swap 1 number_4"}, "discard.1: number_4,convert,gopher_it; discard.0: number_4"},
		{"T8 after done the Gopher stays", ``, 2, func(b *board) { b.hand(0, GopherIt, Number3); b.junk(1, Number4) }, []string{"0 play gopher_it", "0 done"}, "discard.0: gopher_it; discard.1: number_4"},
		{"T8 not from a seat that is out", ``, 3, func(b *board) {
			b.hand(0, GopherIt)
			b.junk(1, Number4)
			b.at("-1,-1:-|bbbbbb")
			b.Out[1] = 1
		}, []string{"0 play gopher_it | has no effect now"}, "list: discard_hand"},
		{"T9 lift, return, put, majority: the claim returned can be placed at once", `{"claims":3}`, 2, with("0,1:A|a... 0,0:A|a... 1,0:-|aa."), []string{"0 play number_3", "0 move 0,1 1,0"}, "0,1: -|....; 1,0: A|aaa; claims.0: 0"},
		{"T9 who wins a hex without a claim in supply claims nothing, the old claim returns", `{"claims":2,"end_on_empty_supply":false}`, 2, func(b *board) {
			b.hand(1, Number3)
			b.Active = 1
			b.at("1,0:A|a... -1,0:B|aab. 0,1:-|a...")
		}, []string{"1 play number_3", "1 move -1,-1 -1,0"}, "-1,0: B|aabb"},
		{"T9 … and the hex stays unclaimed until a mole enters it again", ``, 2, func(b *board) {
			b.hand(0, Convert, Convert)
			b.at("1,0:-|aabb 0,1:-|b...")
		}, []string{"0 play convert", "0 convert 0,1 1", "0 stack convert convert", "0 convert 1,0 1"}, "1,0: A|aaab; claims.0: 8; told.claim: 1"},
		{"T9 the winner has none: unclaimed", `{"claims":2}`, 3, func(b *board) {
			b.hand(1, Number3, Number2)
			b.Active = 1
			b.at("1,0:A|a... -1,0:C|aaa.")
		}, []string{"1 play number_3", "1 move -1,-1 -1,0"}, "-1,0: -|aaab; claims.0: 0; claims.2: 1; told.claim: 1"},
		{"T10 putting oneself out is legal and ends the turn without a draw", ``, 3, func(b *board) {
			b.hand(0, Number3, Number2)
			b.at("1,1:A|a.....")
		}, []string{"0 play number_3", "0 move 1,1 1,0"}, "out.0: 1; due: 1; turn: 2; hand.0: number_2; deck.0: 5; 1,0: -|a..."},
		{"T10 of two seats that ends the match", ``, 2, func(b *board) {
			b.hand(0, Number3, Number2)
			b.at("1,1:A|a.....")
		}, []string{"0 play number_3", "0 move 1,1 1,0"}, "phase: over; why: last_claimant; rank: 2 1; points: 0 6"},
		{"T10 the moles of who is out fill spaces, but have no majority", ``, 3, func(b *board) {
			few(b)
			b.at("-1,-1:-|...... 1,0:-|bbb.")
			b.Out[1] = 1
		}, []string{"0 play number_3", "0 move 1,1 1,0"}, "1,0: A|bbba"},
		{"T10 they are converted and rolled, and go back to their supply", ``, 3, func(b *board) {
			b.hand(0, Convert, Groundskeeper1, Number2)
			b.at("-1,-1:-|...... 1,0:-|bbb.")
			b.Out[1] = 1
		}, []string{"0 play convert", "0 convert 1,0 1", "0 done", "2 discard_hand", "0 play groundskeeper_1", "0 play number_2", "0 roll 1,0 1 cw 1"}, "1,0: -|a.b.; moles.1: 29"},
		{"T10 out by the same decision shares a rank", `{"claims":2,"max_turns":9}`, 4, func(b *board) {
			b.hand(0, Number3)
			b.at("-2,1:-|dd.... 1,1:A|a..... 2,-1:-|...... 1,0:C|ddda. 0,0:D|d... -1,1:D|d... -1,-1:B|bbbbbb")
			b.at("1,0:C|ddd.")
		}, []string{"0 play number_3", "0 move 1,1 1,0"}, "out.0: 1; out.2: 1; out.1: 0; out.3: 0; 1,0: -|ddda; told.out: 2; why: claims_out; rank: 3 2 3 1; points: 0 6 0 8"},
		{"T10 … and later out is better", `{"max_turns":1}`, 4, func(b *board) {
			few(b)
			b.at("-1,-1:-|bbbbbb 1,1:A|a.....")
			b.Out[1] = 1
		}, []string{"0 play number_3", "0 move 1,1 1,0"}, "out.1: 1; out.0: 2; rank: 3 4 1 1; why: max_turns"},
		{"T12 a claim that came back in the same turn counts", `{"claims":2}`, 2, with("1,0:-|aa. 0,1:A|a..."), []string{"0 play number_3", "0 move 0,1 1,0", "0 done"}, "phase: over; why: claims_out"},
		{"T12 a supply that was empty for a while does not end the match", `{"moles":7}`, 2, func(b *board) {
			b.hand(0, Number4, Groundskeeper1, Number2, Number3)
			b.at("0,1:A|a...")
		}, []string{"0 play groundskeeper_1", "0 play number_2", "0 roll 1,1 5 cw 2", "0 breed 1,1", "0 done"}, "phase: play; moles.0: 1; due: 1"},
		{"T12 cards played this turn are drawn if the pile is shuffled again; the old deck goes first", ``, 2, func(b *board) {
			few(b)
			b.deck(0, GopherIt)
			b.junk(0, Number2, Number2)
		}, []string{"0 play number_3", "0 done"}, "hand.0: number_3,number_2,number_2,gopher_it; deck.0: 0; discard.0: ; known.0: gopher_it"},
		{"T13 the network is judged before the mole leaves", ``, 2, with("1,1:A|a..... 0,1:A|b..."), []string{"0 play number_3", "0 move 1,1 1,0"}, "1,0: -|a...; 1,1: -|......; claims.0: 9"},
		{"T13 full hexes are crossed, claimed ones can be left last", ``, 2, with("1,0:-|aaaa 0,0:A|bbbb"), []string{"0 play number_3", "0 move 1,1 -1,0 | cannot be reached", "0 move 1,1 0,-1 | cannot be reached", "0 move 1,1 1,-1"}, "1,-1: -|a..."},
		{"T13 no network across a Cave-In", ``, 2, func(b *board) { few(b); b.at("1,0:-|a..."); b.walls("0,0/1,0") }, []string{"0 play number_3", "0 move 1,1 0,0 | cannot be reached", "0 move 1,1 1,-1"}, "1,-1: -|a..."},
		{"T13 CONVERT: any other seat's mole in the network, with a mole in supply", `{"moles":7,"end_on_empty_supply":false}`, 2, func(b *board) {
			b.hand(0, Convert)
			b.at("1,0:-|b... 0,1:-|a...")
		}, []string{"0 play convert | has no effect now"}, "moles.0: 0"},
		{"T13 CONVERT: not oneself, not outside the network", ``, 2, func(b *board) {
			b.hand(0, Convert)
			b.at("1,0:-|ba..")
		}, []string{"0 play convert", "0 convert 1,0 0 | to convert", "0 convert -1,-1 1 | to convert", "0 convert 1,0 3 | to convert", "0 convert 1,0 1"}, "1,0: -|aa.."},
		{"T13 a neighbour across a Cave-In is not in the network, though a claimed hex without own moles leads there", ``, 2, func(b *board) { few(b); b.at("0,1:A|b..."); b.walls("1,0/1,1") }, []string{"0 play number_3", "0 move 1,1 1,0 | cannot be reached", "0 move 1,1 0,1"}, "1,0: -|....; 0,1: A|ba.."},
		{"T14 the hand counts as it is before the draw", `{"max_turns":1}`, 2, func(b *board) { b.hand(0, CaveIn, Number2); b.hand(1, Number2) }, []string{"0 play cave_in", "0 done", "0 done", "0 done"}, "rank: 1 1"},
	}
}

func TestTheBoardHasSoManyTiles(t *testing.T) {
	for seats, want := range map[int]int{2: 13, 3: 16, 4: 19} {
		if got := tilesFor(seats); got != want {
			t.Errorf("R2: %d seats: want %d tiles, got %d", seats, want, got)
		}
	}
	if got := grid.bases; got.Len() != 6 {
		t.Errorf("T15: want six places for Home Bases, got %d", got.Len())
	}
	for m := grid.bases; m != 0; m &= m - 1 {
		if grid.near[m.Lowest()]&grid.bases != 0 {
			t.Errorf("R24: a Home Base on %s can touch another", m.Lowest())
		}
	}
}

func TestTheSetUp(t *testing.T) {
	for seats := minSeats; seats <= MaxSeats; seats++ {
		for seed := range 30 {
			var s State
			r := game.Stream(gametest.Seed(seed), 0, "set-up")
			Rules{}.Deal(&s, Rules{}.Defaults(), seats, r, nil)
			if s.Tiles != grid.ring|1<<grid.centre || s.Tiled != int8(24-seats-7) {
				t.Fatalf("T15: want the centre and the ring, and one 6-point tile a seat set aside, got %b, %d left", s.Tiles, s.Tiled)
			}
			for step := range 3 * seats {
				who, phase := game.Seat(step), PhaseHome
				if step >= seats {
					who, phase = game.Seat((step-seats)/2), PhaseTile
				}
				if s.Active != who || s.Phase != phase || (s.Tile != 0) != (phase == PhaseTile) {
					t.Fatalf("R24 T15: step %d: want seat %d in phase %s, got %d in %s", step, who, phase, s.Active, s.Phase)
				}
				want := 0
				for h := range Hex(hexes) {
					near := grid.near[h] & s.Tiles
					fits := phase == PhaseHome && (near&grid.ring).Len() == 2 || phase == PhaseTile && near.Len() >= 2 && near&grid.ring != 0
					if a := (Action{Kind: ActPlaceHome + Kind(phase), At: h}); fits && !s.Tiles.Has(h) {
						want++
						must.OK(t, (Rules{}).Legal(&s, who, a))
					} else if (Rules{}).Legal(&s, who, a) == nil {
						t.Fatalf("R24: step %d: %s is legal", step, h)
					}
				}
				list := listOf(&s, who)
				if len(list) != want || want == 0 {
					t.Fatalf("step %d: want %d places, got %d", step, want, len(list))
				}
				Rules{}.Apply(&s, []game.Act[Action]{{Seat: who, Action: list[r.IntN(len(list))]}}, r, nil)
			}
			for seat := range seats {
				if s.Claims[seat] != 9 || s.Moles[seat] != 24 {
					t.Fatalf("R26: seat %d starts with %d claims and %d moles in supply, want 9 and 24", seat, s.Claims[seat], s.Moles[seat])
				}
				if s.HandN[seat] != 5 || s.DeckN[seat] != 13 {
					t.Fatalf("R26: seat %d starts with %d cards over a deck of %d, want 5 over 13", seat, s.HandN[seat], s.DeckN[seat])
				}
				if n := s.Claimed[seat].Len(); n != 1 {
					t.Fatalf("R26: seat %d starts with %d hexes, want 1", seat, n)
				}
			}
			if s.Phase != PhasePlay || s.Turn != 1 {
				t.Fatalf("R26: phase %s, turn %d, want play and 1", s.Phase, s.Turn)
			}
			if s.Homed.Len() != tilesFor(seats)-seats || int(s.PileN) != 24-s.Homed.Len() {
				t.Fatalf("T15: %d tokens on hexes, %d in the pile", s.Homed.Len(), s.PileN)
			}
		}
	}
}

func TestUnusedSixPointTilesAreDrawn(t *testing.T) {
	seen := 0
	for seed := range 40 {
		var s State
		Rules{}.Deal(&s, Rules{}.Defaults(), 2, game.Stream(gametest.Seed(seed), 0, "six"), nil)
		for _, size := range s.Size {
			if size == maxSize {
				seen++
			}
		}
	}
	if seen == 0 {
		t.Error("R25: the two 6-point tiles that two seats leave over never lie in the middle")
	}
}

func TestTheFirstSeatIsDrawnByLot(t *testing.T) {
	first := map[game.Seat]int{}
	sim := game.Sim[Config, State, Action, View, Event]{Rules: Rules{}}
	r := game.Stream(gametest.Seed(0), 0, "first")
	for range 4000 {
		var s State
		Rules{}.Deal(&s, Rules{}.Defaults(), 4, r, nil)
		for s.Phase != PhasePlay {
			sim.Step(&s, Rules{}.Due(&s), r)
		}
		first[s.Active]++
	}
	for seat, n := range first { // 1000 each, standard deviation 27
		if n < 850 || n > 1150 || len(first) != 4 {
			t.Errorf("R28: seat %d begins %d times of 4000", seat, n)
		}
	}
}

// The centre spaces of a hex are numbered clockwise: a roll counts up cw and down ccw.
func TestARollGoesRound(t *testing.T) {
	for _, x := range []struct {
		line, want string
	}{
		{"0 roll 1,0 4 cw 2", "-|.bbb."},
		{"0 roll 1,0 0 ccw 2", "-|.bbb."},
		{"0 roll 1,0 0 cw 2", "-|..bbb"},
	} {
		b := newBoard(t, ``, 2, func(b *board) { b.hand(0, Groundskeeper1, Number2); b.at("1,0:-|bbbbb") })
		b.Play(t, "0 play groundskeeper_1", "0 play number_2", x.line)
		if got := b.Tell("1,0"); got != x.want {
			t.Errorf("%s: want %s, got %s", x.line, x.want, got)
		}
	}
}
