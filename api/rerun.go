package api

import (
	"bytes"
	"context"
	"runtime"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// Bounds of what is kept of matches that were played again.
const (
	maxTables    = 256
	maxFiles     = 64
	maxFileBytes = 1 << 20 // a larger file is made anew for every request
)

// reruns plays recorded matches again for those who ask. That can cost seconds of a processor, and anybody may ask: so
// only some are played at once, half the processors being left for everything else, and the last ones are kept.
type reruns struct {
	places chan struct{}
	tables *lru.Cache[moment, *past]
	files  *lru.Cache[string, []byte] // of matches that are open, by id: they never change
}

// moment is a match after some steps. The hash of the last one is of the key, for a match may be queued anew.
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
	files, err := lru.New[string, []byte](maxFiles)
	if err != nil {
		return nil, err
	}
	return &reruns{make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)), tables, files}, nil
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

// tableAt is the match after as many steps as spec has.
func (x *reruns) tableAt(ctx context.Context, spec runner.Spec) (*past, error) {
	key := moment{match: spec.Header.Match, step: len(spec.Recorded)}
	if key.step > 0 {
		key.hash = spec.Recorded[key.step-1].Hash
	}
	if p, kept := x.tables.Get(key); kept {
		return p, nil
	}
	leave, err := x.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	if p, kept := x.tables.Get(key); kept { // somebody played it meanwhile
		return p, nil
	}
	table, _, err := runner.Rerun(spec)
	if err != nil {
		return nil, err
	}
	p := &past{table: table}
	x.tables.Add(key, p)
	return p, nil
}

// file is the record of a match that is open.
func (s *Server) file(ctx context.Context, m tournament.Match) ([]byte, error) {
	x := s.reruns
	if f, kept := x.files.Get(m.ID); kept {
		return f, nil
	}
	leave, err := x.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	if f, kept := x.files.Get(m.ID); kept { // somebody made it meanwhile
		return f, nil
	}
	spec, err := s.spec(ctx, m)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := runner.Write(&b, spec, m.Nonce); err != nil {
		return nil, err
	}
	if b.Len() <= maxFileBytes {
		x.files.Add(m.ID, b.Bytes())
	}
	return b.Bytes(), nil
}
