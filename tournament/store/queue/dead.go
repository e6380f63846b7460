package queue

import (
	"time"

	"github.com/molerun/molerun/tournament/store/database"
)

// JobAgeMS returns how long ago a job was taken by a worker, in milliseconds by the database's clock, as SQL.
func (q *Queue) JobAgeMS() string {
	if q.db.Pool() != nil {
		return "EXTRACT(EPOCH FROM clock_timestamp() - attempted_at) * 1000"
	}
	return "(unixepoch('subsec') - unixepoch(attempted_at, 'subsec')) * 1000"
}

// JobIn reports, as SQL, whether a column is the number of a job for which where, SQL about river_job, holds. On Postgres the jobs
// are looked up first and once: planned together with the column's table, before anybody has counted the rows of a queue that has just
// grown, they may be looked through for each of its rows.
func (q *Queue) JobIn(column, where string) string {
	jobs := "(SELECT id FROM river_job WHERE " + where + ")"
	if q.db.Pool() != nil {
		return column + " = ANY (ARRAY" + jobs + ")"
	}
	return column + " IN " + jobs
}

// CancelJobs cancels the jobs of a kind that a worker took longer than age ago and for which where, SQL about river_job, holds, and
// returns their arguments: JSON, or whatever else is there. River itself takes back what a dead worker had only when no attempt could last so long.
func (q *Queue) CancelJobs(tx *database.Tx, kind string, age time.Duration, where string) ([]string, error) {
	args := "CASE WHEN json_valid(args, 6) THEN json(args) ELSE CAST(args AS TEXT) END" // json alone fails the whole statement
	if q.db.Pool() != nil {
		args = "args::text"
	}
	return database.All[string](tx.SQL.Raw("UPDATE river_job SET state = 'cancelled', finalized_at = CURRENT_TIMESTAMP"+
		" WHERE state = 'running' AND kind = ? AND "+q.JobAgeMS()+" > ? AND "+where+" RETURNING "+args, kind, age.Milliseconds()))
}
