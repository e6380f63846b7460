package main

import (
	"database/sql"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
)

// The matches of the tournament are there when the measurement begins, and more than a worker plays meanwhile.
func TestDurableDecisionsAreMeasured(t *testing.T) {
	url := storetest.PostgresURL(t)
	raw, err := sql.Open("pgx", url)
	must.OK(t, err)
	defer raw.Close()
	b, err := newLoopbackBot(t.Context())
	must.OK(t, err)
	defer b.close()
	o := options{Span: 200 * time.Millisecond, Now: time.Now}
	d := durables{loopbackBot: b, raw: raw, url: url, matches: 8}
	must.OK(t, d.plan(t.Context(), o))
	if _, err := d.played(t.Context(), o); err != nil {
		t.Error(err)
	}
}
