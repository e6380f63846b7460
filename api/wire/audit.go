package wire

import (
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/tournament"
)

// The operations on the audit log.
var (
	// @Summary	Who did what
	// @Description	For administrators, the newest first: every request that changed something, every one that its caller was not allowed
	// @Description	to make, and what commands did on the database. Lines are never changed or removed; no address is kept.
	ListAudit = op.Get[AuditQuery, Page[tournament.AuditLine]]("/v1/admin/audit", "admin")
)

// AuditQuery asks for lines of the audit log.
type AuditQuery struct {
	User    string `form:"user" format:"uuid"` // id of the user who did it
	Subject string `form:"subject"`            // id of what it was done to
	Outcome string `form:"outcome" enums:"done,refused,failed"`
	op.Paging
}
