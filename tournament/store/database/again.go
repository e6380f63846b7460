package database

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
)

// What Postgres says to a client that is to try again, with nothing changed: another transaction came first, or two waited for each other.
const (
	SerializationFailure = "40001"
	DeadlockDetected     = "40P01"
)

// Again does what do does, a statement or a transaction, and does it again a few times if the database says that others were in its way and
// that nothing was changed. Any other error may mean that it is done, or fails each time: it is returned at once.
func (db *DB) Again(ctx context.Context, do func() error) error {
	// Of two that met, one goes on at once.
	for _, wait := range []time.Duration{0, 20 * time.Millisecond, 80 * time.Millisecond, 320 * time.Millisecond} {
		err := do()
		code, again := inTheWay(err)
		if !again {
			return err
		}
		db.opts.Logger.Info("others were in the way; trying again", "code", code, "wait", wait.String(), "error", err)
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
	}
	return do()
}

// inTheWay reports whether the database says that others were in the way, and with which code.
func inTheWay(err error) (string, bool) {
	var said *pgconn.PgError
	var lite *sqlite.Error
	switch {
	case errors.As(err, &said):
		return said.Code, said.Code == SerializationFailure || said.Code == DeadlockDetected
	case errors.As(err, &lite):
		return strconv.Itoa(lite.Code()), lite.Code()&0xff == sqliteBusy
	}
	return "", false
}
