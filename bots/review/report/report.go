package report

import (
	"encoding/json"

	"github.com/molerun/molerun/engines/game"
)

// Report is the review of a match. Values are chances to win, or expected shares of the rank where a table is larger than two: 0 is
// the worst result, 1 the best.
type Report struct {
	Game      string     `json:"game" example:"molehill"`
	Rules     string     `json:"rules_version"`
	Valuer    Valuer     `json:"valuer"`
	Playouts  int        `json:"playouts"`  // at most so many for a decision
	Steps     []Position `json:"steps"`     // the deal first, then one a step
	Decisions []Decision `json:"decisions"` // of the seats that were reviewed, in the order of play
	Seats     []Summary  `json:"seats"`     // that were reviewed
} // @name Review

// Valuer names the function that valued the positions. Two reviews are comparable if its hash is equal.
type Valuer struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	Hash    string `json:"hash"` // SHA-256 in hex, of its decisions on a fixed set of positions
} // @name Valuer

// Position is how a match stood after a step.
type Position struct {
	Step   int        `json:"step"`
	Values []Estimate `json:"values"`         // by seat, from what that seat knew
	Luck   []float64  `json:"luck,omitempty"` // by seat: what the chance of this step, or of the deal, gave it, 0 on average; left out if nobody measured it
} // @name ReviewStep

// Estimate is a value with its standard error; an error of 0 marks an exact value.
type Estimate struct {
	Value float64 `json:"value" minimum:"0" maximum:"1" example:"0.63"`
	Error float64 `json:"error" example:"0.02"`
} // @name PositionValue

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

// Decision is what one seat decided at one step, beside the best that was found with what it knew. Its regret is the value of the best
// alternative less that of the action, below 0 where the action is better.
type Decision struct {
	Step        int             `json:"step"` // from 1
	Seat        game.Seat       `json:"seat" swaggertype:"integer"`
	Phase       string          `json:"phase"` // as the game's views name it
	Action      json.RawMessage `json:"action" swaggertype:"object"`
	Words       string          `json:"words"`                                                                          // the action, in the words that follow its seat
	Better      json.RawMessage `json:"better,omitempty" swaggertype:"object"`                                          // the best alternative; left out where none is certainly better
	BetterWords string          `json:"better_words,omitempty"`                                                         // the same in words
	Regret      float64         `json:"regret" example:"0.21"`                                                          // its value less that of the action
	Low         float64         `json:"low" example:"0.15"`                                                             // of the regret's 95 % interval; equal to it where the rest of the match was solved
	High        float64         `json:"high" example:"0.27"`                                                            // of the same
	Mark        Mark            `json:"mark,omitempty" swaggertype:"string" enums:"best,good,doubtful,mistake,blunder"` // only where the interval allows
	House       bool            `json:"house,omitempty"`                                                                // the house decided, because the bot had failed
} // @name ReviewDecision

// Summary is the review of one seat.
type Summary struct {
	Seat      game.Seat  `json:"seat" swaggertype:"integer"`
	Phases    []Accuracy `json:"phases"`    // in the order of play
	Costliest []int      `json:"costliest"` // indexes of decisions: at most three whose regret is certain, the costliest first
	Luck      float64    `json:"luck"`      // over the whole match
} // @name ReviewSeat

// Accuracy measures a phase: 1 less the mean regret of a bot's own decisions in a phase, where only a regret that is certain counts.
type Accuracy struct {
	Phase     string  `json:"phase"`
	Decisions int     `json:"decisions"`
	Accuracy  float64 `json:"accuracy" minimum:"0" maximum:"1" example:"0.94"`
} // @name Accuracy
