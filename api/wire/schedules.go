package wire

import (
	"encoding/json"
	"time"
)

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
	Rated       bool        `json:"rated"`                 // results enter the game's ladder; in an answer it is always there
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
	Name           *string         `json:"name,omitempty" maxLength:"80"`
	Config         json.RawMessage `json:"config,omitempty" swaggertype:"object"`
	Cycles         *int            `json:"cycles,omitempty"`
	Duplicate      *bool           `json:"duplicate,omitempty"`
	Rated          *bool           `json:"rated,omitempty"`
	Capacity       *int            `json:"capacity,omitempty"`
	PerOwner       *int            `json:"entries_per_owner,omitempty"` // 0: the default
	Waiting        *bool           `json:"waiting_list,omitempty"`
	CheckInMS      *int64          `json:"check_in_ms,omitempty"` // 0: no check-in
	Clock          *Clock          `json:"clock,omitempty"`
	Faults         *FaultLimits    `json:"fault_limits,omitempty"`
	Options        *FormatOptions  `json:"format_options,omitempty"` // replaced as a whole: options left out take their defaults
	StartsAt       *time.Time      `json:"starts_at,omitempty" format:"date-time"`
	Cron           *string         `json:"cron,omitempty"`
	Zone           *string         `json:"zone,omitempty"`
	OpensBeforeMS  *int64          `json:"opens_before_ms,omitempty"`
	ClosesBeforeMS *int64          `json:"closes_before_ms,omitempty"`
	TextsPatch
} // @name SchedulePatch
