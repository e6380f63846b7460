package organiser

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/api/wire"
)

func TestAnEliminationIsDrawnAsATree(t *testing.T) {
	over := func(name, one, two string, points ...float64) wire.Table {
		return wire.Table{
			Name:   name,
			Bots:   []string{one, two},
			Points: points,
			Over:   len(points) > 0,
		}
	}
	var b strings.Builder
	drawTree(&b, []wire.Round{
		{Round: 1, Tables: []wire.Table{over("semi-final", "ada", "bo", 2, 0), over("semi-final", "cyd", "dee", .5, 1.5)}},
		{Round: 2, Tables: []wire.Table{over("final", "ada", "dee")}},
	})
	want := `
ada ┐
    ├ ada 2:0 ────┐
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
