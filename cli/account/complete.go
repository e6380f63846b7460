package account

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/client"
)

// completionTime is how long a shell waits for names.
const completionTime = 2 * time.Second

// Offer gives a shell the words that one argument may be. before are the arguments to its left, begun is what is typed of it.
type Offer func(ctx context.Context, call *client.Client, before []string, begun string) ([]string, error)

// Names offers the names and ids of a list; query narrows it, as "&owner=me".
func Names[T client.Named](query string) Offer {
	return func(ctx context.Context, call *client.Client, _ []string, begun string) ([]string, error) {
		return client.Begun[T](ctx, call, query, begun)
	}
}

// Completing gives a command an offer for each of its arguments; nil offers nothing. A shell shows no errors: where one happens, nothing
// is offered.
func Completing(cmd *cobra.Command, offers ...Offer) *cobra.Command {
	cmd.ValidArgsFunction = func(cmd *cobra.Command, before []string, begun string) ([]string, cobra.ShellCompDirective) {
		var words []string
		call, err := SignedIn()
		if at := len(before); err == nil && at < len(offers) && offers[at] != nil {
			ctx, cancel := context.WithTimeout(cmd.Context(), completionTime)
			defer cancel()
			words, err = offers[at](ctx, call, before, begun)
		}
		if err != nil {
			words = nil
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}
