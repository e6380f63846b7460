package molehill_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/molehill"
)

func TestActionsReadBackAsWritten(t *testing.T) {
	for _, wire := range []string{
		`{"type":"start","at":"d4"}`, `{"type":"move","to":"e5"}`, `{"type":"jump","to":"a9"}`, `{"type":"rod","edge":"d5-d6"}`,
		`{"type":"rod","edge":"d5-e5"}`, `{"type":"rod","edge":"a20-a21"}`, `{"type":"move","to":"u3"}`,
	} {
		var a molehill.Action
		if err := json.Unmarshal([]byte(wire), &a); err != nil {
			t.Errorf("%s: %v", wire, err)
		}
		if got := string(a.AppendJSON(nil)); got != wire {
			t.Errorf("got %s, want %s", got, wire)
		}
		if got, err := json.Marshal(a); err != nil || string(got) != wire {
			t.Errorf("Marshal: got %s (%v), want %s", got, err, wire)
		}
	}
}

func TestMalformedActionsAreRefusedWithThePlace(t *testing.T) {
	for _, row := range []struct{ wire, want string }{
		{`{"at":"d4"}`, "at /type: is missing"},
		{`{"type":"dig","at":"d4"}`, `at /type: wants start, move, jump or rod, not "dig"`},
		{`{"type":"Start","at":"d4"}`, `at /type: wants start`},
		{`{"type":"start"}`, "at /at: is missing"},
		{`{"type":"start","to":"d4"}`, "at /to: is not a known key"},
		{`{"type":"start","at":"d4","to":"d4"}`, "at /to: is not a known key"},
		{`{"type":"start","at":""}`, `at /at: "" is not a square`},
		{`{"type":"start","at":"d"}`, "is not a square"},
		{`{"type":"start","at":"d0"}`, "is not a square"},
		{`{"type":"start","at":"d04"}`, "is not a square"},
		{`{"type":"start","at":"d+4"}`, "is not a square"},
		{`{"type":"start","at":"d-4"}`, "is not a square"},
		{`{"type":"start","at":"D4"}`, "is not a square"},
		{`{"type":"start","at":"d4 "}`, "is not a square"},
		{`{"type":"start","at":"d22"}`, "is not a square"},
		{`{"type":"start","at":"v1"}`, "is not a square"},
		{`{"type":"start","at":"d99999999999999999999"}`, "is not a square"},
		{`{"type":"start","at":"h1"}`, "h1 is not on this board (a1 to g9)"},
		{`{"type":"start","at":"a10"}`, "a10 is not on this board (a1 to g9)"},
		{`{"type":"move","at":"d4"}`, "at /at: is not a known key"},
		{`{"type":"move","to":"d4"}`, "move is not asked now: a start is due"},
		{`{"type":"jump","edge":"d4-d5"}`, "at /edge: is not a known key"},
		{`{"type":"rod","at":"d4"}`, "at /at: is not a known key"},
		{`{"type":"rod","edge":"d4"}`, `at /edge: "d4" is not an edge`},
		{`{"type":"rod","edge":"d4-"}`, "is not an edge"},
		{`{"type":"rod","edge":"d4-d4"}`, "is not an edge"},
		{`{"type":"rod","edge":"d4-e5"}`, "d4 and e5 share none"},
		{`{"type":"rod","edge":"d4-d6"}`, "share none"},
		{`{"type":"rod","edge":"d6-d5"}`, `names the higher square first: write "d5-d6"`},
		{`{"type":"rod","edge":"e5-d5"}`, `names the higher square first: write "d5-e5"`},
		{`{"type":"rod","edge":"d5-d6-d7"}`, "is not an edge"},
	} {
		m := deal(t, "")
		before := m.Hash()
		err := m.Check(game.Turn{Seat: 0, Action: json.RawMessage(row.wire)})
		if !errors.Is(err, game.ErrIllegal) || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: got %v, want a refusal with %q", row.wire, err, row.want)
		}
		if _, err := m.Apply([]game.Turn{{Seat: 0, Action: json.RawMessage(row.wire)}}); err == nil || m.Hash() != before || m.Step() != 0 {
			t.Errorf("%s: Apply: got %v at step %d, want a refusal that changes nothing", row.wire, err, m.Step())
		}
	}
}

func TestRefusedMovesSayWhy(t *testing.T) {
	m := deal(t, "").do("start d4", "rod d4-d5", "move c4", "rod c4-c5")
	for words, want := range map[string]string{
		"move d4":      "d4 has been visited in this round",
		"move c5":      "a rod lies between c4 and c5",
		"move d5":      "rods bar both ways round the corner from c4 to d5",
		"move g9":      "g9 is not next to the mole on c4",
		"move h4":      "h4 is not on this board (a1 to g9)",
		"jump c5":      "the mole may jump only in the turn after it has moved to the centre d5",
		"start a1":     "start is not asked now: a move (or, when it may, a jump) is due",
		"rod a1-a2":    "rod is not asked now: a move (or, when it may, a jump) is due",
		"rod a20-a21":  "rod is not asked now",
		"jump a1":      "only in the turn after",
		"move u21":     "u21 is not on this board",
		"move c4":      "c4 has been visited in this round",
		"start d4":     "start is not asked now",
		"rod d4-d5":    "rod is not asked now",
		"move a4":      "a4 is not next to the mole on c4",
		"jump d4":      "d4 has been visited",
		"move c9":      "c9 is not next to the mole on c4",
		"rod not-edge": "is not an edge",
	} {
		m.refuses(words, want)
	}
}

func TestTheOtherSeatIsNotDue(t *testing.T) {
	m := deal(t, "")
	for seat, want := range map[game.Seat]string{1: "seat 1 is not due", 2: "there is no seat 2", -1: "there is no seat -1"} {
		if err := m.Check(turn(seat, "start d4")); !errors.Is(err, game.ErrSeats) || !strings.Contains(err.Error(), want) {
			t.Errorf("seat %d: got %v, want a refusal with %q", seat, err, want)
		}
	}
}
