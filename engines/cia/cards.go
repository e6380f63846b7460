package cia

import (
	"fmt"
	"slices"
	"strconv"
)

// Card is a kind of Top Secret card, in the order of the rulebook.
type Card uint8

// cardKinds is how many kinds there are.
const cardKinds = 15

// The kinds.
const (
	BackOneOrTwo Card = iota
	ForwardOrBackOne
	TwoBackOne
	TwoForwardOne
	SafeAgentStep
	SafeAnywhere
	AgentToRuin
	AllToChurch
	SwapAgents
	AgentToAgent
	RuinToChurch
	ForwardOneToThree
	TwoStonesThree
	AgentToSafe
	TakeFreeAgent
)

var cardNames = [cardKinds]string{
	"back_one_or_two", "forward_or_back_one", "two_back_one", "two_forward_one", "safe_agent_step", "safe_anywhere",
	"agent_to_ruin", "all_to_church", "swap_agents", "agent_to_agent", "ruin_to_church", "forward_one_to_three",
	"two_stones_three", "agent_to_safe", "take_free_agent",
}

// String returns the word on the wire.
func (c Card) String() string {
	if c >= cardKinds {
		return "no card"
	}
	return cardNames[c]
}

// cardOf reads the word on the wire.
func cardOf(word string) (Card, bool) {
	i := slices.Index(cardNames[:], word)
	return Card(i), i >= 0
}

// fieldKind is the field that an action has beside its type and card.
type fieldKind uint8

const (
	fieldNone fieldKind = iota
	fieldSteps
	fieldTo
	fieldAgents
	fieldOwners
)

// shape says what a card needs: its field, how many agents, and for steps the least and the most each agent goes.
type shape struct {
	field       fieldKind
	least, most int
	min, max    int8
}

var shapes = [cardKinds]shape{
	BackOneOrTwo:      {field: fieldSteps, least: 1, most: 1, min: -2, max: -1},
	ForwardOrBackOne:  {field: fieldSteps, least: 1, most: 1, min: -1, max: 1},
	TwoBackOne:        {field: fieldSteps, least: 2, most: 2, min: -1, max: -1},
	TwoForwardOne:     {field: fieldSteps, least: 2, most: 2, min: 1, max: 1},
	SafeAgentStep:     {field: fieldSteps, least: 1, most: 1, min: -1, max: 1},
	SafeAnywhere:      {field: fieldTo},
	AgentToRuin:       {field: fieldAgents, least: 1, most: 1},
	AllToChurch:       {},
	SwapAgents:        {field: fieldAgents, least: 2, most: 2},
	AgentToAgent:      {field: fieldAgents, least: 2, most: 2},
	RuinToChurch:      {field: fieldAgents, least: 1, most: 2},
	ForwardOneToThree: {field: fieldSteps, least: 1, most: 1, min: 1, max: 3},
	TwoStonesThree:    {field: fieldAgents, least: 2, most: 2},
	AgentToSafe:       {field: fieldAgents, least: 1, most: 1},
	TakeFreeAgent:     {},
}

func (c Card) field() fieldKind  { return shapes[c].field }
func (c Card) wants() (int, int) { return shapes[c].least, shapes[c].most }

func count(least, most int) string {
	switch {
	case most == 1:
		return "1 agent"
	case least == most:
		return strconv.Itoa(least) + " agents"
	}
	return fmt.Sprintf("%d or %d agents", least, most)
}
