package local

import (
	"context"
	"errors"
	"fmt"
	"net"
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

const (
	startLimit = 30 * time.Second // until a bot listens
	stopLimit  = 5 * time.Second  // until one that was asked to end is ended
	saidBytes  = 2000             // of what a bot wrote last that are kept
)

// botProcess is a bot that we have started.
type botProcess struct {
	url   string
	end   context.CancelFunc
	ended context.Context // done when it has
	said  lastWords
}

// startBot starts a bot by a command line with further lines of its environment, and waits until it listens on the port in PORT, which
// the system gives. stop it.
func startBot(ctx context.Context, line string, env []string) (*botProcess, error) {
	l, err := command.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := l.Addr().(*net.TCPAddr)
	if err := l.Close(); err != nil {
		return nil, err
	}
	words, err := command.Words("cmd", line)
	if err != nil {
		return nil, err
	}
	ctx, end := context.WithCancel(ctx)
	p := &botProcess{url: command.URL(address) + "/", end: end}
	cmd := program(ctx, words, &p.said, append([]string{fmt.Sprintf("PORT=%d", address.Port)}, env...)...)
	if err := cmd.Start(); err != nil {
		end()
		return nil, fmt.Errorf("%w: --cmd: %w", command.ErrUsage, err)
	}
	var ended context.CancelFunc
	p.ended, ended = context.WithCancel(context.Background())
	go func() {
		defer ended()
		_ = cmd.Wait() // that it has ended says enough
		killGroup(cmd)
	}()
	if err := p.listens(ctx, address.String()); err != nil {
		p.stop()
		return nil, fmt.Errorf("%s, with %s: %w", line, strings.Join(env, " "), err)
	}
	return p, nil
}

// program returns a program of the author's with further lines of its environment. When ctx ends it is asked to end, with all that it has
// started, and after stopLimit it is ended; killGroup ends the others.
func program(ctx context.Context, words []string, said *lastWords, env ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, words[0], words[1:]...) //nolint:gosec // the author's own
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = said, said, stopLimit
	grouped(cmd)
	cmd.Cancel = func() error { return interrupt(cmd) }
	return cmd
}

// listens waits until somebody answers at the address.
func (p *botProcess) listens(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	for {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-p.ended.Done():
			return p.gone()
		case <-ctx.Done():
			return fmt.Errorf("does not listen at %s: does it take its port from PORT? It wrote:\n%s", address, p.said.String())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// gone returns the error of a bot that has ended by itself; nil while it runs.
func (p *botProcess) gone() error {
	if p.ended.Err() == nil {
		return nil
	}
	return errors.New("the bot has ended; it wrote:\n" + p.said.String())
}

// stop ends the bot and waits until it has ended.
func (p *botProcess) stop() {
	p.end()
	<-p.ended.Done()
}

// lastWords keeps the end of what is written. It is safe for concurrent use.
type lastWords struct {
	mu   sync.Mutex
	text []byte
}

// Write never fails.
func (l *lastWords) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, b...)
	l.text = l.text[max(0, len(l.text)-saidBytes):]
	return len(b), nil
}

func (l *lastWords) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}

// mcpVariable names the address of the tools to a program that plays by them.
const mcpVariable = "MOLERUN_MCP"

// startModel runs a program that plays by tools until stop: again and again, as long as it decides something each time. What goes wrong ends
// the evaluation by cancel. stop tells the program that all matches are over, and ends it unless it does so itself.
func startModel(ctx context.Context, words []string, cancel context.CancelCauseFunc) (model *agent.Subject, stop func(), err error) {
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
	ended := make(chan struct{})
	group.Go(func() {
		defer close(ended)
		for ctx.Err() == nil && !model.Over() {
			before, said := model.Decided(), lastWords{}
			cmd := program(ctx, words, &said, mcpVariable+"="+command.URL(l.Addr()))
			err := cmd.Start()
			if err == nil {
				err = cmd.Wait()
				killGroup(cmd)
			}
			if ctx.Err() == nil && !model.Over() && model.Decided() == before {
				cancel(fmt.Errorf("%s has ended without a decision (%w); it wrote:\n%s", command.Line(words), errors.Join(err, errNoDecision), said.String()))
				return
			}
		}
	})
	return model, func() {
		model.End()
		select {
		case <-ended:
		case <-ctx.Done():
		case <-time.After(stopLimit):
		}
		end()
		_ = server.Close() // nobody is left to be answered
		group.Wait()
	}, nil
}

var errNoDecision = errors.New("it finds the tools at the address in " + mcpVariable)
