package database

import (
	"slices"

	"github.com/jackc/pgx/v5/pgconn"
)

// Addresses returns where Postgres may be reached, by either URL, as host:port, in the order in which they are tried; none of SQLite,
// nor of a socket in a folder.
func (db *DB) Addresses() []string {
	var out []string
	for _, l := range []*line{db.main, db.direct} {
		if l == nil {
			continue
		}
		c := l.Config().ConnConfig
		for _, at := range append([]*pgconn.FallbackConfig{{Host: c.Host, Port: c.Port}}, c.Fallbacks...) {
			network, address := pgconn.NetworkAddress(at.Host, at.Port)
			if network == "tcp" && !slices.Contains(out, address) { // with TLS or without is the same address
				out = append(out, address)
			}
		}
	}
	return out
}
