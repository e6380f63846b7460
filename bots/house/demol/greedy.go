package demol

import (
	"math/rand/v2"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/game"
)

// greedyMind is the mind of [Greedy].
type greedyMind struct {
	*position
	guise *belief // a mole's: what an agent in its seat would think
}

// Greedy weighs every possible set of moles by the missions and votes seen. Agents send and approve the teams least likely
// to fail; moles want a mole on every team that looks clean otherwise, and fail what their cards can fail.
func Greedy(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	p, offer, err := readPosition(t)
	if err != nil {
		return protocol.Answer{}, err
	}
	g := greedyMind{position: p}
	p.weigh(g.likelihood)
	if p.mole {
		g.guise = p.asAgent()
	}
	return p.decide(g, offer, rng)
}

// asAgent returns what the seat would think if it were an agent's that has seen no more than the whole table.
func (p *position) asAgent() *belief {
	x := position{view: p.view, seats: p.seats, seat: p.seat}
	x.view.Me = new(demol.Me)
	x.weigh(greedyMind{position: &x}.likelihood)
	return &x.belief
}

// likelihood of what was seen if m are the moles: a mole fails seven missions of ten, and leans to teams with moles.
func (g greedyMind) likelihood(m game.Seats) float64 {
	const fails = 0.7
	w := 1.0
	for i := range g.view.Missions {
		closed, failed, _ := g.cards(i + 1)
		on := (closed & m).Len()
		w *= float64(demol.Choose(on, failed))
		for k := range on {
			if k < failed {
				w *= fails
			} else {
				w *= 1 - fails
			}
		}
	}
	for _, vote := range g.view.Votes {
		for i, yes := range vote.Approve {
			seat := game.Seat(i)
			if seat == g.seat || !m.Has(seat) {
				continue
			}
			if yes == (vote.Team&m != 0) {
				w *= 1.15
			} else {
				w *= 0.85
			}
		}
	}
	return w
}

// teamScore: agents want no danger, and themselves aboard; moles want just the danger needed, by moles least suspect.
func (g greedyMind) teamScore(team game.Seats, mission int8) float64 {
	needed := g.needed(mission)
	if !g.mole {
		return -g.danger(team, needed) + 0.05*yes(team.Has(g.seat))
	}
	looks := -0.5 * g.guise.danger(team, needed)
	extra := (team & g.friends()).Len() - needed
	if extra < 0 {
		return looks - 2 + 0.1*float64(extra)
	}
	return looks + 0.1*yes(team.Has(g.seat)) - 0.1*float64(extra)
}

// approves: a fifth rejection gives the match to the moles. Before, an agent wants a team that is among the better ones of
// its size; a mole wants one that it can fail, and that an agent in its seat would approve
// as well: but only in the first round, which it lets pass.
func (g greedyMind) approves() bool {
	needed := g.needed(g.mission())
	b := &g.belief
	if g.mole {
		if g.view.Attempt == 5 || (g.team&g.friends()).Len() < needed {
			return false
		}
		if g.view.Round > 1 {
			return true
		}
		b = g.guise
	}
	if g.view.Attempt == 5 {
		return true
	}
	lowest, mean := b.ofSize(sets(g.seats, g.team.Len()), needed)
	return b.danger(g.team, needed) <= lowest+(mean-lowest)*0.35
}

// ofSize returns the danger of the best of some teams, and their mean.
func (b *belief) ofSize(teams []game.Seats, needed int) (lowest, mean float64) {
	lowest = 1
	for _, team := range teams {
		danger := b.danger(team, needed)
		lowest, mean = min(lowest, danger), mean+danger
	}
	return lowest, mean / float64(max(len(teams), 1))
}

// fails: a mole lets the first mission pass. Then, if the moles it knows on the team are enough, those in the lowest seats
// fail, as many as it takes.
func (g greedyMind) fails() bool {
	needed := g.needed(g.mission())
	known := g.team & g.friends()
	return g.mole && g.view.Round > 1 && known.Len() >= needed && (known&game.FirstSeats(int(g.seat))).Len() < needed
}
