package mole_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

// TestGuessRebuildsTheTable: at every step of some matches the table guessed from a view has the same view and offer, and
// the same future but for the luck.
func TestGuessRebuildsTheTable(t *testing.T) {
	for _, config := range []string{`{"max_rounds":25,"noise":"none"}`, `{"board":"carnival","points":2,"lead":1,"noise":"none","mole_max_mm_s":2500}`} {
		for k := range 3 {
			table, _, err := engine.New([]byte(config), 2, gametest.Seed(k))
			must.OK(t, err)
			for step := 0; ; step++ {
				seat := table.Due().Lowest()
				twin, err := engine.StateFromView([]byte(config), 2, seat, table.View(seat), game.Seed{9})
				if err != nil {
					t.Fatalf("step %d: %v\n%s", step, err, table.View(seat))
				}
				if string(twin.View(seat)) != string(table.View(seat)) || string(twin.Offer(seat)) != string(table.Offer(seat)) {
					t.Fatalf("step %d: the guess shows\n%s\nnot\n%s", step, twin.View(seat), table.View(seat))
				}
				if seat == game.Spectator {
					break
				}
				turn := []game.Turn{{Seat: seat, Action: table.House(seat)}}
				a, errA := table.Apply(turn)
				b, errB := twin.Apply(turn)
				if errA != nil || errB != nil {
					t.Fatal(errA, errB)
				}
				if x, y := asJSON(t, a), asJSON(t, b); x != y || table.Hash() != twin.Hash() {
					t.Fatalf("step %d: the guess goes on with\n%s\nnot\n%s", step, y, x)
				}
			}
		}
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	must.OK(t, err)
	return string(b)
}

func TestGuessTakesAnyPositionAndRefusesTheImpossible(t *testing.T) {
	x := lay(t, mole.Classic(), turnM, set{MO: {150, 200}, M1: {150, 300}, M2: {0, 0}, M3: {300, 450}})
	view := asJSON(t, mole.Rules{}.View(&x.s, 0))
	change := func(old, with string) string {
		t.Helper()
		if !strings.Contains(view, old) {
			t.Fatalf("no %s in %s", old, view)
		}
		return strings.Replace(view, old, with, 1)
	}
	const config = `{"noise":"none","mignette_max_mm_s":1300}`
	for name, row := range map[string]struct {
		view string
		want string // part of the reason; empty: taken
	}{
		"as it is":                    {view, ""},
		"a mole elsewhere":            {change(`"x_um":150000,"y_um":200000`, `"x_um":151000,"y_um":260000`), ""},
		"coins upon each other":       {change(`"x_um":150000,"y_um":300000`, `"x_um":300000,"y_um":450000`), ""},
		"off the board":               {change(`"x_um":150000`, `"x_um":-1`), "not on the board"},
		"another phase":               {change(`"phase":"mignettes"`, `"phase":"mole"`), "side"},
		"no such phase":               {change(`"phase":"mignettes"`, `"phase":"tea"`), "phase"},
		"over too early":              {change(`"phase":"mignettes"`, `"phase":"over"`), "not over"},
		"a score too high":            {change(`"score":[0,0]`, `"score":[1,0]`), "score"},
		"a round too high":            {change(`"round":1`, `"round":121`), "round"},
		"too many turns":              {change(`"mole_turns":1,`, `"mole_turns":12,`), "mole_turns"},
		"coins in another order":      {change(`"id":"mole"`, `"id":"m1"`), "coins[0].id"},
		"protected, though it is not": {change(`"protected":false`, `"protected":true`), "protected"},
		"in Gad, though it is not":    {change(`"gad":[]`, `"gad":["m1"]`), "gad"},
		"pending, with a mole":        {change(`"pending":null`, `"pending":{"edge":"left","by":"m1"}`), "pending"},
		"another board":               {change(`"loup_um":60000`, `"loup_um":60001`), "board"},
		"other limits":                {change(`"mole_max_mm_s":900`, `"mole_max_mm_s":901`), "limits"},
		"no such seat":                {change(`"mole_seat":0`, `"mole_seat":2`), "mole_seat"},
		"a dead mole":                 {change(`"x_um":150000,"y_um":200000,"alive":true`, `"x_um":0,"y_um":0,"alive":false`), "pending"},
		"three coins":                 {change(`,{"id":"m3","x_um":300000,"y_um":450000,"alive":true,"played":false}`, ``), "coins"},
		"all played":                  {strings.ReplaceAll(view, `"alive":true,"played":false},{"id":"m`, `"alive":true,"played":true},{"id":"m`), "played"},
		"a key too many":              {change(`"round":1`, `"round":1,"luck":7`), "luck"},
		"a key too few":               {change(`"gad":[],`, ``), "gad"},
	} {
		_, err := engine.StateFromView([]byte(config), 2, 0, json.RawMessage(row.view), game.Seed{})
		switch {
		case row.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case row.want != "" && (!errors.Is(err, game.ErrView) || !strings.Contains(err.Error(), row.want)):
			t.Errorf("%s: want %v about %s, got %v", name, game.ErrView, row.want, err)
		}
	}
}

// TestGuessedPositionsCanBePlayed: whatever StateFromView takes, however odd, plays on to the end.
func TestGuessedPositionsCanBePlayed(t *testing.T) {
	r := game.Stream(game.Seed{12}, 0, "odd")
	sim := game.Sim[mole.Config, mole.State, mole.Action, mole.View, mole.Event]{Rules: mole.Rules{}}
	taken := 0
	for range 400 {
		c := mole.Rules{}.Defaults()
		c.Points, c.Lead, c.Board.Board = 1, 1, cluttered()
		var s, out mole.State
		mole.Rules{}.Deal(&s, c, 2, r, nil)
		s.Phase, s.MoleTurns = []mole.Phase{turnM, turnO}[r.IntN(2)], int16(r.IntN(12))
		for id := range s.Coins { // anywhere, on each other and on things too
			s.Coins[id] = mole.Piece{At: mole.Point{X: 60_000 + int32(r.IntN(60_000)), Y: 90_000 + int32(r.IntN(60_000))}, Alive: true}
		}
		if err := (mole.Rules{}).StateFromView(c, 2, 0, mole.Rules{}.View(&s, 0), &out, r); err != nil {
			continue
		}
		taken++
		sim.Playout(&out, r)
	}
	if taken < 200 {
		t.Errorf("only %d of 400 positions were taken", taken)
	}
}

// TestGuessHoldsTheScoreAndThePendingMoleAgainstTheRules.
func TestGuessHoldsTheScoreAndThePendingMoleAgainstTheRules(t *testing.T) {
	rules := mole.Rules{}
	all := set{MO: {150, 200}, M1: {150, 300}, M2: {20, 20}}
	one := rules.Defaults() // a match to one point, or of two rounds
	one.Points, one.Lead, one.MaxRounds, one.Noise, one.MignetteMaxMMS = 1, 1, 2, "none", 1300
	for _, row := range []struct {
		name  string
		phase mole.Phase
		coins set
		edit  func(v *mole.View)
		want  string // part of the reason; empty: taken
	}{
		{"as it is", turnM, all, func(*mole.View) {}, ""},
		{"a score below 0", turnM, all, func(v *mole.View) { v.Score = [2]int{-1, 0} }, "score"},
		{"another score below 0", turnM, all, func(v *mole.View) { v.Score = [2]int{0, -1} }, "score"},
		{"a score below 0 that evens out", turnM, all, func(v *mole.View) { v.Score, v.Round = [2]int{2, -1}, 2 }, "score"},
		{"the other so", turnM, all, func(v *mole.View) { v.Score, v.Round = [2]int{-1, 2}, 2 }, "score"},
		{"two points in two rounds that go on", turnM, all, func(v *mole.View) { v.Score, v.Round = [2]int{1, 1}, 2 }, "score"},
		{"two points in one round", mole.PhaseOver, all, func(v *mole.View) { v.Score = [2]int{1, 1} }, "score"},
		{"a point in each round, over", mole.PhaseOver, all, func(v *mole.View) { v.Score, v.Round = [2]int{1, 0}, 1 }, ""},
		{"a point in each round for the other, over", mole.PhaseOver, all, func(v *mole.View) { v.Score, v.Round = [2]int{0, 1}, 1 }, ""},
		{"no point, over by the rounds", mole.PhaseOver, all, func(v *mole.View) { v.Score, v.Round = [2]int{}, 2 }, ""},
		{"turns below 0", turnO, all, func(v *mole.View) { v.MoleTurns = -1 }, "mole_turns"},
		{"turns beyond all", mole.PhaseOver, all, func(v *mole.View) { v.Score, v.MoleTurns = [2]int{1, 0}, 13 }, "mole_turns"},
		{"all turns, over", mole.PhaseOver, all, func(v *mole.View) { v.Score, v.MoleTurns = [2]int{1, 0}, 12 }, ""},
		{"no mignette in the mole's turn", turnO, set{MO: {150, 200}}, func(*mole.View) {}, "takes a mole and a mignette"},
		{"no mole in his turn", turnO, set{M1: {150, 200}}, func(*mole.View) {}, "takes a mole and a mignette"},
		{"pending on the left", turnM, set{M1: {150, 300}, M2: {20, 20}}, pending("left", "m1", 1), ""},
		{"pending on the right, by m2", turnM, set{M1: {150, 300}, M2: {20, 20}}, pending("right", "m2", 2), ""},
		{"pending by one that has died since", turnM, set{M2: {20, 20}}, pending("right", "m1", 0), ""},
		{"pending by one that has not played", turnM, set{M1: {150, 300}, M2: {20, 20}}, pending("left", "m1", 2), "has not played yet"},
		{"pending beyond the winning line", turnM, set{M1: {150, 300}, M2: {20, 20}}, pending("winning", "m1", 1), "want edge left or right"},
		{"pending beyond nothing", turnM, set{M1: {150, 300}, M2: {20, 20}}, pending("beach", "m1", 1), "want edge left or right"},
		{"pending by the mole", turnM, set{M1: {150, 300}, M2: {20, 20}}, pending("left", "mole", 1), "want edge left or right"},
		{"pending by nobody", turnM, set{M1: {150, 300}, M2: {20, 20}}, pending("left", "m4", 1), "want edge left or right"},
	} {
		x := lay(t, mole.Classic(), row.phase, row.coins)
		v := rules.View(&x.s, 0)
		v.Limits.Points, v.Limits.Lead, v.Limits.MaxRounds = 1, 1, 2
		row.edit(&v)
		var s mole.State
		err := rules.StateFromView(one, 2, 0, v, &s, x.r)
		if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
			t.Errorf("%s: want a refusal with %q, got %v", row.name, row.want, err)
		}
	}
}

// pending says that the mole has been knocked off, and which coin has played, 0 none.
func pending(edge, by string, played int) func(*mole.View) {
	return func(v *mole.View) {
		v.Pending = &mole.Pending{Edge: edge, By: by}
		if played > 0 {
			v.Coins[played].Played = true
		}
	}
}
