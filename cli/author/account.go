package author

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
)

func accountCommand(c command.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use: "account", Short: "Your account at a platform: show, browse, end, rotate, export, delete",
		Long: "Works with the account that molerun login kept.",
	}
	g := &account.Group{Console: c, Advice: advice}
	cmd.AddCommand(accountShowCommand(g), accountBrowseCommand(g), accountEndCommand(g), accountRotateCommand(g), accountExportCommand(g), accountDeleteCommand(g))
	return cmd
}

func accountExportCommand(g *account.Group) *cobra.Command {
	out := "-"
	cmd := calling(g, "export", "What the platform keeps of you, as JSON lines", "  molerun account export --out me.jsonl",
		func(ctx context.Context, call *client.Client, _ []string) error {
			err := command.SaveOr(g.Out, out, command.ForOwner, func(w io.Writer) error { return export(ctx, call, g.Console, w) })
			if err == nil && out != "-" {
				fmt.Fprintf(g.Err, "written to %s\n", out)
			}
			return err
		})
	cmd.Flags().StringVar(&out, "out", out, "a new file that only you can read; - is stdout")
	return cmd
}

// export writes the caller's lines as they come. Without the last one, which counts them, they are not all.
func export(ctx context.Context, call *client.Client, c command.Console, w io.Writer) error {
	seen, exported := &tail{}, printer.New(c, false).Counter("exported", "kB", 1000)
	exported.Add(0)
	err := call.Stream(ctx, wire.ExportMe.Target(op.None{}), io.MultiWriter(w, seen, exported))
	exported.End()
	if err != nil {
		return err
	}
	var end wire.ExportLine
	if json.Unmarshal(seen.last, &end) != nil || end.End == nil || end.End.Lines != seen.lines-1 {
		return errors.New("the export broke off: its last line is missing; try again")
	}
	return nil
}

// maxTail is from how many bytes on no more of a line is kept.
const maxTail = 1 << 16

// tail counts the lines that are written to it, and keeps the last.
type tail struct {
	lines      int
	last, open []byte
}

// Write makes an [io.Writer].
func (t *tail) Write(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		if len(t.open) < maxTail { // a longer line is not the last, which is short
			t.open = append(t.open, line...)
		}
		if bytes.HasSuffix(line, []byte("\n")) {
			t.last, t.open = t.open, t.last[:0]
			t.lines++
		}
	}
	return len(b), nil
}

func accountDeleteCommand(g *account.Group) *cobra.Command {
	name := ""
	cmd := g.Command("delete", "Delete your account, permanently", func(ctx context.Context, call *client.Client, _ []string) error {
		kept, err := account.Read()
		if err != nil {
			return err
		}
		if name == "" {
			if name, err = named(g.Console, kept); err != nil {
				return err
			}
		}
		if err := client.Do(ctx, call, wire.DeleteMe, wire.UserDelete{Name: name}, nil); err != nil {
			return err
		}
		fmt.Fprintf(g.Err, "deleted %s at %s; the names of your bots, their matches and records stay\n", kept.Name, kept.URL)
		return forget()
	})
	cmd.Long = "Deletes the account that molerun login kept, and forgets it. Tokens, webhooks, addresses, secrets and notes go; your bots are retired and\n" +
		"leave their tournaments; your name is free again. The names of your bots, their matches and records stay: they are other people's too.\n" +
		"It asks for the name of the account; --yes gives it where nobody can answer."
	cmd.Flags().StringVar(&name, "yes", "", "the name of the account, which confirms that it is to be deleted")
	return cmd
}

// named asks for the name of the account that is to be deleted.
func named(c command.Console, kept account.Account) (string, error) {
	question := fmt.Sprintf("Delete %s at %s, permanently?", kept.Name, kept.URL)
	if !command.Terminal(c.In) {
		return "", fmt.Errorf("%w: %s Nobody can answer here: add --yes %s", command.ErrUsage, question, kept.Name)
	}
	fmt.Fprintf(c.Err, "%s Type its name: ", question)
	line, err := bufio.NewReader(c.In).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	if line = strings.TrimSpace(line); line == "" {
		return "", fmt.Errorf("%w: nothing was deleted", command.ErrUsage)
	}
	return line, nil
}

// forget removes the account that login kept.
func forget() error {
	file, err := account.File()
	if err != nil {
		return err
	}
	return os.Remove(file)
}

func accountShowCommand(g *account.Group) *cobra.Command {
	cmd := g.Command("show", "Who you are, which logins enter your account, and which browsers are logged in", func(ctx context.Context, call *client.Client, _ []string) error {
		return showAccount(ctx, g, call)
	})
	cmd.Flags().BoolVar(&g.JSON, "json", false, "print the answer of the API, as one JSON object")
	return cmd
}

// showAccount lists the ways into the account beside tokens, which molerun token list has.
func showAccount(ctx context.Context, g *account.Group, call *client.Client) error {
	return account.Ask(ctx, g, call, wire.GetMe, op.None{}, func(w io.Writer, me wire.Me) {
		fmt.Fprintf(w, "%s, %s, since %s\n", me.Name, me.Role, dayOr(&me.CreatedAt, ""))
		rows := printer.NewTable("way in", "", "since", "until", "id")
		for _, l := range me.Logins {
			rows.Row("login", l.Subject+" at "+l.Issuer, dayOr(&l.LinkedAt, ""), "", l.ID)
		}
		for _, s := range me.Sessions {
			rows.Row("browser", "", dayOr(&s.BeganAt, ""), dayOr(&s.ExpiresAt, ""), s.ID)
		}
		if rows.Length() > 0 {
			fmt.Fprintln(w, rows.Render())
		}
		g.Next("molerun token list, for tokens; molerun account end ID, for a login or a browser that is not yours")
	})
}

func accountBrowseCommand(g *account.Group) *cobra.Command {
	lasts := time.Duration(0)
	cmd := calling(g, "browse", "Print a link that logs a browser in as you, once", "  molerun account browse\n  molerun account browse --lasts 24h",
		func(ctx context.Context, call *client.Client, _ []string) error {
			var made wire.LoginLink
			in := wire.MyLoginLink{Body: &wire.LoginLinkCreate{LastsMS: lasts.Milliseconds()}}
			if err := client.Do(ctx, call, wire.CreateMyLoginLink, in, &made); err != nil {
				return err
			}
			fmt.Fprintf(g.Err, "opens %s's account in a browser, once, until %s; whoever has it first comes in\n", made.Name, made.ExpiresAt.Local().Format(time.DateTime))
			_, err := fmt.Fprintln(g.Out, made.URL)
			return err
		})
	cmd.Long = "Prints a link that logs one browser in with the account that molerun login kept, where a platform has no other login, or on another device.\n" +
		"The token must not expire, as that of molerun login --name does not."
	cmd.Flags().DurationVar(&lasts, "lasts", lasts, "how long the link can be used: 1m to 168h (default 15m)")
	return command.Nonzero(cmd, "lasts")
}

func accountEndCommand(g *account.Group) *cobra.Command {
	cmd := calling(g, "end ID", "End a login, or log a browser out", "  molerun account end 3f0c2b5a9d1e4f7", func(ctx context.Context, call *client.Client, args []string) error {
		var me wire.Me
		if err := client.Do(ctx, call, wire.GetMe, op.None{}, &me); err != nil {
			return err
		}
		end := wire.DeleteSession
		if slices.ContainsFunc(me.Logins, func(l wire.Login) bool { return l.ID == args[0] }) {
			end = wire.DeleteLogin
		}
		if err := client.Do(ctx, call, end, wire.KeyOf{ID: args[0]}, nil); err != nil {
			return fmt.Errorf("%w\nnext: molerun account show", err)
		}
		fmt.Fprintf(g.Out, "%s has ended\n", args[0])
		return nil
	})
	cmd.Long = "Ends a login or a session that molerun account show lists. With a login, all browsers are logged out."
	return cmd
}

func accountRotateCommand(g *account.Group) *cobra.Command {
	cmd := g.Command("rotate", "End all other ways into your account, as after a leak", func(ctx context.Context, call *client.Client, _ []string) error {
		kept, err := account.Read()
		if err != nil {
			return err
		}
		kept, err = login(ctx, func(ctx context.Context) (account.Account, error) {
			var made wire.TokenCreated
			err := client.Do(ctx, call, wire.RotateAccount, wire.Rotate{Name: kept.Name}, &made)
			kept.Token = made.Token
			return kept, err
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(g.Err, "%s at %s has one new token, which is kept here; all other tokens, codes, logins and sessions have ended, and webhooks are off\n", kept.Name, kept.URL)
		g.Next("start each molerun connect again; molerun bot versions BOT, for versions that are not yours; a login of yours is linked again with a token that does not expire")
		return nil
	})
	cmd.Long = "Ends all tokens of the account, the one that is kept here too, its recovery codes, logins and sessions, and disables its webhooks. A new token,\n" +
		"which may what the kept one may, takes its place. Bots, their versions and their secrets stay. A molerun connect that runs ends too: start it\n" +
		"again, or its bot fails its next checks."
	return cmd
}
