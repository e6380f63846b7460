package molehill

import (
	"encoding/json"
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// The events as they are read back; each tells itself in a sentence.
type (
	roundEvent struct {
		Kind     string    `json:"kind"`
		MoleSeat game.Seat `json:"mole_seat"`
	}
	playedEvent struct {
		Kind   string    `json:"kind"`
		Seat   game.Seat `json:"seat"`
		Action Action    `json:"action"`
	}
	scoreEvent struct {
		Kind   string `json:"kind"`
		Scores []int  `json:"scores"`
	}
	overEvent struct {
		Kind string `json:"kind"`
	}
)

// Tell is an event in a sentence.
func (Rules) Tell(event json.RawMessage) string {
	switch game.KindOf(event) {
	case "round":
		return game.Told[roundEvent](event)
	case "played":
		return game.Told[playedEvent](event)
	case "score":
		return game.Told[scoreEvent](event)
	case "over":
		return game.Told[overEvent](event)
	}
	return ""
}

func (e roundEvent) Words() string {
	return fmt.Sprintf("A round begins: seat %d is the mole, seat %d the gardener.", e.MoleSeat, 1-e.MoleSeat)
}

func (e playedEvent) Words() string { return fmt.Sprintf("Seat %d %s.", e.Seat, e.Action.Words()) }

func (e scoreEvent) Words() string {
	if len(e.Scores) == 2 {
		return fmt.Sprintf("Round 2 is over: its mole has scored %d, that of round 1 had %d.", e.Scores[1], e.Scores[0])
	}
	return fmt.Sprintf("Round %d is over: its mole has scored %d.", len(e.Scores), e.Scores[len(e.Scores)-1])
}

func (overEvent) Words() string { return "The match is over." }

// Words is what a seat does.
func (a Action) Words() string {
	switch a.Type {
	case Start:
		return fmt.Sprintf("starts on %s", a.At)
	case Move:
		return fmt.Sprintf("moves to %s", a.At)
	case Jump:
		return fmt.Sprintf("jumps to %s", a.At)
	case Rod:
		return fmt.Sprintf("lays a rod between %s and %s", a.At, other(a.At, a.Up))
	}
	return ""
}
