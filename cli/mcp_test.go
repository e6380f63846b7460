package cli_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/molerun/molerun/cli"
)

// The server speaks lines on stdin and stdout, and ends when its client hangs up or its process has to stop.
func TestMCPAnswersOnStdoutUntilItsClientIsGone(t *testing.T) {
	for _, row := range []struct {
		name string
		end  func(stop context.CancelFunc, in io.Closer)
	}{
		{"the client hangs up", func(_ context.CancelFunc, in io.Closer) { _ = in.Close() }},
		{"the process is told to stop", func(stop context.CancelFunc, _ io.Closer) { stop() }},
	} {
		t.Run(row.name, func(t *testing.T) {
			in, say := io.Pipe()
			hear, out := io.Pipe()
			t.Cleanup(func() { _ = say.Close(); _ = hear.Close() })
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			ended := make(chan int, 1)
			var errs strings.Builder
			go func() { ended <- cli.MainContext(ctx, []string{"mcp"}, in, out, &errs) }()
			lines := bufio.NewScanner(hear)
			lines.Buffer(nil, 1<<20)
			for _, ask := range []struct{ send, part string }{
				{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, `"name":"molerun"`},
				{`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"start_match","arguments":{"game":"molehill"}}}`, "You are seat 0"},
			} {
				if _, err := fmt.Fprintln(say, ask.send); err != nil {
					t.Fatal(err)
				}
				if !lines.Scan() || !strings.Contains(lines.Text(), ask.part) {
					t.Fatalf("answered %.200q (%v), want …%s…", lines.Text(), lines.Err(), ask.part)
				}
				if strings.HasPrefix(ask.part, `"name"`) {
					fmt.Fprintln(say, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
				}
			}
			row.end(stop, say)
			if code := <-ended; code != 0 {
				t.Errorf("exit code %d, %s; want 0", code, &errs)
			}
		})
	}
}

// Whoever types into the server, or whose client sends no messages, reads what was wanted.
func TestMCPSaysWhatItWantsOfStdin(t *testing.T) {
	for _, line := range []string{"hello", "{", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, "[]", `{"jsonrpc":"2.0","id":{},"method":"ping"}`} {
		code, out, errs := call(line+"\n", "mcp", "--out", t.TempDir())
		if code != 1 || out != "" || !strings.Contains(errs, "on stdin: want messages of the Model Context Protocol") || !strings.Contains(errs, "molerun mcp --help") {
			t.Errorf("%s: exit code %d, %s%s; want 1 and what is wanted", line, code, out, errs)
		}
	}
}
