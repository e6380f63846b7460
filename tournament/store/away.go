package store

import (
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// Away tells whether err says that the database could not be reached, or went away meanwhile: that passes, and nobody who asks
// did anything wrong.
func Away(err error) bool {
	var connect *pgconn.ConnectError
	var line *net.OpError
	var said *pgconn.PgError
	if errors.As(err, &said) { // connection exceptions, too many of them, a server that starts or stops
		return strings.HasPrefix(said.Code, "08") || said.Code == "53300" || strings.HasPrefix(said.Code, "57P")
	}
	return errors.As(err, &connect) || errors.As(err, &line) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.ErrUnexpectedEOF)
}
