package bench

import (
	"context"
	"time"
)

// Options of a run.
type Options struct {
	Span     time.Duration     // of each single measurement; 1 s gives quiet figures
	Postgres string            // URL of a server to measure commits on; "" leaves that out
	Dir      string            // a folder for the SQLite database of the run
	Progress func(what string) // told before each part
	Now      func() time.Time  // for the stores
}

// Run measures everything.
func Run(ctx context.Context, o Options) ([]Row, error) {
	var rows []Row
	for _, part := range []struct {
		what    string
		measure func(time.Duration) ([]Row, error)
	}{{"playouts", playouts}, {"late moves", late}, {"views and offers", asks}, {"ratings and matchmaking", ratings}} {
		o.Progress(part.what)
		more, err := part.measure(o.Span)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	o.Progress("decisions over HTTP")
	more, err := decisions(ctx, o.Span)
	if err != nil {
		return nil, err
	}
	rows = append(rows, more...)
	o.Progress("results committed")
	if more, err = commits(ctx, o); err != nil {
		return nil, err
	}
	return append(rows, more...), nil
}
