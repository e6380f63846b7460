package house_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/game"
)

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
			a, err := find(t, "thinker").Decide(1)(context.Background(), caught(row.role, row.phase, row.offer))
			if err != nil || *a.Choose != row.want {
				t.Fatalf("got %+v, %v, want %d", a, err, row.want)
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
	a, err := find(t, "thinker").Decide(1)(context.Background(), voted(caught("friend", "vote", votes)))
	if err != nil || *a.Choose != 1 {
		t.Errorf("got %+v, %v, want a vote against", a, err)
	}
}

func TestOfTwoMolesOnATeamOneFails(t *testing.T) {
	const cards = `{"type":"mission","success":true},{"type":"mission","success":false}`
	fails := 0
	for seat, other := range []string{"1", "0"} {
		turn := voted(caught("friend", "mission", cards))
		turn.Seat = game.Seat(seat) //nolint:gosec // 0 or 1
		turn.View = bytes.Replace(turn.View, []byte(`"known":{"1":"mole"}`), []byte(`"known":{"`+other+`":"mole"}`), 1)
		turn.View = bytes.Replace(turn.View, []byte(`"me":{"seat":0`), []byte(fmt.Sprintf(`"me":{"seat":%d`, seat)), 1)
		a, err := find(t, "thinker").Decide(1)(context.Background(), turn)
		if err != nil {
			t.Fatal(err)
		}
		fails += *a.Choose
	}
	if fails != 1 {
		t.Errorf("%d of two moles fail, want one", fails)
	}
}

// asked is a turn of CIA at four seats: seat 0 runs red and knows no more than the events tell.
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
	decide := find(t, "thinker").Decide(1)
	first := asked("dossier", forms, "", `{"kind":"roll","seat":2,"roll":"6"}`, `{"kind":"move","seat":2,"agents":{"blue":"6"}}`)
	a, err := decide(context.Background(), first)
	if err != nil {
		t.Fatal(err)
	}
	got := owners(t, a)
	if got["blue"] == nil || *got["blue"] != 2 || got["red"] == nil || *got["red"] != 0 {
		t.Errorf("got %s, want blue behind 2 and red, its own, behind 0", a.Action)
	}
	again, err := decide(context.Background(), asked("dossier", forms, a.Memo))
	if err != nil || !bytes.Equal(again.Action, a.Action) {
		t.Errorf("from the memo alone %s, %v, want %s", again.Action, err, a.Action)
	}
	if len(a.Memo) > protocol.MaxMemoBytes {
		t.Errorf("a memo of %d bytes, at most %d are kept", len(a.Memo), protocol.MaxMemoBytes)
	}
}

func TestThinkerLivesWithALostOrForeignMemo(t *testing.T) {
	for _, memo := range []string{"", "x", "{}", `{"log":[]}`, `{"log":[[1],[1],[1],[1]]}`, strings.Repeat("[", 4096)} {
		a, err := find(t, "thinker").Decide(1)(context.Background(), asked("dossier", `{"forms":[],"examples":[]}`, memo,
			`{"kind":"move","seat":99,"agents":{"nobody":"nowhere"}}`, `17`))
		if err != nil {
			t.Errorf("memo %.20q: %v", memo, err)
			continue
		}
		if got := owners(t, a); got["red"] == nil || *got["red"] != 0 {
			t.Errorf("memo %.20q: %s", memo, a.Action)
		}
	}
}

// The same seed and turn give the same answer, whoever asks and whenever; so matches can be played again.
func TestEveryHouseBotPlaysTheSameMatchAgain(t *testing.T) {
	for _, e := range catalog.All() {
		info := e.Info()
		for _, name := range house.Names() {
			bot := find(t, name)
			if name == "searcher" {
				bot = house.Searcher(3)
			}
			if !slices.Contains(bot.Games, info.ID) {
				continue
			}
			record := func() string {
				var log strings.Builder
				seats := make([]kit.Decide, info.MinSeats)
				for i := range seats {
					decide := bot.Decide(5)
					seats[i] = func(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
						a, err := decide(ctx, turn)
						if err == nil {
							action, _ := kit.Chosen(turn.Offer, a)
							fmt.Fprintf(&log, "%d %d %s %s\n", turn.Step, turn.Seat, action, a.Memo)
						}
						return a, err
					}
				}
				play(t, e, `{}`, 9, seats)
				return log.String()
			}
			if first := record(); first == "" || first != record() {
				t.Errorf("%s, %s: two runs of one match differ", info.ID, name)
			}
		}
	}
}

func TestAMatchStopsAtAnIllegalAction(t *testing.T) {
	e := game.Wrap(cia.Rules{})
	config, err := e.Configure(nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	table, events, err := e.New(config, 2, house.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	cheat := func(context.Context, *protocol.Turn) (protocol.Answer, error) {
		return protocol.Answer{Action: json.RawMessage(`{"type":"safe","to":"7"}`)}, nil
	}
	if _, err := house.Play(context.Background(), e, config, table, events, []kit.Decide{cheat, cheat}); err == nil || !strings.Contains(err.Error(), "illegal_action") {
		t.Errorf("got %v, want illegal_action", err)
	}
}
