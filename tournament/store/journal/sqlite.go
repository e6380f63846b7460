package journal

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// sqliteGroup records entries of different matches in one transaction, each with a statement of its own: one that SQLite
// refuses changes nothing, and the transaction goes on.
func (j *Journal) sqliteGroup(ctx context.Context, list []entry) ([]error, error) {
	errs := make([]error, len(list))
	err := j.db.SQL(ctx).Transaction(func(tx *gorm.DB) error {
		for i, e := range list {
			errs[i] = e.sqliteWrite(tx, j.db.NowMS())
			if err := errs[i]; err != nil && !errors.Is(err, tournament.ErrFenced) && !database.Refused(err) {
				return err // the transaction may be over
			}
		}
		return nil
	})
	return errs, err
}

// sqliteWrite writes the entry if its match is at its epoch. now is the clock of the database.
func (e entry) sqliteWrite(tx *gorm.DB, now string) error {
	if e.lease == 0 {
		return e.sqliteInsert(tx, now)
	}
	change := tx.Exec("UPDATE matches SET lease_until_ms = "+now+" + ? WHERE id = ? AND epoch = ? AND status = ?",
		e.lease.Milliseconds(), e.matchID, e.epoch, tournament.MatchRunning)
	return database.Changed(change, e.fenced())
}

// sqliteInsert records the entry's step.
func (e entry) sqliteInsert(tx *gorm.DB, now string) error {
	var sql strings.Builder
	sql.WriteString("WITH live AS (SELECT id FROM matches WHERE id = ? AND epoch = ? AND status = ?)" +
		" INSERT INTO decisions (match_id, step, seat, action, say, decided_by, why, clock, fault, reason, memo, debug, build, sent_ahead, usage, belief, hash, recorded_ms)")
	args := []any{e.matchID, e.epoch, tournament.MatchRunning}
	hash := hex.EncodeToString(e.step.Hash[:])
	for i, d := range e.step.Turns {
		if i > 0 {
			sql.WriteString(" UNION ALL")
		}
		sql.WriteString(" SELECT id, CAST(? AS INTEGER), CAST(? AS INTEGER), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, " + now + " FROM live")
		args = append(args, e.step.Step, int(d.Seat), string(d.Action), d.Say, d.By, d.Why, string(d.Clock), d.Fault, d.Reason, d.Memo, d.Debug, d.Build, e.ahead[i], string(d.Usage), string(d.Belief), hash)
	}
	change := tx.Exec(sql.String(), args...)
	if errors.Is(change.Error, gorm.ErrDuplicatedKey) {
		return e.fenced()
	}
	return database.Changed(change, e.fenced())
}
