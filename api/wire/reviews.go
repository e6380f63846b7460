package wire

import (
	"time"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/bots/review/report"
)

// The operations on reviews.
var (
	// @Summary	Have a match reviewed
	// @Description	For anybody, once the match and every match on the same seed are over. A match has one review, of all its seats: asking again
	// @Description	changes nothing, but a review that failed is begun again. A caller may ask for twenty an hour; while a hundred wait, only the
	// @Description	owner of a bot in the match may, whose reviews are made first. Read it at the same address.
	AskReview = op.Post[op.One, MatchReview]("/v1/matches/{id}/review", "", op.WithStatus(202))

	// @Summary	The review of a match
	// @Description	What each decision was worth, given what its seat knew, and what chance gave and took. Values are chances to win or, at larger
	// @Description	tables, expected shares of the rank: 0 is the worst result, 1 the best. Not found until somebody asks for it.
	GetReview = op.Get[op.One, MatchReview]("/v1/matches/{id}/review", "", op.Refusing(409))
)

// MatchReview is the review of a match, or how far it has come.
type MatchReview struct {
	MatchID string         `json:"match_id"`
	State   string         `json:"state" enums:"waiting,running,done,failed"`
	Reason  string         `json:"reason,omitempty"` // why it failed
	AskedAt time.Time      `json:"asked_at" format:"date-time"`
	EndedAt *time.Time     `json:"ended_at,omitempty" format:"date-time"` // when it was done or failed
	Report  *report.Report `json:"report,omitempty"`                      // once it is done
} // @name MatchReview
