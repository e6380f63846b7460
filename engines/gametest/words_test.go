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
	tells         func(event json.RawMessage) string
	does          string
}

func (s speaker) Schemas() map[string]string {
	return map[string]string{"event": s.event, "action": s.action}
}
func (s speaker) Tell(event json.RawMessage) string { return s.tells(event) }

func (s speaker) Does(action json.RawMessage) string {
	if keys, err := object(action); err != nil || len(keys) != 2 || string(keys["type"]) != `"bid"` {
		return ""
	}
	return s.does
}

func TestWhatHasNoWordsIsFound(t *testing.T) {
	schema := func(tag string, kinds ...string) string {
		var forms []string
		for _, kind := range kinds {
			forms = append(forms, fmt.Sprintf(`{"required":[%q],"properties":{%q:{"const":%q},"sums":{},"n":{"minimum":0},"mood":{"enum":["glad","sad"]}}}`, tag, tag, kind))
		}
		return `{"oneOf":[` + strings.Join(forms, ",") + `]}`
	}
	bids := func(event json.RawMessage) string {
		if keys, err := object(event); err != nil || len(keys) != 2 || string(keys["kind"]) != `"bids"` {
			return ""
		}
		return "All have bid."
	}
	base := speaker{game.Wrap(toyRules(toy{})), schema("kind", "bids"), schema("type", "bid"), bids, "bids"}
	for _, row := range []struct {
		law   string
		spoil func(s *speaker)
		want  string
		rare  string
	}{
		{"all has words", func(*speaker) {}, "", ""},
		{"an event without words", func(s *speaker) { s.tells = func(json.RawMessage) string { return "" } }, "the event {\"kind\":\"bids\"", ""},
		{"an action without words", func(s *speaker) { s.does = "" }, "the action {", ""},
		{"a kind that never comes", func(s *speaker) { s.event = schema("kind", "bids", "end") }, `no event kind "end"`, ""},
		{"a type that never comes", func(s *speaker) { s.action = schema("type", "bid", "fold") }, `no action type "fold"`, ""},
		{"a card that never comes", func(s *speaker) { s.action = strings.Replace(s.action, "mood", "card", 1) }, `no action with the card "glad"`, ""},
		{"a form without a kind", func(s *speaker) { s.event = schema("other", "bids") }, "schema event has a form without a kind", ""},
		{"words for everything", func(s *speaker) { s.tells = func(json.RawMessage) string { return "Hm." } }, "has words: Hm.", ""},
		{"a word without words", func(s *speaker) {
			s.tells = func(event json.RawMessage) string {
				if strings.Contains(string(event), "sad") {
					return ""
				}
				return bids(event)
			}
		}, `the event {"kind":"bids","mood":"sad"} has no words`, `{"kind":"bids","mood":"glad"}`},
	} {
		s := base
		row.spoil(&s)
		var rare []game.Event
		if row.rare != "" {
			rare = append(rare, game.Event{For: game.All, Data: json.RawMessage(row.rare)})
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
