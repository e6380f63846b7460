package store

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament/store/audit"
	"github.com/molerun/molerun/tournament/store/database"
	"github.com/molerun/molerun/tournament/store/journal"
	"github.com/molerun/molerun/tournament/store/logins"
	"github.com/molerun/molerun/tournament/store/mailbox"
	"github.com/molerun/molerun/tournament/store/outbox"
	"github.com/molerun/molerun/tournament/store/queue"
)

// Options are the parts of a store that its owner decides.
type Options = database.Options

// Group commits together what many callers bring at the same time.
type Group[T any] = database.Group[T]

// Page asks for the rows after a cursor.
type Page = database.Page

// Kind is a kind of rows.
type Kind = database.Kind

// Rows are ids by kind.
type Rows = database.Rows

// The kinds whose rows are locked here, or that a user has, or that can be asked to be unchanged.
const (
	Users       = database.Users
	Tokens      = database.Tokens
	Schedules   = database.Schedules
	Series      = database.Series
	ClassLinks  = database.ClassLinks
	Tournaments = database.Tournaments
	Matches     = database.Matches
	Ladders     = database.Ladders
	Ratings     = database.Ratings
	Bots        = database.Bots
)

// What a [Page] takes.
const (
	Newest      = database.Newest
	Oldest      = database.Oldest
	DefaultPage = database.DefaultPage
	MaxPage     = database.MaxPage
)

// UTC returns a time as the store gives it back.
func UTC(t time.Time) time.Time { return database.UTC(t) }

// Map returns f of each element.
func Map[A, B any](list []A, f func(A) B) []B { return database.Map(list, f) }

// Store is the tables of a database, with its queue, its outbox and its mailboxes. It is safe for concurrent use.
type Store struct {
	*database.DB
	*queue.Queue
	*outbox.Outbox
	*mailbox.Boxes
	*journal.Journal
	*logins.Logins
	*audit.Trail
	tidied *atomic.Int64 // when old rows were deleted last, in microseconds
}

// Open is [database.Open], with all that is over it.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
	db, err := database.Open(ctx, url, o)
	if err != nil {
		return nil, err
	}
	q, err := queue.New(db)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	first := &Store{Queue: q, Journal: journal.New(db), tidied: new(atomic.Int64)}
	return first.over(db), nil
}

// over returns the same store over a database with other hooks.
func (s *Store) over(db *database.DB) *Store {
	return &Store{
		DB:      db,
		Queue:   s.Queue,
		Outbox:  outbox.New(db, s.Queue),
		Boxes:   mailbox.New(db),
		Journal: s.Journal,
		Logins:  logins.New(db),
		Trail:   audit.New(db),
		tidied:  s.tidied,
	}
}

// Close records the steps under way and ends all connections.
func (s *Store) Close() error {
	s.Journal.Close()
	return s.DB.Close()
}

// WithoutHooks returns the same store without hooks, for what is no part of a request.
func (s *Store) WithoutHooks() *Store { return s.over(s.DB.WithoutHooks()) }

// bound returns the same store with more hooks; what is nil adds none.
func (s *Store) bound(before, after func(*database.Tx) error) *Store {
	return s.over(s.WithHooks(before, after))
}

// Migrate brings the tables, ours and the queue's, to the newest version. Processes that start together take turns on Postgres. SQLite has no lock
// for that: a step fails which another process carries out at the same time, and the next try passes it over, as long as fewer wait each time.
func (s *Store) Migrate(ctx context.Context) error {
	for waited := math.MaxInt; ; {
		err := s.DB.Migrate(ctx, func(ctx context.Context) error { return errors.Join(s.Queue.Migrate(ctx), s.Guard(ctx)) })
		if err == nil || s.Pool() != nil || database.Away(err) {
			return err
		}
		list, unknown := s.MigrationStatus(ctx)
		waiting := len(slices.DeleteFunc(list, func(m database.Migration) bool { return !m.Pending }))
		if unknown != nil || waiting >= waited {
			return err
		}
		waited = waiting
	}
}

// MigrationStatus lists all migrations, in order, ours first.
func (s *Store) MigrationStatus(ctx context.Context) ([]database.Migration, error) {
	own, err := s.DB.MigrationStatus(ctx)
	if err != nil {
		return nil, err
	}
	list, err := s.Queue.MigrationStatus(ctx)
	return append(own, list...), err
}

// Reader reads what the director decides by: inside a transaction as a part of it, outside of one from [Store.Reader].
type Reader struct{ db *gorm.DB }

// Reader reads outside transactions.
func (s *Store) Reader(ctx context.Context) Reader { return Reader{s.SQL(ctx)} }

// View runs f on the database as it is at one moment ([database.DB.View]).
func (s *Store) View(ctx context.Context, f func(Reader) error) error {
	return s.DB.View(ctx, func(db *gorm.DB) error { return f(Reader{db}) })
}

// Tx is one transaction over our tables and the queue's, and the events it tells of. It belongs to one goroutine and ends with
// the function it was given to.
type Tx struct {
	Reader // its connection is the only door to the database inside a transaction
	*outbox.Pending
	*database.Tx
	s *Store
}

// InTx runs f in a transaction, which is committed if f returns nil and else changes nothing. It does not nest. As in
// [database.DB.InTx], f may run several times.
func (s *Store) InTx(ctx context.Context, f func(*Tx) error) error {
	return s.Outbox.InTx(ctx, s.with(f))
}

// Once is [Store.InTx] for an f that cannot run twice.
func (s *Store) Once(ctx context.Context, f func(*Tx) error) error {
	return s.Outbox.Once(ctx, s.with(f))
}

func (s *Store) with(f func(*Tx) error) func(*database.Tx, *outbox.Pending) error {
	return func(tx *database.Tx, p *outbox.Pending) error {
		return f(&Tx{Reader: Reader{tx.SQL}, Pending: p, Tx: tx, s: s})
	}
}
