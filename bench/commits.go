package main

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver of the anchor's own connection
	_ "modernc.org/sqlite"             // the driver of the anchor's own connection

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/molehill"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// finishers is how many results are committed at once; the anchor inserts with as many.
const finishers = 32

// commits measures results committed, each in one transaction with places and ratings, against single-row inserts in the
// same database, and on Postgres against pgbench, all as durable as the database is set. The queue's own mark that a job is
// done, which a worker puts into the same transaction, is left out: it needs a running queue.
func commits(ctx context.Context, o options) ([]figure, error) {
	const pragmas = "?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_txlock=immediate"
	return onBoth(ctx, o, "bench.db", pragmas, func(on database) ([]figure, error) { return commitsOn(ctx, o, on) })
}

// database describes one that is measured on: its kind, the store's address of it, and how to open it past the store.
type database struct{ name, url, driver, dsn string }

// onBoth measures on SQLite, in a file of that name that is opened with pragmas past the store, and on Postgres if there is a server.
func onBoth(ctx context.Context, o options, file, pragmas string, measure func(database) ([]figure, error)) ([]figure, error) {
	file = filepath.Join(o.Dir, file)
	rows, err := measure(database{name: "SQLite", url: "sqlite:" + file, driver: "sqlite", dsn: file + pragmas})
	if err != nil || o.Postgres == "" {
		return rows, err
	}
	url, drop, err := freshDatabase(ctx, o.Postgres)
	if err != nil {
		return nil, err
	}
	more, err := measure(database{name: "Postgres", url: url, driver: "pgx", dsn: url})
	return append(rows, more...), errors.Join(err, drop())
}

// openStore opens the store of a fresh database with so many connections, 0 for as many as is usual, and makes its tables.
func openStore(ctx context.Context, o options, url string, conns int) (*store.Store, error) {
	db, err := store.Open(ctx, url, store.Options{Now: o.Now, Rand: rand.NewChaCha8([32]byte{2}), Program: "bench", MaxConns: conns})
	if err != nil {
		return nil, err
	}
	if err := db.Migrate(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// newUpdates makes pgbench's own tables. What it returns measures its small transaction of an update, a query and an insert.
func newUpdates(ctx context.Context, o options, url string) (func() (float64, error), error) {
	p, err := newPgbench(url)
	if err != nil {
		return nil, fmt.Errorf("results committed: %w", err)
	}
	_, err = p.run(ctx, "--initialize", "--quiet", "--scale=10")
	return func() (float64, error) { return p.perSecond(ctx, o.Span, finishers, "--builtin=simple-update") }, err
}

// freshDatabase makes a database of this run's own on a server, and the function that drops it again.
func freshDatabase(ctx context.Context, admin string) (string, func() error, error) {
	db, err := sql.Open("pgx", admin)
	if err != nil {
		return "", nil, err
	}
	name := "molerun_bench_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	if _, err := db.ExecContext(ctx, "CREATE DATABASE "+name); err != nil {
		return "", nil, errors.Join(err, db.Close())
	}
	before, query, _ := strings.Cut(admin, "?")
	at := strings.LastIndex(before, "/")
	return before[:at+1] + name + "?" + query, func() error {
		_, err := db.ExecContext(context.WithoutCancel(ctx), "DROP DATABASE "+name+" WITH (FORCE)")
		return errors.Join(err, db.Close())
	}, nil
}

func commitsOn(ctx context.Context, o options, on database) (_ []figure, err error) {
	db, err := openStore(ctx, o, on.url, finishers+4)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	anchor, err := sql.Open(on.driver, on.dsn)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, anchor.Close()) }()
	anchor.SetMaxOpenConns(1)
	if _, err := anchor.ExecContext(ctx, "CREATE TABLE bench_rows (id TEXT PRIMARY KEY, body TEXT NOT NULL, points DOUBLE PRECISION NOT NULL)"); err != nil {
		return nil, err
	}
	insert, err := anchor.PrepareContext(ctx, "INSERT INTO bench_rows VALUES ($1, $2, $3)")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, insert.Close()) }()
	single := func(ctx context.Context) error {
		_, err := insert.ExecContext(ctx, uuid.NewString(), `{"rank":[1,2],"points":[12,9],"why":"two_rounds"}`, 12.0)
		return err
	}
	// One tournament for all that is measured: what is left of an earlier one would come first in the ladder's order, and nobody be rated.
	finish, err := field(ctx, db, o)
	if err != nil {
		return nil, err
	}
	updates := func() (float64, error) { return 0, nil } // pgbench knows Postgres alone
	if on.driver == "pgx" {
		anchor.SetMaxOpenConns(finishers)
		if updates, err = newUpdates(ctx, o, on.url); err != nil {
			return nil, err
		}
	}
	if _, err := anchor.ExecContext(ctx, "ANALYZE"); err != nil { // as the database itself does after so many changes
		return nil, err
	}
	var ours, bare, updated [3]float64
	for i := range 3 {
		if bare[i], err = perSecond(ctx, o.Span, single); err != nil {
			return nil, err
		}
		if updated[i], err = updates(); err != nil {
			return nil, err
		}
		if ours[i], err = perSecond(ctx, o.Span, finish); err != nil {
			return nil, err
		}
	}
	if err := allRated(ctx, anchor); err != nil {
		return nil, err
	}
	name := "results committed, " + on.name
	rows := []figure{floor(name, "/s", middle(ours[:]), middle(bare[:]), fmt.Sprintf("single-row inserts, %d at once", finishers), 0.6)}
	if on.driver == "pgx" {
		rows = append(rows, floor(name, "/s", middle(ours[:]), middle(updated[:]), fmt.Sprintf("pgbench, simple-update, %d clients, same server", finishers), 0.6))
	}
	return rows, nil
}

// allRated reports results that nobody was rated by, except for the last ones, whose blocks may go on.
func allRated(ctx context.Context, db *sql.DB) error {
	var over, rated int
	if err := db.QueryRowContext(ctx, "SELECT COUNT(*) FROM matches WHERE status = 'done'").Scan(&over); err != nil {
		return err
	}
	if err := db.QueryRowContext(ctx, "SELECT COUNT(DISTINCT match_id) FROM rating_events").Scan(&rated); err != nil {
		return err
	}
	if over-rated > 2*finishers {
		return fmt.Errorf("of %d results %d were rated", over, rated)
	}
	return nil
}

// perSecond lets the finishers repeat f for span, or until it says that it is out of work.
func perSecond(ctx context.Context, span time.Duration, f func(context.Context) error) (float64, error) {
	var done atomic.Int64
	errs := make([]error, finishers)
	var wg sync.WaitGroup
	begin := time.Now()
	for i := range finishers {
		wg.Go(func() {
			for time.Since(begin) < span {
				if err := f(ctx); errors.Is(err, errOut) {
					return
				} else if err != nil {
					errs[i] = err
					return
				}
				done.Add(1)
			}
		})
	}
	wg.Wait()
	return float64(done.Load()) / time.Since(begin).Seconds(), errors.Join(errs...)
}

var errOut = errors.New("no match is left")

// field starts a tournament of many matches, claims them, and returns what finishes one of them.
func field(ctx context.Context, db *store.Store, o options) (func(context.Context) error, error) {
	d := newDirector(db)
	id, err := started(ctx, db, d, tournamentPlan{name: "results", url: "http://127.0.0.1:1/", cycles: 80, at: o.Now()}) // 19,200 matches
	if err != nil {
		return nil, err
	}
	return claimAll(ctx, db, d, id)
}

// newDirector returns a director that makes the first round as a tournament starts, and waits for nobody to greet the bots.
func newDirector(db *store.Store) *director.Director {
	return director.New(db, director.Options{
		Engines: func(string) (game.Engine, bool) { return game.Wrap(molehill.Rules{}), true },
		Rand:    rand.NewChaCha8([32]byte{1}),
	})
}

// tournamentPlan is a tournament to be played among planBots.
type tournamentPlan struct {
	name   string
	url    string // of all bots
	cycles int    // of a round robin with swapped seats: 240 matches each
	at     time.Time
}

const planBots = 16

// started makes a tournament and its bots, starts it and returns its id.
func started(ctx context.Context, db *store.Store, d *director.Director, c tournamentPlan) (string, error) {
	user, _, err := db.CreateUser(ctx, tournament.User{Name: "bench-" + c.name, Role: tournament.RoleOrganiser},
		tournament.Token{ID: "bench-" + c.name, Hash: sha256.Sum256([]byte(c.name))})
	if err != nil {
		return "", err
	}
	ladder, err := d.EnsureLadder(ctx, "molehill")
	if err != nil {
		return "", err
	}
	config, err := game.Wrap(molehill.Rules{}).Configure(nil, 2)
	if err != nil {
		return "", err
	}
	x, err := d.CreateTournament(ctx, tournament.Tournament{
		Name: "bench", OrganiserID: user.ID, Game: "molehill", Config: config, Format: tournament.RoundRobin, Table: 2, Cycles: c.cycles, Duplicate: true,
		Rated: true, LadderID: ladder.ID, Capacity: planBots, Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits(),
		OpensAt: c.at.Add(-time.Minute), ClosesAt: c.at.Add(time.Hour), StartsAt: c.at.Add(2 * time.Hour), Status: tournament.Scheduled,
	})
	if err != nil {
		return "", err
	}
	for i := range planBots {
		owner, _, err := db.CreateUser(ctx, tournament.User{Name: fmt.Sprintf("owner-%s-%d", c.name, i), Role: tournament.RoleOwner}, tournament.Token{})
		if err != nil {
			return "", err
		}
		bot, _, err := db.CreateBot(ctx, tournament.Bot{OwnerID: owner.ID, Name: fmt.Sprintf("bench-%s-%d", c.name, i), Status: tournament.BotActive},
			tournament.Version{Number: 1, URL: c.url, Secrets: tournament.Secrets{benchSecret}, Games: []string{"molehill"}}, planBots)
		if err != nil {
			return "", err
		}
		if _, err := d.Join(ctx, x.ID, bot.ID, owner.ID); err != nil {
			return "", err
		}
	}
	_, err = d.Start(ctx, x.ID)
	return x.ID, err
}

// claimAll makes the matches of a tournament running, as far as one measurement can use, in schedule order.
func claimAll(ctx context.Context, db *store.Store, d *director.Director, tournamentID string) (func(context.Context) error, error) {
	const enough = 16000
	var list []tournament.Match
	for after := ""; len(list) < enough; {
		page, next, err := db.Matches(ctx, store.MatchFilter{TournamentID: tournamentID}, store.Page{Limit: store.MaxPage, Sort: store.Oldest, After: after})
		if err != nil {
			return nil, err
		}
		claimed := make([]tournament.Match, len(page))
		errs := make([]error, len(page))
		var wg sync.WaitGroup
		for i, m := range page { // at once: they share commits
			wg.Go(func() { claimed[i], _, errs[i] = d.Claim(ctx, store.PlayMatch{MatchID: m.ID}, "bench", time.Hour) })
		}
		wg.Wait()
		if err := errors.Join(errs...); err != nil {
			return nil, err
		}
		list = append(list, claimed...)
		if after = next; after == "" {
			break
		}
	}
	var at atomic.Int64
	return func(ctx context.Context) error {
		i := int(at.Add(1)) - 1
		if i >= len(list) {
			return errOut
		}
		rank := []int{1 + i%2, 2 - i%2}
		return d.Finish(ctx, list[i], runner.Outcome{
			Result: game.Result{Rank: rank, Points: []float64{float64(i % 20), 10}, Why: "two_rounds"}, Rank: rank, Steps: 80, Faults: []int{0, 0}, P95: make([]time.Duration, 2),
		}, nil)
	}, nil
}
