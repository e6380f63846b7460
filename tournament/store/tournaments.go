package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// AddTournament adds a tournament with its id and times. Its organiser must be there.
func (tx *Tx) AddTournament(t tournament.Tournament) error {
	if err := tx.db.Where("id = ?", t.OrganiserID).Take(&userRow{}).Error; err != nil {
		return database.NotFound(err, "user", t.OrganiserID)
	}
	row := tournamentRow{Tournament: t, CheckInDueAt: t.CheckInOpens()}
	if err := database.Taken(tx.db.Create(&row).Error, "tournament", t.ID); err != nil || t.Texts == (tournament.Texts{}) {
		return err
	}
	return tx.SaveTexts(t.ID, t.Texts)
}

// Tournament returns a tournament by id.
func (s *Store) Tournament(ctx context.Context, id string) (tournament.Tournament, error) {
	return database.ByID[tournament.Tournament](s.SQL(ctx), "tournament", id)
}

// LockTournament returns a tournament by id, its row locked.
func (tx *Tx) LockTournament(id string) (tournament.Tournament, error) {
	return database.ByID[tournament.Tournament](tx.Locked(tx.db, Tournaments, id), "tournament", id)
}

// TournamentFilter narrows a list of tournaments; empty fields do not.
type TournamentFilter struct {
	Status      tournament.Status
	Game        string
	ScheduleID  string // with it, unlisted ones too: whoever knows it has the link
	Name        string // a part of the name; A to Z in any case
	OrganiserID string // alone or together with others
	ViewerID    string // whose own unlisted ones are shown
}

// Tournaments returns a page of tournaments and the cursor of the next, "" after the last.
func (s *Store) Tournaments(ctx context.Context, f TournamentFilter, p database.Page) ([]tournament.Tournament, string, error) {
	return database.List(f.narrow(s.SQL(ctx).Table("tournaments t")), p, "t.id", func(t tournament.Tournament) string { return t.ID })
}

// OpenTournaments returns those of an organiser, alone or together with others, that are not over, the first start first.
func (s *Store) OpenTournaments(ctx context.Context, organiserID string, limit int) ([]tournament.Tournament, error) {
	open := s.SQL(ctx).Table("tournaments t").Where("t.status IN ?", []tournament.Status{tournament.Scheduled, tournament.Running})
	return database.All[tournament.Tournament](open.Where(organised("t."), viewer(organiserID)).Order("t.starts_at, t.id").Limit(limit))
}

// NextTournaments returns announced tournaments that are listed, the next start first.
func (s *Store) NextTournaments(ctx context.Context, limit int) ([]tournament.Tournament, error) {
	return database.All[tournament.Tournament](s.SQL(ctx).Where("status = ? AND NOT is_unlisted", tournament.Scheduled).Order("starts_at, id").Limit(limit))
}

// LastFinished returns finished tournaments that are listed, the one that ended last first.
func (s *Store) LastFinished(ctx context.Context, limit int) ([]tournament.Tournament, error) {
	return database.All[tournament.Tournament](s.SQL(ctx).Where("status = ? AND ended_at IS NOT NULL AND NOT is_unlisted", tournament.Finished).Order("ended_at DESC, id DESC").Limit(limit))
}

// narrow returns f of the table tournaments t.
func (f TournamentFilter) narrow(db *gorm.DB) *gorm.DB {
	db = database.Narrow(database.Narrow(db, "t.status = ?", f.Status), "t.game = ?", f.Game)
	if f.OrganiserID != "" {
		db = db.Where(organised("t."), viewer(f.OrganiserID))
	}
	if f.ScheduleID != "" {
		db = db.Where("t.schedule_id = ?", f.ScheduleID)
	} else {
		db = db.Where(visible("t."), viewer(f.ViewerID))
	}
	if f.Name != "" { // LOWER of a database may know ASCII alone
		db = db.Where(`(LOWER(t.name) LIKE ? ESCAPE '\' OR t.name LIKE ? ESCAPE '\')`, contains(fold(f.Name)), contains(f.Name))
	}
	return db
}

// What is due is listed whole: with a limit, as many as that which fail each time would hold up all others for ever.

// DueTournaments returns the ids of the scheduled tournaments whose start has come, the earliest first. A row that cannot be read holds up
// no other.
func (s *Store) DueTournaments(ctx context.Context) ([]string, error) {
	due := s.SQL(ctx).Model(&tournamentRow{}).Where("status = ? AND starts_at <= ?", tournament.Scheduled, s.Now())
	return database.Pluck[string](due.Order("starts_at, id"), "id")
}

// DueCheckIns returns the tournaments whose check-in has opened, without an event that says so yet, the earliest first.
func (s *Store) DueCheckIns(ctx context.Context) ([]string, error) {
	return database.Pluck[string](s.SQL(ctx).Model(&tournamentRow{}).Where("check_in_due_at <= ?", s.Now()).Order("check_in_due_at, id"), "id")
}

// SaveCheckInOpened notes that there is an event for the opening of a tournament's check-in, and reports whether there was none before.
func (tx *Tx) SaveCheckInOpened(id string) (bool, error) {
	done := tx.db.Model(&tournamentRow{}).Where("id = ? AND check_in_due_at IS NOT NULL", id).Update("check_in_due_at", nil)
	return done.RowsAffected == 1, done.Error
}

// DueRounds returns the running tournaments that somebody should look at: those that have no match open, as
// when they waited for bots to come back, arenas, where bots come free one at a time, and round robins with matches that wait for bots. A paused
// arena waits for nothing but its organiser, who may never come back; looking at one takes longer the more it has played.
func (s *Store) DueRounds(ctx context.Context) ([]string, error) {
	return database.Pluck[string](s.SQL(ctx).Model(&tournamentRow{}).Where("status = ? AND (format <> ? OR paused_at IS NULL) AND (format = ? OR NOT EXISTS ("+
		"SELECT 1 FROM matches m WHERE m.tournament_id = tournaments.id AND m.status IN ('queued', 'running'))"+
		" OR format = ? AND paused_at IS NULL AND EXISTS (SELECT 1 FROM matches m WHERE m.tournament_id = tournaments.id"+
		" AND m.status IN ('queued', 'running') AND m.status = 'queued' AND m.job_id = 0))",
		tournament.Running, tournament.Arena, tournament.Arena, tournament.RoundRobin).Order("id"), "id")
}

// SaveStart writes the beginning of a tournament: its status, when it was and its seed; none for one that has not begun.
func (tx *Tx) SaveStart(t tournament.Tournament) error {
	return database.Save(tx.db, &t, "status", "started_at", "seed")
}

// SaveEnd writes the last state of a tournament.
func (tx *Tx) SaveEnd(t tournament.Tournament) error {
	return database.Save(tx.db, &t, "status", "reason", "ended_at", "paused_at")
}

// ReviseTournament writes all of a tournament that was another before, with its texts. Where check-in opens at another time its opening is
// an event again, even if one was before.
func (tx *Tx) ReviseTournament(was, next tournament.Tournament) error {
	row, db := tournamentRow{Tournament: next, CheckInDueAt: next.CheckInOpens()}, tx.db.Select("*")
	if a, b := was.CheckInOpens(), next.CheckInOpens(); a != nil && b != nil && a.Equal(*b) {
		db = db.Omit("check_in_due_at")
	}
	if err := db.Updates(&row).Error; err != nil || next.Texts == was.Texts {
		return err
	}
	return tx.SaveTexts(next.ID, next.Texts)
}

// SaveInvite writes a tournament's invite code and its end.
func (tx *Tx) SaveInvite(t tournament.Tournament) error {
	t.InviteEndsAt = database.UTCPtr(t.InviteEndsAt)
	return database.Save(tx.db, &t, "invite_hash", "invite_ends_at")
}

// SavePause writes since when a tournament is paused, and how long it lasts.
func (tx *Tx) SavePause(t tournament.Tournament) error {
	return database.Save(tx.db, &t, "paused_at", "options")
}

// tournamentRow is a tournament with what only the store wants to know of it.
type tournamentRow struct {
	tournament.Tournament
	CheckInDueAt *time.Time // until the opening of check-in has its event
}

// Round is a round of a tournament as it was made. Pairing is JSON, which the director writes and reads.
type Round struct {
	TournamentID string
	Number       int
	Pairing      string
	MadeAt       time.Time
}

// Rounds returns the rounds of a tournament, in order.
func (r Reader) Rounds(tournamentID string) ([]Round, error) {
	return database.All[Round](r.db.Where("tournament_id = ?", tournamentID).Order("number"))
}

// LastRound returns the round of a tournament that was made last; false if there is none.
func (r Reader) LastRound(tournamentID string) (Round, bool, error) {
	row, err := database.FirstOr(r.db.Where("tournament_id = ?", tournamentID).Order("number DESC"), Round{})
	return row, row.Number > 0, err
}

// Round returns a round by its number.
func (r Reader) Round(tournamentID string, number int) (Round, error) {
	return database.Take[Round](r.db.Where("tournament_id = ? AND number = ?", tournamentID, number), "round of tournament", tournamentID)
}

// WithRounds returns a tournament with its rounds, in one query.
func (r Reader) WithRounds(id string) (tournament.Tournament, []Round, error) {
	list, err := database.All[struct {
		Tournament tournament.Tournament `gorm:"embedded"`
		Round      Round                 `gorm:"embedded;embeddedPrefix:round_"`
	}](r.db.Table("tournaments t").Joins("LEFT JOIN rounds r ON r.tournament_id = t.id").
		Select(database.ColumnsOf[tournament.Tournament](r.db, "t")+", r.tournament_id AS round_tournament_id, r.number AS round_number, r.pairing AS round_pairing, r.made_at AS round_made_at").
		Where("t.id = ?", id).Order("r.number"))
	if err == nil && len(list) == 0 {
		err = gorm.ErrRecordNotFound
	}
	if err != nil {
		return tournament.Tournament{}, nil, database.NotFound(err, "tournament", id)
	}
	var rounds []Round
	for _, x := range list {
		if x.Round.Number > 0 {
			rounds = append(rounds, x.Round)
		}
	}
	return list[0].Tournament, rounds, nil
}

// AddRound adds a round that was made.
func (tx *Tx) AddRound(r Round) error {
	return tx.db.Create(&r).Error
}

// ChangeRound writes a round's pairing again.
func (tx *Tx) ChangeRound(r Round) error {
	return tx.db.Model(&Round{}).Where("tournament_id = ? AND number = ?", r.TournamentID, r.Number).Update("pairing", r.Pairing).Error
}

type planRow struct {
	TournamentID string `gorm:"primaryKey"`
	Rounds       string
}

// KeepPlan keeps the rounds that a tournament will make, as JSON, in the place of what was kept before.
func (tx *Tx) KeepPlan(tournamentID, rounds string) error {
	return database.Upsert(tx.db, []string{"tournament_id"}).Create(&planRow{tournamentID, rounds}).Error
}

// Plan returns what [Tx.KeepPlan] kept; "" if nothing was.
func (r Reader) Plan(tournamentID string) (string, error) {
	row, err := database.FirstOr(r.db.Where("tournament_id = ?", tournamentID), planRow{})
	return row.Rounds, err
}
