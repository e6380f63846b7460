package wire

import (
	"encoding/json"
	"time"

	"github.com/molerun/molerun/api/op"
)

// The operations on reviews.
var (
	// @Summary	Have a match reviewed
	// @Description	For anybody, once the match and every match on the same seed are over. A match has one review, of all its seats: asking again
	// @Description	changes nothing, but a review that failed is begun again. A caller may ask for twenty an hour; while a hundred wait, only the
	// @Description	owner of a bot in the match may, whose reviews are made first. Read it at the same address.
	AskReview = op.Post[op.One, MatchReview]("/v1/matches/{id}/review", "").WithStatus(202)

	// @Summary	The review of a match
	// @Description	What each decision was worth, given what its seat knew, and what chance gave and took. Values are chances to win or, at larger
	// @Description	tables, expected shares of the rank: 0 is the worst result, 1 the best. Not found until somebody asks for it.
	GetReview = op.Get[op.One, MatchReview]("/v1/matches/{id}/review", "").Refusing(409)
)

// MatchReview is the review of a match, or how far it has come.
type MatchReview struct {
	MatchID string     `json:"match_id"`
	State   string     `json:"state" enums:"waiting,running,done,failed"`
	Reason  string     `json:"reason,omitempty"` // why it failed
	AskedAt time.Time  `json:"asked_at" format:"date-time"`
	EndedAt *time.Time `json:"ended_at,omitempty" format:"date-time"` // when it was done or failed
	Report  *Review    `json:"report,omitempty"`                      // once it is done
} // @name MatchReview

// Review says which decisions cost a match.
type Review struct {
	Game      string           `json:"game" example:"molehill"`
	Rules     string           `json:"rules_version"`
	Valuer    Valuer           `json:"valuer"`
	Playouts  int              `json:"playouts"` // at most so many for a decision
	Steps     []ReviewStep     `json:"steps"`    // the deal first, then one a step
	Decisions []ReviewDecision `json:"decisions"`
	Seats     []ReviewSeat     `json:"seats"`
} // @name Review

// Valuer names the function that valued the positions. Two reviews are comparable if its hash is equal.
type Valuer struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	Hash    string `json:"hash"`
} // @name Valuer

// ReviewStep is how a match stood after a step.
type ReviewStep struct {
	Step   int             `json:"step"`
	Values []PositionValue `json:"values"`         // by seat, from what that seat knew
	Luck   []float64       `json:"luck,omitempty"` // by seat: what the chance of this step gave it, 0 on average; left out if nobody measured it
} // @name ReviewStep

// PositionValue is a value with its standard error; an error of 0 marks an exact value.
type PositionValue struct {
	Value float64 `json:"value" minimum:"0" maximum:"1" example:"0.63"`
	Error float64 `json:"error" example:"0.02"`
} // @name PositionValue

// ReviewDecision is what a seat decided, beside the best that was found with what it knew.
type ReviewDecision struct {
	Step        int             `json:"step"` // from 1
	Seat        int             `json:"seat"`
	Phase       string          `json:"phase"`
	Action      json.RawMessage `json:"action" swaggertype:"object"`
	Words       string          `json:"words"`                                                     // the action, in the words that follow its seat
	Better      json.RawMessage `json:"better,omitempty" swaggertype:"object"`                     // the best alternative; left out where none is better
	BetterWords string          `json:"better_words,omitempty"`                                    // the same in words
	Regret      float64         `json:"regret" example:"0.21"`                                     // its value less that of the action
	Low         float64         `json:"low" example:"0.15"`                                        // of the regret's 95 % interval
	High        float64         `json:"high" example:"0.27"`                                       // of the same
	Mark        string          `json:"mark,omitempty" enums:"best,good,doubtful,mistake,blunder"` // only where the interval allows
	House       bool            `json:"house,omitempty"`                                           // the house decided, because the bot had failed
} // @name ReviewDecision

// ReviewSeat sums up a seat.
type ReviewSeat struct {
	Seat      int        `json:"seat"`
	Phases    []Accuracy `json:"phases"`    // in the order of play
	Costliest []int      `json:"costliest"` // indexes of decisions: at most three whose regret is certain, the costliest first
	Luck      float64    `json:"luck"`      // over the whole match
} // @name ReviewSeat

// Accuracy is 1 less the mean regret of a seat's decisions in a phase.
type Accuracy struct {
	Phase     string  `json:"phase"`
	Decisions int     `json:"decisions"`
	Accuracy  float64 `json:"accuracy" minimum:"0" maximum:"1" example:"0.94"`
} // @name Accuracy
