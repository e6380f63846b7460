package journal

import (
	"context"
	"encoding/hex"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// errAlone means that an entry could not be recorded with the others and is to be tried by itself, by whoever brought it: then it
// waits for nobody but its own match, and nobody waits for it.
var errAlone = errors.New("not with the others")

// One statement records everything, with a column of parameters for each column of the table: its text is the same for any
// number of steps, so that it is planned once. The matches' rows are share-locked while they are checked, so that a takeover
// either comes first and fences us, or waits until the step is there for it to read. A group passes over the matches that
// somebody else has locked: it must not wait for one of them.
const (
	appendLive = `WITH live AS (SELECT m.id FROM unnest(CAST($1 AS TEXT[]), CAST($2 AS BIGINT[])) AS g (id, epoch)
		JOIN matches m ON m.id = g.id AND m.epoch = g.epoch WHERE m.status = $3 FOR SHARE OF m`
	appendRows = `) INSERT INTO decisions (match_id, step, seat, action, say, decided_by, why, clock, fault, reason, memo, debug, build, sent_ahead, usage, belief, hash, recorded_ms)
		SELECT d.match_id, d.step, d.seat, d.action, d.say, d.decided_by, d.why, d.clock, d.fault, d.reason, d.memo, d.debug, d.build, d.sent_ahead, d.usage, d.belief, d.hash,
		CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)
		FROM unnest(CAST($4 AS TEXT[]), CAST($5 AS INTEGER[]), CAST($6 AS INTEGER[]), CAST($7 AS TEXT[]), CAST($8 AS TEXT[]), CAST($9 AS TEXT[]),
		CAST($10 AS TEXT[]), CAST($11 AS TEXT[]), CAST($12 AS TEXT[]), CAST($13 AS TEXT[]), CAST($14 AS TEXT[]), CAST($15 AS TEXT[]), CAST($16 AS TEXT[]),
		CAST($17 AS TEXT[]), CAST($18 AS TEXT[]), CAST($19 AS TEXT[]), CAST($20 AS TEXT[])) AS d (match_id, step, seat, action, say, decided_by, why, clock, fault, reason, memo, debug, build, sent_ahead, usage, belief, hash)
		JOIN live ON live.id = d.match_id RETURNING match_id`
	appendFree    = appendLive + " SKIP LOCKED" + appendRows
	appendWaiting = appendLive + appendRows
)

// Leases are renewed in the same way. Their locks keep takeovers away, and steps in other transactions.
const (
	renewLive = `WITH live AS (SELECT m.id, g.lease_ms FROM unnest(CAST($1 AS TEXT[]), CAST($2 AS BIGINT[]), CAST($4 AS BIGINT[])) AS g (id, epoch, lease_ms)
		JOIN matches m ON m.id = g.id AND m.epoch = g.epoch WHERE m.status = $3 FOR NO KEY UPDATE OF m`
	renewRows = `) UPDATE matches SET lease_until_ms = CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) + live.lease_ms
		FROM live WHERE matches.id = live.id RETURNING matches.id`
	renewFree    = renewLive + " SKIP LOCKED" + renewRows
	renewWaiting = renewLive + renewRows
)

// postgresGroup writes entries with different keys in one transaction: a statement for the leases and one for the steps.
func (j *Journal) postgresGroup(ctx context.Context, list []entry) ([]error, error) {
	written, err := j.write(ctx, renewFree, appendFree, list)
	if err != nil && !database.Undone(err) {
		return nil, err
	}
	errs := make([]error, len(list))
	for i, e := range list {
		if !written[e.key()] {
			errs[i] = errAlone
		}
	}
	return errs, nil
}

// postgresAlone writes one entry, after whoever has its match locked.
func (j *Journal) postgresAlone(ctx context.Context, e entry) error {
	written, err := j.write(ctx, renewWaiting, appendWaiting, []entry{e})
	var said *pgconn.PgError
	if errors.As(err, &said) && said.Code == database.DuplicateKey {
		return e.fenced()
	}
	if err == nil && !written[e.key()] {
		return e.fenced()
	}
	return err
}

// write carries out one or two of the statements above, on one way there and back, and returns the keys of what it has written: after
// an error of either none, as they are one transaction.
func (j *Journal) write(ctx context.Context, renewing, appending string, list []entry) (map[string]bool, error) {
	var leases, steps []entry
	for _, e := range list {
		if e.lease > 0 {
			leases = append(leases, e)
		} else {
			steps = append(steps, e)
		}
	}
	batch := &pgx.Batch{} // without a BEGIN it is one transaction
	written := make(map[string]bool, len(list))
	note := func(as entry) func(pgx.Rows) error {
		return func(rows pgx.Rows) error {
			ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
			for _, id := range ids {
				as.matchID = id
				written[as.key()] = true
			}
			return err
		}
	}
	if len(leases) > 0 {
		batch.Queue(renewing, leaseColumns(leases)...).Query(note(leases[0]))
	}
	if len(steps) > 0 {
		batch.Queue(appending, columns(steps)...).Query(note(steps[0]))
	}
	if err := j.db.Pool().SendBatch(ctx, batch).Close(); err != nil {
		return nil, err
	}
	return written, nil
}

// leaseColumns returns the parameters of the statements that renew.
func leaseColumns(list []entry) []any {
	return []any{
		database.Map(list, func(e entry) string { return e.matchID }),
		database.Map(list, func(e entry) int64 { return e.epoch }),
		string(tournament.MatchRunning),
		database.Map(list, func(e entry) int64 { return e.lease.Milliseconds() }),
	}
}

// columns returns the parameters of the statements that append.
func columns(list []entry) []any {
	var lives, ids []string
	var epochs []int64
	var steps, seats []int
	var texts [14][]string
	for _, e := range list {
		lives = append(lives, e.matchID)
		epochs = append(epochs, e.epoch)
		hash := hex.EncodeToString(e.step.Hash[:])
		for i, d := range e.step.Turns {
			ids = append(ids, e.matchID)
			steps = append(steps, e.step.Step)
			seats = append(seats, int(d.Seat))
			for k, text := range [...]string{
				string(d.Action), d.Say, d.By, d.Why, string(d.Clock), d.Fault, d.Reason, d.Memo, d.Debug, d.Build, e.ahead[i], string(d.Usage), string(d.Belief), hash,
			} {
				texts[k] = append(texts[k], text)
			}
		}
	}
	args := []any{lives, epochs, string(tournament.MatchRunning), ids, steps, seats}
	for _, column := range texts {
		args = append(args, column)
	}
	return args
}
