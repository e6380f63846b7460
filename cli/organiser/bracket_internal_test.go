package organiser

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/api/wire"
)

func TestAnEliminationIsDrawnAsATree(t *testing.T) {
	over := func(name, one, two, winner string, points ...float64) wire.Table {
		return wire.Table{
			Name:   name,
			Bots:   []string{one, two},
			Points: points,
			Winner: winner,
			Over:   len(points) > 0,
		}
	}
	var b strings.Builder
	drawTree(&b, []wire.Round{
		{Round: 1, Tables: []wire.Table{over("semi-final", "ada", "bo", "ada", 1, 1), over("semi-final", "cyd", "dee", "dee", .5, 1.5)}},
		{Round: 2, Tables: []wire.Table{over("final", "ada", "dee", "")}},
	})
	want := `
ada ┐
    ├ ada 1:1 ────┐
bo ─┘             │
                  ├ ?
cyd ┐             │
    ├ dee 1.5:0.5 ┘
dee ┘
`
	if b.String() != want {
		t.Errorf("drawn is%s\nwant%s", b.String(), want)
	}
}
