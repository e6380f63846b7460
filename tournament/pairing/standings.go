package pairing

import (
	"cmp"
	"slices"

	"github.com/molerun/molerun/tournament"
)

// Line is an entry's line in the standings.
type Line struct {
	Entry               int
	Rank                int // from 1; entries equal in all share it
	Played              int // games
	Wins, Draws, Losses int
	Byes, Forfeits      int       // byes had; blocks or ties lost without playing
	Points              float64   // of the games, with those for byes and forfeits
	Possible            float64   // the points that it could have
	Score               float64   // the sum of the game's own points
	Ties                []float64 // the values of [Settings.Ties], in their order
	Withdrew            bool
	Left                int  // of an entry that has withdrawn: the last round that it played or sat out; 0: none
	Annulled            bool // it left so early that nothing of what it played counts
}

// Standings returns the standings from the results that are in, in the order of [Settings.Ties]; entries equal in all of them
// share the rank and are listed by seed. An entry whose results were annulled, as it left early where everybody meets everybody, has what
// it played and nothing of what is compared, and comes behind all others: else one whom all have left would share the first place with them. With a playoff, how far an entry came in it is compared first; games, points and tie-breaks
// are those of the first stage, whose order stays as it is among those who came equally far.
//
// The block is the unit of Buchholz: one opponent, or the mean of a table's. In a swiss a round without a game counts there as one
// against an opponent with the entry's own points (FIDE C.07 of 2023). Opponents are never of the own team.
func Standings(c Contest) ([]Line, error) {
	f, err := of(c.Settings.Format)
	if err != nil {
		return nil, err
	}
	b := newBook(c.beforePlayoff().counted())
	if x, ok := f.(stager); ok {
		b.stages = x.stages(c)
	}
	left := c.lastRounds()
	list := make([]int, len(c.Entries))
	for e := range list {
		list[e] = e
	}
	ranked := b.undivided(list)
	order := ties(f, c.Settings)
	if c.Settings.Playoff != "" {
		order = order[1:] // the playoff comes first, and changes nothing of the order before it
	}
	for _, t := range order {
		ranked = b.divide(ranked, t)
	}
	if c.Settings.Playoff != "" {
		ranked = b.byStage(ranked)
	}
	var out []Line
	for _, equal := range ranked {
		rank := len(out) + 1
		for _, e := range equal {
			l := b.records[e].line
			l.Rank = rank
			l.Withdrew = c.Entries[e].State == Withdrawn
			l.Left = left[e]
			l.Possible = b.records[e].possible
			l.Annulled = b.void[false][e]
			out = append(out, l)
		}
	}
	return out, nil
}

// Race returns the points of every entry, by its index, after each round of the first stage up to the last with a result.
func Race(c Contest) [][]float64 {
	c = c.beforePlayoff()
	begun := func(r Round) bool {
		return slices.ContainsFunc(r.Blocks, func(b Block) bool {
			return slices.ContainsFunc(b.Games, func(g Game) bool { return g.Result != nil })
		})
	}
	for len(c.Rounds) > 0 && !begun(c.Rounds[len(c.Rounds)-1]) {
		c.Rounds = c.Rounds[:len(c.Rounds)-1]
	}
	var out [][]float64
	bookOf(c, func(b *book) {
		points := make([]float64, len(b.records))
		for e := range points {
			points[e] = round6(b.points(e))
		}
		out = append(out, points)
	})
	return out
}

// lastRounds is, for each entry that has withdrawn, the last round in which it played or sat out. In a round robin, whose rounds are all
// made at the start, sitting out tells nothing.
func (c Contest) lastRounds() []int {
	out := make([]int, len(c.Entries))
	note := func(e, round int) {
		if e != Bye && c.Entries[e].State == Withdrawn {
			out[e] = round
		}
	}
	for i, r := range c.Rounds {
		for _, b := range r.Blocks {
			for _, e := range b.Games[0].Seats {
				note(e, i+1)
			}
		}
		if c.Settings.Format == tournament.RoundRobin {
			continue
		}
		for _, e := range r.Byes {
			note(e, i+1)
		}
	}
	return out
}

// order returns all entries by the standings.
func (c Contest) order() ([]int, error) {
	lines, err := Standings(c)
	return each(lines, func(l Line) int { return l.Entry }), err
}

// Ties returns what the standings compare: the format's own order, with the organiser's tie-breaks behind the points if there are any;
// nil if there is no such format.
func (s Settings) Ties() []Tie {
	f, err := of(s.Format)
	if err != nil {
		return nil
	}
	return ties(f, s)
}

func ties(f format, s Settings) []Tie {
	own := f.ties(s)
	if at := slices.Index(own, ByPoints); s.TieBreaks != nil && at >= 0 {
		own = own[:at+1]
		for _, by := range s.TieBreaks {
			own = append(own, Tie(by))
		}
	}
	if s.Playoff != "" {
		own = slices.Concat([]Tie{ByStage}, own)
	}
	return own
}

// stager is a format that goes on with a part of the field: stages returns how far each entry came, more is further.
type stager interface{ stages(c Contest) []int }

// undivided returns entries by seed before anything is compared: those whose results are annulled behind the others.
func (b *book) undivided(entries []int) [][]int {
	return split(b.c.seeded(entries), func(e int) float64 {
		if b.void[false][e] {
			return -1
		}
		return 0
	})
}

// divide separates the entries of each group of equal ones by one tie-break, and notes its values.
func (b *book) divide(groups [][]int, t Tie) [][]int {
	var out [][]int
	for _, equal := range groups {
		value := make(map[int]float64, len(equal))
		if t == ByDirect {
			b.direct(equal, 0, value)
		} else {
			for _, e := range equal {
				if !b.void[false][e] {
					value[e] = round6(b.value(e, t))
				}
			}
		}
		for _, e := range equal {
			b.records[e].line.Ties = append(b.records[e].line.Ties, value[e])
		}
		out = append(out, split(equal, func(e int) float64 { return value[e] })...)
	}
	return out
}

// byStage puts those first who came farthest in a playoff. It leaves the order of the first stage as it is among those who came equally far.
func (b *book) byStage(groups [][]int) [][]int {
	var out [][]int
	for _, equal := range groups {
		for _, e := range equal {
			l := &b.records[e].line
			l.Ties = slices.Insert(l.Ties, 0, float64(b.stages[e]))
		}
		out = append(out, split(equal, func(e int) float64 { return float64(b.stages[e]) })...)
	}
	slices.SortStableFunc(out, func(x, y []int) int { return cmp.Compare(b.stages[y[0]], b.stages[x[0]]) })
	return out
}

// split returns entries by a value, the highest first, and sorts them so.
func split(equal []int, value func(e int) float64) [][]int {
	var out [][]int
	slices.SortStableFunc(equal, func(x, y int) int { return cmp.Compare(value(y), value(x)) })
	for i, e := range equal {
		if i == 0 || value(e) != value(equal[i-1]) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], e)
	}
	return out
}

// value returns what entry e has of a tie-break.
func (b *book) value(e int, t Tie) float64 {
	r := &b.records[e]
	switch t {
	case ByPoints:
		return r.line.Points
	case ByWins:
		return float64(r.line.Wins)
	case ByScore:
		return r.line.Score
	case BySonneborn:
		sum := 0.0
		for _, m := range slices.Concat(r.meetings...) {
			sum += m.taken * m.worth * b.points(m.opponent)
		}
		return sum
	case ByBuchholz:
		return b.buchholz(e, 0, 0)
	case ByBuchholz1:
		return b.buchholz(e, 1, 0)
	case ByBuchholzM:
		return b.buchholz(e, 1, 1)
	case ByProgressive:
		return r.progressive
	case ByKoya:
		return b.koya(e)
	case ByPerformance:
		return b.performance(e)
	case ByFinal:
		return r.final
	case ByArenaScore:
		return float64(ArenaScore(r.verdicts))
	case ByStage:
		return float64(b.stages[e])
	default: // ByDirect is no value of its own
		return 0
	}
}

// buchholz returns the sum of the opponents' points without the lowest and the highest few.
func (b *book) buchholz(e, low, high int) float64 {
	var list []float64
	for _, table := range b.records[e].meetings {
		sum, worth := 0.0, 0.0
		for _, m := range table {
			sum += m.worth * b.points(m.opponent)
			worth += m.worth
		}
		list = append(list, sum/worth)
	}
	if b.c.Settings.Format == tournament.Swiss { // elsewhere rounds say nothing: all sit out equally often, or as others are free
		list = append(list, slices.Repeat([]float64{b.points(e)}, b.records[e].unplayed)...)
	}
	if len(list) <= low+high {
		return 0
	}
	slices.Sort(list)
	sum := 0.0
	for _, x := range list[low : len(list)-high] {
		sum += x
	}
	return sum
}

// direct ranks equal entries by what they took from each other: of each other the mean of their meetings, added up. Value is over
// plus the number of them that stand behind. It counts only if all have met, or for one that would lead whatever the pairs that have not
// bring; those still equal are compared among themselves again.
func (b *book) direct(equal []int, over int, value map[int]float64) {
	for _, e := range equal {
		value[e] = float64(over)
	}
	if len(equal) < 2 {
		return
	}
	points, missing := b.among(equal)
	sorted := slices.Clone(equal)
	runs := split(sorted, func(e int) float64 { return points[e] })
	if slices.Max(missing) > 0 {
		lead := sorted[0]
		for i, e := range equal {
			if e != lead && points[e]+float64(missing[i]) >= points[lead] {
				return
			}
		}
		value[lead] = float64(over + len(equal) - 1)
		b.direct(sorted[1:], over, value)
		return
	}
	if len(runs) == 1 {
		return // all are equal
	}
	behind := len(sorted)
	for _, group := range runs {
		behind -= len(group)
		b.direct(group, over+behind, value)
	}
}

// among returns what each took from the others of a group, and how many of those it has not met.
func (b *book) among(group []int) (map[int]float64, []int) {
	var missing []int
	points := make(map[int]float64, len(group))
	for _, e := range group {
		met, taken := map[int]float64{}, map[int]float64{}
		for _, m := range slices.Concat(b.records[e].meetings...) {
			if slices.Contains(group, m.opponent) {
				met[m.opponent]++
				taken[m.opponent] += m.taken
			}
		}
		for _, o := range group {
			points[e] += taken[o] / max(1, met[o])
		}
		points[e] = round6(points[e])
		missing = append(missing, len(group)-1-len(met))
	}
	return points, missing
}

// ArenaScore returns 2 for a win and 1 for a draw, doubled after two wins in a row until one does not win.
func ArenaScore(verdicts []tournament.Verdict) int {
	score, row := 0, 0
	for _, v := range verdicts {
		times := 1
		if row >= 2 {
			times = 2
		}
		row++
		switch v {
		case tournament.Win:
			score += 2 * times
		case tournament.Draw:
			score, row = score+times, 0
		case tournament.Loss:
			row = 0
		}
	}
	return score
}
