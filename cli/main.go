package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"slices"
	"syscall"
	_ "time/tzdata" // the zones of schedules, where the machine has none

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/author"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/demo"
	"github.com/molerun/molerun/cli/export"
	"github.com/molerun/molerun/cli/local"
	"github.com/molerun/molerun/cli/organiser"
	"github.com/molerun/molerun/cli/platform"
	"github.com/molerun/molerun/cli/settings"
)

// Main runs one command line until it ends, or is asked to by a signal, and returns its exit code.
func Main(args []string, in io.Reader, out, errs io.Writer) int {
	asked, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	ctx, end := context.WithCancelCause(context.Background())
	context.AfterFunc(asked, func() {
		stop() // before anybody can see the end: a second signal then ends the process at once
		end(context.Cause(asked))
	})
	log.SetOutput(unasked{os.Stderr})
	return MainContext(ctx, args, in, out, errs)
}

// MainContext does what [Main] does, and ends with ctx.
func MainContext(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	secrets := settings.Secrets(args)
	stdout := command.NewDoor(out, secrets...)
	out, errs = stdout, command.NewDoor(errs, secrets...)
	root := newRoot(command.Console{In: in, Out: out, Err: errs})
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	cmd, err := root.ExecuteContextC(ctx)
	own, said := errors.AsType[command.Exit](err) // ExitOK without one
	said = said || err == nil
	if lost := stdout.Lost(); said && lost != nil { // a verdict that nobody could read is none
		err = fmt.Errorf("not all of the output could be written: %w", lost)
	} else if said {
		return int(own)
	}
	f := failure{Event: "error", Error: command.Text(err), ExitCode: command.ExitFault}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		f.Error = "stopped"
	}
	if errors.Is(err, command.ErrUsage) {
		f.ExitCode, f.Next = command.ExitUsage, cmd.CommandPath()+" --help"
	}
	f.tell(errs, slices.Contains(args, "--json"))
	return f.ExitCode
}

// unasked is a log without what net/http tells of bots that send more than their answers.
type unasked struct{ io.Writer }

// Write writes a line.
func (u unasked) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("Unsolicited response received")) {
		return len(line), nil
	}
	return u.Writer.Write(line)
}

// failure is how a command ended that did not do what it was asked for.
type failure struct {
	Event    string `json:"event"`
	Error    string `json:"error"`
	Next     string `json:"next,omitempty"` // a command
	ExitCode int    `json:"exit_code"`
}

// tell writes it as text, or as a line of JSON.
func (f failure) tell(w io.Writer, asJSON bool) {
	if asJSON {
		_ = json.NewEncoder(w).Encode(f) // nobody is left to tell
		return
	}
	fmt.Fprintf(w, "molerun: %s\n", f.Error)
	if f.Next != "" {
		fmt.Fprintf(w, "next: %s\n", f.Next)
	}
}

// Commands returns the tree of all commands, for their documentation; [Main] runs one.
func Commands() *cobra.Command { return newRoot(command.Console{}) }

func newRoot(c command.Console) *cobra.Command {
	root := &cobra.Command{
		Use:   "molerun",
		Short: "Tournaments of HTTP bots that play five mole games",
		Long: "molerun runs tournaments of bots that are plain HTTP servers, plays every match through an exact rules engine, " +
			"rates the bots on Elo ladders and keeps a record of every match that anyone can verify offline.\n\n" +
			"Exit codes: 0 all is well, 1 a fault was met or found, 2 the command line is wrong.",
		Example:       "  molerun demo            # a whole tournament on this machine\n  molerun rules molehill  # the exact rules of a game, as JSON lines",
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(command.FlagError)
	root.SetHelpFunc(help)
	for _, g := range []struct {
		id, title string
		commands  []*cobra.Command
	}{
		{"demo", "See it:", []*cobra.Command{demo.Command(c)}},
		{"author", "Write a bot and enter it:", author.Commands(c)},
		{"local", "On this machine, without a platform:", local.Commands(c)},
		{"organiser", "Run tournaments:", organiser.Commands(c)},
		{"platform", "Run a platform:", platform.Commands(c)},
		{"molerun", "Others:", append(export.Commands(c), versionCommand(c))},
	} {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, cmd := range g.commands {
			cmd.GroupID = g.id
			root.AddCommand(cmd)
		}
	}
	command.Finish(root)
	root.SetHelpCommandGroupID("molerun")
	root.SetCompletionCommandGroupID("molerun")
	return root
}
