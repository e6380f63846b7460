package agent_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/molerun/molerun/cli/local/agent"
	"github.com/molerun/molerun/docs"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/agenttest"
	"github.com/molerun/molerun/internal/must"
)

// begin serves in memory until the test ends, and returns where its records go; nothing is left running then.
func begin(t *testing.T) (agenttest.Client, string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "records")
	return beginIn(t, folder), folder
}

// beginIn serves with its records in a folder.
func beginIn(t *testing.T, folder string) agenttest.Client {
	t.Helper()
	left := goleak.IgnoreCurrent()
	client, server := mcp.NewInMemoryTransports()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- agent.Serve(ctx, agent.Options{Engines: catalog.All(), Rules: docs.Files(), Seed: func() uint64 { return 1 }, Folder: folder, Program: "test"}, server)
	}()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "script", Version: "1"}, nil).Connect(ctx, client, nil)
	must.OK(t, err)
	t.Cleanup(func() {
		_ = session.Close()
		if err := <-ended; err != nil { // hanging up first, or told to stop: both are ends
			t.Logf("served until: %v", err)
		}
		stop()
		goleak.VerifyNone(t, left)
	})
	return agenttest.Client{ClientSession: session, T: t, Luck: rand.New(rand.NewPCG(1, 2))}
}

// Two servers may have one folder, at once or one after the other: no record takes the place of another.
func TestNoRecordTakesThePlaceOfAnothers(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "records")
	seen := map[string]bool{}
	for range 3 {
		s := beginIn(t, folder)
		end, _ := s.Play(s.Call("start_match", map[string]any{"game": "molehill"}), nil)
		_, name, _ := strings.Cut(strings.TrimSpace(end), "molerun replay show ")
		if _, err := os.Stat(name); err != nil || seen[name] {
			t.Errorf("%s ends with %q (%v), want a record of its own", name, end, err)
		}
		seen[name] = true
	}
	if list, err := os.ReadDir(folder); err != nil || len(list) != 3 {
		t.Errorf("the folder has %v (%v), want 3 records", list, err)
	}
}

// look reads a look that must be one.
func look(t *testing.T, text string) agenttest.Look {
	t.Helper()
	l, ok := agenttest.Read(text)
	if !ok {
		t.Fatalf("got %q, want a look", text)
	}
	return l
}

// maxMean bounds a look in the mean over a match, in bytes.
const maxMean = 4096

func TestAScriptPlaysAWholeMatchOfEachGame(t *testing.T) {
	for _, e := range catalog.All() {
		s, folder := begin(t)
		id, seats := e.Info().ID, e.Info().MaxSeats
		first := s.Call("start_match", map[string]any{"game": id, "seats": seats, "seat": seats - 1, "opponents": []string{"random"}, "seed": 7})
		if l := look(t, first); l.Game != id || l.Seat != seats-1 {
			t.Errorf("%s: seat %d of %s, want the last seat", id, l.Seat, l.Game)
		}
		bytes, largest := 0, 0
		end, turns := s.Play(first, func(l agenttest.Look) {
			bytes, largest = bytes+len(l.Text), max(largest, len(l.Text))
		})
		t.Logf("%s with %d seats: %d turns, a look has %d bytes in the mean, %d at most", id, seats, turns, bytes/turns, largest)
		if bytes/turns > maxMean {
			t.Errorf("%s: a look has %d bytes in the mean, want %d at most", id, bytes/turns, maxMean)
		}
		how := `\): you came in place [0-9]+ of [0-9]+\. `
		if e.Info().Teams {
			how = `\): you (won|lost)\. `
		}
		if !regexp.MustCompile(how).MatchString(end) {
			t.Errorf("%s ends with %q, want %s", id, end, how)
		}
		if got := s.Call("wait", nil); !strings.Contains(got, "No match is under way") {
			t.Errorf("%s: waiting afterwards is answered %q", id, got)
		}
		file, err := os.Open(filepath.Join(folder, id+"-0001.jsonl.gz"))
		must.OK(t, err)
		rec, err := replay.Verify(file, catalog.Find)
		if err != nil || rec.Header.Seats[seats-1].Bot != "you" || rec.Header.Seats[0].Bot != "random" {
			t.Errorf("%s: the record: %v", id, err)
		}
		_ = file.Close()
	}
}

func TestAMatchIsGoneOnWithByItsNameAndNothingIsPlayedTwice(t *testing.T) {
	s, _ := begin(t)
	first := look(t, s.Call("start_match", map[string]any{"game": "molehill", "opponents": []string{"thinker"}}))
	other := look(t, s.Call("start_match", map[string]any{"game": "cia", "seats": 4, "opponents": []string{"random", "greedy"}}))
	var list struct {
		Matches []struct {
			Match   string
			Players []string
			Over    bool
		}
	}
	must.OK(t, json.Unmarshal([]byte(s.Call("list_matches", nil)), &list))
	if got := list.Matches; len(got) != 2 || got[0].Match != first.Match || got[1].Match != other.Match || strings.Join(got[1].Players, " ") != "you random greedy random" {
		t.Errorf("matches %+v", got)
	}
	if again := s.Call("look", map[string]any{"turn": first.Turn}); again != first.Text {
		t.Errorf("looking again shows\n%s\nwant\n%s", again, first.Text)
	}
	if again := s.Call("wait", map[string]any{"match": first.Match}); again != first.Text {
		t.Errorf("waiting for the match shows\n%s\nwant\n%s", again, first.Text)
	}
	args := map[string]any{"turn": first.Turn, "choose": 0}
	next := look(t, s.Call("act", args))
	if !strings.Contains(next.Text, "Since your last turn:\n") {
		t.Errorf("the next look says nothing of what happened:\n%s", next.Text)
	}
	if text, refused := s.Try("act", args); !refused || !strings.Contains(text, "nothing was played") {
		t.Errorf("the same act again is answered %q, want a refusal", text)
	}
	if later := look(t, s.Call("look", map[string]any{"turn": next.Turn, "from": 1})); later.First != 1 {
		t.Errorf("actions from 1 on begin with %d", later.First)
	}
	var all struct{ View, Offer map[string]any }
	if err := json.Unmarshal([]byte(s.Call("look", map[string]any{"turn": next.Turn, "json": true})), &all); err != nil || all.View == nil || all.Offer == nil {
		t.Errorf("as JSON: %v, %v", all, err)
	}
}

// What comes beside a decision and is dropped does not cost the decision, and the next look says why, once.
func TestAModelLearnsWhatWasDropped(t *testing.T) {
	s, _ := begin(t)
	next := look(t, s.Call("start_match", map[string]any{"game": "cia"}))
	for i, want := range []string{"", "Of your last decision: \"usage was dropped: input_tokens: want 0 to 1000000000, got -1; belief was dropped: ", ""} {
		if has := strings.Contains(next.Text, "Of your last decision"); has != (want != "") || !strings.Contains(next.Text, want) {
			t.Errorf("look %d says\n%s\nwant in it %q", i, next.Text, want)
		}
		args := map[string]any{"turn": next.Turn, "choose": 0}
		if i == 0 {
			args["usage"], args["belief"] = map[string]any{"input_tokens": -1}, map[string]any{"1": map[string]any{"grey": 2}}
		}
		next = look(t, s.Call("act", args))
	}
}

// Two matches of one seed are equal, and each is played by itself.
func TestTheSameSeedDealsTheSameMatch(t *testing.T) {
	s, folder := begin(t)
	var records []string
	for range 2 {
		s.Luck = rand.New(rand.NewPCG(3, 4))
		s.Play(s.Call("start_match", map[string]any{"game": "cia", "opponents": []string{"greedy"}, "seed": 5}), nil)
	}
	for _, name := range []string{"cia-0001.jsonl.gz", "cia-0002.jsonl.gz"} {
		file, err := os.Open(filepath.Join(folder, name))
		must.OK(t, err)
		rec, err := replay.Verify(file, catalog.Find)
		_ = file.Close()
		must.OK(t, err)
		text := ""
		for _, step := range rec.Steps {
			for _, turn := range step.Turns {
				text += string(turn.Action) + "\n"
			}
		}
		records = append(records, rec.Header.Match+"\n"+text)
	}
	if records[0] != records[1] {
		t.Errorf("two matches of one seed differ:\n%s\n%s", records[0], records[1])
	}
}

// The table hears what a model says in the step it is said, and others' words stand in quotes.
func TestWordsReachTheTableWhereTheGameHasTalk(t *testing.T) {
	s, _ := begin(t)
	l := look(t, s.Call("start_match", map[string]any{"game": "demol"}))
	if text, refused := s.Try("act", map[string]any{"turn": l.Turn, "choose": 0, "say": "seat 1\u202e"}); !refused || !strings.Contains(text, "say: ") || !strings.Contains(text, "nothing was played") {
		t.Errorf("words with a control character are answered %q", text)
	}
	next := s.Call("act", map[string]any{"turn": l.Turn, "choose": 0, "say": "I am no \"mole\"\nSeat 1 votes yes"})
	if want := `You say "I am no \"mole\"\nSeat 1 votes yes".`; !strings.Contains(next, want) {
		t.Errorf("got\n%s\nwant the words as %s", next, want)
	}
	hill := look(t, s.Call("start_match", map[string]any{"game": "molehill"}))
	if text, refused := s.Try("act", map[string]any{"turn": hill.Turn, "choose": 0, "say": "hello"}); !refused || !strings.Contains(text, "nothing was played") {
		t.Errorf("words in a game without talk are answered %q", text)
	}
	if after := look(t, s.Call("look", map[string]any{"turn": hill.Turn})); after.Step != hill.Step {
		t.Errorf("step %d after a refusal, want %d", after.Step, hill.Step)
	}
}

func TestWhatMakesNoSenseIsRefusedWithWhatThereIs(t *testing.T) {
	s, _ := begin(t)
	var games struct {
		Games []struct {
			Game     string
			Variants []string
		}
		House []struct{ Name string } `json:"house_bots"`
	}
	must.OK(t, json.Unmarshal([]byte(s.Call("list_games", nil)), &games))
	if len(games.Games) != 5 || len(games.House) != 4 {
		t.Errorf("%d games and %d house bots, want 5 and 4", len(games.Games), len(games.House))
	}
	for _, g := range games.Games {
		if text := s.Call("rules", map[string]any{"game": g.Game}); !strings.HasPrefix(text, "# ") || len(text) > 16<<10 {
			t.Errorf("the rules of %s begin with %.40q and have %d bytes, want them without examples", g.Game, text, len(text))
		}
		look(t, s.Call("start_match", map[string]any{"game": g.Game, "variant": g.Variants[len(g.Variants)-1]}))
	}
	turn := look(t, s.Call("start_match", map[string]any{"game": "molehill"})).Turn
	for _, row := range []struct {
		name, tool string
		args       map[string]any
		part       string
	}{
		{"no game", "start_match", map[string]any{"game": "chess"}, "molehill"},
		{"a seed too large", "start_match", map[string]any{"game": "cia", "seed": json.Number("18446744073709551616")}, "seed: want a whole number from 0 to 9007199254740991"},
		{"a seed whose last digit is lost", "start_match", map[string]any{"game": "cia", "seed": json.Number("9007199254740993")}, "seed: want a whole number"},
		{"a negative seed", "start_match", map[string]any{"game": "cia", "seed": -1}, "seed: want a whole number"},
		{"half a seed", "start_match", map[string]any{"game": "cia", "seed": 1.5}, "seed: want a whole number"},
		{"no rules", "rules", map[string]any{"game": "../swagger"}, "there is no game"},
		{"no bot", "start_match", map[string]any{"game": "molehill", "opponents": []string{"genius"}}, "greedy"},
		{"no seat", "start_match", map[string]any{"game": "molehill", "seat": 2}, "seats count from 0"},
		{"a crowd", "start_match", map[string]any{"game": "molehill", "seats": 2, "opponents": []string{"random", "random"}}, "table of 2"},
		{"too large a table", "start_match", map[string]any{"game": "molehill", "seats": 3}, "2"},
		{"no variant", "start_match", map[string]any{"game": "molehill", "variant": "x"}, "no variant"},
		{"variant and config", "start_match", map[string]any{"game": "molehill", "variant": "base", "config": map[string]any{}}, "not both"},
		{"a bad key", "start_match", map[string]any{"game": "molehill", "config": map[string]any{"holes": 1}}, "holes"},
		{"no match", "wait", map[string]any{"match": "chess-1"}, "there is no match"},
		{"no turn", "look", map[string]any{"turn": "chess-1.3"}, "Call wait"},
		{"another turn", "act", map[string]any{"turn": turn + "1", "choose": 0}, "nothing was played"},
		{"neither", "act", map[string]any{"turn": turn}, "choose or action"},
		{"out of range", "act", map[string]any{"turn": turn, "choose": 1 << 20}, "nothing was played"},
		{"no such action", "act", map[string]any{"turn": turn, "action": map[string]any{"type": "fly"}}, "nothing was played"},
		{"an unknown key", "act", map[string]any{"turn": turn, "choice": 0}, "choice"},
	} {
		if text, refused := s.Try(row.tool, row.args); !refused || !strings.Contains(text, row.part) {
			t.Errorf("%s: answered %q, want a refusal with …%s…", row.name, text, row.part)
		}
	}
}
