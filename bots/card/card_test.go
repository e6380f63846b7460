package card_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/internal/must"
)

// of returns a card of a subject.
func of(name string) card.Card {
	return card.Card{
		Format: card.Format, Subject: card.Subject{Name: name, Build: "b1"}, Program: "molerun test",
		Plan: card.Plan{Name: "quick", Hash: strings.Repeat("a", 64)}, Pool: card.Pool{Version: 1, Hash: strings.Repeat("b", 64)}, Clock: card.Clock{LimitMS: 1000, BankMS: 10000},
		Clean: card.Estimate{Value: 40.123, Low: 30, High: 51}.Rounded(), WithErrors: card.Estimate{Value: -3.456, Low: -9, High: 2}.Rounded(),
		Games: []card.Game{{
			Game: "cia", Variant: "base", Rules: 1, Seats: 2, Least: -26.5, Most: 129.5, Matches: 6, Decisions: 60, Faulty: 2, Faults: []card.Fault{{Kind: "timeout", Count: 3}},
			Clean: card.Estimate{Value: 40.123, Low: 30, High: 51}.Rounded(), WithErrors: card.Estimate{Value: -3.456, Low: -9, High: 2}.Rounded(),
			Opponents: []card.Opponent{{Bot: "random", Pairs: 3, Share: card.Estimate{Value: .9, Low: .6, High: 1}.Rounded(), WithErrors: card.Estimate{Value: .5, Low: .3, High: .7}.Rounded(), Beaten: true}},
			ByRole:    []card.Share{{Of: "mole", Matches: 3}}, BySeat: []card.Share{{Of: "0", Matches: 3}},
			Beliefs: &card.Beliefs{Beliefs: 40, Brier: .31, RulesBrier: .4, Log: .5, RulesLog: .6},
		}},
		Run: card.Run{Times: []card.Times{{Game: "cia", MedianUS: 1500, P95US: 20000}}, Usage: []card.Usage{{Game: "cia", Decisions: 60, InputTokens: 6000, OutputTokens: 120, CostUSD: .25, Models: []string{"m-1", "m-2"}}}, Records: []card.Record{}},
	}
}

// demands is what eval.schema.json 0.3.0 of github.com/evaleval/every_eval_ever demands of the keys that we write, read at commit 9bce4136e789.
const demands = `{
	"type": "object", "additionalProperties": false,
	"required": ["schema_version", "evaluation_id", "retrieved_timestamp", "source_metadata", "model_info", "eval_library", "evaluation_results"],
	"properties": {
		"schema_version": {"const": "` + card.EveryEvalVersion + `"}, "evaluation_id": {"type": "string"}, "retrieved_timestamp": {"type": "string"},
		"source_metadata": {
			"required": ["source_type", "source_organization_name", "evaluator_relationship"],
			"properties": {"source_type": {"enum": ["documentation", "evaluation_run"]}, "evaluator_relationship": {"enum": ["first_party", "third_party", "collaborative", "other"]}}
		},
		"model_info": {
			"required": ["name", "id", "additional_details"],
			"properties": {"additional_details": {
				"required": ["deployment_type", "model_availability"], "additionalProperties": {"type": "string"},
				"properties": {"deployment_type": {"enum": ["self_deployed", "externally_managed", "unknown"]}, "model_availability": {"enum": ["open_weights", "closed_weights", "unknown"]}}
			}}
		},
		"eval_library": {"required": ["name", "version"], "properties": {"additional_details": {"additionalProperties": {"type": "string"}}}},
		"evaluation_results": {"type": "array", "items": {
			"required": ["evaluation_name", "source_data", "metric_config", "score_details"],
			"properties": {
				"source_data": {"required": ["dataset_name", "source_type"], "properties": {"source_type": {"const": "other"}}},
				"metric_config": {"required": ["lower_is_better"], "properties": {
					"lower_is_better": {"type": "boolean"}, "score_type": {"enum": ["binary", "continuous", "levels"]}, "min_score": {"type": "number"}, "max_score": {"type": "number"}
				}},
				"score_details": {"required": ["score"], "properties": {
					"score": {"type": "number"}, "details": {"additionalProperties": {"type": "string"}},
					"uncertainty": {"properties": {
						"confidence_interval": {"required": ["lower", "upper"], "properties": {"lower": {"type": "number"}, "upper": {"type": "number"}}},
						"num_samples": {"type": "integer"}
					}}
				}}
			}
		}}
	}
}`

func TestTheExportHasWhatTheSchemaDemands(t *testing.T) {
	text, err := jsonschema.UnmarshalJSON(strings.NewReader(demands))
	must.OK(t, err)
	c := jsonschema.NewCompiler()
	must.OK(t, c.AddResource("schema:///demands", text))
	schema, err := c.Compile("schema:///demands")
	must.OK(t, err)
	out, err := of("mine").EveryEval(time.Unix(1_800_000_000, 0))
	must.OK(t, err)
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(out))
	must.OK(t, err)
	if err := schema.Validate(value); err != nil {
		t.Errorf("%v in\n%s", err, out)
	}
	var got struct {
		Retrieved string `json:"retrieved_timestamp"`
		Results   []struct {
			Score struct {
				Score       float64           `json:"score"`
				Details     map[string]string `json:"details"`
				Uncertainty struct {
					Interval struct{ Lower, Upper float64 } `json:"confidence_interval"`
				} `json:"uncertainty"`
			} `json:"score_details"`
		} `json:"evaluation_results"`
	}
	must.OK(t, json.Unmarshal(out, &got))
	if !strings.Contains(string(out), `"limit_ms": "1000"`) || !strings.Contains(string(out), `"models": "m-1, m-2"`) || strings.Contains(string(out), "cost") != strings.Contains(string(out), `"cost_usd": "0.25"`) {
		t.Errorf("no clock, models or cost in\n%s", out)
	}
	if log, all := got.Results[3].Score, got.Results[4].Score; log.Score != .5 || log.Details["rules_log"] != "0.6" || all.Score != 40.12 || all.Details["games"] != "1" {
		t.Errorf("got %+v and %+v, want the logarithm and the strength over all games", log, all)
	}
	if len(got.Results) != 6 || got.Results[2].Score.Score != .31 || got.Results[2].Score.Details["rules_brier"] != "0.4" || got.Results[0].Score.Details["input_tokens"] != "6000" || got.Retrieved != "1800000000" || got.Results[0].Score.Score != 40.12 || got.Results[0].Score.Uncertainty.Interval.Upper != 51 || got.Results[1].Score.Score != -3.46 {
		t.Errorf("got %+v, want the clean strength and that with errors", got)
	}
}

// What is not said is not nothing: neither to people nor in a file. What rounds to nothing has no sign.
func TestNothingIsShownThatIsNotKnown(t *testing.T) {
	c := of("mine")
	c.Run.Usage = []card.Usage{{Game: "cia", Decisions: 60, OutputTokens: 120}}
	c.Run.Times[0].MedianUS = 0
	c.WithErrors = card.Estimate{Value: -.23, Low: -12.4, High: .4}
	file, errFile := c.JSON()
	export, errExport := c.EveryEval(time.Unix(1_800_000_000, 0))
	must.OK(t, errors.Join(errFile, errExport))
	for _, text := range [][]byte{file, export} {
		if strings.Contains(string(text), "cost_usd") || strings.Contains(string(text), "input_tokens") || !strings.Contains(string(text), "output_tokens") {
			t.Errorf("got %s", text)
		}
	}
	md := string(c.Markdown())
	for _, want := range []string{"| cia | 60 |  | – | 120 | – |", "| all | 40 [30, 51] | 0 [-12, 0] |", "| < 0.1 | 20.0 |"} {
		if !strings.Contains(md, want) {
			t.Errorf("no %q in\n%s", want, md)
		}
	}
	if got := (card.Estimate{Value: -.001, Low: -.004, High: 0}).Percent(); got != "0 % [0, 0]" {
		t.Errorf("got %q", got)
	}
	old := strings.Replace(string(file), `"output_tokens"`, `"input_tokens": 0, "cost_usd": 0, "output_tokens"`, 1) // as earlier releases wrote it
	if got, err := card.Read([]byte(old)); err != nil || got.Run.Usage[0].OutputTokens != 120 {
		t.Errorf("got %+v (%v)", got.Run, err)
	}
}

// A name is text of others: it makes neither a table nor a link nor a tag.
func TestNamesOfOthersStayText(t *testing.T) {
	hostile := of(`<b>|"[x](y)` + "`&*\\")
	md := string(hostile.Markdown())
	if plain := text.Unescaped(md); !strings.HasPrefix(plain, "# "+hostile.Subject.Name+"\n") {
		t.Errorf("got %q, want a terminal to show the name as it is", plain[:60])
	}
	if want := `# \<b\>\|"\[x\]\(y\)` + "\\`\\&\\*\\\\\n"; !strings.HasPrefix(md, want) {
		t.Errorf("got %q, want it to begin with %q", md[:60], want)
	}
	if strings.Contains(md, "%!") || !strings.Contains(md, "| cia base | 40 [30, 51] | -3 [-9, 2] | 6 | 2 | 60 | 3 timeout | 1.5 | 20.0 |") {
		t.Errorf("got %s", md)
	}
	d := xml.NewDecoder(bytes.NewReader(hostile.Badge()))
	var texts []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in %s", err, hostile.Badge())
		}
		if x, ok := token.(xml.CharData); ok {
			texts = append(texts, string(x))
		}
	}
	if got := strings.Join(texts, "¶"); !strings.Contains(got, `<b>|"[x](y)`) || !strings.Contains(got, "molerun quick¶40 [30, 51]") {
		t.Errorf("got %q", got)
	}
}

// The mean of shares has an interval that holds the true mean in 95 of 100 cases, up to the error of so many draws.
func TestTheIntervalOfAMeanHolds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const cases, draws = 2000, 40
	held := 0
	for range cases {
		var list []card.Estimate
		truth := 0.
		for _, mean := range []float64{0, 10, -5} {
			sum := 0.
			for range draws {
				sum += mean + 3*r.NormFloat64()
			}
			value, half := sum/draws, 1.96*3/6.3246
			list = append(list, card.Estimate{Value: value, Low: value - half, High: value + half})
			truth += mean / 3
		}
		if e := card.Mean(list); e.Low <= truth && truth <= e.High {
			held++
		}
	}
	if share := float64(held) / cases; share < .935 || share > .965 {
		t.Errorf("%.3f of the intervals hold, want 0.95", share)
	}
	if e := card.Mean([]card.Estimate{{1, .7, 1}, {0, 0, .4}}); e.Value != .5 || e.Low != .35 || e.High != .7 {
		t.Errorf("a lopsided mean: got %+v", e)
	}
}
