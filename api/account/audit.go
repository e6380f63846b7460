package account

import (
	"context"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// maxSubject bounds the id of a subject that is no UUID, such as a ladder's, in bytes.
const maxSubject = 64

// ListAudit answers GET /v1/admin/audit.
func (a *Accounts) ListAudit(ctx context.Context, in wire.AuditQuery, p httpx.PageQuery) ([]wire.AuditLine, string, error) {
	if in.Subject != "" && tournament.CheckText("subject", in.Subject, maxSubject) != nil {
		return nil, "", httpx.BadQuery("subject", "is no id")
	}
	f := tournament.AuditFilter{UserID: in.User, SubjectID: in.Subject, Outcome: tournament.AuditOutcome(in.Outcome), Since: in.Since, Until: in.Until}
	rows, next, err := a.Store.AuditLines(ctx, f, store.Page{After: p.After, Limit: p.Limit, Sort: store.Newest})
	out := make([]wire.AuditLine, len(rows))
	for i, l := range rows {
		out[i] = wire.AuditLine(l)
	}
	return out, next, err
}
