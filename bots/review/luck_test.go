package review_test

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/molerun/molerun/bots/review"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/must"
)

// chanceOf plays a match by the house and returns its record, and for each step whether an event of that kind came of it.
func chanceOf(t *testing.T, e game.Engine, config string, seats int, seed game.Seed, kind string) (*replay.Record, []bool) {
	t.Helper()
	canonical, err := e.Configure([]byte(config), seats)
	must.OK(t, err)
	table, events, err := e.New(canonical, seats, seed)
	must.OK(t, err)
	rec := &replay.Record{Header: replay.Header{Config: canonical, Seats: make([]replay.Seat, seats)}, Steps: make([]replay.Step, 1), Seed: seed}
	var out []bool
	for {
		came := false
		for _, x := range events {
			came = came || bytes.Contains(x.Data, []byte(`"kind":"`+kind+`"`))
		}
		out = append(out, came)
		if table.Due() == 0 {
			return rec, out
		}
		step := replay.Step{}
		for seat := range table.Due().Each() {
			step.Turns = append(step.Turns, replay.Turn{Seat: seat, Action: table.House(seat)})
		}
		rec.Steps = append(rec.Steps, step)
		events, err = table.Apply(replay.GameTurns(step.Turns))
		must.OK(t, err)
	}
}

func find(t *testing.T, id string) game.Engine {
	t.Helper()
	e, ok := catalog.Find(id)
	if !ok {
		t.Fatalf("no game %s", id)
	}
	return e
}

// In Mole Hill chance does nothing but draw who is the mole first: with many redraws the luck of the deal is half of what that is worth.
func TestLuckIsWhatChanceMadeLessTheMean(t *testing.T) {
	e := find(t, "molehill")
	for seed := range byte(4) {
		rec, _ := chanceOf(t, e, `{}`, 2, game.Seed{seed}, "round")
		luck, err := review.Luck(e, rec, 2000)
		must.OK(t, err)
		table, _, err := e.New(rec.Header.Config, 2, rec.Seed)
		must.OK(t, err)
		expect, err := table.Expect()
		must.OK(t, err)
		for seat, x := range expect {
			if want := x - 0.5; want == 0 || math.Abs(luck[0][seat]/want-1) > 0.1 {
				t.Errorf("seed %d, seat %d: the deal gave %.4f, want about %.4f", seed, seat, luck[0][seat], want)
			}
		}
		for step, x := range luck[1:] {
			if x[0] != 0 || x[1] != 0 {
				t.Errorf("seed %d: step %d, in which nothing is drawn, gave %v", seed, step+1, x)
			}
		}
	}
}

// In CIA the die is all the chance after the deal.
func TestLuckComesOfChanceAlone(t *testing.T) {
	e := find(t, "cia")
	rec, rolled := chanceOf(t, e, `{}`, 3, game.Seed{5}, "roll")
	luck, err := review.Luck(e, rec, review.Redraws)
	must.OK(t, err)
	if len(luck) != len(rolled) {
		t.Fatalf("%d steps of luck, want %d", len(luck), len(rolled))
	}
	gave := 0
	for step, x := range luck {
		sum := x[0] + x[1] + x[2]
		switch {
		case math.Abs(sum) > 1e-12:
			t.Errorf("step %d gave the table %v: what one gets others lose", step, x)
		case !rolled[step] && !reflect.DeepEqual(x, make([]float64, 3)):
			t.Errorf("step %d, without a roll, gave %v", step, x)
		case x[0] != 0:
			gave++
		}
	}
	if gave == 0 {
		t.Error("no roll gave anything")
	}
	if again, err := review.Luck(e, rec, review.Redraws); err != nil || !reflect.DeepEqual(again, luck) {
		t.Errorf("the same record again: %v, %v", again, err)
	}
}

func TestLuckRefusesWhatTheRulesRefuse(t *testing.T) {
	e := find(t, "molehill")
	rec, _ := chanceOf(t, e, `{}`, 2, game.Seed{1}, "round")
	rec.Steps[2].Turns[0].Action = []byte(`{"type":"move","to":"a1"}`)
	if _, err := review.Luck(e, rec, 2); !errors.Is(err, game.ErrIllegal) || !strings.Contains(err.Error(), "step 2") {
		t.Errorf("got %v, want step 2 refused", err)
	}
	rec.Header.Seats = nil
	if _, err := review.Luck(e, rec, 2); !errors.Is(err, game.ErrConfig) {
		t.Errorf("got %v, want no table of no seats", err)
	}
}
