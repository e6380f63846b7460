package molehill_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
	"github.com/molerun/molerun/engines/molehill"
	"github.com/molerun/molerun/internal/must"
)

var engine = game.Wrap(molehill.Rules{})

// match is a table with short words for tests: an action is "start d4", "move e5", "jump a9" or "rod d5-d6".
type match struct {
	t *testing.T
	game.Table
	events []string // all so far
	spare  []string // rods that bar nothing left of column f
}

// deal starts a match of config (seat 0 is the mole first, unless config says otherwise).
func deal(t *testing.T, config string) *match {
	t.Helper()
	if config == "" {
		config = `{"first_mole":0}`
	}
	table, events, err := engine.New([]byte(config), 2, game.Seed{1})
	if err != nil {
		t.Fatalf("deal %s: %v", config, err)
	}
	m := &match{t: t, Table: table}
	m.note(events)
	for row := 1; row < 9; row++ {
		m.spare = append(m.spare, fmt.Sprintf("f%d-f%d", row, row+1), fmt.Sprintf("g%d-g%d", row, row+1), fmt.Sprintf("f%d-g%d", row, row))
	}
	return m
}

func (m *match) note(events []game.Event) {
	for _, e := range events {
		m.events = append(m.events, string(e.Data))
	}
}

func turn(seat game.Seat, words string) game.Turn {
	kind, place, _ := strings.Cut(words, " ")
	key := map[string]string{"start": "at", "move": "to", "jump": "to", "rod": "edge"}[kind]
	return game.Turn{Seat: seat, Action: fmt.Appendf(nil, `{"type":%q,%q:%q}`, kind, key, place)}
}

// do plays actions of the seats due; all must be legal.
func (m *match) do(actions ...string) *match {
	m.t.Helper()
	for _, words := range actions {
		events, err := m.Apply([]game.Turn{turn(m.Due().Lowest(), words)})
		if err != nil {
			m.t.Fatalf("%s: %v", words, err)
		}
		m.note(events)
	}
	return m
}

// walk starts the mole on the first square and moves it along the others; the gardener lays rods out of the way, after
// the given ones.
func (m *match) walk(path string, rods ...string) *match {
	m.t.Helper()
	m.spare = append(rods, m.spare...)
	for i, square := range strings.Fields(path) {
		if i == 0 {
			m.do("start " + square)
			continue
		}
		m.layNext()
		m.do("move " + square)
	}
	return m
}

func (m *match) layNext() *match {
	m.t.Helper()
	m.do("rod " + m.spare[0])
	m.spare = m.spare[1:]
	return m
}

// refuses tells the reason why an action of the seat due is refused, and fails the test if it is not.
func (m *match) refuses(words, reason string) *match {
	m.t.Helper()
	err := m.Check(turn(m.Due().Lowest(), words))
	if err == nil || !strings.Contains(err.Error(), reason) {
		m.t.Errorf("%s: got %v, want a refusal with %q", words, err, reason)
	}
	return m
}

// allows fails the test if an action of the seat due is refused.
func (m *match) allows(actions ...string) *match {
	m.t.Helper()
	for _, words := range actions {
		if err := m.Check(turn(m.Due().Lowest(), words)); err != nil {
			m.t.Errorf("%s: got %v, want it legal", words, err)
		}
	}
	return m
}

// shows compares keys of the view with JSON values: shows("score", "2", "phase", `"rod"`).
func (m *match) shows(pairs ...string) *match {
	m.t.Helper()
	var view map[string]json.RawMessage
	must.OK(m.t, json.Unmarshal(m.View(0), &view))
	for i := 0; i < len(pairs); i += 2 {
		if got := string(view[pairs[i]]); got != pairs[i+1] {
			m.t.Errorf("%s: got %s, want %s", pairs[i], got, pairs[i+1])
		}
	}
	return m
}

// lastEvents compares the kinds of the last events.
func (m *match) lastEvents(kinds ...string) *match {
	m.t.Helper()
	var got []string
	for _, data := range m.events[max(0, len(m.events)-len(kinds)):] {
		var e struct{ Kind string }
		must.OK(m.t, json.Unmarshal([]byte(data), &e))
		got = append(got, e.Kind)
	}
	if !slices.Equal(got, kinds) {
		m.t.Errorf("last events: got %v, want %v", got, kinds)
	}
	return m
}

// offered lists the offer of the seat due in short words.
func (m *match) offered() []string {
	m.t.Helper()
	var offer struct{ List []map[string]string }
	must.OK(m.t, json.Unmarshal(m.Offer(m.Due().Lowest()), &offer))
	out := make([]string, 0, len(offer.List))
	for _, a := range offer.List {
		out = append(out, a["type"]+" "+a["at"]+a["to"]+a["edge"])
	}
	return out
}

// ofType counts the offered actions of one type.
func (m *match) ofType(kind string) (n int) {
	m.t.Helper()
	for _, words := range m.offered() {
		if strings.HasPrefix(words, kind+" ") {
			n++
		}
	}
	return n
}

// view returns the decoded view.
func (m *match) view() (v molehill.View) {
	m.t.Helper()
	must.OK(m.t, strict.Decode(m.View(game.Spectator), &v))
	return v
}

// scale multiplies the counts of random tests: 20 with MOLERUN_NIGHTLY=1, else 1.
var scale = map[bool]int{true: 20, false: 1}[os.Getenv("MOLERUN_NIGHTLY") == "1"]
