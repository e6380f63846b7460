package organiser

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

func tournamentCommand(o *calls) *cobra.Command {
	cmd := &cobra.Command{
		Use: "tournament", Short: "Tournaments: create, list, show, edit, invite, organisers, start, pause, resume, cancel, void, checkin, seed, pair, withdraw, admit, substitute, standings, bracket, export, watch",
		Long: "Works with the account that molerun login kept. A NAME is the name or the id of a tournament.",
	}
	cmd.AddCommand(
		tournamentCreateCommand(o),
		tournamentListCommand(o),
		account.On(o.Group, "show NAME", "A tournament, its times and its entries", o.showTournament),
		startCommand(o),
		account.On(o.Group, "pause NAME", "Begin no new match until resume; running ones go on", o.change(wire.PauseTournament), "running"),
		account.On(o.Group, "resume NAME", "Let matches begin again", o.change(wire.ResumeTournament), "running"),
		tournamentCancelCommand(o),
		voidCommand(o),
		editCommand(o),
		inviteCommand(o),
		organisersCommand(o, "tournament", wire.GetTournamentOrganisers, wire.SetTournamentOrganisers, func(t wire.Tournament) string { return t.ID }),
		checkInCommand(o),
		seedCommand(o),
		pairCommand(o),
		withdrawCommand(o),
		admitCommand(o),
		substituteCommand(o),
		account.On(o.Group, "standings NAME", "The standings so far", o.standings),
		account.On(o.Group, "bracket NAME", "Who met whom, round by round", o.bracket),
		exportCommand(o),
		account.On(o.Group, "watch NAME", "Print what happens until the end, then the standings", o.watch, "running"),
	)
	return cmd
}

func tournamentListCommand(o *calls) *cobra.Command {
	in := wire.TournamentsQuery{}
	cmd := o.Command("list", "Tournaments, the newest first", func(ctx context.Context, call *client.Client, _ []string) error {
		rows := printer.NewTable("tournament", "game", "format", "status", "starts", "id")
		return account.List(ctx, o.Group, call, wire.ListTournaments, in, "molerun tournament create GAME --starts TIME", rows, func(t wire.Tournament) []any {
			return []any{t.Name, t.Game, t.Format, t.Status, moment(t.StartsAt), t.ID}
		})
	})
	cmd.Flags().StringVar(&in.Game, "game", "", "only this game")
	mineFlag(cmd, &in.Organiser)
	command.FlagWords(cmd, "game", command.GameIDs()...)
	command.WordFlag(cmd, &in.Status, "status", "scheduled", "running", "finished", "cancelled")
	return cmd
}

// mineFlag lets a list be narrowed to what the caller organises.
func mineFlag(cmd *cobra.Command, organiser *string) {
	cmd.Flags().BoolFunc("mine", "only those that you organise, alone or together with others", func(text string) error {
		mine, err := strconv.ParseBool(text)
		if *organiser = ""; mine {
			*organiser = "me"
		}
		return err
	})
}

// shownTournament is what show prints with --json.
type shownTournament struct {
	wire.Tournament
	Entries []wire.Entry `json:"entries"`
}

// matchesText returns how many matches a full field plays; an arena, which says 0, plays until its time is up.
func matchesText(most int, o *tournament.FormatOptions) string {
	if most == 0 {
		return "as many matches as " + tournament.SpanWords(cmp.Or(o, &tournament.FormatOptions{}).LastsMS) + " allow"
	}
	return "at most " + game.Plural(most, "match")
}

func (o *calls) showTournament(ctx context.Context, call *client.Client, t wire.Tournament, _ []string) error {
	entries, err := entriesOf(ctx, call, t)
	if err != nil {
		return err
	}
	return o.Tell(shownTournament{t, entries}, func(w io.Writer) {
		fmt.Fprintf(w, "%s %s: %s\n", printer.Printable(t.Name), t.ID, stateOf(t))
		fmt.Fprintf(w, "%s, %s, tables of %d, %s\n", t.Game, t.Format, t.Table, matchesText(t.Expected, t.Options))
		fmt.Fprintln(w, whenOf(t))
		if t.CheckInMS != 0 && t.StartedAt == nil && t.EndedAt == nil {
			fmt.Fprintf(w, "check-in from %s until the start\n", moment(t.StartsAt.Add(-time.Duration(t.CheckInMS)*time.Millisecond)))
		}
		in := 0
		for _, e := range entries {
			if e.WithdrawnAt == nil && !e.Waiting {
				in++
			}
		}
		fmt.Fprintf(w, "%d of %s\n", in, game.Plural(t.Capacity, "entry"))
		for _, e := range entries {
			fmt.Fprintf(w, "  %s%s\n", printer.Printable(e.Bot), entryState(t.Format, e))
		}
	})
}

// moment writes an instant on this machine's clocks.
func moment(at time.Time) string { return at.Local().Format("2006-01-02 15:04") }

// whenOf returns when a tournament starts, or started and ended.
func whenOf(t wire.Tournament) string {
	switch {
	case t.StartedAt != nil && t.EndedAt != nil:
		return "started " + moment(*t.StartedAt) + ", ended " + moment(*t.EndedAt)
	case t.StartedAt != nil:
		return "started " + moment(*t.StartedAt)
	case t.EndedAt != nil:
		return "ended " + moment(*t.EndedAt) + " before it started"
	}
	return "registration " + moment(t.OpensAt) + " to " + moment(t.ClosesAt) + ", starts " + moment(t.StartsAt)
}

// stateOf returns where a tournament stands, and why.
func stateOf(t wire.Tournament) string {
	state := t.Status
	if t.PausedAt != nil && t.Status == "running" {
		state = "paused since " + moment(*t.PausedAt)
	}
	if t.Reason != "" {
		state += ", " + printer.Printable(t.Reason)
	}
	return state
}

func tournamentIs(t wire.Tournament) string { return t.Name + " is " + stateOf(t) }

// change does to a tournament what needs nothing but its name.
func (o *calls) change(how op.Operation[op.One, wire.Tournament]) func(context.Context, *client.Client, wire.Tournament, []string) error {
	return func(ctx context.Context, call *client.Client, t wire.Tournament, _ []string) error {
		return account.Ask(ctx, o.Group, call, how, op.ByID(t.ID), func(w io.Writer, now wire.Tournament) {
			fmt.Fprintln(w, printer.Printable(tournamentIs(now)))
			if now.Status == "running" {
				o.Next("molerun tournament watch %s", t.ID)
			}
		})
	}
}

func editCommand(o *calls) *cobra.Command {
	list, texts := append(startFields(false), fields()...), []string{"description", "rules", "prizes"}
	var cmd *cobra.Command
	cmd = account.On(o.Group, "edit NAME", "Change a tournament before its start, or postpone it; what is written about it until it is over",
		func(ctx context.Context, call *client.Client, t wire.Tournament, _ []string) error {
			wrong := refusals{}
			said, err := words(cmd, list, &wrong)
			if err != nil {
				return err
			}
			for _, name := range texts {
				if f := cmd.Flags().Lookup(name); f.Changed {
					said[name] = f.Value.String()
				}
			}
			return o.editTournament(ctx, call, t, list, said, wrong)
		}, "scheduled")
	sayable(cmd, list)
	for _, name := range texts {
		cmd.Flags().String(name, "", "in Markdown; an empty text takes it away")
	}
	cmd.Long = "Changes a tournament: flags that are left out change nothing, and all problems are reported together. From the start on only its texts change; its\n" +
		"game never does. The owners of its entries get the event tournament.changed. With --starts check-in moves too, and the end of registration if\n" +
		"that is to come; closes_before, in a file, moves it by itself."
	cmd.Example = "  molerun tournament edit \"Friday Cup\" --starts \"saturday 20:00\" --capacity 64\n" +
		"  molerun tournament edit \"Friday Cup\" --prizes \"A **mug**.\""
	return changing(cmd)
}

// editTournament changes what was said of a tournament.
func (o *calls) editTournament(ctx context.Context, call *client.Client, t wire.Tournament, list []field, said map[string]string, wrong refusals) error {
	a := &asked{calls: o, draft: draftOfTemplate(templateOf(t), t.Rated), words: said, wrong: wrong}
	if format, is := said["format"]; is && format != t.Format { // nobody said the options of the other
		as := tournament.Tournament{Format: tournament.Format(format), Options: a.options}
		as.DropForeignOptions()
		a.options = as.Options
	}
	a.read(list, a.words, &a.wrong)
	if _, err := a.settle(ctx, call); err != nil {
		return err
	}
	if game, again := said["game"]; again && game != t.Game {
		a.wrong.add("game", "does not change: make another tournament")
	}
	a.zoneAlone()
	p := wire.TournamentPatch{}
	a.patch(&p)
	starts, now := t.StartsAt, a.now()
	if a.starts != "" {
		starts = a.startsAt()
		p.StartsAt = &starts
	}
	if _, is := said["opens_before"]; is {
		p.OpensAt = new(a.opensAt(starts, now))
	}
	switch _, is := said["closes_before"]; {
	case is:
		p.ClosesAt = new(starts.Add(-time.Duration(a.closes) * time.Millisecond))
	case p.StartsAt != nil && t.ClosesAt.After(now): // registration goes on, and ends as long before the start as it did
		p.ClosesAt = new(starts.Add(t.ClosesAt.Sub(t.StartsAt)))
	}
	if err := a.wrong.err(); err != nil {
		return err
	}
	return a.wrong.answered(account.Ask(ctx, o.Group, call, wire.UpdateTournament, op.BodyByID(t.ID, p), func(w io.Writer, changed wire.Tournament) {
		if changed.InviteCode != "" {
			tellMade(w, changed.Name, changed.ID, changed.InviteCode)
		} else {
			fmt.Fprintln(w, printer.Printable(changed.Name)+" is changed")
		}
	}), placeInDraft)
}

// zoneAlone refuses a zone in which no time is said: it would change nothing.
func (a *asked) zoneAlone() {
	if _, said := a.words["zone"]; said && a.starts == "" {
		a.wrong.add("--zone", "changes nothing alone: say --starts too")
	}
}

// changing lets a command fail that no flag is given to.
func changing(cmd *cobra.Command) *cobra.Command {
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		given := false
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) { given = given || f.Changed })
		if !given {
			return fmt.Errorf("%w: nothing to change: give at least one flag", command.ErrUsage)
		}
		return nil
	}
	return cmd
}

// given returns a flag's value where it was given.
func given[T any](cmd *cobra.Command, flag string, value *T) *T {
	if !cmd.Flags().Changed(flag) {
		return nil
	}
	return value
}

func startCommand(o *calls) *cobra.Command {
	in := wire.StartRequest{}
	cmd := account.On(o.Group, "start NAME", "Begin now, before its time", func(ctx context.Context, call *client.Client, t wire.Tournament, _ []string) error {
		return account.Ask(ctx, o.Group, call, wire.StartTournament, op.BodyByID(t.ID, &in), func(w io.Writer, now wire.Tournament) {
			fmt.Fprintln(w, printer.Printable(tournamentIs(now)))
			if in.Paused {
				o.Next("molerun tournament bracket %s, then molerun tournament resume %[1]s", t.ID)
			} else {
				o.Next("molerun tournament watch %s", t.ID)
			}
		})
	}, "scheduled")
	cmd.Flags().BoolVar(&in.Paused, "paused", false, "make the first round, and let no match begin until resume")
	return cmd
}

func tournamentCancelCommand(o *calls) *cobra.Command {
	reason := ""
	cmd := account.On(o.Group, "cancel NAME", "End it now; matches that are not over become void", func(ctx context.Context, call *client.Client, t wire.Tournament, _ []string) error {
		var wrong refusals
		return wrong.answered(account.Do(ctx, o.Group, call, wire.CancelTournament, op.BodyByID(t.ID, because(reason)), tournamentIs), flagOnly("--reason"))
	})
	cmd.Flags().StringVar(&reason, "reason", "", "why, for everybody to see")
	return cmd
}

func voidCommand(o *calls) *cobra.Command {
	in := wire.CancelRequest{}
	cmd := o.Command("void MATCH", "End a match of yours without a result; nobody is rated, and it is not played again", func(ctx context.Context, call *client.Client, args []string) error {
		var wrong refusals
		if in.Reason == "" {
			wrong.add("--reason", "is missing: everybody sees it")
			return wrong.err()
		}
		return wrong.answered(account.Do(ctx, o.Group, call, wire.VoidMatch, op.BodyByID(args[0], in), func(m wire.Match) string { return m.ID + " is void" }), flagOnly("--reason"))
	})
	cmd.Long = "Ends a match of a tournament that you organise, as long as it is not over: a result stands. MATCH is its id, which stands in the address of its page.\n" +
		"A rated match in which a bot of yours plays is for an administrator to void."
	cmd.Example = "  molerun tournament void 0192d4c1-7c1e-7000-8000-000000000000 --reason \"our network was down\""
	cmd.Flags().StringVar(&in.Reason, "reason", "", "why, for everybody to see")
	return cmd
}

// because returns the body of a request to cancel; without a reason there is none, and the platform says one.
func because(reason string) *wire.CancelRequest {
	if reason == "" {
		return nil
	}
	return &wire.CancelRequest{Reason: reason}
}

func exportCommand(o *calls) *cobra.Command {
	in, asFile := wire.TournamentExport{Table: "standings", Format: "csv"}, false
	cmd := account.On(o.Group, "export NAME", "Write a table of it to stdout, or what it was made of as a file for create",
		func(ctx context.Context, call *client.Client, t wire.Tournament, _ []string) error {
			if asFile {
				return writeFile(o.Out, t)
			}
			in.One = op.ByID(t.ID)
			return o.copyOf(ctx, call, wire.ExportTournament.Target(in))
		})
	cmd.Example = "  molerun tournament export \"Friday Cup\" --table crosstable > crosstable.csv\n" +
		"  molerun tournament export \"Friday Cup\" --as-file > cup.toml"
	cmd.Flags().BoolVar(&asFile, "as-file", false, "write what it was made of, in TOML, for create --file and schedule create --file")
	command.WordFlag(cmd, &in.Table, "table", "standings", "crosstable", "bracket", "matches")
	command.WordFlag(cmd, &in.Format, "format", "csv", "json", "ndjson")
	return cmd
}

// copyOf prints what a path answers, as it is.
func (o *calls) copyOf(ctx context.Context, call *client.Client, path string) error {
	body, err := call.Read(ctx, path)
	if err != nil {
		return err
	}
	_, err = o.Out.Write(body)
	return err
}
