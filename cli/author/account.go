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
	"strings"

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
