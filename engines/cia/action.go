package cia

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
)

// Kind is the type of an action.
type Kind uint8

// The kinds; the zero Kind is no action.
const (
	ActMove Kind = iota + 1
	ActSafe
	ActCard
	ActPass
	ActDossier
)

var kindNames = [...]string{"nothing", "move", "safe", "card", "pass", "dossier"}

// String returns the word on the wire.
func (k Kind) String() string { return kindNames[min(int(k), len(kindNames)-1)] }

// Action is one decision. Fields that its kind, or its card, does not have are zero.
type Action struct {
	Kind   Kind
	Card   Card
	To     Building             // safe, safe_anywhere
	Agents Agents               // cards with agents; dossier: the agents named
	First  Agent                // agent_to_agent: the one of Agents that goes
	Steps  [NumAgents]int8      // move and cards with steps; 0 is not named
	Owners [NumAgents]game.Seat // dossier, for the agents named: [game.Spectator] is null
}

// AppendJSON writes the action as it is on the wire.
func (a Action) AppendJSON(b []byte) []byte {
	b = append(append(append(b, `{"type":"`...), a.Kind.String()...), '"')
	field := fieldNone
	switch a.Kind {
	case ActMove:
		field = fieldSteps
	case ActSafe:
		field = fieldTo
	case ActDossier:
		b = a.owners().append(append(b, `,"owners":`...))
	case ActCard:
		b = game.AppendWord(b, "card", a.Card.String())
		field = a.Card.field()
	}
	switch field {
	case fieldSteps:
		b = append(b, `,"steps":{`...)
		comma := false
		for i, n := range a.Steps {
			if n != 0 {
				b = strconv.AppendInt(appendKey(b, agentNames[i], comma), int64(n), 10)
				comma = true
			}
		}
		b = append(b, '}')
	case fieldTo:
		b = game.AppendWord(b, "to", a.To.String())
	case fieldAgents:
		b = a.appendAgents(append(b, `,"agents":[`...))
	}
	return append(b, '}')
}

func (a *Action) appendAgents(b []byte) []byte {
	m := a.Agents
	if a.Card == AgentToAgent {
		b = append(append(append(b, '"'), a.First.String()...), `",`...)
		m = m.Without(a.First)
	}
	for ; m != 0; m &= m - 1 {
		b = append(append(append(b, '"'), m.Lowest().String()...), `",`...)
	}
	b[len(b)-1] = ']'
	return b
}

// owners returns the dossier of the action.
func (a *Action) owners() owners {
	var o owners
	for i := range o {
		o[i] = unnamed
		if a.Agents.Has(Agent(i)) {
			o[i] = a.Owners[i]
		}
	}
	return o
}

// MarshalJSON writes the action as it is on the wire.
func (a Action) MarshalJSON() ([]byte, error) { return a.AppendJSON(nil), nil }

type wireAction struct {
	Type   string                       `json:"type"`
	Card   strict.Given[string]         `json:"card,omitempty"`
	Steps  strict.Given[map[string]int] `json:"steps,omitempty"`
	To     strict.Given[string]         `json:"to,omitempty"`
	Agents strict.Given[[]string]       `json:"agents,omitempty"`
	Owners strict.Given[owners]         `json:"owners,omitempty"`
}

// UnmarshalJSON reads an action strictly: the keys of its type and card, all of them and no others.
func (a *Action) UnmarshalJSON(b []byte) error {
	var w wireAction
	if err := strict.Decode(b, &w); err != nil {
		return err
	}
	out, err := w.action()
	if err != nil {
		return err
	}
	*a = out
	return nil
}

func (w *wireAction) action() (Action, error) {
	var out Action
	var err error
	kind := slices.Index(kindNames[1:], w.Type)
	if kind < 0 {
		return out, &strict.Error{Pointer: "/type", Reason: fmt.Sprintf("wants move, safe, card, pass or dossier, not %q", w.Type)}
	}
	out.Kind = Kind(kind + 1)
	if err := w.keys(&out); err != nil {
		return out, err
	}
	if w.Steps.Set {
		err = out.readSteps(w.Steps.Value)
	}
	if w.Agents.Set {
		err = out.readAgents(w.Agents.Value)
	}
	if w.To.Set {
		var ok bool
		if out.To, ok = ParseBuilding(w.To.Value); !ok {
			err = &strict.Error{Pointer: "/to", Reason: fmt.Sprintf("wants church, 1 to 10 or ruin, not %q", w.To.Value)}
		}
	}
	if w.Owners.Set {
		for i, seat := range w.Owners.Value {
			if seat != unnamed {
				out.Agents, out.Owners[i] = out.Agents|1<<i, seat
			}
		}
	}
	return out, err
}

// keys checks that the keys present are those that the type and the card have.
func (w *wireAction) keys(out *Action) error {
	field := fieldNone
	switch out.Kind {
	case ActMove:
		field = fieldSteps
	case ActSafe:
		field = fieldTo
	case ActDossier:
		field = fieldOwners
	case ActCard:
		if !w.Card.Set {
			return &strict.Error{Pointer: "/card", Reason: "is missing"}
		}
		card, ok := cardOf(w.Card.Value)
		if !ok {
			return &strict.Error{Pointer: "/card", Reason: fmt.Sprintf("is no card: %q", w.Card.Value)}
		}
		out.Card, field = card, card.field()
	}
	return strict.Keys(out.named(), []strict.Key{
		{Name: "steps", Set: w.Steps.Set, Belongs: field == fieldSteps},
		{Name: "to", Set: w.To.Set, Belongs: field == fieldTo},
		{Name: "agents", Set: w.Agents.Set, Belongs: field == fieldAgents},
		{Name: "owners", Set: w.Owners.Set, Belongs: field == fieldOwners},
		{Name: "card", Set: w.Card.Set, Belongs: out.Kind == ActCard},
	})
}

// named returns the type, or the card.
func (a *Action) named() string {
	if a.Kind == ActCard {
		return "card " + a.Card.String()
	}
	return "type " + a.Kind.String()
}

func (a *Action) readSteps(steps map[string]int) error {
	for _, name := range agentNames {
		n, ok := steps[name]
		if !ok {
			continue
		}
		delete(steps, name)
		if n == 0 || n < -int(Ruin) || n > int(Ruin) {
			return &strict.Error{Pointer: "/steps/" + name, Reason: fmt.Sprintf("is no number of steps: %d", n)}
		}
		agent, _ := ParseAgent(name)
		a.Steps[agent] = int8(n)
	}
	return onlyAgents("/steps", steps)
}

func (a *Action) readAgents(names []string) error {
	for i, name := range names {
		agent, ok := ParseAgent(name)
		if !ok {
			return &strict.Error{Pointer: "/agents/" + strconv.Itoa(i), Reason: fmt.Sprintf("is no agent: %q", name)}
		}
		if a.Agents.Has(agent) {
			return &strict.Error{Pointer: "/agents/" + strconv.Itoa(i), Reason: "names " + name + " twice"}
		}
		if a.Agents = a.Agents.With(agent); i == 0 && a.Card == AgentToAgent {
			a.First = agent
		}
	}
	if least, most := a.Card.wants(); a.Agents.Len() < least || a.Agents.Len() > most {
		return &strict.Error{Pointer: "/agents", Reason: fmt.Sprintf("wants %s, not %d", count(least, most), len(names))}
	}
	return nil
}
