package wire

import (
	"time"

	"github.com/molerun/molerun/api/op"
)

// The operations on schedules.
var (
	// @Summary	Preview a schedule
	// @Description	For organisers. Checks a request as POST /v1/schedules does, but creates nothing. It gives the first starts, and how
	// @Description	many rounds and matches a full field plays at most.
	PreviewSchedule = op.Post[ScheduleCreate, Preview]("/v1/schedules/preview", "organise", op.Unaudited())

	// @Summary	Make a schedule
	// @Description	For organisers. A series of tournaments: each is created when its registration opens, and starts by itself. A start in
	// @Description	an hour that the clocks skip happens once, when the skipped hour would have begun; one in an hour that they repeat
	// @Description	happens once, the first time. The one code for tournaments by invitation only is shown once, in the answer.
	CreateSchedule = op.Create[ScheduleCreate, Schedule]("/v1/schedules", "organise")

	// @Summary	All schedules
	ListSchedules = op.Get[SchedulesQuery, Page[Schedule]]("/v1/schedules", "")

	// @Summary	One schedule
	GetSchedule = op.Get[op.One, Schedule]("/v1/schedules/{id}", "")

	// @Summary	Change a schedule
	// @Description	For its organiser, while it is active or paused. What is left out stays. Game, table size, format and invite_only
	// @Description	cannot change: make another schedule. Existing tournaments stay as they are. With new times it continues with the
	// @Description	first start that can still be entered.
	UpdateSchedule = op.Patch[op.WithID[SchedulePatch], Schedule]("/v1/schedules/{id}", "organise", op.Refusing(409))

	// @Summary	Delete a schedule
	// @Description	For its organiser, as long as it has created no tournament; after that, cancel it.
	DeleteSchedule = op.Delete[op.One]("/v1/schedules/{id}", "organise", op.Refusing(409))

	// @Summary	Pause a schedule
	// @Description	For its organiser. It creates no tournaments until it is resumed; those that it has created go on.
	PauseSchedule = op.Post[op.One, Schedule]("/v1/schedules/{id}/pause", "organise")

	// @Summary	Resume a paused schedule
	// @Description	For its organiser. It continues with the first start that can still be entered.
	ResumeSchedule = op.Post[op.One, Schedule]("/v1/schedules/{id}/resume", "organise")

	// @Summary	Cancel a schedule
	// @Description	For its organiser, with a reason that everyone sees; without a body the reason is "cancelled by its organiser". The
	// @Description	tournaments that it has created stay: cancel those one by one.
	CancelSchedule = op.Post[op.WithID[*CancelRequest], Schedule]("/v1/schedules/{id}/cancel", "organise")
)

// SchedulesQuery asks for schedules.
type SchedulesQuery struct {
	Game   string `form:"game"` // only this game
	Status string `form:"status" enums:"active,paused,cancelled,finished"`
	// only those that the caller organises, alone or together with others
	Organiser string `form:"organiser" enums:"me"`
	op.Paging
}

// ScheduleTimes say when the tournaments of a schedule start: starts_at for a single one, or cron and zone.
type ScheduleTimes struct {
	StartsAt       *time.Time `json:"starts_at,omitempty" format:"date-time"`
	Cron           string     `json:"cron,omitempty" example:"0 20 * * FRI"`     // minute, hour, day of month, month, day of week
	Zone           string     `json:"zone,omitempty" example:"Europe/Amsterdam"` // IANA name of the zone of cron
	OpensBeforeMS  int64      `json:"opens_before_ms" example:"86400000"`        // registration opens, and the tournament is created, this long before a start
	ClosesBeforeMS int64      `json:"closes_before_ms" example:"600000"`         // registration closes this long before a start
} // @name ScheduleTimes

// ScheduleCreate asks for a series of tournaments.
type ScheduleCreate struct {
	TournamentTemplate
	ScheduleTimes
} // @name ScheduleCreate

// Schedule is a series of tournaments.
type Schedule struct {
	ID          string `json:"id"`
	OrganiserID string `json:"organiser_id"`
	TournamentTemplate
	ScheduleTimes
	Rated       bool        `json:"rated"`                 // results enter the ladder of these matches; in an answer it is always there
	InviteCode  string      `json:"invite_code,omitempty"` // for all of its tournaments; only in the answer that created it
	Expected    int         `json:"matches_at_capacity"`   // how many matches a full field plays at most; 0 for an arena
	Status      string      `json:"status" enums:"active,paused,cancelled,finished"`
	Reason      string      `json:"reason,omitempty"`                 // why it was cancelled
	Made        int         `json:"tournaments_made"`                 // /v1/tournaments?schedule= lists them
	Next        []time.Time `json:"next_starts" format:"date-time"`   // the next starts that have no tournament yet, at most five
	Missed      []time.Time `json:"missed_starts" format:"date-time"` // starts that nobody could enter, after an outage for example; the latest fifty
	MissedTotal int         `json:"missed_starts_total"`              // how many starts were missed in all
	CreatedAt   time.Time   `json:"created_at" format:"date-time"`
	EndedAt     *time.Time  `json:"ended_at,omitempty" format:"date-time"`
} // @name Schedule

// SchedulePatch changes a schedule; what is left out stays as it is. Sending starts_at makes it a one-off, sending cron a
// series.
type SchedulePatch struct {
	TemplatePatch
	StartsAt       *time.Time `json:"starts_at,omitempty" format:"date-time"`
	Cron           *string    `json:"cron,omitempty"`
	Zone           *string    `json:"zone,omitempty"`
	OpensBeforeMS  *int64     `json:"opens_before_ms,omitempty"`
	ClosesBeforeMS *int64     `json:"closes_before_ms,omitempty"`
} // @name SchedulePatch
