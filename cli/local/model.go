package local

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/local/agent"
	"github.com/molerun/molerun/docs"
	"github.com/molerun/molerun/engines/catalog"
)

// mcpVariable names the address of the tools to a program that plays by them.
const mcpVariable = "MOLERUN_MCP"

// startModel runs a program that plays by tools until stop: again and again, as long as it decides something each time. What goes wrong ends
// the evaluation by cancel.
func startModel(ctx context.Context, line string, cancel context.CancelCauseFunc) (model *agent.Subject, stop func(), err error) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return nil, nil, fmt.Errorf("%w: --mcp: the command is empty", command.ErrUsage)
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return nil, nil, fmt.Errorf("%w: --mcp: %w", command.ErrUsage, err)
	}
	l, err := command.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	model = agent.NewSubject(catalog.All(), docs.Files())
	server := &http.Server{Handler: model.Handler(command.Program()), ReadHeaderTimeout: time.Minute}
	ctx, end := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			cancel(err)
		}
	})
	group.Go(func() {
		for ctx.Err() == nil {
			before, said := model.Decided(), lastWords{}
			cmd := exec.CommandContext(ctx, words[0], words[1:]...) //nolint:gosec // the author's own program
			cmd.Env = append(os.Environ(), mcpVariable+"="+command.URL(l.Addr()))
			cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &said, &said, stopLimit
			err := cmd.Run()
			if ctx.Err() == nil && model.Decided() == before {
				cancel(fmt.Errorf("%s has ended without a decision (%w); it wrote:\n%s", line, errors.Join(err, errNoDecision), said.String()))
				return
			}
		}
	})
	return model, func() {
		model.End()
		end()
		_ = server.Close() // nobody is left to be answered
		group.Wait()
	}, nil
}

var errNoDecision = errors.New("it finds the tools at the address in " + mcpVariable)
