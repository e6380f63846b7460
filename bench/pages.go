package main

import (
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/process"
	"github.com/molerun/molerun/docs"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// What the pages are measured on.
const (
	pageBots   = 10_000
	pageRounds = 15 // each bot plays two matches a round
	pageAsks   = 101
	pageFirsts = 25 // first views
	longestOf  = 40
	pageMost   = 11 // ms beside five times /livez: 20 on a machine that makes 14 million moves a second in the reference loop
)

// pages measures the ladder page of many bots and the page of a long match against what is wanted: five times /livez and some
// ms, as long as the reference loop takes here and now for what it does in those where the bounds were set.
func pages(ctx context.Context, o options) ([]figure, error) {
	const pragmas = "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)"
	return onBoth(ctx, o, "pages.db", pragmas, func(on database) ([]figure, error) { return pagesOn(ctx, o, on) })
}

func pagesOn(ctx context.Context, o options, on database) (_ []figure, err error) {
	long, err := longest(contests(false))
	if err != nil {
		return nil, err
	}
	db, err := openStore(ctx, o, on.url, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	raw, err := sql.Open(on.driver, on.dsn)
	if err != nil {
		return nil, err
	}
	raw.SetMaxOpenConns(1)
	err = errors.Join(fill(ctx, raw), long.saveAll(ctx, raw), raw.Close())
	if err == nil {
		err = db.Classify(ctx) // as a worker's sweeper does
	}
	if err != nil {
		return nil, err
	}
	s, err := newSite(ctx, db, o.Now)
	if err != nil {
		return nil, err
	}
	defer s.close()
	var rows []figure
	firsts := make([]string, pageFirsts)
	for i := range firsts {
		firsts[i] = "/matches/" + longAs(i+1)
	}
	for _, p := range []struct {
		what  string
		paths []string // asked for in turn
	}{
		{"home", slices.Repeat([]string{"/"}, pageAsks)},
		{fmt.Sprintf("ladder page of %d bots", pageBots), slices.Repeat([]string{"/ladders/molehill"}, pageAsks)},
		{fmt.Sprintf("longest match, %s, %d decisions", long.name, long.decisions()), slices.Repeat([]string{"/matches/" + longID}, pageAsks)},
		{"the same, first view", firsts},
	} {
		machine := paceOf(o.Span/10, wall())
		ours, alive, err := s.compare(ctx, p.paths)
		if err != nil {
			return nil, err
		}
		rows = append(rows, ceiling(p.what+", "+on.name, "ms", ours, 5*alive+machine.scaled(pageMost), fmt.Sprintf("5 × /livez (%.3f ms) + %d ms, %s", alive, pageMost, machine), 1))
	}
	return rows, nil
}

// fill makes a ladder of many bots with rated matches. Ids are numbers, and the text is that of both databases.
func fill(ctx context.Context, db *sql.DB) error {
	const at, id = "'2026-01-01 00:00:00'", "'00000000-0000-7000-8000-' || CAST(100000000000 + i AS TEXT)"
	many := func(n int) string {
		return fmt.Sprintf("WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d) ", n-1)
	}
	matches := pageBots * pageRounds
	seat := func(seat int) string {
		who := fmt.Sprintf("(i + %d * (1 + 7 * (i / %d))) %% %d", seat, pageBots, pageBots)
		bot := "'00000000-0000-7000-8000-' || CAST(100000000000 + " + who + " AS TEXT)"
		return fmt.Sprintf("SELECT %s, %d, %s, 'bot ' || CAST(%s AS TEXT), %s, %s, '', 'alias-%d', 1 + (i + %d) %% 2, CASE (i + %d) %% 2 WHEN 0 THEN 'win' ELSE 'loss' END, 0 FROM n",
			id, seat, bot, who, bot, "'00000000-0000-7000-8000-100000000000'", seat, seat, seat)
	}
	control := "1000000, 10000000, 0, 150000, 3, 10"
	zeros := fmt.Sprintf("'%064d'", 0)
	for _, text := range []string{
		"INSERT INTO users (id, name, name_folded, role, created_at) VALUES ('00000000-0000-7000-8000-100000000000', 'ada', 'ada', 'owner', " + at + ")",
		fmt.Sprintf("INSERT INTO ladders (id, game, plays, season, next_seq, last_seq, created_at) VALUES ('molehill', 'molehill', 'molehill', 1, %d, %d, %s)", matches+1, matches, at),
		many(pageBots) + "INSERT INTO bots (id, owner_id, name, name_folded, status, reason, version_id, created_at, checked_at, passes) SELECT " + id +
			", '00000000-0000-7000-8000-100000000000', 'bot ' || CAST(i AS TEXT), 'bot ' || CAST(i AS TEXT), 'active', '', " + id + ", " + at + ", " + at + ", 2 FROM n",
		many(pageBots) + "INSERT INTO versions (id, bot_id, number, url, secrets, author, build, created_at) SELECT " + id + ", " + id + ", 1, 'https://bots.example/', '[]', '', '', " + at + " FROM n",
		many(matches) + "INSERT INTO matches (id, round, block, number, game, rules_version, config, limit_us, bank_us, increment_us, allowance_us, faults_in_row, faults_total," +
			" rated, ladder_id, ladder_seq, seed, nonce, status, reason, epoch, engine, worker, lease_until_ms, job_id, result, retired, steps, hash, created_at, started_at, ended_at) SELECT " +
			id + ", 0, 0, 0, 'molehill', 1, '{}', " + control + ", TRUE, 'molehill', i + 1, " + zeros + ", " + zeros[:33] + "', 'done', '', 1, 'bench', '', 0, 0," +
			` '{"rank":[1,2],"points":[12,9],"why":"two_rounds"}', 0, 80, '', ` + at + ", " + at + ", " + at + " FROM n",
		many(matches) + "INSERT INTO match_seats (match_id, seat, bot_id, bot_name, version_id, owner_id, build, alias, place, verdict, faults) " + seat(0) + " UNION ALL " + seat(1),
		many(pageBots) + "INSERT INTO ratings (ladder_id, version_id, bot_id, milli, games, last_seq, wins, losses, form) SELECT 'molehill', " + id + ", " + id +
			fmt.Sprintf(", 1200000 + 40 * ((i * 7919) %% 10007), %d, %d, %d, %d, 'WLWLW' FROM n", 2*pageRounds, matches, pageRounds, pageRounds),
		fmt.Sprintf("UPDATE match_seats SET p95_us = 1701 WHERE match_id >= '00000000-0000-7000-8000-%d'", 100_000_000_000+matches-pageBots),
		"INSERT INTO rating_events (ladder_id, ladder_seq, version_id, bot_id, match_id, before_milli, delta_milli, after_milli, k, expected, score)" +
			" SELECT m.ladder_id, m.ladder_seq, s.version_id, s.bot_id, m.id, 1500000, 0, 1500000, 8, 0.5, 0.5 FROM matches m JOIN match_seats s ON s.match_id = m.id",
		fmt.Sprintf("INSERT INTO ladder_fits (ladder_id, to_seq, matches, blocks, teams, advantages, took_us, fitted_at) VALUES ('molehill', %d, %d, 0, '[]', '[]', 1, %s)", matches, matches, at),
		many(pageBots) + "INSERT INTO fit_rows (ladder_id, version_id, matches, elo, se, best, worst, island) SELECT 'molehill', " + id + ", 30, 1500.5, 40.5, 1, 9, 0 FROM n",
		// The last matches of everybody with forty decisions each.
		fmt.Sprintf("WITH RECURSIVE n (i) AS (SELECT %d UNION ALL SELECT i + 1 FROM n WHERE i < %d), s (step) AS (SELECT 1 UNION ALL SELECT step + 1 FROM s WHERE step < 40) ", matches-pageBots, matches-1) +
			"INSERT INTO decisions (match_id, step, seat, action, say, decided_by, why, clock, fault, reason, memo, debug, build, sent_ahead, hash, recorded_ms) SELECT " + id +
			", step, step % 2, '{}', '', 'bot', '', '" + clock + "', '', '', '', '', '', '', " + zeros + ", 0 FROM n CROSS JOIN s",
		"ANALYZE",
	} {
		if _, err := db.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("%s: %w", text[:min(len(text), 150)], err)
		}
	}
	return nil
}

// clock is the ledger of a decision as the runner writes it.
const clock = `{"elapsed_us":1701,"charged_us":1611,"bank_us":10000000,"written_us":41,"first_byte_us":1620,"body_us":12,"round_trip_us":90}`

// longID is the match page's match.
const longID = "00000000-0000-7000-9000-000000000001"

// longAs returns the id under which the same match was saved again: nobody has seen that one yet.
func longAs(i int) string { return fmt.Sprintf("00000000-0000-7000-9001-%012d", i) }

// playedMatch is a match as it was played by random moves.
type playedMatch struct {
	contest
	seed   game.Seed
	config json.RawMessage
	steps  [][]game.Turn
	result game.Result
}

func (s playedMatch) decisions() int {
	n := 0
	for _, turns := range s.steps {
		n += len(turns)
	}
	return n
}

// longest returns the match with the most decisions of some random ones of each contest.
func longest(list []contest) (playedMatch, error) {
	var best playedMatch
	for _, c := range list {
		for i := range longestOf {
			s, err := c.random(i)
			if err != nil {
				return best, err
			}
			if s.decisions() > best.decisions() {
				best = s
			}
		}
	}
	return best, nil
}

// random returns the i-th match of random moves.
func (c contest) random(i int) (s playedMatch, err error) {
	s = playedMatch{contest: c, seed: game.Seed{5, byte(i)}}
	if s.config, err = c.engine.Configure([]byte(c.config), c.seats); err != nil {
		return s, err
	}
	table, _, err := c.engine.New(s.config, c.seats, s.seed)
	if err != nil {
		return s, err
	}
	for due := table.Due(); due != 0; due = table.Due() {
		var turns []game.Turn
		for seat := range due.Each() {
			turns = append(turns, game.Turn{Seat: seat, Action: table.House(seat)})
		}
		if _, err := table.Apply(turns); err != nil {
			return s, fmt.Errorf("%s: %w", c.name, err)
		}
		s.steps = append(s.steps, turns)
	}
	s.result, _ = table.Result()
	return s, nil
}

// spec returns the match under an id, with all its steps as a worker records them.
func (s playedMatch) spec(id string) (runner.Spec, error) {
	info := s.engine.Info()
	m := tournament.Match{ID: id, Game: info.ID, RulesVersion: info.Version, Config: s.config, Seed: s.seed, Engine: "bench"}
	for i := range s.result.Rank {
		m.Seats = append(m.Seats, tournament.MatchSeat{BotName: fmt.Sprint("bot ", i), Alias: fmt.Sprint("bot ", i)})
	}
	spec := runner.SpecOf(m, s.engine, nil)
	player, err := spec.Deal()
	if err != nil {
		return spec, err
	}
	for i, turns := range s.steps {
		step := runner.Step{Step: i + 1}
		for _, t := range turns {
			step.Turns = append(step.Turns, runner.Decision{Turn: replay.Turn{Seat: t.Seat, Action: t.Action, By: replay.ByBot, Clock: json.RawMessage(clock)}})
		}
		if err := player.Play(step.Plain()); err != nil {
			return spec, err
		}
		step.Hash = player.Hash()
		spec.Recorded = append(spec.Recorded, step)
	}
	return spec, nil
}

// saveAll writes the match for the page that is asked for again and again, and once for each first view.
func (s playedMatch) saveAll(ctx context.Context, db *sql.DB) error {
	for i := range pageFirsts + 1 {
		id := longID
		if i > 0 {
			id = longAs(i)
		}
		spec, err := s.spec(id)
		if err != nil {
			return err
		}
		if err := s.save(ctx, db, spec, tournament.MatchDone); err != nil {
			return err
		}
	}
	return nil
}

// save writes the match: as done with its steps, or as running without.
func (s playedMatch) save(ctx context.Context, db *sql.DB, spec runner.Spec, status tournament.MatchStatus) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after the commit it does nothing
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	id, info, done := spec.Header.Match, s.engine.Info(), status == tournament.MatchDone
	var result, ended any
	steps := 0
	if done {
		text, err := json.Marshal(s.result)
		if err != nil {
			return err
		}
		result, ended, steps = string(text), at, len(s.steps)
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO matches (id, round, block, number, game, rules_version, config, limit_us, bank_us, increment_us, allowance_us, faults_in_row, faults_total,
		rated, seed, nonce, status, reason, epoch, engine, worker, lease_until_ms, job_id, result, retired, steps, hash, created_at, started_at, ended_at)
		VALUES ($1, 0, 0, 0, $2, $3, $4, 1000000, 10000000, 0, 150000, 3, 10, FALSE, $5, $6, $7, '', 1, 'bench', '', 0, 0, $8, 0, $9, '', $10, $10, $11)`,
		id, info.ID, info.Version, string(s.config), s.seed.String(), hex.EncodeToString(make([]byte, 16)), string(status), result, steps, at, ended); err != nil {
		return err
	}
	for i, place := range s.result.Rank {
		bot := fmt.Sprintf("00000000-0000-7000-8000-1%011d", i)
		var at, verdict any
		if done {
			at, verdict = place, "draw"
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO match_seats (match_id, seat, bot_id, bot_name, version_id, owner_id, build, alias, place, verdict, faults)
			VALUES ($1, $2, $3, $4, $3, '00000000-0000-7000-8000-100000000000', '', $4, $5, $6, 0)`, id, i, bot, fmt.Sprint("bot ", i), at, verdict); err != nil {
			return err
		}
	}
	if !done {
		return tx.Commit()
	}
	for _, step := range spec.Recorded {
		for _, t := range step.Turns {
			if _, err := tx.ExecContext(ctx, `INSERT INTO decisions (match_id, step, seat, action, say, decided_by, why, clock, fault, reason, memo, debug, build, sent_ahead, hash, recorded_ms)
				VALUES ($1, $2, $3, $4, '', 'bot', '', $5, '', '', '', '', '', '', $6, 0)`, id, step.Step, int(t.Seat), string(t.Action), clock, hex.EncodeToString(step.Hash[:])); err != nil {
				return err
			}
		}
	}
	return tx.Commit()
}

// site serves pages on loopback.
type site struct {
	pages   *api.Server
	server  *http.Server
	client  *http.Client
	url     string
	ballast []byte // as the process of a platform has it
}

func newSite(ctx context.Context, db *store.Store, now func() time.Time) (*site, error) {
	nobody := errors.New("bench: nobody is asked")
	limits := gate.DefaultLimits()
	limits.Default = httpx.Rate{Count: 1_000_000, Per: time.Minute}
	limits.Streams, limits.AllStreams = 4*watchersAll, 4*watchersAll // all come from one address
	s := &site{client: &http.Client{Timeout: time.Minute}, ballast: process.Ballast()}
	files, err := api.ReadFiles(docs.Files(), catalog.All())
	if err != nil {
		return nil, err
	}
	s.pages, err = api.New(api.Config{
		Store:    db,
		Director: director.New(db, director.Options{Engines: catalog.Find, Rand: rand.NewChaCha8([32]byte{3})}),
		Engines:  catalog.All(),
		Now:      now,
		Rand:     rand.NewChaCha8([32]byte{2}),
		Logger:   slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
		Version:  "bench",
		Metrics:  prometheus.NewRegistry(),
		Files:    files,
		Limits:   limits,
		Greet: func(context.Context, string, []string) (protocol.HelloAnswer, error) {
			return protocol.HelloAnswer{}, nobody
		},
		Prove:    func(context.Context, tournament.Webhook) error { return nobody },
		CheckURL: func(string) error { return nobody },
	})
	if err != nil {
		return nil, err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s.url = "http://" + l.Addr().String()
	s.server = api.NewHTTPServer("", s.pages)
	go func() { _ = s.server.Serve(l) }() // ends with close
	return s, nil
}

func (s *site) close() {
	s.client.CloseIdleConnections()
	_ = s.server.Close()
}

// ask returns how long an answer takes, to its last byte, in ms.
func (s *site) ask(ctx context.Context, path string) (float64, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+path, nil)
	if err != nil {
		return 0, err
	}
	begin := time.Now()
	a, err := s.client.Do(r)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, a.Body)
	err = errors.Join(err, a.Body.Close())
	if err == nil && a.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", path, a.Status)
	}
	return float64(time.Since(begin).Nanoseconds()) / 1e6, err
}

// compare asks for pages and for /livez in turn; both figures are medians in ms.
func (s *site) compare(ctx context.Context, paths []string) (ours, alive float64, err error) {
	var a, b []float64
	for _, path := range paths {
		live, err := s.ask(ctx, "/livez")
		if err != nil {
			return 0, 0, err
		}
		page, err := s.ask(ctx, path)
		if err != nil {
			return 0, 0, err
		}
		a, b = append(a, page), append(b, live)
	}
	return middle(a), middle(b), nil
}
