package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/riverqueue/river"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/database"
	"github.com/molerun/molerun/tournament/store/queue"
)

// maxEpoch is how often a match is tried. One that ends its worker each time must not do so for ever.
const maxEpoch = 50

// worker plays the matches of the queue.
type worker struct {
	river.WorkerDefaults[store.PlayMatch]
	c        Config
	director *director.Director
	id       string
}

// NextRetry tries a job that could not even be saved again soon: the match's lease decides, not the queue's patience.
func (w *worker) NextRetry(*river.Job[store.PlayMatch]) time.Time {
	return systemNow().Add(2 * time.Second)
}

// Work plays one match from where it stands. The error it returns is the database's; everything else is settled here.
func (w *worker) Work(ctx context.Context, job *river.Job[store.PlayMatch]) error {
	// A claim cut off by a stop might have reached the database: then nobody would know to give it back.
	claiming, cancel := context.WithTimeout(context.WithoutCancel(ctx), parting)
	own := lease{lasts: w.c.Lease}
	own.since(systemNow())
	m, recorded, err := w.director.Claim(claiming, job.Args, w.id, w.c.Lease)
	cancel()
	if errors.Is(err, tournament.ErrState) || errors.Is(err, tournament.ErrNotFound) {
		return nil // somebody has it, or it is over: this job is old
	}
	if err != nil {
		return err
	}
	if f := w.c.Observe.Started; f != nil {
		f(&m)
	}
	log := w.c.Logger.With("match", m.ID, "game", m.Game, "epoch", m.Epoch)
	log.Debug("match begins", "recorded", len(recorded))
	playing, lose := context.WithCancelCause(ctx)
	var wg sync.WaitGroup
	wg.Go(func() { w.renew(playing, lose, &m, &own, log) })
	a := attempt{worker: w, m: &m, job: job, log: log, lease: &own, lose: lose, builds: map[game.Seat]string{}}
	for _, s := range m.Seats {
		a.builds[s.Seat] = s.Build
	}
	a.watch(recorded...)
	outcome, err := a.play(playing, recorded)
	err = a.settle(ctx, outcome, cause(playing, err)) // the lease is kept meanwhile: nobody takes over half-way
	lose(nil)
	wg.Wait()
	return err
}

// cause returns why a match stopped: a lost lease cancels the players with ErrFenced behind it.
func cause(playing context.Context, err error) error {
	if err != nil && playing.Err() != nil {
		return context.Cause(playing)
	}
	return err
}

// renew keeps the lease until ctx ends; if it is lost, the attempt is ended.
func (w *worker) renew(ctx context.Context, lose context.CancelCauseFunc, m *tournament.Match, own *lease, log *slog.Logger) {
	tick := time.NewTicker(w.c.Renew)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		asked := systemNow()
		renewing, cancel := context.WithTimeout(ctx, w.c.Renew) // it may be on a connection that hangs: the next takes another
		err := w.c.Store.Renew(renewing, m.ID, m.Epoch, w.c.Lease)
		cancel()
		if errors.Is(err, tournament.ErrFenced) {
			lose(err)
			return
		}
		if err != nil && ctx.Err() == nil {
			log.Warn("lease was not renewed; will try again", "error", err)
		}
		if err == nil {
			own.since(asked)
		}
	}
}

// attempt is one attempt to play a match.
type attempt struct {
	*worker
	m       *tournament.Match
	job     *river.Job[store.PlayMatch]
	log     *slog.Logger
	lease   *lease
	lose    context.CancelCauseFunc // ends the attempt
	spec    runner.Spec
	players []runner.Player
	builds  map[game.Seat]string // that each bot is expected to be
	changed bool                 // one said another
}

// watch notes whether bots go on as the build that they began as.
func (a *attempt) watch(steps ...runner.Step) {
	for _, s := range steps {
		for _, d := range s.Turns {
			switch expected := a.builds[d.Seat]; {
			case d.Build == "":
			case expected == "":
				a.builds[d.Seat] = d.Build
			case d.Build != expected:
				a.changed = true
			}
		}
	}
}

// play returns the outcome, or why there is none.
func (a *attempt) play(ctx context.Context, recorded []runner.Step) (o runner.Outcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			a.log.Error("match panicked", "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("%w: panic: %v", runner.ErrPlatform, p)
		}
	}()
	if a.m.Epoch > maxEpoch {
		return o, fmt.Errorf("%w: given up after %d attempts", runner.ErrPlatform, maxEpoch)
	}
	engine, ok := a.c.Engines(a.m.Game)
	if !ok {
		return o, fmt.Errorf("%w: no game %q here", runner.ErrPlatform, a.m.Game)
	}
	if v := engine.Info().Version; v != a.m.RulesVersion {
		return o, fmt.Errorf("%w: the match was made for rules %d of %s, this program has %d", runner.ErrPlatform, a.m.RulesVersion, a.m.Game, v)
	}
	a.spec = runner.SpecOf(*a.m, engine, recorded)
	for i := range a.m.Seats {
		p, err := a.c.Players(ctx, a.m, game.Seat(i))
		if errors.Is(err, tournament.ErrBot) || errors.Is(err, tournament.ErrNotFound) {
			return o, fmt.Errorf("%w: seat %d: %s", runner.ErrPlatform, i, tournament.Facts(err, tournament.ErrBot, tournament.ErrNotFound))
		}
		if err != nil {
			return o, fmt.Errorf("seat %d: %w", i, err)
		}
		a.players = append(a.players, leased{Player: p, lease: a.lease, lose: a.lose})
	}
	return runner.Play(ctx, a.spec, a.players, a)
}

// Append implements the runner's log. Decisions once made are saved even while the worker stops: they need not be asked again.
func (a *attempt) Append(ctx context.Context, s runner.Step) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), parting)
	defer cancel()
	if err := refusedIsOurs(a.c.Store.AppendStep(ctx, a.m.ID, a.m.Epoch, s)); err != nil {
		return err
	}
	a.watch(s)
	if f := a.c.Observe.Decided; f != nil {
		for _, d := range s.Turns {
			if d.Asked != nil {
				f(a.m, tournament.Fault(d.Fault), time.Duration(d.Asked.ElapsedUS)*time.Microsecond)
			}
		}
	}
	return nil
}

// refusedIsOurs makes what the database refuses a fault of the platform, which ends the match: to ask the bots again would
// give them their time again, and lead to the same.
func refusedIsOurs(err error) error {
	if database.Refused(err) {
		return fmt.Errorf("%w: the database refused what should be written: %w", runner.ErrPlatform, err)
	}
	return err
}

// settle saves what came of the attempt, then tells players and observer. ctx may have ended: the writing is done all the
// same. Where it fails the match stays as it is until its lease ends.
func (a *attempt) settle(ctx context.Context, o runner.Outcome, err error) error {
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), parting)
	defer cancel()
	complete := func(tx *store.Tx) error {
		if a.changed {
			if err := tx.EmitRedeploys(*a.m); err != nil {
				return err
			}
		}
		queue.Complete(tx.Tx, a.job.ID)
		return nil
	}
	var tell func()
	switch {
	case err == nil:
		err = a.director.Finish(saving, *a.m, o, complete)
		if database.Refused(err) {
			return a.settle(ctx, o, refusedIsOurs(err))
		}
		tell = func() { a.finished(saving, &o) }
	case errors.Is(err, tournament.ErrFenced):
	case errors.Is(err, runner.ErrPlatform):
		reason := tournament.Facts(err, runner.ErrPlatform)
		err = a.director.Void(saving, *a.m, reason, complete)
		tell = func() { a.voided(saving, reason) }
	default:
		if ctx.Err() == nil {
			a.log.Warn("match interrupted", "error", err)
		}
		err = a.director.Release(saving, a.m.ID, a.m.Epoch)
		tell = a.released
	}
	if errors.Is(err, tournament.ErrFenced) {
		a.log.Info("match was taken over or cancelled")
		a.released()
		return nil
	}
	if err == nil {
		tell()
	} else {
		a.released() // or it is saved: whoever has it next sees
	}
	return err
}

func (a *attempt) finished(ctx context.Context, o *runner.Outcome) {
	a.log.Info("match finished", "rank", o.Rank, "steps", o.Steps, "faults", o.Faults, "retired", o.Retired)
	if f := a.c.Observe.Finished; f != nil {
		f(a.m, o)
	}
	runner.Farewell(ctx, a.spec, a.players, o)
}

func (a *attempt) voided(ctx context.Context, reason string) {
	a.log.Error("match is void", "reason", reason)
	if f := a.c.Observe.Voided; f != nil {
		f(a.m, reason)
	}
	runner.Farewell(ctx, a.spec, a.players, nil)
}

func (a *attempt) released() {
	a.log.Debug("match released")
	if f := a.c.Observe.Released; f != nil {
		f(a.m)
	}
}
