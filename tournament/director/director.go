package director

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// Options are the parts of a director that its owner decides.
type Options struct {
	Engines func(id string) (game.Engine, bool) // the games this program plays
	Rand    io.Reader                           // of seeds, nonces and aliases: crypto/rand.Reader, but for tests
	Rounded func(tournament.Format)             // called for each round that is made and safe, for metrics; may be nil
	Greets  bool                                // somebody carries out health checks: a tournament that starts waits for those of its bots
}

// Director lets things happen on a platform. It is safe for concurrent use; several of them may share a database.
type Director struct {
	store   *store.Store
	opts    Options
	now     func() time.Time
	newID   func() (string, error)
	claims  store.Group[*claim]
	endings store.Group[*ending]
	finals  *lru.Cache[string, []tournament.Standing] // of tournaments that are over, by id, as [Director.final] returns them
	lineups *sync.Map                                 // of recent, by ladder
}

// New returns a director over a store.
func New(s *store.Store, o Options) *Director {
	finals, err := lru.New[string, []tournament.Standing](maxFinals)
	if err != nil {
		panic("director: " + err.Error()) // a size below 1
	}
	d := &Director{
		store:   s,
		opts:    o,
		now:     s.Now,
		newID:   s.NewID,
		finals:  finals,
		lineups: new(sync.Map),
	}
	d.claims.Size = 64
	d.claims.Limit = 10 * time.Second
	d.claims.Key = func(c *claim) string { return c.MatchID }
	d.claims.Commit = d.claimGroup
	d.claims.RetryEach = true
	d.claims.MaxInFlight = 4 // so many hang before nobody claims any more
	d.endings.Size = 64
	d.endings.Limit = 30 * time.Second
	d.endings.Key = func(e *ending) string { return e.match.ID }
	d.endings.Commit = d.endGroup
	d.endings.RetryEach = true
	return d
}

// On returns the same director over another store of the same database: over one with hooks, what it does runs with them.
func (d *Director) On(s *store.Store) *Director {
	other := New(s, d.opts)
	other.finals = d.finals
	other.lineups = d.lineups
	return other
}

// txn is one transaction of a director.
type txn struct {
	*store.Tx
	d    *Director
	made []tournament.Format // rounds: a format for each
}

// inTx runs f in a transaction, and tells of the rounds that were made when they are safe.
func (d *Director) inTx(ctx context.Context, f func(*txn) error) error {
	var made []tournament.Format
	err := d.store.InTx(ctx, func(tx *store.Tx) error {
		t := &txn{Tx: tx, d: d}
		err := f(t)
		made = t.made
		return err
	})
	if err != nil || d.opts.Rounded == nil {
		return err
	}
	for _, f := range made {
		d.opts.Rounded(f)
	}
	return nil
}

// transact calls f as [Director.inTx] does, and returns its value: that of the run that was committed.
func transact[T any](ctx context.Context, d *Director, f func(*txn) (T, error)) (T, error) {
	var out T
	err := d.inTx(ctx, func(tx *txn) (err error) {
		out, err = f(tx)
		return err
	})
	return out, err
}

// info returns what is fixed about a game of this program.
func (d *Director) info(id string) (game.Info, error) {
	e, err := d.engine(id)
	if err != nil {
		return game.Info{}, err
	}
	return e.Info(), nil
}

func (d *Director) engine(id string) (game.Engine, error) {
	e, ok := d.opts.Engines(id)
	if !ok {
		return nil, fmt.Errorf("%w: there is no game %q", tournament.ErrNotFound, id)
	}
	return e, nil
}

// owned returns a bot of an owner.
func (tx *txn) owned(botID, ownerID string) (tournament.Bot, error) {
	b, err := tx.Bot(botID)
	if err == nil && b.OwnerID != ownerID {
		err = fmt.Errorf("%w: bot %q is somebody else's", tournament.ErrNotYours, b.Name)
	}
	return b, err
}
