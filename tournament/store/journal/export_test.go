package journal

import (
	"context"
	"errors"
	"time"

	"github.com/molerun/molerun/tournament/runner"
)

// At is a step for the journal, or a lease.
type At struct {
	MatchID string
	Epoch   int64
	Step    runner.Step
	Lease   time.Duration // 0: a step
}

// Together writes what has come to share a commit. The error is of all.
func (j *Journal) Together(ctx context.Context, list ...At) ([]error, error) {
	entries := make([]entry, len(list))
	for i, a := range list {
		if a.Lease > 0 {
			entries[i] = entry{matchID: a.MatchID, epoch: a.Epoch, lease: a.Lease}
			continue
		}
		var err error
		if entries[i], err = newEntry(a.MatchID, a.Epoch, a.Step); err != nil {
			return nil, err
		}
	}
	errs, err := j.group.Commit(ctx, entries)
	for i, err := range errs {
		if errors.Is(err, errAlone) {
			errs[i] = j.postgresAlone(ctx, entries[i])
		}
	}
	return errs, err
}
