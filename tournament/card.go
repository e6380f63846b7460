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
	Reason     string // the first place where it does not follow from its decisions; "" unless it was refused
	Card       string // as JSON
	Decisions  string // what its subject decided, gzipped, in base64; "" once it was refused
	UploadedAt time.Time
	EndedAt    *time.Time // when it was checked or refused
}
