package pages_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/must"
)

func TestSeatsAreCalledByTheirNames(t *testing.T) {
	names := []string{"otter", "badger", "seat 0"}
	for _, row := range []struct{ sentence, want string }{
		{"Seat 0 moves to d4.", "otter moves to d4."},
		{"Leader 1 proposes seats 0, 1 and 2 for mission 1.", "badger proposes otter, badger and seat 0 for mission 1."},
		{"The team of leader 0, seats 0 and 1, is approved.", "The team of otter, otter and badger, is approved."},
		{`Seat 1 says "Seat 0 is \"seat 1\", a mole".`, `badger says "Seat 0 is \"seat 1\", a mole".`},
		{"Seat 12 passes.", "Seat 12 passes."},
		{"Seats 0 and 12 pass.", "Seats 0 and 12 pass."},
		{"Hex 1 has 2 spaces.", "Hex 1 has 2 spaces."},
	} {
		if got := pages.Named(row.sentence, names); got != row.want {
			t.Errorf("%s: got %s, want %s", row.sentence, got, row.want)
		}
		if got := pages.Named(row.sentence, nil); got != row.sentence {
			t.Errorf("%s without names: got %s", row.sentence, got)
		}
	}
}

func TestAResultIsASentence(t *testing.T) {
	names := []string{"otter", "badger", "mole-3"}
	for _, row := range []struct {
		r            game.Result
		ending, want string
	}{
		{game.Result{Rank: []int{2, 1}, Points: []float64{3, 5}}, "this was the last round", "badger wins with 5 points, 2 ahead of otter: this was the last round."},
		{game.Result{Rank: []int{1, 2}, Points: []float64{1, 1}}, "", "otter wins with 1 point, as many as badger, by the game's tie-break."},
		{game.Result{Rank: []int{1, 1}, Points: []float64{3, 3}}, "it ended", "A draw: it ended."},
		{game.Result{Rank: []int{1, 1, 3}, Points: []float64{4, 4, 0}}, "it ended", "otter and badger share the first place with 4 points: it ended."},
		{game.Result{Rank: []int{1, 2, 2}, Points: []float64{4, 2.5, 2.5}}, "", "otter wins with 4 points, 1.5 ahead of badger and mole-3."},
		{game.Result{Rank: []int{2, 1, 2}, Points: []float64{0, 1, 0}, Team: []string{"agent", "mole", "agent"}}, "three missions failed", "The moles win: three missions failed."},
		{game.Result{}, "", "Nobody wins."},
	} {
		if got := pages.Outcome(row.r, 0, names, row.ending); got != row.want {
			t.Errorf("%+v: got %q, want %q", row.r, got, row.want)
		}
	}
}

func TestTheListOfMovesHoldsEveryStepInWords(t *testing.T) {
	seats := map[string]int{"cia": 3, "demol": 5, "mole": 2, "molehill": 2, "molemajority": 2}
	for id, n := range seats {
		spec, _ := played(t, id, n, 60)
		spec.Recorded[2].Turns[0].By, spec.Recorded[2].Turns[0].Why = replay.ByHouse, "timeout"
		rehash(t, spec)
		shown, err := pages.NewReplay(spec)
		must.OK(t, err)
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf("name-%d", i)
		}
		moves := shown.Moves(0, shown.Last()+9, true, names)
		if len(moves) != shown.Last()+1 {
			t.Errorf("%s: got %d moves, want %d", id, len(moves), shown.Last()+1)
		}
		for i, m := range moves {
			if m.Step != i || !strings.HasSuffix(m.Text, ".") || strings.ContainsAny(m.Text, "{}") {
				t.Errorf("%s, step %d: got %+v, want a sentence", id, i, m)
			}
			if regexp.MustCompile(`[Ss]eat \d`).MatchString(m.Text) {
				t.Errorf("%s, step %d: %q calls a seat by its number", id, i, m.Text)
			}
		}
		if want := "(timeout)"; !strings.Contains(moves[3].Key, want) {
			t.Errorf("%s: the key of step 3 is %q, want it to tell of the house %s", id, moves[3].Key, want)
		}
		for _, m := range shown.Moves(0, 10, false, names) {
			must.Say(t, m.Key, "not", "timeout")
		}
	}
}

func TestTheChartStaysShortInALongMatch(t *testing.T) {
	spec, _ := played(t, "molemajority", 2, 400)
	shown, err := pages.NewReplay(spec)
	must.OK(t, err)
	moments := shown.Moments(true, nil)
	svg := string(shown.Chart("Score", moments))
	if got := strings.Count(svg, `<path class="side`); got != 2 {
		t.Errorf("got %d lines of the score, want one a seat", got)
	}
	if got := strings.Count(svg, `class="moment"`); got != len(moments) || got == 0 || got > 60 {
		t.Errorf("got %d marks for %d key moments, want one each and at most 60", got, len(moments))
	}
	if len(svg) > 20_000 {
		t.Errorf("the chart of %d steps is %d bytes, want at most 20 000", shown.Last(), len(svg))
	}
	spec, _ = played(t, "molehill", 2, 2)
	shown, err = pages.NewReplay(spec)
	must.OK(t, err)
	if got := shown.Chart("Score", nil); got != "" {
		t.Errorf("nothing is scored yet: got %s", got)
	}
}

// Whoever passes makes no event: an open match says it all the same, one that runs does not.
func TestADecisionWithoutAnEventIsToldOnceTheMatchIsOpen(t *testing.T) {
	spec, _ := playedWith(t, "cia", `{"top_secret":true}`, 5, 120)
	shown, err := pages.NewReplay(spec)
	must.OK(t, err)
	names := []string{"ann", "ben", "cas", "dot", "eve"}
	closed, passes := shown.Moves(0, shown.Last()+1, false, names), 0
	for i, m := range shown.Moves(0, shown.Last()+1, true, names) {
		if closed[i].Text != "Nothing that everybody sees." {
			continue
		}
		if passes++; !strings.HasSuffix(m.Text, " passes.") {
			t.Errorf("step %d: got %q, want a seat that passes", i, m.Text)
		}
	}
	if passes == 0 {
		t.Error("nobody passed: nothing was tested")
	}
}
