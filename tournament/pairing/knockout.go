package pairing

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/molerun/molerun/engines/game"
)

// A knockout is single elimination at tables of k > 2. The field comes down to k, 2k, 4k, … entries: in each round the
// lowest seeds of it fill as many full tables as that takes, the others have a bye, and the best of the tables go on, by
// place at their table, then points, then the game's own points, then seed. The last k play the final.

// knockoutNext returns the next round. Entries that are absent, or too many of one owner for the tables, are out by forfeit.
func knockoutNext(c Contest) (Step, error) {
	field, over := knockoutField(c)
	if over || len(field) == 1 {
		return Step{Status: Over}, nil
	}
	r := Round{}
	if len(c.Rounds) == 0 {
		r.Seeds = field
	}
	here, few := knockoutHere(c, field, &r)
	if few {
		return Step{Status: Play, Round: r}, nil
	}
	b := newBook(c)
	for {
		plays, byes := knockoutPart(here, c.Settings.SeatsPerTable)
		tables := max(1, len(plays)/c.Settings.SeatsPerTable)
		if crowd := b.crowd(plays, tables); len(crowd) > 0 && c.Settings.OwnersApart {
			e := crowd[len(crowd)-1]
			r.Forfeits = append(r.Forfeits, Forfeit{Winner: Bye, Loser: e, Why: "a better seeded entry of its owner sits at every table"})
			here = slices.DeleteFunc(here, func(x int) bool { return x == e })
			continue
		}
		if len(plays) < c.Settings.least() {
			break // nobody to play against
		}
		r.Byes, r.Final = byes, len(here) <= c.Settings.SeatsPerTable
		alike := func(int) float64 { return 0 }
		for _, lineup := range b.lineups(plays, slices.Repeat([]int{min(len(plays), c.Settings.SeatsPerTable)}, tables), alike, c.stream("knockout")) {
			block := c.Settings.Block(b.evenSeats(lineup))
			block.Name = fmt.Sprintf("round of %d", len(here))
			if r.Final {
				block.Name = FinalTie
			}
			r.Blocks = append(r.Blocks, block)
		}
		break
	}
	slices.Sort(r.Byes)
	if len(r.Blocks)+len(r.Forfeits) == 0 {
		return Step{Status: Over}, nil
	}
	return Step{Status: Play, Round: r}, nil
}

// knockoutHere returns who of a field can play; the others forfeit. At the end somebody is left: if nobody is there, the best seed of those who
// may come back, else the best of all; and the best seed alone where all are there and too few for a table, which few reports.
func knockoutHere(c Contest, field []int, r *Round) (here []int, few bool) {
	forfeit := func(e int, why string) { r.Forfeits = append(r.Forfeits, Forfeit{Winner: Bye, Loser: e, Why: why}) }
	here = slices.DeleteFunc(slices.Clone(field), func(e int) bool { return c.absent(e) != "" })
	if len(here) == len(field) && len(here) < c.Settings.least() {
		for _, e := range here[1:] {
			forfeit(e, "too few are left for a table; the highest seed goes on")
		}
		return here[:1], true
	}
	stays := Bye
	if len(here) == 0 {
		stays = field[max(0, slices.IndexFunc(field, func(e int) bool { return c.Entries[e].State != Withdrawn }))]
	}
	for _, e := range field {
		if why := c.absent(e); why != "" && e != stays {
			forfeit(e, why)
		}
	}
	return here, len(here) == 0
}

// knockoutPart parts a field, by seed, into those who play, lowest seeds, and those who have a bye.
func knockoutPart(field []int, k int) ([]int, []int) {
	n := len(field)
	if n <= k {
		return field, nil
	}
	half := k / 2
	count := min(n/k, (n-knockoutNextSize(n, k)+half-1)/half)
	return field[n-count*k:], slices.Clone(field[:n-count*k])
}

// knockoutNextSize returns how many of n > k entries go on: the largest of k, 2k, 4k, … below n.
func knockoutNextSize(n, k int) int {
	size := k
	for 2*size < n {
		size *= 2
	}
	return size
}

// knockoutField returns who is still in, by seed, and whether the final was played.
func knockoutField(c Contest) ([]int, bool) {
	var over bool
	field := c.drawn()
	for i, r := range c.Rounds {
		field, over = knockoutLeft(c, field, i), over || r.Final
	}
	return field, over
}

// knockoutLeft returns who of a field is still in after round i: whom the next one names, if it has tables, whatever becomes of the results;
// else whom round i sends on.
func knockoutLeft(c Contest, field []int, i int) []int {
	r := c.Rounds[i]
	in := map[int]bool{}
	for _, e := range r.Byes {
		in[e] = true
	}
	order := knockoutOrder(r, field)
	if i+1 < len(c.Rounds) && len(c.Rounds[i+1].Blocks) > 0 {
		in = c.Rounds[i+1].names()
	} else if len(r.Blocks) == 0 { // forfeits only
		for _, e := range field {
			in[e] = !slices.ContainsFunc(r.Forfeits, func(f Forfeit) bool { return f.Loser == e })
		}
	} else if !r.Final {
		// At least as many as there are tables, however many have a bye as others left theirs: the next round brings the field down. All, if
		// no more are left than play the last table.
		left := max(len(r.Blocks), knockoutNextSize(len(r.Byes)+len(order), c.Settings.SeatsPerTable)-len(r.Byes))
		seed := func(e int) int { return slices.Index(field, e) }
		slices.SortStableFunc(order, func(a, b placed) int {
			return cmp.Or(a.compare(b), cmp.Compare(seed(a.entry), seed(b.entry)))
		})
		for _, p := range order[:min(left, len(order))] {
			in[p.entry] = true
		}
	} else {
		for _, p := range order {
			in[p.entry] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(field), func(e int) bool { return !in[e] })
}

// names returns who plays a round, sits it out, forfeits in it or left before it began.
func (r Round) names() map[int]bool {
	out := map[int]bool{}
	for _, b := range r.Blocks {
		for _, e := range b.Games[0].Seats {
			out[e] = true
		}
	}
	for _, e := range r.Byes {
		out[e] = true
	}
	for _, f := range r.Forfeits {
		out[f.Loser] = true
	}
	for _, a := range r.Absent {
		out[a.Entry] = true
	}
	return out
}

// placed is how an entry did in a block of a knockout: points and score are a game.
type placed struct {
	entry, place  int
	points, score float64
}

// compare returns negative if p is before o.
func (p placed) compare(o placed) int {
	return cmp.Or(cmp.Compare(p.place, o.place), p.within(o))
}

// within returns compare at one table.
func (p placed) within(o placed) int {
	return cmp.Or(cmp.Compare(o.points, p.points), cmp.Compare(o.score, p.score))
}

// knockoutOrder returns how all did who played in a round. A table without a game that counts is in the order of the field, by seed.
func knockoutOrder(r Round, field []int) []placed {
	var out []placed
	for _, b := range r.Blocks {
		table := map[int]*placed{}
		list := each(b.Games[0].Seats, func(e int) placed { return placed{entry: e} })
		for i := range list {
			table[list[i].entry] = &list[i]
		}
		played := 0.0
		for _, g := range b.Games {
			if g.Result == nil || g.Result.Void {
				continue
			}
			played++
			for i, e := range g.Seats {
				table[e].points += g.Result.Points[i]
				table[e].score += g.Result.Score[i]
			}
		}
		for i := range list {
			list[i].points, list[i].score = round6(list[i].points/max(1, played)), round6(list[i].score/max(1, played))
		}
		for i, x := range list {
			list[i].place = 1
			for _, o := range list {
				if played > 0 && o.within(x) < 0 || played == 0 && slices.Index(field, o.entry) < slices.Index(field, x.entry) {
					list[i].place++
				}
			}
		}
		out = append(out, list...)
	}
	return out
}

// knockoutStages counts a round as more than any place within it.
func knockoutStages(c Contest) []int {
	const round = 2 * game.MaxSeats
	out := make([]int, len(c.Entries))
	field := c.drawn()
	for i, r := range c.Rounds {
		next := knockoutLeft(c, field, i)
		for _, e := range next {
			out[e] = (i + 1) * round
		}
		if r.Final {
			for _, p := range knockoutOrder(r, field) {
				out[p.entry] = (i+1)*round + game.MaxSeats - p.place
			}
		}
		field = next
	}
	return out
}
