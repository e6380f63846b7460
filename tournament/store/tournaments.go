package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// CreateTournament adds a scheduled tournament. Empty id and time are filled in; a rated one gets its game's ladder. The
// configuration must be canonical already.
func (s *Store) CreateTournament(ctx context.Context, t tournament.Tournament) (tournament.Tournament, error) {
	err := s.InTx(ctx, func(tx *Tx) error { return tx.createTournament(&t) })
	return t, err
}

func (tx *Tx) createTournament(t *tournament.Tournament) error {
	s := tx.s
	if _, err := s.info(t.Game); err != nil {
		return err
	}
	if err := s.fill(&t.ID); err != nil {
		return err
	}
	s.fillTime(&t.CreatedAt)
	t.OpensAt, t.ClosesAt, t.StartsAt = utc(t.OpensAt), utc(t.ClosesAt), utc(t.StartsAt)
	t.Status, t.Reason, t.StartedAt, t.EndedAt, t.PausedAt, t.LadderID = tournament.Scheduled, "", nil, nil, nil, ""
	t.Seed = game.Seed{}
	t.BoundOwners()
	if err := tx.db.Where("id = ?", t.OrganiserID).Take(&userRow{}).Error; err != nil {
		return found(err, "user", t.OrganiserID)
	}
	if t.Rated {
		l, err := s.ensureLadder(tx.db, t.Game)
		if err != nil {
			return err
		}
		t.LadderID = l.ID
	}
	row := newTournamentRow(*t)
	tx.tellTournament(tournament.EventTournamentCreated, *t)
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

// Cancel ends a scheduled or running tournament for a reason; matches not over become void. The rule is
// [tournament.CanCancel].
func (s *Store) Cancel(ctx context.Context, id, reason string) (t tournament.Tournament, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		if t, err = takeTournament(locked(tx.db), id); err != nil {
			return err
		}
		if err := tournament.CanCancel(t); err != nil {
			return err
		}
		if err := tx.end(&t, tournament.Cancelled, reason); err != nil {
			return err
		}
		if err := tx.voidOpen(id, "tournament cancelled: "+reason); err != nil {
			return err
		}
		if t.LadderID == "" {
			return nil
		}
		_, err := tx.applyRatings(t.LadderID)
		return err
	})
	return t, err
}

// voidOpen makes the matches of a tournament that are not over void. They are locked in one order, as everywhere, so that two
// transactions cannot wait for each other.
func (tx *Tx) voidOpen(tournamentID, reason string) error {
	var open []matchRow
	live := []tournament.MatchStatus{tournament.MatchQueued, tournament.MatchRunning}
	if err := locked(tx.db).Where("tournament_id = ? AND status IN ?", tournamentID, live).Order("id").Find(&open).Error; err != nil {
		return err
	}
	if err := tx.tellVoid(open); err != nil {
		return err
	}
	return tx.db.Model(&matchRow{}).Where("tournament_id = ? AND status IN ?", tournamentID, live).Updates(map[string]any{
		"status": tournament.MatchVoid, "reason": reason, "ended_at": tx.s.now(), "worker": "",
	}).Error
}

// end writes the last state of a tournament, whose row is locked.
func (tx *Tx) end(t *tournament.Tournament, status tournament.Status, reason string) error {
	now := tx.s.now()
	t.Status, t.Reason, t.EndedAt, t.PausedAt = status, reason, &now, nil
	tx.tellTournament(map[bool]tournament.EventKind{true: tournament.EventTournamentFinished, false: tournament.EventTournamentCancelled}[status == tournament.Finished], *t)
	return tx.db.Model(&tournamentRow{}).Where("id = ?", t.ID).
		Updates(map[string]any{"status": status, "reason": reason, "ended_at": now, "paused_at": nil}).Error
}
