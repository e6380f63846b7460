package pairing

import (
	"math"
	"slices"

	"github.com/molerun/molerun/tournament"
)

// meeting is one game of an entry against one opponent, or one that was given away. Members of one team do not meet.
type meeting struct {
	opponent int
	taken    float64 // 0 to 1, see [beat]
	worth    float64 // of the 1 that a game is: the opponents share it evenly
	given    bool    // by forfeit
}

// record is what a contest has given one entry so far.
type record struct {
	line        Line
	meetings    [][]meeting // by block that is over, or forfeit: those that count
	unplayed    int         // rounds with a bye, an absence, or before it came
	verdicts    []tournament.Verdict
	seats       []int   // games by seat, those under way too
	final       float64 // points of the rounds after a group stage
	possible    float64 // the points that it could have
	progressive float64
	busy        bool  // a game of it is not over
	last        []int // opponents of its latest block, under way or over
	seated      int   // the round of that block, from 1; before the first the rounds that had been made when it came
}

// book is a contest added up.
type book struct {
	c       Contest
	records []record
	met     map[[2]int]int // blocks together, under way or over
	stages  []int          // by entry, see [ByStage]; nil in formats without
	// The entries whose results count for nobody: in the final of groups, and in all else.
	void map[bool]map[int]bool
}

func newBook(c Contest) *book { return bookOf(c, func(*book) {}) }

// bookOf does what newBook does, and calls after with the book after each round.
func bookOf(c Contest, after func(*book)) *book {
	b := &book{c: c, records: make([]record, len(c.Entries)), met: map[[2]int]int{}}
	for e, x := range c.Entries {
		b.records[e].line.Entry = e
		b.records[e].seats = make([]int, max(2, c.Settings.SeatsPerTable))
		b.records[e].unplayed = min(x.Joined, len(c.Rounds))
		b.records[e].seated = x.Joined
	}
	b.void = map[bool]map[int]bool{false: b.annulled(false), true: b.annulled(true)}
	for i, r := range c.Rounds {
		for _, block := range r.Blocks {
			b.block(block, r.Final)
			for _, e := range block.Games[0].Seats {
				b.records[e].seated = i + 1
			}
		}
		for _, e := range r.Byes {
			b.records[e].line.Byes++
			b.records[e].unplayed++
			b.records[e].line.Points += b.worthOfBye()
			b.records[e].possible += b.worthOfBye()
		}
		for _, a := range r.Absent {
			b.records[a.Entry].unplayed++
		}
		if c.Settings.Format == tournament.Swiss {
			b.missed(i+1, r)
		}
		for _, f := range r.Forfeits {
			b.forfeit(f, r.Final)
		}
		for e := range b.records {
			b.records[e].progressive += b.records[e].line.Points
		}
		after(b)
	}
	for e := range b.records {
		// Thirds and the like summed in another order must not break a tie.
		l := &b.records[e].line
		l.Points = round6(l.Points)
		l.Score = round6(l.Score)
		b.records[e].final = round6(b.records[e].final)
	}
	return b
}

// missed counts a round for the entries that had withdrawn when it was made: rounds of older releases do not name them.
func (b *book) missed(number int, r Round) {
	for e, x := range b.c.Entries {
		out := x.State == Withdrawn && x.Joined < number && b.records[e].seated != number && !slices.Contains(r.Byes, e)
		if out && !slices.ContainsFunc(r.Absent, func(a Absence) bool { return a.Entry == e }) {
			b.records[e].unplayed++
		}
	}
}

func round6(x float64) float64 { return math.Round(x*1e6) / 1e6 }

func key(a, b int) [2]int { return [2]int{min(a, b), max(a, b)} }

// annuller is a format in which everybody meets whom it meets whatever the results are: meets is how many that are for entry e, in the
// final after groups or in all else.
type annuller interface {
	meets(c Contest, e int, final bool) int
}

// annuller returns the format as one; nil if it is none.
func (s Settings) annuller() annuller {
	f, _ := of(s.Format)
	x, _ := f.(annuller)
	return x
}

// annulled returns the entries that withdrew before half of their games of a stage in which who meets whom is fixed, at tables of two: what
// others won or lost against them would be luck, so it counts for nobody.
func (b *book) annulled(final bool) map[int]bool {
	s := b.c.Settings
	x := s.annuller()
	if x == nil || s.SeatsPerTable != 2 {
		return nil
	}
	games := make([]int, len(b.c.Entries))
	for _, r := range b.c.Rounds {
		if r.Final != final {
			continue
		}
		for _, block := range r.Blocks {
			for _, g := range block.Games {
				for _, e := range g.Seats {
					if g.Result == nil || !g.Result.Void { // what it still plays has begun, and goes on to its end
						games[e]++
					}
				}
			}
		}
	}
	out := map[int]bool{}
	for _, e := range b.c.left(!final) {
		out[e] = 2*games[e] < x.meets(b.c, e, final)*s.cycles()*s.games(2)
	}
	return out
}

// worthOfBye returns what a bye counts: in a swiss a whole block won at tables of two, and half of it at larger ones, where
// most of the field takes less than all. In other formats byes are spread evenly or not in points, and count nothing.
func (b *book) worthOfBye() float64 {
	s := b.c.Settings
	switch {
	case s.Format != tournament.Swiss:
		return 0
	case s.SeatsPerTable == 2:
		return float64(s.games(2))
	default:
		return float64(s.games(s.SeatsPerTable)) / 2
	}
}

// forfeit gives the winner the block, where points decide.
func (b *book) forfeit(f Forfeit, final bool) {
	b.records[f.Loser].line.Forfeits++
	if f.Winner == Bye || f.Tie != 0 || b.void[final][f.Loser] || b.void[final][f.Winner] {
		return
	}
	worth := float64(b.c.Settings.games(2))
	b.records[f.Winner].line.Points += worth
	if final {
		b.records[f.Winner].final += worth
	}
	b.records[f.Winner].possible += worth
	b.records[f.Loser].possible += worth
	b.records[f.Winner].given(f.Loser, 1, b.c.Settings.games(2))
	b.records[f.Loser].given(f.Winner, 0, b.c.Settings.games(2))
}

// given notes so many games that were given away.
func (r *record) given(opponent int, taken float64, games int) {
	r.meetings = append(r.meetings, slices.Repeat([]meeting{{opponent: opponent, taken: taken, worth: 1, given: true}}, games))
}

// block adds the games of one block.
func (b *book) block(block Block, final bool) {
	lineup := block.Games[0].Seats
	played := 0
	for _, g := range block.Games {
		if g.Result == nil {
			for _, e := range g.Seats {
				b.records[e].busy = true
			}
		} else if g.Result.Void {
			continue
		} else {
			b.game(g, final)
		}
		for seat, e := range g.Seats {
			b.records[e].seats[seat]++
		}
		played++
	}
	for i, e := range lineup {
		others := slices.Concat(lineup[:i], lineup[i+1:])
		b.records[e].last = others
		if played == 0 {
			b.records[e].unplayed++
			continue
		}
		for _, o := range lineup[:i] {
			b.met[key(e, o)]++
		}
		met := block.meetings(e)
		if counts := !slices.ContainsFunc(lineup, func(x int) bool { return b.void[final][x] }); counts && len(met) > 0 {
			b.records[e].meetings = append(b.records[e].meetings, met)
		}
	}
}

// meetings returns those of entry e in a block.
func (b Block) meetings(e int) []meeting {
	var out []meeting
	for _, g := range b.Counting() {
		i := slices.Index(g.Seats, e)
		against := g.Result.against(i)
		for _, j := range against {
			out = append(out, meeting{opponent: g.Seats[j], taken: beat(g.Result.Points, i, j), worth: 1 / float64(len(against))})
		}
	}
	return out
}

// against returns the seats of a game that are not of seat i's team.
func (r *Result) against(i int) []int {
	return chosen(len(r.Points), func(j int) bool { return j != i && (len(r.Team) == 0 || r.Team[j] != r.Team[i]) })
}

// game adds one game that is over.
func (b *book) game(g Game, final bool) {
	p := g.Result.Points
	for i, e := range g.Seats {
		points := p[i]
		if b.void[final][e] {
			points = 0 // its line tells what it played
		} else if len(g.Seats) == 2 && b.void[final][g.Seats[1-i]] {
			continue
		}
		place := 2
		if p[i] == slices.Max(p) {
			place = 1
		}
		b.records[e].game(tournament.VerdictOf(p[i], place), points, g.Result.Score[i], final)
	}
}

// beat returns what seat i took of seat j in one game, 0 to 1: of two the points; at larger tables 1 for having more, ½ for as many.
func beat(points []float64, i, j int) float64 {
	switch {
	case len(points) == 2:
		return points[i]
	case points[i] > points[j]:
		return 1
	case points[i] == points[j]:
		return .5
	}
	return 0
}

func (r *record) game(v tournament.Verdict, points, score float64, final bool) {
	r.line.Played++
	r.possible++
	r.line.Points += points
	r.line.Score += score
	r.verdicts = append(r.verdicts, v)
	if final {
		r.final += points
	}
	switch v {
	case tournament.Win:
		r.line.Wins++
	case tournament.Draw:
		r.line.Draws++
	case tournament.Loss:
		r.line.Losses++
	}
}

// points of an entry so far.
func (b *book) points(e int) float64 { return b.records[e].line.Points }
