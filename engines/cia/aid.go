package cia

import (
	"fmt"
	"strconv"

	"github.com/molerun/molerun/engines/game"
)

// Aid tells a person their agents, how each agent stands, and what the dossiers say of it as far as they have seen them.
func (Rules) Aid(v View, _ game.Seat) game.Aid {
	if v.Me == nil {
		return game.Aid{}
	}
	out := game.Aid{You: fmt.Sprintf("Your agent is %s: the points of its stone are yours, so let nobody see which one you push.", v.Me.Agent)}
	if len(v.Me.Extra) > 0 {
		out.You = fmt.Sprintf("Your agents are %s: the best of their stones counts.", game.JoinWords(append([]string{v.Me.Agent}, v.Me.Extra...)...))
	}
	out.Head = []string{"agent", "points", "is in"}
	files := v.files()
	for _, f := range files {
		out.Head = append(out.Head, fmt.Sprintf("{The dossier of seat %d}", f.by))
	}
	for i, at := range v.Agents {
		if at == absent {
			continue
		}
		row := []string{agentNames[i], strconv.Itoa(int(v.Stones[i])), building(at.String())}
		for _, f := range files {
			switch who := f.names[i]; who {
			case unnamed, game.Spectator:
				row = append(row, "nobody")
			default:
				row = append(row, fmt.Sprintf("seat %d", who))
			}
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// labels are the words of offers for people.
var labels = map[string]string{
	"steps": "fields forward", "owners": "whose agent is which", "dossier": "fill in your dossier", "safe": "move the safe", "move": "move agents",
}

// Label names words of offers for people.
func (Rules) Label(word string) string { return labels[word] }
