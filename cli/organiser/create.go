package organiser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// making returns a command that makes something, with its flags. It calls do with what was said.
func (o *calls) making(use, short string, list []field, do func(context.Context, *client.Client, *asked) error) *cobra.Command {
	yes, dryRun := false, false
	var cmd *cobra.Command
	cmd = o.Command(use, short, func(ctx context.Context, call *client.Client, args []string) (err error) {
		a := &asked{calls: o, yes: yes, dryRun: dryRun, draft: newDraft()}
		if a.words, err = words(cmd, list, &a.wrong); err != nil {
			return err
		}
		a.draft.read(list, a.words, &a.wrong)
		a.Game = a.words["game"]
		if len(args) > 0 {
			a.Game = args[0]
		}
		return do(ctx, call, a)
	})
	sayable(cmd, list)
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "show what would be made, and make nothing")
	return command.Completed(command.Nonzero(cmd, "rounds", "group-size"), command.Offer{Words: command.GameIDs()})
}

// asked is what a command was asked to make.
type asked struct {
	*calls
	*draft
	yes    bool // make it without asking
	dryRun bool // make nothing
	words  map[string]string
	wrong  refusals
	where  *time.Location
}

// settle finds the game, the zone and the variant.
func (a *asked) settle(ctx context.Context, call *client.Client) (wire.Game, error) {
	if a.Game == "" {
		a.wrong.add("GAME", "is missing: name one of "+strings.Join(command.GameIDs(), ", "))
	}
	var g wire.Game
	if a.Game != "" {
		err := client.Do(ctx, call, wire.GetGame, wire.GameOf{Game: a.Game}, &g)
		if _, refused := errors.AsType[*client.Refusal](err); err != nil && !refused {
			return g, err
		}
	}
	a.where = time.UTC
	if where, known := zoneNamed(a.zone); known {
		a.where = where
	} else {
		a.wrong.add("--zone", fmt.Sprintf("%q: wants an IANA zone such as Europe/Amsterdam or UTC", a.zone))
	}
	if _, said := a.words["config"]; said && a.variant != "" {
		a.wrong.add("--variant", "does not go with config: say one of them")
	} else if a.variant != "" {
		a.Config = variantOf(g, a.variant, &a.wrong)
	}
	return g, nil
}

// variantOf returns the configuration of the variant of a name. Of a game that is none, the game is refused.
func variantOf(g wire.Game, name string, wrong *refusals) json.RawMessage {
	var names []string
	for _, v := range g.Variants {
		if v.Name == name {
			return v.Config
		}
		names = append(names, v.Name)
	}
	if len(names) > 0 {
		wrong.add("--variant", fmt.Sprintf("%q: wants one of %s", name, strings.Join(names, ", ")))
	}
	return nil
}

// look has the platform look at a request and returns what it would make, or everything that is wrong with it.
func look[In any](ctx context.Context, a *asked, call *client.Client, o op.Operation[In, wire.Preview], in In) (wire.Preview, error) {
	var p wire.Preview
	err := a.wrong.answered(client.Do(ctx, call, o, in, &p), placeInDraft)
	return p, err
}

// agreed shows what would be made, and reports whether it is to be made: a terminal is asked, unless --yes is given.
func (a *asked) agreed(p wire.Preview, registration string) (bool, error) {
	if !a.JSON {
		a.describe(a.Err, p, registration)
	}
	if a.dryRun {
		return false, a.Tell(p, func(io.Writer) {})
	}
	if a.yes || a.JSON || !command.Terminal(a.In) {
		return true, nil
	}
	yes, err := command.Agreed(a.Console, "Make it?")
	if err == nil && !yes {
		fmt.Fprintln(a.Err, "nothing was made")
	}
	return yes, err
}

// describe writes what would be made.
func (a *asked) describe(w io.Writer, p wire.Preview, registration string) {
	fmt.Fprintf(w, "%s: %s, %s, tables of %d, at most %s%s\n", printer.Printable(a.Name), a.Game, a.Format, a.Table, game.Plural(a.Capacity, "entry"), registration)
	if a.CheckInMS != 0 {
		fmt.Fprintf(w, "check-in opens %s before the start; a bot that is not checked in is left out\n", tournament.SpanWords(a.CheckInMS))
	}
	switch {
	case p.Rated:
		fmt.Fprintf(w, "rated   results enter the ladder %s\n", p.Ladder)
	case len(p.Differs) > 0:
		fmt.Fprintf(w, "rated   no: matches differ from those of the ladder %s: %s\n", p.Ladder, printer.Printable(strings.Join(p.Differs, "; ")))
	default:
		fmt.Fprintln(w, "rated   no")
	}
	for _, at := range p.Starts {
		fmt.Fprintf(w, "starts  %s\n", at.In(a.where).Format("Monday 2 January 2006 15:04 MST"))
	}
	if p.Rounds > 0 {
		fmt.Fprintf(w, "plays   at most %s, %s, if all places are taken\n", game.Plural(p.Rounds, "round"), game.Plural(p.Matches, "match"))
	}
	fmt.Fprintf(w, "takes   %s", tournament.SpanWords(p.LeastMS))
	if p.MostMS > p.LeastMS {
		fmt.Fprintf(w, " if all matches of a round are played at once, %s one after the other", tournament.SpanWords(p.MostMS))
	}
	fmt.Fprintf(w, "; %s a match if every step takes the whole limit\n", tournament.SpanWords(p.MatchMS))
}

func tournamentCreateCommand(o *calls) *cobra.Command {
	cmd := o.making("create [GAME]", "Announce a tournament, after showing its rounds, matches and hours", append(startFields(false), fields()...), createTournament)
	cmd.Long = "Announces a tournament that starts by itself. Only GAME and --starts have no default. All problems are reported together, and what\n" +
		"would be made is shown before it is; on a terminal it asks.\n\nA flag is for what is typed daily; a file (--file) has the same keys, with _\n" +
		"for -, and game, " + seldom() + ".\n\n" +
		"Exit codes: 0 made, 1 the platform refused, 2 the command line or the file is wrong; nothing was made."
	cmd.Example = "  molerun tournament create molehill --format swiss --starts \"friday 20:00\" --zone Europe/Amsterdam --capacity 32\n" +
		"  molerun tournament create --file cup.toml --starts \"in 2h\""
	return cmd
}

// seldom lists the keys that only a file has.
func seldom() string {
	var keys []string
	for _, f := range fields() {
		if f.flag() == "" {
			keys = append(keys, f.key)
		}
	}
	return strings.Join(keys, ", ")
}

func createTournament(ctx context.Context, call *client.Client, a *asked) error {
	g, err := a.settle(ctx, call)
	if err != nil {
		return err
	}
	if a.starts == "" {
		a.wrong.add("--starts", "is missing: "+startForms)
	}
	now, starts := a.now(), a.startsAt()
	a.fill(a.words, g, starts.In(a.where).Format(time.DateOnly))
	if numbered(a.Name) {
		a.wrong.add("--name", fmt.Sprintf("%q: {number} and {date} are filled in by a schedule: molerun schedule create, with the same file and --every TIMES; or give a name without them", a.Name))
	}
	body := wire.TournamentCreate{
		TournamentTemplate: a.TournamentTemplate,
		OpensAt:            a.opensAt(starts, now),
		ClosesAt:           starts.Add(-time.Duration(a.closes) * time.Millisecond),
		StartsAt:           starts,
	}
	preview, err := look(ctx, a, call, wire.PreviewTournament, body)
	if err != nil {
		return err
	}
	registration := ", from now"
	if body.OpensAt.After(now) {
		registration = body.OpensAt.In(a.where).Format(", from Monday 2 January 15:04")
	}
	registration += body.ClosesAt.In(a.where).Format(" until Monday 2 January 15:04")
	if ok, err := a.agreed(preview, registration); err != nil || !ok {
		return err
	}
	return account.Ask(ctx, a.Group, call, wire.CreateTournament, body, func(w io.Writer, made wire.Tournament) {
		tellMade(w, made.Name, made.ID, made.InviteCode)
		a.Next("molerun tournament show %s", made.ID)
	})
}

// startsAt returns when it starts. What cannot be read is refused, and is in a month, to look at the rest.
func (a *asked) startsAt() time.Time {
	at, err := startAt(a.starts, a.where, a.now())
	if err != nil {
		a.wrong.add("--starts", err.Error())
		at = a.now().AddDate(0, 1, 0)
	}
	return at
}

// opensAt returns when registration opens for a start: at once, unless a time before it was said.
func (a *asked) opensAt(starts, now time.Time) time.Time {
	if a.opens == 0 {
		return now
	}
	return starts.Add(-time.Duration(a.opens) * time.Millisecond)
}

// numbered reports whether a schedule fills something into a name, which then is another for each of its tournaments.
func numbered(name string) bool {
	return strings.Contains(name, "{number}") || strings.Contains(name, "{date}")
}

// tellMade writes what was made, and its code, which is shown this once; "" is none.
func tellMade(w io.Writer, name, id, code string) {
	if code != "" {
		code = "\ninvite code, shown this once: " + code
	}
	fmt.Fprintf(w, "%s %s%s\n", printer.Printable(name), id, code)
}
