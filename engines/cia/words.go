package cia

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// Words describes the die.
func (e rollEvent) Words() string { return fmt.Sprintf("Seat %d {rolls} %s.", e.Seat, e.Roll) }

// Words says where the agents that moved are now, those of a building together.
func (e moveEvent) Words() string {
	var went []string
	for b := range Building(Buildings) {
		var there []string
		for i, at := range e.Agents {
			if at == b {
				there = append(there, agentNames[i])
			}
		}
		if len(there) > 0 {
			went = append(went, game.JoinWords(there...)+" to "+building(b.String()))
		}
	}
	if len(went) == 0 {
		return fmt.Sprintf("Seat %d {moves} no agent.", e.Seat)
	}
	return fmt.Sprintf("Seat %d {moves} %s.", e.Seat, strings.Join(went, "; "))
}

// Words says how many points the agents have now, the best first.
func (e scoreEvent) Words() string {
	var order []int
	for i, n := range e.Stones {
		if n != absent {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(e.Stones[b], e.Stones[a]) })
	var has []string
	for _, i := range order {
		has = append(has, fmt.Sprintf("%s %d", agentNames[i], e.Stones[i]))
	}
	return fmt.Sprintf("The agents now have, in points: %s.", game.JoinWords(has...))
}

// Words says where the safe is now.
func (e safeEvent) Words() string {
	return fmt.Sprintf("Seat %d {moves} the safe to %s.", e.Seat, building(e.To))
}

// Words says which card is played for what, or leaves the game.
func (e cardEvent) Words() string {
	if e.Removed {
		return fmt.Sprintf("%s leaves the game from {the hand of seat %d}: no free agent is left.", game.Title(e.Action.Card.String()), e.Seat)
	}
	return fmt.Sprintf("Seat %d %s.", e.Seat, e.Action.Words())
}

// Words says that a card is drawn, and to its seat which.
func (e drawEvent) Words() string {
	if e.Card == "" {
		return fmt.Sprintf("Seat %d {draws} a card.", e.Seat)
	}
	return fmt.Sprintf("Seat %d {draws} %s.", e.Seat, game.Title(e.Card))
}

// Words tells a seat which free agent it took.
func (e agentEvent) Words() string {
	return fmt.Sprintf("Seat %d {finds} that {its} second agent is %s.", e.Seat, e.Agent)
}

// Words describes the deck.
func (reshuffleEvent) Words() string { return "The discard pile is shuffled and becomes the deck." }

// Words describes the dossiers.
func (dossierEvent) Words() string {
	return "The dossiers are filled in: everybody has written down who runs which agent."
}

// Words says who was who.
func (e overEvent) Words() string {
	var was []string
	for seat, agent := range e.Reveal.Agents {
		all := []string{agent}
		if seat < len(e.Reveal.Extra) {
			all = append(all, e.Reveal.Extra[seat]...)
		}
		was = append(was, fmt.Sprintf("seat %d {was} %s", seat, game.JoinWords(all...)))
	}
	return fmt.Sprintf("The match is over: %s.", strings.Join(was, ", "))
}

// stepWords lists agents and how far they go: red 2 forward, blue 1 back.
func (a *Action) stepWords() string {
	var out []string
	for i, n := range a.Steps {
		switch {
		case n > 0:
			out = append(out, fmt.Sprintf("%s %d forward", agentNames[i], n))
		case n < 0:
			out = append(out, fmt.Sprintf("%s %d back", agentNames[i], -n))
		}
	}
	return game.JoinWords(out...)
}

// Words returns what a seat does.
func (a Action) Words() string {
	switch a.Kind {
	case ActMove:
		if a.Steps == ([NumAgents]int8{}) {
			return "{moves} no agent"
		}
		return "{moves} " + a.stepWords()
	case ActSafe:
		return "{moves} the safe to " + building(a.To.String())
	case ActPass:
		return "{passes}"
	case ActDossier:
		return "{fills} in {its} dossier: " + fileWords(a.owners())
	case ActCard:
		out := fmt.Sprintf("{plays} %s", game.Title(a.Card.String()))
		if effect := a.effectWords(); effect != "" {
			out += ": " + effect
		}
		return out
	}
	return ""
}

// effectWords returns what a card is played for, "" where its name says it.
func (a *Action) effectWords() string {
	agents := game.JoinWords(a.Agents.words()...)
	switch field := a.Card.field(); {
	case field == fieldSteps:
		return a.stepWords()
	case field == fieldTo:
		return "the safe goes to " + building(a.To.String())
	case field != fieldAgents:
		return ""
	case a.Card == AgentToAgent:
		return fmt.Sprintf("%s goes to where %s is", a.First, a.Agents.Without(a.First).Lowest())
	case a.Card == SwapAgents:
		return agents + " change places"
	case a.Card == TwoStonesThree:
		return "the stones of " + agents + " go 3 points forward"
	}
	return agents
}
