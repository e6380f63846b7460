package molehill_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/molehill"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

// drawConfig draws any valid configuration, as JSON with all its keys.
func drawConfig(t *rapid.T) string {
	shape := rapid.SampledFrom(shapes).Draw(t, "shape")
	squares := shape[0] * shape[1]
	orange := rapid.IntRange(0, squares).Draw(t, "orange")
	black := rapid.IntRange(max(0, 1-orange), squares-orange).Draw(t, "black")
	flowers := `"random"`
	if rapid.Bool().Draw(t, "given") {
		names := []string{}
		for _, i := range rapid.Permutation(upTo(squares)).Draw(t, "flowers")[:8] {
			names = append(names, fmt.Sprintf("%q", molehill.Square{Col: uint8(i % shape[0]), Row: uint8(i / shape[0])}))
		}
		flowers = fmt.Sprintf(`{"red":[%s],"white":[%s]}`, strings.Join(names[:4], ","), strings.Join(names[4:], ","))
	}
	return fmt.Sprintf(`{"columns":%d,"rows":%d,"flowers":%s,"discs":{"orange":%d,"black":%d},"rods":%d,"first_mole":%s,"centre_start_jumps":%v}`,
		shape[0], shape[1], flowers, orange, black, rapid.IntRange(orange+black-1, 255).Draw(t, "rods"),
		rapid.SampledFrom([]string{`"lot"`, "0", "1"}).Draw(t, "first"), rapid.Bool().Draw(t, "centre"))
}

func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// overMatches runs law at every step of random matches of random configurations, the end included.
func overMatches(t *testing.T, law func(t *rapid.T, config string, x game.Table)) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		config := drawConfig(t)
		seed := game.Seed{}
		copy(seed[:], rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "seed"))
		x, _, err := engine.New([]byte(config), 2, seed)
		if err != nil {
			t.Fatalf("deal %s: %v", config, err)
		}
		for law(t, config, x); x.Due() != 0; law(t, config, x) {
			if x.Step() > 4*molehill.MaxSquares {
				t.Fatal("the match does not end")
			}
			gametest.HouseStep(t, x)
		}
	})
}

func TestARevealedConfigurationDealsTheSameFlowersAndRoles(t *testing.T) {
	overMatches(t, func(t *rapid.T, _ string, x game.Table) {
		var state struct{ Config, View json.RawMessage }
		must.OK(t, json.Unmarshal(x.Reveal(), &state))
		twin, err := engine.StateFromView(state.Config, 2, 0, state.View, game.Seed{})
		if err != nil || twin.Hash() != x.Hash() {
			t.Fatalf("%s: got %v, want the same state", x.Reveal(), err)
		}
	})
}

func TestExactlyTheOfferIsLegal(t *testing.T) {
	overMatches(t, func(t *rapid.T, _ string, x game.Table) {
		if x.Step()%5 != 0 || x.Due() == 0 {
			return
		}
		seat := x.Due().Lowest()
		var offer struct{ List []json.RawMessage }
		must.OK(t, json.Unmarshal(x.Offer(seat), &offer))
		offered := map[string]bool{}
		for _, a := range offer.List {
			offered[string(a)] = true
		}
		if len(offered) == 0 || len(offered) != len(offer.List) || !offered[string(x.House(seat))] {
			t.Fatalf("offer: got %d actions, %d of them distinct; the house plays %s", len(offer.List), len(offered), x.House(seat))
		}
		for _, wire := range everyAction() {
			if err := x.Check(game.Turn{Seat: seat, Action: json.RawMessage(wire)}); (err == nil) != offered[wire] {
				t.Fatalf("%s: got %v, offered %v", wire, err, offered[wire])
			}
		}
	})
}

// everyAction lists all actions on a board a little larger than 9 × 9, and beyond in one direction.
func everyAction() (out []string) {
	add := func(q molehill.Square) {
		for _, a := range []molehill.Action{
			{Type: molehill.Start, At: q},
			{Type: molehill.Move, At: q},
			{Type: molehill.Jump, At: q},
			{Type: molehill.Rod, At: q},
			{Type: molehill.Rod, At: q, Up: true},
		} {
			out = append(out, string(a.AppendJSON(nil)))
		}
	}
	for col := range uint8(20) {
		for row := range uint8(20) {
			if col < 4 || row < 4 || col < 9 && row < 11 {
				add(molehill.Square{Col: col, Row: row})
			}
		}
	}
	for k := range uint8(3) {
		add(molehill.Square{Col: 20, Row: k})
		add(molehill.Square{Col: k, Row: 20})
	}
	return out
}

func TestSamplesReachEveryLegalActionEvenly(t *testing.T) {
	m := deal(t, "").walk("d4 d5", "d5-d6").layNext() // jump available: 61 jumps and 6 moves or so
	var s molehill.State
	must.OK(t, (molehill.Rules{}).StateFromView(molehill.Rules{}.Defaults(), 2, 0, m.view(), &s, nil))
	for _, phase := range []string{"move", "rod"} {
		if phase == "rod" {
			molehill.Rules{}.Apply(&s, []game.Act[molehill.Action]{{Seat: 0, Action: molehill.Action{Type: molehill.Jump}}}, nil, nil)
		}
		var o game.Offer[molehill.Action]
		molehill.Rules{}.Offer(&s, 0, &o)
		seen, r := map[molehill.Action]int{}, game.Stream(game.Seed{5}, 0, phase)
		for range 200 * len(o.List) {
			seen[molehill.Rules{}.Sample(&s, 0, r)]++
		}
		for _, a := range o.List {
			if seen[a] < 120 || seen[a] > 280 { // 200 expected, standard deviation 14
				t.Errorf("%s: %s sampled %d times, want about 200", phase, a.AppendJSON(nil), seen[a])
			}
		}
		if len(seen) != len(o.List) {
			t.Errorf("%s: %d actions sampled, %d offered", phase, len(seen), len(o.List))
		}
	}
}
