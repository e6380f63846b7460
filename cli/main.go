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

	"github.com/molerun/molerun/cli/author"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/demo"
	"github.com/molerun/molerun/cli/local"
	"github.com/molerun/molerun/cli/organiser"
	"github.com/molerun/molerun/cli/platform"
)

// Main runs one command line until it ends, or is asked to by a signal, and returns its exit code.
func Main(args []string, in io.Reader, out, errs io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	return MainContext(ctx, args, in, out, errs)
}

// MainContext is Main that ends with ctx.
func MainContext(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	root := newRoot(command.Console{In: in, Out: out, Err: errs})
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	cmd, err := root.ExecuteContextC(ctx)
	var own command.Exit
	switch {
	case err == nil:
		return command.ExitOK
	case errors.As(err, &own):
		return int(own)
	case errors.Is(err, command.ErrUsage):
		fmt.Fprintf(errs, "molerun: %v\nnext: %s --help\n", err, cmd.CommandPath())
		return command.ExitUsage
	default:
		fmt.Fprintf(errs, "molerun: %v\n", err)
		return command.ExitFault
	}
}

func newRoot(c command.Console) *cobra.Command {
	root := &cobra.Command{
		Use:   "molerun",
		Short: "Tournaments of HTTP bots that play five mole games",
		Long: "molerun runs tournaments of bots that are plain HTTP servers, plays every match through an exact rules engine,\n" +
			"rates the bots on Elo ladders and keeps a record of every match that anyone can verify offline.\n\n" +
			"Exit codes: 0 all is well, 1 a fault was met or found, 2 the command line is wrong.",
		Example:       "  molerun demo            watch a whole tournament on this machine\n  molerun rules molehill  the exact rules as a simulator, JSON lines on stdin and stdout",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          command.Usage(cobra.NoArgs),
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return fmt.Errorf("%w: %w", command.ErrUsage, err) })
	root.AddCommand(platform.Commands(c)...)
	root.AddCommand(author.Commands(c)...)
	root.AddCommand(organiser.Commands(c)...)
	root.AddCommand(local.Commands(c)...)
	root.AddCommand(demo.Command(c), versionCommand(c))
	return root
}
