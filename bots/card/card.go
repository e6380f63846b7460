package card

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/engines/game/strict"
	"github.com/molerun/molerun/engines/game/text"
)

// Format is the version of the card's form.
const Format = "card/1"

// DecisionsFile names the file beside a card that holds what its subject decided: enough to play the matches again.
const DecisionsFile = "decisions.jsonl.gz"

// MaxBytes bounds a card as JSON.
const MaxBytes = 1 << 20

// Card says how an agent did in a registered plan against the frozen pool. All but Run follows from the seed of the plan and from what the
// agent decided; Run holds what differs between two runs of the same decisions.
type Card struct {
	Format  string  `json:"format"`
	Subject Subject `json:"subject"`
	Program string  `json:"program"` // that played, with its version
	Plan    Plan    `json:"plan"`
	Pool    Pool    `json:"pool"`
	Clock   Clock   `json:"clock"`
	// Clean and WithErrors are the means of those of the games, each with its interval.
	Clean      Estimate `json:"clean"`
	WithErrors Estimate `json:"with_errors"`
	Games      []Game   `json:"games"`
	Run        Run      `json:"run"`
}

// Subject is who was evaluated, by what it says of itself.
type Subject struct {
	Name  string `json:"name"`
	Build string `json:"build"`
}

// Plan names a registered plan.
type Plan struct {
	Name string `json:"name"`
	Hash string `json:"hash"`
}

// Pool names a frozen pool.
type Pool struct {
	Version int    `json:"version"`
	Hash    string `json:"hash"`
}

// Clock is the time that the subject had.
type Clock struct {
	LimitMS int64 `json:"limit_ms"` // free, for each decision
	BankMS  int64 `json:"bank_ms"`  // for a match, once a decision takes longer
}

// Estimate is a number with its 95 % interval, in hundredths.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Game is what the subject did in a game. Strength is on the scale of the pool: 0 is what the random bot takes from the pool, 100 what its
// best takes.
type Game struct {
	Game      string  `json:"game"`
	Variant   string  `json:"variant"`
	Rules     int     `json:"rules_version"`
	Seats     int     `json:"seats"`
	Least     float64 `json:"least"` // the strength of a bot that loses every match
	Most      float64 `json:"most"`  // the strength of a bot that wins every match
	Matches   int     `json:"matches"`
	Decisions int     `json:"decisions"` // that the subject had to make
	Faulty    int     `json:"faulty"`    // matches with a fault
	Faults    []Fault `json:"faults"`    // by kind
	Played    string  `json:"played"`    // hash of all decisions of all matches, without their times and what was claimed beside them
	// Clean is the strength with every fault replaced by the action of the rules, and the match going on. In WithErrors a match with a fault
	// is lost.
	Clean      Estimate   `json:"clean"`
	WithErrors Estimate   `json:"with_errors"`
	Opponents  []Opponent `json:"opponents"`
	ByRole     []Share    `json:"by_role"`           // clean; none where there are no teams
	BySeat     []Share    `json:"by_seat"`           // clean
	Beliefs    *Beliefs   `json:"beliefs,omitempty"` // nil: it gave none
}

// Beliefs says how what the subject believed of that which it could not see did against the truth: means by belief, where less is better,
// beside what whoever knows the rules alone would have had at the same decisions. A Brier score is 0 to 2, a logarithm in nats.
type Beliefs struct {
	Beliefs    int     `json:"beliefs"`
	Brier      float64 `json:"brier"`
	RulesBrier float64 `json:"rules_brier"`
	Log        float64 `json:"log"`
	RulesLog   float64 `json:"rules_log"`
}

// Fault counts faults of a kind.
type Fault struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// Share is what the subject took of its matches in a role or a seat, from 0 to 1: a win counts 1 and a draw ½.
type Share struct {
	Of      string   `json:"of"`
	Matches int      `json:"matches"`
	Share   Estimate `json:"share"`
}

// Opponent is what the subject took from a bot of the pool, in pairs of matches on one deal in which the two change seats.
type Opponent struct {
	Bot        string   `json:"bot"`
	Pairs      int      `json:"pairs"`
	Share      Estimate `json:"share"` // clean
	WithErrors Estimate `json:"share_with_errors"`
	Beaten     bool     `json:"beaten"` // the interval of the clean share is above ½
}

// Run holds what differs between two runs of the same decisions.
type Run struct {
	Times   []Times  `json:"times"`
	Usage   []Usage  `json:"usage,omitempty"` // of the games in which it said any
	Records []Record `json:"records"`
}

// Times says how long the subject's own decisions took in a game, in microseconds; 0 for a bot of this process, and where the answer was there
// as soon as the request was with the kernel.
type Times struct {
	Game     string `json:"game"`
	MedianUS int64  `json:"median_us"`
	P95US    int64  `json:"p95_us"`
}

// Usage sums up what the subject's decisions in a game used, by its own account. What none of them said is left out.
type Usage struct {
	Game         string   `json:"game"`
	Decisions    int      `json:"decisions"`        // that said so
	Models       []string `json:"models,omitempty"` // sorted, as [claim.Account] has them
	InputTokens  int64    `json:"input_tokens,omitempty"`
	OutputTokens int64    `json:"output_tokens,omitempty"`
	CostUSD      float64  `json:"cost_usd,omitempty"`
}

// Record is the file of a match, by its path in the folder of the card.
type Record struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

// Models returns the models that the subject named in any game, sorted.
func (c Card) Models() (names []string) {
	for _, u := range c.Run.Usage {
		names = append(names, u.Models...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Rounded returns the estimate in hundredths: the last bits of logarithms differ between processors.
func (e Estimate) Rounded() Estimate {
	hundredth := func(x float64) float64 { return math.Round(100*x)/100 + 0 } // no -0
	return Estimate{hundredth(e.Value), hundredth(e.Low), hundredth(e.High)}
}

// Score returns how beliefs did ([claim.Score.Rounded]); nil if there are none.
func Score(own, rules claim.Score) *Beliefs {
	if own.Beliefs == 0 {
		return nil
	}
	brier, log := own.Rounded()
	rulesBrier, rulesLog := rules.Rounded()
	return &Beliefs{own.Beliefs, brier, rulesBrier, log, rulesLog}
}

// Mean returns the mean of independent estimates. Its interval reaches down from the mean by the root of the sum of the squares by which
// theirs do, and up likewise (MOVER: Zou and Donner, Statistics in Medicine 27, 2008), so that those of shares near 0 or 1 may be lopsided.
func Mean(list []Estimate) Estimate {
	var sum, down, up float64
	for _, e := range list {
		sum += e.Value
		down += (e.Value - e.Low) * (e.Value - e.Low)
		up += (e.High - e.Value) * (e.High - e.Value)
	}
	n := float64(len(list))
	return Estimate{sum / n, (sum - math.Sqrt(down)) / n, (sum + math.Sqrt(up)) / n}
}

// ErrCard means that a card does not follow from its records, or is none; the text names the first place that differs.
var ErrCard = errors.New("card_refused")

// maxWords bounds each text of a card, in bytes.
const maxWords = 256

// Read reads a card and does not check what it says. The error is [ErrCard].
func Read(b []byte) (Card, error) {
	var c Card
	if len(b) > MaxBytes {
		return c, fmt.Errorf("%w: the card has %d bytes; want %d at most", ErrCard, len(b), MaxBytes)
	}
	if err := strict.Decode(b, &c); err != nil {
		return c, fmt.Errorf("%w: the card: %w", ErrCard, err)
	}
	if c.Format != Format {
		return c, fmt.Errorf("%w: /format is %q, this program reads %q", ErrCard, c.Format, Format)
	}
	for _, x := range []struct{ at, words string }{{"/subject/name", c.Subject.Name}, {"/subject/build", c.Subject.Build}, {"/program", c.Program}} {
		if err := text.Line.Check(x.words, maxWords); err != nil {
			return c, fmt.Errorf("%w: %s: %w", ErrCard, x.at, err)
		}
	}
	return c, nil
}

// JSON returns the card as the file that is kept.
func (c Card) JSON() ([]byte, error) {
	return indented(c)
}

func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}

// Hash returns the name of a card: the SHA-256 of its JSON, in hex.
func (c Card) Hash() (string, error) {
	b, err := c.JSON()
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), err
}
