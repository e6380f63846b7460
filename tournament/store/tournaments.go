package store

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

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
	if err := taken(tx.db.Create(&row).Error, "tournament", t.ID); err != nil || t.Texts == (tournament.Texts{}) {
		return err
	}
	return tx.SaveTexts(t.ID, t.Texts)
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
	return control{c.Limit.Microseconds(), c.Bank.Microseconds(), c.Increment.Microseconds(), c.Allowance.Microseconds(), l.InRow, l.Total}
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
	OwnerEntries                                int     `gorm:"column:entries_per_owner"`
	Control                                     control `gorm:"embedded"`
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
		TableSize: t.Table, Cycles: t.Cycles, IsDuplicate: t.Duplicate, Rated: t.Rated, LadderID: optional(t.LadderID),
		Capacity: t.Capacity, OwnerEntries: t.OwnerEntries, Control: newControl(t.Clock, t.Limits),
		OpensAt: utc(t.OpensAt), ClosesAt: utc(t.ClosesAt), StartsAt: utc(t.StartsAt), Status: string(t.Status), Reason: t.Reason,
		CreatedAt: utc(t.CreatedAt), StartedAt: utcPtr(t.StartedAt), EndedAt: utcPtr(t.EndedAt), PausedAt: utcPtr(t.PausedAt),
		ScheduleID: optional(t.ScheduleID), Options: newOptions(t.Options).text(),
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
		Table: r.TableSize, Cycles: r.Cycles, Duplicate: r.IsDuplicate, Rated: r.Rated, LadderID: required(r.LadderID),
		Capacity: r.Capacity, OwnerEntries: r.OwnerEntries, Clock: r.Control.clock(), Limits: r.Control.limits(),
		OpensAt: utc(r.OpensAt), ClosesAt: utc(r.ClosesAt), StartsAt: utc(r.StartsAt), Status: tournament.Status(r.Status), Reason: r.Reason,
		CreatedAt: utc(r.CreatedAt), StartedAt: utcPtr(r.StartedAt), EndedAt: utcPtr(r.EndedAt), PausedAt: utcPtr(r.PausedAt),
		ScheduleID: required(r.ScheduleID),
	}
	var o options
	if json.Unmarshal([]byte(r.Options), &o) == nil { // nobody but us writes it
		t.Options = o.options()
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
	if unhex(i[:], text, "invitation") != nil {
		i[0] = 1
	}
	return i
}

// options are those of a format, as tournaments and the templates of schedules keep them: JSON, read and written whole.
type options struct {
	MinTable    int   `json:"min_table,omitempty"`
	Rounds      int   `json:"rounds,omitempty"`
	BestOf      int   `json:"best_of,omitempty"`
	ThirdPlace  bool  `json:"third_place,omitempty"`
	GroupSize   int   `json:"group_size,omitempty"`
	Finalists   int   `json:"finalists,omitempty"`
	LastsUS     int64 `json:"lasts_us,omitempty"`
	LateEntries bool  `json:"late_entries,omitempty"`
	Test        *test `json:"test,omitempty"`
}

// test is that of an sprt.
type test struct {
	Elo0       float64 `json:"elo0"`
	Elo1       float64 `json:"elo1"`
	Alpha      float64 `json:"alpha"`
	Beta       float64 `json:"beta"`
	Normalised bool    `json:"normalised"`
	MaxPairs   int     `json:"max_pairs"`
}

func newOptions(o tournament.FormatOptions) options {
	out := options{
		MinTable: o.MinTable, Rounds: o.Rounds, BestOf: o.BestOf, ThirdPlace: o.ThirdPlace, GroupSize: o.GroupSize, Finalists: o.Finalists,
		LastsUS: o.Lasts.Microseconds(), LateEntries: o.LateEntries,
	}
	if o.Test != (tournament.Test{}) {
		out.Test = new(test(o.Test))
	}
	return out
}

func (o options) options() tournament.FormatOptions {
	out := tournament.FormatOptions{
		MinTable: o.MinTable, Rounds: o.Rounds, BestOf: o.BestOf, ThirdPlace: o.ThirdPlace, GroupSize: o.GroupSize, Finalists: o.Finalists,
		Lasts: time.Duration(o.LastsUS) * time.Microsecond, LateEntries: o.LateEntries,
	}
	if o.Test != nil {
		out.Test = tournament.Test(*o.Test)
	}
	return out
}

func (o options) text() string {
	b, _ := json.Marshal(o) // numbers and booleans always can be written
	return string(b)
}
