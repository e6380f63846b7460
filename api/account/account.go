package account

import (
	"io"
	"time"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/tournament/store"
)

// Config is what accounts are answered from. Every field is needed.
type Config struct {
	Store  *store.Store
	Now    func() time.Time
	Rand   io.Reader // safe for concurrent use: the secrets of tokens
	Tokens int       // live tokens per user
	Gate   *gate.Gate
	// Lease is closed when a token ends or the process stops, until the function that it returns is called.
	Lease func(tokenID string) (<-chan struct{}, func())
}

// Accounts are the handlers of accounts.
type Accounts struct{ Config }

// New makes the handlers.
func New(cfg Config) *Accounts { return &Accounts{cfg} }

// On returns the same handlers over the store of one request.
func (a *Accounts) On(db *store.Store) *Accounts {
	bound := *a
	bound.Store = db
	return &bound
}
