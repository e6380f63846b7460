package main

import (
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Points that differ from one half by nothing but luck are explained by the weights that made it.
func TestTheFitFindsTheWeightsThatMadeThePoints(t *testing.T) {
	want, luck := []float64{1.5, -0.7}, rand.New(rand.NewPCG(1, 2))
	var all []sample
	for range 2000 {
		s := sample{points: make([]float64, 2)}
		for _, sign := range []float64{1, -0.5, -0.5} {
			s.tables = append(s.tables, judged{sign: sign, factors: [][]float64{
				{luck.NormFloat64(), luck.NormFloat64()}, {luck.NormFloat64(), luck.NormFloat64()},
			}})
		}
		for seat := range s.points {
			by, _ := s.luck(seat, want)
			s.points[seat] = 0.5 + by
		}
		all = append(all, s)
	}
	got, err := least(all)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range got {
		if math.Abs(w-want[i]) > 0.01 {
			t.Errorf("weight %d is %.3f, want %.3f", i, w, want[i])
		}
	}
}

func TestTheSameFlagsGiveTheSameRow(t *testing.T) {
	var rows [2]strings.Builder
	for i := range rows {
		if err := command(t.Context(), []string{"-games", "molehill", "-matches", "50"}, &rows[i], io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	if rows[0].String() != rows[1].String() || !strings.Contains(rows[0].String(), "\n| molehill | 2 |") {
		t.Errorf("got\n%s\nand then\n%s", rows[0].String(), rows[1].String())
	}
}

func TestWhatCannotBeMeasuredIsRefused(t *testing.T) {
	for _, x := range []struct{ flags, says string }{
		{"-matches 10", "want 50 or more, got 10"},
		{"extra -matches 50", `"extra" is no flag`},
		{"-games molehill,chess", `there is no "chess"`},
	} {
		if err := command(t.Context(), strings.Fields(x.flags), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%s: %v, want %q", x.flags, err, x.says)
		}
	}
}
