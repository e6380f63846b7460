package pairing

import (
	"slices"

	"github.com/molerun/molerun/tournament"
)

// Cell is what one entry has of another, over the games that count of the blocks that are over. Members of one team do not meet.
type Cell struct {
	Blocks int
	Games  int
	// Share is the mean share of a game, 0 to 1: of two the points; at larger tables 1 for more points than the other and ½
	// for as many. Low and High are its 95 % interval (Wilson), with the block as the unit: games on one seed tell less than
	// as many games on seeds of their own.
	Share, Low, High float64

	// Shared are all games in which both sat, and Level is the mean share of those, of which one on the same team gives both ½: the
	// luck of a pair is that of these.
	Shared int
	Level  float64
}

// Counting returns the rounds without the blocks that the standings do not count: those of entries whose results were annulled, and in
// an sprt what lies beyond its end.
func (c Contest) Counting() []Round {
	c = c.counted()
	annulled := c.Annulled()
	out := slices.Clone(c.Rounds)
	for i, r := range out {
		out[i].Blocks = slices.DeleteFunc(slices.Clone(r.Blocks), func(b Block) bool { return annulled(i, b.Games[0].Seats...) })
	}
	return out
}

// Annulled reports whether what some entries played or forfeited in a round, by its index, counts for nobody, as one of them left too early.
func (c Contest) Annulled() func(round int, entries ...int) bool {
	void, first := newBook(c.beforePlayoff()).void, c.Playoff()
	return func(round int, entries ...int) bool {
		return round < first && slices.ContainsFunc(entries, func(e int) bool { return void[c.Rounds[round].Final][e] })
	}
}

// Crosstable returns the cell of each entry, by row, against each other, of what counts ([Contest.Counting]).
func Crosstable(c Contest) [][]Cell {
	out := make(cells, len(c.Entries))
	for e := range out {
		out[e] = make([]Cell, len(c.Entries))
	}
	for _, r := range c.Counting() {
		for _, b := range r.Blocks {
			out.add(b)
		}
	}
	for _, row := range out {
		for i := range row {
			row[i].settle()
		}
	}
	return out
}

func (t cells) add(b Block) {
	met := map[*Cell]bool{}
	for _, g := range b.Counting() {
		for i, e := range g.Seats {
			against := g.Result.against(i)
			for j, o := range g.Seats {
				if i == j {
					continue
				}
				x, share := &t[e][o], beat(g.Result.Points, i, j)
				x.Shared++
				x.Level += share
				if slices.Contains(against, j) {
					x.Games++
					x.Share += share
					met[x] = true
				}
			}
		}
	}
	for x := range met {
		x.Blocks++
	}
}

// cells is a crosstable that is being added up: Share and Level are sums.
type cells [][]Cell

func (c *Cell) settle() {
	if c.Shared > 0 {
		c.Level = round6(c.Level / float64(c.Shared))
	}
	if c.Blocks == 0 {
		return
	}
	mean := tournament.ShareOf(round6(c.Share/float64(c.Games)), float64(c.Blocks))
	c.Share, c.Low, c.High = mean.Value, round6(mean.Low), round6(mean.High)
}
