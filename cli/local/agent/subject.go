package agent

import (
	"context"
	"io/fs"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/molerun/molerun/bots/agent"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/runner"
)

// callTime is how long a call waits for a turn.
const callTime = 20 * time.Second

// Subject seats a language model in matches that others deal: it asks for its turns by tools, and an action that the rules refuse is a
// fault. It is safe for concurrent use.
type Subject struct {
	turns
	over bool // guarded as the turns are
}

// NewSubject returns a model without matches.
func NewSubject(engines []game.Engine, docs fs.FS) *Subject {
	return &Subject{turns: turns{engines: engines, docs: docs, changed: make(chan struct{})}}
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

// Over reports whether [Subject.End] was called.
func (s *Subject) Over() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.over
}

// Decided returns how many turns the model has decided.
func (s *Subject) Decided() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.decided
}

// Player returns the model in one seat of one match.
func (s *Subject) Player() runner.Player { return seated{turns: &s.turns} }

// Next returns the turn that has waited longest: of a match, or of any where that has none, for it may have ended.
func (s *Subject) Next(ctx context.Context, match string) (*agent.Turn, string, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	for {
		t, changed := s.first(match)
		if t == nil {
			t, changed = s.first("")
		}
		if t != nil {
			return t, "", nil
		}
		if s.Over() {
			return nil, "All matches are over. There is nothing more to do.", nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, "No turn of yours is open yet: call wait.", nil
		}
	}
}
