package claim

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

func TestAUsageIsRefusedForAReason(t *testing.T) {
	for _, row := range []struct{ name, raw, refused string }{
		{"all of it", `{"model":"m-1","input_tokens":12,"output_tokens":3,"cost_usd":0.0004}`, ""},
		{"the most", `{"model":"` + strings.Repeat("m", MaxModelBytes) + `","input_tokens":1000000000,"output_tokens":1000000000,"cost_usd":1000}`, ""},
		{"a part", `{"cost_usd":0.1}`, ""},
		{"nothing", `{}`, "says nothing"},
		{"no object", `7`, "wants"},
		{"negative tokens", `{"input_tokens":-1}`, "input_tokens: want 0 to 1000000000, got -1"},
		{"absurd tokens", `{"output_tokens":1000000001}`, "output_tokens: want 0 to 1000000000"},
		{"half a token", `{"input_tokens":1.5}`, "/input_tokens"},
		{"negative cost", `{"cost_usd":-0.01}`, "cost_usd: want 0 to 1000, got -0.01"},
		{"absurd cost", `{"cost_usd":1e9}`, "cost_usd: want 0 to 1000"},
		{"no number", `{"cost_usd":1e999}`, "/cost_usd"},
		{"two faults at once", `{"input_tokens":-1,"cost_usd":-1}`, "cost_usd"},
		{"a long model", `{"model":"` + strings.Repeat("m", MaxModelBytes+1) + `"}`, "model: 129 bytes"},
		{"a model that turns the text", `{"model":"m\u202e"}`, "model: byte 1 is the character U+202E"},
		{"an unknown key", `{"tokens":3}`, "tokens"},
		{"a key twice", `{"cost_usd":1,"cost_usd":2}`, "twice"},
		{"null", `{"cost_usd":null}`, "null"},
	} {
		if _, err := ParseUsage([]byte(row.raw)); (err == nil) != (row.refused == "") || err != nil && !strings.Contains(err.Error(), row.refused) {
			t.Errorf("%s: got %v, want %q", row.name, err, row.refused)
		}
	}
}

func TestSumsOfCostsDoNotDependOnTheirOrder(t *testing.T) {
	list := []string{`{"cost_usd":0.1,"input_tokens":5}`, `{"cost_usd":0.2,"output_tokens":7}`, `{"cost_usd":0.3}`, `{"cost_usd":1e-9}`, `{"cost_usd":-1}`}
	var on, back Used
	for i := range list {
		on.Add(json.RawMessage(list[i]))
		back.Add(json.RawMessage(list[len(list)-1-i]))
	}
	want := Used{Decisions: 4, InputTokens: 5, OutputTokens: 7, CostNanoUSD: 600_000_001}
	if on != want || back != want || on.CostUSD() != 0.600000001 {
		t.Errorf("got %+v and %+v, want %+v", on, back, want)
	}
}

// What no usage said is not nothing; models are named once each, and not without end.
func TestASumSaysOnlyWhatWasSaid(t *testing.T) {
	for want, said := range map[string][]string{
		"":                                 {`{"model":"m-1"}`},
		"5 tokens in":                      {`{"input_tokens":5}`},
		"5 tokens in, 7 tokens out":        {`{"input_tokens":5}`, `{"output_tokens":7}`},
		"1300000000 tokens in, $0.0000001": {`{"input_tokens":700000000,"cost_usd":1e-7}`, `{"input_tokens":600000000}`},
		"1 token in, 1 token out, $1000":   {`{"input_tokens":1,"output_tokens":1,"cost_usd":1000}`},
	} {
		var u Used
		for _, x := range said {
			u.Add(json.RawMessage(x))
		}
		if u.String() != want {
			t.Errorf("%v: got %q, want %q", said, u, want)
		}
	}
	var a Account
	for i := range 30 {
		a.Take(nil, 0, json.RawMessage(fmt.Sprintf(`{"model":"m-%d"}`, i%12)), nil)
	}
	if want := []string{"m-0", "m-1", "m-2", "m-3", "m-4", "m-5", "m-6", "m-7"}; !slices.Equal(a.Models, want) || a.Decisions != 30 {
		t.Errorf("got %q of %d, want %q", a.Models, a.Decisions, want)
	}
}

func TestABeliefIsRefusedForAReason(t *testing.T) {
	for _, row := range []struct{ name, raw, refused string }{
		{"a distribution", `{"1":{"agent":0.25,"mole":0.75}}`, ""},
		{"within the tolerance", `{"1":{"a":0.3333333,"b":0.3333333,"c":0.3333333}}`, ""},
		{"nothing", `{}`, "says nothing"},
		{"a list", `[0.5,0.5]`, "wants"},
		{"too little", `{"1":{"agent":0.25,"mole":0.7}}`, "at /1: the chances sum up to 0.95, want 1"},
		{"too much", `{"1":{"agent":0.5,"mole":0.500002}}`, "at /1: the chances sum up to"},
		{"empty", `{"1":{}}`, "at /1: the chances sum up to 0"},
		{"negative", `{"1":{"agent":-0.5,"mole":1.5}}`, "at /1/agent: want a chance from 0 to 1, got -0.5"},
		{"no number", `{"1":{"agent":1e999}}`, "/1/agent"},
		{"NaN", `{"1":{"agent":NaN}}`, "not valid JSON"},
		{"in words", `{"1":{"agent":"1"}}`, "/1/agent"},
		{"null", `{"1":null}`, "null"},
		{"null chance", `{"1":{"agent":null}}`, "null"},
		{"twice", `{"1":{"a":1},"1":{"a":1}}`, "twice"},
		{"too long", `{"1":{"` + strings.Repeat("a", MaxBeliefBytes) + `":1}}`, "at most 8192 are kept"},
		{"too many", `{"1":{` + many(MaxChances+1) + `}}`, "513 chances, at most 512 are kept"},
	} {
		if _, err := ParseBelief([]byte(row.raw)); (err == nil) != (row.refused == "") || err != nil && !strings.Contains(err.Error(), row.refused) {
			t.Errorf("%s: got %v, want %q", row.name, err, row.refused)
		}
	}
}

// many returns a distribution over so many answers.
func many(n int) string {
	b := map[string]float64{}
	for i := range n {
		b[strings.Repeat("x", i%3)+string(rune('a'+i%26))+string(rune('a'+i/26))] = 0
	}
	b["aa"] = 1
	text, _ := json.Marshal(b)
	return strings.Trim(string(text), "{}")
}

func TestABeliefMustAnswerWhatWasAsked(t *testing.T) {
	asked := []game.Question{{About: "1", Answers: []string{"agent", "mole"}}, {About: "2", Answers: []string{"agent", "mole"}}}
	for raw, refused := range map[string]string{
		`{"1":{"agent":1},"2":{"mole":1}}`:             "",
		`{"1":{"agent":1}}`:                            `a distribution about "2" is missing`,
		`{"1":{"agent":1},"2":{"spy":1}}`:              "at /2/spy: is no answer",
		`{"1":{"agent":1},"2":{"mole":1},"3":{"a":1}}`: "at /3: was not asked for",
	} {
		b, err := ParseBelief([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Fits(asked); (err == nil) != (refused == "") || err != nil && !strings.Contains(err.Error(), refused) {
			t.Errorf("%s: got %v, want %q", raw, err, refused)
		}
		if err := b.Fits(nil); err == nil || !strings.Contains(err.Error(), "nothing was asked for") {
			t.Errorf("%s where nothing is asked: got %v", raw, err)
		}
	}
}

func TestScoresByHand(t *testing.T) {
	truth := []game.Question{{About: "1", Answers: []string{"mole"}}, {About: "2", Answers: []string{"agent"}}, {About: "9", Answers: []string{"agent"}}}
	b := Belief{"1": {"agent": 0.25, "mole": 0.75}, "2": {"mole": 1}}
	got := b.Against(truth)
	brier := (2*0.25*0.25 + 2) / 2
	log := (-math.Log(0.75) - math.Log(1e-6)) / 2
	if got.Beliefs != 1 || math.Abs(got.Brier-brier) > 1e-12 || math.Abs(got.Log-log) > 1e-12 {
		t.Errorf("got %+v, want %v and %v", got, brier, log)
	}
	got.Add(Belief{"1": {"mole": 1}, "2": {"agent": 1}}.Against(truth))
	if b, l := got.Mean(); got.Beliefs != 2 || math.Abs(b-brier/2) > 1e-12 || math.Abs(l-log/2) > 1e-12 {
		t.Errorf("the mean of two: got %v and %v", b, l)
	}
}
