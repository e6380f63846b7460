package review

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/bots/review/report"
	"github.com/molerun/molerun/engines/game"
)

// What separates the marks: the least that a decision costs with 97.5 %, in shares.
const (
	mistakeCosts = 0.05
	blunderCosts = 0.15
	// a decision that costs anything, but with 97.5 % no more than this, is good all the same
	goodCosts = 0.05
)

// z is the half width of the middle 95 % of a normal distribution, in standard deviations.
const z = 1.96

// judge judges decisions by what a seat knows. It is not safe for concurrent use.
type judge struct {
	engine   game.Engine
	valuer   search.Valuer
	config   json.RawMessage
	seats    int
	playouts int
	seed     uint64
	ended    func() error // why nothing more is to be played out; nil while it goes on
}

func newJudge(ended func() error, e game.Engine, config json.RawMessage, seats, playouts int, seed uint64) (*judge, error) {
	v, ok := house.Valuer(e.Info().ID)
	if !ok {
		return nil, fmt.Errorf("%w: there is no valuer for the game %s", ErrOptions, e.Info().ID)
	}
	return &judge{engine: e, valuer: v, config: config, seats: seats, playouts: playouts, seed: seed, ended: ended}, nil
}

// playOut plays a table out ([search.Valuer]). A decision has as many playouts as its author asked for: each may be the last.
func (j *judge) playOut(table game.Table, luck game.Seed, seat game.Seat, actions []json.RawMessage) ([]float64, error) {
	if err := j.ended(); err != nil {
		return nil, err
	}
	return j.valuer.Play(table, luck, seat, actions)
}

// worlds draws tables that a seat cannot distinguish from its own, always the same ones.
type worlds struct {
	seat   game.Seat
	root   game.Table
	likely func(game.Table) float64
	luck   *game.Rand
}

// worlds returns those of a turn: they follow from what the seat knows and the seed alone.
func (j *judge) worlds(t *protocol.Turn) (*worlds, error) {
	w := &worlds{seat: t.Seat, luck: game.Stream(house.Seed(j.seed), t.Step, fmt.Sprintf("review %d", t.Seat))}
	var err error
	if w.root, err = j.engine.StateFromView(j.config, j.seats, t.Seat, t.View, w.seed()); err != nil {
		return nil, fmt.Errorf("guess: %w", err)
	}
	if j.valuer.Likely != nil {
		w.likely, err = j.valuer.Likely(t, search.Luck(w.seed()))
	}
	return w, err
}

func (w *worlds) seed() (seed game.Seed) { return search.SeedOf(w.luck) }

// next returns another table, and the seed of its luck.
func (w *worlds) next() (game.Table, game.Seed) {
	return search.Draw(w.root, w.seat, w.seed(), w.likely), w.seed()
}

// values returns what each seat may expect, as far as the turn's seat can say.
func (j *judge) values(t *protocol.Turn) ([]report.Estimate, error) {
	w, err := j.worlds(t)
	if err != nil {
		return nil, err
	}
	out := make([]report.Estimate, j.seats)
	if j.valuer.Solve != nil {
		shares, ok, err := j.valuer.Solve(w.root, t.Seat, nil, search.ExactWork)
		if err != nil {
			return nil, err
		}
		if ok {
			for seat := range out {
				out[seat].Value = shares[seat]
			}
			return out, nil
		}
	}
	turn, err := j.turn(w, nil)
	if err != nil {
		return nil, err
	}
	sums := make([]sample, j.seats)
	for range max(j.playouts/4, LeastPlayouts) {
		table, luck := w.next()
		shares, err := j.playOut(table, luck, t.Seat, turn)
		if err != nil {
			return nil, err
		}
		for seat := range sums {
			sums[seat].add(shares[seat])
		}
	}
	for seat := range out {
		out[seat] = report.Estimate{Value: sums[seat].mean(), Error: sums[seat].err()}
	}
	return out, nil
}

// sample sums up numbers.
type sample struct{ n, sum, squares float64 }

func (s *sample) add(x float64) {
	s.n++
	s.sum += x
	s.squares += x * x
}

func (s *sample) mean() float64 { return s.sum / s.n }

// err returns the standard error of the mean; as if one number more had been off by ½, so that numbers which happen to be equal do
// not pass for certain.
func (s *sample) err() float64 {
	spread := max(s.squares-s.sum*s.mean(), 0) + 0.25
	return math.Sqrt(spread) / s.n
}

// option is an action that may be taken.
type option struct {
	action json.RawMessage
	turn   []json.RawMessage // the action, and what the seat does right after it
	sample
}

// turn returns an action with the rest of the turn that the seat would play after it; without one a turn.
func (j *judge) turn(w *worlds, action json.RawMessage) ([]json.RawMessage, error) {
	if j.valuer.Rest != nil {
		return j.valuer.Rest(w.root, w.seat, action)
	}
	if action == nil {
		return nil, nil
	}
	return []json.RawMessage{action}, nil
}

// options lists the actions of a turn: first the one played, then what the house thinks of, its own choice first, then all others that the
// offer lists, in an order by lot.
func (j *judge) options(t *protocol.Turn, played json.RawMessage, w *worlds) ([]*option, error) {
	luck := search.Luck(w.seed())
	offer, err := kit.ParseOffer(t.Offer)
	if err != nil {
		return nil, err
	}
	ideas, err := j.valuer.Ideas(t, luck)
	if err != nil {
		return nil, fmt.Errorf("ideas: %w", err)
	}
	list := []json.RawMessage{played}
	for _, answer := range ideas {
		action, err := kit.Chosen(t.Offer, answer)
		if err != nil {
			return nil, fmt.Errorf("ideas: %w", err)
		}
		list = append(list, action)
	}
	rest := append(offer.List, offer.Examples...)
	luck.Shuffle(len(rest), func(a, b int) { rest[a], rest[b] = rest[b], rest[a] })
	var out []*option
	for _, action := range append(list, rest...) {
		action, err := j.engine.Canonical(action) // bots order keys as they like
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, func(o *option) bool { return bytes.Equal(o.action, action) }) {
			continue
		}
		turn, err := j.turn(w, action)
		if err != nil {
			return nil, err
		}
		out = append(out, &option{action: action, turn: turn})
	}
	return out, nil
}

// decision judges what a seat played in a turn.
func (j *judge) decision(t *protocol.Turn, played json.RawMessage) (report.Decision, error) {
	d := report.Decision{Step: t.Step + 1, Seat: t.Seat, Phase: phase(t.View), Action: played, Words: j.engine.ActionWords(played)}
	w, err := j.worlds(t)
	if err != nil {
		return d, err
	}
	list, err := j.options(t, played, w)
	if err != nil || len(list) == 1 {
		return d, err
	}
	best, solved, err := j.solve(w, list)
	if err != nil {
		return d, err
	}
	if !solved {
		if best, err = j.race(w, list[1:min(len(list), 1+j.playouts/8)]); err != nil { // a budget too small for all takes some by lot
			return d, err
		}
		var lead sample
		for range j.playouts / 4 {
			if err := j.play(w, &lead, best, list[0]); err != nil {
				return d, err
			}
		}
		d.Regret = lead.mean()
		d.Low, d.High = max(-1, d.Regret-z*lead.err()), min(1, d.Regret+z*lead.err())
	} else {
		d.Regret = best.mean() - list[0].mean()
		d.Low, d.High = d.Regret, d.Regret
	}
	if d.Mark = mark(d.Low, d.High); d.Low > 0 {
		d.Better, d.BetterWords = best.action, j.engine.ActionWords(best.action)
	}
	return d, nil
}

// solve gives every option its exact value and returns the best alternative; false where that is too much work.
func (j *judge) solve(w *worlds, list []*option) (*option, bool, error) {
	actions := make([]json.RawMessage, len(list))
	for i, o := range list {
		actions[i] = o.action
	}
	values, ok, err := j.valuer.Exact(w.root, w.seat, actions, search.ExactWork)
	if err != nil || !ok {
		return nil, false, err
	}
	for i, o := range list {
		o.sample = sample{n: 1, sum: values[i]}
	}
	best := slices.MaxFunc(list[1:], func(a, b *option) int { return cmp.Compare(a.mean(), b.mean()) })
	return best, true, nil
}

// race finds the best option with half of the budget: all are played on from the same tables with the same luck, and again and
// again the worse half goes (sequential halving, Karnin et al. 2013). The first stays to the end: where there are many and each is
// played on a few times, luck would put out the house's choice as soon as any other.
func (j *judge) race(w *worlds, list []*option) (*option, error) {
	better := func(a, b *option) int { return cmp.Compare(b.mean(), a.mean()) }
	for rounds := bits.Len(uint(len(list) - 1)); len(list) > 1; {
		for range max(1, j.playouts/(2*rounds*len(list))) {
			table, luck := w.next()
			for _, o := range list {
				shares, err := j.playOut(table, luck, w.seat, o.turn)
				if err != nil {
					return nil, err
				}
				o.add(shares[w.seat])
			}
		}
		if len(list) == 2 {
			return slices.MinFunc(list, better), nil
		}
		slices.SortStableFunc(list[1:], better)
		list = list[:1+len(list)/2]
	}
	return list[0], nil
}

// play adds how far one option is ahead of another on a new table, with equal luck.
func (j *judge) play(w *worlds, lead *sample, a, b *option) error {
	table, luck := w.next()
	x, err := j.playOut(table, luck, w.seat, a.turn)
	if err != nil {
		return err
	}
	y, err := j.playOut(table, luck, w.seat, b.turn)
	if err != nil {
		return err
	}
	lead.add(x[w.seat] - y[w.seat])
	return nil
}

// mark returns the verdict that the 95 % interval of a regret allows.
func mark(low, high float64) report.Mark {
	switch {
	case low >= blunderCosts:
		return report.Blunder
	case low >= mistakeCosts:
		return report.Mistake
	case low > 0 && high <= goodCosts:
		return report.Good
	case low > 0:
		return report.Doubtful
	case high <= 0:
		return report.Best
	}
	return ""
}

// phase returns the phase that a view names.
func phase(view json.RawMessage) string {
	var v struct {
		Phase string `json:"phase"`
	}
	if json.Unmarshal(view, &v) != nil {
		return ""
	}
	return v.Phase
}
