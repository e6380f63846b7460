package store

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// AddTournament adds a tournament with its id and times. Its organiser must be there.
func (tx *Tx) AddTournament(t tournament.Tournament) error {
	if err := tx.db.Where("id = ?", t.OrganiserID).Take(&userRow{}).Error; err != nil {
		return database.NotFound(err, "user", t.OrganiserID)
	}
	row := newTournamentRow(t)
	if err := database.Taken(tx.db.Create(&row).Error, "tournament", t.ID); err != nil || t.Texts == (tournament.Texts{}) {
		return err
	}
	return tx.SaveTexts(t.ID, t.Texts)
}

// Tournament returns a tournament by id.
func (s *Store) Tournament(ctx context.Context, id string) (tournament.Tournament, error) {
	return takeTournament(s.SQL(ctx), id)
}

// LockTournament returns a tournament by id, its row locked.
func (tx *Tx) LockTournament(id string) (tournament.Tournament, error) {
	return takeTournament(tx.Locked(tx.db, Tournaments, id), id)
}

func takeTournament(db *gorm.DB, id string) (tournament.Tournament, error) {
	var r tournamentRow
	err := db.Where("id = ?", id).Take(&r).Error
	return r.tournament(), database.NotFound(err, "tournament", id)
}

// TournamentFilter narrows a list of tournaments; empty fields do not.
type TournamentFilter struct {
	Status     tournament.Status
	Game       string
	ScheduleID string
	Name       string // a part of the name; A to Z in any case
}

// Tournaments returns a page of tournaments and the cursor of the next, "" after the last.
func (s *Store) Tournaments(ctx context.Context, f TournamentFilter, p database.Page) ([]tournament.Tournament, string, error) {
	db, limit, err := p.ByID(f.narrow(s.SQL(ctx).Table("tournaments t")), "t.id")
	if err != nil {
		return nil, "", err
	}
	rows, next, err := database.Fetch(db, limit, func(r tournamentRow) string { return database.Cursor(r.ID) })
	return database.Map(rows, tournamentRow.tournament), next, err
}

// NextTournaments returns announced tournaments, the next start first.
func (s *Store) NextTournaments(ctx context.Context, limit int) ([]tournament.Tournament, error) {
	var rows []tournamentRow
	err := s.SQL(ctx).Where("status = ?", tournament.Scheduled).Order("starts_at, id").Limit(limit).Find(&rows).Error
	return database.Map(rows, tournamentRow.tournament), err
}

// LastFinished returns finished tournaments, the one that ended last first.
func (s *Store) LastFinished(ctx context.Context, limit int) ([]tournament.Tournament, error) {
	var rows []tournamentRow
	err := s.SQL(ctx).Where("status = ? AND ended_at IS NOT NULL", tournament.Finished).Order("ended_at DESC, id DESC").Limit(limit).Find(&rows).Error
	return database.Map(rows, tournamentRow.tournament), err
}

// narrow returns f of the table tournaments t.
func (f TournamentFilter) narrow(db *gorm.DB) *gorm.DB {
	if f.Status != "" {
		db = db.Where("t.status = ?", f.Status)
	}
	if f.Game != "" {
		db = db.Where("t.game = ?", f.Game)
	}
	if f.ScheduleID != "" {
		db = db.Where("t.schedule_id = ?", f.ScheduleID)
	}
	if f.Name != "" { // LOWER of a database may know ASCII alone
		db = db.Where(`(LOWER(t.name) LIKE ? ESCAPE '\' OR t.name LIKE ? ESCAPE '\')`, contains(fold(f.Name)), contains(f.Name))
	}
	return db
}

// What is due is listed whole: with a limit, as many as that which fail each time would hold up all others for ever.

// DueTournaments returns the scheduled tournaments whose start has come, the earliest first.
func (s *Store) DueTournaments(ctx context.Context) ([]tournament.Tournament, error) {
	var rows []tournamentRow
	err := s.SQL(ctx).Where("status = ? AND starts_at <= ?", tournament.Scheduled, s.Now()).Order("starts_at, id").Find(&rows).Error
	return database.Map(rows, tournamentRow.tournament), err
}

// DueCheckIns returns the tournaments whose check-in has opened, which has not been told, the earliest first.
func (s *Store) DueCheckIns(ctx context.Context) ([]string, error) {
	var ids []string
	err := s.SQL(ctx).Model(&tournamentRow{}).Where("check_in_due_at <= ?", s.Now()).Order("check_in_due_at, id").Pluck("id", &ids).Error
	return ids, err
}

// SaveCheckInTold notes that the opening of a tournament's check-in has been told, and reports whether it had not been before.
func (tx *Tx) SaveCheckInTold(id string) (bool, error) {
	done := tx.db.Model(&tournamentRow{}).Where("id = ? AND check_in_due_at IS NOT NULL", id).Update("check_in_due_at", nil)
	return done.RowsAffected == 1, done.Error
}

// DueRounds returns the running tournaments that somebody should look at: those that have no match open, as
// when they waited for bots to come back, arenas, where bots come free one at a time, and round robins with matches that wait for bots.
func (s *Store) DueRounds(ctx context.Context) ([]string, error) {
	var ids []string
	err := s.SQL(ctx).Model(&tournamentRow{}).Where("status = ? AND (format = ? OR NOT EXISTS ("+
		"SELECT 1 FROM matches m WHERE m.tournament_id = tournaments.id AND m.status IN ('queued', 'running'))"+
		" OR format = ? AND paused_at IS NULL AND EXISTS (SELECT 1 FROM matches m WHERE m.tournament_id = tournaments.id"+
		" AND m.status IN ('queued', 'running') AND m.status = 'queued' AND m.job_id = 0))",
		tournament.Running, tournament.Arena, tournament.RoundRobin).Order("id").Pluck("id", &ids).Error
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
	return tx.db.Model(&tournamentRow{}).Where("id = ?", t.ID).Update("paused_at", database.UTCPtr(t.PausedAt)).Error
}

// control is the time control and the fault limits, as tournaments, matches and the templates of schedules keep them.
type control struct {
	LimitUS     int64 `gorm:"column:limit_us" json:"limit_us"`
	BankUS      int64 `gorm:"column:bank_us" json:"bank_us"`
	IncrementUS int64 `gorm:"column:increment_us" json:"increment_us"`
	AllowanceUS int64 `gorm:"column:allowance_us" json:"allowance_us"`
	FaultsInRow int   `json:"faults_in_row"`
	FaultsTotal int   `json:"faults_total"`
}

func newControl(c tournament.Clock, l tournament.FaultLimits) control {
	return control{
		LimitUS:     c.Limit.Microseconds(),
		BankUS:      c.Bank.Microseconds(),
		IncrementUS: c.Increment.Microseconds(),
		AllowanceUS: c.Allowance.Microseconds(),
		FaultsInRow: l.InRow,
		FaultsTotal: l.Total,
	}
}

func (c control) clock() tournament.Clock {
	us := func(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
	return tournament.Clock{Limit: us(c.LimitUS), Bank: us(c.BankUS), Increment: us(c.IncrementUS), Allowance: us(c.AllowanceUS)}
}

func (c control) limits() tournament.FaultLimits {
	return tournament.FaultLimits{InRow: c.FaultsInRow, Total: c.FaultsTotal}
}

type tournamentRow struct {
	ID, Name, OrganiserID, Game, Config, Format string
	TableSize, Cycles                           int
	IsDuplicate, Rated                          bool
	LadderID                                    *string
	Capacity                                    int
	OwnerEntries                                int `gorm:"column:entries_per_owner"`
	HasWaitingList                              bool
	CheckInUS                                   int64      `gorm:"column:check_in_us"`
	CheckInDueAt                                *time.Time // until the opening of check-in has been told
	Control                                     control    `gorm:"embedded"`
	OpensAt, ClosesAt, StartsAt                 time.Time
	Status, Reason                              string
	CreatedAt                                   time.Time
	StartedAt, EndedAt, PausedAt                *time.Time
	ScheduleID                                  *string
	Number                                      *int
	InviteHash                                  *string
	Options                                     string
	Seed                                        *string
}

func (tournamentRow) TableName() string { return "tournaments" }

func newTournamentRow(t tournament.Tournament) tournamentRow {
	r := tournamentRow{
		ID: t.ID, Name: t.Name, OrganiserID: t.OrganiserID, Game: t.Game, Config: string(t.Config), Format: string(t.Format),
		TableSize: t.Table, Cycles: t.Cycles, IsDuplicate: t.Duplicate, Rated: t.Rated, LadderID: database.Optional(t.LadderID),
		Capacity: t.Capacity, OwnerEntries: t.OwnerEntries, Control: newControl(t.Clock, t.Limits),
		HasWaitingList: t.WaitingList, CheckInUS: t.CheckIn.Microseconds(), CheckInDueAt: database.UTCPtr(t.CheckInOpens()),
		OpensAt: database.UTC(t.OpensAt), ClosesAt: database.UTC(t.ClosesAt), StartsAt: database.UTC(t.StartsAt), Status: string(t.Status), Reason: t.Reason,
		CreatedAt: database.UTC(t.CreatedAt), StartedAt: database.UTCPtr(t.StartedAt), EndedAt: database.UTCPtr(t.EndedAt), PausedAt: database.UTCPtr(t.PausedAt),
		ScheduleID: database.Optional(t.ScheduleID), Options: options{t.Options}.text(),
	}
	if t.ScheduleID != "" {
		r.Number = &t.Number
	}
	if t.Seed != (game.Seed{}) {
		r.Seed = new(t.Seed.String())
	}
	if t.Invite.Needed() {
		r.InviteHash = new(hex.EncodeToString(t.Invite[:]))
	}
	return r
}

func (r tournamentRow) tournament() tournament.Tournament {
	t := tournament.Tournament{
		ID: r.ID, Name: r.Name, OrganiserID: r.OrganiserID, Game: r.Game, Config: json.RawMessage(r.Config), Format: tournament.Format(r.Format),
		Table: r.TableSize, Cycles: r.Cycles, Duplicate: r.IsDuplicate, Rated: r.Rated, LadderID: database.Deref(r.LadderID),
		Capacity: r.Capacity, OwnerEntries: r.OwnerEntries, Clock: r.Control.clock(), Limits: r.Control.limits(),
		WaitingList: r.HasWaitingList, CheckIn: time.Duration(r.CheckInUS) * time.Microsecond,
		OpensAt: database.UTC(r.OpensAt), ClosesAt: database.UTC(r.ClosesAt), StartsAt: database.UTC(r.StartsAt), Status: tournament.Status(r.Status), Reason: r.Reason,
		CreatedAt: database.UTC(r.CreatedAt), StartedAt: database.UTCPtr(r.StartedAt), EndedAt: database.UTCPtr(r.EndedAt), PausedAt: database.UTCPtr(r.PausedAt),
		ScheduleID: database.Deref(r.ScheduleID),
	}
	var o options
	if json.Unmarshal([]byte(r.Options), &o) == nil { // nobody but us writes it
		t.Options = o.FormatOptions
	}
	if r.Seed != nil {
		t.Seed, _ = game.ParseSeed(*r.Seed) // the table checks its size; it is hex, or the tournament has luck of no seed
	}
	if r.Number != nil {
		t.Number = *r.Number
	}
	if r.InviteHash != nil {
		t.Invite = inviteOf(*r.InviteHash)
	}
	return t
}

// inviteOf reads the hash of an invitation. What is not one admits nobody.
func inviteOf(text string) tournament.Invite {
	var i tournament.Invite
	if database.Unhex(i[:], text, "invitation") != nil {
		i[0] = 1
	}
	return i
}

// options are those of a format, as tournaments and the templates of schedules keep them: JSON, read and written whole.
type options struct{ tournament.FormatOptions }

// UnmarshalJSON reads three options under the names of older rows, too.
func (o *options) UnmarshalJSON(text []byte) error {
	var old struct {
		MinTable int             `json:"min_table"`
		LastsUS  int64           `json:"lasts_us"`
		Test     tournament.Test `json:"test"`
	}
	if err := errors.Join(json.Unmarshal(text, &o.FormatOptions), json.Unmarshal(text, &old)); err != nil {
		return err
	}
	o.MinTable, o.LastsMS = cmp.Or(o.MinTable, old.MinTable), cmp.Or(o.LastsMS, old.LastsUS/1000)
	o.Test = cmp.Or(o.Test, old.Test)
	return nil
}

func (o options) text() string {
	b, _ := json.Marshal(o) // numbers and booleans always can be written
	return string(b)
}

// Round is a round of a tournament as it was made. Pairing is JSON, which the director writes and reads.
type Round struct {
	TournamentID string
	Number       int
	Pairing      string
	MadeAt       time.Time
}

// TableName names the table to gorm.
func (Round) TableName() string { return "rounds" }

// Rounds returns the rounds of a tournament, in order. Tournaments of old programs have none.
func (r Reader) Rounds(tournamentID string) ([]Round, error) {
	var rows []Round
	err := r.db.Where("tournament_id = ?", tournamentID).Order("number").Find(&rows).Error
	return rows, err
}

// LastRound returns the round of a tournament that was made last; false if there is none.
func (r Reader) LastRound(tournamentID string) (Round, bool, error) {
	last, err := database.First[Round](r.db.Where("tournament_id = ?", tournamentID).Order("number DESC"))
	if err != nil || last == nil {
		return Round{}, false, err
	}
	return *last, true, nil
}

// Round returns a round by its number; false if there is none.
func (r Reader) Round(tournamentID string, number int) (Round, bool, error) {
	row, err := database.First[Round](r.db.Where("tournament_id = ? AND number = ?", tournamentID, number))
	if err != nil || row == nil {
		return Round{}, false, err
	}
	return *row, true, nil
}

// WithRounds returns a tournament with its rounds, in one query.
func (r Reader) WithRounds(id string) (tournament.Tournament, []Round, error) {
	var list []struct {
		Tournament tournamentRow `gorm:"embedded"`
		Round      Round         `gorm:"embedded;embeddedPrefix:round_"`
	}
	err := r.db.Table("tournaments t").Joins("LEFT JOIN rounds r ON r.tournament_id = t.id").
		Select(database.ColumnsOf[tournamentRow](r.db, "t")+", r.tournament_id AS round_tournament_id, r.number AS round_number, r.pairing AS round_pairing, r.made_at AS round_made_at").
		Where("t.id = ?", id).Order("r.number").Scan(&list).Error
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
	return list[0].Tournament.tournament(), rounds, nil
}

// AddRound adds a round that was made.
func (tx *Tx) AddRound(r Round) error {
	r.MadeAt = database.UTC(r.MadeAt)
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

func (planRow) TableName() string { return "plans" }

// KeepPlan keeps the rounds that a tournament will make, as JSON, in the place of what was kept before.
func (tx *Tx) KeepPlan(tournamentID, rounds string) error {
	again := clause.OnConflict{Columns: []clause.Column{{Name: "tournament_id"}}, DoUpdates: clause.AssignmentColumns([]string{"rounds"})}
	return tx.db.Clauses(again).Create(&planRow{tournamentID, rounds}).Error
}

// Plan returns what [Tx.KeepPlan] kept; "" if nothing was.
func (r Reader) Plan(tournamentID string) (string, error) {
	row, err := database.First[planRow](r.db.Where("tournament_id = ?", tournamentID))
	if err != nil || row == nil {
		return "", err
	}
	return row.Rounds, nil
}
