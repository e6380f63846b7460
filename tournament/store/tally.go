package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// uncounted are the rows that a program which knows no tallies has written: it adds to the games alone. Rating more does not hide it.
const uncounted = "wins + draws + losses <> games"

func counted(r *tournament.Rating) bool { return r.Tally.Wins+r.Tally.Draws+r.Tally.Losses == r.Games }

// count counts the rows of a ladder again that are not counted, from the matches that rated them. Nothing is stored.
func count(db *gorm.DB, ladderID string, rows []*tournament.Rating) error {
	late := map[string]*tournament.Rating{}
	for _, r := range rows {
		if !counted(r) {
			r.Tally = tournament.Tally{}
			late[r.VersionID] = r
		}
	}
	for ids := range slices.Chunk(slices.Collect(maps.Keys(late)), database.BatchSize) {
		if err := countThese(db, ladderID, ids, late); err != nil {
			return err
		}
	}
	return nil
}

func countThese(db *gorm.DB, ladderID string, ids []string, late map[string]*tournament.Rating) error {
	rows, err := db.Raw(`SELECT e.version_id, e.ladder_seq, COALESCE(s.verdict, ''), s.faults, s.p95_us
		FROM rating_events e JOIN match_seats s ON s.match_id = e.match_id AND s.version_id = e.version_id
		WHERE e.ladder_id = ? AND e.version_id IN ? ORDER BY e.version_id, e.ladder_seq`, ladderID, ids).Rows() // row by row: a version may have played for years
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err says what went wrong
	var seats []tournament.MatchSeat    // of one version in one match
	var of string
	var at int64
	flush := func() {
		if r := late[of]; len(seats) > 0 && at <= r.LastSeq { // what was rated since the row was read is not its
			r.Tally.Add(seats)
		}
		seats = seats[:0]
	}
	for rows.Next() {
		var version, verdict string
		var seq, p95US int64
		var faults int
		if err := rows.Scan(&version, &seq, &verdict, &faults, &p95US); err != nil {
			return err
		}
		if version != of || seq != at {
			flush()
			of, at = version, seq
		}
		seats = append(seats, tournament.MatchSeat{Verdict: tournament.Verdict(verdict), Faults: faults, P95: time.Duration(p95US) * time.Microsecond})
	}
	flush()
	return rows.Err()
}

// CountLadders stores what some lines of ladders tell of their matches, where a program of the release before has rated or a backup of it
// was restored, and returns how many; 0 when all are counted. Until then whoever reads such a line counts for itself. A ladder that
// fails holds up no other.
func (s *Store) CountLadders(ctx context.Context) (int, error) {
	ladders, failed := database.Pluck[string](s.SQL(ctx).Model(&tournament.Rating{}).Distinct("ladder_id").Where(uncounted).Order("ladder_id"), "ladder_id")
	n := 0
	for _, id := range ladders {
		counted, err := s.countLadder(ctx, id)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("count the lines of ladder %s: %w", id, err))
			continue
		}
		n += counted
	}
	return n, failed
}

func (s *Store) countLadder(ctx context.Context, ladderID string) (int, error) {
	var n int
	err := s.InTx(ctx, func(tx *Tx) error {
		if _, err := tx.LockLadder(ladderID); err != nil {
			return err
		}
		rows, err := database.All[tournament.Rating](tx.Locked(tx.db, Ratings, "on "+ladderID).
			Where(uncounted).Where("ladder_id = ?", ladderID).Order("version_id").Limit(countBatch))
		if err != nil {
			return err
		}
		n = len(rows)
		if err := count(tx.db, ladderID, pointers(rows)); err != nil || n == 0 {
			return err
		}
		tx.upsertRatings(rows)
		return nil
	})
	return n, err
}

// countBatch is how many lines one transaction counts at most.
const countBatch = 500

func pointers[T any](list []T) []*T {
	out := make([]*T, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}

// shown returns the rating by which a line has its place, as shownMilli in SQL.
func shown(r tournament.Rating) int64 { return r.Milli + r.OffsetMilli }

// shownMilli is it in SQL, of the row r; NULL where there is none.
const shownMilli = "r.milli + r.offset_milli"

// upsertRatings writes rows; those that are there keep their offset.
func (tx *Tx) upsertRatings(rows []tournament.Rating) {
	cells := database.Map(rows, func(r tournament.Rating) []any {
		t := r.Tally
		return []any{r.LadderID, r.VersionID, r.BotID, r.Milli, r.OffsetMilli, r.Games, r.LastSeq, t.Wins, t.Draws, t.Losses, t.Faults, t.Form, t.P95.Microseconds()}
	})
	tx.Enqueue(func(db *gorm.DB) *gorm.DB {
		return db.Exec(`INSERT INTO ratings (ladder_id, version_id, bot_id, milli, offset_milli, games, last_seq, wins, draws, losses, faults, form, p95_us)
			SELECT given.value ->> 0, given.value ->> 1, given.value ->> 2, CAST(given.value ->> 3 AS BIGINT), CAST(given.value ->> 4 AS BIGINT),
			CAST(given.value ->> 5 AS INTEGER), CAST(given.value ->> 6 AS BIGINT), CAST(given.value ->> 7 AS INTEGER), CAST(given.value ->> 8 AS INTEGER),
			CAST(given.value ->> 9 AS INTEGER), CAST(given.value ->> 10 AS INTEGER), given.value ->> 11, CAST(given.value ->> 12 AS BIGINT)
			FROM `+tx.s.Given()+` WHERE TRUE
			ON CONFLICT (ladder_id, version_id) DO UPDATE SET milli = excluded.milli, games = excluded.games, last_seq = excluded.last_seq, wins = excluded.wins,
			draws = excluded.draws, losses = excluded.losses, faults = excluded.faults, form = excluded.form, p95_us = excluded.p95_us`, database.Listed(cells))
	})
}
