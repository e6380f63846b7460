package pairing

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/molerun/molerun/tournament"
)

// elimination goes on with those who win. At tables of two it is a seeded bracket; single elimination at larger tables is
// a knockout (knockout.go).
type elimination struct {
	noLate
	double bool
}

func (f elimination) name() tournament.Format {
	if f.double {
		return tournament.DoubleElimination
	}
	return tournament.SingleElimination
}

func (f elimination) check(entries int, s Settings) error {
	switch {
	case s.SeatsPerTable > 2 && f.double:
		return fmt.Errorf("%w: double_elimination is for tables of two; use single_elimination or groups at tables of %d", ErrOptions, s.SeatsPerTable)
	case s.SeatsPerTable > 2 && (s.BestOf > 1 || s.ThirdPlace):
		return fmt.Errorf("%w: best_of and third_place are for tables of two; at larger ones use duplicate for more games", ErrOptions)
	case s.Duplicate && s.BestOf%2 == 1:
		return fmt.Errorf("%w: best_of is %d; with duplicate, the default at tables of two, games come in pairs with the seats swapped: give an even number, or duplicate = false", ErrOptions, s.BestOf)
	case f.double && s.ThirdPlace:
		return fmt.Errorf("%w: double_elimination has its third place without a tie for it", ErrOptions)
	case s.BestOf > maxEntries:
		return fmt.Errorf("%w: best_of is %d; at most %d", ErrOptions, s.BestOf, maxEntries)
	}
	return s.check(entries)
}

func (elimination) ties(Settings) []Tie { return []Tie{ByStage} }

func (elimination) matches(entries int, s Settings) (int, error) { return mostOut(entries, s), nil }

func (elimination) rounds(entries int, s Settings) int { return roundsOut(entries, s) }

func (f elimination) next(c Contest) (Step, error) {
	if err := f.check(len(c.starters()), c.Settings); err != nil {
		return Step{}, err
	}
	if open := c.Open(); open > 0 {
		return waiting(open), nil
	}
	if c.Settings.SeatsPerTable > 2 {
		return knockoutNext(c)
	}
	d := f.draw(c)
	r := Round{Forfeits: d.walkovers(false)}
	if len(r.Forfeits) == 0 && !slices.ContainsFunc(d.open(), d.there) {
		r.Forfeits = d.walkovers(true) // nothing else is left to play
	}
	b := newBook(c)
	for _, t := range d.open() {
		x, y := d.sides(t)
		if d.there(t) {
			r.Blocks = append(r.Blocks, d.block(b, t, x, y))
			continue
		}
		for _, e := range []int{x, y} { // the tie waits for one of them
			r.Absent = append(r.Absent, Absence{Entry: e, Why: c.absent(e)})
		}
	}
	if len(r.Blocks)+len(r.Forfeits) == 0 {
		return Step{Status: Over}, nil
	}
	if len(c.Rounds) == 0 {
		r.Seeds, r.Places = d.seeds, d.places
	}
	passed := d.passed()
	for _, e := range d.alive() { // one that waits for others has no bye
		if passed[e] > b.records[e].line.Byes && c.absent(e) == "" {
			r.Byes = append(r.Byes, e)
		}
	}
	slices.Sort(r.Byes)
	slices.SortFunc(r.Absent, func(a, b Absence) int { return a.Entry - b.Entry })
	return Step{Status: Play, Round: r}, nil
}

// stages returns the round in which each entry was out, counted so that later is more; those still in are ahead of them.
func (f elimination) stages(c Contest) []int {
	if c.Settings.SeatsPerTable > 2 {
		return knockoutStages(c)
	}
	d := f.draw(c)
	out := make([]int, len(c.Entries))
	for _, e := range d.alive() {
		out[e] = d.bracket.top + 1
	}
	for t, x := range d.bracket.duels {
		winner, loser := d.outcome(t)
		if loser >= 0 && x.out > 0 {
			out[loser] = max(out[loser], x.out)
		}
		if last := t == len(d.bracket.duels)-1; winner >= 0 && (last || x.third) {
			out[winner] = x.out + 1
			if last {
				out[winner]++
			}
		}
		if gone := d.scores[t].gone; len(gone) == 2 { // of an older release: nobody won
			level := d.bracket.fatal(t)
			out[gone[0]], out[gone[1]] = max(out[gone[0]], level), max(out[gone[1]], level)
		}
	}
	if n := len(d.decided); n > 0 && d.decided[n-1][0] == Bye { // of an older release too
		out[d.last(out)]++
	}
	return out
}

// last returns the best seed of those who came farthest.
func (d *draw) last(stages []int) int {
	return slices.MaxFunc(d.seeds, func(a, b int) int {
		return cmp.Or(cmp.Compare(stages[a], stages[b]), cmp.Compare(d.rank[b], d.rank[a]))
	})
}

// unknown is the side of a tie that an earlier one has not decided.
const unknown = -2

// score is what was played of a tie.
type score struct {
	games  int
	points map[int]float64
	first  map[int]int // games in seat 0
	gone   []int       // who forfeited it; both only in rounds of older releases
}

// draw is a bracket with the entries in it.
type draw struct {
	c       Contest
	bracket *bracket
	seeds   []int // entries by seed
	places  []int // entries by seed of the bracket, see [Contest.spread]
	rank    map[int]int
	scores  []score
	decided [][2]int // outcomes known, by tie
}

func (f elimination) draw(c Contest) *draw {
	d := &draw{c: c, seeds: c.drawn(), rank: map[int]int{}}
	for i, e := range d.seeds {
		d.rank[e] = i
	}
	if len(c.Rounds) > 0 {
		d.places = c.Rounds[0].Places
	}
	if d.places == nil {
		d.places = c.spread(d.seeds)
	}
	if f.double {
		d.bracket = double(len(d.seeds))
	} else {
		d.bracket = single(len(d.seeds), c.Settings.ThirdPlace)
	}
	d.scores = make([]score, len(d.bracket.duels))
	for t := range d.scores {
		d.scores[t].points, d.scores[t].first = map[int]float64{}, map[int]int{}
	}
	for _, r := range c.Rounds {
		for _, b := range r.Blocks {
			s := &d.scores[b.Tie-1]
			for _, g := range b.Games {
				s.games++ // a void one too: it is not played again, so that the bracket ends
				s.first[g.Seats[0]]++
				for i, e := range g.Seats {
					if g.Result != nil && !g.Result.Void {
						s.points[e] += g.Result.Points[i]
					}
				}
			}
		}
		for _, x := range r.Forfeits {
			d.scores[x.Tie-1].gone = append(d.scores[x.Tie-1].gone, x.Loser)
		}
	}
	d.decide()
	return d
}

// Winners returns who won each tie of a bracket that is decided, by its number: even ties and those that were not played too. It is nil where
// there is no bracket of ties of two.
func Winners(c Contest) map[int]int {
	d := c.bracket()
	if d == nil {
		return nil
	}
	out := map[int]int{}
	for t, sides := range d.decided {
		if winner := sides[0]; winner >= 0 {
			out[t+1] = winner
		}
	}
	return out
}

// TieName returns what a tie of a bracket is called, as "final"; "" where there is no such tie.
func TieName(c Contest, tie int) string {
	d := c.bracket()
	if d == nil || tie < 1 || tie > len(d.bracket.duels) {
		return ""
	}
	return d.bracket.duels[tie-1].name
}

// bracket returns the bracket of ties of two of a contest, or of its playoff; nil while there is none.
func (c Contest) bracket() *draw {
	if seeds := c.playoffSeeds(); seeds != nil {
		c = c.secondStage(seeds)
	}
	f := elimination{double: c.Settings.Format == tournament.DoubleElimination}
	if c.Settings.Format != f.name() || c.Settings.SeatsPerTable > 2 || len(c.Rounds) == 0 {
		return nil
	}
	return f.draw(c)
}

// drawn returns who plays an elimination, by seed.
func (c Contest) drawn() []int {
	if len(c.Rounds) > 0 && c.Rounds[0].Seeds != nil {
		return c.Rounds[0].Seeds
	}
	return c.seeded(c.starters())
}

// decide finds the outcome of every tie that has one.
func (d *draw) decide() {
	d.decided = d.decided[:0]
	for t := range d.bracket.duels {
		winner, loser := d.result(t)
		d.decided = append(d.decided, [2]int{winner, loser})
	}
}

// outcome returns who won and lost tie t; [Bye] for nobody.
func (d *draw) outcome(t int) (winner, loser int) { return d.decided[t][0], d.decided[t][1] }

func (d *draw) from(s source) int {
	switch {
	case s.seed != none && s.seed < len(d.places):
		return d.places[s.seed]
	case s.seed != none:
		return Bye
	case s.loser:
		return d.decided[s.tie][1]
	default:
		return d.decided[s.tie][0]
	}
}

func (d *draw) sides(t int) (int, int) {
	x := d.bracket.duels[t]
	return d.from(x.a), d.from(x.b)
}

// result returns outcome from the scores and the ties before.
func (d *draw) result(t int) (winner, loser int) {
	a, b := d.sides(t)
	s := d.scores[t]
	switch {
	case a == unknown || b == unknown:
		return unknown, unknown
	case b == Bye:
		return a, Bye
	case a == Bye:
		return b, Bye
	case d.bracket.duels[t].reset && a == d.from(d.bracket.duels[t-1].a):
		return a, b // the side of the winners has won the final
	case len(s.gone) == 2:
		return Bye, Bye
	case len(s.gone) == 1 && s.gone[0] == a:
		return b, a
	case len(s.gone) == 1:
		return a, b
	}
	left := float64(max(0, d.bestOf()-s.games))
	switch lead := s.points[a] - s.points[b]; {
	case s.games > 0 && lead > left:
		return a, b
	case s.games > 0 && -lead > left:
		return b, a
	case s.games < d.bestOf()+2:
		return unknown, unknown
	case d.rank[a] < d.rank[b]:
		return a, b
	}
	return b, a
}

func (d *draw) bestOf() int { return d.c.Settings.bestOf() }

// bestOf returns how many games a tie of a bracket has if nothing decides it before.
func (s Settings) bestOf() int { return max(s.BestOf, s.games(2)) }

// open returns the ties whose two sides are known and that are not decided.
func (d *draw) open() []int {
	return chosen(len(d.bracket.duels), d.isOpen)
}

func (d *draw) isOpen(t int) bool {
	a, b := d.sides(t)
	winner, _ := d.outcome(t)
	return a >= 0 && b >= 0 && winner == unknown
}

// there reports whether both sides of a tie can play.
func (d *draw) there(t int) bool {
	a, b := d.sides(t)
	return d.c.absent(a) == "" && d.c.absent(b) == ""
}

// walkovers returns the ties that are not played because a side is absent, or because both belong to one owner; and those that
// follow from them. A tie for which neither side is there stays open while one of them may come back, unless settle says to decide it.
func (d *draw) walkovers(settle bool) []Forfeit {
	var out []Forfeit
	for t := range d.bracket.duels {
		if !d.isOpen(t) {
			continue
		}
		a, b := d.sides(t)
		loser, why := d.yields(a, b, settle)
		if loser == Bye {
			continue
		}
		out = append(out, Forfeit{Tie: t + 1, Winner: a + b - loser, Loser: loser, Why: why})
		d.scores[t].gone = []int{loser}
		d.decide()
	}
	return out
}

// passed returns how many ties each entry has won because nobody is on the other side.
func (d *draw) passed() map[int]int {
	out := map[int]int{}
	for t := range d.bracket.duels {
		winner, _ := d.outcome(t)
		if a, b := d.sides(t); a == Bye || b == Bye {
			out[winner]++
		}
	}
	return out
}

// yields returns the side that loses a tie without playing, and why; [Bye] if neither does. Every tie has a winner, who loses the next one if
// it is not there either: so there is one champion, and nobody is out before it has lost as often as the format says.
func (d *draw) yields(a, b int, settle bool) (loser int, why string) {
	whyA, whyB := d.c.absent(a), d.c.absent(b)
	goneA, goneB := d.c.Entries[a].State == Withdrawn, d.c.Entries[b].State == Withdrawn
	lower := a
	if d.rank[a] < d.rank[b] {
		lower = b
	}
	switch {
	case whyA == "" && whyB == "" && d.c.barred(a, b):
		return lower, "both entries belong to one owner; the higher seed goes on"
	case whyA == "" && whyB == "":
		return Bye, ""
	case whyB == "" || goneA && !goneB:
		return a, whyA
	case whyA == "" || goneB && !goneA:
		return b, whyB
	case settle || goneA:
		return lower, "neither entry is there; the higher seed goes on"
	}
	return Bye, ""
}

// block returns the next games of a tie: one, or a pair on one seed with the seats swapped; after an even best-of always a pair.
func (d *draw) block(b *book, t, x, y int) Block {
	if d.rank[y] < d.rank[x] {
		x, y = y, x
	}
	s := d.scores[t]
	seats := b.seatPair(x, y, t)
	if s.first[x] != s.first[y] {
		seats = []int{x, y}
		if s.first[x] > s.first[y] {
			seats = []int{y, x}
		}
	}
	out := Block{Tie: t + 1, Name: d.bracket.duels[t].name, Games: []Game{{Seats: seats}}}
	if d.c.Settings.Duplicate || s.games >= d.bestOf() {
		out.Games = append(out.Games, Game{Seats: []int{seats[1], seats[0]}})
	}
	return out
}

// alive returns the entries that can still win, by seed.
func (d *draw) alive() []int {
	out := slices.Clone(d.seeds)
	lost := map[int]bool{}
	for t, x := range d.bracket.duels {
		if _, loser := d.outcome(t); loser >= 0 && x.out > 0 {
			lost[loser] = true
		}
		if gone := d.scores[t].gone; len(gone) == 2 {
			lost[gone[0]], lost[gone[1]] = true, true
		}
	}
	return slices.DeleteFunc(out, func(e int) bool { return lost[e] })
}
