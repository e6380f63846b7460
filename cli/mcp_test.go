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

// The server speaks lines on stdin and stdout, and ends when its client hangs up or its process has to stop. Whoever types into it, or whose
// client sends no messages, reads what was wanted.
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
			go func() {
				ended <- cli.MainContext(ctx, []string{"mcp"}, in, out, &errs)
				_, _ = in.Close(), out.Close()
			}()
			lines := bufio.NewScanner(hear)
			lines.Buffer(nil, 1<<20)
			const noJSON, noMessage = `"code":-32700,"message":"want messages of the Model Context Protocol`, `"code":-32600,"message":"want messages of the Model Context Protocol`
			for _, ask := range []struct{ send, part string }{
				{"hello", noJSON},
				{"{", noJSON},
				{"\n \n\xff", noJSON},
				{"[]", noMessage},
				{`{"jsonrpc":"1.0","id":1,"method":"ping"}`, noMessage},
				{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, noMessage},
				{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, `"name":"molerun"`},
				{`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"start_match","arguments":{"game":"molehill"}}}`, "You are seat 0"},
				{"5", noMessage},
				{`{"jsonrpc":"2.0","id":3,"method":"ping"} `, `"id":3,"result"`},
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
