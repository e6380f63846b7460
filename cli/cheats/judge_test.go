package cheats_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/molerun/molerun/cli/cheats"
	"github.com/molerun/molerun/internal/must"
)

// planted are trials of a bot that is rated about 1500, as its twin is, with so much added to what the cheat is told to have.
func planted(n int, added float64) (list []cheats.Trial) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range n {
		list = append(list, cheats.Trial{Cheat: 1500 + 20*rng.NormFloat64() + added, Honest: 1500 + 20*rng.NormFloat64()})
	}
	return list
}

func TestACheatThatPaysFailsTheRun(t *testing.T) {
	rating := cheats.Cheat{Name: "a back door", Unit: "rating", Tolerance: 15, Stops: "nothing"}
	known := rating
	known.Remains = "it is known"
	for _, c := range []struct {
		what   string
		cheat  cheats.Cheat
		trials []cheats.Trial
		want   cheats.Verdict
		fails  bool
	}{
		{"nothing is gained", rating, planted(12, 0), cheats.Holds, false},
		{"a back door gives 100 points", rating, planted(12, 100), cheats.Pays, true},
		{"the same, declared to remain", known, planted(12, 100), cheats.Remains, false},
		{"two trials far apart show nothing", rating, []cheats.Trial{{Cheat: 1700, Honest: 1500}, {Cheat: 1300, Honest: 1500}}, cheats.Blurred, true},
		{"one trial", rating, planted(1, 100), cheats.Broken, true},
		{"no trial", known, nil, cheats.Broken, true},
		{"a trial that is no number", rating, append(planted(5, 0), cheats.Trial{Cheat: math.NaN()}), cheats.Broken, true},
		{"every trial gains one", cheats.Cheat{Tolerance: 0.5}, []cheats.Trial{{Cheat: 1}, {Cheat: 1}, {Cheat: 1}}, cheats.Pays, true},
		{"every trial gains what is allowed", cheats.Cheat{Tolerance: 1}, []cheats.Trial{{Cheat: 1}, {Cheat: 1}}, cheats.Holds, false},
	} {
		r := cheats.Judge(c.cheat, c.trials)
		if r.Verdict != c.want {
			t.Errorf("%s: %s (%v), want %s", c.what, r.Verdict, r.Gain, c.want)
		}
		if r.Failed() != c.fails {
			t.Errorf("%s: the run fails: %v, want %v", c.what, r.Failed(), c.fails)
		}
	}
}

// TestIntervalsHoldTheTruth: of 4000 sets of six trials whose true gain is 10, about 95 % of the intervals hold it.
func TestIntervalsHoldTheTruth(t *testing.T) {
	const sets = 4000
	rng := rand.New(rand.NewPCG(3, 4))
	held := 0
	for range sets {
		var list []cheats.Trial
		for range 6 {
			list = append(list, cheats.Trial{Cheat: 10 + 5*rng.NormFloat64()})
		}
		g, err := cheats.Measure(list)
		must.OK(t, err)
		if g.Low <= 10 && 10 <= g.High {
			held++
		}
	}
	if share := float64(held) / sets; share < 0.94 || share > 0.96 {
		t.Errorf("%.3f of the intervals hold the truth, want 0.95", share)
	}
}

func TestTheTableStandsBetweenItsMarkers(t *testing.T) {
	rows := []cheats.Row{
		cheats.Judge(cheats.Cheat{Name: "one", Unit: "points", Tolerance: 0.5, Stops: "a rule"}, []cheats.Trial{{Cheat: 1}, {Cheat: 1}}),
		cheats.Judge(cheats.Cheat{Name: "two", Unit: "ms", Remains: "distance is not thinking time"}, []cheats.Trial{{Cheat: 99}, {Honest: 1}}),
	}
	page := "# Page\n\n" + cheats.Begin + "\nold\n" + cheats.End + "\nlast\n"
	for range 2 { // the second time in place of the first
		b, err := cheats.Insert([]byte(page), cheats.Table(rows))
		must.OK(t, err)
		page = string(b)
	}
	want := `# Page

` + cheats.Begin + `
| cheat | gain, with its 95 % interval | unit | trials | what stops it, or what remains and why |
|---|---|---|---|---|
| one | 1.00 (1.00 to 1.00) | points | 2 | **pays**: a rule |
| two | 49 (−586 to 684) | ms | 2 | **remains**: distance is not thinking time |
` + cheats.End + `
last
`
	if page != want {
		t.Errorf("got\n%s\nwant\n%s", page, want)
	}
	if _, err := cheats.Insert([]byte(strings.Replace(page, cheats.End, "", 1)), ""); err == nil {
		t.Error("a page without the second marker was taken")
	}
}
