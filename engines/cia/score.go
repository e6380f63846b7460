package cia

import (
	"slices"

	"github.com/molerun/molerun/engines/game"
)

// Score returns where the stones of the agents in play are; whose the agents are shows at the end.
func (r Rules) Score(s *State, seat game.Seat) game.Score {
	v := r.View(s, seat)
	out := game.Score{Of: "points"}
	if v.Filed {
		out.Rest = "the bonus of the dossiers"
	}
	for i, stone := range v.Stones {
		if stone == absent {
			continue
		}
		side := game.Side{Name: agentNames[i], Points: float64(stone)}
		if v.Reveal != nil {
			for seat, own := range v.Reveal.Agents {
				if own == side.Name || slices.Contains(v.Reveal.Extra[seat], side.Name) {
					side.Seats = side.Seats.With(game.Seat(seat))
				}
			}
		}
		out.Sides = append(out.Sides, side)
	}
	return out
}

// EndingWords says how a match ends.
func (Rules) EndingWords(why string) string {
	return map[string]string{
		"finish": "a stone has reached the end of the track", "turn_limit": "this was the last turn",
		"free_agent": "an agent of nobody is ahead of all",
	}[why]
}

// Key says who is ahead after a scoring.
func (e scoreEvent) Key() string {
	best := slices.Max(e.Stones[:])
	var ahead []string
	for i, stone := range e.Stones {
		if stone == best {
			ahead = append(ahead, agentNames[i])
		}
	}
	return "A scoring: " + game.JoinWords(ahead...) + " ahead"
}

// Key describes the dossiers.
func (dossierEvent) Key() string { return "The dossiers are filled in" }

// Key describes the end.
func (overEvent) Key() string { return "The agents are revealed" }
