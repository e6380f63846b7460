package process

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/database"
)

// Bounds of one look at a database that may be away, and of the pause before the next.
const (
	lookWait     = 5 * time.Second
	firstPause   = 50 * time.Millisecond
	longestPause = time.Second
)

// errMigrating says that tables are not there yet which another process is making.
var errMigrating = errors.New("another process migrates it")

// Await waits until the database answers, and prepares it; migrate brings its tables up to date first. It reports whether that
// was done before ctx ended. What waiting cannot mend is an error: a refused password, a database that does not exist, tables
// that are behind this program.
func (p *Process) Await(ctx context.Context, migrate bool) (bool, error) {
	reported := ""
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := p.prepare(ctx, migrate)
		if ctx.Err() != nil {
			return false, nil
		}
		if err == nil {
			if reported != "" {
				p.log.Info("the database answers")
			}
			if list, err := p.Store.MigrationStatus(ctx); err == nil {
				if what, next := Ahead(list); what != "" {
					p.log.Warn("a newer program has migrated the database", "reason", what+": "+next)
				}
			}
			p.denyDatabase(ctx) // its names may lead somewhere now
			p.awaited.Store(true)
			return true, nil
		}
		if !database.Away(err) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, errMigrating) {
			return false, err
		}
		because := database.AwayBecause(err)
		if errors.Is(err, errMigrating) {
			because = err.Error()
		}
		if because != reported {
			p.log.Warn("waiting for the database", "reason", because)
			reported = because
		}
		if command.Rest(ctx, pause) != nil {
			return false, nil
		}
	}
}

// prepare makes sure that the database answers, that its tables are those of this program, and that every game has its ladder,
// so that bots can join before anything was played.
func (p *Process) prepare(ctx context.Context, migrate bool) error {
	looking, cancel := context.WithTimeout(ctx, lookWait)
	defer cancel()
	if err := p.Store.Ping(looking); err != nil {
		return err
	}
	if err := p.admitted(looking); err != nil {
		return err
	}
	if _, err := p.Store.Hearing(ctx); err != nil { // which has bounds of its own
		return err
	}
	if migrate {
		if err := p.Store.Migrate(ctx); err != nil {
			return err
		}
	}
	under, err := p.Store.Migrating(ctx) // before the look at what it makes
	if err != nil {
		return err
	}
	if err := Migrated(ctx, p.Store); err != nil && under {
		return errMigrating
	} else if err != nil {
		return err
	}
	if err := p.agree(ctx); err != nil {
		return err
	}
	for _, game := range catalog.All() {
		if _, err := p.Director.EnsureLadder(ctx, game.Info().ID); err != nil {
			return err
		}
	}
	return nil
}

// agree shares which networks are open to bots if this process serves, and refuses to run with others beside one that does: it would void the matches
// of bots that it may not call, and pause them.
func (p *Process) agree(ctx context.Context) error {
	theirs, err := p.Store.Shared(ctx, store.PrivateBots)
	switch {
	case err != nil || theirs == p.private:
		return err
	case p.serves:
		if theirs != "" {
			p.log.Warn("other networks are open to bots than before: start the workers again, and all that serve, with the same setting", "variable", "MOLERUN_ALLOW_PRIVATE_BOTS", "before", theirs, "now", p.private)
		}
		return p.Store.Share(ctx, store.PrivateBots, p.private)
	case theirs != "":
		return fmt.Errorf("%w: MOLERUN_ALLOW_PRIVATE_BOTS, --allow-private-bots: here it opens %s to bots, in the process that serves %s: set it alike, or start serve first if it has changed",
			command.ErrUsage, p.private, theirs)
	}
	return nil
}

// admitted refuses to run with more connections than Postgres admits: matches would fail when they are needed. One more than
// the pool's listens for changes.
func (p *Process) admitted(ctx context.Context) error {
	if p.Store.Pooled() {
		return nil // whose connections those to the database are
	}
	server, err := p.Store.ServerConnections(ctx)
	if own := p.Store.Connections().Max + 1; err == nil && server.Allowed > 0 && own > server.Allowed {
		return fmt.Errorf("%w: the database admits %d connections, and this process would keep %d: set MOLERUN_DATABASE_CONNECTIONS to %d or less, or raise max_connections",
			command.ErrUsage, server.Allowed, own, max(1, server.Allowed-1))
	}
	return err
}
