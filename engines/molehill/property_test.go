package molehill_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/molehill"
	"github.com/molerun/molerun/internal/gametest"
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

func TestAStateGuessedFromAViewIsTheStateItself(t *testing.T) {
	overMatches(t, func(t *rapid.T, config string, x game.Table) {
		for seat := game.Spectator; seat < 2; seat++ {
			twin, err := engine.StateFromView([]byte(config), 2, seat, x.View(seat), game.Seed{9})
			if err != nil {
				t.Fatalf("step %d: guess of %s: %v", x.Step(), x.View(seat), err)
			}
			if twin.Hash() != x.Hash() || twin.Due() != x.Due() {
				t.Fatalf("step %d: guessed\n%s\nwant\n%s", x.Step(), twin.View(seat), x.View(seat))
			}
		}
	})
}

func TestARevealedConfigurationDealsTheSameFlowersAndRoles(t *testing.T) {
	overMatches(t, func(t *rapid.T, _ string, x game.Table) {
		var state struct{ Config, View json.RawMessage }
		if err := json.Unmarshal(x.Reveal(), &state); err != nil {
			t.Fatal(err)
		}
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
		if err := json.Unmarshal(x.Offer(seat), &offer); err != nil {
			t.Fatal(err)
		}
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

func TestSnapshotsRestoreTheSameTable(t *testing.T) {
	overMatches(t, func(t *rapid.T, _ string, x game.Table) {
		twin, err := engine.Restore(x.Snapshot())
		if err != nil {
			t.Fatalf("restore: %v", err)
		}
		if twin.Hash() != x.Hash() || twin.Step() != x.Step() {
			t.Fatalf("restore: another state, or step %d where %d is due", twin.Step(), x.Step())
		}
		if got, want := string(twin.View(0)), string(x.View(0)); got != want {
			t.Fatalf("restore: shows %s, want %s", got, want)
		}
		if x.Due() != 0 && string(twin.House(x.Due().Lowest())) != string(x.House(x.Due().Lowest())) {
			t.Fatal("the house plays differently after a restore")
		}
	})
}

func TestConfigureIsAFixedPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		config := drawConfig(t)
		once, err := engine.Configure([]byte(config), 2)
		if err != nil {
			t.Fatalf("%s: %v", config, err)
		}
		twice, err := engine.Configure(once, 2)
		if err != nil || string(twice) != string(once) || string(once) != config {
			t.Fatalf("%s: got %s, then %s (%v)", config, once, twice, err)
		}
	})
}

// TestViewsHoldNoNullLists: a bot may index every list.
func TestViewsHoldNoNullLists(t *testing.T) {
	overMatches(t, func(t *rapid.T, _ string, x game.Table) {
		view := string(x.View(0))
		if n := strings.Count(view, "null"); n > 1 || n == 1 && !strings.Contains(view, `"mole":null`) {
			t.Fatalf("view: got %s, want null for mole alone", view)
		}
	})
}

func TestPlayoutsAllocateNothing(t *testing.T) {
	sim := game.Sim[molehill.Config, molehill.State, molehill.Action, molehill.View, molehill.Event]{Rules: molehill.Rules{}}
	r, c := game.Stream(game.Seed{1}, 0, "alloc"), molehill.Rules{}.Defaults()
	var s molehill.State
	play := func() { molehill.Rules{}.Deal(&s, c, 2, r, nil); sim.Playout(&s, r) }
	play()
	if got := testing.AllocsPerRun(200, play); got != 0 {
		t.Errorf("allocations per playout: got %v, want 0", got)
	}
}

func TestSamplesReachEveryLegalActionEvenly(t *testing.T) {
	m := deal(t, "").walk("d4 d5", "d5-d6").layNext() // jump available: 61 jumps and 6 moves or so
	var s molehill.State
	if err := (molehill.Rules{}).StateFromView(molehill.Rules{}.Defaults(), 2, 0, m.view(), &s, nil); err != nil {
		t.Fatal(err)
	}
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

func TestSchemasFitWhatTheEngineSaysAndTakes(t *testing.T) {
	schemas := map[string]*jsonschema.Schema{}
	for name, text := range engine.Schemas() {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		compiler := jsonschema.NewCompiler()
		if err := compiler.AddResource(name+".json", doc); err != nil {
			t.Fatal(err)
		}
		if schemas[name], err = compiler.Compile(name + ".json"); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	fits := func(name, text string) error {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			return err
		}
		return schemas[name].Validate(doc)
	}
	must := func(t *rapid.T, name, text string) {
		if err := fits(name, text); err != nil {
			t.Fatalf("%s %s: %v", name, text, err)
		}
	}
	overMatches(t, func(t *rapid.T, config string, x game.Table) {
		if x.Step() == 0 {
			must(t, "config", config)
		}
		if x.Step()%7 != 0 && x.Due() != 0 {
			return
		}
		must(t, "view", string(x.View(0)))
		if x.Due() != 0 {
			action := x.House(x.Due().Lowest())
			must(t, "action", string(action))
			events, err := x.Resample(0, game.Seed{}).Apply([]game.Turn{{Seat: x.Due().Lowest(), Action: action}})
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range events {
				must(t, "event", string(e.Data))
			}
		}
	})
	for name, bad := range map[string][]string{
		"config": {`{"columns":8}`, `{"colums":7}`, `{"flowers":"wild"}`, `{"discs":{"green":1}}`, `{"first_mole":2}`, `{"rods":-1}`},
		"action": {`{}`, `{"type":"move","at":"d4"}`, `{"type":"rod","edge":"d4"}`, `{"type":"start","at":"d0"}`, `{"type":"move","to":"d4","x":1}`},
		"view":   {`{}`, strings.Replace(string(deal(t, "").View(0)), `"visited":[]`, `"visited":null`, 1), strings.Replace(string(deal(t, "").View(0)), `"start"`, `"sleep"`, 1)},
		"event":  {`{}`, `{"kind":"round"}`, `{"kind":"played","seat":0}`, `{"kind":"score","scores":[]}`, `{"kind":"over","seat":1}`},
	} {
		for _, text := range bad {
			if fits(name, text) == nil {
				t.Errorf("the schema of %s accepts %s", name, text)
			}
		}
	}
}
