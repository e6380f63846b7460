package database

import (
	"slices"

	"github.com/jackc/pgx/v5/pgconn"
)

// Addresses are where Postgres may be reached, as host:port, in the order in which they are tried; none of SQLite, nor of a socket
// in a folder.
func (db *DB) Addresses() []string {
	if db.pool == nil {
		return nil
	}
	c := db.pool.Config().ConnConfig
	var out []string
	for _, at := range append([]*pgconn.FallbackConfig{{Host: c.Host, Port: c.Port}}, c.Fallbacks...) {
		network, address := pgconn.NetworkAddress(at.Host, at.Port)
		if network == "tcp" && !slices.Contains(out, address) { // with TLS or without is the same address
			out = append(out, address)
		}
	}
	return out
}
