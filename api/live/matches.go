package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// Limits of the cache.
const (
	maxShows     = 128 // matches as last seen
	maxTables    = 256
	maxFiles     = 64
	maxFileBytes = 1 << 20 // a larger file is made again for every request
)

// Matches replays recorded matches on request, and keeps the latest.
type Matches struct {
	store   *store.Store
	engines Engines
	reruns  *Reruns
	shows   *lru.Cache[string, *show]
	tables  *Kept[Moment, *past]
	files   *Kept[string, []byte] // of open matches, by id: they never change
}

// NewMatches reads from db.
func NewMatches(db *store.Store, engines Engines) (*Matches, error) {
	x := &Matches{store: db, engines: engines, reruns: newReruns()}
	var err error
	if x.shows, err = lru.New[string, *show](maxShows); err != nil {
		return nil, err
	}
	if x.tables, err = NewKept[Moment, *past](x.reruns, maxTables); err != nil {
		return nil, err
	}
	x.files, err = NewKept[string, []byte](x.reruns, maxFiles)
	return x, err
}

// Reruns are the places for replaying; other replays share them.
func (x *Matches) Reruns() *Reruns { return x.reruns }

// engineOf is the engine that plays by the rules of a match.
func (x *Matches) engineOf(m tournament.Match) (game.Engine, error) {
	engine, ok := x.engines.Find(m.Game)
	if !ok || engine.Info().Version != m.RulesVersion {
		return nil, fmt.Errorf("%w: version %d of the rules of %s is not in this program any more: use the release that played it (%s)",
			tournament.ErrState, m.RulesVersion, m.Game, m.Engine)
	}
	return engine, nil
}

// Spec is a match as the runner replays it.
func (x *Matches) Spec(ctx context.Context, m tournament.Match) (runner.Spec, error) {
	engine, err := x.engineOf(m)
	if err != nil {
		return runner.Spec{}, err
	}
	steps, err := x.store.Decisions(ctx, m.ID)
	if err != nil {
		return runner.Spec{}, err
	}
	return runner.SpecOf(m, engine, steps), nil
}

// Moment is a match after some steps. The hash of the last step is part of the key, because a match may be queued again; a
// finished match needs none.
type Moment struct {
	Match string
	Step  int
	Hash  [32]byte
}

// MomentOf is the match after all steps of spec.
func MomentOf(spec runner.Spec) Moment {
	at := Moment{Match: spec.Header.Match, Step: len(spec.Recorded)}
	if at.Step > 0 {
		at.Hash = spec.Recorded[at.Step-1].Hash
	}
	return at
}

// past is a table at an earlier step.
type past struct {
	mu    sync.Mutex // reading uses the table's own buffers
	table game.Table
}

// View is what a seat or a spectator saw after all steps of spec.
func (x *Matches) View(ctx context.Context, spec runner.Spec, seat game.Seat) (wire.MatchView, error) {
	then, err := x.tables.Get(ctx, MomentOf(spec), func() (*past, bool, error) {
		table, err := runner.Rerun(spec)
		return &past{table: table}, true, err
	})
	if err != nil {
		return wire.MatchView{}, err
	}
	return then.view(len(spec.Recorded), seat)
}

func (p *past) view(step int, seat game.Seat) (wire.MatchView, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := wire.MatchView{Step: step, Due: SeatList(p.table.Due()), View: p.table.View(seat)}
	if seat >= 0 {
		out.Seat = new(int(seat))
	}
	var err error
	if out.Text, err = p.table.Describe(seat); errors.Is(err, game.ErrUnsupported) {
		err = nil
	}
	return out, err
}

// File is the record of an open match, which is kept for the next who asks.
func (x *Matches) File(ctx context.Context, m tournament.Match) ([]byte, error) {
	return x.file(ctx, m, maxFileBytes)
}

// FileOfMany is File for an export, which would push everybody else's records out of the cache.
func (x *Matches) FileOfMany(ctx context.Context, m tournament.Match) ([]byte, error) {
	return x.file(ctx, m, 0)
}

// file is the record of an open match; one of at most so many bytes is kept.
func (x *Matches) file(ctx context.Context, m tournament.Match, most int) ([]byte, error) {
	return x.files.Get(ctx, m.ID, func() ([]byte, bool, error) {
		spec, err := x.Spec(ctx, m)
		if err != nil {
			return nil, false, err
		}
		var b bytes.Buffer
		err = runner.Write(&b, spec, m.Nonce)
		return b.Bytes(), b.Len() <= most, err
	})
}
