package queue

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivertype"
	"golang.org/x/time/rate"

	"github.com/molerun/molerun/tournament"
)

// The matches of each source wait in a queue of their own. A worker has one set of slots for all three: when it looks for
// jobs, it is given as many of each queue as [tournament.GrantSlots] says. What it is not given stays in the queue, for
// another worker or another look, so that nothing is held or written for a match that has to wait.

// Ladder and Challenge are the queues of the matches outside tournaments; those of tournaments are in River's default
// queue, as all matches were in releases without shares. Events is that of deliveries: slow receivers take no place from
// matches.
const (
	Ladder    = "ladder"
	Challenge = "challenge"
	Events    = "events"
)

func queueOf(s tournament.Source) string {
	switch s {
	case tournament.SourceLadder:
		return Ladder
	case tournament.SourceChallenge:
		return Challenge
	case tournament.SourceTournament:
	}
	return river.QueueDefault
}

// slots are a worker's, by the source of the match that has them.
type slots struct {
	total   int
	waiting func(ctx context.Context, most int) (map[tournament.Source]int, error) // matches in each queue, up to most
	wake    func(ctx context.Context) error                                        // has the worker look for jobs soon

	late  func() bool   // whether this process gets to run too late; nil: it never does
	again *rate.Limiter // how often it may take on more after it was late

	mu    sync.Mutex
	most  int // matches that may be played at once now
	held  map[tournament.Source]int
	short bool // at the last look a match was left waiting beside a free slot
}

// take shares free slots out and holds them.
func (x *slots) take(free int, waiting map[tournament.Source]int) map[tournament.Source]int {
	x.mu.Lock()
	defer x.mu.Unlock()
	if free == x.total {
		clear(x.held) // nothing is played: a job that could not be read never gave its slot back
	}
	playing := x.total - free
	if late := x.late != nil && x.late(); late || x.most < x.total && x.again.Allow() {
		x.most = admit(x.total, playing, x.most, late)
	}
	free = max(0, min(free, x.most-playing))
	granted := tournament.GrantSlots(x.total, free, x.held, waiting)
	left := 0
	for _, s := range tournament.Sources() {
		x.held[s] += granted[s]
		free -= granted[s]
		left += waiting[s] - granted[s]
	}
	x.short = free > 0 && left > 0
	return granted
}

// admit returns how many matches a worker may play at once from now on, of its slots, when it plays some and most is how many it
// might play so far. One that is late, because it does not get to run in time, takes no more than it plays, but one at least: each
// more would make it later. Once it is well it may play an eighth of its slots more.
func admit(slots, playing, most int, late bool) int {
	if late {
		return max(1, min(most, playing))
	}
	return min(slots, most+max(1, slots/8))
}

// give gives slots of a source back and reports whether a match may wait for one.
func (x *slots) give(s tournament.Source, n int) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.held[s] = max(0, x.held[s]-n)
	return x.short
}

// IsMiddleware makes River call Work.
func (x *slots) IsMiddleware() bool { return true }

// Work gives the slot of a match back when its job ends.
func (x *slots) Work(ctx context.Context, job *rivertype.JobRow, inner func(context.Context) error) error {
	all := tournament.Sources()
	i := slices.IndexFunc(all, func(s tournament.Source) bool { return queueOf(s) == job.Queue })
	if i < 0 {
		return inner(ctx)
	}
	defer func() {
		if x.give(all[i], 1) {
			waking, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			defer cancel()
			_ = x.wake(waking) // else it looks at the next poll
		}
	}()
	return inner(ctx)
}

// sharing is a queue's driver whose worker shares its slots.
type sharing[TTx any] struct {
	riverdriver.Driver[TTx]
	slots *slots
}

// GetExecutor returns how the queue's client reaches the database.
func (d sharing[TTx]) GetExecutor() riverdriver.Executor {
	return fetching{d.Driver.GetExecutor(), d.slots}
}

type fetching struct {
	riverdriver.Executor
	slots *slots
}

// JobSetStateIfRunningMany ends jobs. Of one that another transaction ends while this statement waits for it, River reads the
// state from before, and panics at a job that ended and runs; such jobs need nothing more from River, so they are left out.
func (e fetching) JobSetStateIfRunningMany(ctx context.Context, p *riverdriver.JobSetStateIfRunningManyParams) ([]*rivertype.JobRow, error) {
	list, err := e.Executor.JobSetStateIfRunningMany(ctx, p)
	return slices.DeleteFunc(list, func(j *rivertype.JobRow) bool { return j.State == rivertype.JobStateRunning }), err
}

// JobGetAvailable takes jobs for free slots: from the default queue for those of all sources.
func (e fetching) JobGetAvailable(ctx context.Context, p *riverdriver.JobGetAvailableParams) ([]*rivertype.JobRow, error) {
	if p.Queue != river.QueueDefault {
		return e.Executor.JobGetAvailable(ctx, p)
	}
	waiting, err := e.slots.waiting(ctx, p.MaxToLock)
	if err != nil {
		return nil, err
	}
	granted := e.slots.take(p.MaxToLock, waiting)
	var out []*rivertype.JobRow
	for _, s := range tournament.Sources() {
		if granted[s] == 0 {
			continue
		}
		q := *p
		q.Queue, q.MaxToLock = queueOf(s), granted[s]
		var list []*rivertype.JobRow
		if err == nil {
			list, err = e.Executor.JobGetAvailable(ctx, &q)
		}
		e.slots.give(s, granted[s]-len(list))
		out = append(out, list...)
	}
	if len(out) > 0 {
		return out, nil // these are ours; what failed is asked again at the next look
	}
	return nil, err
}

// waiting counts the jobs that wait in the queue of each source, up to most.
func (q *Queue) waiting(ctx context.Context, most int) (map[tournament.Source]int, error) {
	const waiting = "(SELECT COUNT(*) FROM (SELECT 1 FROM river_job WHERE state = 'available' AND queue = ? LIMIT ?) AS q)"
	var n struct{ Tournament, Ladder, Challenge int }
	err := q.db.SQL(ctx).Raw("SELECT "+waiting+" AS tournament, "+waiting+" AS ladder, "+waiting+" AS challenge",
		river.QueueDefault, most, Ladder, most, Challenge, most).Scan(&n).Error
	return map[tournament.Source]int{
		tournament.SourceTournament: n.Tournament,
		tournament.SourceLadder:     n.Ladder,
		tournament.SourceChallenge:  n.Challenge,
	}, err
}
