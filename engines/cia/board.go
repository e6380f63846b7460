package cia

import (
	"math/bits"
	"slices"
)

// Agent is a colour, in the order of the rulebook's dossier.
type Agent int8

// NumAgents is how many agents the box holds.
const NumAgents = 7

// NoAgent stands where no agent is.
const NoAgent Agent = -1

var agentNames = [NumAgents]string{"grey", "yellow", "orange", "red", "green", "blue", "purple"}

// The agents.
const (
	Grey Agent = iota
	Yellow
	Orange
	Red
	Green
	Blue
	Purple
)

// String is the word on the wire.
func (a Agent) String() string {
	if a < 0 || a >= NumAgents {
		return "nobody"
	}
	return agentNames[a]
}

// ParseAgent reads the word on the wire; false if it is no agent.
func ParseAgent(word string) (Agent, bool) {
	i := slices.Index(agentNames[:], word)
	return Agent(i), i >= 0 //nolint:gosec // below 7
}

// Agents is a set of agents.
type Agents uint8

// Has tells whether a is in the set.
func (m Agents) Has(a Agent) bool { return a >= 0 && m>>uint(a)&1 == 1 }

// With is the set plus a.
func (m Agents) With(a Agent) Agents { return m | 1<<uint(a) }

// Without is the set less a.
func (m Agents) Without(a Agent) Agents { return m &^ (1 << uint(a)) }

// Len counts the agents of the set.
func (m Agents) Len() int { return bits.OnesCount8(uint8(m)) }

// Lowest is the first agent of the set, which has one.
func (m Agents) Lowest() Agent { return Agent(bits.TrailingZeros8(uint8(m))) } //nolint:gosec // at most 8

// Building is a place on the ring, clockwise: 0 the church, 1 to 10 the numbered buildings, 11 the ruin.
type Building int8

// The buildings with a name, their number, and where the safe starts.
const (
	Church    Building = 0
	Ruin      Building = 11
	Buildings          = 12
	safeStart Building = 7
)

var buildingNames = [Buildings]string{"church", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "ruin"}

// String is the word on the wire.
func (b Building) String() string {
	if b < 0 || b >= Buildings {
		return "nowhere"
	}
	return buildingNames[b]
}

// ParseBuilding reads the word on the wire; false if it is no building.
func ParseBuilding(word string) (Building, bool) {
	i := slices.Index(buildingNames[:], word)
	return Building(i), i >= 0 //nolint:gosec // below 12
}

// step is the building n further clockwise; n is −12 or more.
func (b Building) step(n int8) Building { return Building((int8(b) + n + Buildings) % Buildings) }

// Value is what an agent there scores: its number, the ruin −3.
func (b Building) Value() int16 {
	if b == Ruin {
		return -3
	}
	return int16(b)
}
