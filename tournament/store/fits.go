package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// fitRow is a row of a ladder's fit.
type fitRow struct {
	LadderID string
	tournament.FitRow
	First  *tournament.Estimate `gorm:"embedded;embeddedPrefix:first_"` // in games of two teams
	Second *tournament.Estimate `gorm:"embedded;embeddedPrefix:second_"`
}

func (fitRow) TableName() string { return "fit_rows" }

func newFitRow(ladderID string, r tournament.FitRow) fitRow {
	out := fitRow{LadderID: ladderID, FitRow: r}
	if len(r.Roles) == 2 {
		out.First, out.Second = &r.Roles[0], &r.Roles[1]
	}
	return out
}

func (r fitRow) row() tournament.FitRow {
	out, none := r.FitRow, tournament.Estimate{}
	out.Estimate = out.Bounded()
	if r.First != nil && *r.First != none && r.Second != nil && *r.Second != none {
		out.Roles = []tournament.Estimate{r.First.Bounded(), r.Second.Bounded()}
	}
	return out
}

// bound fills in the bounds of advantages.
func bound(list []tournament.Advantage) {
	for i := range list {
		list[i].Estimate = list[i].Bounded()
	}
}

// fittingLease is how long a process has for one fit before another may begin it again.
const fittingLease = 10 * time.Minute

// DueFits returns the ladders with matches rated since their last fit that nobody is at, and whose rest after it is over.
func (s *Store) DueFits(ctx context.Context) ([]string, error) {
	return database.Pluck[string](s.SQL(ctx).Table("ladders l").Joins("LEFT JOIN ladder_fits f ON f.ladder_id = l.id").
		Where("l.next_seq - 1 > COALESCE(f.to_seq, 0) AND l.fit_after_ms <= "+s.NowMS()).Order("l.id"), "l.id")
}

// Columns of a ladder: until when nobody may begin a fit of it, or judge its forecasts.
const (
	fitAfter       = "fit_after_ms"
	calibrateAfter = "calibrate_after_ms"
)

// ClaimFit gives a due ladder to this process for fittingLease; false if another was first.
func (s *Store) ClaimFit(ctx context.Context, ladderID string) (bool, error) {
	return s.claimLadder(ctx, fitAfter, ladderID)
}

// claimLadder moves a column to the end of the lease, if it lies in the past.
func (s *Store) claimLadder(ctx context.Context, after, ladderID string) (bool, error) {
	change := s.SQL(ctx).Exec("UPDATE ladders SET "+after+" = "+s.NowMS()+" + ? WHERE id = ? AND "+after+" <= "+s.NowMS(),
		fittingLease.Milliseconds(), ladderID)
	return change.RowsAffected == 1, change.Error
}

// rest moves a column to so long from now.
func (s *Store) rest(db *gorm.DB, after, ladderID string, rest time.Duration) error {
	return db.Exec("UPDATE ladders SET "+after+" = "+s.NowMS()+" + ? WHERE id = ?", rest.Milliseconds(), ladderID).Error
}

// RestFit lets nobody fit a ladder for a while; it ends a claim.
func (s *Store) RestFit(ctx context.Context, ladderID string, rest time.Duration) error {
	return s.rest(s.SQL(ctx), fitAfter, ladderID, rest)
}

// SaveFit puts a fit in the place of the ladder's last one and lets nobody fit it for a while. One that has seen less than
// the last is dropped: whoever made it was taken for dead.
func (s *Store) SaveFit(ctx context.Context, f tournament.LadderFit, rest time.Duration) error {
	f.FittedAt = s.Now()
	return s.InTx(ctx, func(tx *Tx) error {
		if newest, err := putNewest(tx, f.LadderID, f.ToSeq, &f); err != nil || !newest {
			return err
		}
		if err := tx.db.Where("ladder_id = ?", f.LadderID).Delete(&fitRow{}).Error; err != nil {
			return err
		}
		rows := database.Map(f.Rows, func(r tournament.FitRow) fitRow { return newFitRow(f.LadderID, r) })
		if err := tx.db.CreateInBatches(rows, database.BatchSize).Error; err != nil {
			return err
		}
		if err := tx.notePoints(f.LadderID, f.ToSeq); err != nil {
			return err
		}
		if err := tx.placeLines(f.LadderID, f.ToSeq); err != nil {
			return err
		}
		return s.rest(tx.db, fitAfter, f.LadderID, rest)
	})
}

// putNewest puts what was made of a ladder's order up to a place in the stead of what was made last, unless that has seen more: false. It
// locks the ladder.
func putNewest[R any](tx *Tx, ladderID string, to int64, made *R) (bool, error) {
	if _, err := tx.LockLadder(ladderID); err != nil {
		return false, err
	}
	newer, err := database.Count(tx.db.Model(new(R)).Where("ladder_id = ? AND to_seq > ?", ladderID, to))
	if err != nil || newer > 0 {
		return false, err
	}
	return true, database.Upsert(tx.db, []string{"ladder_id"}).Create(made).Error
}

// notePoints adds to the history of every version that has played since the fits before what the fit just stored says of it.
func (tx *Tx) notePoints(ladderID string, to int64) error {
	return tx.db.Exec(`INSERT INTO fit_points (version_id, ladder_id, seq, milli, low_milli, high_milli)
		SELECT version_id, ladder_id, seq, CAST(ROUND(1000 * elo) AS BIGINT), CAST(ROUND(1000 * low) AS BIGINT), CAST(ROUND(1000 * high) AS BIGINT)
		FROM (SELECT f.*, (SELECT MAX(e.ladder_seq) FROM rating_events e WHERE e.version_id = f.version_id AND e.ladder_id = @ladder AND e.ladder_seq <= @to) AS seq
			FROM fit_rows f WHERE f.ladder_id = @ladder) p
		WHERE seq IS NOT NULL ON CONFLICT DO NOTHING`, map[string]any{"ladder": ladderID, "to": to}).Error
}

// placeLines has the lines of a ladder show what its fit, which has seen its order up to a place, says of them: a line's rating
// is that and what the on-line rating has moved since. The ladder's row is locked.
func (tx *Tx) placeLines(ladderID string, to int64) error {
	if err := tx.db.Exec(`UPDATE ratings SET offset_milli = CAST(ROUND(1000 * f.elo) AS BIGINT) - CASE WHEN ratings.last_seq <= @to THEN ratings.milli
		ELSE COALESCE((SELECT e.after_milli FROM rating_events e WHERE e.version_id = ratings.version_id AND e.ladder_id = @ladder AND e.ladder_seq <= @to
			ORDER BY e.ladder_seq DESC LIMIT 1), ratings.milli) END
		FROM fit_rows f WHERE f.ladder_id = @ladder AND ratings.ladder_id = @ladder AND ratings.version_id = f.version_id`,
		map[string]any{"ladder": ladderID, "to": to}).Error; err != nil {
		return err
	}
	return tx.classify(ladderID)
}

// changedLines are the lines whose class is not, by number of [tournament.LineClasses], what their bot, their matches and the last
// fit make it. A line is inactive if its last match was made before @old; places in the order do not tell, as a match that is played
// again keeps the place of the first.
const changedLines = `WITH lines AS (SELECT r.ladder_id, r.version_id, r.class AS was, CASE WHEN b.status = 'retired' OR b.version_id <> r.version_id THEN 3
        WHEN (SELECT m.created_at FROM matches m WHERE m.ladder_id = r.ladder_id AND m.ladder_seq = r.last_seq) < @old THEN 2
        WHEN r.games < @games OR COALESCE((f.high - f.low) / 2, 1.959963984540054 * f.se) > @half THEN 1 ELSE 0 END AS class
    FROM ratings r JOIN bots b ON b.id = r.bot_id LEFT JOIN fit_rows f ON f.ladder_id = r.ladder_id AND f.version_id = r.version_id),
changed AS (SELECT ladder_id, version_id, class FROM lines WHERE class <> was) `

// classBounds tell the classes of lines from each other: the time before which a last match was made of those that are inactive,
// and the matches and half the width of the interval of provisional ones.
func (s *Store) classBounds() map[string]any {
	return map[string]any{
		"old": s.Now().Add(-tournament.InactiveAfter), "games": tournament.ProvisionalGames, "half": tournament.ProvisionalHalf,
	}
}

// Classify puts the lines of all ladders into the classes that they are of now. Each fit does so for its ladder; what changes without
// one is left to whoever calls this now and then: lines become inactive, versions are replaced, bots retire. A ladder that fails holds up
// no other.
func (s *Store) Classify(ctx context.Context) error {
	ladders, failed := database.All[string](s.SQL(ctx).Raw(changedLines+"SELECT DISTINCT ladder_id FROM changed ORDER BY ladder_id", s.classBounds()))
	for _, id := range ladders {
		if err := s.InTx(ctx, func(tx *Tx) error {
			if _, err := tx.LockLadder(id); err != nil {
				return err
			}
			return tx.classify(id)
		}); err != nil {
			failed = errors.Join(failed, fmt.Errorf("classes of ladder %s: %w", id, err))
		}
	}
	return failed
}

// classify is [Store.Classify] for a ladder whose row is locked.
func (tx *Tx) classify(ladderID string) error {
	bounds := tx.s.classBounds()
	bounds["ladder"] = ladderID
	return tx.db.Exec(changedLines+`UPDATE ratings SET class = c.class FROM changed c
		WHERE c.ladder_id = @ladder AND ratings.ladder_id = @ladder AND ratings.version_id = c.version_id`, bounds).Error
}

// Fit returns the last fit of a ladder, the strongest first; without one yet it holds the ladder's id alone.
func (s *Store) Fit(ctx context.Context, ladderID string) (tournament.LadderFit, error) {
	return database.Transact(ctx, s.View, func(r Reader) (tournament.LadderFit, error) { // the head and the rows of one fit
		f, err := r.FitHead(ladderID)
		if err != nil || f.ToSeq == 0 {
			return f, err
		}
		rows, err := database.All[fitRow](r.db.Table("fit_rows f").Select(database.ColumnsOf[fitRow](r.db, "f")+", v.bot_id, v.number, b.name AS bot").
			Joins("JOIN versions v ON v.id = f.version_id").Joins("JOIN bots b ON b.id = v.bot_id").
			Where("f.ladder_id = ?", ladderID).Order("f.elo DESC, f.version_id"))
		f.Rows = database.Map(rows, fitRow.row)
		return f, err
	})
}

// FitOf returns a ladder's last fit with the rows of some versions alone, without a lock: a fit that is saved meanwhile may show in
// its rows and not in its head. Without one it holds the ladder's id alone.
func (r Reader) FitOf(ladderID string, versions []string) (tournament.LadderFit, error) {
	f, err := r.fitHead(ladderID)
	if err != nil || f.ToSeq == 0 {
		return f, err
	}
	rows, err := database.InParts[fitRow](versions, func(ids []string) *gorm.DB {
		return r.db.Select(database.ColumnsOf[fitRow](r.db, "fit_rows")).Where("ladder_id = ? AND version_id IN ?", ladderID, ids)
	})
	f.Rows = database.Map(rows, fitRow.row)
	return f, err
}

// FitHead returns a ladder's last fit without its rows; without one yet it holds the ladder's id alone. While the ladder's row is locked it
// does not change.
func (r Reader) FitHead(ladderID string) (tournament.LadderFit, error) {
	if _, err := r.Ladder(ladderID); err != nil {
		return tournament.LadderFit{LadderID: ladderID}, err
	}
	return r.fitHead(ladderID)
}

func (r Reader) fitHead(ladderID string) (tournament.LadderFit, error) {
	f, err := database.FirstOr(r.db.Where("ladder_id = ?", ladderID), tournament.LadderFit{LadderID: ladderID})
	bound(f.Advantages)
	return f, err
}

// DueCalibrations returns the ladders that have a tenth more rated matches than when their forecasts were judged last, that nobody is
// at, and whose rest after it is over.
func (s *Store) DueCalibrations(ctx context.Context) ([]string, error) {
	return database.Pluck[string](s.SQL(ctx).Table("ladders l").Joins("LEFT JOIN calibrations c ON c.ladder_id = l.id").
		Where("l.next_seq - 1 > COALESCE(c.to_seq, 0) AND 10 * (l.next_seq - 1) >= 11 * COALESCE(c.to_seq, 0) AND l.calibrate_after_ms <= "+s.NowMS()).
		Order("l.id"), "l.id")
}

// ClaimCalibration gives a due ladder to this process for fittingLease; false if another was first. If it fails, the ladder is
// due again after that time.
func (s *Store) ClaimCalibration(ctx context.Context, ladderID string) (bool, error) {
	return s.claimLadder(ctx, calibrateAfter, ladderID)
}

// SaveCalibration puts a calibration in the place of the ladder's last one and lets nobody judge it for a while. One that has
// seen less than the last is dropped.
func (s *Store) SaveCalibration(ctx context.Context, c tournament.Calibration, rest time.Duration) error {
	c.MadeAt = s.Now()
	return s.InTx(ctx, func(tx *Tx) error {
		if newest, err := putNewest(tx, c.LadderID, c.ToSeq, &c); err != nil || !newest {
			return err
		}
		return s.rest(tx.db, calibrateAfter, c.LadderID, rest)
	})
}

// Calibration returns the last calibration of a ladder; without one yet it holds the ladder's id alone.
func (s *Store) Calibration(ctx context.Context, ladderID string) (tournament.Calibration, error) {
	return database.FirstOr(s.SQL(ctx).Where("ladder_id = ?", ladderID), tournament.Calibration{LadderID: ladderID})
}
