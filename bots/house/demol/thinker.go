package demol

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
)

// thinkerMind is the mind of [Thinker].
type thinkerMind struct {
	*witness
	guise *belief // what an agent in its seat would think; an agent's own belief
	luck  float64 // 0 to 1, drawn once a decision
}

// Thinker plays by the full account of who led, voted and played how. An agent accepts a team if it expects no better from
// the leaders to come. A mole plays the agent that it could be: it names and votes by what such an agent would think, as long
// as the match is not decided by it, lets the first mission pass, and agrees without words with the other moles on a team
// who fails.
func Thinker(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	p, offer, err := newThinkerMind(t, rng)
	if err != nil {
		return protocol.Answer{}, err
	}
	answer, err := p.decide(p, offer, rng)
	answer.Say = p.says()
	return answer, err
}

func newThinkerMind(t *protocol.Turn, rng *rand.Rand) (thinkerMind, kit.Offer, error) {
	at, offer, err := readPosition(t)
	if err != nil {
		return thinkerMind{}, offer, err
	}
	return at.thinks(rng), offer, nil
}

// thinks returns what the thinker makes of a position.
func (p *position) thinks(rng *rand.Rand) thinkerMind {
	mind := thinkerMind{witness: newWitness(p), luck: rng.Float64()}
	next := 0 // weigh asks for the sets in the order of public
	p.weigh(func(m game.Seats) float64 {
		for mind.public.sets[next] != m {
			next++
		}
		return mind.public.odds[next]
	})
	mind.guise = &p.belief
	if p.mole {
		mind.guise = mind.asAgent()
	}
	return mind
}

// asAgent returns what the table would think from this seat, were it an agent's.
func (p thinkerMind) asAgent() *belief {
	out := new(belief)
	for i, m := range p.public.sets {
		if !m.Has(p.seat) {
			out.add(m, p.public.odds[i])
		}
	}
	out.settle()
	return out
}

// teamScore: the least danger that an agent sees; a mole adds a little for a team that can be failed, by no more than it takes.
func (p thinkerMind) teamScore(team game.Seats, mission int8) float64 {
	needed := p.needed(mission)
	honest := -p.guise.danger(team, needed) + 0.03*yes(team.Has(p.seat))
	if !p.mole {
		return honest
	}
	on := (team & p.friends()).Len()
	return honest + 0.15*yes(on >= needed) - 0.02*float64(max(on-needed, 0))
}

// approves: a mole votes as the agent that it plays would, but for the team that decides the match and for late ones that
// nobody can fail.
func (p thinkerMind) approves() bool {
	needed := p.needed(p.mission())
	if p.mole {
		can := p.can(needed)
		switch {
		case can && p.wins[1] == 2:
			return true
		case !can && p.wins[0] == 2:
			return false
		case !can && p.view.Attempt >= 3 && p.view.Attempt < 5:
			return false
		}
	}
	return p.view.Attempt >= 5 || p.guise.danger(p.team, needed) <= p.waiting(p.view.Attempt+1, needed)+0.02
}

// waiting returns the danger to expect of the team that goes if the leaders from attempt on are to name it: an agent in the
// lead sends the best team it knows, which is taken unless waiting longer is better; a mole's team is rejected until the
// fifth attempt.
func (p thinkerMind) waiting(attempt int8, needed int) float64 {
	leader := game.Seat((int(p.view.Leader) + int(attempt-p.view.Attempt)) % p.seats)
	mole := p.guise.suspicion(leader)
	team := p.safest(leader, p.team.Len())
	honest := p.guise.danger(team, needed)
	if mole < 1 { // the danger left if the leader is an agent
		honest = min(honest, p.dangerFor(leader, team, needed))
	}
	if attempt == 5 {
		return (1-mole)*honest + mole
	}
	later := p.waiting(attempt+1, needed)
	return (1-mole)*min(honest, later) + mole*later
}

// fails: only as many moles fail as it takes, those most suspect already. A mission may pass to keep them hidden while
// nothing is decided, always so if all of its team would be known for moles.
func (p thinkerMind) fails() bool {
	needed := p.needed(p.mission())
	if !p.mole || !p.can(needed) {
		return false
	}
	known := p.team & p.friends()
	switch {
	case p.friends().Len() == p.moles && !p.chosen(known, needed):
		return false
	case p.wins[0] == 2 || p.wins[1] == 2:
		return true
	case known == p.team && known.Len() == needed:
		return false
	case p.wins[0]+p.wins[1] == 0:
		return false
	}
	return p.luck < 0.95
}

// can reports to a mole whether the team proposed can be failed; moles that do not know each other go by the odds.
func (p thinkerMind) can(needed int) bool {
	return p.danger(p.team, needed) > 0.5
}

// chosen reports whether the seat is among those who fail: the most suspect, of equals the lowest seats. All moles see the
// same table, so they agree.
func (p thinkerMind) chosen(on game.Seats, needed int) bool {
	mine := p.public.suspicion(p.seat)
	before := 0
	for other := range on.Without(p.seat).Each() {
		s := p.public.suspicion(other)
		if s > mine || s == mine && other < p.seat {
			before++
		}
	}
	return before < needed
}

// plain bounds whom the thinker names: a seat must be so much more suspect than a stranger.
const plain = 0.1

// says returns what the thinker says to the table where it talks, else nothing: whom it suspects most before a team is named, and
// afterwards whether it wants the team. A mole says what the agent that it plays would, in the same words: it never names a mole that it
// knows, and is for a team when that suits the moles.
func (p thinkerMind) says() string {
	switch p.view.Phase {
	case "talk":
		most, odds := p.seat, float64(p.moles)/float64(p.seats-1)+plain
		for other := range p.others().Each() {
			if s := p.guise.suspicion(other); s > odds {
				most, odds = other, s
			}
		}
		if most == p.seat {
			return "I cannot tell yet who the moles are."
		}
		return fmt.Sprintf("I suspect seat %d most: a mole at %s.", most, percent(odds))
	case "vote_talk":
		danger := percent(p.guise.danger(p.team, p.needed(p.mission())))
		if p.approves() {
			return fmt.Sprintf("I am for this team. It fails at %s, as I see it.", danger)
		}
		return fmt.Sprintf("I am against this team. It fails at %s, as I see it.", danger)
	}
	return ""
}

// others returns the seats that the thinker may name.
func (p thinkerMind) others() game.Seats {
	all := game.FirstSeats(p.seats).Without(p.seat)
	if p.mole {
		all &^= p.friends()
	}
	return all
}

// percent rounds odds to five hundredths: nobody names odds more exactly in talk.
func percent(odds float64) string { return fmt.Sprintf("%.0f %%", 5*math.Round(20*odds)) }
