package demol_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/housetest"
)

// A table of five where seat 1 was caught: it failed a mission alone with the agent who looks. A leader is an agent who
// leads already, a friend a mole who knows the other.
func caught(role, phase, offer string) *protocol.Turn {
	const unplayed = `{"size":3,"fails_needed":1,"result":null,"fails":null,"team":[],"open":{}}`
	leader, known := "3", ""
	switch role {
	case "leader":
		leader, role = "0", "agent"
	case "friend":
		known, role = `"1":"mole"`, "mole"
	}
	return &protocol.Turn{Game: "demol", Seat: 0, Offer: json.RawMessage(`{"list":[` + offer + `]}`), View: json.RawMessage(`{
		"phase":"` + phase + `","round":2,"attempt":2,"leader":` + leader + `,"due":[0],"mission":2,"team":[0,1,2],"talk_left":0,"drawn":[],"deck":6,"discard":[],
		"missions":[{"size":2,"fails_needed":1,"result":"fail","fails":1,"team":[0,1],"open":{}},` + unplayed + `,` + unplayed + `,` + unplayed + `,` + unplayed + `],
		"seats":[{"seat":0,"cards":[]},{"seat":1,"cards":[]},{"seat":2,"cards":[]},{"seat":3,"cards":[]},{"seat":4,"cards":[]}],"open_votes":{},"spotlit":[],"open_mission":{},
		"votes":[],"plays":[],"me":{"seat":0,"role":"` + role + `","known":{` + known + `},"peeks":[],"played":[]}}`)}
}

func TestGreedyDrawsTheConclusionsOfDeMol(t *testing.T) {
	for _, row := range []struct {
		name, role, phase, offer string
		want                     int
	}{
		{"an agent sends nobody it has caught", "agent", "team", `{"type":"team","members":[0,1,2]},{"type":"team","members":[1,2,3]},{"type":"team","members":[0,2,3]}`, 2},
		{"an agent rejects a team with the mole", "agent", "vote", `{"type":"vote","approve":true},{"type":"vote","approve":false}`, 1},
		{"an agent stops it too", "agent", "no_confidence", `{"type":"no_confidence","play":false},{"type":"no_confidence","play":true}`, 1},
		{"an agent looks at the mole's card", "agent", "close_eye", `{"type":"close_eye","at":2},{"type":"close_eye","at":1},{"type":"close_eye","at":null}`, 1},
		{"an agent gives to another", "agent", "give", `{"type":"give","card":"open_up","to":1},{"type":"give","card":"open_up","to":3}`, 1},
		{"an agent takes from the mole", "agent", "take", `{"type":"take","from":1,"card":"no_confidence"},{"type":"take","from":2,"card":"close_eye"}`, 0},
		{"an agent takes the lead", "agent", "strong_leader", `{"type":"strong_leader","play":false},{"type":"strong_leader","play":true}`, 1},
		{"a leader does not", "leader", "strong_leader", `{"type":"strong_leader","play":true},{"type":"strong_leader","play":false}`, 1},
		{"an agent looks at the mole", "agent", "look", `{"type":"look","at":4},{"type":"look","at":1}`, 1},
		{"an agent shows its card to none it has caught", "agent", "show", `{"type":"show","to":1},{"type":"show","to":4}`, 1},
		{"an agent gives what may be held to none it has caught", "agent", "give", `{"type":"give","card":"no_confidence","to":1},{"type":"give","card":"no_confidence","to":4}`, 1},
		{"an agent puts the mole in the spotlight", "agent", "spotlight", `{"type":"spotlight","at":null},{"type":"spotlight","at":2},{"type":"spotlight","at":1}`, 2},
		{"a mole names no mole it knows", "friend", "spotlight", `{"type":"spotlight","at":1},{"type":"spotlight","at":null}`, 1},
		{"a mole shows its card to the mole it knows", "friend", "show", `{"type":"show","to":2},{"type":"show","to":1}`, 1},
		{"a mole gives to the mole it knows", "friend", "give", `{"type":"give","card":"close_eye","to":1},{"type":"give","card":"close_eye","to":3}`, 0},
		{"a mole takes from others", "friend", "take", `{"type":"take","from":1,"card":"close_eye"},{"type":"take","from":3,"card":"no_confidence"}`, 1},
		{"an agent plays success", "agent", "mission", `{"type":"mission","success":true}`, 0},
		{"a mole goes itself", "mole", "team", `{"type":"team","members":[1,2,3]},{"type":"team","members":[0,2,3]}`, 1},
		{"a mole approves its own team", "mole", "vote", `{"type":"vote","approve":false},{"type":"vote","approve":true}`, 1},
		{"a mole fails", "mole", "mission", `{"type":"mission","success":true},{"type":"mission","success":false}`, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := housetest.Choice(t, "greedy", caught(row.role, row.phase, row.offer)); got != row.want {
				t.Errorf("chose entry %d, want %d", got, row.want)
			}
		})
	}
}

func TestThinkerDrawsTheConclusionsOfDeMol(t *testing.T) {
	for _, row := range []struct {
		name, role, phase, offer string
		want                     int
	}{
		{"an agent sends nobody it has caught", "agent", "team", `{"type":"team","members":[0,1,2]},{"type":"team","members":[1,2,3]},{"type":"team","members":[0,2,3]}`, 2},
		{"an agent rejects a team with the mole", "agent", "vote", `{"type":"vote","approve":true},{"type":"vote","approve":false}`, 1},
		{"an agent plays success", "agent", "mission", `{"type":"mission","success":true}`, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := housetest.Choice(t, "thinker", caught(row.role, row.phase, row.offer)); got != row.want {
				t.Errorf("chose entry %d, want %d", got, row.want)
			}
		})
	}
}

// voted adds the vote that sent seats 0 and 1.
func voted(turn *protocol.Turn) *protocol.Turn {
	turn.View = bytes.Replace(turn.View, []byte(`"votes":[]`), []byte(`"votes":[{"round":1,"attempt":1,"leader":0,"mission":1,"team":[0,1],
		"approve":[true,true,true,false,false],"approved":true,"no_confidence":null}]`), 1)
	return turn
}

// An agent in seat 0 would know that seat 1 failed the mission.
func TestThinkerAsAMoleVotesLikeTheAgentItCouldBe(t *testing.T) {
	const votes = `{"type":"vote","approve":true},{"type":"vote","approve":false}`
	if got := housetest.Choice(t, "thinker", voted(caught("friend", "vote", votes))); got != 1 {
		t.Errorf("chose entry %d, want 1, a vote against", got)
	}
}

func TestOfTwoMolesOnATeamOneFails(t *testing.T) {
	const cards = `{"type":"mission","success":true},{"type":"mission","success":false}`
	fails := 0
	for seat, other := range []string{"1", "0"} {
		turn := voted(caught("friend", "mission", cards))
		turn.Seat = game.Seat(seat)
		turn.View = bytes.Replace(turn.View, []byte(`"known":{"1":"mole"}`), []byte(`"known":{"`+other+`":"mole"}`), 1)
		turn.View = bytes.Replace(turn.View, []byte(`"me":{"seat":0`), []byte(fmt.Sprintf(`"me":{"seat":%d`, seat)), 1)
		fails += housetest.Choice(t, "thinker", turn)
	}
	if fails != 1 {
		t.Errorf("%d of two moles fail, want one", fails)
	}
}
