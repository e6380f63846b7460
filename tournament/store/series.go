package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/series"
	"github.com/molerun/molerun/tournament/store/database"
)

// CreateSeries adds a series, filled and checked. An empty id and time are filled in; its organiser, and its schedule or
// tournaments, must be there.
func (s *Store) CreateSeries(ctx context.Context, x series.Series) (series.Series, error) {
	if err := s.Fill(&x.ID, &x.CreatedAt); err != nil {
		return x, err
	}
	row, err := newSeriesRow(x)
	if err != nil {
		return x, err
	}
	err = s.InTx(ctx, func(tx *Tx) error {
		if err := tx.db.Where("id = ?", x.OrganiserID).Take(&userRow{}).Error; err != nil {
			return database.NotFound(err, "user", x.OrganiserID)
		}
		if x.ScheduleID != "" {
			if _, err := takeSchedule(tx.Locked(tx.db, Schedules, x.ScheduleID), x.ScheduleID); err != nil {
				return err
			}
		}
		if err := database.Taken(tx.db.Create(&row).Error, "series", x.ID); err != nil {
			return err
		}
		return tx.listTournaments(x)
	})
	return x, err
}

// listTournaments writes which tournaments a series lists.
func (tx *Tx) listTournaments(x series.Series) error {
	rows := make([]seriesTournamentRow, len(x.Tournaments))
	for i, id := range x.Tournaments {
		rows[i] = seriesTournamentRow{SeriesID: x.ID, Place: i, TournamentID: id}
	}
	return tx.db.CreateInBatches(rows, database.BatchSize).Error
}

// SeriesByID returns a series by id.
func (s *Store) SeriesByID(ctx context.Context, id string) (series.Series, error) {
	return takeSeries(s.SQL(ctx), s.SQL(ctx), id)
}

// takeSeries returns a series from the row that db gives; list gives what it lists.
func takeSeries(db, list *gorm.DB, id string) (series.Series, error) {
	r, err := database.ByID[seriesRow](db, "series", id)
	if err != nil {
		return series.Series{}, err
	}
	out, err := filledSeries(list, []seriesRow{r})
	if err != nil {
		return series.Series{}, err
	}
	return out[0], nil
}

// filledSeries returns series with what they list.
func filledSeries(db *gorm.DB, rows []seriesRow) ([]series.Series, error) {
	ids := database.Map(rows, func(r seriesRow) string { return r.ID })
	listed, err := database.All[seriesTournamentRow](db.Where("series_id IN ?", ids).Order("series_id, place"))
	if err != nil {
		return nil, err
	}
	of := map[string][]string{}
	for _, l := range listed {
		of[l.SeriesID] = append(of[l.SeriesID], l.TournamentID)
	}
	return database.TryMap(rows, func(r seriesRow) (series.Series, error) { return r.series(of[r.ID]) })
}

// SeriesFilter narrows a list of series; empty fields do not.
type SeriesFilter struct {
	ScheduleID   string
	TournamentID string // that counts in the series, by its schedule or by hand
	OrganiserID  string // alone or together with others
}

// AllSeries returns a page of series and the cursor of the next, "" after the last.
func (s *Store) AllSeries(ctx context.Context, f SeriesFilter, p database.Page) ([]series.Series, string, error) {
	db := s.SQL(ctx)
	if f.OrganiserID != "" {
		db = db.Where(organised(""), viewer(f.OrganiserID))
	}
	db = database.Narrow(db, "schedule_id = ?", f.ScheduleID)
	if f.TournamentID != "" {
		db = db.Where(withTournament, f.TournamentID, f.TournamentID)
	}
	rows, next, err := database.List(db, p, "id", func(r seriesRow) string { return r.ID })
	if err != nil {
		return nil, "", err
	}
	out, err := filledSeries(s.SQL(ctx), rows)
	return out, next, err
}

// withTournament is whether a tournament counts in a series.
const withTournament = "(schedule_id = (SELECT schedule_id FROM tournaments WHERE id = ?) OR id IN (SELECT series_id FROM series_tournaments WHERE tournament_id = ?))"

// SeriesTournaments returns the tournaments of a series, in its order: those listed, or of its schedule the latest that are not
// cancelled, at most [series.MaxTournaments].
func (s *Store) SeriesTournaments(ctx context.Context, x series.Series) ([]tournament.Tournament, error) {
	if x.ScheduleID == "" {
		return database.All[tournament.Tournament](s.SQL(ctx).Joins("JOIN series_tournaments l ON l.tournament_id = tournaments.id").
			Where("l.series_id = ?", x.ID).Order("l.place"))
	}
	rows, err := database.All[tournament.Tournament](s.SQL(ctx).Where("schedule_id = ? AND status <> ?", x.ScheduleID, tournament.Cancelled).
		Order("number DESC").Limit(series.MaxTournaments))
	slices.Reverse(rows)
	return rows, err
}

// TournamentsByID returns those of the tournaments that are there, in no order.
func (s *Store) TournamentsByID(ctx context.Context, ids []string) ([]tournament.Tournament, error) {
	return database.All[tournament.Tournament](s.SQL(ctx).Where("id IN ?", ids))
}

// ChangeSeries locks a series, changes it and writes it back.
func (s *Store) ChangeSeries(ctx context.Context, id string, change func(series.Series) (series.Series, error)) (series.Series, error) {
	return database.Transact(ctx, s.InTx, func(tx *Tx) (series.Series, error) {
		x, err := takeSeries(tx.Locked(tx.db, Series, id), tx.db, id)
		if err != nil {
			return x, err
		}
		if x, err = change(x); err != nil {
			return x, err
		}
		row, err := newSeriesRow(x)
		if err != nil {
			return x, err
		}
		if err := tx.db.Model(&seriesRow{}).Where("id = ?", id).Select("*").Updates(&row).Error; err != nil {
			return x, err
		}
		if err := tx.db.Where("series_id = ?", id).Delete(&seriesTournamentRow{}).Error; err != nil {
			return x, err
		}
		return x, tx.listTournaments(x)
	})
}

// DeleteSeries removes a series; its tournaments stay.
func (s *Store) DeleteSeries(ctx context.Context, id string) error {
	return s.InTx(ctx, func(tx *Tx) error {
		return database.Changed(tx.db.Where("id = ?", id).Delete(&seriesRow{}), fmt.Errorf("%w: there is no series %q", tournament.ErrNotFound, id))
	})
}

// Beside is what the page of a tournament shows beside its results.
type Beside struct {
	Texts  tournament.Texts
	Series []SeriesName // in which it counts, the oldest first
}

// SeriesName is a series in a list.
type SeriesName struct{ ID, Name string }

// Beside returns what is written about a tournament and where it counts, in one query; nothing if there is no such tournament.
func (s *Store) Beside(ctx context.Context, tournamentID string) (Beside, error) {
	var rows []struct {
		tournament.Texts
		SeriesID   *string
		SeriesName string
	}
	err := s.SQL(ctx).Table("tournaments t").Joins("LEFT JOIN texts x ON x.tournament_id = t.id").
		Joins("LEFT JOIN series s ON s.schedule_id = t.schedule_id OR s.id IN (SELECT series_id FROM series_tournaments l WHERE l.tournament_id = t.id)").
		Select("x.description, x.rules, x.prizes, s.id AS series_id, s.name AS series_name").
		Where("t.id = ?", tournamentID).Order("s.id").Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return Beside{}, err
	}
	out := Beside{Texts: rows[0].Texts}
	for _, r := range rows {
		if r.SeriesID != nil {
			out.Series = append(out.Series, SeriesName{ID: *r.SeriesID, Name: r.SeriesName})
		}
	}
	return out, nil
}

type seriesRow struct {
	series.Series
	Points string `gorm:"column:rank_points"` // a JSON list; "" by points
}

type seriesTournamentRow struct {
	SeriesID     string `gorm:"primaryKey"`
	Place        int    `gorm:"primaryKey;autoIncrement:false"`
	TournamentID string
}

func newSeriesRow(x series.Series) (seriesRow, error) {
	r := seriesRow{Series: x}
	if x.By != series.Rank {
		return r, nil
	}
	text, err := json.Marshal(x.RankPoints)
	r.Points = string(text)
	return r, err
}

func (r seriesRow) series(tournaments []string) (series.Series, error) {
	x := r.Series
	x.Tournaments = tournaments
	if r.Points == "" {
		return x, nil
	}
	if err := json.Unmarshal([]byte(r.Points), &x.RankPoints); err != nil {
		return x, fmt.Errorf("series %s: points of ranks: %w", r.ID, err)
	}
	return x, nil
}
