package store

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/store/database"
)

// CreateSchedule adds an active schedule ([schedule.New] at the present). An empty id and time are filled in. The game must
// be one of the platform's, and the configuration canonical. What is due at once is made by the next director's MakeDue.
func (s *Store) CreateSchedule(ctx context.Context, x schedule.Schedule) (schedule.Schedule, error) {
	if err := s.Fill(&x.ID, &x.CreatedAt); err != nil {
		return x, err
	}
	if x.When.Line == "" {
		x.When = schedule.Once(database.UTC(x.When.At))
	}
	x = schedule.New(x, s.Now())
	row, err := newScheduleRow(x)
	if err != nil {
		return x, err
	}
	err = s.InTx(ctx, func(tx *Tx) error {
		if err := tx.db.Where("id = ?", x.OrganiserID).Take(&userRow{}).Error; err != nil {
			return database.NotFound(err, "user", x.OrganiserID)
		}
		return database.Taken(tx.db.Create(&row).Error, "schedule", x.ID)
	})
	return x, err
}

// Schedule returns a schedule by id.
func (s *Store) Schedule(ctx context.Context, id string) (schedule.Schedule, error) {
	return takeSchedule(s.SQL(ctx), id)
}

func takeSchedule(db *gorm.DB, id string) (schedule.Schedule, error) {
	r, err := database.ByID[scheduleRow](db, "schedule", id)
	if err != nil {
		return schedule.Schedule{}, err
	}
	return r.schedule()
}

// ScheduleFilter narrows a list of schedules; empty fields do not.
type ScheduleFilter struct {
	Status      schedule.Status
	Open        bool // it has not ended
	Game        string
	Name        string // a part of the name that its tournaments get; A to Z in any case
	OrganiserID string // alone or together with others
	ViewerID    string // whose own unlisted ones are shown
}

// Schedules returns a page of schedules and the cursor of the next, "" after the last.
func (s *Store) Schedules(ctx context.Context, f ScheduleFilter, p database.Page) ([]schedule.Schedule, string, error) {
	db := s.SQL(ctx).Where(visible(""), viewer(f.ViewerID))
	if f.OrganiserID != "" {
		db = db.Where(organised(""), viewer(f.OrganiserID))
	}
	db = database.Narrow(database.Narrow(db, "status = ?", f.Status), "game = ?", f.Game)
	if f.Open {
		db = db.Where("ended_at IS NULL")
	}
	if f.Name != "" { // LOWER of a database may know ASCII alone
		name := s.JSON("template") + " ->> 'name'"
		db = db.Where("(LOWER("+name+`) LIKE ? ESCAPE '\' OR `+name+` LIKE ? ESCAPE '\')`, contains(fold(f.Name)), contains(f.Name))
	}
	rows, next, err := database.List(db, p, "id", func(r scheduleRow) string { return r.ID })
	if err != nil {
		return nil, "", err
	}
	out, err := database.TryMap(rows, scheduleRow.schedule)
	return out, next, err
}

// ComingSchedule is an active schedule with the id of the first series over its tournaments; "" if there is none.
type ComingSchedule struct {
	schedule.Schedule
	Series string
}

// ComingSchedules returns active schedules that are listed, first those whose next tournament is made first, in one query.
func (s *Store) ComingSchedules(ctx context.Context, limit int) ([]ComingSchedule, error) {
	type row struct {
		Row      scheduleRow `gorm:"embedded"`
		SeriesID string
	}
	rows, err := database.All[row](s.SQL(ctx).Table("schedules").Select("schedules.*, COALESCE((SELECT x.id FROM series x WHERE x.schedule_id = schedules.id ORDER BY x.id LIMIT 1), '') AS series_id").
		Where("status = ? AND due_at IS NOT NULL AND NOT is_unlisted", schedule.Active).Order("due_at, id").Limit(limit))
	if err != nil {
		return nil, err
	}
	return database.TryMap(rows, func(r row) (ComingSchedule, error) {
		x, err := r.Row.schedule()
		return ComingSchedule{x, r.SeriesID}, err
	})
}

// DueSchedules returns the ids of the schedules that want to be looked at, the longest due first.
func (s *Store) DueSchedules(ctx context.Context) ([]string, error) {
	return database.Pluck[string](s.SQL(ctx).Model(&scheduleRow{}).Where("due_at <= ?", s.Now()).Order("due_at, id"), "id")
}

// ChangeSchedule locks a schedule, changes it and writes it back.
func (tx *Tx) ChangeSchedule(id string, change func(schedule.Schedule) (schedule.Schedule, error)) (schedule.Schedule, error) {
	x, err := takeSchedule(tx.Locked(tx.db, Schedules, id), id)
	if err != nil {
		return x, err
	}
	if x, err = change(x); err != nil {
		return x, err
	}
	row, err := newScheduleRow(x)
	if err != nil {
		return x, err
	}
	return x, tx.db.Model(&scheduleRow{}).Where("id = ?", id).Select("*").Updates(&row).Error
}

// ChangeSchedule calls [Tx.ChangeSchedule] in a transaction of its own.
func (s *Store) ChangeSchedule(ctx context.Context, id string, change func(schedule.Schedule) (schedule.Schedule, error)) (schedule.Schedule, error) {
	return database.Transact(ctx, s.InTx, func(tx *Tx) (schedule.Schedule, error) { return tx.ChangeSchedule(id, change) })
}

// DeleteSchedule removes a schedule. The rule is [schedule.Schedule.CanDelete].
func (s *Store) DeleteSchedule(ctx context.Context, id string) error {
	return s.InTx(ctx, func(tx *Tx) error {
		x, err := takeSchedule(tx.Locked(tx.db, Schedules, id), id)
		if err != nil {
			return err
		}
		if err := x.CanDelete(); err != nil {
			return err
		}
		return tx.db.Where("id = ?", id).Delete(&scheduleRow{}).Error
	})
}

// Organised names the tournaments and schedules of an organiser that are not over, the oldest first.
func (r Reader) Organised(organiserID string) ([]string, error) {
	names, err := database.Pluck[string](r.db.Model(&tournamentRow{}).Where("organiser_id = ? AND status IN ?", organiserID, []tournament.Status{tournament.Scheduled, tournament.Running}).
		Order("id"), "name")
	if err != nil {
		return nil, err
	}
	rows, err := database.All[scheduleRow](r.db.Where("organiser_id = ? AND ended_at IS NULL", organiserID).Order("id"))
	if err != nil {
		return nil, err
	}
	list, err := database.TryMap(rows, scheduleRow.schedule)
	for _, s := range list {
		names = append(names, s.Template.Name)
	}
	return names, err
}

type scheduleRow struct {
	schedule.Schedule
	Game           string
	Unlisted       bool   `gorm:"column:is_unlisted"`
	TournamentJSON string `gorm:"column:template"`
	Cron, Zone     string
	OnceAt, DueAt  *time.Time
}

// template is what of a tournament a schedule keeps, as JSON: it is read and written whole, and searched by its name alone.
type template struct {
	Name      string            `json:"name"`
	Config    string            `json:"config"` // as text, so that not a byte of it changes
	Format    tournament.Format `json:"format"`
	Table     int               `json:"table_size"`
	Cycles    int               `json:"cycles"`
	Duplicate bool              `json:"duplicate"`
	Rated     bool              `json:"rated"`
	Capacity  int               `json:"capacity"`
	Control   control           `json:"control"`
	Invite    string            `json:"invite_hash"` // "" is open to everybody
	Options   options           `json:"options"`
	Owner     int               `json:"entries_per_owner,omitempty"` // 0: the default when it is announced
	Waiting   bool              `json:"waiting_list,omitempty"`
	CheckInUS int64             `json:"check_in_us,omitempty"`
	Beliefs   bool              `json:"beliefs,omitempty"`

	Description string `json:"description,omitempty"`
	Rules       string `json:"rules,omitempty"`
	Prizes      string `json:"prizes,omitempty"`
}

// options are those of a format as rows hold them.
type options struct{ tournament.FormatOptions }

// MarshalJSON implements [json.Marshaler].
func (o options) MarshalJSON() ([]byte, error) { return o.MarshalStored() }

// UnmarshalJSON implements [json.Unmarshaler].
func (o *options) UnmarshalJSON(text []byte) error { return o.UnmarshalStored(text) }

// control is the time control and the fault limits.
type control struct {
	LimitUS     int64 `json:"limit_us"`
	BankUS      int64 `json:"bank_us"`
	IncrementUS int64 `json:"increment_us"`
	AllowanceUS int64 `json:"allowance_us"`
	FaultsInRow int   `json:"faults_in_row"`
	FaultsTotal int   `json:"faults_total"`
}

func newTemplate(t tournament.Tournament) template {
	c := t.Clock
	out := template{
		Name: t.Name, Config: string(t.Config), Format: t.Format, Table: t.Table, Cycles: t.Cycles, Duplicate: t.Duplicate,
		Rated: t.Rated, Capacity: t.Capacity, Options: options{t.Options}, Owner: t.OwnerEntries, Waiting: t.WaitingList, CheckInUS: t.CheckIn.Microseconds(), Beliefs: t.Beliefs,
		Control:     control{c.Limit.Microseconds(), c.Bank.Microseconds(), c.Increment.Microseconds(), c.Allowance.Microseconds(), t.Limits.InRow, t.Limits.Total},
		Description: t.Texts.Description, Rules: t.Texts.Rules, Prizes: t.Texts.Prizes,
	}
	if t.Invite.Needed() {
		out.Invite = hex.EncodeToString(t.Invite[:])
	}
	return out
}

func (t template) tournament(game string) (tournament.Tournament, error) {
	us := func(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
	c := t.Control
	out := tournament.Tournament{
		Name: t.Name, Game: game, Config: json.RawMessage(t.Config), Format: t.Format, Table: t.Table, Cycles: t.Cycles,
		Duplicate: t.Duplicate, Rated: t.Rated, Capacity: t.Capacity, Options: t.Options.FormatOptions, OwnerEntries: t.Owner, WaitingList: t.Waiting, CheckIn: us(t.CheckInUS), Beliefs: t.Beliefs,
		Clock:  tournament.Clock{Limit: us(c.LimitUS), Bank: us(c.BankUS), Increment: us(c.IncrementUS), Allowance: us(c.AllowanceUS)},
		Limits: tournament.FaultLimits{InRow: c.FaultsInRow, Total: c.FaultsTotal},
		Texts:  tournament.Texts{Description: t.Description, Rules: t.Rules, Prizes: t.Prizes},
	}
	if t.Invite == "" {
		return out, nil
	}
	return out, database.Unhex(out.Invite[:], t.Invite)
}

func newScheduleRow(s schedule.Schedule) (scheduleRow, error) {
	text, err := json.Marshal(newTemplate(s.Template))
	r := scheduleRow{Schedule: s, Game: s.Template.Game, Unlisted: s.Template.Unlisted, TournamentJSON: string(text), Cron: s.When.Line, Zone: s.When.Zone}
	r.Missed = database.Map(s.Missed, database.UTC)
	if s.When.Line == "" {
		r.OnceAt = &s.When.At
	}
	if due, ok := s.DueAt(); ok {
		r.DueAt = &due
	}
	return r, err
}

func (r scheduleRow) schedule() (schedule.Schedule, error) {
	s := r.Schedule
	var t template
	err := json.Unmarshal([]byte(r.TournamentJSON), &t)
	if err == nil {
		s.Template, err = t.tournament(r.Game)
		s.Template.Unlisted = r.Unlisted
	}
	if err != nil {
		return s, fmt.Errorf("schedule %s: template: %w", r.ID, err)
	}
	if len(s.Missed) == 0 {
		s.Missed = nil
	}
	if r.OnceAt != nil {
		s.When = schedule.Once(*r.OnceAt)
		return s, nil
	}
	if s.When, err = schedule.Cron(r.Cron, r.Zone); err != nil {
		err = fmt.Errorf("schedule %s: times: %w", r.ID, err)
	}
	return s, err
}
