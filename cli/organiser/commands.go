package organiser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/tournament"
)

// Commands returns the commands of this room.
func Commands(c command.Console) []*cobra.Command {
	return []*cobra.Command{tournamentCommand(c), scheduleCommand(c), seriesCommand(c), ladderCommand(c)}
}

// calls are the calls of the commands of one group.
type calls struct {
	command.Console
	json bool
	now  func() time.Time
}

// group returns a command that only holds others.
func group(c command.Console, use, short, long string) (*cobra.Command, *calls) {
	o := &calls{Console: c, now: time.Now}
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Long:  long,
		Args:  command.Args(0, 0),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().BoolVar(&o.json, "json", false, "print the answer of the API, one JSON object a line")
	return cmd, o
}

// doing is what a command does, as who is logged in.
type doing func(ctx context.Context, call *client.Client, args []string) error

// command returns one that takes so many arguments.
func (o *calls) command(use, short string, args int, do doing) *cobra.Command {
	return &cobra.Command{
		Use:   use,
		Short: short,
		Args:  command.Args(args, args),
		RunE: func(cmd *cobra.Command, args []string) error {
			call, err := account.SignedIn()
			if err != nil {
				return err
			}
			return advise(do(cmd.Context(), call, args))
		},
	}
}

// tell prints v with --json, else what text writes.
func (o *calls) tell(v any, text func(io.Writer)) error {
	if o.json {
		return json.NewEncoder(o.Out).Encode(v)
	}
	text(o.Out)
	return nil
}

// next tells the command to try next.
func (o *calls) next(format string, args ...any) {
	if !o.json {
		fmt.Fprintf(o.Err, "next: "+format+"\n", args...)
	}
}

// advise adds the next command to try to what the platform refused.
func advise(err error) error {
	var no *client.Refusal
	var network *url.Error
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &network):
		return fmt.Errorf("%w\nDoes the platform run there? next: molerun login URL --replace", err)
	case !errors.As(err, &no):
		return err
	}
	next := map[string]string{
		"unauthorized":                 "molerun login URL --replace, with a live token on stdin",
		tournament.ErrRole.Error():     "ask whoever runs the platform: molerun admin user promote NAME",
		tournament.ErrNotYours.Error(): "molerun tournament list --mine",
		tournament.ErrNotFound.Error(): "molerun tournament list",
		tournament.ErrState.Error():    "molerun tournament show NAME",
		tournament.ErrLimit.Error():    "molerun tournament list --mine, and cancel what is not needed",
		"rate_limited":                 "wait as long as it says, then try the same again",
	}[no.Problem.Code]
	if next == "" {
		return err
	}
	return fmt.Errorf("%w\nnext: %s", err, next)
}
