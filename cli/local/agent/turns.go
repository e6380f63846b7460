package agent

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/molerun/molerun/bots/agent"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/inprocess"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// turns keep what a language model is asked in its matches until it answers by tools. They are safe for concurrent use.
type turns struct {
	engines []game.Engine
	docs    fs.FS                                        // the rules of each game as rules/GAME.md
	check   func(match string, decision game.Turn) error // whether the rules allow a decision; nil: the match finds out

	mu      sync.Mutex
	open    []*asked      // the oldest first
	changed chan struct{} // closed, and made again, when there is news
	decided int
}

// asked holds a turn until the model answers it.
type asked struct {
	agent.Turn
	answer chan runner.Reply // with room for one
}

// tell wakes up who waits; the caller holds the lock.
func (s *turns) tell() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// first returns the turn that has waited longest, of one match unless that is "", and what is closed when there is news.
func (s *turns) first(match string) (*agent.Turn, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.open {
		if match == "" || x.Match == match {
			return &x.Turn, s.changed
		}
	}
	return nil, s.changed
}

// Open returns the turn of a decision that is still asked for.
func (s *turns) Open(_ context.Context, decision string) (*agent.Turn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.asking(decision)
	if i < 0 {
		return nil, agent.ErrNotOpen
	}
	return &s.open[i].Turn, nil
}

func (s *turns) asking(decision string) int {
	return slices.IndexFunc(s.open, func(x *asked) bool { return x.Decision == decision })
}

// Play hands a decision to the match.
func (s *turns) Play(_ context.Context, t *agent.Turn, d agent.Decision) error {
	body, err := d.Answer(t.Decision)
	if err != nil {
		return err
	}
	a, notes, err := protocol.ParseAnswer(body) // as a platform reads it
	if err != nil {
		return fmt.Errorf("%w: %w", agent.ErrRefused, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.asking(t.Decision)
	if i < 0 {
		return agent.ErrNotOpen
	}
	if s.check != nil {
		if err := s.check(t.Match, d.Turn); err != nil {
			return fmt.Errorf("%w: %w", agent.ErrRefused, err)
		}
	}
	s.open[i].answer <- runner.Reply{Action: a.Action, Say: a.Say, Usage: a.Usage, Belief: a.Belief, Note: strings.Join(notes, "; ")}
	s.open = slices.Delete(s.open, i, i+1)
	s.decided++
	return nil
}

// Rules returns the rules of a game.
func (s *turns) Rules(_ context.Context, id string) (string, error) {
	return agent.Rules(s.engines, s.docs, id)
}

// seated plays one seat of one match as the model decides.
type seated struct {
	inprocess.Quiet
	*turns
	match string // its name here; "": its own
}

// WantsText reports true: a model reads words.
func (seated) WantsText() bool { return true }

// Ask waits until the model has decided, or its time is over.
func (p seated) Ask(ctx context.Context, br runner.Briefing, a runner.Ask) runner.Reply {
	engine, err := agent.Find(p.engines, br.Info.ID)
	if err != nil {
		return runner.Reply{Fault: tournament.FaultPlatform, Reason: err.Error()}
	}
	if p.match != "" { // the runner's names follow from the seed: two matches may share them
		br.Match, a.Decision, a.Limit = p.match, fmt.Sprintf("%s.%d", p.match, a.Step), 0
	}
	x := &asked{answer: make(chan runner.Reply, 1), Turn: agent.Turn{Engine: engine, Left: a.Limit, Turn: inprocess.Turn(br, a)}}
	began := time.Now()
	p.mu.Lock()
	p.open = append(p.open, x)
	p.tell()
	p.mu.Unlock()
	var reply runner.Reply
	select {
	case reply = <-x.answer:
	case <-ctx.Done():
		p.mu.Lock()
		p.open = slices.DeleteFunc(p.open, func(o *asked) bool { return o == x })
		p.mu.Unlock()
		reply = runner.Reply{Fault: tournament.FaultTimeout, Reason: "the model did not act in time"}
	}
	reply.Ledger.Elapsed = time.Since(began)
	return reply
}
