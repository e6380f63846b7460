package organiser

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

func (o *calls) standings(ctx context.Context, call *client.Client, t wire.Tournament, _ []string) error {
	rows := printer.NewTable("#>", "bot", "points>", "played>", "won>", "drawn>", "lost>", "byes>", "forfeits>", "faults>", "tie-breaks", "note")
	var trial *tournament.Trial
	err := account.List(ctx, o.Group, call, wire.ListTournamentStandings, op.ListByID(t.ID), instead(t), rows, func(s tournament.Standing) []any {
		if s.Trial != nil {
			trial = s.Trial
		}
		var ties []string
		for _, v := range s.Ties {
			if v.By != "points" && v.By != "stage" { // which the rank says
				ties = append(ties, fmt.Sprintf("%s %.4g", tournament.Spaced(v.By), v.Value))
			}
		}
		return []any{s.Rank, s.Bot, fmt.Sprintf("%.4g", s.Points), s.Played, s.Wins, s.Draws, s.Losses, s.Byes, s.Forfeits, s.Faults, strings.Join(ties, ", "), s.Remark()}
	})
	if err == nil && !o.JSON && trial != nil {
		tellTrial(o.Out, *trial)
	}
	return err
}

// tellTrial prints where a sequential test stands.
func tellTrial(w io.Writer, x tournament.Trial) {
	fmt.Fprintf(w, "%s after %s: the first is %s Elo stronger; LLR %s between %.2f (H0: no stronger by %g) and %.2f (H1: stronger than %g)\n",
		x.Verdict, game.Plural(x.Pairs, "pair"), tournament.Interval("%.1f", x.Elo, x.Low, x.High), tournament.Number("%.2f", x.LLR), x.Lower, x.Elo1, x.Upper, x.Elo0)
}
