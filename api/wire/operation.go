package wire

import (
	"encoding/json"
	"time"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/tournament"
)

// The operations for those who operate the platform.
var (
	// @Summary	Who gains from whom on a ladder
	// @Description	For administrators: the owners who score farthest above what the ratings expect where one other owner's bots sit, and
	// @Description	nowhere else, in the last 50,000 rated matches. A small p_adjusted is a reason to look at their matches, not a proof.
	ListLadderPartners = op.Get[LadderOf, Partners]("/v1/admin/ladders/{id}/partners", "admin")

	// @Summary	Is the process alive
	// @Description	Checks only the process itself.
	Livez = op.Get[op.None, Health]("/livez", "", op.ForProbes())

	// @Summary	Can requests be served
	// @Description	503 while the database does not answer, while migrations are pending, and once the server has begun to stop. With
	// @Description	verbose each check is listed.
	Readyz = op.Get[ReadyQuery, Health]("/readyz", "", op.Refusing(400, 503), op.ForProbes())

	// @Summary	The running version
	GetVersion = op.Get[op.None, Version]("/version", "")

	// @Summary	The jobs of the queue
	// @Description	For administrators, the newest first. Finished jobs are kept for a while.
	ListJobs = op.Get[JobsQuery, Page[Job]]("/v1/admin/jobs", "admin")

	// @Summary	Void matches, retirements and resets by bot
	// @Description	For administrators: the bots with any of them, those with the most void matches first. In a match of two, both bots
	// @Description	have the same void matches: the likelier cause is the one that has them with many opponents.
	ListConduct = op.Get[ConductQuery, ConductRows]("/v1/admin/conduct", "admin")

	// @Summary	This API as an OpenAPI 3 document
	GetDocument = op.Get[op.None, json.RawMessage]("/openapi.json", "")
)

// ReadyQuery asks whether requests can be served.
type ReadyQuery struct {
	Verbose string `form:"verbose"` // list each check; takes no value
}

// JobsQuery asks for jobs of the queue.
type JobsQuery struct {
	State string `form:"state" enums:"available,cancelled,completed,discarded,pending,retryable,running,scheduled"`
	op.Paging
}

// ConductQuery asks for the conduct of bots.
type ConductQuery struct {
	Hours int `form:"hours" default:"24" minimum:"1" maximum:"720"` // how far back
	Limit int `form:"limit" default:"50" minimum:"1" maximum:"100"` // bots
}

// Job is a job of the queue.
type Job struct {
	ID          int64           `json:"id"`
	Kind        string          `json:"kind" example:"play_match"`
	Queue       string          `json:"queue"`
	State       string          `json:"state" enums:"available,cancelled,completed,discarded,pending,retryable,running,scheduled"`
	Args        json.RawMessage `json:"args" swaggertype:"object"`
	Attempt     int             `json:"attempt"`
	MaxAttempts int             `json:"max_attempts"`
	LastError   string          `json:"last_error,omitempty"`
	CreatedAt   time.Time       `json:"created_at" format:"date-time"`
	ScheduledAt time.Time       `json:"scheduled_at" format:"date-time"`
	AttemptedAt *time.Time      `json:"attempted_at,omitempty" format:"date-time"`
	FinalizedAt *time.Time      `json:"finalized_at,omitempty" format:"date-time"`
} // @name Job

// ConductRows are the bots with anything to count, the worst first.
type ConductRows struct {
	Since time.Time               `json:"since" format:"date-time"`
	Data  []tournament.BotConduct `json:"data"`
} // @name ConductRows

// Health is a probe's answer when all is well.
type Health struct {
	Status string       `json:"status" example:"ok"`
	Checks []ReadyCheck `json:"checks,omitempty"` // those that passed, if requested
} // @name Health

// ReadyCheck is one check that passed.
type ReadyCheck struct {
	Name string  `json:"name" example:"database"` // serving, database or migrations
	MS   float64 `json:"ms" example:"1.2"`        // how long the check took
} // @name ReadyCheck

// Version is the running program's version.
type Version struct {
	Version string `json:"version" example:"0.1.0"`
	Go      string `json:"go" example:"go1.26.8"`
} // @name Version

// Partners are the pairs of owners in which one gains most from the other.
type Partners struct {
	Ladder string    `json:"ladder" example:"molehill"`
	Pairs  int       `json:"pairs"` // examined: every owner with each other owner whose bots it has met
	Worst  []Partner `json:"worst"` // at most fifty, the worst first
} // @name Partners

// Partner is an owner who scores above expectation where bots of another owner sit.
type Partner struct {
	OwnerID   string  `json:"owner_id"`
	Owner     string  `json:"owner"`
	PartnerID string  `json:"partner_id"`
	Partner   string  `json:"partner"`
	Matches   int     `json:"matches"`    // rated, in which both sat
	Score     float64 `json:"score"`      // the owner's in them, 0 to 1 a match
	Expected  float64 `json:"expected"`   // what the ratings expected, 0 to 1 a match
	Elsewhere float64 `json:"elsewhere"`  // its mean surplus in matches without the partner, -1 to 1
	Z         float64 `json:"z"`          // the surplus beyond what it has elsewhere, in standard deviations
	P         float64 `json:"p"`          // the chance of so large a surplus without collusion is at most this
	Adjusted  float64 `json:"p_adjusted"` // p times the pairs examined, at most 1
} // @name Partner
