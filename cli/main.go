package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"syscall"
	_ "time/tzdata" // the zones of schedules, where the machine has none

	"github.com/spf13/cobra"
)

// The exit codes of every command.
const (
	exitOK    = 0
	exitFault = 1 // the command ran and found or met a fault
	exitUsage = 2 // the command line is wrong; nothing was done
)

// exitError ends a command with a code of its own that is no fault; what it means has been told.
type exitError int

// Error names the code.
func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// console is what a command may touch of the world: stdout is data, stderr is progress.
type console struct {
	in       io.Reader
	out, err io.Writer
	open     func(ctx context.Context, path string) error // a file in a browser; nil is the system's
}

// errUsage marks a wrong command line.
var errUsage = errors.New("usage")

// Main runs one command line until it ends, or is asked to by a signal, and returns its exit code.
func Main(args []string, in io.Reader, out, errs io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	return MainContext(ctx, args, in, out, errs)
}

// MainContext is Main that ends with ctx.
func MainContext(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	root := newRoot(console{in: in, out: out, err: errs})
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	cmd, err := root.ExecuteContextC(ctx)
	var own exitError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &own):
		return int(own)
	case errors.Is(err, errUsage):
		fmt.Fprintf(errs, "molerun: %v\nnext: %s --help\n", err, cmd.CommandPath())
		return exitUsage
	default:
		fmt.Fprintf(errs, "molerun: %v\n", err)
		return exitFault
	}
}

func newRoot(c console) *cobra.Command {
	root := &cobra.Command{
		Use:   "molerun",
		Short: "Tournaments of HTTP bots that play five mole games",
		Long: "molerun runs tournaments of bots that are plain HTTP servers, plays every match through an exact rules engine,\n" +
			"rates the bots on Elo ladders and keeps a record of every match that anyone can verify offline.\n\n" +
			"Exit codes: 0 all is well, 1 a fault was met or found, 2 the command line is wrong.",
		Example:       "  molerun demo            watch a whole tournament on this machine\n  molerun rules molehill  the exact rules as a simulator, JSON lines on stdin and stdout",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          usage(cobra.NoArgs),
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return fmt.Errorf("%w: %w", errUsage, err) })
	root.AddCommand(commands(c)...)
	return root
}

// usage marks what an argument check refuses as a wrong command line.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return fmt.Errorf("%w: %w", errUsage, err)
		}
		return nil
	}
}
