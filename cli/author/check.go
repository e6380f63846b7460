package author

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/author/check"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/cli/settings"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
)

func checkCommand(c command.Console) *cobra.Command {
	secret, games, public, asJSON, limit := "", []string{}, false, false, tournament.DefaultClock().Limit
	cmd := &cobra.Command{
		Use: "check URL", Short: "Check that your bot is correct, and say what to do next",
		Long: "Asks the bot everything that a platform might. It says hello, sends good and bad signatures, junk and large messages, repeats a\n" +
			"decision, asks for many at once, plays a whole match of every game that the bot names against the house's random, asks there\n" +
			"what it believes of hidden things, asks for every kind of decision in every variant, and measures how fast the answers come.\n\n" +
			"One line a finding: ✓ right, ! advice, ✗ a fault, and under it what to do next.\n\n" +
			"Messages are signed with --secret or MOLERUN_SECRET.\n" +
			"You need no account and no database. Bots on other machines need --allow-public.\n\n" +
			"Exit codes: 0 no fault (advice is none), 1 faults, 2 the command line is wrong.",
		Example: "  molerun check http://127.0.0.1:8000\n  MOLERUN_SECRET=whsec_… molerun check https://bot.example.org/ --allow-public --games molehill,demol --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := command.Given(cmd, "games"); err != nil {
				return err
			}
			clock := tournament.DefaultClock()
			clock.Limit = limit
			if err := tournament.SourceTournament.Bounds().Check(clock, tournament.DefaultFaultLimits()); err != nil {
				return fmt.Errorf("%w: %s", command.ErrUsage, strings.ReplaceAll(err.Error(), "/clock/limit_ms", "--limit"))
			}
			url, err := command.BotAddress(args[0], public)
			if err != nil {
				return err
			}
			guard := httpbot.Loopback()
			guard.OnlyPrivate = !public
			o := check.Options{URL: url, Games: catalog.All(), Only: games, Guard: guard, Now: time.Now, Random: rand.Reader, Limit: limit}
			for _, id := range games {
				if _, err := command.Game(id); err != nil {
					return err
				}
			}
			s, err := settings.Secret(secret)
			if err != nil {
				return err
			}
			if s != "" {
				o.Secrets = []string{s}
			}
			found := printer.New(c, asJSON).Counter("checked", "findings", 1)
			found.Add(0)
			report, err := check.Run(cmd.Context(), o, func(f check.Finding) {
				if !asJSON {
					found.End()
					printFinding(c.Out, f)
				}
				found.Add(1)
			})
			found.End()
			if errors.Is(err, tournament.ErrBot) || errors.Is(err, protocol.ErrSecret) {
				return fmt.Errorf("%w: %w", command.ErrUsage, err)
			}
			if err != nil {
				return err
			}
			return checked(c, url, report, asJSON)
		},
	}
	cmd.Flags().StringVar(&secret, "secret", secret, "the bot's secret, whsec_…; first before MOLERUN_SECRET")
	cmd.Flags().StringSliceVar(&games, "games", games, "ids of the games to play; without it all that the bot names")
	cmd.Flags().DurationVar(&limit, "limit", limit, "free time for each decision, as an organiser may give it")
	cmd.Flags().BoolVar(&public, "allow-public", public, "call a bot that is not on this machine, at a public address")
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "print one JSON object: url, ok, faults, advice, bot, findings")
	return cmd
}

// printFinding writes a finding for people.
func printFinding(w io.Writer, f check.Finding) {
	mark := map[check.Level]string{check.OK: "✓", check.Advice: "!", check.Fault: "✗"}[f.Level]
	where := ""
	if f.Where != "" {
		where = f.Where + ": "
	}
	fmt.Fprintf(w, "%s %-13s %s%s\n", mark, f.What, where, f.Detail)
	if f.Next != "" {
		fmt.Fprintf(w, "  next: %s\n", f.Next)
	}
}

// checkDone holds what check prints with --json.
type checkDone struct {
	URL      string          `json:"url"`
	OK       bool            `json:"ok"`
	Faults   int             `json:"faults"`
	Advice   int             `json:"advice"`
	Bot      checkedBot      `json:"bot"`
	Findings []check.Finding `json:"findings"`
}

// checkedBot is what the bot says of itself; empty if it said nothing.
type checkedBot struct {
	Name   string   `json:"name"`
	Author string   `json:"author"`
	Build  string   `json:"build"`
	Games  []string `json:"games"`
	Text   bool     `json:"text"`
}

func checked(c command.Console, url string, r check.Report, asJSON bool) error {
	faults, advice := r.Count(check.Fault), r.Count(check.Advice)
	if asJSON {
		done := checkDone{
			URL:    url,
			OK:     faults == 0,
			Faults: faults,
			Advice: advice,
			Bot: checkedBot{
				Name:   r.Card.Name,
				Author: r.Card.Author,
				Build:  r.Card.Build,
				Games:  append([]string{}, r.Card.Games...),
				Text:   r.Card.Text,
			},
			Findings: r.Findings,
		}
		if err := json.NewEncoder(c.Out).Encode(done); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(c.Out, "right: %d, advice: %d, faults: %d\n", r.Count(check.OK), advice, faults)
	}
	if faults > 0 {
		return errors.New("the bot has faults: mend the first one, then run this check again")
	}
	if !asJSON {
		played := slices.DeleteFunc(r.Findings, func(f check.Finding) bool { return !slices.Contains(command.GameIDs(), f.What) })
		id := played[0].What
		if slices.ContainsFunc(played, func(f check.Finding) bool { return f.What == "molehill" }) {
			id = "molehill"
		}
		fmt.Fprintf(c.Err, "next: molerun play %s %s greedy\n", id, command.QuotedBot(url))
	}
	return nil
}
