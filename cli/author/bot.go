package author

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/cli/settings"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
)

func botCommand(c command.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use: "bot", Short: "Your bots at a platform: create, list, show, check, pause, versions, enter, checkin, withdraw, join, leave, challenge",
		Long: "Works with the account that molerun login kept. A BOT is the name or the id of a bot of yours.",
	}
	g := &account.Group{Console: c, Advice: advice}
	g.JSONFlag(cmd.PersistentFlags())
	cmd.AddCommand(
		botCreateCommand(g),
		botListCommand(g),
		onBot(g, "show BOT", "A bot, its active version and its last checks", "", showBot(g)),
		onBot(g, "check BOT", "Have the platform check the bot now: if it fails, it is paused; if it passes, a pause by its checks ends", "", greet(g, "check", wire.CheckBot)),
		botPauseCommand(g),
		onBot(g, "resume BOT", "Check a paused bot, and let it play again if it answers", "", greet(g, "resume", wire.ResumeBot)),
		onBot(g, "matches BOT", "The latest matches of a bot, with rank and faults", "", botMatches(g)),
		botReplayCommand(g),
		botReviewCommand(g),
		botVersionsCommand(g),
		botReleaseCommand(g),
		botPromoteCommand(g),
		botEnterCommand(g),
		botJoinCommand(g),
		botCheckInCommand(g),
		botWithdrawCommand(g),
		botLeaveCommand(g),
		botChallengeCommand(g),
		botRematchCommand(g),
		botTakesCommand(g),
	)
	return cmd
}

func botCreateCommand(g *account.Group) *cobra.Command {
	secret := ""
	cmd := calling(g, "create NAME URL", "Register a bot that is running", "  MOLERUN_SECRET=whsec_… molerun bot create wallwizard https://bot.example.org/",
		func(ctx context.Context, call *client.Client, args []string) (err error) {
			in := wire.BotCreate{Name: args[0]}
			if in.Secret, err = settings.Secret(secret); err != nil {
				return err
			}
			if in.URL, err = address(args[1]); err != nil {
				return err
			}
			use, agent := "start the bot with it in its environment", strings.HasPrefix(in.URL, "agent:")
			if agent {
				use = "an agent needs it once it has a URL of its own"
			}
			return account.Ask(ctx, g, call, wire.CreateBot, in, func(w io.Writer, made wire.BotCreated) {
				fmt.Fprintf(w, "%s %s plays %s\n", made.Bot.Name, made.Bot.ID, strings.Join(made.Version.Games, ", "))
				if in.Secret == "" {
					fmt.Fprintf(w, "MOLERUN_SECRET=%s\n", made.Secret)
					fmt.Fprintf(g.Err, "the secret is shown this once: %s\n", use)
				}
				if agent {
					g.Next("molerun token create %s --bot %s, for the agent; %s/skill.md tells it how to play", made.Bot.Name, made.Bot.Name, call.Base)
					return
				}
				g.Next("molerun bot join %s %s", made.Bot.Name, made.Version.Games[0])
			})
		})
	cmd.Long = "Registers a bot under a name that nobody else has. The bot must be running at the URL: it is sent a hello, and its answer says which\n" +
		"games it plays. Its messages are signed with --secret or MOLERUN_SECRET; without, the platform makes a secret, which is printed once."
	cmd.Flags().StringVar(&secret, "secret", "", "the bot's secret, whsec_…; first before MOLERUN_SECRET")
	return cmd
}

// address returns where the platform reaches a bot, as somebody typed it: a URL, or relay:NAME or agent:NAME.
func address(typed string) (string, error) {
	if box := strings.TrimSpace(typed); strings.HasPrefix(box, "relay:") || strings.HasPrefix(box, "agent:") {
		return box, nil
	}
	return command.Address(typed)
}

func botListCommand(g *account.Group) *cobra.Command {
	return g.Command("list", "Your bots", func(ctx context.Context, call *client.Client, _ []string) error {
		rows := printer.NewTable("bot", "status", "since", "id")
		return account.List(ctx, g, call, wire.ListBots, wire.BotsQuery{Owner: "me"}, "molerun bot create NAME URL", rows, func(b wire.Bot) []any {
			return []any{b.Name, b.Status, dayOr(&b.CreatedAt, ""), b.ID}
		})
	})
}

// shownBot holds what show prints with --json.
type shownBot struct {
	wire.BotDetail
	Health wire.BotHealth `json:"health"`
	Lost   loss           `json:"lost_ladder_match"`
}

func showBot(g *account.Group) func(context.Context, *client.Client, wire.Bot, []string) error {
	return func(ctx context.Context, call *client.Client, bot wire.Bot, _ []string) error {
		var s shownBot
		if err := errors.Join(client.Do(ctx, call, wire.GetBot, op.ByID(bot.ID), &s.BotDetail), client.Do(ctx, call, wire.GetBotHealth, op.ListOf{One: op.ByID(bot.ID), Paging: op.Paging{Limit: 5}}, &s.Health)); err != nil {
			return err
		}
		var err error
		if s.Lost, err = lossOf(ctx, call, bot); err != nil {
			return err
		}
		return g.Tell(s, func(w io.Writer) {
			fmt.Fprintf(w, "%s %s: %s\n", s.Bot.Name, s.Bot.ID, s.Bot.Status)
			if s.Private != nil && s.Private.Reason != "" {
				fmt.Fprintf(w, "reason: %s\n", printer.Printable(s.Private.Reason))
			}
			fmt.Fprintf(w, "version %d, build %q, plays %s\n", s.Active.Number, s.Active.Build, strings.Join(s.Active.Games, ", "))
			if s.Active.Private != nil {
				fmt.Fprintf(w, "at %s\n", s.Active.Private.URL)
			}
			for _, l := range s.Health.Ladders {
				fmt.Fprintln(w, ladderLine(l))
			}
			for _, k := range s.Health.Data {
				said := "well"
				if !k.OK {
					said = printer.Printable(k.Reason)
				}
				fmt.Fprintf(w, "checked %s, %d ms: %s\n", k.At.Format(time.RFC3339), k.TookMS, said)
			}
			s.Lost.tell(w, g, call.Base)
			switch {
			case s.Health.Banned:
				g.Next("ask an administrator, who alone lifts a ban")
			case s.Bot.Status == "paused":
				g.Next("molerun bot resume %s", s.Bot.Name)
			}
		})
	}
}

// ladderLine says how a bot stands on a ladder.
func ladderLine(l wire.LadderState) string {
	rated := "not rated yet"
	if l.Rating != nil {
		rated = fmt.Sprintf("rated %.1f after %s", *l.Rating, game.Plural(l.Matches, "match"))
	}
	return fmt.Sprintf("on %s, %s, at most %s an hour: %s", printer.Printable(l.Ladder), rated, game.Plural(l.MatchesPerHour, "match"), printer.Printable(l.Text))
}

func botPauseCommand(g *account.Group) *cobra.Command {
	return onBot(g, "pause BOT", "Keep a bot out of new matches until resume; running ones go on", "", func(ctx context.Context, call *client.Client, bot wire.Bot, _ []string) error {
		return account.Ask(ctx, g, call, wire.PauseBot, op.ByID(bot.ID), func(w io.Writer, now wire.BotDetail) {
			fmt.Fprintln(w, printer.Sprintf("%s is %s", bot.Name, now.Bot.Status))
			g.Next("molerun bot resume %s", bot.Name)
		})
	})
}

// greet asks the platform to greet a bot, by check or by resume.
func greet(g *account.Group, how string, o op.Operation[op.One, wire.BotChecked]) func(context.Context, *client.Client, wire.Bot, []string) error {
	return func(ctx context.Context, call *client.Client, bot wire.Bot, _ []string) error {
		var found wire.BotChecked
		if err := client.Do(ctx, call, o, op.ByID(bot.ID), &found); err != nil {
			return err
		}
		err := g.Say(found, "%s is %s, answered in %d ms", bot.Name, found.Bot.Status, found.TookMS)
		if err == nil && !found.OK {
			err = fmt.Errorf("the bot failed its check: %s\nnext: %s; then molerun bot %s %s", printer.Printable(found.Reason), cmp.Or(httpbot.AtReason(found.Reason), "molerun check URL where it runs"), how, bot.Name)
		}
		return err
	}
}

func botVersionsCommand(g *account.Group) *cobra.Command {
	return onBot(g, "versions BOT", "The versions of a bot, the newest first", "", func(ctx context.Context, call *client.Client, bot wire.Bot, _ []string) error {
		rows := printer.NewTable("version", "since", "build", "games", "at", "note")
		return account.List(ctx, g, call, wire.ListVersions, op.ListByID(bot.ID), "molerun bot release BOT URL", rows, func(v wire.BotVersion) []any {
			at, note := "", ""
			if v.Private != nil {
				at, note = v.Private.URL, v.Private.Note
			}
			return []any{v.Number, dayOr(&v.CreatedAt, ""), v.Build, strings.Join(v.Games, " "), at, note}
		})
	})
}

func botReleaseCommand(g *account.Group) *cobra.Command {
	in := wire.VersionCreate{}
	cmd := onBot(g, "release BOT URL", "Register a new version of a bot; promote lets it play", "  molerun bot release wallwizard https://bot.example.org/v2 --note 'looks two turns ahead'",
		func(ctx context.Context, call *client.Client, bot wire.Bot, rest []string) (err error) {
			if in.URL, err = address(rest[0]); err != nil {
				return err
			}
			in.Secret = text.Word(in.Secret)
			return account.Ask(ctx, g, call, wire.CreateVersion, op.BodyByID(bot.ID, in), func(w io.Writer, v wire.BotVersion) {
				fmt.Fprintln(w, printer.Sprintf("%s version %d, build %q", bot.Name, v.Number, v.Build))
				g.Next("molerun bot promote %s %d", bot.Name, v.Number)
			})
		})
	cmd.Flags().StringVar(&in.Secret, "secret", "", "its secret, whsec_…; without, that of the active version")
	cmd.Flags().StringVar(&in.Build, "build", "", "the build that its hello must say; without, whatever it says")
	cmd.Flags().StringVar(&in.Note, "note", "", "for yourself")
	return cmd
}

func botPromoteCommand(g *account.Group) *cobra.Command {
	return onBot(g, "promote BOT NUMBER", "Make another version of a bot, newer or older, the one that plays", "  molerun bot promote wallwizard 2",
		func(ctx context.Context, call *client.Client, bot wire.Bot, rest []string) error {
			number, err := strconv.Atoi(rest[0])
			if err != nil || number < 1 {
				return fmt.Errorf("%w: %q is not the number of a version", command.ErrUsage, rest[0])
			}
			return account.Do(ctx, g, call, wire.PromoteVersion, op.BodyByID(bot.ID, wire.VersionPromote{Number: number}), func(now wire.BotDetail) string {
				return fmt.Sprintf("%s plays as version %d", bot.Name, now.Active.Number)
			})
		})
}

func botJoinCommand(g *account.Group) *cobra.Command {
	perHour := tournament.DefaultMatchesPerHour
	cmd := onBot(g, "join BOT LADDER", "Play on a standing ladder, named by its game, until leave", "  molerun bot join wallwizard molehill --per-hour 30",
		func(ctx context.Context, call *client.Client, bot wire.Bot, rest []string) error {
			in := wire.LadderJoin{BotID: bot.ID, MatchesPerHour: &perHour}
			return account.Ask(ctx, g, call, wire.JoinLadder, wire.LadderJoinOf{LadderOf: wire.LadderOf{ID: strings.ToLower(rest[0])}, Body: in}, func(w io.Writer, p wire.LadderPlace) {
				fmt.Fprintln(w, printer.Sprintf("%s plays on %s, at most %s an hour", bot.Name, p.Ladder, game.Plural(p.MatchesPerHour, "match")))
				g.Next("look at %s/ladders/%s, and at molerun bot matches %s", call.Base, p.Ladder, bot.Name)
			})
		})
	cmd.Flags().IntVar(&perHour, "per-hour", perHour, "rated matches an hour at most, 1 to 600")
	return cmd
}

func botLeaveCommand(g *account.Group) *cobra.Command {
	return onBot(g, "leave BOT LADDER", "Take a bot off a standing ladder", "  molerun bot leave wallwizard molehill", func(ctx context.Context, call *client.Client, bot wire.Bot, rest []string) error {
		in, left := wire.LadderEntryOf{LadderOf: wire.LadderOf{ID: strings.ToLower(rest[0])}, BotID: bot.ID}, map[string]string{"left": rest[0]}
		return account.Done(ctx, g, call, wire.LeaveLadder, in, left, "%s has left %s; matches that are made already are played", bot.Name, rest[0])
	})
}
