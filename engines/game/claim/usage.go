package claim

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
	"github.com/molerun/molerun/engines/game/text"
)

// Limits of a decision's usage.
const (
	MaxModelBytes = 128
	MaxTokens     = 1_000_000_000
	MaxCostUSD    = 1000
	MaxModels     = 8 // that an account names
)

// Usage is what a decision used, by its bot's own account. The names are those of OpenTelemetry's semantic conventions for generative AI
// (gen_ai.response.model, gen_ai.usage.input_tokens, gen_ai.usage.output_tokens); those have none for cost.
type Usage struct {
	Model        string  `json:"model,omitempty" jsonschema:"maxLength=128"`
	InputTokens  int64   `json:"input_tokens,omitempty" jsonschema:"minimum=0,maximum=1000000000"`
	OutputTokens int64   `json:"output_tokens,omitempty" jsonschema:"minimum=0,maximum=1000000000"`
	CostUSD      float64 `json:"cost_usd,omitempty" jsonschema:"minimum=0,maximum=1000"`
}

// ParseUsage reads a usage, strictly. The error says what is wrong with it.
func ParseUsage(raw []byte) (Usage, error) {
	var u Usage
	if err := strict.Decode(raw, &u); err != nil {
		return Usage{}, err
	}
	return u, u.check()
}

func (u Usage) check() error {
	var errs []error
	if err := text.Line.Check(u.Model, MaxModelBytes); err != nil {
		errs = append(errs, fmt.Errorf("model: %w", err))
	}
	for _, x := range []struct {
		key string
		n   int64
	}{{"input_tokens", u.InputTokens}, {"output_tokens", u.OutputTokens}} {
		if x.n < 0 || x.n > MaxTokens {
			errs = append(errs, fmt.Errorf("%s: want 0 to %d, got %d", x.key, MaxTokens, x.n))
		}
	}
	if !(u.CostUSD >= 0 && u.CostUSD <= MaxCostUSD) {
		errs = append(errs, fmt.Errorf("cost_usd: want 0 to %d, got %v", MaxCostUSD, u.CostUSD))
	}
	if u == (Usage{}) {
		errs = append(errs, errors.New("it says nothing"))
	}
	return errors.Join(errs...)
}

// Used is the sum of usages. Costs are whole billionths of a dollar, so that a sum has one value in any order.
type Used struct {
	Decisions    int // with a usage
	InputTokens  int64
	OutputTokens int64
	CostNanoUSD  int64
}

const nano = 1e9

// Add adds a usage, as a record has it, and returns it. One that cannot be read is left out: it was checked when it came.
func (s *Used) Add(raw json.RawMessage) (u Usage) {
	u, err := ParseUsage(raw)
	if err != nil {
		return Usage{}
	}
	s.Decisions++
	s.InputTokens += u.InputTokens
	s.OutputTokens += u.OutputTokens
	s.CostNanoUSD += int64(math.Round(u.CostUSD * nano))
	return u
}

// Sum adds another sum.
func (s *Used) Sum(x Used) {
	s.Decisions += x.Decisions
	s.InputTokens += x.InputTokens
	s.OutputTokens += x.OutputTokens
	s.CostNanoUSD += x.CostNanoUSD
}

// CostUSD is the cost in dollars.
func (s Used) CostUSD() float64 { return float64(s.CostNanoUSD) / nano }

// Said writes a sum of what usages said; "–" where none said any, which need not be nothing.
func Said[N int64 | float64](sum N) string {
	if sum == 0 {
		return "–"
	}
	return strconv.FormatFloat(float64(sum), 'f', -1, 64)
}

// String writes what was said: "1309 tokens in, 561 tokens out, $0.3".
func (s Used) String() string {
	var parts []string
	if s.InputTokens > 0 {
		parts = append(parts, game.Plural(int(s.InputTokens), "token")+" in")
	}
	if s.OutputTokens > 0 {
		parts = append(parts, game.Plural(int(s.OutputTokens), "token")+" out")
	}
	if s.CostNanoUSD > 0 {
		parts = append(parts, "$"+Said(s.CostUSD()))
	}
	return strings.Join(parts, ", ")
}
