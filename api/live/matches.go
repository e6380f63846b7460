package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// Matches replays recorded matches on request, and keeps the latest.
type Matches struct {
	store   *store.Store
	engines Engines
	replays *ReplaySemaphore
	shows   *FollowerCache[*broadcast]
	files   *ReplayCache[string, []byte] // of open matches, by id: they never change
}

// NewMatches reads from db, within limits.
func NewMatches(db *store.Store, engines Engines, l Limits, now func() time.Time) (*Matches, error) {
	reruns, err := newReplaySemaphore(l, now)
	if err != nil {
		return nil, err
	}
	x := &Matches{store: db, engines: engines, replays: reruns, files: NewReplayCache[string, []byte](reruns)}
	x.shows = NewFollowerCache(x, newBroadcast)
	return x, nil
}

// Replays returns the places for replaying; other replays share them.
func (x *Matches) Replays() *ReplaySemaphore { return x.replays }

// CheckRules refuses a match that was played by rules which are not in this program any more ([tournament.ErrState]).
func (x *Matches) CheckRules(m tournament.Match) error {
	_, err := x.engineOf(m)
	return err
}

// engineOf returns the engine that plays by the rules of a match.
func (x *Matches) engineOf(m tournament.Match) (game.Engine, error) {
	engine, ok := x.engines.Find(m.Game)
	if !ok || engine.Info().Version != m.RulesVersion {
		return nil, fmt.Errorf("%w: version %d of the rules of %s is not in this program any more: use the release that played it (%s)",
			tournament.ErrState, m.RulesVersion, m.Game, m.Engine)
	}
	return engine, nil
}

// File returns the record of an open match, which is kept for the next who asks.
func (x *Matches) File(ctx context.Context, who httpx.Caller, m tournament.Match) ([]byte, error) {
	return x.file(ctx, who, m, true)
}

// FileOfMany works like File for an export, which would evict everybody else's records from the cache. It waits until its caller may have
// more played again.
func (x *Matches) FileOfMany(ctx context.Context, who httpx.Caller, m tournament.Match) ([]byte, error) {
	for {
		file, err := x.file(ctx, who, m, false)
		var wait *httpx.WaitError
		if !errors.As(err, &wait) {
			return file, err
		}
		select {
		case <-time.After(max(wait.Wait, time.Second)):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// file returns the record of an open match. It is read while it is written: only the file is ever held whole.
func (x *Matches) file(ctx context.Context, who httpx.Caller, m tournament.Match, keep bool) ([]byte, error) {
	engine, err := x.engineOf(m)
	if err != nil {
		return nil, err
	}
	return x.files.Get(ctx, who, m.ID, m.Steps, func(ctx context.Context) ([]byte, int, error) {
		var b bytes.Buffer
		err := runner.WriteAsRead(&b, runner.SpecOf(m, engine, nil), m.Nonce, func(each func([]runner.Step) error) error {
			return x.store.StepsAfter(ctx, m.ID, 0, each)
		})
		if !keep {
			return b.Bytes(), DoNotCache, err
		}
		return b.Bytes(), b.Len(), err
	})
}
