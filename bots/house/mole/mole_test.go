package mole_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	house "github.com/molerun/molerun/bots/house/mole"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole"
	"github.com/molerun/molerun/internal/housetest"
	"github.com/molerun/molerun/internal/must"
)

// flicked is a position of Mole without noise, after the first turn; coins in mm, those not named are not on the board.
type flicked struct {
	phase mole.Phase
	coins map[mole.Coin][2]float64
}

// ask shows the position to a bot and returns its action and what came of it: kinds of events, and why a round ended.
func (x flicked) ask(t *testing.T, name string) (action json.RawMessage, told string) {
	t.Helper()
	c := mole.Rules{}.Defaults()
	c.Noise, c.FirstMole = "none", 0
	var s mole.State
	mole.Rules{}.Deal(&s, c, 2, game.Stream(game.Seed{}, 0, "test"), nil)
	s.Phase, s.MoleTurns = x.phase, 1
	s.Coins = [4]mole.Piece{}
	for id, at := range x.coins {
		s.Coins[id] = mole.Piece{At: mole.Point{X: int32(1000 * at[0]), Y: int32(1000 * at[1])}, Alive: true}
	}
	seat := mole.Rules{}.Due(&s).Lowest()
	view, err := json.Marshal(mole.Rules{}.View(&s, seat))
	must.OK(t, err)
	e := game.Wrap(mole.Rules{})
	config, err := e.Configure([]byte(`{"noise":"none","first_mole":0}`), 2)
	must.OK(t, err)
	table, err := e.StateFromView(config, 2, seat, view, game.Seed{})
	must.OK(t, err)
	turn := protocol.Turn{Game: "mole", Config: config, Seat: seat, Opponents: make([]protocol.Opponent, 1), View: view, Offer: table.Offer(seat)}
	answer := housetest.Ask(t, name, &turn)
	action, err = kit.Chosen(turn.Offer, answer)
	must.OK(t, err)
	events, err := table.Apply([]game.Turn{{Seat: seat, Action: action}})
	must.OK(t, err)
	for _, event := range events {
		var e struct{ Kind, Coin, Why string }
		must.OK(t, json.Unmarshal(event.Data, &e))
		told += fmt.Sprintln(e.Kind, e.Coin, e.Why)
	}
	return action, told
}

func TestHouseBotsSeeWhatWinsAtMole(t *testing.T) {
	for _, row := range []struct {
		name string
		bots string
		at   flicked
		want string // among the events
	}{
		{"an open lane to the line", "greedy thinker searcher", flicked{mole.PhaseMole, map[mole.Coin][2]float64{mole.Mole: {150, 330}, mole.M1: {150, 400}, mole.M2: {60, 100}}}, "crossed"},
		{"a mole near a side", "thinker searcher", flicked{mole.PhaseMignettes, map[mole.Coin][2]float64{mole.Mole: {40, 330}, mole.M1: {120, 335}}}, "left mole"},
		{"a mole near a side, from above", "thinker searcher", flicked{mole.PhaseMignettes, map[mole.Coin][2]float64{mole.Mole: {262, 330}, mole.M2: {220, 380}, mole.M3: {100, 100}}}, "left mole"},
		{"the last mignette near an edge", "thinker searcher", flicked{mole.PhaseMole, map[mole.Coin][2]float64{mole.Mole: {150, 240}, mole.M3: {60, 240}}}, "last_killed"},
	} {
		for name := range strings.FieldsSeq(row.bots) {
			if action, told := row.at.ask(t, name); !strings.Contains(told, row.want) {
				t.Errorf("%s: %s plays %s, which gives\n%swant %s", row.name, name, action, told, row.want)
			}
		}
	}
}

func TestHouseBotsKeepClearOfWhatLosesAtMole(t *testing.T) {
	for _, row := range []struct {
		name  string
		at    flicked
		avoid string
	}{
		{"wholly inside Rosserie he may not win", flicked{mole.PhaseMole, map[mole.Coin][2]float64{mole.Mole: {70, 195}, mole.M1: {250, 300}}}, "round"},
		{"behind the loup line he may not win", flicked{mole.PhaseMole, map[mole.Coin][2]float64{mole.Mole: {150, 20}, mole.M1: {250, 300}}}, "round"},
		{"a straight hit would put him over the line", flicked{mole.PhaseMignettes, map[mole.Coin][2]float64{mole.Mole: {150, 430}, mole.M1: {150, 300}}}, "round"},
	} {
		for _, name := range []string{"thinker", "searcher"} {
			if action, told := row.at.ask(t, name); strings.Contains(told, row.avoid) {
				t.Errorf("%s: %s plays %s, which gives\n%s", row.name, name, action, told)
			}
		}
	}
}

// In Gad the mole must be flicked away from what it touches; between two that is only up or down.
func TestHouseBotsObeyGad(t *testing.T) {
	for _, row := range []struct {
		coins    map[mole.Coin][2]float64
		from, to int // mdeg
	}{
		{map[mole.Coin][2]float64{mole.Mole: {150, 200}, mole.M1: {150, 223.1}, mole.M2: {173.1, 200}, mole.M3: {60, 300}}, 180_000, 270_000},
		{map[mole.Coin][2]float64{mole.Mole: {150, 200}, mole.M1: {126.9, 200}, mole.M2: {173.1, 200}}, 90_000, 270_000},
	} {
		for _, name := range []string{"greedy", "thinker", "searcher"} {
			action, told := flicked{mole.PhaseMole, row.coins}.ask(t, name) // an illegal answer ends the test
			var a struct {
				Angle int `json:"angle_mdeg"`
			}
			must.OK(t, json.Unmarshal(action, &a))
			if !strings.Contains(told, "flick") {
				t.Errorf("%s plays %s, which gives\n%swant a flick", name, action, told)
			}
			if a.Angle < row.from || a.Angle > row.to {
				t.Errorf("%s plays %s: want an angle from %d to %d mdeg", name, action, row.from, row.to)
			}
		}
	}
}

// Every draw of the random bot from an offer of Mole is legal, and all coins, quarters of the circle and halves of the
// speed come up about alike: 2000 draws, five standard deviations.
func TestRandomDrawsAllKindsOfFlicks(t *testing.T) {
	e := game.Wrap(mole.Rules{})
	table, _, err := e.New([]byte(`{"first_mole":0}`), 2, game.Seed{})
	must.OK(t, err)
	fastest := mole.Rules{}.Defaults().MignetteMaxMMS
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func() json.RawMessage {
		turn := protocol.Turn{Game: "mole", Config: table.Config(), Seat: 1, Opponents: make([]protocol.Opponent, 1), View: table.View(1), Offer: table.Offer(1)}
		answer, err := house.Random(&turn, rng)
		must.OK(t, err)
		if err := table.Check(game.Turn{Seat: 1, Action: answer.Action}); err != nil {
			t.Fatalf("%s: %v", answer.Action, err)
		}
		return answer.Action
	}
	_, err = table.Apply([]game.Turn{{Seat: 1, Action: draw()}})
	must.OK(t, err)
	coins := map[string]int{}
	quarters := map[int]int{}
	halves := map[bool]int{}
	flicks := 0
	for range 2000 {
		var a struct {
			Type, Coin string
			Angle      int `json:"angle_mdeg"`
			Speed      int `json:"speed_mm_s"`
		}
		must.OK(t, json.Unmarshal(draw(), &a))
		if a.Type != "flick" {
			continue
		}
		flicks++
		coins[a.Coin]++
		quarters[a.Angle/90_000]++
		halves[2*a.Speed > fastest]++
	}
	for what, counts := range map[string][]int{
		"coin": {coins["m1"], coins["m2"], coins["m3"]}, "quarter": {quarters[0], quarters[1], quarters[2], quarters[3]}, "half": {halves[false], halves[true]},
	} {
		for k, n := range counts {
			if want := flicks / len(counts); n < want-110 || n > want+110 {
				t.Errorf("%s %d: drawn %d times of %d flicks, want about %d", what, k, n, flicks, want)
			}
		}
	}
}
