package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/notify"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store/database"
)

// Journal records steps and renews leases. It is safe for concurrent use.
type Journal struct {
	db    *database.DB
	group database.Group[entry]
}

// entry is a step of a running match at an epoch, or how long its lease is to last from now.
type entry struct {
	matchID string
	epoch   int64
	step    runner.Step
	ahead   []string      // what each of its decisions sent ahead, as JSON; "" if nothing
	lease   time.Duration // 0: it is a step
}

// New returns the journal of a database. Close it before the database.
func New(db *database.DB) *Journal {
	j := &Journal{db: db}
	j.group.Size = 256
	j.group.Limit = 10 * time.Second // whoever waits has given up by then
	j.group.MaxInFlight = 4          // so many hang before nobody records any more
	j.group.Key = entry.key
	j.group.Commit = j.sqliteGroup
	if db.Pool() != nil {
		j.group.Commit = j.postgresGroup
	}
	return j
}

// Close records what is under way, and refuses more.
func (j *Journal) Close() { j.group.Close() }

// AppendStep records a step of a running match, all of its decisions or none. It is [tournament.ErrFenced] if the match is
// no longer this epoch's or has the step already. Any other error that is not the database's refusal leaves open whether the
// step is recorded.
func (j *Journal) AppendStep(ctx context.Context, matchID string, epoch int64, step runner.Step) error {
	e, err := newEntry(matchID, epoch, step)
	if err != nil {
		return err
	}
	if err := j.do(ctx, e); err != nil {
		return err
	}
	j.db.Bus().Publish(notify.Match(matchID))
	return nil
}

// Renew moves the end of a running match's lease to lease from now. It is [tournament.ErrFenced] if the match is no longer this
// epoch's. It shares the commit of the steps: in one beside it, it would keep them from their matches' rows.
func (j *Journal) Renew(ctx context.Context, matchID string, epoch int64, lease time.Duration) error {
	if lease < time.Millisecond {
		return fmt.Errorf("a lease of %v for match %s", lease, matchID)
	}
	return j.do(ctx, entry{matchID: matchID, epoch: epoch, lease: lease})
}

// do writes an entry, with others or by itself.
func (j *Journal) do(ctx context.Context, e entry) error {
	err := j.group.Do(ctx, e)
	if errors.Is(err, errAlone) {
		err = j.postgresAlone(ctx, e)
	}
	return err
}

func newEntry(matchID string, epoch int64, step runner.Step) (entry, error) {
	e := entry{matchID: matchID, epoch: epoch, step: step, ahead: make([]string, len(step.Turns))}
	if len(step.Turns) == 0 {
		return e, fmt.Errorf("step %d of match %s has no decisions", step.Step, matchID)
	}
	for i, d := range step.Turns {
		if len(d.Then) == 0 {
			continue
		}
		b, err := json.Marshal(d.Then)
		if err != nil {
			return e, err
		}
		e.ahead[i] = string(b)
	}
	return e, nil
}

// key returns the same for entries that must not share a commit.
func (e entry) key() string {
	if e.lease > 0 {
		return "lease " + e.matchID
	}
	return e.matchID
}

// fenced returns the error of an entry whose match is not its epoch's, or has the step.
func (e entry) fenced() error {
	return fmt.Errorf("%w: match %s is not at epoch %d any more", tournament.ErrFenced, e.matchID, e.epoch)
}
