package pages_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/internal/must"
)

// side is a bot at a table that is over.
func side(bot string, best bool) pages.Side { return pages.Side{BotID: bot, Bot: bot, Best: best} }

func TestABracketsLinesGoFromEachBotsLastTie(t *testing.T) {
	first := pages.Round{Tables: []pages.Table{
		{Sides: []pages.Side{side("a", true), side("b", false)}},
		{Sides: []pages.Side{side("c", false), side("d", true)}},
	}}
	second := pages.Round{Tables: []pages.Table{{Sides: []pages.Side{side("c", false), side("e", false)}}}} // drawn; a, b and d pause
	third := pages.Round{Tables: []pages.Table{{Sealed: true}, {Sides: []pages.Side{side("a", true), side("e", false)}}}}
	rounds := []pages.Round{first, second, third}
	pages.Join(rounds)
	for i, want := range [][]string{
		nil,
		{`<path class="lost" d="M0 75.0H50V50.0H100"/>`},
		{`<path class="won" d="M-683 25.0H50V75.0H100"/>`, `<path class="won" d="M0 50.0H50V75.0H100"/>`},
	} {
		got := string(rounds[i].Lines)
		if n := strings.Count(got, "<path"); n != len(want) {
			t.Errorf("round %d: got %d lines, want %d: %s", i+1, n, len(want), got)
		}
		for _, line := range want {
			must.Say(t, got, line)
		}
	}
}

// tied is a tie at which two bots have points.
func tied(number int, name string, over bool, sides ...pages.Side) pages.Table {
	return pages.Table{Tie: number, Name: name, Over: over, Sides: sides}
}

func TestABracketHasEachTieOnceWithItsPointsAndSaysWhoGoesOnAndWhy(t *testing.T) {
	scored := func(bot string, points float64, best bool) pages.Side {
		return pages.Side{BotID: bot, Bot: bot, Points: points, Scored: true, Best: best}
	}
	rounds := []pages.Round{
		{Name: "Round 1", Tables: []pages.Table{tied(1, "semi-final", true, scored("a", 1, false), scored("b", 0, false)), tied(2, "semi-final", true, scored("c", 1, false), scored("d", 0, false))}},
		{Name: "Round 2", Tables: []pages.Table{
			tied(1, "semi-final", true, scored("b", 1, false), scored("a", 0, true)), // 1–1, and a is the higher seed
			{Tie: 2, Over: true, Sides: []pages.Side{{Bot: "c"}, {Bot: "d", Best: true}}, Why: "forfeit: it does not answer"},
		}},
		{Name: "Round 3", Tables: []pages.Table{tied(3, "final", false, pages.Side{Bot: "a"}, pages.Side{Bot: "d"})}},
	}
	rounds[0].Tables[0].Games = []pages.TableGame{{ID: "first", Scores: []string{"19", "22"}}}
	rounds[1].Tables[0].Games = []pages.TableGame{{ID: "second", Scores: []string{"18", "19"}}} // of b and a
	pages.CountTies(rounds)
	if later := rounds[1].Tables[0]; later.Before != 1 || later.Why != "higher seed after 1–1" {
		t.Errorf("the later part of a tie: got %+v, want it to go on counting, and the reason", later)
	}
	got := pages.BracketOf(rounds)
	if games := got[0].Tables[0].Games; len(games) != 2 || !slices.Equal(games[0].Scores, []string{"19", "22"}) || !slices.Equal(games[1].Scores, []string{"19", "18"}) {
		t.Errorf("got games %+v, want each side's points in its own place, though the seats are turned", games)
	}
	if len(got) != 2 || got[0].Name != "Semi-final" || got[1].Name != "Final" || len(got[0].Tables) != 2 {
		t.Fatalf("got %+v, want two stages by their names", got)
	}
	for i, want := range []pages.Table{
		{Why: "higher seed after 1–1", Sides: []pages.Side{scored("a", 1, true), scored("b", 1, false)}},
		{Why: "forfeit: it does not answer", Sides: []pages.Side{scored("c", 1, false), scored("d", 0, true)}},
	} {
		tie := got[0].Tables[i]
		if tie.Why != want.Why || !slices.Equal(tie.Sides, want.Sides) {
			t.Errorf("tie %d: got %q %+v, want %q %+v", i+1, tie.Why, tie.Sides, want.Why, want.Sides)
		}
	}
	if final := got[1].Tables[0]; final.Why != "" || final.Sides[0].Best {
		t.Errorf("the final: got %+v, want nobody ahead before it is over", final)
	}
}

func TestAKnockoutMarksWhoPlaysOn(t *testing.T) {
	first := pages.Round{Tables: []pages.Table{{Name: "round of 6", Over: true, Sides: []pages.Side{side("a", true), side("b", false), side("c", false)}}}}
	for name, row := range map[string]struct {
		next pages.Round
		want []bool
	}{
		"two go on":           {pages.Round{Tables: []pages.Table{{Sides: []pages.Side{side("a", false), side("b", false)}}}}, []bool{true, true, false}},
		"one of them pauses":  {pages.Round{Byes: []string{"c"}, Tables: []pages.Table{{Sides: []pages.Side{side("a", false)}}}}, []bool{true, false, true}},
		"nobody may know yet": {pages.Round{Byes: []string{"c"}, Tables: []pages.Table{{Sealed: true}}}, []bool{true, false, false}},
	} {
		for i, s := range pages.BracketOf([]pages.Round{first, row.next})[0].Tables[0].Sides {
			if s.Best != row.want[i] {
				t.Errorf("%s: %s goes on: %v, want %v", name, s.Bot, s.Best, row.want[i])
			}
		}
	}
}

func TestRoundsAreCalledByTheirTies(t *testing.T) {
	rounds := []pages.Round{
		{Name: "Round 1", Tables: []pages.Table{{}, {}}},
		{Name: "Round 2", Tables: []pages.Table{{Name: "quarter-final"}, {Name: "quarter-final"}}},
		{Name: "Round 3", Tables: []pages.Table{{Name: "quarter-final"}}},
		{Name: "Round 4", Tables: []pages.Table{{Name: "third place"}, {Name: "final"}}},
	}
	pages.Call(rounds)
	for i, want := range []string{"Round 1", "Quarter-final", "Quarter-final, part 2", "Third place and final"} {
		if rounds[i].Name != want {
			t.Errorf("round %d is called %q, want %q", i+1, rounds[i].Name, want)
		}
	}
}
