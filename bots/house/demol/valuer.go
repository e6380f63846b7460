package demol

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/game"
)

// Valuer returns the valuer of De Mol: a quick greedy that errs once in eight decisions, to the end, the moles by the thinker's odds.
func Valuer() search.Valuer {
	w := public{}
	sim := search.Sim[demol.Config, demol.State, demol.Action, demol.View, demol.Event]{Rules: demol.Rules{}, Act: w.act, Err: 8}
	return search.Valuer{Name: "quick greedy", Version: 1, Ideas: answers, Likely: likely, Play: sim.Play}
}

// likely goes by who the moles are: of the likeliest set 1.
func likely(t *protocol.Turn, rng *rand.Rand) (func(game.Table) float64, error) {
	m, _, err := newThinkerMind(t, rng)
	if err != nil {
		return nil, err
	}
	odds, top := map[game.Seats]float64{}, slices.Max(m.odds)
	for i, moles := range m.sets {
		odds[moles] = m.odds[i] / top
	}
	return func(table game.Table) float64 {
		var moles game.Seats
		for seat, team := range table.Teams() {
			if team == mole {
				moles = moles.With(game.Seat(seat))
			}
		}
		return odds[moles]
	}, nil
}

// public keeps what the whole table may think of the moles, for the seats that act on one state after another.
type public struct {
	seen demol.State // what it was made from
	belief
}

// see weighs every set of moles as greedy does, by what everybody has seen.
func (w *public) see(s *demol.State) {
	if len(w.sets) > 0 && w.seen.Seats == s.Seats && w.seen.VoteCount == s.VoteCount && w.seen.Votes == s.Votes && w.seen.Missions == s.Missions {
		return
	}
	w.seen, w.belief = *s, belief{}
	for _, m := range sets(int(s.Seats), demol.MolesAt(int(s.Seats))) {
		weight := 1.0
		for i := range s.Missions {
			if x := &s.Missions[i]; x.Played {
				on, failed := (x.Team & m).Len(), x.Failed.Len()
				weight *= float64(demol.Choose(on, failed)) * math.Pow(0.7, float64(failed)) * math.Pow(0.3, float64(on-failed))
			}
		}
		for _, v := range s.Votes[:s.VoteCount] {
			with := m & v.Yes
			if v.Team&m == 0 {
				with = m &^ v.Yes
			}
			weight *= math.Pow(1.15, float64(with.Len())) * math.Pow(0.85, float64(m.Len()-with.Len()))
		}
		w.add(m, weight)
	}
}

// act is [Greedy] that names the seats it suspects least instead of trying every team.
func (w *public) act(s *demol.State, seat game.Seat, luck *game.Rand) []demol.Action {
	w.see(s)
	q := quickMind{s: s, position: &position{seats: int(s.Seats), seat: seat, mole: s.Moles.Has(seat), team: s.Team}}
	q.mates = game.Only(seat)
	if q.mole && !s.Blind {
		q.mates = s.Moles
	}
	if s.Plotted {
		q.view = demol.Rules{}.View(s, seat)
	}
	for i, m := range w.sets {
		if !m.Has(seat) && (!s.Plotted || q.mole || !q.contradicts(m)) { // a mole thinks what an agent in its seat would
			q.add(m, w.odds[i])
		}
	}
	q.settle()
	var o game.Offer[demol.Action]
	demol.Rules{}.Offer(s, seat, &o)
	list := append(o.List, o.Examples...)
	if list[0].Kind == demol.ActTeam {
		a := list[luck.IntN(len(list))] // under targeting any mission
		a.Members = q.choose(a.Members.Len(), demol.FailsNeeded(q.seats, int(max(a.Mission, s.Round))), luck)
		return []demol.Action{a}
	}
	return search.Pick(list, rand.New(luck), func(a demol.Action) float64 { return q.score(q, a) })
}

// quickMind is the mind of the valuer.
type quickMind struct {
	*position
	s     *demol.State
	mates game.Seats // the moles that a mole knows, itself included
}

// choose returns a team: itself, as a mole as many other moles as it takes, then those that it suspects least.
func (q quickMind) choose(size, needed int, luck *game.Rand) game.Seats {
	team := game.Only(q.seat)
	if q.mole {
		team |= luck.Subset(q.mates.Without(q.seat), min(needed-1, q.mates.Len()-1))
	}
	return team | q.safest(size-team.Len(), team)
}

// safest returns so many seats beside those of a team that it suspects least.
func (q quickMind) safest(n int, team game.Seats) game.Seats {
	return least(game.FirstSeats(q.seats)&^team, n, q.suspicion)
}

func (q quickMind) teamScore(team game.Seats, mission int8) float64 {
	return -q.danger(team, demol.FailsNeeded(q.seats, int(mission)))
}

// approves is greedy's, against the safest team and one drawn evenly.
func (q quickMind) approves() bool {
	needed := demol.FailsNeeded(q.seats, int(q.s.Mission))
	switch {
	case q.mole && (q.s.Attempt == 5 || (q.team&q.mates).Len() < needed):
		return false
	case q.mole && q.s.Round > 1 || q.s.Attempt == 5:
		return true
	}
	size, moles, mean := q.team.Len(), demol.MolesAt(q.seats), 1.0
	for k := range needed {
		mean -= float64(demol.Choose(moles, k)*demol.Choose(q.seats-moles, size-k)) / float64(demol.Choose(q.seats, size))
	}
	lowest := q.danger(q.safest(size, 0), needed)
	return q.danger(q.team, needed) <= lowest+(mean-lowest)*0.35
}

// fails is greedy's.
func (q quickMind) fails() bool {
	needed, known := demol.FailsNeeded(q.seats, int(q.s.Mission)), q.team&q.mates
	return q.mole && q.s.Round > 1 && known.Len() >= needed && (known&game.FirstSeats(int(q.seat))).Len() < needed
}
