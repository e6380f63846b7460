package settings

import (
	"fmt"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/engines/catalog"
)

// Files is how a process shares out the files that it may have open: what strangers at the API can use up is not what bots
// are asked with, nor what the database needs.
type Files struct {
	Limit   int // of the system
	Asks    int // messages of matches under way: all that the workers can send at once
	Calls   int // other messages under way: hello, webhooks
	Sockets int // to bots
	API     int // connections to the API
	Each    int // of one address
}

// Scrapes is how many connections to /metrics are open at once.
const Scrapes = 16

const (
	callsAtOnce  = 64    // 32 of requests, 24 of health checks, 8 of webhooks
	ownFiles     = 64    // standard streams, listeners, what is read at a start
	leastFiles   = 64    // for the API
	addresses    = 16    // that each take all they can do not take all there is
	unknownFiles = 16384 // where the system does not say
)

// ShareFiles shares out what the system allows to a process with so many connections to its database. An error wraps
// command.ErrUsage and says how many files it would take.
func (s *Settings) ShareFiles(databaseConns int) (Files, error) {
	limit := unknownFiles
	if n, known := openFiles(); known {
		limit = int(min(n, 1<<20))
	}
	return s.share(limit, databaseConns)
}

func (s *Settings) share(limit, databaseConns int) (Files, error) {
	f := Files{Limit: limit, Asks: tableSize() * max(1, s.Workers), Calls: callsAtOnce}
	own := ownFiles + Scrapes + 2*max(16, databaseConns)
	least := 3 * (f.Asks + f.Calls) // see httpbot.Options
	rest := f.Limit - own - least
	if rest < leastFiles {
		want := own + least + leastFiles
		return f, fmt.Errorf("%w: open files: at most %d, and %d workers with the API need %d: ulimit -n %d, LimitNOFILE in the unit, or fewer --workers",
			command.ErrUsage, f.Limit, s.Workers, want, want)
	}
	f.Sockets = least + min(rest/2, 5*(f.Asks+f.Calls))
	f.API = min(s.Connections, f.Limit-own-f.Sockets)
	f.Each = min(s.PerAddress, max(1, f.API/addresses))
	return f, nil
}

// tableSize returns how many bots the largest table of all games has.
func tableSize() int {
	var n int
	for _, g := range catalog.All() {
		n = max(n, g.Info().MaxSeats)
	}
	return n
}
