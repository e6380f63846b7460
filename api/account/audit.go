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
