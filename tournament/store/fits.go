package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

type fitHeadRow struct {
	LadderID          string
	ToSeq             int64
	Matches, Blocks   int
	Teams, Advantages string
	TookUS            int64 `gorm:"column:took_us"`
	FittedAt          time.Time
}

func (fitHeadRow) TableName() string { return "ladder_fits" }

type fitRow struct {
	LadderID, VersionID                    string
	Matches                                int
	Elo                                    float64
	SE                                     float64  `gorm:"column:se"`
	Low, High                              *float64 // nil in fits of a release before
	FirstElo, FirstSE, SecondElo, SecondSE *float64
	FirstLow, FirstHigh                    *float64
	SecondLow, SecondHigh                  *float64
	Best, Worst, Island                    int
}

func (fitRow) TableName() string { return "fit_rows" }

func newFitRow(ladderID string, r tournament.FitRow) fitRow {
	out := fitRow{
		LadderID:  ladderID,
		VersionID: r.VersionID,
		Matches:   r.Matches,
		Elo:       r.Elo,
		SE:        r.SE,
		Low:       &r.Low,
		High:      &r.High,
		Best:      r.Best,
		Worst:     r.Worst,
		Island:    r.Island,
	}
	if len(r.Roles) == 2 {
		first, second := &r.Roles[0], &r.Roles[1]
		out.FirstElo, out.FirstSE, out.FirstLow, out.FirstHigh = &first.Elo, &first.SE, &first.Low, &first.High
		out.SecondElo, out.SecondSE, out.SecondLow, out.SecondHigh = &second.Elo, &second.SE, &second.Low, &second.High
	}
	return out
}

func (r fitRow) row() tournament.FitRow {
	out := tournament.FitRow{
		VersionID: r.VersionID,
		Matches:   r.Matches,
		Estimate:  estimate(r.Elo, r.SE, r.Low, r.High),
		Best:      r.Best,
		Worst:     r.Worst,
		Island:    r.Island,
	}
	if r.FirstElo != nil && r.FirstSE != nil && r.SecondElo != nil && r.SecondSE != nil {
		out.Roles = []tournament.Estimate{
			estimate(*r.FirstElo, *r.FirstSE, r.FirstLow, r.FirstHigh),
			estimate(*r.SecondElo, *r.SecondSE, r.SecondLow, r.SecondHigh),
		}
	}
	return out
}

// estimate returns one that was stored. Releases before this one kept no bounds: their intervals were as wide on both sides.
func estimate(elo, se float64, low, high *float64) tournament.Estimate {
	if low == nil || high == nil {
		return tournament.Normal(elo, se)
	}
	return tournament.Estimate{Elo: elo, SE: se, Low: *low, High: *high}
}

// advantage is a [tournament.Advantage] as JSON.
type advantage struct {
	Seats int     `json:"seats"`
	Team  string  `json:"team,omitempty"`
	Seat  int     `json:"seat,omitempty"`
	Elo   float64 `json:"elo"`
	SE    float64 `json:"se"`
	// Low and High are not there in fits of a release before.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
}

func advantagesText(list []tournament.Advantage) (string, error) {
	b, err := json.Marshal(database.Map(list, func(a tournament.Advantage) advantage {
		return advantage{
			Seats: a.Seats,
			Team:  a.Team,
			Seat:  a.Seat,
			Elo:   a.Elo,
			SE:    a.SE,
			Low:   &a.Low,
			High:  &a.High,
		}
	}))
	return string(b), err
}

func advantagesOf(text string) ([]tournament.Advantage, error) {
	var list []advantage
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fmt.Errorf("advantages: %w", err)
	}
	return database.Map(list, func(a advantage) tournament.Advantage {
		return tournament.Advantage{Seats: a.Seats, Team: a.Team, Seat: a.Seat, Estimate: estimate(a.Elo, a.SE, a.Low, a.High)}
	}), nil
}

// fittingLease is how long a process has for one fit before another may begin it again.
const fittingLease = 10 * time.Minute

// DueFits returns the ladders with matches rated since their last fit that nobody is at, and whose rest after it is over.
func (s *Store) DueFits(ctx context.Context) ([]string, error) {
	var ids []string
	err := s.SQL(ctx).Table("ladders l").Joins("LEFT JOIN ladder_fits f ON f.ladder_id = l.id").
		Where("l.next_seq - 1 > COALESCE(f.to_seq, 0) AND l.fit_after_ms <= "+s.NowMS()).Order("l.id").Pluck("l.id", &ids).Error
	return ids, err
}

// ClaimFit gives a due ladder to this process for fittingLease; false if another was first.
func (s *Store) ClaimFit(ctx context.Context, ladderID string) (bool, error) {
	change := s.SQL(ctx).Exec("UPDATE ladders SET fit_after_ms = "+s.NowMS()+" + ? WHERE id = ? AND fit_after_ms <= "+s.NowMS(), fittingLease.Milliseconds(), ladderID)
	return change.RowsAffected == 1, change.Error
}

// RestFit lets nobody fit a ladder for a while; it ends a claim.
func (s *Store) RestFit(ctx context.Context, ladderID string, rest time.Duration) error {
	return restFit(s.SQL(ctx), s, ladderID, rest)
}

func restFit(db *gorm.DB, s *Store, ladderID string, rest time.Duration) error {
	return db.Exec("UPDATE ladders SET fit_after_ms = "+s.NowMS()+" + ? WHERE id = ?", rest.Milliseconds(), ladderID).Error
}

// SaveFit puts a fit in the place of the ladder's last one and lets nobody fit it for a while. One that has seen less than
// the last is dropped: whoever made it was taken for dead.
func (s *Store) SaveFit(ctx context.Context, f tournament.LadderFit, rest time.Duration) error {
	advantages, err := advantagesText(f.Advantages)
	if err != nil {
		return err
	}
	teams, err := json.Marshal(f.Teams)
	if err != nil {
		return err
	}
	head := fitHeadRow{
		LadderID:   f.LadderID,
		ToSeq:      f.ToSeq,
		Matches:    f.Matches,
		Blocks:     f.Blocks,
		Teams:      string(teams),
		Advantages: advantages,
		TookUS:     f.Took.Microseconds(),
		FittedAt:   s.Now(),
	}
	return s.InTx(ctx, func(tx *Tx) error {
		if _, err := tx.LockLadder(f.LadderID); err != nil {
			return err
		}
		var newer int64
		if err := tx.db.Model(&fitHeadRow{}).Where("ladder_id = ? AND to_seq > ?", f.LadderID, f.ToSeq).Count(&newer).Error; err != nil || newer > 0 {
			return err
		}
		if err := tx.db.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "ladder_id"}}, UpdateAll: true}).Create(&head).Error; err != nil {
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
		return restFit(tx.db, s, f.LadderID, rest)
	})
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
	var ladders []string
	if err := s.SQL(ctx).Raw(changedLines+"SELECT DISTINCT ladder_id FROM changed ORDER BY ladder_id", s.classBounds()).Scan(&ladders).Error; err != nil {
		return err
	}
	var failed error
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
	var f tournament.LadderFit
	err := s.View(ctx, func(r Reader) error { // the head and the rows of one fit
		var err error
		if f, err = r.FitHead(ladderID); err != nil || f.ToSeq == 0 {
			return err
		}
		var rows []struct {
			Fit       fitRow `gorm:"embedded"`
			BotID     string
			Bot       string
			VersionNo int
		}
		err = r.db.Table("fit_rows f").Select(database.ColumnsOf[fitRow](r.db, "f")+", v.bot_id, v.number AS version_no, b.name AS bot").
			Joins("JOIN versions v ON v.id = f.version_id").Joins("JOIN bots b ON b.id = v.bot_id").
			Where("f.ladder_id = ?", ladderID).Order("f.elo DESC, f.version_id").Scan(&rows).Error
		for _, x := range rows {
			row := x.Fit.row()
			row.BotID, row.Bot, row.Number = x.BotID, x.Bot, x.VersionNo
			f.Rows = append(f.Rows, row)
		}
		return err
	})
	return f, err
}

// FitOf returns a ladder's last fit with the rows of some versions alone, without a lock: a fit that is saved meanwhile may show in
// its rows and not in its head. Without one it holds the ladder's id alone.
func (r Reader) FitOf(ladderID string, versions []string) (tournament.LadderFit, error) {
	head, err := database.First[fitHeadRow](r.db.Where("ladder_id = ?", ladderID))
	if err != nil || head == nil {
		return tournament.LadderFit{LadderID: ladderID}, err
	}
	f, err := head.fit()
	if err != nil {
		return f, err
	}
	for ids := range slices.Chunk(versions, database.BatchSize) {
		var rows []fitRow
		if err := r.db.Where("ladder_id = ? AND version_id IN ?", ladderID, ids).Find(&rows).Error; err != nil {
			return f, err
		}
		f.Rows = append(f.Rows, database.Map(rows, fitRow.row)...)
	}
	return f, nil
}

// FitHead returns a ladder's last fit without its rows; without one yet it holds the ladder's id alone. While the ladder's row is locked it
// does not change.
func (r Reader) FitHead(ladderID string) (tournament.LadderFit, error) {
	f := tournament.LadderFit{LadderID: ladderID}
	if _, err := r.Ladder(ladderID); err != nil {
		return f, err
	}
	head, err := database.First[fitHeadRow](r.db.Where("ladder_id = ?", ladderID))
	if err != nil || head == nil {
		return f, err
	}
	return head.fit()
}

// fit returns the fit without its rows.
func (h fitHeadRow) fit() (tournament.LadderFit, error) {
	f := tournament.LadderFit{
		LadderID: h.LadderID,
		ToSeq:    h.ToSeq,
		Matches:  h.Matches,
		Blocks:   h.Blocks,
		FittedAt: database.UTC(h.FittedAt),
		Took:     time.Duration(h.TookUS) * time.Microsecond,
	}
	if err := json.Unmarshal([]byte(h.Teams), &f.Teams); err != nil {
		return f, fmt.Errorf("ladder %s: teams of the fit: %w", h.LadderID, err)
	}
	var err error
	f.Advantages, err = advantagesOf(h.Advantages)
	return f, err
}

type calibrationRow struct {
	LadderID          string
	ToSeq             int64
	Matches, Judged   int
	Comparisons, Fits int
	Forecasters       string
	TookUS            int64 `gorm:"column:took_us"`
	MadeAt            time.Time
}

func (calibrationRow) TableName() string { return "calibrations" }

// DueCalibrations returns the ladders that have a tenth more rated matches than when their forecasts were judged last, that nobody is
// at, and whose rest after it is over.
func (s *Store) DueCalibrations(ctx context.Context) ([]string, error) {
	var ids []string
	err := s.SQL(ctx).Table("ladders l").Joins("LEFT JOIN calibrations c ON c.ladder_id = l.id").
		Where("l.next_seq - 1 > COALESCE(c.to_seq, 0) AND 10 * (l.next_seq - 1) >= 11 * COALESCE(c.to_seq, 0) AND l.calibrate_after_ms <= "+s.NowMS()).
		Order("l.id").Pluck("l.id", &ids).Error
	return ids, err
}

// ClaimCalibration gives a due ladder to this process for fittingLease; false if another was first. If it fails, the ladder is
// due again after that time.
func (s *Store) ClaimCalibration(ctx context.Context, ladderID string) (bool, error) {
	change := s.SQL(ctx).Exec("UPDATE ladders SET calibrate_after_ms = "+s.NowMS()+" + ? WHERE id = ? AND calibrate_after_ms <= "+s.NowMS(),
		fittingLease.Milliseconds(), ladderID)
	return change.RowsAffected == 1, change.Error
}

// SaveCalibration puts a calibration in the place of the ladder's last one and lets nobody judge it for a while. One that has
// seen less than the last is dropped.
func (s *Store) SaveCalibration(ctx context.Context, c tournament.Calibration, rest time.Duration) error {
	text, err := json.Marshal(c.Forecasters)
	if err != nil {
		return err
	}
	row := calibrationRow{
		LadderID:    c.LadderID,
		ToSeq:       c.ToSeq,
		Matches:     c.Matches,
		Judged:      c.Judged,
		Comparisons: c.Comparisons,
		Fits:        c.Fits,
		Forecasters: string(text),
		TookUS:      c.Took.Microseconds(),
		MadeAt:      s.Now(),
	}
	return s.InTx(ctx, func(tx *Tx) error {
		if _, err := tx.LockLadder(c.LadderID); err != nil {
			return err
		}
		var newer int64
		if err := tx.db.Model(&calibrationRow{}).Where("ladder_id = ? AND to_seq > ?", c.LadderID, c.ToSeq).Count(&newer).Error; err != nil || newer > 0 {
			return err
		}
		if err := tx.db.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "ladder_id"}}, UpdateAll: true}).Create(&row).Error; err != nil {
			return err
		}
		return tx.db.Exec("UPDATE ladders SET calibrate_after_ms = "+s.NowMS()+" + ? WHERE id = ?", rest.Milliseconds(), c.LadderID).Error
	})
}

// Calibration returns the last calibration of a ladder; without one yet it holds the ladder's id alone.
func (s *Store) Calibration(ctx context.Context, ladderID string) (tournament.Calibration, error) {
	out := tournament.Calibration{LadderID: ladderID}
	row, err := database.First[calibrationRow](s.SQL(ctx).Where("ladder_id = ?", ladderID))
	if err != nil || row == nil {
		return out, err
	}
	if err := json.Unmarshal([]byte(row.Forecasters), &out.Forecasters); err != nil {
		return out, fmt.Errorf("ladder %s: forecasters of the calibration: %w", ladderID, err)
	}
	out.ToSeq, out.Matches, out.Judged, out.Comparisons, out.Fits = row.ToSeq, row.Matches, row.Judged, row.Comparisons, row.Fits
	out.Took, out.MadeAt = time.Duration(row.TookUS)*time.Microsecond, database.UTC(row.MadeAt)
	return out, nil
}
