package api

import (
	"bytes"
	"context"
	"runtime"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/molerun/molerun/api/pages"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// Bounds of what is kept of matches that were played again.
const (
	maxTables    = 256
	maxFilms     = 32
	maxFiles     = 64
	maxFileBytes = 1 << 20 // a larger file is made anew for every request
)

// reruns plays recorded matches again for those who ask. That can cost seconds of a processor, and anybody may ask: so
// only some are played at once, half the processors being left for everything else, and the last ones are kept.
type reruns struct {
	places chan struct{}
	tables *lru.Cache[moment, *past]
	films  *lru.Cache[moment, *pages.Film]
	files  *lru.Cache[string, []byte] // of matches that are open, by id: they never change
}

// moment is a match after some steps. The hash of the last one is of the key, for a match may be queued anew; the film of
// one that is done needs none.
type moment struct {
	match string
	step  int
	hash  [32]byte
}

// past is a table as it stood.
type past struct {
	mu    sync.Mutex // looking uses buffers of the table's own
	table game.Table
}

func newReruns() (*reruns, error) {
	tables, err := lru.New[moment, *past](maxTables)
	if err != nil {
		return nil, err
	}
	films, err := lru.New[moment, *pages.Film](maxFilms)
	if err != nil {
		return nil, err
	}
	files, err := lru.New[string, []byte](maxFiles)
	if err != nil {
		return nil, err
	}
	return &reruns{make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)), tables, films, files}, nil
}

// enter waits for a place to play in until ctx ends.
func (x *reruns) enter(ctx context.Context) (leave func(), err error) {
	select {
	case x.places <- struct{}{}:
		return func() { <-x.places }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// once is what is kept under key, or else what play makes when there is a place for it.
func once[K comparable, V any](ctx context.Context, x *reruns, kept *lru.Cache[K, V], key K, play func() (v V, keep bool, err error)) (V, error) {
	if v, ok := kept.Get(key); ok {
		return v, nil
	}
	leave, err := x.enter(ctx)
	if err != nil {
		return *new(V), err
	}
	defer leave()
	if v, ok := kept.Get(key); ok { // somebody played it meanwhile
		return v, nil
	}
	v, keep, err := play()
	if err == nil && keep {
		kept.Add(key, v)
	}
	return v, err
}

// momentOf is the match after as many steps as spec has.
func momentOf(spec runner.Spec) moment {
	at := moment{match: spec.Header.Match, step: len(spec.Recorded)}
	if at.step > 0 {
		at.hash = spec.Recorded[at.step-1].Hash
	}
	return at
}

// tableAt is the table of a moment.
func (x *reruns) tableAt(ctx context.Context, spec runner.Spec) (*past, error) {
	return once(ctx, x, x.tables, momentOf(spec), func() (*past, bool, error) {
		table, err := runner.Rerun(spec)
		return &past{table: table}, true, err
	})
}

// film is the match up to a moment, for looks at any step; read is called if it is not kept.
func (x *reruns) film(ctx context.Context, at moment, read func() (runner.Spec, error)) (*pages.Film, error) {
	return once(ctx, x, x.films, at, func() (*pages.Film, bool, error) {
		spec, err := read()
		if err != nil {
			return nil, false, err
		}
		f, err := pages.NewFilm(spec)
		return f, true, err
	})
}

// file is the record of a match that is open.
func (s *Server) file(ctx context.Context, m tournament.Match) ([]byte, error) {
	return once(ctx, s.reruns, s.reruns.files, m.ID, func() ([]byte, bool, error) {
		spec, err := s.spec(ctx, m)
		if err != nil {
			return nil, false, err
		}
		var b bytes.Buffer
		err = runner.Write(&b, spec, m.Nonce)
		return b.Bytes(), b.Len() <= maxFileBytes, err
	})
}
