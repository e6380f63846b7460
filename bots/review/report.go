package review

import (
	"encoding/json"

	"github.com/molerun/molerun/engines/game"
)

// Report is the review of a match. Values are chances to win, or expected shares of the rank where a table is larger than two: 0 is
// the worst result, 1 the best.
type Report struct {
	Game     string     `json:"game"`
	Rules    string     `json:"rules_version"`
	Valuer   Valuer     `json:"valuer"`
	Playouts int        `json:"playouts"` // at most so many for a decision
	Steps    []Position `json:"steps"`    // the deal first, then one a step
	// Decisions are those of the seats that were reviewed, in the order of play.
	Decisions []Decision `json:"decisions"`
	// Seats sum up each seat that was reviewed.
	Seats []Summary `json:"seats"`
}

// Valuer names the function that valued the positions. Two reviews are comparable if its hash is equal.
type Valuer struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	Hash    string `json:"hash"` // SHA-256 in hex, of its decisions on a fixed set of positions
}

// Position is how a match stood after a step.
type Position struct {
	Step int `json:"step"`
	// Values has one estimate a seat, from what that seat knew.
	Values []Estimate `json:"values"`
	// Luck is what the chance of this step, or of the deal, gave each seat: 0 on average.
	Luck []float64 `json:"luck"`
}

// Estimate is a value, 0 to 1, with its standard error; an error of 0 marks an exact value.
type Estimate struct {
	Value float64 `json:"value"`
	Error float64 `json:"error"`
}

// Mark is a verdict on a decision.
type Mark string

// The marks, the best first: certainly no worse than any alternative; worse, but by little; worse; certainly worse by a twentieth;
// by three twentieths. A decision without one could not be distinguished from its best alternative, or had none.
const (
	Best     Mark = "best"
	Good     Mark = "good"
	Doubtful Mark = "doubtful"
	Mistake  Mark = "mistake"
	Blunder  Mark = "blunder"
)

// Decision is what one seat decided at one step, beside the best that was found with what it knew.
type Decision struct {
	Step   int             `json:"step"`
	Seat   game.Seat       `json:"seat"`
	Phase  string          `json:"phase"` // as the game's views name it
	Action json.RawMessage `json:"action"`
	Words  string          `json:"words"` // the action, in the words that follow its seat
	// Better is the best alternative found, nil where none is certainly better.
	Better      json.RawMessage `json:"better,omitempty"`
	BetterWords string          `json:"better_words,omitempty"`
	// Regret is the value of the best alternative less that of the action, below 0 where the action is better; Low and High bound it
	// with 95 %, and are equal to it where the rest of the match was solved.
	Regret float64 `json:"regret"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Mark   Mark    `json:"mark,omitempty"`
	House  bool    `json:"house,omitempty"` // the house decided, because the bot had failed
}

// Summary is the review of one seat.
type Summary struct {
	Seat game.Seat `json:"seat"`
	// Phases has its accuracy by phase of the game, in the order of play.
	Phases []Accuracy `json:"phases"`
	// Costliest are indexes of Report.Decisions: at most three whose regret is certain, the costliest first.
	Costliest []int   `json:"costliest"`
	Luck      float64 `json:"luck"` // the sum over all positions
}

// Accuracy is 1 less the mean regret of a seat's decisions in a phase, where only a regret that is certain counts.
type Accuracy struct {
	Phase     string  `json:"phase"`
	Decisions int     `json:"decisions"`
	Accuracy  float64 `json:"accuracy"` // 0 to 1
}
