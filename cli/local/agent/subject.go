package agent

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/molerun/molerun/bots/agent"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// callTime is how long a call waits for a turn.
const callTime = 20 * time.Second

// Subject seats a language model in matches that others deal: it asks for its turns by tools. It is safe for concurrent use.
type Subject struct {
	engines func(id string) (game.Engine, bool)
	rules   fs.FS // the rules of each game as rules/GAME.md

	mu      sync.Mutex
	open    []*asked      // the oldest first
	changed chan struct{} // closed, and made again, when there is news
	over    bool
	decided int
}

// asked is a turn that waits for the model.
type asked struct {
	agent.Turn
	answer chan protocol.Answer // with room for one
}

// NewSubject returns a model without matches.
func NewSubject(engines func(id string) (game.Engine, bool), rules fs.FS) *Subject {
	return &Subject{engines: engines, rules: rules, changed: make(chan struct{})}
}

// Handler serves the tools, as streamable HTTP without sessions. program is its name, with its version.
func (s *Subject) Handler(program string) http.Handler {
	server := mcp.NewServer(&mcp.Implementation{Name: "molerun", Title: "molerun: five mole games", Version: program}, &mcp.ServerOptions{
		Instructions: agent.Instructions + " Play until wait says that all matches are over.",
	})
	agent.Add(server, s)
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
}

// End tells the model that all matches are over.
func (s *Subject) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	s.tell()
}

// Decided returns how many turns the model has decided.
func (s *Subject) Decided() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.decided
}

// tell wakes up who waits; the caller holds the lock.
func (s *Subject) tell() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// Player returns the model in one seat of one match.
func (s *Subject) Player() runner.Player { return seated{s} }

type seated struct{ *Subject }

// Start does nothing: the model knows all that it needs from a turn.
func (seated) Start(context.Context, runner.Briefing) error { return nil }

// End does nothing.
func (seated) End(context.Context, runner.Briefing, *game.Result, int) {}

// RoundTrip returns 0: what the model takes is all its own.
func (seated) RoundTrip() time.Duration { return 0 }

// WantsText is true.
func (seated) WantsText() bool { return true }

// Ask waits until the model has decided, or its time is over.
func (p seated) Ask(ctx context.Context, br runner.Briefing, a runner.Ask) runner.Reply {
	engine, _ := p.engines(br.Info.ID)
	x := &asked{answer: make(chan protocol.Answer, 1), Turn: agent.Turn{Engine: engine, Left: a.Limit, Turn: protocol.Turn{
		Protocol: protocol.Version, Type: protocol.TypeTurn, Match: br.Match, Game: br.Info.ID, RulesVersion: br.Info.Version, Config: br.Config,
		Seat: br.Seat, Step: a.Step, Decision: a.Decision, Events: a.Events, View: a.View, Offer: a.Offer, Text: a.Text,
		Asks:      protocol.Questions(a.Asks),
		Opponents: make([]protocol.Opponent, len(br.Aliases)-1),
		Clock:     protocol.Clock{LimitMS: br.Clock.Limit.Milliseconds(), BankMS: a.Bank.Milliseconds(), IncrementMS: br.Clock.Increment.Milliseconds()},
	}}}
	began := time.Now()
	p.mu.Lock()
	p.open = append(p.open, x)
	p.tell()
	p.mu.Unlock()
	var reply runner.Reply
	select {
	case a := <-x.answer:
		reply = runner.Reply{Action: a.Action, Say: a.Say, Usage: a.Usage, Belief: a.Belief}
	case <-ctx.Done():
		p.mu.Lock()
		p.open = slices.DeleteFunc(p.open, func(o *asked) bool { return o == x })
		p.mu.Unlock()
		reply = runner.Reply{Fault: tournament.FaultTimeout, Reason: "the model did not act in time"}
	}
	reply.Ledger.Elapsed = time.Since(began)
	return reply
}

// Next returns the turn that has waited longest.
func (s *Subject) Next(ctx context.Context, match string) (*agent.Turn, string, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	for {
		s.mu.Lock()
		i := slices.IndexFunc(s.open, func(x *asked) bool { return match == "" || x.Match == match })
		if i < 0 { // a match may have ended
			i = min(0, len(s.open)-1)
		}
		over, changed := s.over, s.changed
		var turn *agent.Turn
		if i >= 0 {
			turn = &s.open[i].Turn
		}
		s.mu.Unlock()
		switch {
		case turn != nil:
			return turn, "", nil
		case over:
			return nil, "All matches are over. There is nothing more to do.", nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, "No turn of yours is open yet: call wait.", nil
		}
	}
}

// Open returns the turn of a decision that is still asked for.
func (s *Subject) Open(_ context.Context, decision string) (*agent.Turn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.asking(decision)
	if i < 0 {
		return nil, agent.ErrNotOpen
	}
	return &s.open[i].Turn, nil
}

func (s *Subject) asking(decision string) int {
	return slices.IndexFunc(s.open, func(x *asked) bool { return x.Decision == decision })
}

// Play hands a decision to the match, where an action that the rules refuse is a fault.
func (s *Subject) Play(_ context.Context, t *agent.Turn, d agent.Decision) error {
	body, err := d.Answer(t.Decision)
	if err != nil {
		return err
	}
	answer, _, err := protocol.ParseAnswer(body) // as a platform reads it
	if err != nil {
		return fmt.Errorf("%w: %w", agent.ErrRefused, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.asking(t.Decision)
	if i < 0 {
		return agent.ErrNotOpen
	}
	s.open[i].answer <- answer
	s.open = slices.Delete(s.open, i, i+1)
	s.decided++
	return nil
}

// Rules returns the rules of a game.
func (s *Subject) Rules(_ context.Context, id string) (string, error) {
	if _, ok := s.engines(id); !ok {
		return "", fmt.Errorf("%w: there is no game %s", errArg, protocol.Quote(id))
	}
	text, err := fs.ReadFile(s.rules, "rules/"+id+".md")
	return string(text), err
}
