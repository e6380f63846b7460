package cia

import (
	"encoding/json"
	"strconv"

	"github.com/molerun/molerun/engines/cia"
)

// mostMoves is how many moves there are with 6 points and 7 agents.
const mostMoves = 924

// rolls are the faces of the die.
var rolls = [...]string{"1-3", "2", "3", "4", "5", "6"}

// points returns the number of a roll, 3 for "1-3".
func points(roll string) int8 {
	if n, err := strconv.Atoi(roll); err == nil {
		return int8(n)
	}
	return 3
}

// moves lists the moves of a roll, fewest points first, in the offer's order. unused: a "1-3" may be left unused.
func moves(in cia.Agents, roll string, unused bool) []steps {
	list := make([]steps, 0, mostMoves)
	if roll == rolls[0] {
		if unused {
			list = append(list, steps{})
		}
		list = splits(list, in, 1)
		list = splits(list, in, 2)
	}
	return splits(list, in, points(roll))
}

// splits adds to a list the ways to give n points to the agents of in, most to the first agents first.
func splits(list []steps, in cia.Agents, n int8) []steps {
	var by steps
	var spread func(in cia.Agents, n int8)
	spread = func(in cia.Agents, n int8) {
		a := in.Lowest()
		if in&(in-1) == 0 {
			by[a] = n
			list = append(list, by)
			by[a] = 0
			return
		}
		for k := n; k >= 0; k-- {
			by[a] = k
			spread(in&(in-1), n-k)
		}
		by[a] = 0
	}
	spread(in, n)
	return list
}

// writeMove writes a move with the agents in alphabetical order, those that go only.
func writeMove(by steps) (json.RawMessage, error) {
	named := map[string]int8{}
	for a, n := range by {
		if n != 0 {
			named[cia.Agent(a).String()] = n
		}
	}
	return json.Marshal(struct {
		Type  string          `json:"type"`
		Steps map[string]int8 `json:"steps"`
	}{cia.ActMove.String(), named})
}
