package wire

import (
	"time"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/tournament/series"
)

// The operations on series.
var (
	// @Summary	Make a series
	// @Description	For organisers. Standings over several tournaments: all of one schedule of yours, or those of yours that are listed. A
	// @Description	tournament counts when it has finished.
	CreateSeries = op.Create[SeriesCreate, Series]("/v1/series", "organise")

	// @Summary	All series
	ListSeries = op.Get[SeriesQuery, Page[Series]]("/v1/series", "")

	// @Summary	One series
	GetSeries = op.Get[op.One, Series]("/v1/series/{id}", "")

	// @Summary	Change a series
	// @Description	By its organiser: what is left out stays. Whether the tournaments are those of a schedule does not change.
	UpdateSeries = op.Patch[op.WithID[SeriesPatch], Series]("/v1/series/{id}", "organise")

	// @Summary	Delete a series
	// @Description	By its organiser. Its tournaments stay.
	DeleteSeries = op.Delete[op.One]("/v1/series/{id}", "organise")

	// @Summary	The standings of a series so far
	// @Description	By points, then by tournaments won; who is equal in both shares the rank. results are in the order of the tournaments.
	ListSeriesStandings = op.Get[op.ListOf, Page[series.Line]]("/v1/series/{id}/standings", "")

	// @Summary	Take the standings of a series away
	// @Description	A row for each result of each bot, with the bot's line. JSON is a list of objects, NDJSON one object a line; the keys
	// @Description	are the columns of the CSV.
	ExportSeries = op.Get[SeriesExport, any]("/v1/series/{id}/export", "", op.Answering("application/json", "text/csv", "application/x-ndjson"))
)

// SeriesQuery asks for series.
type SeriesQuery struct {
	Schedule   string `form:"schedule" format:"uuid"`   // only those of this schedule
	Tournament string `form:"tournament" format:"uuid"` // only those in which this tournament counts
	Organiser  string `form:"organiser" enums:"me"`     // only those that the caller organises, alone or together with others
	op.Paging
}

// SeriesExport asks for the standings of a series as a file.
type SeriesExport struct {
	op.One
	Format string `form:"format" enums:"csv,json,ndjson" default:"csv"`
}

// SeriesCreate asks for a series: the tournaments of a schedule, or those listed.
type SeriesCreate struct {
	Name        string    `json:"name" example:"Friday series" maxLength:"80"`
	ScheduleID  string    `json:"schedule_id,omitempty"`                       // all tournaments of this schedule count, the latest hundred
	Tournaments []string  `json:"tournaments,omitempty" maxItems:"100"`        // instead: the ids of those that count
	By          string    `json:"by,omitempty" enums:"points,rank"`            // what a result is worth: the tournament's points, or rank_points; points if left out
	Best        int       `json:"best,omitempty" example:"4"`                  // so many results of a bot count, its best; 0: all
	RankPoints  []float64 `json:"rank_points,omitempty" example:"25,18,15,12"` // by rank: for the first, the second, …; 25, 18, 15, 12, 10, 8, 6, 4, 2, 1 if left out
} // @name SeriesCreate

// SeriesPatch is what of a series may change; what is left out stays.
type SeriesPatch struct {
	Name        *string   `json:"name,omitempty" maxLength:"80"`
	Tournaments []string  `json:"tournaments,omitempty" maxItems:"100"` // whole; not of a series of a schedule
	By          *string   `json:"by,omitempty" enums:"points,rank"`
	Best        *int      `json:"best,omitempty"`
	RankPoints  []float64 `json:"rank_points,omitempty"` // whole; the defaults if left out with by
} // @name SeriesPatch

// Series is several tournaments with standings of their own.
type Series struct {
	ID          string    `json:"id"`
	OrganiserID string    `json:"organiser_id"`
	Name        string    `json:"name"`
	ScheduleID  string    `json:"schedule_id,omitempty"`
	Tournaments []string  `json:"tournaments,omitempty"` // listed by hand; left out with a schedule
	By          series.By `json:"by" swaggertype:"string" enums:"points,rank"`
	Best        int       `json:"best"` // 0: all results count
	RankPoints  []float64 `json:"rank_points,omitempty"`
	CreatedAt   time.Time `json:"created_at" format:"date-time"`
} // @name Series
