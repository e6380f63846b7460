package cli

import (
	"fmt"

	"github.com/molerun/molerun/engines/catalog"
)

// files is how a process shares out the files that it may have open: what strangers at the API can use up is not what bots
// are asked with, nor what the database needs.
type files struct {
	limit   int // of the system
	asks    int // messages of matches under way: all that the workers can send at once
	calls   int // other messages under way: hello, webhooks
	sockets int // to bots
	api     int // connections to the API
	each    int // of one address
}

const (
	callsAtOnce  = 64    // 32 of requests, 24 of health checks, 8 of webhooks
	ownFiles     = 64    // standard streams, listeners, what is read at a start
	scrapes      = 16    // connections to /metrics
	leastFiles   = 64    // for the API
	addresses    = 16    // that each take all they can do not take all there is
	unknownFiles = 16384 // where the system does not say
)

// shareFiles shares out what the system allows to a process with so many connections to its database. An error wraps
// errUsage and says how many files it would take.
func (s *settings) shareFiles(databaseConns int) (files, error) {
	limit := unknownFiles
	if n, known := openFiles(); known {
		limit = int(min(n, 1<<20)) //nolint:gosec // bounded
	}
	return s.share(limit, databaseConns)
}

func (s *settings) share(limit, databaseConns int) (files, error) {
	f := files{limit: limit, asks: tableSize() * max(1, s.Workers), calls: callsAtOnce}
	own := ownFiles + scrapes + 2*max(16, databaseConns)
	least := 3 * (f.asks + f.calls) // see httpbot.Options
	rest := f.limit - own - least
	if rest < leastFiles {
		want := own + least + leastFiles
		return f, fmt.Errorf("%w: open files: at most %d, and %d workers with the API need %d: ulimit -n %d, LimitNOFILE in the unit, or fewer --workers",
			errUsage, f.limit, s.Workers, want, want)
	}
	f.sockets = least + min(rest/2, 5*(f.asks+f.calls))
	f.api = min(s.Connections, f.limit-own-f.sockets)
	f.each = min(s.PerAddress, max(1, f.api/addresses))
	return f, nil
}

// tableSize is how many bots the largest table of all games has.
func tableSize() (n int) {
	for _, g := range catalog.All() {
		n = max(n, g.Info().MaxSeats)
	}
	return n
}
