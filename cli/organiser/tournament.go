package organiser

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
)

func tournamentCommand(c command.Console) *cobra.Command {
	cmd, o := group(c, "tournament", "Tournaments: create, list, show, edit, start, pause, resume, cancel, checkin, seed, pair, withdraw, standings, bracket, export, watch",
		"Works with the account that molerun login kept. A NAME is the name or the id of a tournament.")
	cmd.AddCommand(
		tournamentCreateCommand(o),
		tournamentListCommand(o),
		tournamentArg(o.command("show NAME", "A tournament, its times and its entries", 1, o.showTournament)),
		startCommand(o),
		tournamentArg(o.command("pause NAME", "Begin no new match until resume; running ones go on", 1, o.change(wire.PauseTournament, "running"))),
		tournamentArg(o.command("resume NAME", "Let matches begin again", 1, o.change(wire.ResumeTournament, "running"))),
		tournamentCancelCommand(o),
		editCommand(o),
		checkInCommand(o),
		seedCommand(o),
		pairCommand(o),
		withdrawCommand(o),
		tournamentArg(o.command("standings NAME", "The standings so far", 1, o.standings)),
		tournamentArg(o.command("bracket NAME", "Who met whom, round by round, and a bracket as a tree", 1, o.bracket)),
		exportCommand(o),
		tournamentArg(o.command("watch NAME", "Print what happens until the end, then the standings", 1, o.watch)),
	)
	return cmd
}

func tournamentListCommand(o *calls) *cobra.Command {
	status, game, mine := "", "", false
	cmd := o.command("list", "Tournaments, the newest first", 0, func(ctx context.Context, call *client.Client, _ []string) error {
		me, err := whoIf(ctx, call, mine)
		if err != nil {
			return err
		}
		rows := newTable("tournament", "game", "format", "status", "starts", "id")
		err = client.Each(ctx, call, wire.ListTournaments, wire.TournamentsQuery{Status: status, Game: game}, func(t wire.Tournament) error {
			if mine && t.OrganiserID != me {
				return nil
			}
			rows.AppendRow(table.Row{printer.Printable(t.Name), t.Game, t.Format, t.Status, t.StartsAt.Local().Format("2006-01-02 15:04"), t.ID})
			return o.line(t)
		})
		return o.end(rows, err, "molerun tournament create GAME --starts TIME")
	})
	cmd.Flags().StringVar(&status, "status", "", "scheduled, running, finished or cancelled")
	cmd.Flags().StringVar(&game, "game", "", "only this game")
	cmd.Flags().BoolVar(&mine, "mine", false, "only those that you have announced")
	_ = cmd.RegisterFlagCompletionFunc("status", cobra.FixedCompletions([]string{"scheduled", "running", "finished", "cancelled"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("game", cobra.FixedCompletions(command.GameIDs(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// whoIf returns the id of who is logged in, where that is wanted.
func whoIf(ctx context.Context, call *client.Client, wanted bool) (string, error) {
	var me wire.Me
	if !wanted {
		return "", nil
	}
	err := client.Do(ctx, call, wire.GetMe, op.None{}, &me)
	return me.ID, err
}

func newTable(columns ...any) table.Writer {
	rows := table.NewWriter()
	rows.AppendHeader(columns)
	return rows
}

// line prints one row of a list with --json.
func (o *calls) line(v any) error {
	if !o.json {
		return nil
	}
	return json.NewEncoder(o.Out).Encode(v)
}

// end prints a list without --json, or says how to begin where it is empty.
func (o *calls) end(rows table.Writer, err error, begin string) error {
	switch {
	case err != nil || o.json:
	case rows.Length() == 0:
		o.next("%s", begin)
	default:
		fmt.Fprintln(o.Out, rows.Render())
	}
	return err
}

// shownTournament is what show tells with --json.
type shownTournament struct {
	wire.Tournament
	Entries []wire.Entry `json:"entries"`
}

// matchesText returns how many matches a full field plays; an arena, which tells 0, plays until its time is up.
func matchesText(most int) string {
	if most == 0 {
		return "as many matches as its time allows"
	}
	return fmt.Sprintf("at most %d matches", most)
}

func (o *calls) showTournament(ctx context.Context, call *client.Client, args []string) error {
	t, err := findTournament(ctx, call, args[0])
	if err != nil {
		return err
	}
	s := shownTournament{Tournament: t}
	if s.Entries, err = entriesOf(ctx, call, t); err != nil {
		return err
	}
	return o.tell(s, func(w io.Writer) {
		fmt.Fprintf(w, "%s %s: %s\n", printer.Printable(t.Name), t.ID, stateOf(t))
		fmt.Fprintf(w, "%s, %s, tables of %d, %s\n", t.Game, t.Format, t.Table, matchesText(t.Expected))
		fmt.Fprintf(w, "registration %s to %s, starts %s\n", moment(t.OpensAt), moment(t.ClosesAt), moment(t.StartsAt))
		if t.CheckInMS != 0 {
			fmt.Fprintf(w, "check-in from %s until the start\n", moment(t.StartsAt.Add(-time.Duration(t.CheckInMS)*time.Millisecond)))
		}
		in := 0
		for _, e := range s.Entries {
			if e.WithdrawnAt == nil && !e.Waiting {
				in++
			}
		}
		fmt.Fprintf(w, "%d of %d entries\n", in, t.Capacity)
		for _, e := range s.Entries {
			fmt.Fprintf(w, "  %s%s\n", printer.Printable(e.Bot), entryState(e))
		}
	})
}

// moment writes an instant on this machine's clocks.
func moment(at time.Time) string { return at.Local().Format("2006-01-02 15:04") }

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

// change does to a tournament in a state what needs nothing but its name.
func (o *calls) change(how op.Operation[op.One, wire.Tournament], state string) doing {
	return func(ctx context.Context, call *client.Client, args []string) error {
		t, err := findTournament(ctx, call, args[0], state)
		if err != nil {
			return err
		}
		var now wire.Tournament // what the answer leaves out is not as it was
		if err := client.Do(ctx, call, how, op.ByID(t.ID), &now); err != nil {
			return err
		}
		err = o.tell(now, func(w io.Writer) { fmt.Fprintf(w, "%s is %s\n", printer.Printable(now.Name), stateOf(now)) })
		if now.Status == "running" {
			o.next("molerun tournament watch %s", t.ID)
		}
		return err
	}
}

func editCommand(o *calls) *cobra.Command {
	text := map[string]*string{}
	cmd := tournamentArg(o.command("edit NAME", "Change what is written about it, until it is over; an empty text takes one away", 1, nil))
	for _, name := range []string{"description", "rules", "prizes"} {
		text[name] = cmd.Flags().String(name, "", "in Markdown")
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p := wire.TournamentPatch{TextsPatch: wire.TextsPatch{
			Description: given(cmd, "description", text["description"]),
			Rules:       given(cmd, "rules", text["rules"]),
			Prizes:      given(cmd, "prizes", text["prizes"]),
		}}
		if p == (wire.TournamentPatch{}) {
			return fmt.Errorf("%w: nothing to change: give at least one flag", command.ErrUsage)
		}
		call, err := account.SignedIn()
		if err != nil {
			return err
		}
		return advise(o.edit(cmd.Context(), call, args[0], p))
	}
	return cmd
}

func (o *calls) edit(ctx context.Context, call *client.Client, name string, p wire.TournamentPatch) error {
	t, err := findTournament(ctx, call, name)
	if err != nil {
		return err
	}
	var now wire.Tournament
	var wrong refusals
	if err := wrong.platform(client.Do(ctx, call, wire.UpdateTournament, op.BodyByID(t.ID, p), &now)); err != nil {
		return err
	}
	if err := wrong.err(); err != nil {
		return err
	}
	return o.tell(now, func(w io.Writer) { fmt.Fprintf(w, "%s is changed\n", printer.Printable(now.Name)) })
}

func startCommand(o *calls) *cobra.Command {
	in := wire.StartRequest{}
	cmd := tournamentArg(o.command("start NAME", "Begin now, before its time", 1, func(ctx context.Context, call *client.Client, args []string) error {
		t, err := findTournament(ctx, call, args[0], "scheduled")
		if err != nil {
			return err
		}
		if err := client.Do(ctx, call, wire.StartTournament, op.BodyByID(t.ID, &in), &t); err != nil {
			return err
		}
		err = o.tell(t, func(w io.Writer) { fmt.Fprintf(w, "%s is %s\n", printer.Printable(t.Name), stateOf(t)) })
		if !in.Paused {
			o.next("molerun tournament watch %s", t.ID)
			return err
		}
		o.next("molerun tournament bracket %s, then molerun tournament resume %[1]s", t.ID)
		return err
	}))
	cmd.Flags().BoolVar(&in.Paused, "paused", false, "make the first round, and let no match begin until resume")
	return cmd
}

func tournamentCancelCommand(o *calls) *cobra.Command {
	reason := ""
	cmd := tournamentArg(o.command("cancel NAME", "End it now; matches that are not over become void", 1,
		func(ctx context.Context, call *client.Client, args []string) error {
			t, err := findTournament(ctx, call, args[0])
			if err != nil {
				return err
			}
			if err := client.Do(ctx, call, wire.CancelTournament, op.BodyByID(t.ID, because(reason)), &t); err != nil {
				return err
			}
			return o.tell(t, func(w io.Writer) { fmt.Fprintf(w, "%s is %s\n", printer.Printable(t.Name), stateOf(t)) })
		}))
	cmd.Flags().StringVar(&reason, "reason", "", "why, for everybody to see")
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
	sheet, format, asFile := "standings", "csv", false
	cmd := tournamentArg(o.command("export NAME", "Write a table of it to stdout, or what it was made of as a file for create", 1,
		func(ctx context.Context, call *client.Client, args []string) error {
			t, err := findTournament(ctx, call, args[0])
			if err != nil {
				return err
			}
			if asFile {
				return writeFile(o.Out, t)
			}
			body, err := call.Read(ctx, wire.ExportTournament.Target(wire.TournamentExport{One: op.ByID(t.ID), Table: sheet, Format: format}))
			if err != nil {
				return err
			}
			_, err = o.Out.Write(body)
			return err
		}))
	cmd.Example = "  molerun tournament export \"Friday Cup\" --table crosstable > crosstable.csv\n" +
		"  molerun tournament export \"Friday Cup\" --as-file > cup.toml"
	cmd.Flags().StringVar(&sheet, "table", sheet, "standings, crosstable, bracket or matches")
	cmd.Flags().StringVar(&format, "format", format, "csv, json or ndjson")
	cmd.Flags().BoolVar(&asFile, "as-file", false, "write what it was made of, in TOML, for create --file and schedule create --file")
	_ = cmd.RegisterFlagCompletionFunc("table", cobra.FixedCompletions([]string{"standings", "crosstable", "bracket", "matches"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"csv", "json", "ndjson"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}
