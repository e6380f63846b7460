package card

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
)

// Format is the version of the card's form.
const Format = "card/1"

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
	Least     float64 `json:"least"` // the strength of who loses every match
	Most      float64 `json:"most"`  // the strength of who wins every match
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
	ByRole     []Share    `json:"by_role"` // clean; none where there are no teams
	BySeat     []Share    `json:"by_seat"` // clean
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
	Records []Record `json:"records"`
}

// Times says how long the subject's own decisions took in a game, in microseconds; 0 for a bot of this process.
type Times struct {
	Game     string `json:"game"`
	MedianUS int64  `json:"median_us"`
	P95US    int64  `json:"p95_us"`
}

// Record is the file of a match, by its path in the folder of the card.
type Record struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

// Round returns an estimate in hundredths: the last bits of logarithms differ between processors.
func Round(value, low, high float64) Estimate {
	hundredth := func(x float64) float64 { return math.Round(100*x)/100 + 0 } // no -0
	return Estimate{hundredth(value), hundredth(low), hundredth(high)}
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

// JSON returns the card as the file that is kept.
func (c Card) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(c)
	return b.Bytes(), err
}

// Hash returns the name of a card: the SHA-256 of its JSON, in hex.
func (c Card) Hash() (string, error) {
	b, err := c.JSON()
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), err
}
