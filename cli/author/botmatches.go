package author

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/tournament"
)

// matchesShown is how many matches are listed.
const matchesShown = 20

// matches lists what a bot has played last.
func (b *botCalls) matches(ctx context.Context, call *client.Client, args []string) error {
	bot, err := myBot(ctx, call, args[0])
	if err != nil {
		return err
	}
	var page wire.Page[wire.Match]
	if err := client.Do(ctx, call, wire.ListBotMatches, op.ListOf{One: op.ByID(bot.ID), Paging: op.Paging{Limit: matchesShown}}, &page); err != nil {
		return advise(err, bot.Name, "")
	}
	rows := table.NewWriter()
	rows.AppendHeader(table.Row{"match", "game", "ended", "seat", "rank", "faults", "against"})
	for _, m := range page.Data {
		if b.json {
			if err := json.NewEncoder(b.Out).Encode(m); err != nil {
				return err
			}
		}
		rows.AppendRow(matchRow(m, bot.ID))
	}
	switch {
	case b.json:
	case len(page.Data) == 0:
		return b.noMatches(ctx, call, bot)
	default:
		fmt.Fprintln(b.Out, rows.Render())
		at := max(0, slices.IndexFunc(page.Data, func(m wire.Match) bool { return lost(m, bot.ID) }))
		b.next("molerun bot replay %s", page.Data[at].ID)
	}
	return nil
}

// noMatches says of a bot without a match that is over why there is none, as far as its ladders know.
func (b *botCalls) noMatches(ctx context.Context, call *client.Client, bot wire.Bot) error {
	fmt.Fprintln(b.Err, "no match of it is over yet")
	var health wire.BotHealth
	if err := client.Do(ctx, call, wire.GetBotHealth, op.ListOf{One: op.ByID(bot.ID), Paging: op.Paging{Limit: 1}}, &health); err != nil {
		return advise(err, bot.Name, "")
	}
	for _, l := range health.Ladders {
		fmt.Fprintln(b.Err, ladderLine(l))
	}
	switch {
	case bot.Status == string(tournament.BotPaused):
		b.next("molerun bot check %s", bot.Name)
	case len(health.Ladders) == 0:
		b.next("molerun bot join %s GAME", bot.Name)
	}
	return nil
}

// lost reports whether another bot came before this one in a match.
func lost(m wire.Match, botID string) bool {
	at := slices.IndexFunc(m.Seats, func(s wire.MatchSeat) bool { return s.BotID == botID })
	return at >= 0 && m.Outcome != nil && m.Seats[at].Seat < len(m.Outcome.Rank) && m.Outcome.Rank[m.Seats[at].Seat] > 1
}

// matchRow returns how a match went for a bot.
func matchRow(m wire.Match, botID string) table.Row {
	seat, rank, faults, ended := "", "", "", ""
	var against []string
	for _, s := range m.Seats {
		if s.BotID != botID {
			against = append(against, printer.Printable(s.Bot))
			continue
		}
		seat = fmt.Sprint(s.Seat)
		if o := m.Outcome; o != nil && s.Seat < len(o.Rank) && s.Seat < len(o.Faults) {
			rank, faults = fmt.Sprintf("%d of %d", o.Rank[s.Seat], len(o.Rank)), fmt.Sprint(o.Faults[s.Seat])
		}
	}
	if m.EndedAt != nil {
		ended = m.EndedAt.Format(time.DateTime)
	}
	return table.Row{m.ID, m.Game, ended, seat, rank, faults, strings.Join(against, ", ")}
}

// replay saves the record of a match.
func (b *botCalls) replay(ctx context.Context, call *client.Client, args []string) error {
	file := args[0] + ".jsonl.gz"
	if strings.ContainsAny(args[0], `/\`) {
		return fmt.Errorf("%w: %q is not the id of a match", command.ErrUsage, args[0])
	}
	record, err := call.Read(ctx, wire.GetMatchReplay.Target(op.ByID(args[0])))
	if err != nil {
		return advise(err, "", "")
	}
	if err := command.WriteNew(file, record, b.force); err != nil {
		return err
	}
	err = b.tell(struct {
		File string `json:"file"`
	}{file}, func(w io.Writer) { fmt.Fprintln(w, file) })
	b.next("molerun replay show %s", file)
	return err
}
