package wire

import (
	"time"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/tournament"
)

// The operations on the audit log.
var (
	// @Summary	Who did what
	// @Description	For administrators, the newest first: every request that changed something, every one that its caller was not allowed
	// @Description	to make, and what commands did on the database. Lines are never changed or removed; no address is kept.
	ListAudit = op.Get[AuditQuery, Page[AuditLine]]("/v1/admin/audit", "admin")
)

// AuditQuery asks for lines of the audit log.
type AuditQuery struct {
	User    string    `form:"user" format:"uuid"` // id of the user who did it
	Subject string    `form:"subject"`            // id of what it was done to
	Outcome string    `form:"outcome" enums:"done,refused,failed"`
	Since   time.Time `form:"since" format:"date-time"` // at this time or later, RFC 3339
	Until   time.Time `form:"until" format:"date-time"` // before this time, RFC 3339
	op.Paging
}

// AuditLine says who did what to what, when, and how it went.
type AuditLine struct {
	ID        string                  `json:"id"`
	At        time.Time               `json:"at" format:"date-time"`
	Via       tournament.AuditVia     `json:"via" swaggertype:"string" enums:"api,command"` // command: on the database itself, by who operates the platform
	UserID    string                  `json:"user_id,omitempty"`                            // left out where nobody was logged in
	TokenID   string                  `json:"token_id,omitempty"`                           // the token that was used
	Operation string                  `json:"operation" example:"POST /v1/bots/{id}/pause"`
	Kind      string                  `json:"kind,omitempty" example:"bots"`                            // of what it was done to
	SubjectID string                  `json:"subject_id,omitempty"`                                     // of what it was done to, or of what it made
	Outcome   tournament.AuditOutcome `json:"outcome" swaggertype:"string" enums:"done,refused,failed"` // refused: the user or the token may not; failed: by a fault of ours
} // @name AuditLine
