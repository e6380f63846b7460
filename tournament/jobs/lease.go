package jobs

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// lease is how long a worker may take a match for its own. It runs by this process's clock from before the database was asked, so
// it ends no later than the database's: a worker that was frozen knows without asking that another may have gone on.
type lease struct {
	lasts time.Duration
	until atomic.Pointer[time.Time]
}

// since begins the lease again, from when the database was asked for it.
func (l *lease) since(asked time.Time) { l.until.Store(new(asked.Add(l.lasts))) }

func (l *lease) over() bool { return systemNow().After(*l.until.Load()) }

// leased is a player who is asked only while the lease lasts: what another worker has recorded must not be asked again.
type leased struct {
	runner.Player
	lease *lease
	lose  context.CancelCauseFunc // ends the attempt
}

// Ask makes a [runner.Player].
func (p leased) Ask(ctx context.Context, b runner.Briefing, a runner.Ask) runner.Reply {
	if p.lease.over() {
		p.lose(fmt.Errorf("%w: match %s: its lease is over", tournament.ErrFenced, b.Match))
		return runner.Reply{} // nobody reads it: ctx has ended
	}
	return p.Player.Ask(ctx, b, a)
}

// WantsText makes a [runner.Reader].
func (p leased) WantsText() bool {
	r, ok := p.Player.(runner.Reader)
	return ok && r.WantsText()
}
