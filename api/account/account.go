package account

import (
	"context"
	"io"
	"time"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// Accounts answers the requests about accounts. Every field is required.
type Accounts struct {
	Store  *store.Store
	Now    func() time.Time
	Rand   io.Reader // safe for concurrent use: the secrets of tokens
	Tokens int       // live tokens per user
	Gate   *gate.Gate
	// Lease is closed when a token ends or the process stops, until the function that it returns is called.
	Lease func(tokenID string) (<-chan struct{}, func())
}

// maxSubject bounds the id of a subject that is no UUID, such as a ladder's, in bytes.
const maxSubject = 64

// ListAudit answers GET /v1/admin/audit.
func (a *Accounts) ListAudit(ctx context.Context, in wire.AuditQuery, p httpx.PageQuery) ([]wire.AuditLine, string, error) {
	if in.Subject != "" && tournament.CheckText("subject", in.Subject, maxSubject) != nil {
		return nil, "", httpx.BadQuery("subject", "is no id")
	}
	if err := httpx.CheckSpan(in.Since, in.Until); err != nil {
		return nil, "", err
	}
	f := tournament.AuditFilter{UserID: in.User, SubjectID: in.Subject, Outcome: tournament.AuditOutcome(in.Outcome), Since: in.Since, Until: in.Until}
	rows, next, err := a.Store.AuditLines(ctx, f, store.Page{After: p.After, Limit: p.Limit, Sort: store.Newest})
	out := make([]wire.AuditLine, len(rows))
	for i, l := range rows {
		out[i] = wire.AuditLine(l)
	}
	return out, next, err
}
