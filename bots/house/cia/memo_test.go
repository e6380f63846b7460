package cia_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/internal/housetest"
)

// asked returns a turn of CIA at four seats: seat 0 runs red and knows no more than the events tell.
func asked(phase, offer, memo string, events ...string) *protocol.Turn {
	t := &protocol.Turn{
		Game: "cia", Seat: 0, Memo: memo, Config: json.RawMessage(`{"track":42,"dossier":true}`), Offer: json.RawMessage(offer),
		View: json.RawMessage(`{"phase":"` + phase + `","turn":1,"turns":5,"roll":"3","safe":"7",
		"agents":{"grey":"church","yellow":"church","orange":"church","red":"church","green":"church","blue":"6","purple":"church"},
		"stones":{"grey":0,"yellow":0,"orange":0,"red":0,"green":0,"blue":0,"purple":0},
		"flags":[],"hands":[0,0,0,0],"drawn":false,"dossier_filed":false,"me":{"seat":0,"agent":"red","extra_agents":[]}}`),
	}
	for _, e := range events {
		t.Events = append(t.Events, json.RawMessage(e))
	}
	return t
}

func owners(t *testing.T, a protocol.Answer) map[string]*int {
	t.Helper()
	var action struct{ Owners map[string]*int }
	if err := json.Unmarshal(a.Action, &action); err != nil || len(action.Owners) != 7 {
		t.Fatalf("%s: %v", a.Action, err)
	}
	return action.Owners
}

// Seat 2 spends all its points on blue.
func TestThinkerWritesDownWhomItHasSeenThrough(t *testing.T) {
	const forms = `{"forms":[{"type":"dossier","fields":[]}],"examples":[]}`
	first := asked("dossier", forms, "", `{"kind":"roll","seat":2,"roll":"6"}`, `{"kind":"move","seat":2,"agents":{"blue":"6"}}`)
	a := housetest.Ask(t, "thinker", first)
	got := owners(t, a)
	if blue := got["blue"]; blue == nil || *blue != 2 {
		t.Errorf("got %s, want blue behind 2", a.Action)
	}
	if red := got["red"]; red == nil || *red != 0 {
		t.Errorf("got %s, want red, its own, behind 0", a.Action)
	}
	if again := housetest.Ask(t, "thinker", asked("dossier", forms, a.Memo)); !bytes.Equal(again.Action, a.Action) {
		t.Errorf("from the memo alone %s, want %s", again.Action, a.Action)
	}
	if len(a.Memo) > protocol.MaxMemoBytes {
		t.Errorf("a memo of %d bytes, at most %d are kept", len(a.Memo), protocol.MaxMemoBytes)
	}
}

func TestThinkerLivesWithALostOrForeignMemo(t *testing.T) {
	for _, memo := range []string{"", "x", "{}", `{"log":[]}`, `{"log":[[1],[1],[1],[1]]}`, strings.Repeat("[", 4096)} {
		a := housetest.Ask(t, "thinker", asked("dossier", `{"forms":[],"examples":[]}`, memo,
			`{"kind":"move","seat":99,"agents":{"nobody":"nowhere"}}`, `17`))
		if got := owners(t, a); got["red"] == nil || *got["red"] != 0 {
			t.Errorf("memo %.20q: %s", memo, a.Action)
		}
	}
}
