package database

import (
	"context"
	"crypto/tls"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
	"modernc.org/sqlite"
)

// Away reports whether err says that the database could not be reached, went away meanwhile, takes no writes now, or is short of room, memory or
// connections: that passes, and the request was not at fault. A file of SQLite that is read-only stays so for the process that opened it.
func Away(err error) bool {
	var connect *pgconn.ConnectError
	var line *net.OpError
	var said *pgconn.PgError
	var lite *sqlite.Error
	switch {
	case errors.As(err, &said):
		return gone(said.Code) || said.Code == readOnly || strings.HasPrefix(said.Code, "53")
	case errors.As(err, &lite): // the low byte is the kind
		return slices.Contains([]int{sqliteBusy, sqliteIO, sqliteFull}, lite.Code()&0xff)
	}
	if errors.As(err, &connect) && withoutTLS(connect) {
		return false
	}
	// What is safe to retry was not sent: the connection had been lost before, unless the caller itself has gone.
	unsent := pgconn.SafeToRetry(err) && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
	return unsent || errors.As(err, &connect) || errors.As(err, &line) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.ErrUnexpectedEOF)
}

// ended returns err, but the end of ctx where that broke the connection: what comes next hears of the broken one alone.
func ended(ctx context.Context, err error) error {
	if end := ctx.Err(); end != nil && errors.Is(err, driver.ErrBadConn) {
		return end
	}
	return err
}

// withoutTLS reports whether every try to connect failed for want of TLS that is to be trusted: only an operator mends that.
func withoutTLS(err *pgconn.ConnectError) bool {
	tries := []error{err.Unwrap()}
	if several, is := tries[0].(interface{ Unwrap() []error }); is {
		tries = several.Unwrap()
	}
	return !slices.ContainsFunc(tries, func(one error) bool {
		var untrusted *tls.CertificateVerificationError
		return !errors.As(one, &untrusted) && !strings.HasSuffix(one.Error(), "tls error: server refused TLS connection") // pgx has no name for it
	})
}

// gone reports whether Postgres says by a code that the connection is of no use: it broke, there are too many, or the server starts or stops.
func gone(code string) bool {
	return strings.HasPrefix(code, "08") || code == "53300" || strings.HasPrefix(code, "57P")
}

// AwayBecause says in a few words why a database is [Away], the same ones for the same cause: without the ports of a try.
func AwayBecause(err error) string {
	var said *pgconn.PgError
	var line *net.OpError
	var name *net.DNSError
	switch why := unwritable(err); {
	case why != nil:
		return why.Error()
	case errors.Is(err, errLocked):
		return errLocked.Error()
	case errors.Is(err, errDisk):
		return errDisk.Error()
	case errors.As(err, &said):
		return said.Message
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &line) && line.Timeout():
		return "it does not answer"
	case errors.As(err, &name):
		return "its host's name: " + name.Err
	case errors.As(err, &line):
		return line.Err.Error()
	}
	return "the connection broke"
}

// Undone reports whether Postgres itself says that it has not carried a statement out. After any other error nobody can tell.
func Undone(err error) bool {
	var said *pgconn.PgError
	return errors.As(err, &said) && !gone(said.Code)
}

// Refused reports whether the database refuses what it was given: a value that it cannot keep, a broken constraint, a statement
// that it does not understand. That is a bug of ours; the same again would be refused again. A duplicate key is not among them:
// somebody else may have been first, and the next attempt sees that.
func Refused(err error) bool {
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		return false
	}
	if errors.Is(err, gorm.ErrForeignKeyViolated) || errors.Is(err, gorm.ErrCheckConstraintViolated) || errors.Is(err, gorm.ErrInvalidField) {
		return true
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) && len(pg.Code) == 5 { // classes: cardinality, data, integrity, syntax or access, WITH CHECK, a program's limits
		return pg.Code != DuplicateKey && slices.Contains([]string{"21", "22", "23", "42", "44", "54"}, pg.Code[:2])
	}
	var lite *sqlite.Error
	if errors.As(err, &lite) { // the low byte is the kind; SQLITE_ERROR is a statement that makes no sense
		return !slices.Contains([]int{sqliteUnique, sqlitePrimaryKey}, lite.Code()) &&
			slices.Contains([]int{sqliteError, sqliteTooBig, sqliteConstraint, sqliteMismatch, sqliteRange}, lite.Code()&0xff)
	}
	return false
}

// diskFull is what Postgres says when it has no room to write.
const diskFull = "53100"

// readOnly marks a write that Postgres does not take: it is a standby, or was set so, as hosts do before a disk is full.
const readOnly = "25006"

// lacksRights is what Postgres says to a role that may not do what it asks for.
const lacksRights = "42501"

// DuplicateKey is what Postgres says of one.
const DuplicateKey = "23505"

// Result codes of SQLite, https://sqlite.org/rescode.html.
const (
	sqliteError      = 1
	sqliteBusy       = 5 // another connection writes, and has for as long as this one may wait
	sqliteReadOnly   = 8
	sqliteIO         = 10
	sqliteCorrupt    = 11
	sqliteFull       = 13
	sqliteTooBig     = 18
	sqliteConstraint = 19
	sqliteMismatch   = 20
	sqliteRange      = 25
	sqliteNoDatabase = 26
	sqlitePrimaryKey = 1555
	sqliteUnique     = 2067
)
