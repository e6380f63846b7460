package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// AddTournament adds a tournament with its id and times. Its organiser must be there.
func (tx *Tx) AddTournament(t tournament.Tournament) error {
	if err := tx.db.Where("id = ?", t.OrganiserID).Take(&userRow{}).Error; err != nil {
		return found(err, "user", t.OrganiserID)
	}
	row := newTournamentRow(t)
	return taken(tx.db.Create(&row).Error, "tournament", t.ID)
}

// info is what is fixed about a game of this program.
func (s *Store) info(id string) (game.Info, error) {
	e, err := s.engine(id)
	if err != nil {
		return game.Info{}, err
	}
	return e.Info(), nil
}

func (s *Store) engine(id string) (game.Engine, error) {
	e, ok := s.opts.Engines(id)
	if !ok {
		return nil, fmt.Errorf("%w: game %q", tournament.ErrNotFound, id)
	}
	return e, nil
}

// Tournament is a tournament by id.
func (s *Store) Tournament(ctx context.Context, id string) (tournament.Tournament, error) {
	return takeTournament(s.with(ctx), id)
}

// Tournament is a tournament by id.
func (r Reader) Tournament(id string) (tournament.Tournament, error) {
	return takeTournament(r.db, id)
}

// LockTournament is a tournament by id, its row locked.
func (tx *Tx) LockTournament(id string) (tournament.Tournament, error) {
	return takeTournament(locked(tx.db), id)
}

func takeTournament(db *gorm.DB, id string) (tournament.Tournament, error) {
	var r tournamentRow
	err := db.Where("id = ?", id).Take(&r).Error
	return r.tournament(), found(err, "tournament", id)
}

// TournamentFilter narrows a list of tournaments; empty fields do not.
type TournamentFilter struct {
	Status     tournament.Status
	Game       string
	ScheduleID string
}

// Tournaments is a page of tournaments and the cursor of the next, "" after the last.
func (s *Store) Tournaments(ctx context.Context, f TournamentFilter, p Page) ([]tournament.Tournament, string, error) {
	db, limit, err := p.byID(s.with(ctx), "id")
	if err != nil {
		return nil, "", err
	}
	if f.Status != "" {
		db = db.Where("status = ?", f.Status)
	}
	if f.Game != "" {
		db = db.Where("game = ?", f.Game)
	}
	if f.ScheduleID != "" {
		db = db.Where("schedule_id = ?", f.ScheduleID)
	}
	rows, next, err := fetch(db, limit, func(r tournamentRow) string { return cursor(r.ID) })
	return each(rows, tournamentRow.tournament), next, err
}

// DueTournaments are the scheduled tournaments whose start has come, the earliest first, at most 100.
func (s *Store) DueTournaments(ctx context.Context) ([]tournament.Tournament, error) {
	var rows []tournamentRow
	err := s.with(ctx).Where("status = ? AND starts_at <= ?", tournament.Scheduled, s.now()).Order("starts_at, id").Limit(100).Find(&rows).Error
	return each(rows, tournamentRow.tournament), err
}

// DueRounds are the running tournaments that somebody should look at, at most 100: those that have no match open, as
// when they waited for bots to come back, and arenas, where bots come free one at a time.
func (s *Store) DueRounds(ctx context.Context) (ids []string, err error) {
	err = s.with(ctx).Model(&tournamentRow{}).Where("status = ? AND (format = ? OR NOT EXISTS ("+
		"SELECT 1 FROM matches m WHERE m.tournament_id = tournaments.id AND m.status IN ('queued', 'running')))",
		tournament.Running, tournament.Arena).Order("id").Limit(100).Pluck("id", &ids).Error
	return ids, err
}

// SaveStart writes the beginning of a tournament: its status, when it was and its seed; none for one that has not begun.
func (tx *Tx) SaveStart(t tournament.Tournament) error {
	r := newTournamentRow(t)
	return tx.db.Model(&tournamentRow{}).Where("id = ?", t.ID).Updates(map[string]any{
		"status": r.Status, "started_at": r.StartedAt, "seed": r.Seed,
	}).Error
}

// SaveEnd writes the last state of a tournament.
func (tx *Tx) SaveEnd(t tournament.Tournament) error {
	r := newTournamentRow(t)
	return tx.db.Model(&tournamentRow{}).Where("id = ?", t.ID).Updates(map[string]any{
		"status": r.Status, "reason": r.Reason, "ended_at": r.EndedAt, "paused_at": r.PausedAt,
	}).Error
}

// SavePause writes since when a tournament is paused.
func (tx *Tx) SavePause(t tournament.Tournament) error {
	return tx.db.Model(&tournamentRow{}).Where("id = ?", t.ID).Update("paused_at", utcPtr(t.PausedAt)).Error
}
