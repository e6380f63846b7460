package organiser

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/printer"
)

// organisersCommand returns the command that shows and names who organises a thing of a kind.
func organisersCommand[T client.Named](
	o *calls, kind string, get op.Operation[op.One, wire.Organisers], set op.Operation[op.WithID[wire.CoOrganisers], wire.Organisers], idOf func(T) string,
) *cobra.Command {
	var cmd *cobra.Command
	names := []string{}
	cmd = account.On(o.Group, "organisers NAME", "Who organises it; --set names those who may do what you may with it", func(ctx context.Context, call *client.Client, x T, _ []string) error {
		var are wire.Organisers
		err := client.Do(ctx, call, get, op.ByID(idOf(x)), &are)
		if cmd.Flags().Changed("set") {
			var wrong refusals
			err = wrong.answered(client.Do(ctx, call, set, op.BodyByID(idOf(x), wire.CoOrganisers{CoOrganisers: names}), &are), flagOnly("--set"))
		}
		if err != nil {
			return err
		}
		return o.Tell(are, func(w io.Writer) {
			fmt.Fprintf(w, "%s\n", printer.Printable(strings.Join(append([]string{are.Organiser}, are.CoOrganisers...), ", ")))
		})
	})
	cmd.Long = "Shows who organises a " + kind + ", its maker first. With --set those who are named may do all that its maker may, except name others and delete it.\n" +
		"They must be organisers already (molerun admin user promote), and replace those named before; --set \"\" removes all."
	cmd.Example = "  molerun " + kind + " organisers \"Friday Cup\" --set bob,cy"
	cmd.Flags().StringSliceVar(&names, "set", names, "names of organisers")
	return cmd
}

func inviteCommand(o *calls) *cobra.Command {
	lasts := time.Duration(0)
	var cmd *cobra.Command
	cmd = account.On(o.Group, "invite NAME", "Renew the invite code; the old code stops working", func(ctx context.Context, call *client.Client, t wire.Tournament, _ []string) error {
		in := wire.InviteRenew{}
		if cmd.Flags().Changed("lasts") {
			in.ExpiresAt = new(o.now().Add(lasts))
		}
		var wrong refusals
		return wrong.answered(account.Do(ctx, o.Group, call, wire.RenewInvite, op.BodyByID(t.ID, &in), func(x wire.Invite) string {
			return "invite code, shown this once: " + x.InviteCode
		}), flagOnly("--lasts"))
	}, "scheduled", "running")
	cmd.Example = "  molerun tournament invite \"Friday Cup\" --lasts 48h"
	cmd.Flags().DurationVar(&lasts, "lasts", 0, "how long the new code admits (default: as long as registration is open)")
	return cmd
}
