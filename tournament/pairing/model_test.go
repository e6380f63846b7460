package pairing_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// model works the tie-breaks out as docs/2 tells them, from what was played, without the code.
type model struct {
	c      pairing.Contest
	points []float64
	could  []float64
	nobody map[int]bool // whose results are annulled
	// Of each entry: a list for each block that is over and each forfeit, with who was met in each of its games.
	blocks [][][]encounter
	idle   []int // rounds without a game
}

// encounter is one game of an entry: the opponents in it, and what was taken of each, 0 to 1.
type encounter struct {
	of      map[int]float64
	forfeit bool
}

func modelOf(c pairing.Contest, lines []pairing.Line) *model {
	n := len(c.Entries)
	m := &model{c: c, points: make([]float64, n), could: make([]float64, n), nobody: map[int]bool{}, blocks: make([][][]encounter, n), idle: make([]int, n)}
	for _, l := range lines {
		m.nobody[l.Entry], m.points[l.Entry] = l.Annulled, l.Points // both are judged elsewhere
	}
	games := 1.0
	if c.Settings.Duplicate {
		games = float64(c.Settings.SeatsPerTable)
	}
	for _, r := range c.Rounds {
		played := map[int]bool{}
		for _, b := range r.Blocks {
			met := map[int][]encounter{}
			for _, g := range b.Games {
				if g.Result.Void || len(g.Seats) == 2 && (m.nobody[g.Seats[0]] || m.nobody[g.Seats[1]]) {
					continue
				}
				for i, e := range g.Seats {
					x := encounter{of: map[int]float64{}}
					for j, o := range g.Seats {
						mine, its := g.Result.Points[i], g.Result.Points[j]
						switch {
						case i == j || g.Result.Team != nil && g.Result.Team[i] == g.Result.Team[j]:
						case len(g.Seats) == 2:
							x.of[o] = mine
						default:
							x.of[o] = float64(1+cmp.Compare(mine, its)) / 2
						}
					}
					met[e], m.could[e], played[e] = append(met[e], x), m.could[e]+1, true
				}
			}
			for e, list := range met {
				m.blocks[e] = append(m.blocks[e], list)
			}
		}
		for _, f := range r.Forfeits {
			if f.Winner == pairing.Bye || m.nobody[f.Winner] || m.nobody[f.Loser] {
				continue
			}
			for k, e := range []int{f.Winner, f.Loser} {
				x := encounter{forfeit: true, of: map[int]float64{f.Winner + f.Loser - e: float64(1 - k)}}
				m.blocks[e] = append(m.blocks[e], slices.Repeat([]encounter{x}, int(games)))
				m.could[e] += games
			}
		}
		for e := range n {
			if !played[e] {
				m.idle[e]++
			}
			if slices.Contains(r.Byes, e) && c.Settings.Format == tournament.Swiss {
				if c.Settings.SeatsPerTable == 2 {
					m.could[e] += games
				} else {
					m.could[e] += games / 2
				}
			}
		}
	}
	return m
}

func (m *model) encounters(e int) []encounter { return slices.Concat(m.blocks[e]...) }

// over adds up what of says of each opponent of an entry, where the opponents of one game share it evenly.
func over(list []encounter, of func(o int, taken float64) float64) float64 {
	sum := 0.0
	for _, x := range list {
		for _, o := range slices.Sorted(maps.Keys(x.of)) {
			sum += of(o, x.of[o]) / float64(len(x.of))
		}
	}
	return sum
}

func (m *model) sonneborn(e int) float64 {
	return over(m.encounters(e), func(o int, taken float64) float64 { return taken * m.points[o] })
}

func (m *model) koya(e int) float64 {
	return over(m.encounters(e), func(o int, taken float64) float64 {
		if m.points[o] < m.could[o]/2-1e-5 {
			return 0
		}
		return taken
	})
}

func (m *model) buchholz(e, low, high int) float64 {
	var list []float64
	for _, games := range m.blocks[e] {
		list = append(list, over(games, func(o int, _ float64) float64 { return m.points[o] })/float64(len(games)))
	}
	for range m.idle[e] {
		if m.c.Settings.Format == tournament.Swiss {
			list = append(list, m.points[e])
		}
	}
	slices.Sort(list)
	sum := 0.0
	for i, x := range list {
		if i >= low && i < len(list)-high {
			sum += x
		}
	}
	return sum
}

// performance is to the whole Elo.
func (m *model) performance(e int) float64 {
	played := slices.DeleteFunc(m.encounters(e), func(x encounter) bool { return x.forfeit })
	if len(played) == 0 {
		return 0
	}
	rating := func(o int) float64 { return m.c.Entries[o].Rating }
	mean := over(played, func(o int, _ float64) float64 { return rating(o) }) / float64(len(played))
	taken := over(played, func(_ int, taken float64) float64 { return taken })
	low, high := mean-800, mean+800
	for high-low > .5 {
		at := (low + high) / 2
		if over(played, func(o int, _ float64) float64 { return 1 / (1 + math.Pow(10, (rating(o)-at)/400)) }) < taken {
			low = at
		} else {
			high = at
		}
	}
	return high
}

// direct notes how many of some equal entries stand behind each of them.
func (m *model) direct(equal []int, behind int, value map[int]float64) {
	took := func(a, b int) (float64, bool) {
		sum, times := 0.0, 0.0
		for _, x := range m.encounters(a) {
			if taken, met := x.of[b]; met {
				sum, times = sum+taken, times+1
			}
		}
		return sum / max(1, times), times > 0
	}
	sums, open, all := map[int]float64{}, map[int]float64{}, true
	for _, a := range equal {
		value[a] = float64(behind)
		for _, b := range equal {
			if x, met := took(a, b); met {
				sums[a] += x
			} else if a != b {
				open[a], all = open[a]+1, false
			}
		}
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-5 }
	for _, a := range equal {
		leads := len(equal) > 1 && !all
		for _, b := range equal {
			leads = leads && (a == b || sums[b]+open[b] < sums[a]-1e-5)
		}
		if leads {
			m.direct(slices.DeleteFunc(slices.Clone(equal), func(b int) bool { return a == b }), behind, value)
			value[a] = float64(behind + len(equal) - 1)
			return
		}
	}
	for i, a := range equal {
		same := slices.DeleteFunc(slices.Clone(equal), func(b int) bool { return !near(sums[a], sums[b]) })
		if !all || len(same) == len(equal) || slices.ContainsFunc(equal[:i], func(b int) bool { return near(sums[a], sums[b]) }) {
			continue
		}
		under := 0
		for _, b := range equal {
			if sums[b] < sums[a]-1e-5 {
				under++
			}
		}
		m.direct(same, behind+under, value)
	}
}

// check compares a tie-break of all lines with the model's.
func (m *model) check(lines []pairing.Line, by pairing.Tie, at int) error {
	direct := map[int]float64{}
	for i := 0; i < len(lines); {
		equal := []int{}
		for k := i; i < len(lines) && slices.Equal(lines[i].Ties[:at], lines[k].Ties[:at]); i++ {
			if !m.nobody[lines[i].Entry] {
				equal = append(equal, lines[i].Entry)
			}
		}
		m.direct(equal, 0, direct)
	}
	for _, l := range lines {
		want, within, e := 0.0, 1e-4, l.Entry
		switch {
		case m.nobody[e]:
		case by == pairing.ByDirect:
			want = direct[e]
		case by == pairing.BySonneborn:
			want = m.sonneborn(e)
		case by == pairing.ByKoya:
			want = m.koya(e)
		case by == pairing.ByBuchholz:
			want = m.buchholz(e, 0, 0)
		case by == pairing.ByBuchholz1:
			want = m.buchholz(e, 1, 0)
		case by == pairing.ByBuchholzM:
			want = m.buchholz(e, 1, 1)
		case by == pairing.ByPerformance:
			want, within = m.performance(e), 1
			if l.Ties[at] != math.Round(l.Ties[at]) {
				return fmt.Errorf("entry %d has a performance of %v, which is not whole", e, l.Ties[at])
			}
		}
		if math.Abs(l.Ties[at]-want) > within {
			return fmt.Errorf("entry %d has %v of %s, want %v", e, l.Ties[at], by, want)
		}
	}
	return nil
}

// modelled are the tie-breaks that the model works out; the others are sums of what a line shows.
func modelled() []pairing.Tie {
	return []pairing.Tie{pairing.ByDirect, pairing.BySonneborn, pairing.ByKoya, pairing.ByBuchholz, pairing.ByBuchholz1, pairing.ByBuchholzM, pairing.ByPerformance}
}

// Whatever is played, at tables of any size, with teams and without, with void games, absences and forfeits.
func TestTieBreaksAreThoseOfTheGuide(t *testing.T) {
	told := map[pairing.Tie]int{}
	for i := range 120 {
		r := game.Stream(game.Seed{byte(i)}, 0, "tie-breaks")
		format := []tournament.Format{tournament.RoundRobin, tournament.Swiss, tournament.Gauntlet, tournament.Arena, tournament.Groups}[i%5]
		seats := 2 + r.IntN(4)
		s := pairing.Settings{Format: format, SeatsPerTable: seats, Cycles: 1 + r.IntN(2), Duplicate: r.IntN(3) == 0}
		w := &world{t: t, r: r, teams: seats > 2 && i%3 > 0, trouble: 10 * r.IntN(2), leaves: 6 * r.IntN(2), voids: 15 * r.IntN(2),
			c: pairing.Contest{Settings: s, Entries: field(seats + r.IntN(5)), Seed: game.Seed{byte(i)}}}
		w.c.Entries[0].Challenger = true
		if format == tournament.Groups {
			w.leaves = 0 // who counts in the final alone is told by no line
		}
		w.play(200)
		for _, by := range modelled() {
			w.c.Settings.TieBreaks = []string{string(by)}
			lines := must.Get(pairing.Standings(w.c))(t)
			at := slices.Index(w.c.Settings.Ties(), by)
			if err := modelOf(w.c, lines).check(lines, by, at); err != nil {
				x := &course{world: w, rules: ours}
				t.Fatalf("event %d, %+v: %v\n%s", i, w.c.Settings, err, x.story())
			}
			for _, l := range lines {
				if l.Ties[at] != 0 {
					told[by]++
				}
			}
		}
	}
	for _, by := range modelled() {
		if told[by] < 20 {
			t.Errorf("%s: only %d values, which shows little", by, told[by])
		}
	}
}
