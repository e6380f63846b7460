package molemajority

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

// One seed gives these events and state hashes for ever, or Info's Version is raised.
func TestMatchesReplayAsRecorded(t *testing.T) {
	for name, c := range map[string]gametest.Case{
		"base":   {Config: `{}`, Seats: 2},
		"spaces": {Config: `{"choose_spaces":true,"max_turns":40}`, Seats: 3},
		"small":  {Config: strings.TrimSuffix(smallDecks, "}") + `,"max_turns":40}`, Seats: 4},
	} {
		text, err := gametest.Record(game.Wrap(Rules{}), c, gametest.Seed(11))
		must.OK(t, err)
		gametest.Golden(t, "match_"+name+".jsonl", text)
	}
}

// moments returns the pictures and texts that were looked at.
func moments(t *testing.T) map[string]View {
	out := map[string]View{}
	step := 0
	along(t, `{}`, 4, 6, func(table game.Table) {
		var v View
		readView(t, table.View(1), &v)
		switch {
		case step == 0:
			out["start"] = v
		case v.Phase == PhaseTile.String():
			out["tile"] = v
		case len(v.Edges) >= 4 && v.Phase == PhasePlay.String() && len(v.Pending) > 1:
			out["middle"] = v
		case v.Phase == PhaseOver.String():
			out["end"] = v
		}
		step++
	})
	along(t, smallDecks, 2, 1, func(table game.Table) {
		var v View
		if readView(t, table.View(game.Spectator), &v); len(v.Edges) > 0 || len(out) < 5 {
			out["spectator"] = v
		}
	})
	return out
}

func TestGoldenDrawingsAndDescriptions(t *testing.T) {
	names := 0
	for name, v := range moments(t) {
		names++
		gametest.Golden(t, "draw_"+name+".svg", Rules{}.Draw(v, nil))
		gametest.Golden(t, "describe_"+name+".txt", []byte(Rules{}.Describe(v)))
	}
	if names != 5 {
		t.Errorf("want 5 moments, got %d", names)
	}
}

// A drawing of a view full of another's words, or of seats that are not there, stays a drawing of them.
func TestDrawingEscapesWords(t *testing.T) {
	b := newBoard(t, ``, 2, nil)
	v := Rules{}.View(&b.State, 0)
	odd := game.Seat(99)
	v.Me.Hand, v.Players[1].Discard, v.Hexes[0].Claim, v.Hexes[1].At = []string{"<script>"}, []string{`"><b>`}, &odd, "<i>"
	v.Players[0].Seat, v.Edges = odd, []string{"<u>"}
	svg := string(Rules{}.Draw(v, nil))
	for _, mark := range []string{"<script>", "<b>", "<i>", "<u>"} {
		if strings.Contains(svg, mark) {
			t.Errorf("%s of a view became a mark of the drawing", mark)
		}
	}
}

func readView(t *testing.T, text []byte, v *View) {
	t.Helper()
	must.OK(t, strict.Decode(text, v))
}
