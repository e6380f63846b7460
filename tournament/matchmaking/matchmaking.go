package matchmaking

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/pairing"
)

// Bot is a bot that plays on a standing ladder, known by its index.
type Bot struct {
	Owner     string
	Rating    float64 // Elo
	Deviation float64 // standard deviation of the rating, Elo
	Matches   int     // rated matches played or under way
	Since     int64   // when it was last given a match, in any unit; smaller has waited longer
	// Room is how many more matches it may be given now: the caller's limits on asks at the same time and matches per
	// hour. With 0 it is passed over: all that matters of it is its owner.
	Room   int
	Recent [][]int // the opponents, ascending, of its last matches, the latest last
	Sizes  []int   // matches by table size: Sizes[5] at tables of five; may be short
	Seats  []int   // matches by seat; may be short
}

// Settings are the rules of a ladder.
type Settings struct {
	Sizes  []int // the table sizes that are played, each 2 to [game.MaxSeats]
	Tables int   // make at most so many; 0: as many as can be
}

// Table is a match to be made; Seats holds the bot of each seat. Random says that the opponents were drawn
// uniformly, which one table in ten is, so that every two bots are linked in the long run.
type Table struct {
	Seats  []int
	Random bool
}

// none is no bot.
const none = -1

// The rules of the ladder's matchmaking.
const (
	apartFor = 5             // a bot does not meet the same set of opponents within so many matches
	beside   = 8             // informative opponents are looked for among so many above and so many below
	oneIn    = 10            // one table in so many is drawn uniformly
	tries    = 32            // draws of opponents before a bot is left for the next tick
	patience = 3             // one table in so many goes to the longest wait
	given    = math.MaxInt64 // Since, of a bot that was given a match in this tick
)

// Tables makes the matches of one tick. bots are those that answer: a bot that is paused or dead is not given, and delays
// nobody. Again and again a bot gets a table of the size that it has played least: that with fewest matches, then the longest
// wait; or, by lot one time in three, that with the longest wait, so that a bot with many matches does not wait until all others
// have as many. Its opponents are drawn from those with room nearest in rating, by how much the match would tell, p·(1−p) times the
// sum of both variances, and half as likely for each that has waited longer. Seats go to those who have had them least. Bots
// of one owner never meet: where there are no others they wait. It depends on its arguments alone and changes none.
func Tables(bots []Bot, s Settings, r *game.Rand) []Table {
	l := newMatchmaker(bots, s, r)
	var out []Table
	for s.Tables == 0 || len(out) < s.Tables {
		bot := l.next()
		if bot == none {
			break
		}
		if table, ok := l.table(bot); ok {
			out = append(out, table)
		} else {
			l.vain[bot] = true // it keeps its place for the next tick, and may be an opponent in this one
		}
	}
	return out
}

// next returns the bot that gets the next table; none if there is none with room that has not been tried in vain.
func (l *matchmaker) next() int {
	if l.r.IntN(patience) == 0 {
		for len(l.longest) > 0 {
			b := l.longest[0]
			l.longest = l.longest[1:]
			if x := l.bots[b]; x.Room > 0 && x.Since != given && !l.vain[b] {
				return b
			}
		}
	}
	for len(l.queue) > 0 {
		first := &l.queue[0]
		switch x := l.bots[first.bot]; {
		case x.Room < 1 || l.vain[first.bot]:
			heap.Pop(&l.queue)
		case first.matches == x.Matches:
			return first.bot
		default: // it has been at a table since it was queued
			first.matches, first.since = x.Matches, x.Since
			heap.Fix(&l.queue, 0)
		}
	}
	return none
}

// matchmaker is one tick under way.
type matchmaker struct {
	settings Settings
	r        *game.Rand
	bots     []Bot // copies that count what this tick gives
	owner    []int // by bot: the number of its owner
	owned    []int // by owner: bots
	queue    waiting
	vain     []bool // by bot: no table was found for it
	longest  []int  // bots with room when the tick began, the longest wait first, that have not been next yet
	free     []int  // bots with room, in no order
	freeAt   []int  // by bot: its place in free, none if it is not there
	above    []int  // by bot with room: the next higher rated one with room
	below    []int
	variance []float64
}

func newMatchmaker(bots []Bot, s Settings, r *game.Rand) *matchmaker {
	n := len(bots)
	l := &matchmaker{
		settings: s, r: r, bots: slices.Clone(bots), owner: make([]int, n),
		freeAt: slices.Repeat([]int{none}, n), above: make([]int, n), below: make([]int, n), variance: make([]float64, n), vain: make([]bool, n),
	}
	known := make(map[string]int, n)
	for i, b := range bots {
		o, ok := known[b.Owner]
		if !ok {
			o = len(l.owned)
			known[b.Owner], l.owned = o, append(l.owned, 0)
		}
		l.owner[i] = o
		l.owned[o]++
		l.variance[i] = b.Deviation * b.Deviation
		if b.Room > 0 {
			l.freeAt[i] = len(l.free)
			l.free = append(l.free, i)
			l.queue = append(l.queue, queued{i, b.Matches, b.Since})
		}
	}
	heap.Init(&l.queue)
	l.longest = l.byWait(slices.Clone(l.free))
	sorted := slices.Clone(l.free)
	slices.SortFunc(sorted, func(a, b int) int { return cmp.Or(cmp.Compare(bots[a].Rating, bots[b].Rating), cmp.Compare(a, b)) })
	for i, b := range sorted {
		l.below[b], l.above[b] = none, none
		if i > 0 {
			l.below[b], l.above[sorted[i-1]] = sorted[i-1], b
		}
	}
	return l
}

// byWait sorts bots, the longest wait first, then the fewest matches.
func (l *matchmaker) byWait(bots []int) []int {
	slices.SortFunc(bots, func(a, b int) int {
		x, y := &l.bots[a], &l.bots[b]
		return cmp.Or(cmp.Compare(x.Since, y.Since), cmp.Compare(x.Matches, y.Matches), cmp.Compare(a, b))
	})
	return bots
}

// queued is a bot as it stood when it was queued.
type queued struct {
	bot, matches int
	since        int64
}

// waiting is a heap: fewest matches first, then the longest wait.
type waiting []queued

func (q *waiting) Len() int      { return len(*q) }
func (q *waiting) Swap(i, j int) { (*q)[i], (*q)[j] = (*q)[j], (*q)[i] }
func (q *waiting) Push(x any)    { *q = append(*q, x.(queued)) }
func (q *waiting) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

func (q *waiting) Less(i, j int) bool {
	a, b := (*q)[i], (*q)[j]
	return cmp.Or(cmp.Compare(a.matches, b.matches), cmp.Compare(a.since, b.since), cmp.Compare(a.bot, b.bot)) < 0
}

// table finds a table for bot seed; false if there is none now.
func (l *matchmaker) table(seed int) (Table, bool) {
	random := l.r.IntN(oneIn) == 0
	for _, k := range l.sizes(seed) {
		for range tries {
			lineup := l.opponents(seed, k, random)
			if len(lineup) < k {
				break
			}
			if l.fresh(lineup) {
				seats := pairing.EvenSeats(lineup, func(b, seat int) int { return at(l.bots[b].Seats, seat) })
				l.give(seats)
				return Table{Seats: seats, Random: random}, true
			}
		}
	}
	return Table{}, false
}

// at returns list[i], 0 beyond its end.
func at(list []int, i int) int {
	if i < len(list) {
		return list[i]
	}
	return 0
}

// sizes returns the table sizes, that which bot b has played least first; equal ones by lot.
func (l *matchmaker) sizes(b int) []int {
	out := slices.Clone(l.settings.Sizes)
	if len(out) > 1 {
		game.Shuffle(l.r, out)
		slices.SortStableFunc(out, func(x, y int) int { return at(l.bots[b].Sizes, x) - at(l.bots[b].Sizes, y) })
	}
	return out
}

// opponents returns a line-up of k with bot seed in front; shorter if there are too few.
func (l *matchmaker) opponents(seed, k int, random bool) []int {
	if random {
		if lineup := l.uniform(seed, k); lineup != nil {
			return lineup
		}
	}
	lineup := append(make([]int, 0, k), seed)
	candidates, total := l.byWait(l.around(seed, k)), uint64(0)
	weights := make([]uint64, len(candidates)) // 0 for those who do not fit
	for i, c := range candidates {
		weights[i] = max(1, l.tells(seed, c)>>i)
		total += weights[i]
	}
	for len(lineup) < k {
		if total == 0 {
			return lineup
		}
		draw := uint64(l.r.IntN(int(total)))
		i := 0
		for ; draw >= weights[i]; i++ {
			draw -= weights[i]
		}
		b := candidates[i]
		lineup = append(lineup, b)
		for i, c := range candidates {
			if !l.mayMeet(b, c) {
				total -= weights[i]
				weights[i] = 0
			}
		}
	}
	return lineup
}

// uniform draws opponents among all with room; nil if that takes too long.
func (l *matchmaker) uniform(seed, k int) []int {
	lineup := append(make([]int, 0, k), seed)
	for range tries * k {
		if c := l.free[l.r.IntN(len(l.free))]; !slices.ContainsFunc(lineup, func(b int) bool { return !l.mayMeet(b, c) }) {
			if lineup = append(lineup, c); len(lineup) == k {
				return lineup
			}
		}
	}
	return nil
}

// mayMeet reports whether bots b and c may sit at a table.
func (l *matchmaker) mayMeet(b, c int) bool {
	return l.owner[b] != l.owner[c]
}

// around returns the bots from which the opponents at a table of k are drawn: the nearest, and as many as it takes for k-1 owners.
func (l *matchmaker) around(seed, k int) []int {
	for n := max(beside, k); ; n *= 2 {
		list := l.near(seed, n)
		owners := make(map[int]bool, k)
		for _, b := range list {
			owners[l.owner[b]] = true
		}
		if len(owners) >= k-1 || len(list) < n {
			return list
		}
	}
}

// near returns up to n bots with room above seed and up to n below that may sit with it.
func (l *matchmaker) near(seed, n int) []int {
	out := make([]int, 0, 2*n)
	for _, next := range [2][]int{l.above, l.below} {
		found := 0
		for c := next[seed]; c != none && found < n; c = next[c] {
			if l.mayMeet(seed, c) {
				out, found = append(out, c), found+1
			}
		}
	}
	return out
}

// tells returns how much a match of two would tell, in millionths of squared Elo and at least 1, so that nobody is left out.
func (l *matchmaker) tells(a, b int) uint64 {
	p := 1 / (1 + math.Pow(10, (l.bots[b].Rating-l.bots[a].Rating)/400))
	return 1 + uint64(min(1e6*p*(1-p)*(l.variance[a]+l.variance[b]), 1<<40))
}

// fresh reports whether nobody of a line-up has met just the same opponents lately. On a ladder with few others that is asked of
// as many matches as leave a choice.
func (l *matchmaker) fresh(lineup []int) bool {
	sorted := slices.Clone(lineup)
	slices.Sort(sorted)
	for i, b := range sorted {
		recent := l.bots[b].Recent
		keep := min(apartFor, l.choices(b, len(sorted)-1)-1, len(recent))
		for _, set := range recent[len(recent)-max(0, keep):] {
			if len(set) == len(sorted)-1 && slices.Equal(set[:i], sorted[:i]) && slices.Equal(set[i:], sorted[i+1:]) {
				return false
			}
		}
	}
	return true
}

// choices counts the sets of so many opponents that bot b may meet, no two of one owner, up to a few.
func (l *matchmaker) choices(b, opponents int) int {
	sets := make([]int, opponents+1) // by size, of the owners looked at so far
	sets[0] = 1
	for o, bots := range l.owned {
		if o == l.owner[b] {
			continue
		}
		for n := opponents; n > 0; n-- {
			sets[n] = min(apartFor+1, sets[n]+sets[n-1]*bots)
		}
		if sets[opponents] > apartFor {
			break
		}
	}
	return sets[opponents]
}

// give notes a match, so that the next tables of the tick see it.
func (l *matchmaker) give(seats []int) {
	for seat, b := range seats {
		x := &l.bots[b]
		x.Matches++
		x.Room--
		x.Since = given
		if x.Room == 0 { // nobody looks at it again in this tick
			l.remove(b)
			continue
		}
		x.Recent, x.Sizes, x.Seats = slices.Clone(x.Recent), slices.Clone(x.Sizes), slices.Clone(x.Seats)
		x.Sat(seats, seat)
	}
}

// remove takes a bot without room out of the lists of those who have it.
func (l *matchmaker) remove(b int) {
	if up := l.above[b]; up != none {
		l.below[up] = l.below[b]
	}
	if down := l.below[b]; down != none {
		l.above[down] = l.above[b]
	}
	last := l.free[len(l.free)-1]
	l.free[l.freeAt[b]], l.freeAt[last] = last, l.freeAt[b]
	l.free, l.freeAt[b] = l.free[:len(l.free)-1], none
}
