package tournament

import (
	"encoding/json"
	"time"
)

// ReviewState is how far the review of a match has come.
type ReviewState string

// The states of a review. A failed one waits again when somebody asks for it again.
const (
	ReviewWaiting ReviewState = "waiting"
	ReviewRunning ReviewState = "running"
	ReviewDone    ReviewState = "done"
	ReviewFailed  ReviewState = "failed"
)

// MatchReview is the review of a match that is over, or how far it has come.
type MatchReview struct {
	MatchID string `gorm:"primaryKey"`
	State   ReviewState
	ByOwner bool            // the owner of a bot in the match asked for it: such reviews are made first
	Tries   int             // that have begun
	Reason  string          // why it failed; "" unless it did
	Report  json.RawMessage `gorm:"serializer:db"` // a report of package review; nil unless it is done
	AskedAt time.Time
	EndedAt *time.Time // when it was done or failed
}
