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

// label is what people call a thing by.
type label struct {
	kind, list       string // what one is called, and the path of their list
	id, name, status string
}

func labelOf[T Named](thing T) label {
	switch x := any(thing).(type) {
	case wire.Tournament:
		return label{"tournament", wire.ListTournaments.Path, x.ID, x.Name, x.Status}
	case wire.Schedule:
		return label{"schedule", wire.ListSchedules.Path, x.ID, x.Name, x.Status}
	case wire.Series:
		return label{"series", wire.ListSeries.Path, x.ID, x.Name, ""}
	case wire.Bot:
		return label{"bot", wire.ListBots.Path, x.ID, x.Name, x.Status}
	}
	return label{}
}

// isID reports whether a word has the form of an id.
func isID(word string) bool {
	return len(word) == 36 && strings.Count(word, "-") == 4 && strings.Trim(strings.ToLower(word), "0123456789abcdef-") == ""
}

// Find returns the thing with that id or, in any case, that name. Of several with one name, those that are not over come first, and of these
// the ones in a state that the command is for, if it names any; where more than one is left, the error lists their ids.
func Find[T Named](ctx context.Context, c *Client, word string, states ...string) (T, error) {
	var none T
	if isID(word) {
		return whole[T](ctx, c, word)
	}
	var open, over []T
	kind, query := labelOf(none).kind, url.Values{}
	if searched[T]() {
		query.Set("name", word)
	}
	err := pages(ctx, c, labelOf(none).list, query, func(x T) error {
		switch l := labelOf(x); {
		case !strings.EqualFold(l.name, word):
		case l.status == "finished" || l.status == "cancelled" || l.status == "retired":
			over = append(over, x)
		default:
			open = append(open, x)
		}
		return nil
	})
	fit := slices.DeleteFunc(slices.Clone(open), func(x T) bool { return !slices.Contains(states, labelOf(x).status) })
	if len(fit) > 0 {
		open = fit
	}
	switch {
	case err != nil:
		return none, err
	case len(open) == 0 && len(over) == 0:
		next := "molerun " + kind + " list"
		if kind == "bot" {
			next += ", for yours; molerun ladder show LADDER, for those of others that play there"
		}
		return none, fmt.Errorf("there is no %s %s\nnext: %s", kind, protocol.Quote(word), next)
	case len(open) < 2:
		return whole[T](ctx, c, labelOf(append(open, over...)[0]).id) // of those that are over, the newest
	}
	var list strings.Builder
	for _, x := range open {
		l := labelOf(x)
		fmt.Fprintf(&list, "\n  %s %s", l.id, l.status)
		if t, ok := any(x).(wire.Tournament); ok {
			list.WriteString(t.StartsAt.Format(", starts 2006-01-02 15:04 MST"))
		}
	}
	return none, fmt.Errorf("%s is the name of %d:%s\nnext: the same command with an id in place of the name, or molerun %s show %s",
		protocol.Quote(word), len(open), list.String(), kind, labelOf(open[0]).id)
}

// whole returns the thing with an id, with what its list leaves out.
func whole[T Named](ctx context.Context, c *Client, id string) (T, error) {
	var x T
	path := labelOf(x).list + "/" + url.PathEscape(strings.ToLower(id))
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
	var none T
	queries := []string{query}
	if searched[T]() && begun != "" {
		queries = append(queries, query+"&name="+url.QueryEscape(begun)) // the newest page may have none of them
	}
	var out []string
	for _, q := range queries {
		var page wire.Page[T]
		if err := c.Get(ctx, labelOf(none).list+"?limit="+rowsAtOnce+q, &page); err != nil {
			return nil, err
		}
		for _, x := range page.Data {
			l := labelOf(x)
			if strings.HasPrefix(strings.ToLower(l.name), strings.ToLower(begun)) {
				out = append(out, l.name+"\t"+l.status)
			}
			if begun != "" && strings.HasPrefix(l.id, begun) {
				out = append(out, l.id+"\t"+l.name)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// searched reports whether the list of a kind can be searched by a part of the name: a platform may have many thousands.
func searched[T Named]() bool {
	var none T
	kind := labelOf(none).kind
	return kind == "tournament" || kind == "bot"
}
