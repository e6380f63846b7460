package author

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/cli/settings"
	"github.com/molerun/molerun/engines/game/text"
)

func botCommand(c command.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use: "bot", Short: "Your bots at a platform: create, list, show, check, pause, versions, enter, checkin, withdraw, join, leave, challenge", Args: command.Args(0, 0),
		Long: "Works with the account that molerun login kept. A BOT is the name or the id of a bot of yours.",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	b := &botCalls{Console: c}
	cmd.PersistentFlags().BoolVar(&b.json, "json", false, "print the answer of the API, one JSON object a line")
	cmd.AddCommand(
		botCreateCommand(b),
		b.command("list", "Your bots", "", 0, b.list),
		botArg(b.command("show BOT", "A bot, its active version and its last checks", "", 1, b.show)),
		botArg(b.command("check BOT", "Have the platform check the bot now: if it passes, it plays; if not, it is paused", "", 1, b.check)),
		botArg(b.command("pause BOT", "Keep a bot out of new matches until resume; running ones go on", "", 1, b.pause)),
		botArg(b.command("resume BOT", "Check a paused bot, and let it play again if it answers", "", 1, b.resume)),
		botArg(b.command("matches BOT", "The latest matches of a bot, with rank and faults", "", 1, b.matches)),
		botReplayCommand(b),
		botArg(b.command("versions BOT", "The versions of a bot, the newest first", "", 1, b.versions)),
		botReleaseCommand(b),
		botArg(b.command("promote BOT NUMBER", "Make another version of a bot, newer or older, the one that plays", "  molerun bot promote wallwizard 2", 2, b.promote)),
		botEnterCommand(b),
		botJoinCommand(b),
		tournamentArgs(b.command("checkin BOT TOURNAMENT", "Confirm that a bot will play, in a tournament with check-in", "  molerun bot checkin wallwizard \"Friday Cup\"", 2, b.checkIn)),
		tournamentArgs(b.command("withdraw BOT TOURNAMENT", "Take a bot out of a tournament; after the start that is permanent", "  molerun bot withdraw wallwizard \"Friday Cup\"", 2, b.withdraw)),
		botArg(b.command("leave BOT LADDER", "Take a bot off a standing ladder", "  molerun bot leave wallwizard molehill", 2, b.leave)),
		botChallengeCommand(b),
		b.command("rematch MATCH", "Repeat a finished match, unrated, each bot one seat further", "", 1, b.rematch),
		botTakesCommand(b),
	)
	return cmd
}

// botCalls are the calls of the bot commands.
type botCalls struct {
	command.Console
	json  bool
	force bool
}

// command returns one of the bot commands: it calls do with its arguments, in the name of the kept account.
func (b *botCalls) command(use, short, example string, args int, do func(context.Context, *client.Client, []string) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Example: example, Args: command.Args(args, args),
		RunE: func(cmd *cobra.Command, args []string) error {
			call, err := account.SignedIn()
			if err != nil {
				return err
			}
			return do(cmd.Context(), call, args)
		},
	}
}

// tell prints v with --json, else what plain writes.
func (b *botCalls) tell(v any, plain func(io.Writer)) error {
	if b.json {
		return json.NewEncoder(b.Out).Encode(v)
	}
	plain(b.Out)
	return nil
}

// next prints the command to try next.
func (b *botCalls) next(format string, args ...any) {
	if !b.json {
		fmt.Fprintf(b.Err, "next: "+format+"\n", args...)
	}
}

func botReplayCommand(b *botCalls) *cobra.Command {
	cmd := b.command("replay MATCH", "Save the record of a match as a file", "", 1, b.replay)
	cmd.Flags().BoolVar(&b.force, "force", false, "overwrite a file that is there already")
	return cmd
}

func botCreateCommand(b *botCalls) *cobra.Command {
	secret := ""
	cmd := b.command("create NAME URL", "Register a bot that is running", "  MOLERUN_SECRET=whsec_… molerun bot create wallwizard https://bot.example.org/", 2,
		func(ctx context.Context, call *client.Client, args []string) error {
			var made wire.BotCreated
			in := wire.BotCreate{Name: args[0], Secret: settings.Secret(secret)}
			var err error
			if in.URL, err = address(args[1]); err != nil {
				return err
			}
			if err := client.Do(ctx, call, wire.CreateBot, in, &made); err != nil {
				return advise(err, args[0], args[1])
			}
			err = b.tell(made, func(w io.Writer) {
				fmt.Fprintf(w, "%s %s plays %s\n", made.Bot.Name, made.Bot.ID, strings.Join(made.Version.Games, ", "))
				if in.Secret == "" {
					fmt.Fprintf(w, "MOLERUN_SECRET=%s\n", made.Secret)
					fmt.Fprintln(b.Err, "the secret is shown this once: start the bot with it in its environment")
				}
			})
			b.next("molerun bot join %s %s", made.Bot.Name, made.Version.Games[0])
			return err
		})
	cmd.Long = "Registers a bot under a name that nobody else has. The bot must be running at the URL: it is sent a hello, and its answer says which\n" +
		"games it plays. Its messages are signed with --secret or MOLERUN_SECRET; without, the platform makes a secret, which is printed once."
	cmd.Flags().StringVar(&secret, "secret", "", "the bot's secret, whsec_…; first before MOLERUN_SECRET")
	return cmd
}

// address returns where the platform reaches a bot, as somebody typed it: a URL, or relay:NAME.
func address(typed string) (string, error) {
	if relay := strings.TrimSpace(typed); strings.HasPrefix(relay, "relay:") {
		return relay, nil
	}
	return command.Address(typed)
}

func (b *botCalls) list(ctx context.Context, call *client.Client, _ []string) error {
	rows := table.NewWriter()
	rows.AppendHeader(table.Row{"bot", "status", "since", "id"})
	err := client.Each(ctx, call, wire.ListBots, wire.BotsQuery{Owner: "me"}, func(bot wire.Bot) error {
		rows.AppendRow(table.Row{bot.Name, bot.Status, bot.CreatedAt.Format(time.DateOnly), bot.ID})
		if b.json {
			return json.NewEncoder(b.Out).Encode(bot)
		}
		return nil
	})
	if err != nil || b.json {
		return advise(err, "", "")
	}
	if rows.Length() == 0 {
		b.next("molerun bot create NAME URL")
		return nil
	}
	fmt.Fprintln(b.Out, rows.Render())
	return nil
}

// shownBot is what show tells with --json.
type shownBot struct {
	wire.BotDetail
	Health wire.BotHealth `json:"health"`
}

func (b *botCalls) show(ctx context.Context, call *client.Client, args []string) error {
	bot, err := myBot(ctx, call, args[0])
	if err != nil {
		return err
	}
	var s shownBot
	if err := errors.Join(client.Do(ctx, call, wire.GetBot, op.ByID(bot.ID), &s.BotDetail), client.Do(ctx, call, wire.GetBotHealth, op.ListOf{One: op.ByID(bot.ID), Paging: op.Paging{Limit: 5}}, &s.Health)); err != nil {
		return advise(err, bot.Name, "")
	}
	return b.tell(s, func(w io.Writer) {
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
		if s.Bot.Status == "paused" {
			b.next("molerun bot check %s", s.Bot.Name)
		}
	})
}

// ladderLine says how a bot stands on a ladder.
func ladderLine(l wire.LadderState) string {
	rated := "not rated yet"
	if l.Rating != nil {
		rated = fmt.Sprintf("rated %.1f after %d matches", *l.Rating, l.Matches)
	}
	return fmt.Sprintf("on %s, %s, at most %d matches an hour: %s", printer.Printable(l.Ladder), rated, l.MatchesPerHour, printer.Printable(l.Text))
}

func (b *botCalls) check(ctx context.Context, call *client.Client, args []string) error {
	return b.greet(ctx, call, args[0], "check", wire.CheckBot)
}

func (b *botCalls) resume(ctx context.Context, call *client.Client, args []string) error {
	return b.greet(ctx, call, args[0], "resume", wire.ResumeBot)
}

func (b *botCalls) pause(ctx context.Context, call *client.Client, args []string) error {
	bot, err := myBot(ctx, call, args[0])
	if err != nil {
		return err
	}
	var now wire.BotDetail
	if err := client.Do(ctx, call, wire.PauseBot, op.ByID(bot.ID), &now); err != nil {
		return advise(err, bot.Name, "")
	}
	err = b.tell(now, func(w io.Writer) { fmt.Fprintf(w, "%s is %s\n", bot.Name, now.Bot.Status) })
	b.next("molerun bot resume %s", bot.Name)
	return err
}

// greet asks the platform to greet a bot, by check or by resume.
func (b *botCalls) greet(ctx context.Context, call *client.Client, name, how string, o op.Operation[op.One, wire.BotChecked]) error {
	bot, err := myBot(ctx, call, name)
	if err != nil {
		return err
	}
	var found wire.BotChecked
	if err := client.Do(ctx, call, o, op.ByID(bot.ID), &found); err != nil {
		return advise(err, bot.Name, "")
	}
	err = b.tell(found, func(w io.Writer) {
		fmt.Fprintf(w, "%s is %s, answered in %d ms\n", bot.Name, found.Bot.Status, found.TookMS)
	})
	if err == nil && !found.OK {
		err = fmt.Errorf("the bot failed its check: %s\nnext: molerun check URL where it runs, then molerun bot %s %s", printer.Printable(found.Reason), how, bot.Name)
	}
	return err
}

func (b *botCalls) versions(ctx context.Context, call *client.Client, args []string) error {
	bot, err := myBot(ctx, call, args[0])
	if err != nil {
		return err
	}
	rows := table.NewWriter()
	rows.AppendHeader(table.Row{"version", "since", "build", "games", "at", "note"})
	err = client.Each(ctx, call, wire.ListVersions, op.ListByID(bot.ID), func(v wire.BotVersion) error {
		if b.json {
			return json.NewEncoder(b.Out).Encode(v)
		}
		at, note := "", ""
		if v.Private != nil {
			at, note = v.Private.URL, v.Private.Note
		}
		rows.AppendRow(table.Row{v.Number, v.CreatedAt.Format(time.DateOnly), printer.Printable(v.Build), strings.Join(v.Games, " "), at, note})
		return nil
	})
	if err == nil && !b.json {
		fmt.Fprintln(b.Out, rows.Render())
	}
	return advise(err, bot.Name, "")
}

func botReleaseCommand(b *botCalls) *cobra.Command {
	in := wire.VersionCreate{}
	cmd := botArg(b.command("release BOT URL", "Register a new version of a bot; promote lets it play", "  molerun bot release wallwizard https://bot.example.org/v2 --note 'looks two turns ahead'", 2,
		func(ctx context.Context, call *client.Client, args []string) error {
			bot, err := myBot(ctx, call, args[0])
			if err != nil {
				return err
			}
			var v wire.BotVersion
			if in.URL, err = address(args[1]); err != nil {
				return err
			}
			in.Secret = text.Word(in.Secret)
			if err := client.Do(ctx, call, wire.CreateVersion, op.BodyByID(bot.ID, in), &v); err != nil {
				return advise(err, bot.Name, args[1])
			}
			err = b.tell(v, func(w io.Writer) { fmt.Fprintf(w, "%s version %d, build %q\n", bot.Name, v.Number, v.Build) })
			b.next("molerun bot promote %s %d", bot.Name, v.Number)
			return err
		}))
	cmd.Flags().StringVar(&in.Secret, "secret", "", "its secret, whsec_…; without, that of the active version")
	cmd.Flags().StringVar(&in.Build, "build", "", "the build that its hello must say; without, whatever it says")
	cmd.Flags().StringVar(&in.Note, "note", "", "for yourself")
	return cmd
}

func (b *botCalls) promote(ctx context.Context, call *client.Client, args []string) error {
	var in wire.VersionPromote
	if _, err := fmt.Sscanf(args[1], "%d", &in.Number); err != nil || in.Number < 1 {
		return fmt.Errorf("%w: %q is not the number of a version", command.ErrUsage, args[1])
	}
	bot, err := myBot(ctx, call, args[0])
	if err != nil {
		return err
	}
	var now wire.BotDetail
	if err := client.Do(ctx, call, wire.PromoteVersion, op.BodyByID(bot.ID, in), &now); err != nil {
		return advise(err, bot.Name, "")
	}
	return b.tell(now, func(w io.Writer) { fmt.Fprintf(w, "%s plays as version %d\n", bot.Name, now.Active.Number) })
}

func botJoinCommand(b *botCalls) *cobra.Command {
	perHour := 0
	cmd := botArg(b.command("join BOT LADDER", "Play on a standing ladder, named by its game, until leave", "  molerun bot join wallwizard molehill --per-hour 30", 2,
		func(ctx context.Context, call *client.Client, args []string) error {
			bot, err := myBot(ctx, call, args[0])
			if err != nil {
				return err
			}
			in := wire.LadderJoin{BotID: bot.ID}
			if perHour != 0 {
				in.MatchesPerHour = &perHour
			}
			var place wire.LadderPlace
			if err := client.Do(ctx, call, wire.JoinLadder, wire.LadderJoinOf{LadderOf: wire.LadderOf{ID: args[1]}, Body: in}, &place); err != nil {
				return advise(err, bot.Name, "")
			}
			err = b.tell(place, func(w io.Writer) {
				fmt.Fprintf(w, "%s plays on %s, at most %d matches an hour\n", bot.Name, place.Ladder, place.MatchesPerHour)
			})
			b.next("look at %s/ladders/%s, and at molerun bot matches %s", call.Base, place.Ladder, bot.Name)
			return err
		}))
	cmd.Flags().IntVar(&perHour, "per-hour", 0, "rated matches an hour at most, 1 to 600; the platform takes 12 if left out")
	return cmd
}

func (b *botCalls) leave(ctx context.Context, call *client.Client, args []string) error {
	bot, err := myBot(ctx, call, args[0])
	if err != nil {
		return err
	}
	if err := client.Do(ctx, call, wire.LeaveLadder, wire.LadderEntryOf{LadderOf: wire.LadderOf{ID: args[1]}, BotID: bot.ID}, nil); err != nil {
		return advise(err, bot.Name, "")
	}
	return b.tell(struct {
		Left string `json:"left"`
	}{args[1]}, func(w io.Writer) {
		fmt.Fprintf(w, "%s has left %s; matches that are made already are played\n", bot.Name, args[1])
	})
}
