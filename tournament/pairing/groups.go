package pairing

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing/designs"
)

// groups plays a round robin in each group, at balanced tables, and then a final round robin among the best. Group rounds
// never wait for results; the final waits for all of them.
type groups struct{ noLate }

// count returns the number of groups for so many entries.
func (groups) count(entries int, s Settings) int {
	if s.GroupSize == 0 {
		return 1
	}
	return (entries + s.GroupSize - 1) / s.GroupSize
}

// finalists returns how many play the final; 0 if there is none, as it would be the only group again.
func (f groups) finalists(entries int, s Settings) int {
	n := s.Finalists
	if n == 0 {
		n = s.SeatsPerTable
	}
	if n >= entries {
		return 0
	}
	return n
}

func (f groups) check(entries int, s Settings) error {
	if err := s.check(entries); err != nil {
		return err
	}
	count := f.count(entries, s)
	if n := entries / count; n < s.least() {
		return fmt.Errorf("%w: %s of %d entries leave one of %d, which cannot fill a table of %d", ErrOptions, game.Plural(count, "group"), entries, n, s.least())
	}
	if s.Playoff == "" && s.Finalists > 0 && s.Finalists < s.least() {
		return fmt.Errorf("%w: %s cannot fill a table of %d", ErrOptions, game.Plural(s.Finalists, "finalist"), s.least())
	}
	matches := 0
	for g := range count {
		size := (entries + g) / count
		n, err := Count(size, roundRobin{}.options(size, s, nil))
		if err != nil {
			return err
		}
		matches += n
	}
	if matches > maxMatches {
		return fmt.Errorf("%w: that would be %d matches; at most %d", ErrTooMany, matches, maxMatches)
	}
	return nil
}

func (groups) ties(s Settings) []Tie {
	if s.Playoff != "" {
		return roundRobin{}.ties(s)
	}
	return append([]Tie{ByStage, ByFinal}, roundRobin{}.ties(s)...)
}

// matches counts those of all groups and of the final.
func (f groups) matches(entries int, s Settings) (int, error) {
	sum := s.mostInPlayoff(entries)
	count := f.count(entries, s)
	fields := []int{}
	for g := range count {
		fields = append(fields, (entries+g)/count)
	}
	if n := f.finalists(entries, s); n > 0 && s.Playoff == "" {
		fields = append(fields, n)
	}
	for _, n := range fields {
		matches, err := Count(n, roundRobin{}.options(n, s, nil))
		if err != nil {
			return 0, err
		}
		sum += matches
	}
	return sum, nil
}

// rounds counts those of the group that has most, as groups play side by side, and of the final. At larger tables that may be the smaller one.
func (f groups) rounds(entries int, s Settings) int {
	count := f.count(entries, s)
	rounds := max(s.roundsAmong(entries/count), s.roundsAmong((entries+count-1)/count))
	if n := f.finalists(entries, s); n > 0 && s.Playoff == "" {
		rounds += s.roundsAmong(n)
	}
	return rounds
}

func (groups) stages(c Contest) []int {
	if c.Settings.Playoff != "" {
		return c.playoffStages()
	}
	out := make([]int, len(c.Entries))
	for _, e := range (groups{}).finalField(c) {
		out[e] = 1
	}
	return out
}

func (f groups) next(c Contest) (Step, error) {
	step, err := c.follow()
	if err != nil || step.Status == Play {
		return step, err
	}
	if c.Settings.Playoff != "" {
		if open := c.Open(); open > 0 {
			return waiting(open), nil
		}
		return c.playoffNext(f.order(c))
	}
	if n := len(c.Plan); n > 0 && c.Plan[n-1].Final {
		return step, nil // it was kept to its end
	}
	final := f.finalField(c)
	if len(final) == 0 {
		if f.finalists(len(c.starters()), c.Settings) == 0 {
			return Step{Status: Over}, nil
		}
		if open := c.Open(); open > 0 {
			return waiting(open), nil
		}
		final = f.best(c)
	}
	if least := c.Settings.least(); len(final) < least {
		return c.alone(final, f.order(c), c.second() == len(c.Rounds), fmt.Sprintf("too few of the best were active for a final at a table of %d", least)), nil
	}
	return f.final(c, final)
}

// plan returns the rounds of all groups, side by side.
func (f groups) plan(c Contest) ([]Round, error) {
	var out []Round
	divided := f.divide(c)
	for g, field := range divided {
		rounds, err := roundRobin{}.among(c, field, c.conflict(field), game.Stream(c.Seed, g, "groups"))
		if err != nil {
			return nil, err
		}
		for i, r := range rounds {
			if i == len(out) {
				out = append(out, Round{Byes: slices.Concat(divided[:g]...)}) // earlier groups have no round so late
			}
			out[i].Blocks, out[i].Byes = append(out[i].Blocks, r.Blocks...), append(out[i].Byes, r.Byes...)
		}
		for i := len(rounds); i < len(out); i++ {
			out[i].Byes = append(out[i].Byes, field...)
		}
	}
	for i := range out {
		slices.Sort(out[i].Byes)
	}
	out[0].Groups = divided
	return out, nil
}

// divided returns the groups as the first round keeps them or, before it, as they will be.
func (f groups) divided(c Contest) [][]int {
	if len(c.Rounds) > 0 && c.Rounds[0].Groups != nil {
		return c.Rounds[0].Groups
	}
	return f.divide(c)
}

// divide returns the groups: by seed, forth and back again, so that they are alike in strength; and each owner's entries as evenly
// as can be. Those who would be one by one in the groups by seed, a row, still are: rows and each owner's entries, as many at a
// time as there are groups, are a bipartite graph whose edges are coloured with the groups (König).
func (f groups) divide(c Contest) [][]int {
	seeds := c.seeded(c.starters())
	count := f.count(len(seeds), c.Settings)
	g := designs.Graph{Colours: count}
	part, taken := map[string]int{}, map[string]int{} // by owner
	parts := make([]int, len(seeds))                  // by seed
	for i, e := range seeds {
		row, want := i/count, i%count
		if row%2 == 1 {
			want = count - 1 - want
		}
		owner := c.Entries[e].Owner
		if owner == "" || c.Settings.OwnersMeet {
			owner = fmt.Sprint(e)
		}
		if taken[owner]%count == 0 {
			part[owner] = g.AddPart()
		}
		taken[owner]++
		if parts[i] = part[owner]; i%count == 0 {
			g.AddTable()
		}
		g.Join(row, parts[i], want)
	}
	out := make([][]int, count)
	for i, e := range seeds {
		row := g.Table(i / count)
		to := slices.Index(row, parts[i])
		row[to] = designs.None // another entry of the owner may be in the row
		out[to] = append(out[to], e)
	}
	return out
}

// pools returns the name of each starter's group.
func (f groups) pools(c Contest) map[int]string {
	out := map[int]string{}
	for g, field := range f.divided(c) {
		for _, e := range field {
			out[e] = fmt.Sprintf("group %d", g+1)
		}
	}
	return out
}

// best returns the finalists among those who are active: the first of each group, then the seconds, and so on; of equal
// places those with more points a game, then more of the game's own points, then the better seed. With OwnersApart an
// owner has one.
func (f groups) best(c Contest) []int {
	owner := map[string]bool{}
	var out []int
	for _, e := range f.order(c) {
		if c.absent(e) != "" || c.Settings.OwnersApart && owner[c.Entries[e].Owner] {
			continue
		}
		owner[c.Entries[e].Owner] = true
		if out = append(out, e); len(out) == f.finalists(len(c.starters()), c.Settings) {
			break
		}
	}
	return out
}

// ranked returns each group in the order of its table, and the book of the first stage. The second changes nothing of it.
func (f groups) ranked(c Contest) (*book, [][]int) {
	c = c.firstStage()
	b := newBook(c)
	var out [][]int
	for _, field := range f.divided(c) {
		equal := b.undivided(field)
		for _, t := range ties(roundRobin{}, c.Settings) {
			equal = b.divide(equal, t)
		}
		out = append(out, slices.Concat(equal...))
	}
	return b, out
}

// GroupTables returns the lines of each group of a tournament in groups, in the order of its table and without the second stage; nil in
// another format. Rank is the place in the group.
func GroupTables(c Contest) [][]Line {
	if c.Settings.Format != tournament.Groups {
		return nil
	}
	b, ranked := groups{}.ranked(c)
	var out [][]Line
	for _, field := range ranked {
		var lines []Line
		for i, e := range field {
			l := b.records[e].line
			l.Rank = i + 1
			lines = append(lines, l)
		}
		out = append(out, lines)
	}
	return out
}

// order returns all entries by their place in their group.
func (f groups) order(c Contest) []int {
	b, ranked := f.ranked(c)
	place := map[int]int{}
	var all []int
	for _, field := range ranked {
		for i, e := range field {
			place[e] = i
			all = append(all, e)
		}
	}
	points := func(e int) float64 { return round6(b.points(e) / max(1, b.records[e].possible)) } // with forfeits
	score := func(e int) float64 {
		return round6(b.records[e].line.Score / float64(max(1, b.records[e].line.Played)))
	}
	all = c.seeded(all)
	slices.SortStableFunc(all, func(x, y int) int {
		return cmp.Or(cmp.Compare(place[x], place[y]), cmp.Compare(points(y), points(x)), cmp.Compare(score(y), score(x)))
	})
	return all
}

// final returns the next round of the final of a field, the best first.
func (f groups) final(c Contest, field []int) (Step, error) {
	rounds, err := roundRobin{}.among(c, field, c.conflict(field), game.Stream(c.Seed, 0, "final"))
	i := len(c.Rounds) - c.second()
	if err != nil || i >= len(rounds) {
		return Step{Status: Over}, err
	}
	for k := range rounds {
		rounds[k].Final = true
	}
	rounds[0].Seeds, rounds[0].Left = field, c.left(true)
	step := Step{Status: Play, Round: c.Settle(rounds[i])}
	if i == 0 {
		step.Fixed = rounds
	}
	return step, nil
}

// finalField returns who plays the final, the best first; nobody before its first round is made.
func (f groups) finalField(c Contest) []int {
	var out []int
	for _, r := range c.Rounds {
		if !r.Final {
			continue
		}
		if r.Seeds != nil {
			return r.Seeds
		}
		for _, b := range r.Blocks {
			out = append(out, b.Games[0].Seats...)
		}
		out = append(out, r.Byes...)
		for _, a := range r.Absent {
			out = append(out, a.Entry)
		}
	}
	if out == nil {
		return nil
	}
	return slices.DeleteFunc(f.order(c), func(e int) bool { return !slices.Contains(out, e) })
}

// meets counts those of its group, or of the final.
func (f groups) meets(c Contest, e int, final bool) int {
	fields := f.divided(c)
	if final {
		fields = [][]int{f.finalField(c)}
	}
	for _, field := range fields {
		if slices.Contains(field, e) {
			return c.strangers(e, field)
		}
	}
	return 0
}
