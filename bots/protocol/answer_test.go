package protocol

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/engines/game/text"
)

func pointer(n int) *int { return &n }

func TestAnAnswerNamesExactlyOneMove(t *testing.T) {
	for _, row := range []struct{ name, body, refused string }{
		{"an action", `{"action":{"type":"talk"}}`, ""},
		{"a choice", `{"choose":3}`, ""},
		{"white space around", " \n{\"choose\":3}\t ", ""},
		{"nothing", `{}`, "neither"},
		{"both", `{"action":{},"choose":0}`, "both"},
		{"null action", `{"action":null}`, "/action: must not be null"},
		{"null choice", `{"choose":null}`, "/choose: must not be null"},
		{"action beside a null choice", `{"action":{},"choose":null}`, "both"},
		{"choice in words", `{"choose":"1"}`, "/choose"},
		{"half a choice", `{"choose":1.5}`, "/choose"},
		{"a choice beyond int", `{"choose":99999999999999999999}`, "/choose"},
		{"unknown key", `{"choose":1,"colour":"red"}`, "colour"},
		{"key in another case", `{"Choose":1}`, "choose"},
		{"action twice", `{"choose":1,"choose":2}`, "twice"},
		{"duplicate inside the action", `{"action":{"a":1,"a":2}}`, "twice"},
		{"duplicate inside an extra", `{"choose":1,"memo":{"a":1,"a":2}}`, "twice"},
		{"trailing data", `{"choose":1}]`, "more after"},
		{"invalid UTF-8", "{\"choose\":1,\"say\":\"\xff\"}", "UTF-8"},
		{"a list", `[{"choose":1}]`, "not a JSON object"},
		{"null", `null`, "not a JSON object"},
		{"empty", ``, "not a JSON object"},
		{"cut off", `{"choose":1`, "not valid JSON"},
		{"web page", `<html>`, "not a JSON object"},
		{"deep", `{"action":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`, "deeper"},
		{"decision is no string", `{"choose":1,"decision":5}`, "/decision"},
		{"too long", `{"choose":1}` + strings.Repeat(" ", MaxAnswerBytes), "at most 65536"},
	} {
		t.Run(row.name, func(t *testing.T) {
			a, _, err := ParseAnswer([]byte(row.body))
			if row.refused == "" {
				if err != nil || (a.Action == nil) == (a.Choose == nil) {
					t.Fatalf("got %+v, %v; want a move", a, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), row.refused) {
				t.Fatalf("got %+v, %v; want an error with %q", a, err, row.refused)
			}
			if !reflect.DeepEqual(a, Answer{}) {
				t.Fatalf("a refused answer left %+v behind", a)
			}
		})
	}
}

func TestAnExtraNeverCostsTheMove(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	thens := func(n int) string { return strings.TrimSuffix(strings.Repeat(`{},`, n), ",") }
	for _, row := range []struct {
		name, extras string
		want         Answer
		notes        []string
	}{
		{
			"all at their limits", `"say":"` + long(500) + `","memo":"` + long(4096) + `","debug":"` + long(1024) + `","build":"` + long(64) + `"`,
			Answer{Say: long(500), Memo: long(4096), Debug: long(1024), Build: long(64)},
			nil,
		},
		{"null is left out", `"say":null,"memo":null,"debug":null,"build":null,"then":null,"decision":null`, Answer{}, nil},
		{"say too long", `"say":"` + long(501) + `"`, Answer{}, []string{"say was dropped: 501 bytes, at most 500 are kept"}},
		{"bytes count, not letters", `"say":"` + strings.Repeat("é", 251) + `"`, Answer{}, []string{"say was dropped: 502 bytes, at most 500 are kept"}},
		{"memo too long, say kept", `"memo":"` + long(4097) + `","say":"hi"`, Answer{Say: "hi"}, []string{"memo was dropped: 4097 bytes, at most 4096 are kept"}},
		{"debug too long", `"debug":"` + long(1025) + `"`, Answer{}, []string{"debug was dropped: 1025 bytes, at most 1024 are kept"}},
		{"build too long", `"build":"` + long(65) + `"`, Answer{}, []string{"build was dropped: 65 bytes, at most 64 are kept"}},
		{
			"wrong types", `"say":5,"memo":{"a":1},"then":"x"`,
			Answer{},
			[]string{"say was dropped: it is not a string", "memo was dropped: it is not a string", "then was dropped: it is not a list"},
		},
		{"then over its limit", `"then":[` + thens(40) + `]`, Answer{Then: rawList(32)}, []string{"then was cut: 40 actions, at most 32 are kept"}},
		{"then stops at null", `"then":[{},null,{}]`, Answer{Then: rawList(1)}, []string{"then was cut: entry 1 is null"}},
		{"lines and a tab", `"say":"a\nb\tc","debug":"a\nb\tc","memo":"\r\u001b\u202e\uffff"`, Answer{Say: "a\nb\tc", Debug: "a\nb\tc", Memo: "\r\x1b\u202e\uffff"}, nil},
		{
			"NUL", `"say":"\u0000","memo":"a\u0000b","debug":"ab\u0000","build":"abc\u0000"`,
			Answer{},
			[]string{
				"say was dropped: byte 0 is the character U+0000, which is not kept", "memo was dropped: byte 1 is the character U+0000, which is not kept",
				"debug was dropped: byte 2 is the character U+0000, which is not kept", "build was dropped: byte 3 is the character U+0000, which is not kept",
			},
		},
		{
			"what turns or hides text", `"say":"\u202e","debug":"\u2066","build":"\u200b","memo":"m"`,
			Answer{Memo: "m"},
			[]string{
				"say was dropped: byte 0 is the character U+202E, which is not kept", "debug was dropped: byte 0 is the character U+2066, which is not kept",
				"build was dropped: byte 0 is the character U+200B, which is not kept",
			},
		},
		{
			"claims", `"usage":{"model":"m","input_tokens":7,"cost_usd":0.25},"belief":{"1":{"agent":0.25,"mole":0.75}}`,
			Answer{Usage: &claim.Usage{Model: "m", InputTokens: 7, CostUSD: 0.25}, Belief: claim.Belief{"1": {"agent": 0.25, "mole": 0.75}}},
			nil,
		},
		{"claims left out", `"usage":null,"belief":null`, Answer{}, nil},
		{
			"no claims", `"usage":{"input_tokens":-1,"cost_usd":-1},"belief":{"1":{"agent":0.25}}`,
			Answer{},
			[]string{
				"usage was dropped: input_tokens: want 0 to 1000000000, got -1, cost_usd: want 0 to 1000, got -1",
				"belief was dropped: at /1: the chances sum up to 0.25, want 1",
			},
		},
		{"decision", `"decision":"dec_1"`, Answer{Decision: "dec_1"}, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			row.want.Choose = pointer(2)
			got, notes, err := ParseAnswer([]byte(`{"choose":2,` + row.extras + `}`))
			if err != nil {
				t.Fatalf("the move was lost: %v", err)
			}
			if d := cmp.Diff(row.want, got); d != "" {
				t.Errorf("answer (-want +got):\n%s", d)
			}
			if d := cmp.Diff(row.notes, notes); d != "" {
				t.Errorf("notes (-want +got):\n%s", d)
			}
		})
	}
}

func rawList(n int) []json.RawMessage {
	list := make([]json.RawMessage, n)
	for i := range list {
		list[i] = json.RawMessage(`{}`)
	}
	return list
}

func FuzzParseAnswer(f *testing.F) {
	for _, seed := range []string{`{"choose":1}`, `{"action":{"type":"move","to":"e5"},"say":"hi","then":[{}]}`, `{"action":null}`, `{"choose":1,"choose":1}`, "{\"memo\":\"\xff\"}", `{"choose":1,"say":"\u0000","memo":"\u202e"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		a, _, err := ParseAnswer(body)
		if err != nil {
			return
		}
		if (a.Action == nil) == (a.Choose == nil) {
			t.Fatalf("%q was read as %+v: want exactly one move", body, a)
		}
		if !json.Valid(body) {
			t.Fatalf("%q was accepted, encoding/json refuses it", body)
		}
		if len(a.Then) > MaxThen {
			t.Fatalf("%q kept %d actions ahead, at most %d are", body, len(a.Then), MaxThen)
		}
		for name, err := range map[string]error{
			"say": text.Prose.Check(a.Say, MaxSayBytes), "memo": text.Opaque.Check(a.Memo, MaxMemoBytes),
			"debug": text.Prose.Check(a.Debug, MaxDebugBytes), "build": text.Line.Check(a.Build, MaxBuildBytes),
		} {
			if err != nil {
				t.Fatalf("%q kept %s: %v", body, name, err)
			}
		}
	})
}

func BenchmarkParseAnswer(b *testing.B) {
	body := []byte(`{"decision":"dec_0123456789abcdef0123456789abcdef","choose":17}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := ParseAnswer(body); err != nil {
			b.Fatal(err)
		}
	}
}

func TestAQuoteKeepsEveryScriptAndEscapesWhatDoesNotPrint(t *testing.T) {
	for said, want := range map[string]string{
		"Кубок 杯 ☕":             `"Кубок 杯 ☕"`,
		"a\u202eb\x1b\u200b":    `"a\u202eb\x1b\u200b"`,
		"\xff\n\"":              `"\xff\n\""`,
		strings.Repeat("é", 40): `"` + strings.Repeat("é", 32) + `…"`,
	} {
		if got := Quote(said); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
