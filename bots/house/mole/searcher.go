package mole

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole"
)

// flickCandidates is how many flicks the searcher looks at first, if its playouts are enough.
const flickCandidates = 32

// trial is a flick in the search, and how its playouts went.
type trial struct {
	action mole.Action
	worth  float64 // by thinker's geometry
	plays  float64
	sum    float64 // of rewards, 0 to 1 each
}

func (x *trial) mean() float64 { return x.sum / max(x.plays, 1) }

// sampler plays rounds of Mole to their end.
type sampler struct {
	root *position
	seat game.Seat
	luck *rand.Rand
	dice *game.Rand // the engine's: noise of the execution
	acts [1]game.Act[mole.Action]
}

// Searcher tries thinker's ideas and flicks drawn by lot around them through the exact physics under
// the match's noise, and lets thinker, with fewer directions, play both sides to the end of the round. In each of several
// heats all flicks left are tried equally often and the worse half goes (sequential halving, Karnin et al. 2013); after the
// first heat others are drawn close to those that are left.
func Searcher(t *protocol.Turn, rng *rand.Rand, playouts int) (protocol.Answer, error) {
	root, err := readPosition(t, rng)
	if err != nil {
		return protocol.Answer{}, err
	}
	m := &sampler{root: root, seat: t.Seat, luck: rng, dice: game.Stream(search.Seed(rng), 0, "search")}
	list := m.trials(min(flickCandidates, max(playouts/5, 4)))
	// the round is all that counts: a match that cannot end shows its winner by score and sides
	played := root.State
	root.Score = [2]int16{}
	root.Round = 1
	root.Points = 50
	root.MaxRounds = 500
	for heat := 0; len(list) > 1; heat++ {
		plays := max(playouts/(4*len(list)), 1)
		for k := range list {
			for range plays {
				list[k].sum += m.playout(list[k].action)
				list[k].plays++
			}
		}
		slices.SortStableFunc(list, func(a, b trial) int { return cmp.Compare(b.mean(), a.mean()) })
		list = list[:(len(list)+1)/2]
		if heat == 0 {
			list = append(list, m.near(list)...)
		}
	}
	root.State = played
	return root.legal(t, list[0].action)
}

// trials returns about n flicks to look at first: thinker's best ideas, others of its ideas by lot, and a few of any kind.
func (m *sampler) trials(n int) []trial {
	var list []trial
	if m.root.Phase == mole.PhasePlace {
		for k := range n {
			a := m.root.fence(m.luck)
			if k%2 == 1 {
				a = mole.Rules{}.Sample(&m.root.State, m.seat, m.dice)
			}
			list = append(list, trial{action: a})
		}
		return list
	}
	m.root.ideas(fineFan, m.luck, func(x shot, worth float64) {
		a := m.root.action(x)
		if (mole.Rules{}).Legal(&m.root.State, m.seat, a) == nil {
			list = append(list, trial{action: a, worth: worth + 0.01*m.luck.Float64()})
		}
	})
	slices.SortFunc(list, func(a, b trial) int { return cmp.Compare(b.worth, a.worth) })
	best, wild := n/2, max(n/8, 1)
	if len(list) > best {
		m.luck.Shuffle(len(list)-best, func(i, j int) { list[best+i], list[best+j] = list[best+j], list[best+i] })
		list = list[:min(len(list), n-wild)]
	}
	for range wild {
		list = append(list, trial{action: mole.Rules{}.Sample(&m.root.State, m.seat, m.dice)})
	}
	return list
}

// near draws flicks around those of the list, one for each.
func (m *sampler) near(list []trial) []trial {
	var out []trial
	for _, x := range list {
		a := x.action
		if a.Type != mole.Flick {
			continue
		}
		fastest := m.root.fast[min(a.Coin, 1)]
		a.Angle = (a.Angle + int32(3000*m.luck.NormFloat64()) + 360_000) % 360_000
		a.Speed = int32(min(max(float64(a.Speed)*(1+0.15*m.luck.NormFloat64()), 1), fastest))
		if (mole.Rules{}).Legal(&m.root.State, m.seat, a) == nil {
			out = append(out, trial{action: a})
		}
	}
	return out
}

// playout plays an action and then the round to its end: 1 if the seat wins it, ½ for a tie.
func (m *sampler) playout(a mole.Action) float64 {
	s := *m.root
	m.apply(&s, a)
	for s.Round == m.root.Round {
		a = s.think(coarseFan, m.luck)
		if s.Phase == mole.PhaseMole && s.touches() != 0 && (mole.Rules{}).Legal(&s.State, game.Seat(s.Mole), a) != nil {
			a = mole.Rules{}.Sample(&s.State, game.Seat(s.Mole), m.dice)
		}
		m.apply(&s, a)
	}
	scored, swapped := s.Score != [2]int16{}, s.Mole != m.root.Mole
	if scored == swapped { // neither: a tie
		return 0.5
	}
	if mine := game.Seat(m.root.Mole) == m.seat; scored == mine {
		return 1
	}
	return 0
}

func (m *sampler) apply(s *position, a mole.Action) {
	m.acts[0] = game.Act[mole.Action]{Seat: mole.Rules{}.Due(&s.State).Lowest(), Action: a}
	mole.Rules{}.Apply(&s.State, m.acts[:], m.dice, nil)
	s.look()
}
