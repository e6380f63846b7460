package account

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/tournament"
)

// Group is what the commands of a group share. They call the platform as the user whom login kept, and print what it answers.
type Group struct {
	command.Console
	JSON   bool // print the answers of the API as they are
	Advice Advice
}

// Advice returns the command to try next after a refusal of some code, of a command that was run with some arguments; "" if it knows none.
type Advice func(code string, cmd *cobra.Command, args []string) string

// ListOf returns the command that lists what a command is about: that of the nearest of its groups that has one, else of bots.
func ListOf(cmd *cobra.Command) string {
	for ; cmd != nil; cmd = cmd.Parent() {
		for _, list := range cmd.Commands() {
			if list.Name() == "list" {
				return list.CommandPath()
			}
		}
	}
	return "molerun bot list"
}

// JSONFlag adds --json.
func (g *Group) JSONFlag(flags *pflag.FlagSet) {
	flags.BoolVar(&g.JSON, "json", false, "print the answer of the API, one JSON object a line")
}

// Command returns a command of the group.
func (g *Group) Command(use, short string, do func(ctx context.Context, call *client.Client, args []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, RunE: func(cmd *cobra.Command, args []string) error {
		call, err := SignedIn()
		if err != nil {
			return err
		}
		return Advise(do(cmd.Context(), call, args), func(code string) string { return g.Advice(code, cmd, args) })
	}}
}

// On returns a command about a thing that its first argument names; of several with that name, one in some state.
func On[T client.Named](g *Group, use, short string, do func(ctx context.Context, call *client.Client, x T, rest []string) error, states ...string) *cobra.Command {
	return Completing(g.Command(use, short, func(ctx context.Context, call *client.Client, args []string) error {
		x, err := client.Find[T](ctx, call, args[0], states...)
		if err != nil {
			return err
		}
		return do(ctx, call, x, args[1:])
	}), Names[T](""))
}

// Advise adds the next command to try to what the platform refused. own goes before the advice that holds for every command.
func Advise(err error, own func(code string) string) error {
	var no *client.Refusal
	var network *url.Error
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &no):
		next := cmp.Or(own(no.Problem.Code), map[string]string{
			"unauthorized":              "molerun login URL --replace, with a live token on stdin",
			"rate_limited":              "wait as long as it says, then try the same again",
			"registration_closed":       "molerun login URL --device, if the platform has a login",
			tournament.ErrScope.Error(): "molerun login URL --replace, with a token on stdin that may do it",
		}[no.Problem.Code])
		if next != "" {
			return fmt.Errorf("%w\nnext: %s", err, next)
		}
	case errors.As(err, &network):
		return fmt.Errorf("%w\nDoes the platform run there? next: molerun login URL --replace", err)
	}
	return err
}

// Tell prints v with --json, else what text writes.
func (g *Group) Tell(v any, text func(io.Writer)) error {
	if g.JSON {
		return json.NewEncoder(g.Out).Encode(v)
	}
	text(g.Out)
	return nil
}

// Say prints v with --json, else a line, in which text of others is made safe for a terminal.
func (g *Group) Say(v any, format string, args ...any) error {
	return g.Tell(v, func(w io.Writer) { fmt.Fprintln(w, printer.Sprintf(format, args...)) })
}

// Next prints the command to try next.
func (g *Group) Next(format string, args ...any) {
	if !g.JSON {
		fmt.Fprintf(g.Err, "next: "+format+"\n", args...)
	}
}

// Ask has the platform carry out an operation, and prints its answer with --json, else what text writes of it.
func Ask[In, Out any](ctx context.Context, g *Group, call *client.Client, o op.Operation[In, Out], in In, text func(io.Writer, Out)) error {
	var out Out
	if err := client.Do(ctx, call, o, in, &out); err != nil {
		return err
	}
	return g.Tell(out, func(w io.Writer) { text(w, out) })
}

// Do is [Ask] for an answer that is a line in words.
func Do[In, Out any](ctx context.Context, g *Group, call *client.Client, o op.Operation[In, Out], in In, words func(Out) string) error {
	return Ask(ctx, g, call, o, in, func(w io.Writer, out Out) { fmt.Fprintln(w, printer.Printable(words(out))) })
}

// Done has the platform carry out an operation that answers nothing, and prints v with --json, else a line, as [Group.Say] does.
func Done[In any](ctx context.Context, g *Group, call *client.Client, o op.Operation[In, op.None], in In, v any, format string, args ...any) error {
	if err := client.Do(ctx, call, o, in, nil); err != nil {
		return err
	}
	return g.Say(v, format, args...)
}

// List prints a list: a row of the table for each, whose cells cells returns, or nil for one that is left out. Where there is none it tells
// the command to begin with.
func List[In, Row any](ctx context.Context, g *Group, call *client.Client, o op.Operation[In, wire.Page[Row]], in In, begin string, t printer.Table, cells func(Row) []any) error {
	err := client.Each(ctx, call, o, in, func(row Row) error {
		line := cells(row)
		switch {
		case line == nil:
			return nil
		case g.JSON:
			return json.NewEncoder(g.Out).Encode(row)
		}
		t.Row(line...)
		return nil
	})
	switch {
	case err != nil || g.JSON:
	case t.Length() == 0:
		g.Next("%s", begin)
	default:
		fmt.Fprintln(g.Out, t.Render())
	}
	return err
}
