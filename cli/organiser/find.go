package organiser

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
)

// isID reports whether a word has the form of an id.
func isID(word string) bool {
	return len(word) == 36 && strings.Count(word, "-") == 4 && strings.Trim(strings.ToLower(word), "0123456789abcdef-") == ""
}

// named is a thing that people call by its name or its id.
type named interface {
	wire.Tournament | wire.Schedule
}

// labels are the id, the name and the status of a tournament or a schedule.
func labels[T named](thing T) (id, name, status string) {
	switch x := any(thing).(type) {
	case wire.Tournament:
		return x.ID, x.Name, x.Status
	case wire.Schedule:
		return x.ID, x.Name, x.Status
	}
	return "", "", ""
}

// find is the tournament or schedule of a list (a path of the API) with that id or, in any case, that name. Of several, those that
// are not over come first; where more than one is left the ids are told.
func find[T named](ctx context.Context, call *client.Client, list, word string) (T, error) {
	var found T
	if isID(word) {
		return found, call.Get(ctx, list+"/"+url.PathEscape(word), &found)
	}
	var open, over []T
	err := client.Pages(ctx, call, list+"?limit=100", func(x T) error {
		_, name, status := labels(x)
		switch {
		case !strings.EqualFold(name, word):
		case status == "finished" || status == "cancelled":
			over = append(over, x)
		default:
			open = append(open, x)
		}
		return nil
	})
	switch {
	case err != nil:
		return found, err
	case len(open) == 1:
		return open[0], nil
	case len(open) == 0 && len(over) > 0:
		return over[0], nil // the newest
	case len(open) == 0:
		return found, fmt.Errorf("there is no %s %s\nnext: molerun %s list", kindOf(list), protocol.Quote(word), kindOf(list))
	}
	var ids strings.Builder
	for _, x := range open {
		id, _, status := labels(x)
		fmt.Fprintf(&ids, "\n  %s %s", id, status)
	}
	return found, fmt.Errorf("%d %ss are called %s; name one by its id:%s", len(open), kindOf(list), protocol.Quote(word), ids.String())
}

// kindOf is what the list of a path has, in one word.
func kindOf(list string) string { return strings.TrimSuffix(strings.TrimPrefix(list, "/v1/"), "s") }

func findTournament(ctx context.Context, call *client.Client, word string) (wire.Tournament, error) {
	return find[wire.Tournament](ctx, call, "/v1/tournaments", word)
}

func findSchedule(ctx context.Context, call *client.Client, word string) (wire.Schedule, error) {
	return find[wire.Schedule](ctx, call, "/v1/schedules", word)
}

// completionTime is how long a shell waits for names.
const completionTime = 2 * time.Second

// completes has the first argument of a command completed with the names and ids of a list.
func completes[T named](cmd *cobra.Command, list string) *cobra.Command {
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return known[T](cmd.Context(), list, begun), cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

// known are the names of one page of a list that begin so, with their status; ids where nothing but digits is begun. Nobody can be
// told what goes wrong: then there are none.
func known[T named](ctx context.Context, list, begun string) []string {
	call, err := account.SignedIn()
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, completionTime)
	defer cancel()
	var page wire.Page[T]
	if err := call.Get(ctx, list+"?limit=100", &page); err != nil {
		return nil
	}
	var out []string
	for _, x := range page.Data {
		id, name, status := labels(x)
		if strings.HasPrefix(strings.ToLower(name), strings.ToLower(begun)) {
			out = append(out, name+"\t"+status)
		}
		if begun != "" && strings.HasPrefix(id, begun) {
			out = append(out, id+"\t"+name)
		}
	}
	return out
}

// enteredBots are the bots of a tournament, for a shell.
func enteredBots(ctx context.Context, word string) []string {
	call, err := account.SignedIn()
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, completionTime)
	defer cancel()
	t, err := findTournament(ctx, call, word)
	if err != nil {
		return nil
	}
	var page wire.Page[wire.Entry]
	if err := call.Get(ctx, "/v1/tournaments/"+t.ID+"/entries?limit=100", &page); err != nil {
		return nil
	}
	var out []string
	for _, e := range page.Data {
		out = append(out, e.Bot)
	}
	return out
}

func tournamentArg(cmd *cobra.Command) *cobra.Command {
	return completes[wire.Tournament](cmd, "/v1/tournaments")
}

func scheduleArg(cmd *cobra.Command) *cobra.Command {
	return completes[wire.Schedule](cmd, "/v1/schedules")
}
