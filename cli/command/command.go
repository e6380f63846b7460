package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// The exit codes that all commands share.
const (
	ExitOK    = 0
	ExitFault = 1 // the command ran and found or met a fault
	ExitUsage = 2 // the command line is wrong; nothing was done
)

// Exit ends a command with an exit code of its own that is no fault; the command has said what it means.
type Exit int

// Error names the code.
func (e Exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// Console is what a command may touch of the world: Out is data, Err is progress.
type Console struct {
	In   io.Reader
	Out  io.Writer
	Err  io.Writer
	Open func(ctx context.Context, path string) error // a file in a browser; nil is the system's
}

// ErrUsage marks a wrong command line: nothing was done, and the exit code is [ExitUsage].
var ErrUsage = errors.New("usage")

// Text returns an error in words for people: without the mark of [ErrUsage] before any of its lines.
func Text(err error) string {
	mark := ErrUsage.Error() + ": "
	return strings.ReplaceAll(strings.TrimPrefix(err.Error(), mark), "\n"+mark, "\n")
}

// Rest waits so long, or until ctx ends, whose error it then returns.
func Rest(ctx context.Context, long time.Duration) error {
	select {
	case <-time.After(long):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Terminal reports whether a stream is a terminal: what is written to it may be drawn over, and somebody can answer.
func Terminal(stream any) bool {
	if w, is := stream.(io.Writer); is {
		stream = behind(w)
	}
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// Coloured reports whether what is written to w may have colours.
func Coloured(w io.Writer) bool { return Terminal(w) && os.Getenv("NO_COLOR") == "" }
