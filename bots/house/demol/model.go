package demol

import (
	"math"

	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/game"
)

// witness follows a match as the whole table saw it and weighs every set of moles by how such players would have led,
// voted and played. What one seat alone knows comes in later, as what it can rule out.
type witness struct {
	*position
	moles  int
	public belief
	wins   [2]int // missions that succeeded, and that failed, before the step looked at
}

// newWitness replays the votes and missions of the view.
func newWitness(p *position) *witness {
	w := &witness{position: p, moles: demol.MolesAt(p.seats)}
	for _, m := range sets(p.seats, w.moles) {
		w.public.add(m, 1)
	}
	w.public.settle()
	for i := range p.view.Votes {
		w.see(&p.view.Votes[i])
	}
	return w
}

// see takes in one vote, with the proposal before it and the mission after it.
func (w *witness) see(v *demol.VoteView) {
	needed := w.needed(v.Mission)
	var asAgent, asMole [game.MaxSeats][2]float64 // by whether the team can be failed
	for i, yes := range v.Approve {
		p := w.agentApproves(game.Seat(i), v, needed)
		for can := range 2 {
			asAgent[i][can], asMole[i][can] = p, moleApproves(p, can == 1, v.Attempt)
			if !yes {
				asAgent[i][can], asMole[i][can] = 1-asAgent[i][can], 1-asMole[i][can]
			}
		}
	}
	lead := w.agentProposes(v, needed)
	for i, m := range w.public.sets {
		can := 0
		if (m & v.Team).Len() >= needed {
			can = 1
		}
		weight := lead
		if m.Has(v.Leader) {
			weight = 0.25 + 0.75*float64(can)
		}
		for seat := range v.Approve {
			if m.Has(game.Seat(seat)) {
				weight *= asMole[seat][can]
			} else {
				weight *= asAgent[seat][can]
			}
		}
		w.public.odds[i] *= weight
	}
	if v.Approved && v.NoConfidence == nil {
		w.played(v.Mission)
	}
	w.public.settle()
}

// played takes in what became of a mission.
func (w *witness) played(mission int8) {
	x := &w.view.Missions[mission-1]
	if x.Result == nil || x.Fails == nil {
		return
	}
	closed, fails, failed := x.Team, *x.Fails, game.Seats(0)
	for seat, success := range x.Open {
		if closed = closed.Without(seat); !success {
			failed = failed.With(seat)
			fails--
		}
	}
	for i, m := range w.public.sets {
		if failed&^m != 0 {
			w.public.odds[i] = 0
			continue
		}
		w.public.odds[i] *= w.failing((m & closed).Len(), fails, x.FailsNeeded)
	}
	if w.wins[0]++; *x.Result == "fail" {
		w.wins[0]--
		w.wins[1]++
	}
}

// eager returns the odds that moles who can fail a mission do so.
func (w *witness) eager() float64 {
	switch {
	case w.wins[0] == 2 || w.wins[1] == 2:
		return 0.97
	case w.wins[0]+w.wins[1] == 0:
		return 0.7
	}
	return 0.85
}

// failing returns the odds of so many fails from k moles: half of the time they agree who fails, else each decides alone.
func (w *witness) failing(k, fails, needed int) float64 {
	if fails > k {
		return 0
	}
	eager := w.eager()
	if k < needed {
		eager = 0.1
	}
	agreed := 0.0
	switch fails {
	case 0:
		agreed = 1 - eager
	case needed:
		agreed = eager
	}
	alone := float64(demol.Choose(k, fails)) * math.Pow(eager, float64(fails)) * math.Pow(1-eager, float64(k-fails))
	return 0.5*agreed + 0.5*alone
}

// suspects returns what seat would think of everybody if it were an agent that has seen no more than the table.
func (w *witness) suspects(seat game.Seat) [game.MaxSeats]float64 {
	var suspicion [game.MaxSeats]float64
	sum := 0.0
	for i, m := range w.public.sets {
		if odds := w.public.odds[i]; odds > 0 && !m.Has(seat) {
			sum += odds
			for other := range m.Each() {
				suspicion[other] += odds
			}
		}
	}
	if sum > 0 {
		for i := range suspicion {
			suspicion[i] /= sum
		}
	}
	return suspicion
}

// dangerFor returns a team's danger as seat would see it if it were an agent.
func (w *witness) dangerFor(seat game.Seat, team game.Seats, needed int) float64 {
	sum, bad := 0.0, 0.0
	for i, m := range w.public.sets {
		if m.Has(seat) {
			continue
		}
		if sum += w.public.odds[i]; (m & team).Len() >= needed {
			bad += w.public.odds[i]
		}
	}
	if sum == 0 {
		return 1
	}
	return bad / sum
}

// safest returns the team of the seats least suspect, seat itself among them.
func (w *witness) safest(seat game.Seat, size int) game.Seats {
	suspicion := w.suspects(seat)
	return least(game.FirstSeats(w.seats).Without(seat), size-1, func(other game.Seat) float64 { return suspicion[other] }).With(seat)
}

// chance returns the danger of a team drawn at random, as an agent that knows nothing sees it if it goes itself.
func (w *witness) chance(size, needed int) float64 {
	others := w.seats - 1
	clean := 0
	for k := range needed {
		clean += demol.Choose(w.moles, k) * demol.Choose(others-w.moles, size-1-k)
	}
	return 1 - float64(clean)/float64(max(demol.Choose(others, size-1), 1))
}

// badness places a team between the best that seat could wish for (0) and a random one (1).
func (w *witness) badness(seat game.Seat, team game.Seats, needed int) float64 {
	lowest := w.dangerFor(seat, w.safest(seat, team.Len()), needed)
	width := max(w.chance(team.Len(), needed)-lowest, 0.1)
	return (w.dangerFor(seat, team, needed) - lowest) / width
}

// agentApproves returns the odds that an agent votes for a team: the better the team the likelier, the fifth time nearly always.
func (w *witness) agentApproves(seat game.Seat, v *demol.VoteView, needed int) float64 {
	if seat == v.Leader || v.Attempt == 5 {
		return 0.95
	}
	p := 1 / (1 + math.Exp(5*(w.badness(seat, v.Team, needed)-0.5)))
	return 0.06 + 0.88*p
}

// moleApproves returns the odds that a mole votes for a team that an agent in its seat would approve with odds p: mostly it
// wants teams it can fail, at times it does as an agent would.
func moleApproves(p float64, can bool, attempt int8) float64 {
	switch {
	case attempt == 5:
		return 0.4
	case can:
		return 0.6*0.95 + 0.4*p
	}
	return 0.6*0.1 + 0.4*p
}

// agentProposes returns how well the team goes with a leader that is an agent.
func (w *witness) agentProposes(v *demol.VoteView, needed int) float64 {
	return 0.15 + 0.85*math.Exp(-2*max(w.badness(v.Leader, v.Team, needed), 0))
}
