package gametest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

// speaker is the toy with words: of some events and actions, and by schemas that may ask for more.
type speaker struct {
	game.Engine
	event, action string // the schemas
	told          func(event json.RawMessage) game.Worded
	does          string
	always        bool // it has words for what is no action
}

func (s speaker) Schemas() map[string]string {
	return map[string]string{"event": s.event, "action": s.action}
}

func (s speaker) New(config json.RawMessage, seats int, seed game.Seed) (game.Table, []game.Event, error) {
	t, events, err := s.Engine.New(config, seats, seed)
	return spoken{t, s.told}, events, err
}

func (s speaker) ActionWords(action json.RawMessage) string {
	if keys, err := object(action); !s.always && (err != nil || len(keys) != 2 || string(keys["type"]) != `"bid"`) {
		return ""
	}
	return s.does
}

// spoken is a table whose events have words.
type spoken struct {
	game.Table
	told func(event json.RawMessage) game.Worded
}

func (t spoken) Apply(turns []game.Turn) ([]game.Event, error) {
	events, err := t.Table.Apply(turns)
	for i := range events {
		events[i].Value = t.told(events[i].Data)
	}
	return events, err
}

// line is an event with words.
type line struct {
	Kind string `json:"kind"`
	Mood string `json:"mood"`
}

func (line) Words() string { return "All have bid." }

// silentWords is a line without words for a sad event.
type silentWords struct{ line }

func (s silentWords) Words() string {
	if s.Mood == "sad" {
		return ""
	}
	return s.line.Words()
}

// leakyWords is a line that knows more than its JSON.
type leakyWords struct{ secret string }

func (g leakyWords) Words() string { return "All have bid" + g.secret + "." }

func TestWhatHasNoWordsIsFound(t *testing.T) {
	schema := func(tag string, kinds ...string) string {
		var forms []string
		for _, kind := range kinds {
			forms = append(forms, fmt.Sprintf(`{"required":[%q],"properties":{%q:{"const":%q},"sums":{},"n":{"minimum":0},"mood":{"enum":["glad","sad"]}}}`, tag, tag, kind))
		}
		return `{"oneOf":[` + strings.Join(forms, ",") + `]}`
	}
	bids := func(json.RawMessage) game.Worded { return line{} }
	base := speaker{
		Engine: game.Wrap(toyRules(toy{})),
		event:  schema("kind", "bids"),
		action: schema("type", "bid"),
		told:   bids,
		does:   "bids",
	}
	for _, row := range []struct {
		law   string
		spoil func(s *speaker)
		want  string
		rare  string
	}{
		{"all has words", func(*speaker) {}, "", ""},
		{"an event without words", func(s *speaker) { s.told = func(json.RawMessage) game.Worded { return nil } }, "the event {\"kind\":\"bids\"", ""},
		{"an action without words", func(s *speaker) { s.does = "" }, "the action {", ""},
		{"a kind that never comes", func(s *speaker) { s.event = schema("kind", "bids", "end") }, `no event kind "end"`, ""},
		{"a type that never comes", func(s *speaker) { s.action = schema("type", "bid", "fold") }, `no action type "fold"`, ""},
		{"a card that never comes", func(s *speaker) { s.action = strings.Replace(s.action, "mood", "card", 1) }, `no action with the card "glad"`, ""},
		{"a form without a kind", func(s *speaker) { s.event = schema("other", "bids") }, "schema event has a form without a kind", ""},
		{"words for everything", func(s *speaker) { s.always = true }, "has words: bids", ""},
		{"a word without words", func(s *speaker) {
			s.told = func(json.RawMessage) game.Worded { return silentWords{} }
		}, `the event {"kind":"bids","mood":"sad"} has no words`, `{"kind":"bids","mood":"glad"}`},
		{"a seat spoken of as somebody else", func(s *speaker) {
			s.told = func(json.RawMessage) game.Worded { return leakyWords{", and seat 1 holds a 2"} }
		}, `to seat 1: "you holds" in "All have bid, and you holds a 2."`, ""},
		{"words that the JSON does not have", func(s *speaker) {
			s.told = func(json.RawMessage) game.Worded { return leakyWords{", and seat 1 {holds} a 2"} }
		}, `but its JSON says "All have bid."`, ""},
	} {
		s := base
		row.spoil(&s)
		var rare []game.Event
		if row.rare != "" {
			rare = append(rare, game.Event{For: game.All, Data: json.RawMessage(row.rare), Value: s.told(nil)})
		}
		text, err := Words(s, []Case{{`{}`, 2}}, 2, 20, rare...)
		if row.want == "" && (err != nil || !strings.Contains(string(text), "\n\tAll have bid.\n")) {
			t.Errorf("%s: got %s, %v", row.law, text, err)
		}
		if row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
			t.Errorf("%s: got %v, want %s", row.law, err, row.want)
		}
	}
}
