package main

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/molerun/molerun/engines/game"
)

const (
	lateMatches = 1000 // random matches that positions are taken from
	lateKept    = 512  // most positions of one kind and tenth
	lateLeast   = 64   // fewer tell nothing
	lateAtOnce  = 64   // positions played in a row: few enough to stay in the processor's cache, as a match does
)

// late measures what a move costs in the last tenth of a match against the first tenth, on the typed path, to show that
// nothing grows with the history. The tenths differ in the kinds of their moves (set-up against card play), so like is
// compared with like: positions of both tenths are sorted by the type of the move made there, and each type counts as often
// as it occurs in the two. A type that only one tenth knows has nothing to be compared with; the row says how many of the
// late moves are compared.
func late(span time.Duration) ([]figure, error) {
	var rows []figure
	for _, c := range contests(false) {
		p, err := c.positions()
		if err != nil {
			return nil, err
		}
		first, last, share := p.measure(span)
		rows = append(rows, ceiling("late moves: "+c.name, "ns", last, first,
			fmt.Sprintf("moves of the same types in the first tenth of the matches (%.0f %% of the late moves have such)", 100*share), 1.3))
	}
	return rows, nil
}

// positions are where random matches stood in their first and last tenths, by the type of the move made there.
type positions struct {
	kinds map[string]*kind
	work  []game.Playout
}

// kind is one type of move in both tenths, 0 and 1.
type kind struct {
	seen [2]int            // how often
	kept [2][]game.Playout // some of them
	cost [2][]float64      // ns a move, by round of the measurement
}

// positions plays each match twice: to know its length, and to stop in its tenths.
func (c contest) positions() (*positions, error) {
	w, err := c.walk()
	if err != nil {
		return nil, err
	}
	p := &positions{kinds: map[string]*kind{}}
	var r game.Rand
	for match := range lateMatches {
		deal := func() { r.Reset(game.Seed{2}, match, "bench", game.Spectator); w.Deal(&r) }
		deal()
		steps := 0
		for w.Step(&r) > 0 {
			steps++
		}
		deal()
		for step := range steps {
			switch tenth := steps / 10; {
			case step < tenth:
				err = p.keep(c, 0, w, &r)
			case step >= steps-tenth:
				err = p.keep(c, 1, w, &r)
			}
			if err != nil {
				return nil, err
			}
			w.Step(&r)
		}
	}
	for len(p.work) < lateAtOnce {
		if w, err = c.walk(); err != nil {
			return nil, err
		}
		p.work = append(p.work, w)
	}
	return p, nil
}

func (p *positions) keep(c contest, tenth int, w game.Playout, r *game.Rand) error {
	name := w.Kind(r)
	k := p.kinds[name]
	if k == nil {
		k = &kind{}
		p.kinds[name] = k
	}
	k.seen[tenth]++
	if len(k.kept[tenth]) == lateKept {
		return nil
	}
	one, err := c.walk()
	if err != nil {
		return err
	}
	one.Set(w)
	k.kept[tenth] = append(k.kept[tenth], one)
	return nil
}

// shared returns the kinds that both tenths know well enough.
func (p *positions) shared() []*kind {
	var list []*kind
	for _, name := range slices.Sorted(maps.Keys(p.kinds)) {
		if k := p.kinds[name]; min(len(k.kept[0]), len(k.kept[1])) >= lateLeast {
			list = append(list, k)
		}
	}
	return list
}

// measure returns the processor time of a move in both tenths, in ns, and the share of the late moves that are compared. The
// tenths take turns, and of all rounds the median counts, so that a busy machine harms neither more.
func (p *positions) measure(span time.Duration) (first, last, share float64) {
	r := game.Stream(game.Seed{3}, 0, "bench")
	list := p.shared()
	for start, once := cpu(), false; len(list) > 0 && (!once || cpu()-start < span); once = true {
		for _, k := range list {
			for tenth, kept := range k.kept {
				k.cost[tenth] = append(k.cost[tenth], p.round(kept, r))
			}
		}
	}
	weight, compared, lates := 0.0, 0, 0
	for _, k := range p.kinds {
		lates += k.seen[1]
	}
	for _, k := range list {
		n := float64(k.seen[0] + k.seen[1])
		first += n * middle(k.cost[0])
		last += n * middle(k.cost[1])
		weight += n
		compared += k.seen[1]
	}
	return first / weight, last / weight, float64(compared) / float64(lates)
}

// round plays one step from each position and returns the cost of a move in ns.
func (p *positions) round(kept []game.Playout, r *game.Rand) float64 {
	moves, spent := 0, time.Duration(0)
	for some := range slices.Chunk(kept, lateAtOnce) {
		for i, w := range some {
			p.work[i].Set(w)
		}
		start := cpu()
		for _, w := range p.work[:len(some)] {
			moves += w.Step(r)
		}
		spent += cpu() - start
	}
	return float64(spent.Nanoseconds()) / float64(moves)
}
