package account

import (
	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func auditDTO(l tournament.AuditLine) wire.AuditLine {
	return wire.AuditLine{
		ID:        l.ID,
		At:        l.At,
		Via:       string(l.Via),
		UserID:    l.UserID,
		TokenID:   l.TokenID,
		Operation: l.Operation,
		Kind:      l.Kind,
		SubjectID: l.SubjectID,
		Outcome:   string(l.Outcome),
	}
}

// maxSubject bounds the id of a subject that is no UUID, such as a ladder's, in bytes.
const maxSubject = 64

// ListAudit answers GET /v1/admin/audit.
//
// @Summary	Who did what
// @Description	For administrators, the newest first: every request that changed something, every one that its caller was not allowed
// @Description	to make, and what commands did on the database. Lines are never changed or removed; no address is kept.
// @Tags		operation
// @Security	Bearer
// @Param		user	query		string	false	"id of the user who did it"
// @Param		subject	query		string	false	"id of what it was done to"
// @Param		outcome	query		string	false	"done, refused or failed"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the previous page"
// @Success	200		{object}	wire.Page[wire.AuditLine]
// @Failure	403		{object}	wire.Problem
// @ID			listAudit
// @Router		/v1/admin/audit [get]
func (a *Accounts) ListAudit(c *gin.Context) error {
	p, err := a.Cursors.Page(c, "user", "subject", "outcome")
	if err != nil {
		return err
	}
	outcome, err := httpx.OneOf(p.Filter, "outcome", string(tournament.AuditDone), string(tournament.AuditRefused), string(tournament.AuditFailed))
	if err != nil {
		return err
	}
	if user, given := p.Filter["user"]; given && !httpx.IsUUID(user) {
		return httpx.BadQuery("user", "is no id")
	}
	if id, given := p.Filter["subject"]; given {
		if err := tournament.CheckText("subject", id, maxSubject); err != nil {
			return httpx.BadQuery("subject", "is no id")
		}
	}
	f := tournament.AuditFilter{UserID: p.Filter["user"], SubjectID: p.Filter["subject"], Outcome: tournament.AuditOutcome(outcome)}
	rows, next, err := a.Store.AuditLines(c.Request.Context(), f, store.Page{After: p.After, Limit: p.Limit, Sort: store.Newest})
	if err != nil {
		return err
	}
	return httpx.SendPage(c, p, rows, next, auditDTO)
}
