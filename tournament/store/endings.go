package store

import (
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// Ending is how a running match ends: done, or void by a fault of the platform.
type Ending struct {
	MatchID string
	Epoch   int64
	Status  tournament.MatchStatus
	Reason  string       // why it is void
	Result  *string      // JSON; nil if it is void
	Retired game.Seats   // seats whose bot gave up
	Steps   int          // recorded
	Hash    string       // last of the record's chain, hex
	Seats   []SeatEnding // none if it is void
}

// SeatEnding is how a match ended for a seat.
type SeatEnding struct {
	Place   int
	Verdict tournament.Verdict
	Faults  int
	P95US   int64 // what 95 % of its own answers took at most, in microseconds
	Retired bool
}

// EndMatches writes the endings of the matches that are still at their epoch and returns the ids of those; the others are
// fenced.
func (tx *Tx) EndMatches(list []Ending) ([]string, error) {
	end := tx.endOnPostgres
	if tx.SQLite() != nil {
		end = tx.endOnSQLite
	}
	ids, err := end(list)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return ids, tx.countResets(slices.DeleteFunc(slices.Clone(list), func(e Ending) bool { return !slices.Contains(ids, e.MatchID) }))
}

// endOnPostgres writes matches and seats with one statement, whose text is the same for any number of them.
func (tx *Tx) endOnPostgres(list []Ending) (ids []string, err error) {
	const end = `WITH ended AS (UPDATE matches SET status = e.status, void_cause = CASE WHEN e.status = 'void' THEN 'platform' ELSE '' END, result = e.result,
		retired = e.retired, steps = e.steps, hash = e.hash, reason = e.reason, ended_at = $9, worker = ''
		FROM unnest(CAST($1 AS TEXT[]), CAST($2 AS BIGINT[]), CAST($3 AS TEXT[]), CAST($4 AS TEXT[]), CAST($5 AS INTEGER[]), CAST($6 AS INTEGER[]), CAST($7 AS TEXT[]),
			CAST($8 AS TEXT[])) AS e (id, epoch, status, result, retired, steps, hash, reason)
		WHERE matches.id = e.id AND matches.epoch = e.epoch AND matches.status = 'running' RETURNING matches.id),
		seated AS (UPDATE match_seats SET place = s.place, verdict = s.verdict, faults = s.faults, p95_us = s.p95_us, retired = s.retired
		FROM unnest(CAST($10 AS TEXT[]), CAST($11 AS INTEGER[]), CAST($12 AS INTEGER[]), CAST($13 AS TEXT[]), CAST($14 AS INTEGER[]), CAST($15 AS BIGINT[]),
			CAST($16 AS BOOLEAN[])) AS s (match_id, seat, place, verdict, faults, p95_us, retired) JOIN ended ON ended.id = s.match_id
		WHERE match_seats.match_id = s.match_id AND match_seats.seat = s.seat)
		SELECT id FROM ended`
	err = tx.OnPostgres(func(pg pgx.Tx) error {
		ctx := tx.SQL.Statement.Context
		rows, err := pg.Query(ctx, end, slices.Concat(matchColumns(list), []any{tx.s.Now()}, seatColumns(list))...)
		if err != nil {
			return err
		}
		ids, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	return ids, err
}

// matchColumns are endings as columns of matches.
func matchColumns(list []Ending) []any {
	var ids, statuses, hashes, reasons []string
	var results []*string
	var epochs []int64
	var retired, steps []int
	for _, e := range list {
		ids = append(ids, e.MatchID)
		epochs = append(epochs, e.Epoch)
		statuses = append(statuses, string(e.Status))
		results = append(results, e.Result)
		retired = append(retired, int(e.Retired))
		steps = append(steps, e.Steps)
		hashes = append(hashes, e.Hash)
		reasons = append(reasons, e.Reason)
	}
	return []any{ids, epochs, statuses, results, retired, steps, hashes, reasons}
}

// seatColumns are endings as columns of seats.
func seatColumns(list []Ending) []any {
	ids, verdicts := []string{}, []string{}
	seats, places, faults := []int{}, []int{}, []int{}
	times, retired := []int64{}, []bool{}
	for _, e := range list {
		for seat, end := range e.Seats {
			ids = append(ids, e.MatchID)
			seats = append(seats, seat)
			places = append(places, end.Place)
			verdicts = append(verdicts, string(end.Verdict))
			faults = append(faults, end.Faults)
			times = append(times, end.P95US)
			retired = append(retired, end.Retired)
		}
	}
	return []any{ids, seats, places, verdicts, faults, times, retired}
}

// endOnSQLite writes matches, then seats: SQLite changes one table with a statement.
func (tx *Tx) endOnSQLite(list []Ending) ([]string, error) {
	var ids []string
	rows := make([]string, len(list))
	var args []any
	for i, e := range list {
		rows[i] = "(CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS INTEGER), CAST(? AS INTEGER), CAST(? AS TEXT), CAST(? AS TEXT))"
		args = append(args, e.MatchID, e.Epoch, e.Status, e.Result, int(e.Retired), e.Steps, e.Hash, e.Reason)
	}
	args = append(args, tx.s.Now(), tournament.MatchRunning)
	err := tx.db.Raw("WITH v (id, epoch, status, result, retired, steps, hash, reason) AS (VALUES "+strings.Join(rows, ", ")+")"+
		" UPDATE matches SET status = v.status, void_cause = CASE WHEN v.status = 'void' THEN 'platform' ELSE '' END, result = v.result, retired = v.retired, steps = v.steps, hash = v.hash, reason = v.reason,"+
		" ended_at = ?, worker = '' FROM v WHERE matches.id = v.id AND matches.epoch = v.epoch AND matches.status = ? RETURNING matches.id", args...).Scan(&ids).Error
	if err != nil {
		return nil, err
	}
	return ids, tx.endSeats(slices.DeleteFunc(slices.Clone(list), func(e Ending) bool { return !slices.Contains(ids, e.MatchID) }))
}

// endSeats writes places, verdicts and faults.
func (tx *Tx) endSeats(live []Ending) error {
	var rows []string
	var args []any
	flush := func() error {
		if len(rows) == 0 {
			return nil
		}
		sql := "WITH v (match_id, seat, place, verdict, faults, p95_us, retired) AS (VALUES " + strings.Join(rows, ", ") + ")" +
			" UPDATE match_seats SET place = v.place, verdict = v.verdict, faults = v.faults, p95_us = v.p95_us, retired = v.retired FROM v" +
			" WHERE match_seats.match_id = v.match_id AND match_seats.seat = v.seat"
		err := tx.db.Exec(sql, args...).Error
		rows, args = rows[:0], args[:0]
		return err
	}
	for _, e := range live {
		for seat, end := range e.Seats {
			rows = append(rows, "(CAST(? AS TEXT), CAST(? AS INTEGER), CAST(? AS INTEGER), CAST(? AS TEXT), CAST(? AS INTEGER), CAST(? AS BIGINT), CAST(? AS BOOLEAN))")
			args = append(args, e.MatchID, seat, end.Place, end.Verdict, end.Faults, end.P95US, end.Retired)
		}
		if len(rows) >= database.Batch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// countResets counts what came of no connection. Only void matches and those with faults are asked for their decisions.
func (tx *Tx) countResets(live []Ending) error {
	var ids []string
	for _, e := range live {
		if e.Status == tournament.MatchVoid || slices.ContainsFunc(e.Seats, func(s SeatEnding) bool { return s.Faults > 0 }) {
			ids = append(ids, e.MatchID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return tx.db.Exec("UPDATE match_seats SET resets = (SELECT COUNT(*) FROM decisions d WHERE d.match_id = match_seats.match_id AND d.seat = match_seats.seat AND d.fault = ?)"+
		" WHERE match_id IN ?", tournament.FaultConnect, ids).Error
}

// VoidOpen makes the matches of a tournament that are not over void, for a reason, and returns them as they were. They are
// locked in one order, as everywhere, so that two transactions cannot wait for each other.
func (tx *Tx) VoidOpen(tournamentID, reason string) ([]tournament.Match, error) {
	var open []matchRow
	live := []tournament.MatchStatus{tournament.MatchQueued, tournament.MatchRunning}
	if err := database.Locked(tx.db).Where("tournament_id = ? AND status IN ?", tournamentID, live).Order("id").Find(&open).Error; err != nil {
		return nil, err
	}
	return tx.void(open, reason, tx.db.Where("tournament_id = ? AND status IN ?", tournamentID, live))
}

// VoidMatches makes matches void, whose rows are locked, for a reason, and returns them as they were, by id.
func (tx *Tx) VoidMatches(ids []string, reason string) ([]tournament.Match, error) {
	var out []tournament.Match
	for part := range slices.Chunk(ids, database.Batch) {
		var rows []matchRow
		if err := tx.db.Where("id IN ?", part).Order("id").Find(&rows).Error; err != nil {
			return nil, err
		}
		list, err := tx.void(rows, reason, tx.db.Where("id IN ?", part))
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

// void makes the matches that these are void.
func (tx *Tx) void(rows []matchRow, reason string, these *gorm.DB) ([]tournament.Match, error) {
	list, err := matches(tx.db, rows)
	if err != nil {
		return nil, err
	}
	return list, these.Model(&matchRow{}).Updates(map[string]any{
		"status": tournament.MatchVoid, "reason": reason, "ended_at": tx.s.Now(), "worker": "",
	}).Error
}
