package tournament

import "time"

// AuditLine says who did what to what, when, and how it went. Lines are only ever added.
type AuditLine struct {
	ID        string
	At        time.Time
	Via       AuditVia
	UserID    string // "": nobody was logged in, or a command did it
	TokenID   string // the token that was used; "" as above
	Operation string // the route, as POST /v1/bots/{id}/pause, or the command
	Kind      string // of what it was done to, as the route calls it: bots; "": to nothing by itself
	SubjectID string // of what it was done to or what it made; "": unknown
	Outcome   AuditOutcome
}

// AuditVia is the way by which something was done.
type AuditVia string

// The ways.
const (
	ViaAPI     AuditVia = "api"
	ViaCommand AuditVia = "command" // on the database itself, by an operator of the platform
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
	Since     time.Time // at this time or later
	Until     time.Time // before this time
}
