package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/molerun/molerun/cli/local/agent"
	"github.com/molerun/molerun/docs"
	"github.com/molerun/molerun/engines/catalog"
)

// look is what a script reads of an answer.
type look struct {
	Match   string
	Step    int
	State   string
	Talk    bool
	Words   string
	Events  []struct{ Kind, Text string }
	Actions []struct {
		Choose int
		Action map[string]any
	}
	More    int
	Forms   []any
	Players []string
	Result  *struct {
		Rank []int
		Why  string
	}
}

// script is a client that plays by the tools alone.
type script struct {
	*mcp.ClientSession
	t *testing.T
}

// begin serves in memory until the test ends; nothing is left running then.
func begin(t *testing.T) script {
	t.Helper()
	left := goleak.IgnoreCurrent()
	client, server := mcp.NewInMemoryTransports()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- agent.Serve(ctx, agent.Options{Engines: catalog.All(), Rules: docs.Files(), Seed: func() uint64 { return 1 }, Version: "test"}, server)
	}()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "script", Version: "1"}, nil).Connect(ctx, client, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		if err := <-ended; err != nil { // hanging up first, or told to stop: both are ends
			t.Logf("served until: %v", err)
		}
		stop()
		goleak.VerifyNone(t, left)
	})
	return script{session, t}
}

// try calls a tool; refused is its words if it refuses.
func (s script) try(tool string, args map[string]any, out any) (refused string) {
	s.t.Helper()
	got, err := s.CallTool(s.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return err.Error()
	}
	text := ""
	if len(got.Content) > 0 {
		text = got.Content[0].(*mcp.TextContent).Text
	}
	if got.IsError {
		return text
	}
	if b, ok := out.(*string); ok {
		*b = text
		return ""
	}
	if l, ok := out.(*look); ok {
		*l = look{} // nothing of the look before
	}
	if err := json.Unmarshal([]byte(text), out); err != nil {
		s.t.Fatalf("%s: %v\n%s", tool, err, text)
	}
	return ""
}

func (s script) call(tool string, args map[string]any, out any) {
	s.t.Helper()
	if refused := s.try(tool, args, out); refused != "" {
		s.t.Fatalf("%s %v is refused: %s", tool, args, refused)
	}
}

func TestAScriptPlaysAWholeMatchOfEachGame(t *testing.T) {
	s := begin(t)
	for i, e := range catalog.All() {
		id, seat := e.Info().ID, e.Info().MinSeats-1
		var l look
		s.call("start_match", map[string]any{"game": id, "seat": seat, "opponents": []string{"greedy"}, "seed": 7}, &l)
		switch {
		case l.Words == "":
			t.Error("l.Words is empty")
		case l.Players[seat] != "you":
			t.Errorf(`l.Players[seat] is %q, want "you"`, l.Players[seat])
		case l.Players[0] != "greedy":
			t.Errorf(`l.Players[0] is %q, want "greedy"`, l.Players[0])
		case len(l.Players) != e.Info().MinSeats:
			t.Errorf("len(l.Players) is %v, want %v", len(l.Players), e.Info().MinSeats)
		}
		luck, turns := rand.New(rand.NewPCG(1, uint64(i))), 0
		for ; l.State == "your_turn"; turns++ {
			if len(l.Actions) == 0 || turns > 2000 {
				t.Fatalf("%s, step %d, turn %d: no action is shown, or it never ends", id, l.Step, turns)
			}
			pick, step := l.Actions[luck.IntN(len(l.Actions))], l.Step
			args := map[string]any{"match": l.Match, "step": step, "choose": pick.Choose}
			if turns%2 == 1 { // in full, as a model would from a form
				args = map[string]any{"match": l.Match, "step": step, "action": pick.Action}
			}
			s.call("act", args, &l)
			if l.State == "your_turn" && l.Step <= step {
				t.Fatalf("%s: step %d came after step %d", id, l.Step, step)
			}
		}
		switch {
		case turns == 0:
			t.Error("turns is 0")
		case l.State != "over":
			t.Errorf(`l.State is %q, want "over"`, l.State)
		case l.Result == nil:
			t.Error("l.Result is nil")
		case len(l.Result.Rank) != len(l.Players):
			t.Errorf("len(l.Result.Rank) is %v, want %v", len(l.Result.Rank), len(l.Players))
		case l.Words == "":
			t.Error("l.Words is empty")
		}
		if refused := s.try("act", map[string]any{"match": l.Match, "step": l.Step, "choose": 0}, &l); !strings.Contains(refused, "the match is over") {
			t.Errorf("%s: an action after the end is answered %q", id, refused)
		}
		t.Logf("%s: %d turns", id, turns)
	}
}

func TestAMatchIsGoneOnWithByItsNameAndNothingIsPlayedTwice(t *testing.T) {
	s := begin(t)
	var first, other, again look
	s.call("start_match", map[string]any{"game": "molehill", "opponents": []string{"thinker"}}, &first)
	s.call("start_match", map[string]any{"game": "cia", "seats": 4, "opponents": []string{"random", "greedy"}}, &other)
	var list struct {
		Matches []struct {
			Match   string
			Players []string
			Over    bool
		}
	}
	s.call("list_matches", nil, &list)
	if got := fmt.Sprint(list.Matches); got != "[{molehill-1 [you thinker] false} {cia-2 [you random greedy random] false}]" {
		t.Errorf("matches %s", got)
	}
	s.call("look", map[string]any{"match": first.Match}, &again)
	if a, b := fmt.Sprintf("%+v", first), fmt.Sprintf("%+v", again); a != b {
		t.Errorf("looking again shows\n%s\nwant\n%s", b, a)
	}
	args := map[string]any{"match": first.Match, "step": first.Step, "choose": 0}
	s.call("act", args, &again)
	if refused := s.try("act", args, &again); !strings.Contains(refused, fmt.Sprintf("you named step %d", first.Step)) {
		t.Errorf("the same act again is answered %q, want a refusal", refused)
	}
	s.call("look", map[string]any{"match": first.Match, "from": 1}, &again)
	if len(again.Actions) == 0 || again.Actions[0].Choose != 1 {
		t.Errorf("actions from 1 on begin with %+v", again.Actions)
	}
}

// What a model says is told to the table in the step it is said.
func TestWordsReachTheTableWhereTheGameHasTalk(t *testing.T) {
	s := begin(t)
	var l look
	s.call("start_match", map[string]any{"game": "demol"}, &l)
	if !l.Talk {
		t.Fatal("De Mol has no talk")
	}
	s.call("act", map[string]any{"match": l.Match, "step": l.Step, "choose": l.Actions[0].Choose, "say": "I am no mole"}, &l)
	heard := false
	for _, e := range l.Events {
		heard = heard || e.Kind == "say"
	}
	if !heard {
		t.Errorf("events %+v, want the words among them", l.Events)
	}
	var hill look
	s.call("start_match", map[string]any{"game": "molehill"}, &hill)
	refused := s.try("act", map[string]any{"match": hill.Match, "step": hill.Step, "choose": 0, "say": "hello"}, &hill)
	if !strings.Contains(refused, "nothing was played") {
		t.Errorf("words in a game without talk are answered %q", refused)
	}
	var after look
	s.call("look", map[string]any{"match": hill.Match}, &after)
	if after.Step != hill.Step {
		t.Errorf("step %d after a refusal, want %d", after.Step, hill.Step)
	}
}

func TestWhatMakesNoSenseIsRefusedWithWhatThereIs(t *testing.T) {
	s := begin(t)
	var games struct {
		Games []struct {
			Game     string
			Variants []string
		}
		House []struct{ Name string } `json:"house_bots"`
	}
	s.call("list_games", nil, &games)
	if len(games.Games) != 5 || len(games.House) != 4 {
		t.Errorf("%d games and %d house bots, want 5 and 4", len(games.Games), len(games.House))
	}
	for _, g := range games.Games {
		var text string
		if s.call("rules", map[string]any{"game": g.Game}, &text); !strings.HasPrefix(text, "# ") {
			t.Errorf("the rules of %s begin with %.40q", g.Game, text)
		}
		var l look
		s.call("start_match", map[string]any{"game": g.Game, "variant": g.Variants[len(g.Variants)-1]}, &l)
	}
	var l look
	s.call("start_match", map[string]any{"game": "molehill"}, &l)
	for _, row := range []struct {
		name, tool string
		args       map[string]any
		part       string
	}{
		{"no game", "start_match", map[string]any{"game": "chess"}, "molehill"},
		{"no rules", "rules", map[string]any{"game": "../swagger"}, "there is no game"},
		{"no bot", "start_match", map[string]any{"game": "molehill", "opponents": []string{"genius"}}, "greedy"},
		{"no seat", "start_match", map[string]any{"game": "molehill", "seat": 2}, "seats count from 0"},
		{"a crowd", "start_match", map[string]any{"game": "molehill", "seats": 2, "opponents": []string{"random", "random"}}, "table of 2"},
		{"too large a table", "start_match", map[string]any{"game": "molehill", "seats": 3}, "2"},
		{"no variant", "start_match", map[string]any{"game": "molehill", "variant": "x"}, "no variant"},
		{"variant and config", "start_match", map[string]any{"game": "molehill", "variant": "base", "config": map[string]any{}}, "not both"},
		{"a bad key", "start_match", map[string]any{"game": "molehill", "config": map[string]any{"holes": 1}}, "holes"},
		{"no match", "look", map[string]any{"match": "chess-1"}, "there is no match"},
		{"neither", "act", map[string]any{"match": l.Match, "step": l.Step}, "choose or action"},
		{"out of range", "act", map[string]any{"match": l.Match, "step": l.Step, "choose": 1 << 20}, "nothing was played"},
		{"no such action", "act", map[string]any{"match": l.Match, "step": l.Step, "action": map[string]any{"type": "fly"}}, "nothing was played"},
		{"an unknown key", "act", map[string]any{"match": l.Match, "step": l.Step, "choice": 0}, "choice"},
	} {
		if refused := s.try(row.tool, row.args, &look{}); !strings.Contains(refused, row.part) {
			t.Errorf("%s: answered %q, want a refusal with …%s…", row.name, refused, row.part)
		}
	}
}
