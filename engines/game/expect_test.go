package game_test

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

// judging is the toy with a judgement: a seat's card counts. Seats 0 and 1 are a team, and who has the best score wins.
type judging struct {
	toy
	teams bool
}

func (judging) Factors(s *toyState, seat game.Seat, out []float64) {
	out[0], out[1] = float64(s.Card[seat]), 1
}
func (judging) Weights() []float64 { return []float64{0.25, 7} }
func (x judging) Teams(s *toyState) []string {
	if !x.teams {
		return nil
	}
	return []string{"a", "a", "b", "b"}[:s.Seats]
}
func (judging) Result(s *toyState) game.Result {
	out := toy{}.Result(s)
	out.Rank = game.Ranks(int(s.Seats), func(a, b int) bool { return s.Score[a] > s.Score[b] })
	return out
}

func TestExpectIsTheMeanChanceAgainstTheOthers(t *testing.T) {
	logistic := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	for _, teams := range []bool{false, true} {
		table, _, err := game.Wrap(judging{teams: teams}).New(nil, 3, game.Seed{3})
		must.OK(t, err)
		f, err := table.Factors()
		must.OK(t, err)
		got, err := table.Expect()
		must.OK(t, err)
		a, b, c := f[0][0]/4, f[1][0]/4, f[2][0]/4
		want := []float64{(logistic(a-b) + logistic(a-c)) / 2, (logistic(b-a) + logistic(b-c)) / 2, (logistic(c-a) + logistic(c-b)) / 2}
		if teams {
			want = []float64{logistic(a - c), logistic(b - c), (logistic(c-a) + logistic(c-b)) / 2}
		}
		for seat := range want {
			if math.Abs(got[seat]-want[seat]) > 1e-12 {
				t.Errorf("teams %v: seat %d can expect %v, want %v", teams, seat, got[seat], want[seat])
			}
		}
	}
}

func TestExpectAtTheEndIsWhatASeatHas(t *testing.T) {
	table, _, err := game.Wrap(judging{}).New([]byte(`{"rounds":1}`), 3, game.Seed{3})
	must.OK(t, err)
	f, err := table.Factors()
	must.OK(t, err)
	own := int(f[0][0]) // seat 0 names its own card, the others do not
	miss := func(seat int) game.Turn { return name(game.Seat(seat), 1+int(f[seat][0])%9) }
	_, err = table.Apply([]game.Turn{name(0, own), miss(1), miss(2)})
	must.OK(t, err)
	if !table.Chance() {
		t.Error("a step drew, and the table does not say so")
	}
	_, err = table.Apply([]game.Turn{name(0, 1)})
	must.OK(t, err)
	if table.Chance() {
		t.Error("a step drew nothing, and the table says so")
	}
	if got, err := table.Expect(); err != nil || !reflect.DeepEqual(got, []float64{1, 0.25, 0.25}) {
		t.Errorf("got %v, %v, want 1 for the first and ¼ for the two that tie", got, err)
	}
}

func TestATableGetsAnotherSeedAndNothingElse(t *testing.T) {
	table := newToy(t, toy{}, 3)
	turns := []game.Turn{name(0, 1), name(1, 1), name(2, 1)}
	same, other := table.Resample(game.Everything, game.Seed{1}), table.Resample(game.Everything, game.Seed{2})
	if same.Hash() != table.Hash() || other.Hash() != table.Hash() {
		t.Error("the state changed with the seed")
	}
	for _, x := range []game.Table{table, same, other} {
		must.OK(t, x.Repeat(turns))
	}
	if same.Hash() != table.Hash() || other.Hash() == table.Hash() {
		t.Error("chance does not follow from the seed")
	}
	if _, err := table.Expect(); !errors.Is(err, game.ErrUnsupported) {
		t.Errorf("got %v of a game that judges no tables", err)
	}
}
