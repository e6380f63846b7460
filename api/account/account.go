package account

import (
	"context"
	"io"
	"time"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/tournament/store"
)

// Config is what accounts are answered from. Every field is needed.
type Config struct {
	Store   *store.Store
	Now     func() time.Time
	Rand    io.Reader // safe for concurrent use: the secrets of tokens
	Cursors httpx.Cursors
	Tokens  int // live tokens per user
	Gate    Gate
	// Lease is closed when a token ends or the process stops, until the function that it returns is called.
	Lease func(tokenID string) (<-chan struct{}, func())
}

// Gate is what accounts need of the gate.
type Gate interface {
	// WrongCode counts a wrong recovery code against its address and returns the refusal.
	WrongCode(ctx context.Context) error
	// HoldStream takes a place for a long answer, until the function that it returns is called.
	HoldStream(ctx context.Context) (func(), error)
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
