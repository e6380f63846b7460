package bench

import (
	"context"
	"strings"
	"time"
)

// Options of a run.
type Options struct {
	Span     time.Duration     // of each single measurement; 1 s gives quiet figures
	Postgres string            // URL of a server to measure commits and pages on; "" leaves that out
	Dir      string            // a folder for the SQLite databases of the run
	Only     string            // the part whose name begins so; "": all
	Progress func(what string) // told before each part
	Now      func() time.Time  // for the stores
}

// Run measures everything.
func Run(ctx context.Context, o Options) ([]Row, error) {
	var rows []Row
	for _, part := range []struct {
		what    string
		measure func() ([]Row, error)
	}{
		{"playouts", func() ([]Row, error) { return playouts(o.Span) }},
		{"late moves", func() ([]Row, error) { return late(o.Span) }},
		{"views and offers", func() ([]Row, error) { return asks(o.Span) }},
		{"ratings and matchmaking", func() ([]Row, error) { return ratings(o.Span) }},
		{"decisions over HTTP", func() ([]Row, error) { return decisions(ctx, o.Span) }},
		{"results committed", func() ([]Row, error) { return commits(ctx, o) }},
		{"pages", func() ([]Row, error) { return pages(ctx, o) }},
	} {
		if !strings.HasPrefix(part.what, o.Only) {
			continue
		}
		o.Progress(part.what)
		more, err := part.measure()
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}
