package pairing_test

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// world plays a contest: results by luck or by rule, and what happens to entries between the rounds.
type world struct {
	t       fataler
	c       pairing.Contest
	r       *game.Rand
	trouble int  // chance in a hundred, by entry and round, that its state changes
	leaves  int  // chance in a hundred, by entry and round, that it withdraws
	amid    int  // chance in a hundred, by entry and round, that it withdraws before its block begins
	late    int  // entries that come late, where the format takes them
	voids   int  // chance in a hundred that a game is void
	teams   bool // games are of two hidden teams, which win or lose
	twice   bool // each step is asked for once more, to see that it hangs on nothing hidden
	// result is the points of a game; nil: by luck, with draws.
	result func(seats []int) []float64
}

// newWorld returns a contest of n entries that is about to begin.
func newWorld(t fataler, s pairing.Settings, n int) *world {
	return &world{t: t, r: game.Stream(game.Seed{1}, 0, "world"), c: pairing.Contest{Settings: s, Entries: field(n), Seed: game.Seed{1}}}
}

// rounds plays so many rounds.
func (w *world) rounds(n int) {
	for range n {
		w.round()
		w.finish()
	}
}

// toEnd plays all rounds that are left.
func (w *world) toEnd() {
	for w.round() {
		w.finish()
	}
}

func field(n int) []pairing.Entry {
	out := make([]pairing.Entry, n)
	for e := range out {
		out[e] = pairing.Entry{ID: fmt.Sprint(e + 1), Owner: fmt.Sprint(e), Rating: float64(2000 - 10*e), State: pairing.Active}
	}
	return out
}

// luck returns points by random ranks, ties allowed: the share of the others that each has beaten.
func (w *world) luck(seats []int) []float64 {
	place := make([]int, len(seats))
	for i := range place {
		place[i] = w.r.IntN(len(seats) + 1)
	}
	points := make([]float64, len(seats))
	for i := range place {
		for j := range place {
			switch {
			case i == j:
			case place[i] > place[j]:
				points[i] += 1 / float64(len(seats)-1)
			case place[i] == place[j]:
				points[i] += .5 / float64(len(seats)-1)
			}
		}
	}
	return points
}

// finish gives every open game of the contest a result.
func (w *world) finish() {
	for _, r := range w.c.Rounds {
		for _, b := range r.Blocks {
			for i := range b.Games {
				if b.Games[i].Result == nil {
					w.over(&b.Games[i])
				}
			}
		}
	}
}

func (w *world) over(g *pairing.Game) {
	res := &pairing.Result{Void: w.r.IntN(100) < w.voids, Score: make([]float64, len(g.Seats))}
	if w.result != nil {
		res.Points = w.result(g.Seats)
	} else {
		res.Points = w.luck(g.Seats)
	}
	for i := range res.Score {
		res.Score[i] = float64(w.r.IntN(10))
	}
	if w.teams {
		res.Team = make([]string, len(g.Seats))
		mole, won := w.r.IntN(len(g.Seats)), w.r.IntN(2)
		for i := range g.Seats {
			res.Team[i], res.Points[i] = "agents", float64(1-won)
			if i == mole {
				res.Team[i], res.Points[i] = "mole", float64(won)
			}
		}
	}
	g.Result = res
}

// happen lets entries come and go.
func (w *world) happen() {
	for e := range w.c.Entries {
		x := &w.c.Entries[e]
		switch {
		case x.State == pairing.Withdrawn:
		case w.r.IntN(100) < w.leaves:
			x.State = pairing.Withdrawn
		case x.State != pairing.Active && w.r.IntN(2) == 0:
			x.State = pairing.Active
		case w.r.IntN(100) < w.trouble:
			x.State = []pairing.State{pairing.Paused, pairing.Dead}[w.r.IntN(2)]
		}
	}
	if w.late > 0 && w.r.IntN(2) == 0 && pairing.Late(w.c) == nil {
		w.late--
		e := len(w.c.Entries)
		w.c.Entries = append(w.c.Entries, pairing.Entry{ID: fmt.Sprint(e + 1), Owner: fmt.Sprint(e), State: pairing.Active, Rating: 1500, Joined: len(w.c.Rounds)})
	}
}

// leave lets entries withdraw before the blocks of the latest round begin; who is left there plays, wins or has a bye, as [pairing.Contest.Settle] says.
func (w *world) leave() {
	for e := range w.c.Entries {
		if w.r.IntN(100) < w.amid {
			w.c.Entries[e].State = pairing.Withdrawn
		}
	}
	r := &w.c.Rounds[len(w.c.Rounds)-1]
	now := w.c.Settle(pairing.Round{Blocks: r.Blocks})
	r.Blocks, r.Absent, r.Forfeits = now.Blocks, slices.Concat(r.Absent, now.Absent), slices.Concat(r.Forfeits, now.Forfeits)
	r.Byes = slices.Sorted(slices.Values(slices.Concat(r.Byes, now.Byes)))
	r.Final = r.Final && (len(r.Blocks) > 0 || w.c.Settings.Format != tournament.SingleElimination)
}

// next asks for the next step. Asked twice, it must not depend on anything hidden, nor change what it is given.
func (w *world) next() pairing.Step {
	w.t.Helper()
	before := clone(w.c)
	s, err := pairing.Next(w.c)
	if err != nil {
		w.t.Fatalf("%+v, round %d: %v", w.c.Settings, len(w.c.Rounds)+1, err)
	}
	if !w.twice {
		return s
	}
	again, err := pairing.Next(before)
	if err != nil || !reflect.DeepEqual(s, again) {
		w.t.Fatalf("%+v, round %d: asked twice, got\n%+v and\n%+v, %v", w.c.Settings, len(w.c.Rounds)+1, s, again, err)
	}
	if !reflect.DeepEqual(before, clone(w.c)) {
		w.t.Fatalf("%+v, round %d: Next changed the contest", w.c.Settings, len(w.c.Rounds)+1)
	}
	return s
}

func clone(c pairing.Contest) pairing.Contest {
	c.Entries = slices.Clone(c.Entries)
	c.Rounds = slices.Clone(c.Rounds)
	for i := range c.Rounds {
		c.Rounds[i].Blocks = slices.Clone(c.Rounds[i].Blocks)
		for j := range c.Rounds[i].Blocks {
			c.Rounds[i].Blocks[j].Games = slices.Clone(c.Rounds[i].Blocks[j].Games)
		}
	}
	return c
}

// round makes the next round and checks the laws of every round; false if the contest is over.
func (w *world) round() bool {
	w.t.Helper()
	s := w.next()
	for waits := 0; s.Status == pairing.Wait; waits++ {
		// Every game is over, so it waits for entries to come back.
		for e := range w.c.Entries {
			if w.c.Entries[e].State != pairing.Withdrawn {
				w.c.Entries[e].State = pairing.Active
			}
		}
		if s.Why == "" || waits > 0 {
			w.t.Fatalf("%+v: waits though all are there, because %q", w.c.Settings, s.Why)
		}
		s = w.next()
	}
	if s.Status == pairing.Over {
		return false
	}
	w.check(s.Round)
	if w.c.Plan != nil {
		w.c.Plan = append(w.c.Plan, s.Fixed...)
	}
	w.c.Rounds = append(w.c.Rounds, s.Round)
	return true
}

// check holds every round of every format to the laws.
func (w *world) check(r pairing.Round) {
	w.t.Helper()
	k, least := w.c.Settings.SeatsPerTable, w.c.Settings.MinTable
	if least == 0 {
		least = k
	}
	where := map[int]string{}
	put := func(e int, what string) {
		if old, twice := where[e]; twice && w.c.Settings.Format != tournament.SPRT { // whose rounds are several pairs of the same two
			w.t.Fatalf("%+v, round %d: entry %d is in two places, %s and %s: %+v", w.c.Settings, len(w.c.Rounds)+1, e, old, what, r)
		}
		where[e] = what
	}
	for _, b := range r.Blocks {
		lineup := b.Games[0].Seats
		if n := len(lineup); n < least || n > k {
			w.t.Fatalf("%+v: a table of %d: %+v", w.c.Settings, n, b)
		}
		for g, played := range b.Games {
			for seat, e := range played.Seats {
				if e != lineup[(seat+g)%len(lineup)] || played.Result != nil {
					w.t.Fatalf("%+v: game %d is not the line-up moved by %d, or has a result: %+v", w.c.Settings, g, g, b)
				}
			}
		}
		for i, e := range lineup {
			put(e, "a block")
			if w.c.Entries[e].State != pairing.Active {
				w.t.Fatalf("%+v: entry %d is %s and at a table", w.c.Settings, e, w.c.Entries[e].State)
			}
			for _, o := range lineup[:i] {
				if w.c.Settings.OwnersApart && w.c.Entries[e].Owner == w.c.Entries[o].Owner {
					w.t.Fatalf("%+v: entries %d and %d of one owner share a table", w.c.Settings, o, e)
				}
			}
		}
	}
	bracket := slices.ContainsFunc(r.Blocks, func(b pairing.Block) bool { return b.Tie > 0 })
	for _, e := range r.Byes {
		if !bracket || where[e] == "" { // who passes a tie may play the next one at once
			put(e, "a bye")
		}
		if w.c.Entries[e].State != pairing.Active {
			w.t.Fatalf("%+v: entry %d is %s and has a bye", w.c.Settings, e, w.c.Entries[e].State)
		}
	}
	for _, a := range r.Absent {
		if a.Why == "" || where[a.Entry] != "" || w.c.Entries[a.Entry].State == pairing.Active {
			w.t.Fatalf("%+v: entry %d, %s, is absent because %q and in %q", w.c.Settings, a.Entry, w.c.Entries[a.Entry].State, a.Why, where[a.Entry])
		}
	}
	if !slices.IsSorted(r.Byes) || len(r.Blocks)+len(r.Byes)+len(r.Forfeits)+len(r.Absent) == 0 {
		w.t.Fatalf("%+v: an empty round, or byes out of order: %+v", w.c.Settings, r)
	}
	if w.c.Settings.Format == tournament.Arena && len(r.Blocks) == 0 {
		w.t.Fatalf("%+v: a round of an arena without a game, of which there would be no end: %+v", w.c.Settings, r)
	}
	for _, f := range r.Forfeits {
		if f.Why == "" || f.Loser < 0 || f.Winner == f.Loser {
			w.t.Fatalf("%+v: forfeit %+v", w.c.Settings, f)
		}
	}
}

// everybody checks that each active entry has one place in the latest round.
func (w *world) everybody() {
	w.t.Helper()
	r := w.c.Rounds[len(w.c.Rounds)-1]
	in := map[int]int{}
	for _, b := range r.Blocks {
		for _, e := range b.Games[0].Seats {
			in[e]++
		}
	}
	for _, e := range r.Byes {
		in[e]++
	}
	for _, f := range r.Forfeits {
		in[f.Winner]++
		in[f.Loser]++
	}
	for e, x := range w.c.Entries {
		if x.State == pairing.Active && in[e] != 1 {
			w.t.Fatalf("%+v, round %d: entry %d is active and in %d places", w.c.Settings, len(w.c.Rounds), e, in[e])
		}
	}
}

// standings checks what holds for all standings.
func (w *world) standings() []pairing.Line {
	w.t.Helper()
	lines, err := pairing.Standings(w.c)
	if err != nil {
		w.t.Fatalf("standings: %v", err)
	}
	ties := w.c.Settings.Ties()
	seen := map[int]bool{}
	for i, l := range lines {
		if seen[l.Entry] || len(l.Ties) != len(ties) || l.Wins+l.Draws+l.Losses != l.Played {
			w.t.Fatalf("%+v: line %+v", w.c.Settings, l)
		}
		seen[l.Entry] = true
		if i == 0 {
			if l.Rank != 1 {
				w.t.Fatalf("the first line has rank %d", l.Rank)
			}
			continue
		}
		before := lines[i-1]
		order := slices.Compare(before.Ties, l.Ties)
		if order == 0 && before.Annulled != l.Annulled { // nothing of it is compared, and it comes last
			order = map[bool]int{true: 1, false: -1}[l.Annulled]
		}
		if order < 0 || order == 0 && l.Rank != before.Rank || order > 0 && l.Rank != i+1 {
			w.t.Fatalf("%+v: lines %d and %d are out of order: %+v, %+v", w.c.Settings, i, i+1, before, l)
		}
	}
	w.race(lines)
	return lines
}

// race checks that the race ends at the points of the standings, once every round of it has begun.
func (w *world) race(lines []pairing.Line) {
	w.t.Helper()
	rounds := pairing.Race(w.c)
	if len(rounds) == 0 || len(rounds) != w.c.Playoff() || w.c.Settings.Format == tournament.SPRT {
		return
	}
	for _, l := range lines {
		if got := rounds[len(rounds)-1][l.Entry]; got != l.Points {
			w.t.Fatalf("%+v: the race ends at %v points of entry %d, the standings at %v", w.c.Settings, got, l.Entry, l.Points)
		}
		for i, r := range rounds[1:] {
			if r[l.Entry] < rounds[i][l.Entry] {
				w.t.Fatalf("%+v: entry %d loses points in round %d", w.c.Settings, l.Entry, i+2)
			}
		}
	}
}
