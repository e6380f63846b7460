package molehill_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

// The path of many squares without a flower: up column a, down column c.
const longPath = "a1 a2 a3 a4 a5 a6 a7 a8 a9 b9 c9 c8 c7 c6 c5 c4 c3 c2 c1 d1 d2 e2"

// TestRulings has a row or more for each ruling, and gives them their numbers.
func TestRulings(t *testing.T) {
	for _, row := range []struct {
		name string
		play func(t *testing.T)
	}{
		{"ruling 1: the discs are a counter, one less with each square, and nothing refills them", func(t *testing.T) {
			m := deal(t, "").shows("discs_left", "22").walk("a1 a2 a3").shows("discs_left", "19")
			m.layNext().shows("discs_left", "19")
			for _, words := range m.offered() {
				if !strings.HasPrefix(words, "move ") {
					t.Errorf("offer: got %q, want moves only", words)
				}
			}
		}},
		{"ruling 1: orange discs go first: with none of them the start scores", func(t *testing.T) {
			deal(t, `{"first_mole":0,"discs":{"orange":0}}`).do("start a1").shows("score", "1")
		}},
		{"ruling 2: a black disc under the mole counts", func(t *testing.T) {
			deal(t, `{"first_mole":0,"discs":{"orange":1,"black":1}}`).walk("a1 a2").shows("scores", "[1]")
		}},
		{"ruling 3: the tenth square scores nothing", func(t *testing.T) {
			deal(t, "").walk("a1 a2 a3 a4 a5 a6 a7 a8 a9 b9").shows("score", "0")
		}},
		{"ruling 3: discs are counted, so the tenth move, to the eleventh square, scores 1", func(t *testing.T) {
			deal(t, "").walk("a1 a2 a3 a4 a5 a6 a7 a8 a9 b9 c9").shows("score", "1").layNext().do("move c8").shows("score", "2")
		}},
		{"ruling 4: out of discs: the round ends at once after square 22, before a rod", func(t *testing.T) {
			m := deal(t, "").walk(longPath).shows("scores", "[12]", "round", "2", "phase", `"start"`)
			m.lastEvents("played", "score", "round")
		}},
		{"ruling 4: blocked right after its own move: the round ends before the rod", func(t *testing.T) {
			m := deal(t, "").walk("b2 a2 a1", "a1-b1").shows("round", "2", "scores", "[2]")
			m.lastEvents("played", "score", "round")
		}},
		{"ruling 4: a single disc: the round ends with the start", func(t *testing.T) {
			deal(t, `{"first_mole":0,"discs":{"orange":0,"black":1}}`).do("start a1").shows("round", "2", "scores", "[1]")
		}},
		{"ruling 5: a diagonal past a visited side square is allowed", func(t *testing.T) {
			deal(t, "").walk("a1 b1").do("rod b1-b2").allows("move a2")
		}},
		{"ruling 6: a diagonal needs both edges of one side; all sixteen cases", diagonals},
		{"ruling 7: the rim is no special case: every neighbour is in reach on the empty board", neighbours},
		{"ruling 8: from the centre any unvisited square may be jumped to, or a normal move made", func(t *testing.T) {
			m := deal(t, "").walk("d4 d5").shows("jump", "true", "phase", `"rod"`).layNext().shows("jump", "true")
			m.allows("jump a9", "jump g1", "jump d6", "move d6").refuses("jump d4", "has been visited").refuses("jump d5", "has been visited")
			if got := m.ofType("jump"); got != 63-2 {
				t.Errorf("jumps offered: got %d, want 61", got)
			}
		}},
		{"ruling 8: the jump ignores rods: a walled-in mole with the jump is not blocked", func(t *testing.T) {
			m := deal(t, "").walk("d1 d2 d3 d4 d5", "c5-d5", "d5-e5", "d5-d6").do("rod d4-d5").shows("round", "1", "phase", `"move"`)
			if got := m.ofType("move"); got != 0 {
				t.Errorf("moves offered: got %d, want 0", got)
			}
			m.refuses("move d6", "a rod lies between d5 and d6").do("jump a9").shows("mole", `"a9"`, "jump", "false")
		}},
		{"ruling 8: the jump replaces the next move only: used, it is gone", func(t *testing.T) {
			deal(t, "").walk("d4 d5").layNext().do("jump a1").layNext().refuses("jump a3", "only in the turn after").allows("move a2")
		}},
		{"ruling 8: unused, the jump lapses", func(t *testing.T) {
			deal(t, "").walk("d4 d5 d6").shows("jump", "false").layNext().refuses("jump a1", "only in the turn after")
		}},
		{"ruling 8: without the centre there is no jump", func(t *testing.T) {
			deal(t, "").walk("d3 d4").shows("jump", "false").layNext().refuses("jump a1", "moved to the centre d5")
		}},
		{"ruling 9: a start on the centre gives no jump", func(t *testing.T) {
			deal(t, "").do("start d5").shows("jump", "false").layNext().refuses("jump a1", "only in the turn after")
		}},
		{"ruling 9: with centre_start_jumps it does", func(t *testing.T) {
			m := deal(t, `{"first_mole":0,"centre_start_jumps":true}`).do("start d5").shows("jump", "true").layNext().do("jump a1")
			m.shows("jump", "false")
			deal(t, `{"first_mole":0,"centre_start_jumps":true}`).do("start d4").shows("jump", "false")
		}},
		{"ruling 10: a flower on the start square counts, red 2, white 1", func(t *testing.T) {
			deal(t, "").do("start b2").shows("score", "2")
			deal(t, "").do("start d3").shows("score", "1")
			deal(t, "").do("start a1").shows("score", "0")
		}},
		{"ruling 10: flowers count before the eleventh square, the last square included", func(t *testing.T) {
			deal(t, "").walk("b2 c2 d3").shows("score", "3")
		}},
		{"ruling 11: the first rod comes after the placement", func(t *testing.T) {
			deal(t, "").shows("phase", `"start"`).refuses("rod a1-a2", "rod is not asked now").do("start a1").shows("phase", `"rod"`)
		}},
		{"ruling 11: the gardener must lay a rod: nothing else is offered", func(t *testing.T) {
			m := deal(t, "").do("start a1").refuses("move a2", "move is not asked now: a rod is due")
			if got := m.ofType("rod"); got != 110 || len(m.offered()) != 110 {
				t.Errorf("offer: got %d rods of %d actions, want all 110 inner edges and nothing else", got, len(m.offered()))
			}
		}},
		{"ruling 11: rods never run out: discs − 1 are enough for the longest round", func(t *testing.T) {
			m := deal(t, `{"first_mole":0,"rods":21}`)
			squares := strings.Fields(longPath)
			m.walk(strings.Join(squares[:21], " ")).layNext().shows("rods_left", "0", "phase", `"move"`).do("move " + squares[21])
			m.shows("scores", "[12]")
		}},
		{"ruling 12: no rod on the rim", func(t *testing.T) {
			m := deal(t, "").do("start d4")
			m.refuses("rod g1-h1", "h1 is not on this board").refuses("rod a9-a10", "a10 is not on this board")
			m.refuses("rod h1-h2", "h1 is not on this board")
		}},
		{"ruling 12: one rod per edge, and rods stay where they are", func(t *testing.T) {
			m := deal(t, "").do("start d4", "rod a1-b1", "move d5").refuses("rod a1-b1", "has a rod already").allows("rod a1-a2")
			m.do("rod a1-a2").shows("rods", `["a1-b1","a1-a2"]`, "rods_left", "20").do("move d6").shows("rods", `["a1-b1","a1-a2"]`)
		}},
		{"ruling 13: the gardener may wall the mole in, which ends the round with that rod", func(t *testing.T) {
			m := deal(t, "").walk("b1 a1", "a1-a2").shows("phase", `"rod"`).do("rod b1-b2").shows("round", "2", "scores", "[0]")
			m.lastEvents("played", "score", "round")
		}},
		{"ruling 14: the first mole is drawn by lot, or named", lots},
		{"ruling 14: equal scores are a shared first rank", func(t *testing.T) { ends(t, "b2", "f8", "1 1", "2 2") }},
		{"ruling 14: the higher score wins, whoever was mole first", func(t *testing.T) {
			ends(t, "b2", "d3", "1 2", "2 1")
			ends(t, "a1", "d3", "2 1", "0 1")
		}},
		{"ruling 15: the second round has a fresh board, swapped roles and the same flowers", func(t *testing.T) {
			m := deal(t, `{"first_mole":0,"flowers":"random"}`)
			before := fmt.Sprint(m.view().Flowers)
			m.walk("a1").do("rod a1-a2", "move b1", "rod b1-b2", "move c1", "rod c1-c2", "move d1", "rod d1-d2")
			m.do("move e1", "rod e1-e2", "move f1", "rod f1-f2", "move g1", "rod g1-g2")
			m.shows("round", "2", "mole_seat", "1", "visited", "[]", "rods", "[]", "mole", "null", "discs_left", "22", "rods_left", "22", "jump", "false", "score", "0")
			if after := fmt.Sprint(m.view().Flowers); after != before {
				t.Errorf("flowers: got %s in round 2, want %s as in round 1", after, before)
			}
		}},
	} {
		t.Run(row.name, row.play)
	}
}

// diagonals tries d4 to e5 with every set of rods on its four edges.
func diagonals(t *testing.T) {
	edges := []string{"d4-e4", "e4-e5", "d4-d5", "d5-e5"} // the way by e4, then the way by d5
	for set := range 16 {
		var rods []string
		barred := [2]bool{}
		for k, edge := range edges {
			if set>>k&1 == 1 {
				rods = append(rods, edge)
				barred[k/2] = true
			}
		}
		m := deal(t, "").walk("d1 d2 d3 c4 d4", rods...)
		m.layNext()
		if barred[0] && barred[1] {
			m.refuses("move e5", "rods bar both ways round the corner from d4 to e5")
		} else {
			m.allows("move e5")
		}
	}
}

func neighbours(t *testing.T) {
	for col := range 7 {
		for row := range 9 {
			want := 8
			rims := 0
			if col == 0 || col == 6 {
				rims++
			}
			if row == 0 || row == 8 {
				rims++
			}
			switch rims {
			case 1:
				want = 5
			case 2:
				want = 3
			}
			square := fmt.Sprintf("%c%d", 'a'+col, row+1)
			m := deal(t, "").do("start " + square)
			m.do("rod " + map[bool]string{true: "f8-g8", false: "a2-b2"}[col < 3]) // touches no way from this square
			if got := m.ofType("move"); got != want {
				t.Errorf("moves from %s: got %d %v, want %d", square, got, m.offered(), want)
			}
		}
	}
}

func lots(t *testing.T) {
	moles := map[game.Seats]int{}
	for k := range 200 {
		table, _, err := engine.New(nil, 2, game.Seed{byte(k), 7})
		must.OK(t, err)
		moles[table.Due()]++
	}
	if moles[1] < 60 || moles[2] < 60 || moles[1]+moles[2] != 200 {
		t.Errorf("first moles of 200 seeds: got %v, want both seats often", moles)
	}
	for seat := range 2 {
		for k := range 20 {
			table, _, err := engine.New(fmt.Appendf(nil, `{"first_mole":%d}`, seat), 2, game.Seed{byte(k)})
			if err != nil || table.Due() != game.Only(game.Seat(seat)) {
				t.Errorf("first_mole %d: got %v due (%v)", seat, table.Due(), err)
			}
		}
	}
}

// ends plays two rounds of one disc each and compares ranks and points, by seat.
func ends(t *testing.T, first, second, ranks, points string) {
	t.Helper()
	for mole := range 2 {
		m := deal(t, fmt.Sprintf(`{"first_mole":%d,"discs":{"orange":1,"black":0}}`, mole)).do("start "+first, "start "+second)
		m.shows("phase", `"over"`, "round", "2").lastEvents("played", "score", "over")
		got, over := m.Result()
		wantRank, wantPoints := strings.Fields(ranks), strings.Fields(points)
		if mole == 1 {
			slices.Reverse(wantRank)
			slices.Reverse(wantPoints)
		}
		if !over || got.Why != "two_rounds" {
			t.Errorf("mole %d first: over %v, why %s, want two_rounds", mole, over, got.Why)
		}
		if fmt.Sprint(got.Rank) != fmt.Sprint(wantRank) {
			t.Errorf("mole %d first: ranks %v, want %v", mole, got.Rank, wantRank)
		}
		if fmt.Sprint(got.Points) != fmt.Sprint(wantPoints) {
			t.Errorf("mole %d first: points %v, want %v", mole, got.Points, wantPoints)
		}
	}
}

func TestTheBoardHas63SquaresAnd110InnerEdges(t *testing.T) {
	m := deal(t, "")
	if got := m.ofType("start"); got != 63 {
		t.Errorf("starts: got %d, want 63", got)
	}
	if got := m.do("start a1").ofType("rod"); got != 110 {
		t.Errorf("rods: got %d, want 110", got)
	}
}

func TestTheHighestScoreIs24(t *testing.T) {
	c := `{"first_mole":0,"flowers":{"red":["a1","a3","a5","a7"],"white":["a2","a4","a6","a8"]}}`
	deal(t, c).walk(longPath).shows("scores", "[24]")
}
