package client

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
)

// Named is a thing of the API that people call by its name or its id.
type Named interface {
	wire.Tournament | wire.Schedule | wire.Series | wire.Bot
}

// labels returns the id, the name and the status of a thing; a series has no status.
func labels[T Named](thing T) (string, string, string) {
	switch x := any(thing).(type) {
	case wire.Tournament:
		return x.ID, x.Name, x.Status
	case wire.Schedule:
		return x.ID, x.Name, x.Status
	case wire.Series:
		return x.ID, x.Name, ""
	case wire.Bot:
		return x.ID, x.Name, x.Status
	}
	return "", "", ""
}

// place returns the path of the list that a thing stands in, and what one of it is called.
func place[T Named]() (string, string) {
	var thing T
	switch any(thing).(type) {
	case wire.Tournament:
		return wire.ListTournaments.Path, "tournament"
	case wire.Schedule:
		return wire.ListSchedules.Path, "schedule"
	case wire.Series:
		return wire.ListSeries.Path, "series"
	}
	return wire.ListBots.Path, "bot"
}

// isID reports whether a word has the form of an id.
func isID(word string) bool {
	return len(word) == 36 && strings.Count(word, "-") == 4 && strings.Trim(strings.ToLower(word), "0123456789abcdef-") == ""
}

// Find returns the thing with that id or, in any case, that name. Of several with one name, those that are not over come first, and of these
// the ones in a state that the command is for, if it names any; where more than one is left, the error lists their ids.
func Find[T Named](ctx context.Context, c *Client, word string, states ...string) (T, error) {
	var none T
	path, kind := place[T]()
	if isID(word) {
		return whole[T](ctx, c, word)
	}
	var open, over []T
	query := url.Values{"limit": {"100"}}
	if kind == "tournament" || kind == "bot" { // their lists can be searched: a platform may have many thousands
		query.Set("name", word)
	}
	err := pages(ctx, c, path+"?"+query.Encode(), func(x T) error {
		_, name, status := labels(x)
		switch {
		case !strings.EqualFold(name, word):
		case status == "finished" || status == "cancelled" || status == "retired":
			over = append(over, x)
		default:
			open = append(open, x)
		}
		return nil
	})
	fit := slices.DeleteFunc(slices.Clone(open), func(x T) bool {
		_, _, status := labels(x)
		return !slices.Contains(states, status)
	})
	if len(fit) > 0 {
		open = fit
	}
	switch {
	case err != nil:
		return none, err
	case len(open) == 1:
		id, _, _ := labels(open[0])
		return whole[T](ctx, c, id)
	case len(open) == 0 && len(over) > 0:
		id, _, _ := labels(over[0]) // the newest
		return whole[T](ctx, c, id)
	case len(open) == 0:
		return none, fmt.Errorf("there is no %s %s\nnext: molerun %s list", kind, protocol.Quote(word), kind)
	}
	var list strings.Builder
	for _, x := range open {
		id, _, status := labels(x)
		fmt.Fprintf(&list, "\n  %s %s", id, status)
		if t, ok := any(x).(wire.Tournament); ok {
			list.WriteString(t.StartsAt.Format(", starts 2006-01-02 15:04 MST"))
		}
	}
	id, _, _ := labels(open[0])
	return none, fmt.Errorf("%s is the name of %d:%s\nnext: the same command with an id in place of the name, or molerun %s show %s", protocol.Quote(word), len(open), list.String(), kind, id)
}

// whole returns the thing with an id, with what its list leaves out.
func whole[T Named](ctx context.Context, c *Client, id string) (T, error) {
	path, _ := place[T]()
	path += "/" + url.PathEscape(id)
	var x T
	if _, isBot := any(x).(wire.Bot); isBot {
		var d wire.BotDetail
		err := c.Get(ctx, path, &d)
		return any(d.Bot).(T), err
	}
	err := c.Get(ctx, path, &x)
	return x, err
}

// Begun returns the names of one page of a list that begin so, with their status, for a shell; ids too, once one is begun. query
// narrows the list, as "&owner=me".
func Begun[T Named](ctx context.Context, c *Client, query, begun string) ([]string, error) {
	path, _ := place[T]()
	var page wire.Page[T]
	if err := c.Get(ctx, path+"?limit=100"+query, &page); err != nil {
		return nil, err
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
	return out, nil
}
