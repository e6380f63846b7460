package main

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// options of a run.
type options struct {
	Span     time.Duration     // of each single measurement; 1 s gives quiet figures
	Postgres string            // URL of a server to measure decisions, commits and pages on; "" leaves that out
	Dir      string            // a folder for the SQLite databases of the run
	Only     string            // the part whose name begins so; "": all
	Progress func(what string) // called before each part
	Large    size              // of the platform that is filled to measure its scale; without matches it is left out
	Now      func() time.Time  // for the stores
}

// run measures everything.
func run(ctx context.Context, o options) ([]figure, error) {
	var rows []figure
	for _, part := range []struct {
		what    string
		measure func() ([]figure, error)
	}{
		{"playouts", func() ([]figure, error) { return playouts(o.Span) }},
		{"late moves", func() ([]figure, error) { return late(o.Span) }},
		{"views and offers", func() ([]figure, error) { return asks(o.Span) }},
		{"ratings and matchmaking", func() ([]figure, error) { return ratings(o.Span) }},
		{"decisions over HTTP", func() ([]figure, error) { return decisions(ctx, o.Span) }},
		{"durable decisions", func() ([]figure, error) { return durable(ctx, o) }},
		{"results committed", func() ([]figure, error) { return commits(ctx, o) }},
		{"pages", func() ([]figure, error) { return pages(ctx, o) }},
		{"watchers", func() ([]figure, error) { return watchers(ctx, o) }},
		{"scale", func() ([]figure, error) { return scale(ctx, o) }},
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
	if len(rows) == 0 {
		return nil, fmt.Errorf("nothing is measured: no part begins with -only %q, or it needs -postgres and -matches", o.Only)
	}
	return rows, nil
}
