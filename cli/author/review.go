package author

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/review/report"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/tournament"
)

func botReviewCommand(g *account.Group) *cobra.Command {
	cmd := g.Command("review MATCH", "Have a match that is over reviewed, and show what its review says", func(ctx context.Context, call *client.Client, args []string) error {
		return account.Ask(ctx, g, call, wire.AskReview, op.ByID(args[0]), func(w io.Writer, r wire.MatchReview) {
			if r.Report != nil {
				tellReview(w, call.Base, r)
				return
			}
			fmt.Fprintf(w, "the review of %s is %s\n", r.MatchID, r.State)
			g.Next("molerun bot review %s in some minutes, which shows it", r.MatchID)
		})
	})
	cmd.Long = "Asks the platform which decisions cost a match, given what each seat knew. A match has one review, which is made in some minutes: the same\n" +
		"command shows it then. Of each seat it names the decisions that certainly cost most, at most three, and what was better."
	return cmd
}

// tellReview writes what a review says of each seat.
func tellReview(w io.Writer, base string, r wire.MatchReview) {
	for _, s := range r.Report.Seats {
		fmt.Fprintln(w, printer.Printable(s.Words()))
		for _, d := range r.Report.Costliest(s) {
			fmt.Fprintln(w, "  "+costWords(base, r.MatchID, d))
		}
	}
}

// costWords says what a decision cost, and where to look at it.
func costWords(base, match string, d report.Decision) string {
	return fmt.Sprintf("%s; %s/matches/%s?step=%d", printer.Printable(d.Cost()), base, match, d.Step)
}

// reviewsLookedAt is how many ladder matches that a bot lost are looked at for a review.
const reviewsLookedAt = 5

// loss says which decision cost a bot the last ladder match that it lost and that is reviewed.
type loss struct {
	Unreviewed string           `json:"unreviewed,omitempty"` // the id of the last that it lost, if nobody has asked for its review
	Match      string           `json:"match,omitempty"`      // the id of the last that is reviewed
	Costliest  *report.Decision `json:"costliest,omitempty"`  // left out if none is certain to have cost anything
}

// lossOf looks through the latest matches of a bot.
func lossOf(ctx context.Context, call *client.Client, bot wire.Bot) (loss, error) {
	var out loss
	var page wire.Page[wire.Match]
	if err := client.Do(ctx, call, wire.ListBotMatches, op.ListOf{One: op.ByID(bot.ID), Paging: op.Paging{Limit: matchesShown}}, &page); err != nil {
		return out, err
	}
	looked := 0
	for _, m := range page.Data {
		if m.LadderID == "" || m.TournamentID != "" || !lost(m, bot.ID) {
			continue
		}
		if looked++; looked > reviewsLookedAt {
			break
		}
		var r wire.MatchReview
		var no *client.Refusal
		switch err := client.Do(ctx, call, wire.GetReview, op.ByID(m.ID), &r); {
		case errors.As(err, &no) && no.Problem.Code == tournament.ErrNotFound.Error():
			if looked == 1 {
				out.Unreviewed = m.ID
			}
		case err != nil:
			return out, err
		case r.Report != nil:
			out.Match, out.Costliest = m.ID, costliestBy(*r.Report, m, bot.ID)
			return out, nil
		}
	}
	return out, nil
}

// costliestBy returns the costliest decision of a bot's seats in a match; nil if none is certain.
func costliestBy(r report.Report, m wire.Match, botID string) *report.Decision {
	for _, s := range r.Seats {
		if list := r.Costliest(s); len(list) > 0 && slices.ContainsFunc(m.Seats, func(x wire.MatchSeat) bool { return x.Seat == int(s.Seat) && x.BotID == botID }) {
			return &list[0]
		}
	}
	return nil
}

// tell writes it, and the command that has a match reviewed.
func (l loss) tell(w io.Writer, g *account.Group, base string) {
	switch {
	case l.Costliest != nil:
		fmt.Fprintf(w, "lost %s: %s\n", l.Match, costWords(base, l.Match, *l.Costliest))
	case l.Match != "":
		fmt.Fprintf(w, "lost %s: no decision is certain to have cost anything\n", l.Match)
	}
	if l.Unreviewed != "" {
		g.Next("molerun bot review %s, the last ladder match that it lost", l.Unreviewed)
	}
}
