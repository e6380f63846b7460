package demol

import (
	"fmt"
	"math"

	"github.com/molerun/molerun/engines/game"
)

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
