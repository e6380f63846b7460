package molehill_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/molehill"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

// drawn returns the moments whose pictures and texts are goldens.
func drawn(t *testing.T) map[string]*match {
	jumped := deal(t, "").walk("b2 c3 d4 d5", "d5-e5", "d6-d7", "c5-c6").layNext()
	jumped.do("jump f8").layNext().do("move f7")
	return map[string]*match{
		"start":  deal(t, ""),
		"middle": jumped,
		"jump":   deal(t, "").walk("b2 c3 d4 d5", "d5-e5", "d6-d7", "c5-c6").layNext(),
		"late":   deal(t, "").walk("a1 a2 a3 a4 b5 b6 a7 b8 c8 d7 d6 e5 f4 f3 f2 e2", "c2-c3", "b3-c3", "d4-e4", "c8-c9", "a8-a9", "d8-d9", "b1-c1", "e8-f8", "c1-d1", "a9-b9", "g8-g9", "g7-g8", "g1-g2", "f8-g8", "f9-g9"),
		"end": deal(t, `{"first_mole":1,"discs":{"orange":3,"black":4},"rods":8}`).
			walk("b2 b3 b4 b5 c6 d7 e7", "d3-d4", "c3-c4", "e3-f3").walk("f2 e3 d3 c4 b5 b6 b7"),
		"tall": deal(t, `{"columns":3,"rows":21,"flowers":"random","first_mole":0}`).do("start b11", "rod b10-b11", "move c12", "rod a1-b1"),
		"wide": deal(t, `{"columns":21,"rows":3,"flowers":"random","first_mole":0}`).do("start k2", "rod k2-l2", "move l3", "rod k1-l1"),
	}
}

func TestDrawingsAreAsReviewed(t *testing.T) {
	for name, m := range drawn(t) {
		svg, err := m.Draw(game.Spectator, nil)
		must.OK(t, err)
		gametest.Golden(t, "draw_"+name+".svg", svg)
	}
}

func TestDescriptionsAreAsReviewed(t *testing.T) {
	for name, m := range drawn(t) {
		text, err := m.Describe(0)
		must.OK(t, err)
		gametest.Golden(t, "describe_"+name+".txt", []byte(text))
	}
}

// TestAHostileViewCannotBreakTheDrawing: a view read from JSON may hold any text; none of it reaches the SVG.
func TestAHostileViewCannotBreakTheDrawing(t *testing.T) {
	evil := `"><script>`
	v := molehill.View{Round: 9, Phase: evil, Mole: &evil, Visited: []string{evil, "a1", "u21"}, Rods: []string{evil, "a1-a2"}, Flowers: molehill.FlowerView{Red: []string{evil}}, Scores: []int{1, 2, 3}}
	svg := molehill.Rules{}.Draw(v, nil)
	gametest.Drawing(t, svg)
	if bytes.Contains(svg, []byte("script")) || strings.Contains(molehill.Rules{}.Describe(molehill.View{}), "script") {
		t.Error("text of the view reached the drawing")
	}
	_ = molehill.Rules{}.Describe(v)
}
