package tournament

import "time"

// AuditLine says who did what to what, when, and how it went.
type AuditLine struct {
	ID        string       `json:"id"`
	At        time.Time    `json:"at" format:"date-time"`
	Via       AuditVia     `json:"via" swaggertype:"string" enums:"api,command"` // command: on the database itself, by who operates the platform
	UserID    string       `json:"user_id,omitempty"`                            // left out where nobody was logged in
	TokenID   string       `json:"token_id,omitempty"`                           // the token that was used
	Operation string       `json:"operation" example:"POST /v1/bots/{id}/pause"`
	Kind      string       `json:"kind,omitempty" example:"bots"`                            // of what it was done to
	SubjectID string       `json:"subject_id,omitempty"`                                     // of what it was done to, or of what it made
	Outcome   AuditOutcome `json:"outcome" swaggertype:"string" enums:"done,refused,failed"` // refused: the user or the token may not; failed: by a fault of ours
} // @name AuditLine

// AuditVia is the way by which something was done.
type AuditVia string

// The ways.
const (
	ViaAPI     AuditVia = "api"
	ViaCommand AuditVia = "command" // on the database itself, by who operates the platform
)

// AuditOutcome is how it went.
type AuditOutcome string

// The outcomes.
const (
	AuditDone    AuditOutcome = "done"
	AuditRefused AuditOutcome = "refused" // the user or the token may not
	AuditFailed  AuditOutcome = "failed"  // by a fault of ours: it may be done, or half of it
)

// AuditFilter narrows the lines; what is empty narrows nothing.
type AuditFilter struct {
	UserID    string
	SubjectID string
	Outcome   AuditOutcome
}
