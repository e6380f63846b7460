package agent

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Lines carries messages as clients that start a server send them: each on a line of its own. What is no message is answered with an error, and
// the next line is read; the library's own transport ends there.
type Lines struct {
	in  *bufio.Scanner
	mu  sync.Mutex // of out
	out io.Writer
	now *bytes.Reader // what is left of the line that is read
}

// NewLines returns lines to be read and written, of at most so many bytes as the library reads.
func NewLines(in io.Reader, out io.Writer) *Lines {
	l := &Lines{in: bufio.NewScanner(in), out: out, now: bytes.NewReader(nil)}
	l.in.Buffer(nil, mcp.DefaultMaxLineLength)
	return l
}

// Connect begins to read.
func (l *Lines) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := (&mcp.IOTransport{Reader: l, Writer: l, MaxLineLength: -1}).Connect(ctx)
	return answering{c, l}, err
}

// Read returns lines of JSON, and answers others.
func (l *Lines) Read(b []byte) (int, error) {
	for l.now.Len() == 0 {
		if !l.in.Scan() {
			if err := l.in.Err(); err != nil {
				return 0, lostLines{fmt.Errorf("on stdin: %w", err)} // a line may be too long
			}
			return 0, io.EOF
		}
		line := bytes.TrimSpace(l.in.Bytes())
		if len(line) == 0 {
			continue
		}
		if json.Valid(line) {
			l.now.Reset(append(line, '\n'))
		} else if err := l.refuse(jsonrpc.CodeParseError, "this is no JSON"); err != nil {
			return 0, lostLines{err}
		}
	}
	return l.now.Read(b)
}

// Write writes whole lines.
func (l *Lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(b)
}

// Close does nothing: the streams are of the process.
func (l *Lines) Close() error { return nil }

// refuse answers what is no message, and so has no id.
func (l *Lines) refuse(code int64, why string) error {
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": jsonrpc.Error{
		Code: code, Message: "want messages of the Model Context Protocol, each a JSON object on a line of its own: " + why,
	}})
	if err == nil {
		_, err = l.Write(append(b, '\n'))
	}
	return err
}

// lostLines says why no more lines can be read or answered.
type lostLines struct{ error }

// answering answers JSON that is no message of the protocol.
type answering struct {
	mcp.Connection
	lines *Lines
}

// Read returns the next message.
func (a answering) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, err := a.Connection.Read(ctx)
		if _, lost := err.(lostLines); err == nil || err == io.EOF || lost || ctx.Err() != nil { //nolint:errorlint // the library hands them on as they are
			return m, err
		}
		if err := a.lines.refuse(jsonrpc.CodeInvalidRequest, err.Error()); err != nil {
			return nil, err
		}
	}
}
