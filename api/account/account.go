package account

import (
	"io"
	"time"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/tournament/store"
)

// Accounts are the handlers of accounts. Every field is needed.
type Accounts struct {
	Store  *store.Store
	Now    func() time.Time
	Rand   io.Reader // safe for concurrent use: the secrets of tokens
	Tokens int       // live tokens per user
	Gate   *gate.Gate
	// Lease is closed when a token ends or the process stops, until the function that it returns is called.
	Lease func(tokenID string) (<-chan struct{}, func())
}

// On returns the same handlers over the store of one request.
func (a *Accounts) On(db *store.Store) *Accounts {
	bound := *a
	bound.Store = db
	return &bound
}
