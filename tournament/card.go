package tournament

import "time"

// CardState is how far the check of an uploaded card has come.
type CardState string

// The states of a card. One that was refused waits again when somebody uploads it again.
const (
	CardWaiting CardState = "waiting"
	CardRunning CardState = "running"
	CardChecked CardState = "checked"
	CardRefused CardState = "refused"
)

// Card is a card of an agent that a user has uploaded. Until it is checked, only its owner sees it.
type Card struct {
	Hash       string `gorm:"primaryKey"` // SHA-256 of its JSON, in hex
	OwnerID    string
	State      CardState
	Tries      int    // checks that have begun
	Reason     string // the first place where it does not follow from its decisions; once it was checked, who had uploaded its matches before
	Card       string // as JSON
	Decisions  string // what its subject decided, gzipped, in base64; "" once it was refused
	UploadedAt time.Time
	EndedAt    *time.Time  // when it was checked or refused
	Summary    CardSummary `gorm:"serializer:db"` // once it was checked
}

// CardSummary is what a list shows of a card. Strengths are on the scale of the pool: 0 is its random bot, 100 its best.
type CardSummary struct {
	Subject    string         `json:"subject" example:"Fox"` // as the agent calls itself
	Build      string         `json:"build,omitempty" example:"1.4.2"`
	Plan       string         `json:"plan" example:"standard"`
	Pool       int            `json:"pool_version" example:"1"`
	Games      []CardStrength `json:"games"`
	Clean      Mean           `json:"clean"`       // of the games: with each fault replaced by an action of the rules
	WithErrors Mean           `json:"with_errors"` // of the games: with each match lost that has a fault
	Matches    int            `json:"matches" example:"1536"`
	Tokens     int64          `json:"tokens,omitempty" example:"4200000"` // in and out over all matches, by the agent's own account
	CostUSD    float64        `json:"cost_usd,omitempty" example:"3.2"`   // of all matches, by the agent's own account
} // @name CardSummary

// MatchCost returns what a match cost in dollars, by the agent's own account; 0 if it said nothing.
func (s CardSummary) MatchCost() float64 { return s.CostUSD / float64(max(1, s.Matches)) }

// CardStrength is how strong an agent is in one game, clean.
type CardStrength struct {
	Game  string `json:"game" example:"cia"`
	Clean Mean   `json:"clean"`
} // @name CardStrength
