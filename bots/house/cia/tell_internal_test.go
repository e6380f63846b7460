package cia

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/cia"
)

// What a move gives away is whom the seat was dealt, whatever free agents it has taken: a dossier counts that one alone.
func TestAMoveGivesAwayTheAgentThatWasDealt(t *testing.T) {
	moves := []cia.Action{{Kind: cia.ActMove}, {Kind: cia.ActMove}, {Kind: cia.ActMove}}
	for i, name := range []string{"grey", "red", "purple"} {
		a, _ := cia.ParseAgent(name)
		moves[i].Steps[a] = 3
	}
	tells := func(extra string) string {
		mind, err := newThinkerMind(&protocol.Turn{
			Game: "cia", Seat: 0, Config: json.RawMessage(`{"track":42}`),
			View: json.RawMessage(`{"phase":"move","turn":1,"turns":5,"roll":"3","safe":"7",
			"agents":{"grey":"church","yellow":"church","orange":"church","red":"church","green":"church","blue":"6","purple":"church"},
			"stones":{"grey":0,"yellow":0,"orange":0,"red":0,"green":0,"blue":0,"purple":0},
			"flags":[],"hands":[0,0,0,0],"drawn":false,"dossier_filed":false,"me":{"seat":0,"agent":"red","extra_agents":[` + extra + `]}}`),
		}, rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			t.Fatal(err)
		}
		for k := range moves {
			mind.shows(moves, k)
		}
		return fmt.Sprint(mind.tell)
	}
	alone := tells("")
	for _, extra := range []string{`"grey"`, `"purple"`, `"grey","purple"`} {
		if got := tells(extra); got != alone {
			t.Errorf("with %s taken its moves give away %s, want %s as without", extra, got, alone)
		}
	}
}
