package cia

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strconv"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
)

// Agent is a colour, in the order of the rulebook's dossier.
type Agent int8

// NumAgents is how many agents the box holds.
const NumAgents = 7

var agentNames = [NumAgents]string{"grey", "yellow", "orange", "red", "green", "blue", "purple"}

// String returns the word on the wire.
func (a Agent) String() string {
	if a < 0 || a >= NumAgents {
		return "nobody"
	}
	return agentNames[a]
}

// ParseAgent reads the word on the wire; false if it is no agent.
func ParseAgent(word string) (Agent, bool) {
	i := slices.Index(agentNames[:], word)
	return Agent(i), i >= 0
}

// Agents is a set of agents.
type Agents uint8

// Has reports whether a is in the set.
func (m Agents) Has(a Agent) bool { return a >= 0 && m>>uint(a)&1 == 1 }

// With returns the set plus a.
func (m Agents) With(a Agent) Agents { return m | 1<<uint(a) }

// Without returns the set less a.
func (m Agents) Without(a Agent) Agents { return m &^ (1 << uint(a)) }

// Len counts the agents of the set.
func (m Agents) Len() int { return bits.OnesCount8(uint8(m)) }

// Lowest returns the first agent of the set, which has one.
func (m Agents) Lowest() Agent { return Agent(bits.TrailingZeros8(uint8(m))) }

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

// String returns the word on the wire.
func (b Building) String() string {
	if b < 0 || b >= Buildings {
		return "nowhere"
	}
	return buildingNames[b]
}

// ParseBuilding reads the word on the wire; false if it is no building.
func ParseBuilding(word string) (Building, bool) {
	i := slices.Index(buildingNames[:], word)
	return Building(i), i >= 0
}

// Step returns the building n further clockwise; n is −12 or more.
func (b Building) Step(n int8) Building { return Building((int8(b) + n + Buildings) % Buildings) }

// Value returns what an agent there scores: its number, the ruin −3.
func (b Building) Value() int16 {
	if b == Ruin {
		return -3
	}
	return int16(b)
}

func (m Agents) words() []string {
	out := make([]string, 0, m.Len())
	for ; m != 0; m &= m - 1 {
		out = append(out, m.Lowest().String())
	}
	return out
}

// Roll is a face of the die: 1 is the face "1-3", 2 to 6 are themselves.
type Roll uint8

// oneToThree is the face that leaves the choice.
const oneToThree Roll = 1

var rollNames = [...]string{"none", "1-3", "2", "3", "4", "5", "6"}

// String returns the word on the wire.
func (r Roll) String() string { return rollNames[r] }

// absent marks an agent that is not in play, or not named.
const absent = -1

// unnamed marks an agent that is not in a dossier.
const unnamed game.Seat = -2

// places is agent → building.
type places [NumAgents]Building

// scores is agent → field of the score track.
type scores [NumAgents]int16

// owners is agent → seat, or [game.Spectator] (null on the wire) for a dash.
type owners [NumAgents]game.Seat

func nowhere() places {
	var p places
	for i := range p {
		p[i] = absent
	}
	return p
}

// MarshalJSON writes {"red":"4",…}, the agents in play only.
func (p places) MarshalJSON() ([]byte, error) {
	b := append(make([]byte, 0, 112), '{')
	for i, at := range p {
		if at != absent {
			b = appendKey(b, agentNames[i], len(b) > 1)
			b = append(append(append(b, '"'), at.String()...), '"')
		}
	}
	return append(b, '}'), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (p *places) UnmarshalJSON(b []byte) error {
	out := nowhere()
	err := readAgentMap(b, func(a Agent, word string) error {
		var ok bool
		if out[a], ok = ParseBuilding(word); !ok {
			return fmt.Errorf("is no building: %q", word)
		}
		return nil
	})
	*p = out
	return err
}

// MarshalJSON writes {"red":17,…}, the agents in play only.
func (x scores) MarshalJSON() ([]byte, error) {
	b := append(make([]byte, 0, 96), '{')
	for i, n := range x {
		if n != absent {
			b = strconv.AppendInt(appendKey(b, agentNames[i], len(b) > 1), int64(n), 10)
		}
	}
	return append(b, '}'), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (x *scores) UnmarshalJSON(b []byte) error {
	var out scores
	for i := range out {
		out[i] = absent
	}
	err := readAgentMap(b, func(a Agent, n int16) error {
		if out[a] = n; n < 0 {
			return fmt.Errorf("is no field: %d", n)
		}
		return nil
	})
	*x = out
	return err
}

func (o owners) append(b []byte) []byte {
	b = append(b, '{')
	comma := false
	for i, seat := range o {
		if seat == unnamed {
			continue
		}
		b = appendKey(b, agentNames[i], comma)
		if comma = true; seat == game.Spectator {
			b = append(b, "null"...)
		} else {
			b = strconv.AppendInt(b, int64(seat), 10)
		}
	}
	return append(b, '}')
}

// MarshalJSON writes {"red":2,"blue":null,…}.
func (o owners) MarshalJSON() ([]byte, error) { return o.append(nil), nil }

// UnmarshalJSON reads what MarshalJSON writes; agents may be left out.
func (o *owners) UnmarshalJSON(b []byte) error {
	var out owners
	for i := range out {
		out[i] = unnamed
	}
	err := readAgentMap(b, func(a Agent, seat *int) error {
		if out[a] = game.Spectator; seat == nil {
			return nil
		}
		if *seat < 0 || *seat >= maxSeats {
			return fmt.Errorf("is no seat: %d", *seat)
		}
		out[a] = game.Seat(*seat)
		return nil
	})
	*o = out
	return err
}

// readAgentMap reads an object whose keys are agents.
func readAgentMap[T any](b []byte, each func(Agent, T) error) error {
	var raw map[string]T
	if err := strict.Decode(b, &raw); err != nil {
		return err
	}
	for i, name := range agentNames {
		if v, ok := raw[name]; ok {
			delete(raw, name)
			if err := each(Agent(i), v); err != nil {
				return &strict.Error{Pointer: "/" + name, Reason: err.Error()}
			}
		}
	}
	return onlyAgents("", raw)
}

func appendKey(b []byte, key string, comma bool) []byte {
	if comma {
		b = append(b, ',')
	}
	return append(append(append(b, '"'), key...), `":`...)
}

// onlyAgents refuses the keys left over when all agents have been read.
func onlyAgents[T any](place string, rest map[string]T) error {
	if len(rest) == 0 {
		return nil
	}
	return &strict.Error{Pointer: place, Reason: fmt.Sprintf("names %q, which is no agent", slices.Min(slices.Collect(maps.Keys(rest))))}
}
