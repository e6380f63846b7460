package pairing_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// referee judges the standings of a tournament that is over by its rounds alone: it knows how ties are numbered, and derives nothing as
// the formats do.
type referee struct {
	c pairing.Contest
	// before are the standings from which a playoff was seeded, and left are those who had withdrawn when the second stage began.
	before []pairing.Line
	left   []int
}

// judge says what is wrong with some standings; nil if nothing is.
func (j referee) judge(lines []pairing.Line) error {
	s := j.c.Settings
	rank := map[int]int{}
	for _, l := range lines {
		rank[l.Entry] = l.Rank
	}
	switch {
	case s.Format == tournament.SingleElimination, s.Format == tournament.DoubleElimination:
		return j.elimination(s.Format, j.c.Rounds, rank)
	case s.Playoff != "" && j.c.Playoff() < len(j.c.Rounds):
		return errors.Join(j.elimination(s.Playoff, j.c.Rounds[j.c.Playoff():], rank), j.behind(rank), j.points(lines))
	case s.Format == tournament.Groups:
		return errors.Join(j.points(lines), j.final(lines))
	case s.Format == tournament.SPRT:
		return nil // its pairs count in an order of their own (trial_test.go)
	}
	return j.points(lines)
}

// elimination judges the ranks of a bracket or a knockout.
func (j referee) elimination(format tournament.Format, rounds []pairing.Round, rank map[int]int) error {
	seeds := rounds[0].Seeds
	var level map[int]int
	var err error
	if j.c.Settings.SeatsPerTable > 2 {
		level = knockoutLevels(j.c.Settings.SeatsPerTable, seeds, rounds)
	} else if level, err = bracketLevels(format == tournament.DoubleElimination, j.c.Settings.ThirdPlace, seeds, rounds); err != nil {
		return err
	}
	for _, a := range seeds {
		want := 1
		for _, b := range seeds {
			if level[b] > level[a] || level[b] == level[a] && j.place(b) < j.place(a) {
				want++
			}
		}
		if rank[a] != want {
			return fmt.Errorf("entry %d came to level %d of %v and ranks %d, want %d", a, level[a], level, rank[a], want)
		}
	}
	return nil
}

// place returns an entry's rank before the playoff, 0 without one.
func (j referee) place(e int) int {
	for _, l := range j.before {
		if l.Entry == e {
			return l.Rank
		}
	}
	return 0
}

// behind checks that those who did not come to the playoff follow, in the order of the first stage.
func (j referee) behind(rank map[int]int) error {
	seeds := j.c.Rounds[j.c.Playoff()].Seeds
	for _, a := range j.before {
		for _, b := range j.before {
			if slices.Contains(seeds, b.Entry) {
				continue
			}
			switch in := slices.Contains(seeds, a.Entry); {
			case in && rank[a.Entry] >= rank[b.Entry]:
				return fmt.Errorf("entry %d of the playoff ranks %d, entry %d, which is not, %d", a.Entry, rank[a.Entry], b.Entry, rank[b.Entry])
			case !in && cmp.Compare(a.Rank, b.Rank) != cmp.Compare(rank[a.Entry], rank[b.Entry]):
				return fmt.Errorf("entries %d and %d, not in the playoff, ranked %d and %d before it, now %d and %d",
					a.Entry, b.Entry, a.Rank, b.Rank, rank[a.Entry], rank[b.Entry])
			}
		}
	}
	return nil
}

// tie is what the rounds of a bracket say of one tie.
type tie struct {
	sides  []int
	points map[int]float64
	loser  int
}

// tiesOf returns the ties of a bracket that were played or forfeited, by number, each with its loser.
func tiesOf(seeds []int, rounds []pairing.Round) (map[int]*tie, error) {
	out := map[int]*tie{}
	at := func(n int, sides ...int) *tie {
		if out[n] == nil {
			out[n] = &tie{sides: sides, points: map[int]float64{}, loser: pairing.Bye}
		}
		return out[n]
	}
	for _, r := range rounds {
		for _, b := range r.Blocks {
			x := at(b.Tie, b.Games[0].Seats...)
			for _, g := range b.Games {
				for i, e := range g.Seats {
					if !g.Result.Void {
						x.points[e] += g.Result.Points[i]
					}
				}
			}
		}
		for _, f := range r.Forfeits {
			x := at(f.Tie, f.Winner, f.Loser)
			if f.Winner == pairing.Bye || x.loser != pairing.Bye {
				return nil, fmt.Errorf("tie %d has no winner, or two losers: %+v", f.Tie, r.Forfeits)
			}
			x.loser = f.Loser
		}
	}
	for _, x := range out {
		if x.loser == pairing.Bye { // even: the lower seed loses
			x.loser = slices.MinFunc(x.sides, func(a, b int) int {
				return cmp.Or(cmp.Compare(x.points[a], x.points[b]), cmp.Compare(slices.Index(seeds, b), slices.Index(seeds, a)))
			})
		}
	}
	return out, nil
}

// champion is the level of who is never out.
const champion = 1000

// bracketLevels returns how far the seeds of a bracket came: the level of the tie that put each out, more is further. All but one are out,
// each by as many defeats as the format says, and none by fewer.
func bracketLevels(double, third bool, seeds []int, rounds []pairing.Round) (map[int]int, error) {
	ties, err := tiesOf(seeds, rounds)
	if err != nil {
		return nil, err
	}
	levels, lives := levelsOf(double, third, len(seeds)), 1
	if double {
		lives = 2
	}
	defeats, out := map[int]int{}, map[int]int{}
	playsThird := func(n int) bool { return !double && third && len(levels) > 3 && n == len(levels)-1 }
	for n := 1; n <= len(levels); n++ {
		x := ties[n]
		if x == nil || playsThird(n) {
			continue
		}
		for _, e := range x.sides {
			if defeats[e] >= lives {
				return nil, fmt.Errorf("entry %d plays tie %d after %d defeats", e, n, defeats[e])
			}
		}
		if defeats[x.loser]++; defeats[x.loser] == lives {
			out[x.loser] = levels[n-1]
		}
	}
	for _, e := range seeds {
		if defeats[e] < lives {
			out[e] = champion
		}
	}
	if x := ties[len(levels)-1]; x != nil && playsThird(len(levels)-1) {
		out[x.sides[0]]++
		out[x.sides[1]]++
		out[x.loser]--
	}
	if n := len(seeds) - len(slices.DeleteFunc(slices.Clone(seeds), func(e int) bool { return out[e] == champion })); n != 1 {
		return nil, fmt.Errorf("%d of %v have not lost %d ties at the end: %v", n, seeds, lives, defeats)
	}
	return out, nil
}

// levelsOf returns the levels of the ties of a bracket in the order of their numbers: of two entries put out by ties, the one of the higher
// level came further. A tie that puts nobody out has level 0.
func levelsOf(double, third bool, entries int) []int {
	size := 1
	for size < entries {
		size *= 2
	}
	var out []int
	add := func(ties, level int) {
		for range ties {
			out = append(out, level)
		}
	}
	level := 0
	for ties := size / 2; ties > 0; ties /= 2 {
		if level += 10; double {
			level = 0
		}
		if ties == 1 && third && size > 2 && !double {
			add(1, 0)
		}
		add(ties, level)
	}
	if !double {
		return out
	}
	for ties := size / 4; ties > 0; ties /= 2 {
		if ties == size/4 {
			level++
			add(ties, level) // the losers of the first round meet
		}
		level++
		add(ties, level) // the losers of a later round come in
		if ties > 1 {
			level++
			add(ties/2, level)
		}
	}
	if size > 1 {
		add(2, level+1) // the final, and once more
	}
	return out
}

// knockoutLevels returns how far the seeds of a knockout came: a level a round, and in the final one for each who did worse there.
func knockoutLevels(seats int, seeds []int, rounds []pairing.Round) map[int]int {
	out := map[int]int{}
	field := slices.Clone(seeds)
	for i, r := range rounds {
		for _, f := range r.Forfeits {
			field = slices.DeleteFunc(field, func(e int) bool { return e == f.Loser })
		}
		if len(r.Blocks) > 0 && !r.Final {
			field = goOn(seats, field, r)
		}
		for _, e := range field {
			out[e] = 100 * (i + 1)
		}
		if r.Final && len(r.Blocks) > 0 {
			table := tableOf(seeds, r.Blocks[0])
			for e, x := range table {
				out[e] -= x.place
			}
		}
	}
	return out
}

// sat is what an entry did at a table: place is how many did better, points and score are a game. Where nothing counts, the better seed did.
type sat struct {
	place         int
	points, score float64
}

func tableOf(seeds []int, b pairing.Block) map[int]sat {
	out := map[int]sat{}
	games := 0.0
	for _, e := range b.Games[0].Seats {
		out[e] = sat{}
	}
	for _, g := range b.Games {
		if g.Result.Void {
			continue
		}
		games++
		for i, e := range g.Seats {
			out[e] = sat{points: out[e].points + g.Result.Points[i], score: out[e].score + g.Result.Score[i]}
		}
	}
	for e, x := range out {
		x.points = math.Round(x.points/max(1, games)*1e6) / 1e6
		x.score = math.Round(x.score/max(1, games)*1e6) / 1e6
		out[e] = x
	}
	for e, x := range out {
		for o, y := range out {
			if y.points > x.points || y.points == x.points && y.score > x.score || games == 0 && slices.Index(seeds, o) < slices.Index(seeds, e) {
				x.place++
			}
		}
		out[e] = x
	}
	return out
}

// goOn returns who of a field goes on from the tables of a round: those with a bye, and as many of the best as make k, 2k, 4k, … in all.
func goOn(seats int, field []int, r pairing.Round) []int {
	size := seats
	for 2*size < len(field) {
		size *= 2
	}
	at := map[int]sat{}
	for _, b := range r.Blocks {
		for e, x := range tableOf(field, b) {
			at[e] = x
		}
	}
	played := slices.DeleteFunc(slices.Clone(field), func(e int) bool { return slices.Contains(r.Byes, e) })
	slices.SortStableFunc(played, func(a, b int) int {
		return cmp.Or(cmp.Compare(at[a].place, at[b].place), cmp.Compare(at[b].points, at[a].points), cmp.Compare(at[b].score, at[a].score))
	})
	out := played[:size-len(r.Byes)]
	return slices.DeleteFunc(slices.Clone(field), func(e int) bool { return !slices.Contains(out, e) && !slices.Contains(r.Byes, e) })
}

// points checks the points of all lines against what was played: at tables of two the results of those who left a stage early, where
// everybody meets everybody, count for nobody.
func (j referee) points(lines []pairing.Line) error {
	rounds := j.c.Rounds
	if j.c.Settings.Playoff != "" {
		rounds = rounds[:j.c.Playoff()]
	}
	first := slices.DeleteFunc(slices.Clone(rounds), func(r pairing.Round) bool { return j.isFinal(r) })
	last := slices.DeleteFunc(slices.Clone(rounds), func(r pairing.Round) bool { return !j.isFinal(r) })
	want := j.taken(first, j.left)
	for e, x := range j.taken(last, j.gone()) {
		want[e] += x
	}
	for _, l := range lines {
		if math.Abs(want[l.Entry]-l.Points) > 1e-5 {
			return fmt.Errorf("entry %d has %v points, its games gave it %v", l.Entry, l.Points, want[l.Entry])
		}
	}
	return nil
}

func (j referee) isFinal(r pairing.Round) bool {
	return j.c.Settings.Format == tournament.Groups && r.Final
}

// gone returns those who have withdrawn.
func (j referee) gone() []int {
	var out []int
	for e, x := range j.c.Entries {
		if x.State == pairing.Withdrawn {
			out = append(out, e)
		}
	}
	return out
}

// taken returns the points of some rounds by entry; left are those who had withdrawn by their end.
func (j referee) taken(rounds []pairing.Round, left []int) map[int]float64 {
	s := j.c.Settings
	games, void := 1, map[int]bool{}
	if s.Duplicate {
		games = s.SeatsPerTable
	}
	if fixed := s.Format == tournament.RoundRobin || s.Format == tournament.Groups || s.Format == tournament.Gauntlet; fixed && s.SeatsPerTable == 2 {
		for _, e := range left {
			played, all := gamesOf(e, rounds, games)
			void[e] = 2*played < all
		}
	}
	out := map[int]float64{}
	for _, r := range rounds {
		for _, b := range r.Blocks {
			for _, g := range b.Games {
				for i, e := range g.Seats {
					if !g.Result.Void && !slices.ContainsFunc(g.Seats, func(o int) bool { return void[o] }) {
						out[e] += g.Result.Points[i]
					}
				}
			}
		}
		for _, f := range r.Forfeits {
			if f.Winner != pairing.Bye && !void[f.Winner] && !void[f.Loser] {
				out[f.Winner] += float64(games)
			}
		}
		for _, e := range r.Byes {
			if s.Format == tournament.Swiss {
				out[e] += float64(games) / float64(1+min(1, s.SeatsPerTable-2))
			}
		}
	}
	return out
}

// gamesOf returns how many games of some rounds an entry has played to their end, and how many it was to play.
func gamesOf(e int, rounds []pairing.Round, block int) (played, all int) {
	for _, r := range rounds {
		for _, b := range r.Blocks {
			for _, g := range b.Games {
				if !slices.Contains(g.Seats, e) {
					continue
				}
				if all++; !g.Result.Void {
					played++
				}
			}
		}
		met := false
		for _, f := range r.Forfeits {
			met = met || f.Winner == e || f.Loser == e
		}
		if met {
			all += block
		}
	}
	return played, all
}

// final checks that who played the final of groups ranks before the others, and by what it took there.
func (j referee) final(lines []pairing.Line) error {
	at := slices.IndexFunc(j.c.Rounds, func(r pairing.Round) bool { return r.Final })
	if at < 0 {
		return nil
	}
	in := j.c.Rounds[at].Seeds
	taken := j.taken(j.c.Rounds[at:], j.gone())
	for i, l := range lines {
		if slices.Contains(in, l.Entry) != (i < len(in)) {
			return fmt.Errorf("the final was played by %v, and entry %d ranks %d", in, l.Entry, l.Rank)
		}
		if i > 0 && i < len(in) && taken[l.Entry] > taken[lines[i-1].Entry]+1e-5 {
			return fmt.Errorf("entry %d took %v in the final and ranks behind entry %d with %v", l.Entry, taken[l.Entry], lines[i-1].Entry, taken[lines[i-1].Entry])
		}
	}
	return nil
}
