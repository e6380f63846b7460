package organiser

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/tournament"
)

// watch prints what happens in a tournament from its beginning to its end, then the standings.
func (o *calls) watch(ctx context.Context, call *client.Client, t wire.Tournament, _ []string) error {
	m := matchReader{call: call, tournament: t.ID, known: map[string]wire.Match{}}
	each := func(e wire.Event) (bool, error) {
		last := e.Event == "tournament.finished" || e.Event == "tournament.cancelled"
		if last {
			t.Status = strings.TrimPrefix(e.Event, "tournament.")
		}
		if o.JSON {
			return last, o.Say(e, "")
		}
		words, err := eventWords(ctx, &m, e)
		if err == nil && words != "" {
			fmt.Fprintf(o.Out, "%s  %s\n", e.At.Local().Format("15:04:05"), words)
		}
		return last, err
	}
	in := wire.TournamentEventsQuery{One: op.ByID(t.ID)}
	var err error
	if t.EndedAt != nil {
		err = kept(ctx, call, in, each)
	} else {
		err = call.Follow(ctx, wire.ListTournamentEvents.Target(in), each)
	}
	if err != nil || o.JSON {
		return err
	}
	return o.standings(ctx, call, t, nil)
}

// kept calls each for the events of a tournament that is over: of one that was long ago the platform keeps none, and a stream would wait for its
// end for ever.
func kept(ctx context.Context, call *client.Client, in wire.TournamentEventsQuery, each func(wire.Event) (bool, error)) error {
	for {
		var page wire.Events
		if err := client.Do(ctx, call, wire.ListTournamentEvents, in, &page); err != nil || len(page.Data) == 0 {
			return err
		}
		for _, e := range page.Data {
			if _, err := each(e); err != nil {
				return err
			}
		}
		in.After = page.Last
	}
}

// eventWords returns an event in words; "" for what another one tells. Whose an entry is stands among the entries.
func eventWords(ctx context.Context, matches *matchReader, e wire.Event) (string, error) {
	kind, what, _ := strings.Cut(e.Event, ".")
	what, why := tournament.Spaced(what), printer.Printable(e.Reason)
	switch {
	case e.Event == "tournament.standings" || e.Event == "match.started" || kind == "ladder":
		return "", nil
	case e.Event == "tournament.check_in":
		what = "check-in is open"
	case e.Event == "entry.admitted":
		what = "a bot has a place"
	case e.Event == "entry.left_out":
		what, why = "a bot is left out", tournament.Spaced(why)
	case e.Event == "entry.substituted":
		what = "another bot takes a place"
	case e.Event == "entry.withdrawn":
		what = "an organiser has excluded a bot"
	case kind == "match":
		m, err := matches.read(ctx, e.MatchID)
		if err != nil {
			return "", err
		}
		if e.Event == "match.finished" {
			what = matchText(m)
		} else {
			what = botsText(m) + ": " + what
		}
		what = fmt.Sprintf("round %d: %s", e.Round, what)
	}
	if why != "" {
		what += ": " + why
	}
	return what, nil
}

// matchReader reads the matches of a tournament that are over. It reads those of before as a list: late in a large
// tournament it would ask for each otherwise.
type matchReader struct {
	call       *client.Client
	tournament string
	known      map[string]wire.Match
	listed     bool
}

// read returns a match that is over. One whose result was sealed when it was listed is asked for again.
func (x *matchReader) read(ctx context.Context, id string) (wire.Match, error) {
	if !x.listed {
		x.listed = true
		err := client.Each(ctx, x.call, wire.ListTournamentMatches, wire.TournamentMatchesQuery{One: op.ByID(x.tournament), Status: "done"}, func(m wire.Match) error {
			x.known[m.ID] = m
			return nil
		})
		if err != nil {
			return wire.Match{}, err
		}
	}
	if m, ok := x.known[id]; ok && m.Outcome != nil {
		delete(x.known, id) // it is reported once
		return m, nil
	}
	var m wire.MatchDetail
	err := client.Do(ctx, x.call, wire.GetMatch, op.ByID(id), &m)
	return m.Match, err
}

// botsText returns who sits at a match, by the names at the table where the bots are not open yet.
func botsText(m wire.Match) string {
	var names []string
	for _, s := range m.Seats {
		names = append(names, printer.Printable(cmp.Or(s.Bot, s.Alias)))
	}
	return strings.Join(names, ", ")
}

// matchText returns how a match ended, the best first; that it is over where that is all that is open.
func matchText(m wire.Match) string {
	if m.Outcome == nil {
		return "a match is over"
	}
	var parts []string
	for rank := 1; rank <= len(m.Seats); rank++ {
		for _, s := range m.Seats {
			if s.Seat < len(m.Outcome.Rank) && m.Outcome.Rank[s.Seat] == rank {
				parts = append(parts, fmt.Sprintf("%d. %s", rank, printer.Printable(s.Bot)))
			}
		}
	}
	return strings.Join(parts, ", ")
}
