package live

import (
	"context"
	"fmt"

	"github.com/molerun/molerun/api/cache"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// Follower is what follows a match step by step, as it is recorded.
type Follower interface {
	Step() int                  // the last step that it has, from 0
	Play(s []runner.Step) error // plays the next steps
	Bytes() int                 // that it takes
}

// FollowerCache keeps a follower of each match that was looked at last: one a match, which grows while the match runs.
type FollowerCache[F Follower] struct {
	matches *Matches
	cache   *cache.Partition[string, *following[F]]
	begin   func(tournament.Match, runner.Spec) (F, error)
}

// following is a follower that one at a time brings up to date.
type following[F Follower] struct {
	turn  chan struct{} // holds a value while somebody does
	begun bool
	f     F
}

// NewFollowerCache follows matches in the places of their replays. begin makes the follower of a match as it was dealt.
func NewFollowerCache[F Follower](x *Matches, begin func(tournament.Match, runner.Spec) (F, error)) *FollowerCache[F] {
	return &FollowerCache[F]{matches: x, cache: cache.NewPartition[string, *following[F]](x.replays.cache), begin: begin}
}

// fewSteps is how many steps are played again without a place, as those who watch a match see it go on.
const fewSteps = 16

// Get shows see the follower of a match with all its steps. Only one at a time sees it.
func (x *FollowerCache[F]) Get(ctx context.Context, who httpx.Caller, m tournament.Match, see func(F) error) error {
	own := x.cache.GetOrPut(m.ID, &following[F]{turn: make(chan struct{}, 1)})
	select {
	case own.turn <- struct{}{}:
		defer func() { <-own.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := x.update(ctx, who, m, own); err != nil {
		return err
	}
	return see(own.f)
}

// update brings a follower up to date.
func (x *FollowerCache[F]) update(ctx context.Context, who httpx.Caller, m tournament.Match, own *following[F]) error {
	have := 0
	if own.begun {
		have = own.f.Step()
	}
	last, err := m.Steps, error(nil)
	if m.Status != tournament.MatchDone {
		last, err = x.matches.store.LastStep(ctx, m.ID)
	}
	if err != nil || own.begun && last <= have {
		return err
	}
	if own.begun && last-have <= fewSteps {
		return x.play(ctx, m, own)
	}
	a, err := x.matches.replays.admit(who, last-have)
	if err != nil {
		return err
	}
	defer a.leave()
	return x.matches.replays.run(ctx, a, func(ctx context.Context) error {
		if !own.begun {
			if err := x.deal(ctx, m, own); err != nil {
				return err
			}
		}
		return x.play(ctx, m, own)
	})
}

// deal makes the follower of a match as it was dealt. m may be from before it began.
func (x *FollowerCache[F]) deal(ctx context.Context, m tournament.Match, own *following[F]) error {
	if m.Engine == "" {
		var err error
		if m, err = x.matches.store.Match(ctx, m.ID); err != nil {
			return err
		}
	}
	engine, err := x.matches.engineOf(m)
	if err != nil {
		return err
	}
	if own.f, err = x.begin(m, runner.SpecOf(m, engine, nil)); err != nil {
		return fmt.Errorf("match %s: %w", m.ID, err)
	}
	return nil
}

// readAhead is how many parts of a record may wait to be played.
const readAhead = 8

// play plays the steps that the follower has not, while they are read.
func (x *FollowerCache[F]) play(ctx context.Context, m tournament.Match, own *following[F]) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop() // after a panic of the rules, too: the reader must not wait for ever
	parts, failed, after := make(chan []runner.Step, readAhead), make(chan error, 1), own.f.Step()
	own.begun = false // until all is played: what stopped half-way is dealt again
	go func() {
		defer close(parts)
		failed <- x.matches.store.StepsAfter(ctx, m.ID, after, func(part []runner.Step) error {
			select {
			case parts <- part:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	for part := range parts {
		if err := own.f.Play(part); err != nil {
			stop()
			<-failed
			return fmt.Errorf("match %s: %w", m.ID, err)
		}
	}
	if err := <-failed; err != nil {
		return err
	}
	own.begun = true
	x.cache.Put(m.ID, own, own.f.Bytes())
	return nil
}
