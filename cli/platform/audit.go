package platform

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/database"
)

// noted returns the audit line of a command that changed a user.
func noted(ctx context.Context, db *store.Store, operation string, u tournament.User) error {
	return db.Note(ctx, tournament.AuditLine{
		Via:       tournament.ViaCommand,
		Operation: operation,
		Kind:      "users",
		SubjectID: u.ID,
		Outcome:   tournament.AuditDone,
	})
}

func adminAuditCommand(c command.Console) *cobra.Command {
	var f tournament.AuditFilter
	name, limit, asJSON := "", store.DefaultPage, false
	cmd := onStore(&cobra.Command{
		Use:   "audit",
		Short: "Who did what to what, the newest first",
		Long: "Every request that changed something, every one that its caller was not allowed to make, and what commands did on the database.\n" +
			"Lines are only ever added: the database refuses to change or remove them.",
		Example: "  molerun admin audit --user ada\n  molerun admin audit --subject 01890000-0000-7000-8000-000000000000 --json",
	}, func(ctx context.Context, db *store.Store, _ []string) error {
		return audit(ctx, c, db, name, f, limit, asJSON)
	})
	cmd.Flags().StringVar(&name, "user", "", "only what this user did, by name or id; of a deleted user by id")
	cmd.Flags().StringVar(&f.SubjectID, "subject", "", "only what was done to the thing of this id")
	command.SpanFlags(cmd.Flags(), "only what was done", &f.Since, &f.Until)
	cmd.Flags().IntVar(&limit, "limit", limit, "lines, at most")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return checked(cmd, func() error {
		if limit < 1 {
			return fmt.Errorf("%w: --limit: want 1 or more, got %d", command.ErrUsage, limit)
		}
		return command.CheckSpan(f.Since, f.Until)
	})
}

func audit(ctx context.Context, c command.Console, db *store.Store, name string, f tournament.AuditFilter, limit int, asJSON bool) error {
	if httpx.IsUUID(name) {
		f.UserID = name
	} else if name != "" {
		u, err := db.UserNamed(ctx, name)
		if err != nil {
			return fmt.Errorf("%w\nnext: molerun admin user list", err)
		}
		f.UserID = u.ID
	}
	var list []tournament.AuditLine
	at := ""
	for len(list) < limit && (at != "" || list == nil) {
		page, next, err := db.AuditLines(ctx, f, database.Page{After: at, Limit: min(limit-len(list), store.MaxPage), Sort: database.Newest})
		if err != nil {
			return err
		}
		if list, at = append(list, page...), next; len(page) == 0 {
			break
		}
	}
	if at != "" {
		fmt.Fprintf(c.Err, "older lines are left out\nnext: the same with --limit %d\n", 10*limit)
	}
	names := map[string]string{}
	rows := printer.NewTable("at", "by", "operation", "subject", "outcome")
	for _, l := range list {
		if asJSON {
			if err := json.NewEncoder(c.Out).Encode(wire.AuditLine(l)); err != nil {
				return err
			}
			continue
		}
		by, known := names[l.UserID]
		if !known && l.UserID != "" {
			u, err := db.User(ctx, l.UserID)
			if err != nil {
				return err
			}
			by = u.Name
			names[l.UserID] = by
		}
		if l.Via == tournament.ViaCommand {
			by = "(command)"
		}
		rows.Row(l.At.Format(time.DateTime), by, l.Operation, l.Kind+" "+l.SubjectID, l.Outcome)
	}
	if asJSON {
		return nil
	}
	_, err := fmt.Fprintln(c.Out, rows.Render())
	return err
}
