package protocol

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"
	check "github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/internal/must"
)

// generate makes the schema of a message from its Go type, its tags and its comments.
func generate(t *testing.T, name string, message any, fromBot bool) []byte {
	t.Helper()
	r := jsonschema.Reflector{
		BaseSchemaID: "https://github.com/molerun/molerun/protocol", ExpandedStruct: true, AllowAdditionalProperties: !fromBot,
		Mapper: func(t reflect.Type) *jsonschema.Schema {
			if t == reflect.TypeFor[json.RawMessage]() {
				return &jsonschema.Schema{Type: "object"}
			}
			return nil
		},
	}
	// The generator names a type by the base joined with the folder it read.
	for base, dir := range map[string]string{"github.com/molerun/molerun/bots/protocol": ".", "github.com/molerun/molerun/a/b": "../../engines/game"} {
		must.OK(t, r.AddGoComments(base, dir))
	}
	for key, text := range r.CommentMap {
		r.CommentMap[key] = strings.Join(strings.Fields(text), " ")
	}
	s := r.Reflect(message)
	s.ID = jsonschema.ID("https://github.com/molerun/molerun/protocol/" + name + ".json")
	if name == "answer" {
		s.OneOf = []*jsonschema.Schema{{Required: []string{"action"}}, {Required: []string{"choose"}}}
	}
	b, err := json.MarshalIndent(s, "", "  ")
	must.OK(t, err)
	return append(b, '\n')
}

func TestSchemasAreTheGoTypes(t *testing.T) {
	for name, message := range map[string]any{
		"hello": Hello{}, "hello_answer": HelloAnswer{}, "start": Start{}, "turn": Turn{}, "answer": Answer{}, "end": End{},
	} {
		t.Run(name, func(t *testing.T) {
			golden(t, filepath.Join("schemas", name+".json"), generate(t, name, message, strings.HasSuffix(name, "answer")))
		})
	}
}

func compile(t *testing.T, name string) *check.Schema {
	t.Helper()
	doc, err := check.UnmarshalJSON(strings.NewReader(Schemas()[name]))
	must.OK(t, err)
	c := check.NewCompiler()
	c.DefaultDraft(check.Draft2020)
	must.OK(t, c.AddResource("schema:///"+name, doc))
	s, err := c.Compile("schema:///" + name)
	must.OK(t, err)
	return s
}

func validate(s *check.Schema, text string) error {
	v, err := check.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	must.OK(t, err)
	return string(b)
}

func sampleTurn() Turn {
	return Turn{
		Protocol: Version, Type: TypeTurn, Match: "m1", Game: "molehill", RulesVersion: 1, Config: json.RawMessage(`{}`), Seat: 1,
		Opponents: []Opponent{{0, "vole"}}, Step: 4, Decision: "dec_e10b910330c5436d01d1b6442362fa73", Clock: Clock{1000, 10000, 0},
		Events: []json.RawMessage{json.RawMessage(`{"kind":"played"}`)}, View: json.RawMessage(`{}`), Offer: json.RawMessage(`{"list":[]}`),
	}
}

func TestSchemasTellRightMessagesFromWrongOnes(t *testing.T) {
	first, later := sampleTurn(), sampleTurn()
	later.Previous = &Previous{Status: "ok", ElapsedMS: 5}
	start := Start{Protocol: Version, Type: TypeStart, Match: "m1", Game: "molehill", RulesVersion: 1, Config: json.RawMessage(`{}`), Opponents: []Opponent{}, Commitment: strings.Repeat("0f", 32)}
	end := End{Protocol: Version, Type: TypeEnd, Match: "m1", Game: "molehill", Result: &game.Result{Rank: []int{1, 2}, Points: []float64{3, 1}, Why: "two_rounds"}, Rank: 1}
	for _, row := range []struct {
		name, schema, text string
		valid              bool
	}{
		{"hello", "hello", marshal(t, Hello{Version, TypeHello, "abc"}), true},
		{"hello with a key of tomorrow", "hello", `{"protocol":1,"type":"hello","challenge":"x","new":1}`, true},
		{"hello without a challenge", "hello", `{"protocol":1,"type":"hello"}`, false},
		{"hello of another type", "hello", `{"protocol":1,"type":"turn","challenge":"x"}`, false},
		{"card", "hello_answer", marshal(t, HelloAnswer{Challenge: "abc", Name: "n", Games: []string{"molehill"}}), true},
		{"card with an unknown key", "hello_answer", `{"challenge":"abc","colour":"red"}`, false},
		{"card without the challenge", "hello_answer", `{"name":"n"}`, false},
		{"start", "start", marshal(t, start), true},
		{"start without a seat", "start", strings.Replace(marshal(t, start), `"seat"`, `"chair"`, 1), false},
		{"first turn", "turn", string(first.AppendJSON(nil)), true},
		{"later turn", "turn", string(later.AppendJSON(nil)), true},
		{"turn on seat -1", "turn", strings.Replace(string(first.AppendJSON(nil)), `"seat":1`, `"seat":-1`, 1), false},
		{"turn without a view", "turn", strings.Replace(string(first.AppendJSON(nil)), `"view"`, `"look"`, 1), false},
		{"action", "answer", `{"action":{"type":"talk"},"say":"hi","memo":"m","debug":"d","build":"b","then":[{}]}`, true},
		{"choice", "answer", `{"decision":"dec_1","choose":0}`, true},
		{"both", "answer", `{"action":{},"choose":0}`, false},
		{"neither", "answer", `{"say":"hi"}`, false},
		{"null action", "answer", `{"action":null}`, false},
		{"unknown key", "answer", `{"choose":0,"colour":1}`, false},
		{"say too long", "answer", `{"choose":0,"say":"` + strings.Repeat("x", 501) + `"}`, false},
		{"too many ahead", "answer", `{"choose":0,"then":[` + strings.Repeat("{},", 32) + `{}]}`, false},
		{"end", "end", marshal(t, end), true},
		{"voided", "end", marshal(t, End{Protocol: Version, Type: TypeEnd}), true},
		{"end without a rank", "end", strings.Replace(marshal(t, end), `"rank":1}`, `"place":1}`, 1), false},
	} {
		t.Run(row.name, func(t *testing.T) {
			if err := validate(compile(t, row.schema), row.text); (err == nil) != row.valid {
				t.Fatalf("%s\nvalid: %t, want %t (%v)", row.text, err == nil, row.valid, err)
			}
		})
	}
}

// Whatever the schema lets through is read: without a note too, while its text is kept (the schema counts characters, not
// bytes, and knows nothing of control characters).
func TestAnAnswerTheSchemaAllowsIsRead(t *testing.T) {
	s := compile(t, "answer")
	said := func(kind text.Kind) *rapid.Generator[string] {
		return rapid.StringN(0, 40, 200).Filter(func(said string) bool { return kind.Check(said, 200) == nil })
	}
	rapid.Check(t, func(t *rapid.T) {
		a := Answer{Action: drawRaw(t, "action"), Memo: said(text.Opaque).Draw(t, "memo"), Say: said(text.Prose).Draw(t, "say")}
		if rapid.Bool().Draw(t, "choose") {
			a.Action, a.Choose = nil, pointer(rapid.IntRange(0, 1<<30).Draw(t, "index"))
		}
		b, err := json.Marshal(a)
		must.OK(t, err)
		if err := validate(s, string(b)); err != nil {
			t.Fatalf("%s: %v", b, err)
		}
		if _, notes, err := ParseAnswer(b); err != nil || notes != nil {
			t.Fatalf("%s: %v, %v", b, notes, err)
		}
	})
}
