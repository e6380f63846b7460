package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/molerun/molerun/cli/process"
	"github.com/molerun/molerun/cli/settings"
)

// inserters is how many clients of pgbench insert at once.
const inserters = 64

// durable measures decisions on their whole way: a worker as molerun work runs it asks bots over HTTP, on the same processors,
// and a decision counts when Postgres has it, safe from a power cut. Beside it, in turn: asking alone, which records nothing,
// and what pgbench inserts on the same server, a row of about a decision's size a transaction.
func durable(ctx context.Context, o options) ([]figure, error) {
	if o.Postgres == "" {
		return nil, nil
	}
	url, drop, err := freshDatabase(ctx, o.Postgres)
	if err != nil {
		return nil, err
	}
	raw, err := sql.Open("pgx", url)
	if err != nil {
		return nil, errors.Join(err, drop())
	}
	rows, err := durableOn(ctx, o, raw, url)
	return rows, errors.Join(err, raw.Close(), drop())
}

func durableOn(ctx context.Context, o options, raw *sql.DB, url string) ([]figure, error) {
	var fsync string
	if err := raw.QueryRowContext(ctx, "SHOW fsync").Scan(&fsync); err != nil {
		return nil, err
	}
	if fsync != "on" {
		return nil, fmt.Errorf("durable decisions: fsync is %s on the server: start it with fsync on", fsync)
	}
	b, err := newLoopbackBot(ctx)
	if err != nil {
		return nil, err
	}
	defer b.close()
	single, err := newInserts(ctx, raw, o.Dir, url)
	if err != nil {
		return nil, err
	}
	var rows []figure
	for _, matches := range []int{64, 256} {
		more, err := durableAt(ctx, o, durables{loopbackBot: b, inserts: single, raw: raw, url: url, matches: matches})
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

// durables is one measurement of durable decisions.
type durables struct {
	*loopbackBot
	inserts
	raw     *sql.DB
	url     string
	matches int // at once
}

func durableAt(ctx context.Context, o options, d durables) ([]figure, error) {
	if err := d.plan(ctx, o); err != nil {
		return nil, err
	}
	var whole, asking, single [3]float64
	var err error
	for i := range 3 {
		if single[i], err = d.inserted(ctx, o.Span); err != nil {
			return nil, err
		}
		if asking[i], _, err = rate(ctx, d.matches, o.Span, d.ours); err != nil {
			return nil, err
		}
		if whole[i], err = d.played(ctx, o); err != nil {
			return nil, err
		}
	}
	name := fmt.Sprintf("durable decisions, %d matches", d.matches)
	return []figure{
		floor(name, "/s", middle(whole[:]), middle(asking[:]), fmt.Sprintf("asking alone, %d matches, same bot", d.matches), 0.85),
		floor(name, "/s", middle(whole[:]), middle(single[:]), fmt.Sprintf("pgbench, single-row inserts, %d clients, same server", inserters), 0.7),
	}, nil
}

// plan starts a tournament with more matches than one measurement can play.
func (d durables) plan(ctx context.Context, o options) error {
	return d.process(ctx, func(p *process.Process) error {
		if err := p.Store.Migrate(ctx); err != nil {
			return err
		}
		_, err := started(ctx, p.Store, newDirector(p.Store), tournamentPlan{name: strconv.Itoa(d.matches), url: d.loopbackBot.url, cycles: 20, at: o.Now()})
		return err
	})
}

// process runs f with a worker process as an operator would start it.
func (d durables) process(ctx context.Context, f func(*process.Process) error) error {
	s, err := settings.New()
	if err != nil {
		return err
	}
	s.Database, s.Workers, s.Private = d.url, d.matches, []string{"127.0.0.0/8"}
	p, err := process.Open(ctx, s, slog.New(slog.DiscardHandler), process.Options{Rand: rand.NewChaCha8([32]byte{4})})
	if err != nil {
		return err
	}
	return errors.Join(f(p), p.Close())
}

// played returns how many decisions a second become durable while a worker plays: after one span, during another.
func (d durables) played(ctx context.Context, o options) (float64, error) {
	var perSecond float64
	err := d.process(ctx, func(p *process.Process) error {
		working, stop := context.WithCancel(ctx)
		worked := make(chan error, 1)
		go func() { worked <- p.Work(working, d.matches) }()
		time.Sleep(o.Span)
		before, err := d.count(ctx, "decisions")
		begin := time.Now()
		time.Sleep(o.Span)
		after, countErr := d.count(ctx, "decisions")
		perSecond = float64(after-before) / time.Since(begin).Seconds()
		stop()
		return errors.Join(err, countErr, <-worked)
	})
	if err != nil {
		return 0, err
	}
	left, err := d.count(ctx, "matches WHERE status = 'queued'")
	if err == nil && left <= d.matches {
		err = fmt.Errorf("durable decisions: %d matches are left: too few for %d at once", left, d.matches)
	}
	return perSecond, err
}

// count counts rows, committed by then.
func (d durables) count(ctx context.Context, of string) (int, error) {
	var n int
	err := d.raw.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+of).Scan(&n)
	return n, err
}

// inserts are single-row inserts by pgbench.
type inserts struct {
	pgbench
	script string
}

// newInserts makes the table, whose rows are as long as a decision of Mole Hill.
func newInserts(ctx context.Context, db *sql.DB, dir, url string) (inserts, error) {
	program, err := newPgbench(url)
	if err != nil {
		return inserts{}, fmt.Errorf("durable decisions: %w", err)
	}
	in := inserts{program, filepath.Join(dir, "insert.sql")}
	if _, err := db.ExecContext(ctx, "CREATE TABLE bench_lines (id BIGSERIAL PRIMARY KEY, body TEXT NOT NULL)"); err != nil {
		return in, err
	}
	script := fmt.Sprintf("INSERT INTO bench_lines (body) VALUES ('%s');\n", bytes.Repeat([]byte("x"), 300))
	return in, os.WriteFile(in.script, []byte(script), 0o600)
}

// inserted returns how many rows a second pgbench inserts.
func (in inserts) inserted(ctx context.Context, span time.Duration) (float64, error) {
	return in.perSecond(ctx, span, inserters, "--file="+in.script)
}
