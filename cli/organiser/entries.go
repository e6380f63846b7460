package organiser

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/printer"
)

// entryState returns what is unusual about an entry, in words.
func entryState(e wire.Entry) string {
	text := ""
	if e.Waiting {
		text += ", waits for a place"
	}
	if e.CheckedInAt != nil {
		text += ", checked in"
	}
	switch {
	case e.LeftOut != "":
		text += ", left out: " + strings.ReplaceAll(e.LeftOut, "_", " ")
	case e.WithdrawnAt != nil:
		text += ", withdrew " + moment(*e.WithdrawnAt)
	case e.State == "paused" || e.State == "greeting" || e.State == "check_in":
		text += ", " + e.Text
	}
	return text
}

func withdrawCommand(o *calls) *cobra.Command {
	return entryArgs(o.command("withdraw NAME BOT", "Take a bot out of a tournament of yours; after the start that is permanent", 2,
		func(ctx context.Context, call *client.Client, args []string) error {
			t, err := findTournament(ctx, call, args[0])
			if err != nil {
				return err
			}
			e, err := entryNamed(ctx, call, t, args[1])
			if err != nil {
				return err
			}
			if err := client.Do(ctx, call, wire.WithdrawEntry, wire.EntryOf{One: op.ByID(t.ID), BotID: e.BotID}, nil); err != nil {
				return err
			}
			return o.tell(e, func(w io.Writer) {
				fmt.Fprintf(w, "%s has left %s\n", printer.Printable(e.Bot), printer.Printable(t.Name))
			})
		}))
}

func checkInCommand(o *calls) *cobra.Command {
	return entryArgs(o.command("checkin NAME BOT", "Check a bot in for its owner, where a tournament of yours asks for it", 2,
		func(ctx context.Context, call *client.Client, args []string) error {
			t, err := findTournament(ctx, call, args[0])
			if err != nil {
				return err
			}
			e, err := entryNamed(ctx, call, t, args[1])
			if err != nil {
				return err
			}
			if err := client.Do(ctx, call, wire.CheckInEntry, wire.EntryOf{One: op.ByID(t.ID), BotID: e.BotID}, &e); err != nil {
				return err
			}
			return o.tell(e, func(w io.Writer) { fmt.Fprintf(w, "%s is checked in\n", printer.Printable(e.Bot)) })
		}))
}
