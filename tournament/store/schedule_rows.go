package store

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
)

type scheduleRow struct {
	ID, OrganiserID, Game, Template, Cron, Zone string
	OnceAt                                      *time.Time
	OpensBeforeUS                               int64 `gorm:"column:opens_before_us"`
	ClosesBeforeUS                              int64 `gorm:"column:closes_before_us"`
	Status, Reason                              string
	Made                                        int
	DoneAt                                      time.Time
	DueAt                                       *time.Time
	Missed                                      string
	MissedTotal                                 int
	CreatedAt                                   time.Time
	EndedAt                                     *time.Time
}

func (scheduleRow) TableName() string { return "schedules" }

// template is what of a tournament a schedule keeps, as JSON: it is read and written whole, never searched.
type template struct {
	Name      string  `json:"name"`
	Config    string  `json:"config"` // as text, so that not a byte of it changes
	Format    string  `json:"format"`
	Table     int     `json:"table_size"`
	Cycles    int     `json:"cycles"`
	Duplicate bool    `json:"duplicate"`
	Rated     bool    `json:"rated"`
	Capacity  int     `json:"capacity"`
	Control   control `json:"control"`
	Invite    string  `json:"invite_hash"` // "" is open to everybody
	Options   options `json:"options"`
	Owner     int     `json:"entries_per_owner,omitempty"` // 0: the default when it is announced
}

func newTemplate(t tournament.Tournament) template {
	out := template{
		Name: t.Name, Config: string(t.Config), Format: string(t.Format), Table: t.Table, Cycles: t.Cycles, Duplicate: t.Duplicate,
		Rated: t.Rated, Capacity: t.Capacity, Control: newControl(t.Clock, t.Limits),
		Options: newOptions(t.Options), Owner: t.OwnerEntries,
	}
	if t.Invite.Needed() {
		out.Invite = hex.EncodeToString(t.Invite[:])
	}
	return out
}

func (t template) tournament(game string) tournament.Tournament {
	out := tournament.Tournament{
		Name: t.Name, Game: game, Config: json.RawMessage(t.Config), Format: tournament.Format(t.Format), Table: t.Table, Cycles: t.Cycles,
		Duplicate: t.Duplicate, Rated: t.Rated, Capacity: t.Capacity, Clock: t.Control.clock(), Limits: t.Control.limits(),
		Options: t.Options.options(), OwnerEntries: t.Owner,
	}
	if t.Invite != "" {
		out.Invite = inviteOf(t.Invite)
	}
	return out
}

func newScheduleRow(s schedule.Schedule) (scheduleRow, error) {
	text, err := json.Marshal(newTemplate(s.Template))
	if err != nil {
		return scheduleRow{}, err
	}
	missed, err := json.Marshal(each(s.Missed, utc))
	if err != nil {
		return scheduleRow{}, err
	}
	r := scheduleRow{
		ID: s.ID, OrganiserID: s.OrganiserID, Game: s.Template.Game, Template: string(text), Cron: s.When.Line, Zone: s.When.Zone,
		OpensBeforeUS: s.Opens.Microseconds(), ClosesBeforeUS: s.Closes.Microseconds(), Status: string(s.Status), Reason: s.Reason,
		Made: s.Made, DoneAt: utc(s.Done), Missed: string(missed), MissedTotal: s.MissedTotal, CreatedAt: utc(s.CreatedAt), EndedAt: utcPtr(s.EndedAt),
	}
	if s.When.Line == "" {
		r.OnceAt = utcPtr(&s.When.At)
	}
	if due, ok := s.DueAt(); ok {
		r.DueAt = utcPtr(&due)
	}
	return r, nil
}

func (r scheduleRow) schedule() (schedule.Schedule, error) {
	bad := func(what string, err error) (schedule.Schedule, error) {
		return schedule.Schedule{}, fmt.Errorf("schedule %s: %s: %w", r.ID, what, err)
	}
	var t template
	if err := json.Unmarshal([]byte(r.Template), &t); err != nil {
		return bad("template", err)
	}
	s := schedule.Schedule{
		ID: r.ID, OrganiserID: r.OrganiserID, Template: t.tournament(r.Game),
		Opens: time.Duration(r.OpensBeforeUS) * time.Microsecond, Closes: time.Duration(r.ClosesBeforeUS) * time.Microsecond,
		Status: schedule.Status(r.Status), Reason: r.Reason, Made: r.Made, Done: utc(r.DoneAt), MissedTotal: r.MissedTotal,
		CreatedAt: utc(r.CreatedAt), EndedAt: utcPtr(r.EndedAt),
	}
	if err := json.Unmarshal([]byte(r.Missed), &s.Missed); err != nil {
		return bad("missed starts", err)
	}
	if len(s.Missed) == 0 {
		s.Missed = nil
	}
	if r.OnceAt != nil {
		s.When = schedule.Once(utc(*r.OnceAt))
		return s, nil
	}
	var err error
	if s.When, err = schedule.Cron(r.Cron, r.Zone); err != nil {
		return bad("times", err)
	}
	return s, nil
}
