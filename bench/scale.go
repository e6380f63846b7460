package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/molehill"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/jobs"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/archive"
)

// small is the platform that a large one stands beside: enough for every list to have a full page, that of the last 100 matches of a
// bot too.
var small = size{Bots: 400, Live: 200, Tournaments: 60, Matches: 10_000, Packed: 100}

// scaleAsks is how often each thing is done on each platform; the median counts.
const scaleAsks = 15

// scale measures a platform of the given size beside a small one on the same server: what people wait for and what a worker does
// every few seconds. What people wait for must not take twice as long.
func scale(ctx context.Context, o options) (_ []figure, err error) {
	if o.Large.Matches == 0 {
		return nil, nil
	}
	if o.Postgres == "" {
		return nil, errors.New("scale: -postgres is missing: the address of a server to fill")
	}
	var both [2]*platform
	for i, s := range []size{small, o.Large} {
		begin := time.Now()
		p, err := newPlatform(ctx, o, s)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, p.close()) }()
		both[i] = p
		o.Progress(fmt.Sprintf("filled with %d matches in %s", s.Matches, time.Since(begin).Round(time.Second)))
	}
	var rows []figure
	for i := range both[0].deeds() {
		a, b := both[0].deeds()[i], both[1].deeds()[i]
		o.Progress(b.what)
		was, err := medians(ctx, a, b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.what, err)
		}
		against := fmt.Sprintf("%d bots, %d matches", small.Bots, small.Matches)
		if b.grows {
			rows = append(rows, beside(b.what, "ms", was[1], was[0], against))
			rows[len(rows)-1].OK = true
			continue
		}
		// A tick or page of a millisecond or two says little as a ratio: nobody waits for five.
		rows = append(rows, ceiling(b.what, "ms", was[1], max(was[0], 2.5), against+", or 2.5 ms", 2))
	}
	peak, err := peakMB()
	if err != nil {
		return nil, err
	}
	mb := beside("memory of this process at most: the API and a worker's ticks and fits", "MB", peak, peak, "itself")
	mb.OK = true
	return append(rows, mb), nil
}

// medians does two things in turn and returns the median of each in ms.
func medians(ctx context.Context, list ...deed) ([2]float64, error) {
	var took [2][]float64
	n := scaleAsks
	if list[1].grows {
		n = 1
	}
	for range n {
		for i, d := range list {
			begin := time.Now()
			if err := d.do(ctx); err != nil {
				return [2]float64{}, err
			}
			took[i] = append(took[i], float64(time.Since(begin).Nanoseconds())/1e6)
		}
	}
	return [2]float64{middle(took[0]), middle(took[1])}, nil
}

// platform is a database of some size with an API on it.
type platform struct {
	size
	store    *store.Store
	director *director.Director
	site     *site
	raw      *sql.DB
	drop     func() error
	url      string
	open     tournament.Tournament // has begun, with 32 entries
}

func newPlatform(ctx context.Context, o options, s size) (_ *platform, err error) {
	p := &platform{size: s}
	if p.url, p.drop, err = freshDatabase(ctx, o.Postgres); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.close())
		}
	}()
	if p.store, err = openStore(ctx, o, p.url, 8); err != nil {
		return nil, err
	}
	p.director = director.New(p.store, director.Options{Engines: catalog.Find, Rand: rand.NewChaCha8([32]byte{3})})
	if p.raw, err = sql.Open("pgx", p.url); err != nil {
		return nil, err
	}
	p.raw.SetMaxOpenConns(1)
	if err := p.pattern(ctx); err != nil {
		return nil, err
	}
	if err := fillScale(ctx, p.raw, s); err != nil {
		return nil, err
	}
	if err := p.startTournament(ctx, o.Now()); err != nil {
		return nil, err
	}
	p.site, err = newSite(ctx, p.store, o.Now)
	return p, err
}

// pattern saves one match and has it packed: the packed records are copies of it.
func (p *platform) pattern(ctx context.Context) error {
	one, err := contests(false)[0].random(0)
	if err != nil {
		return err
	}
	if _, err := p.raw.ExecContext(ctx, "SET session_replication_role = replica"); err != nil { // its bots come later
		return err
	}
	spec, err := one.spec(longID)
	if err != nil {
		return err
	}
	if err := one.save(ctx, p.raw, spec, tournament.MatchDone); err != nil {
		return err
	}
	if n, err := p.store.Pack(ctx, time.Minute, 1); n != 1 || err != nil {
		return fmt.Errorf("the pattern: packed %d, %w", n, err)
	}
	return nil
}

// startTournament starts a tournament of 32 of the live bots of Mole Hill.
func (p *platform) startTournament(ctx context.Context, now time.Time) error {
	config, err := game.Wrap(molehill.Rules{}).Configure(nil, 2)
	if err != nil {
		return err
	}
	t, err := p.director.CreateTournament(ctx, tournament.Tournament{
		Name:        "bench",
		OrganiserID: filler,
		Game:        "molehill",
		Config:      config,
		Format:      tournament.RoundRobin,
		Table:       2,
		Cycles:      1,
		Capacity:    32,
		Clock:       tournament.DefaultClock(),
		Limits:      tournament.DefaultFaultLimits(),
		OpensAt:     now.Add(-time.Minute),
		ClosesAt:    now.Add(time.Hour),
		StartsAt:    now.Add(2 * time.Hour),
		Status:      tournament.Scheduled,
	})
	if err != nil {
		return err
	}
	for i := range 32 {
		if _, err := p.director.Join(ctx, t.ID, botOn("molehill", i), [2]string{filler, charles}[i%2]); err != nil {
			return err
		}
	}
	p.open, err = p.director.Start(ctx, t.ID)
	return err
}

func (p *platform) close() error {
	if p.site != nil {
		p.site.close()
	}
	var err error
	if p.store != nil {
		err = p.store.Close()
	}
	if p.raw != nil {
		err = errors.Join(err, p.raw.Close())
	}
	return errors.Join(err, p.drop())
}

// deed is something that is done on a platform.
type deed struct {
	what  string
	grows bool // with what is there, and nobody waits for it
	do    func(ctx context.Context) error
}

func (p *platform) deeds() []deed {
	get := func(what, path string) deed {
		return deed{what: what, do: func(ctx context.Context) error {
			_, err := p.site.ask(ctx, path)
			return err
		}}
	}
	bot := botOn("molehill", 0)
	return slices.Concat([]deed{
		{what: "startup: open, migrations looked at", do: p.start},
		{what: "page: home", do: func(ctx context.Context) error {
			if err := p.store.InTx(ctx, func(*store.Tx) error { return nil }); err != nil { // what was made for others does not count
				return err
			}
			_, err := p.site.ask(ctx, "/")
			return err
		}},
		get("page: ladder", "/ladders/molehill"),
		get("page: ladder of De Mol", "/ladders/demol"),
		get("page: bot", "/bots/"+bot),
		get("page: bot of De Mol", "/bots/"+botOn("demol", 0)),
		get("page: tournament of 32 under way", "/tournaments/"+p.open.ID),
		get("list: ladders", "/v1/ladders"),
		get("list: bots of a game", "/v1/bots?game=molehill"),
		get("list: bots of an owner", "/v1/bots?owner="+filler),
		get("list: entries of a ladder", "/v1/ladders/molehill/entries"),
		get("list: matches", "/v1/matches"),
		get("list: matches of a ladder", "/v1/matches?ladder=molehill"),
		get("list: matches of a bot", "/v1/bots/"+bot+"/matches"),
		get("list: rating history of a bot", "/v1/bots/"+bot+"/rating-history?ladder=molehill"),
		get("list: tournaments", "/v1/tournaments"),
		get("list: finished tournaments of a game", "/v1/tournaments?game=molehill&status=finished"),
		get("search: a bot, by a part of its name", fmt.Sprintf("/v1/bots?name=%d", p.Live-7)),
		get("search: a bot of a ladder", fmt.Sprintf("/ladders/molehill?q=%d", p.Live-7)),
		get("search: a tournament", fmt.Sprintf("/tournaments?q=%d", p.Tournaments-7)),
		get("a packed match", "/v1/matches/"+longID),
		get("standings of a tournament", "/v1/tournaments/"+p.open.ID+"/standings"),
	}, p.ticks(), []deed{
		{what: "fit of a ladder", grows: true, do: func(ctx context.Context) error {
			_, err := jobs.FitLadder(ctx, p.director, catalog.Find, "mole")
			return err
		}},
		{what: "backup", grows: true, do: func(ctx context.Context) error {
			_, err := archive.Backup(ctx, p.store.DB, io.Discard)
			return err
		}},
	})
}

// ticks returns what every worker does every few seconds.
func (p *platform) ticks() []deed {
	tick := func(what string, do func(ctx context.Context) error) deed { return deed{what: "tick: " + what, do: do} }
	return []deed{
		tick("lost matches", func(ctx context.Context) error { _, err := p.director.Sweep(ctx, 10*time.Second); return err }),
		tick("schedules due", func(ctx context.Context) error { _, err := p.store.DueSchedules(ctx); return err }),
		tick("tournaments due", func(ctx context.Context) error { _, err := p.store.DueTournaments(ctx); return err }),
		tick("rounds due", func(ctx context.Context) error { _, err := p.store.DueRounds(ctx); return err }),
		tick("matchmaking of a ladder", func(ctx context.Context) error { _, err := p.director.MakeLadder(ctx, "molehill", 64); return err }),
		tick("disabled users", p.director.Evict),
		tick("ratings due", func(ctx context.Context) error { _, err := p.store.PendingLadders(ctx); return err }),
		tick("conduct", func(ctx context.Context) error { _, err := p.store.Suspects(ctx); return err }),
		tick("health checks due", func(ctx context.Context) error { _, err := p.store.DueChecks(ctx, 24, 4, nil); return err }),
		tick("fits due", func(ctx context.Context) error { _, err := p.store.DueFits(ctx); return err }),
		tick("packing", func(ctx context.Context) error { _, err := p.store.Pack(ctx, 400*24*time.Hour, 100); return err }),
	}
}

// start opens the database as a process does.
func (p *platform) start(ctx context.Context) error {
	db, err := store.Open(ctx, p.url, store.Options{Now: time.Now, Rand: rand.NewChaCha8([32]byte{5}), Program: "bench"})
	if err != nil {
		return err
	}
	_, err = db.MigrationStatus(ctx)
	return errors.Join(err, db.Close())
}

// peakMB returns the most memory that this process has had, in MB. Linux reports it.
func peakMB() (float64, error) {
	debug.FreeOSMemory()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	found := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
	if found == nil {
		return 0, errors.New("scale: the system does not say how much memory was used")
	}
	kb, err := strconv.ParseFloat(string(found[1]), 64)
	return kb / 1024, err
}
