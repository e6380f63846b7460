package card

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/molerun/molerun/engines/game/claim"
)

// EveryEvalVersion is the version of the schema that [Card.EveryEval] writes: every_eval_ever/schemas/eval.schema.json of
// github.com/evaleval/every_eval_ever at commit 9bce4136e789 (2026-08-13). The schema is not stable, so nothing else knows it.
const EveryEvalVersion = "0.3.0"

type everyEval struct {
	SchemaVersion string            `json:"schema_version"`
	ID            string            `json:"evaluation_id"`
	Retrieved     string            `json:"retrieved_timestamp"`
	Source        everyEvalSource   `json:"source_metadata"`
	Model         everyEvalModel    `json:"model_info"`
	Library       everyEvalLibrary  `json:"eval_library"`
	Results       []everyEvalResult `json:"evaluation_results"`
}

type everyEvalSource struct {
	Type         string `json:"source_type"`
	Organisation string `json:"source_organization_name"`
	Relationship string `json:"evaluator_relationship"`
}

type everyEvalModel struct {
	Name    string            `json:"name"`
	ID      string            `json:"id"`
	Details map[string]string `json:"additional_details"`
}

type everyEvalLibrary struct {
	Name    string            `json:"name"`
	Version string            `json:"version"`
	Details map[string]string `json:"additional_details"`
}

type everyEvalResult struct {
	ID     string          `json:"evaluation_result_id"`
	Name   string          `json:"evaluation_name"`
	Data   everyEvalData   `json:"source_data"`
	Metric everyEvalMetric `json:"metric_config"`
	Score  everyEvalScore  `json:"score_details"`
}

type everyEvalData struct {
	Name string `json:"dataset_name"`
	Type string `json:"source_type"`
}

type everyEvalMetric struct {
	Description string  `json:"evaluation_description"`
	ID          string  `json:"metric_id"`
	Unit        string  `json:"metric_unit"`
	Lower       bool    `json:"lower_is_better"`
	Type        string  `json:"score_type"`
	Min         float64 `json:"min_score"`
	Max         float64 `json:"max_score"`
}

type everyEvalScore struct {
	Score       float64               `json:"score"`
	Details     map[string]string     `json:"details"`
	Uncertainty *everyEvalUncertainty `json:"uncertainty,omitempty"`
}

type everyEvalUncertainty struct {
	Interval everyEvalInterval `json:"confidence_interval"`
	Samples  int               `json:"num_samples"`
}

type everyEvalInterval struct {
	Lower  float64 `json:"lower"`
	Upper  float64 `json:"upper"`
	Level  float64 `json:"confidence_level"`
	Method string  `json:"method"`
}

// EveryEval returns the card as JSON in the schema of Every Eval Ever, retrieved at a time: two results a game, clean and with errors, two for
// beliefs, and at the end the strength over all games. Usage is among their details, the clock among those of the library. Who provides the model
// and who evaluated it a card does not know; it says "unknown" and "other".
func (c Card) EveryEval(at time.Time) ([]byte, error) {
	hash, err := c.Hash()
	if err != nil {
		return nil, err
	}
	retrieved := strconv.FormatInt(at.Unix(), 10)
	models, id := c.Models(), c.Subject.Name
	if len(models) == 1 {
		id = models[0]
	}
	out := everyEval{
		SchemaVersion: EveryEvalVersion, ID: fmt.Sprintf("molerun-%s/%s/%s", c.Plan.Name, c.Subject.Name, retrieved), Retrieved: retrieved,
		Source: everyEvalSource{Type: "evaluation_run", Organisation: "unknown", Relationship: "other"},
		Model: everyEvalModel{Name: c.Subject.Name, ID: id, Details: map[string]string{
			"deployment_type": "unknown", "model_availability": "unknown", "build": c.Subject.Build, "models": strings.Join(models, ", "),
		}},
		Library: everyEvalLibrary{Name: "molerun", Version: c.Program, Details: map[string]string{
			"card_sha256": hash, "plan": c.Plan.Name, "plan_sha256": c.Plan.Hash, "pool": strconv.Itoa(c.Pool.Version), "pool_sha256": c.Pool.Hash,
			"limit_ms": strconv.FormatInt(c.Clock.LimitMS, 10), "bank_ms": strconv.FormatInt(c.Clock.BankMS, 10),
		}},
	}
	for _, g := range c.Games {
		details := map[string]string{"matches": strconv.Itoa(g.Matches), "matches_with_faults": strconv.Itoa(g.Faulty), "decisions": strconv.Itoa(g.Decisions)}
		for _, u := range c.Run.Usage {
			if u.Game == g.Game {
				said := map[string]string{"models": strings.Join(u.Models, ", "), "input_tokens": claim.Said(u.InputTokens), "output_tokens": claim.Said(u.OutputTokens), "cost_usd": claim.Said(u.CostUSD)}
				maps.DeleteFunc(said, func(_, x string) bool { return x == "" || x == claim.Said(0.) })
				maps.Copy(details, said)
			}
		}
		data := fmt.Sprintf("molerun %s, variant %s, rules %d, %d seats, plan %s", g.Game, g.Variant, g.Rules, g.Seats, c.Plan.Name)
		out.strengths(hash, g.Game, data, g, details)
		if b := g.Beliefs; b != nil {
			number := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
			out.result(hash, g.Game, data, "beliefs.brier", everyEvalMetric{
				Description: "mean Brier score of beliefs about what is hidden; in the details that of whoever knows the rules alone", Unit: "points", Lower: true, Max: 2,
			}, everyEvalScore{Score: b.Brier, Details: map[string]string{"beliefs": strconv.Itoa(b.Beliefs), "rules_brier": number(b.RulesBrier)}})
			out.result(hash, g.Game, data, "beliefs.log", everyEvalMetric{
				Description: "mean negative natural logarithm of the chance that beliefs gave the truth; in the details that of whoever knows the rules alone", Unit: "nats", Lower: true, Max: -math.Log(claim.Least),
			}, everyEvalScore{Score: b.Log, Details: map[string]string{"beliefs": strconv.Itoa(b.Beliefs), "rules_log": number(b.RulesLog)}})
		}
	}
	all := Game{Clean: c.Clean, WithErrors: c.WithErrors}
	for _, g := range c.Games {
		all.Matches += g.Matches
		all.Least += g.Least / float64(len(c.Games))
		all.Most += g.Most / float64(len(c.Games))
	}
	out.strengths(hash, "all", "molerun, the mean of the games, plan "+c.Plan.Name, all, map[string]string{"games": strconv.Itoa(len(c.Games)), "matches": strconv.Itoa(all.Matches)})
	return indented(out)
}

// strengths adds both strengths of a game.
func (out *everyEval) strengths(hash, game, data string, g Game, details map[string]string) {
	for _, m := range []struct {
		id, about string
		e         Estimate
	}{
		{"strength.clean", "faults are replaced by an action of the rules", g.Clean},
		{"strength.with_errors", "a match with a fault is lost", g.WithErrors},
	} {
		out.result(hash, game, data, m.id, everyEvalMetric{
			Description: "strength against a frozen pool of bots; 0 is the random bot, 100 the pool's best; " + m.about, Unit: "points", Min: g.Least, Max: g.Most,
		}, everyEvalScore{Score: m.e.Value, Details: details, Uncertainty: &everyEvalUncertainty{
			Interval: everyEvalInterval{m.e.Low, m.e.High, .95, "likelihood ratio of pairs of matches, combined by MOVER"}, Samples: g.Matches / 2,
		}})
	}
}

// result adds a number of a game of the card with a hash.
func (out *everyEval) result(hash, game, data, id string, metric everyEvalMetric, score everyEvalScore) {
	metric.ID, metric.Type = "molerun."+id, "continuous"
	out.Results = append(out.Results, everyEvalResult{
		ID: hash[:16] + "." + game + "." + id, Name: "molerun " + game, Data: everyEvalData{Name: data, Type: "other"}, Metric: metric, Score: score,
	})
}
