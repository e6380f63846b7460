package organiser

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"reflect"
	"slices"
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
	"github.com/molerun/molerun/tournament/schedule"
)

func scheduleCommand(o *calls) *cobra.Command {
	cmd := &cobra.Command{
		Use: "schedule", Short: "Tournaments that come again: create, list, show, edit, organisers, pause, resume, cancel",
		Long: "Works with the account that molerun login kept. A NAME is the name or the id of a schedule.",
	}
	cmd.AddCommand(
		scheduleCreateCommand(o),
		scheduleListCommand(o),
		account.On(o.Group, "show NAME", "A schedule, its next starts and those that it missed", o.showSchedule),
		scheduleEditCommand(o),
		organisersCommand(o, "schedule", wire.GetScheduleOrganisers, wire.SetScheduleOrganisers, func(x wire.Schedule) string { return x.ID }),
		account.On(o.Group, "pause NAME", "Make no more tournaments until resume; those that are made go on", o.changeSchedule(wire.PauseSchedule), "active"),
		account.On(o.Group, "resume NAME", "Go on with the first start that can still be entered", o.changeSchedule(wire.ResumeSchedule), "paused"),
		scheduleCancelCommand(o),
	)
	return cmd
}

func scheduleCreateCommand(o *calls) *cobra.Command {
	cmd := o.making("create [GAME]", "Make a series of tournaments, after showing the first starts and the rounds, matches and hours of each", append(startFields(true), fields()...), createSchedule)
	cmd.Long = "Makes a series: each tournament is announced when its registration opens, and starts by itself. Only GAME and --every have no\n" +
		"default. It takes the flags and the files of molerun tournament create; --starts in place of --every makes a single tournament.\n\n" +
		"Exit codes: 0 made, 1 the platform refused, 2 the command line or the file is wrong; nothing was made."
	cmd.Example = "  molerun schedule create molehill --every \"friday 20:00\" --zone Europe/Amsterdam --capacity 32 --name \"Friday Cup {number}\""
	return cmd
}

// defaultOpens is how long before a start the registration of a schedule opens, in ms.
const defaultOpens = 24 * 60 * 60 * 1000

// times returns when the tournaments of a schedule are to start.
func (a *asked) times(isNew bool) wire.ScheduleTimes {
	out := wire.ScheduleTimes{OpensBeforeMS: a.opens, ClosesBeforeMS: a.closes}
	if _, said := a.words["opens_before"]; isNew && !said {
		out.OpensBeforeMS = defaultOpens
	}
	if a.every != "" && a.starts != "" {
		a.wrong.add("--starts", "does not go with --every: say one of them")
	}
	var err error
	switch {
	case a.every != "":
		out.Zone = a.zone
		if out.Cron, err = schedule.LineOf(a.every); err != nil {
			a.wrong.add("--every", err.Error())
			out.Cron = "@daily" // to look at the rest
		}
	case a.starts != "":
		out.StartsAt = new(a.startsAt())
	case isNew:
		a.wrong.add("--every", "is missing: "+schedule.LineForms)
		out.Cron, out.Zone = "@daily", a.zone
	}
	return out
}

func createSchedule(ctx context.Context, call *client.Client, a *asked) error {
	g, err := a.settle(ctx, call)
	if err != nil {
		return err
	}
	a.fill(a.words, g, "{date}")
	a.checkNumbered()
	body := wire.ScheduleCreate{TournamentTemplate: a.TournamentTemplate, ScheduleTimes: a.times(true)}
	preview, err := look(ctx, a, call, wire.PreviewSchedule, body)
	if err != nil {
		return err
	}
	registration := fmt.Sprintf(", from %s before a start until %s before it", tournament.SpanWords(body.OpensBeforeMS), tournament.SpanWords(body.ClosesBeforeMS))
	if ok, err := a.agreed(preview, registration); err != nil || !ok {
		return err
	}
	return account.Ask(ctx, a.Group, call, wire.CreateSchedule, body, func(w io.Writer, made wire.Schedule) {
		tellMade(w, made.Name, made.ID, made.InviteCode)
		a.Next("molerun schedule show %s", made.ID)
	})
}

func scheduleListCommand(o *calls) *cobra.Command {
	in := wire.SchedulesQuery{}
	cmd := o.Command("list", "Schedules, the newest first", func(ctx context.Context, call *client.Client, _ []string) error {
		rows := printer.NewTable("schedule", "game", "format", "status", "next start", "id")
		return account.List(ctx, o.Group, call, wire.ListSchedules, in, "molerun schedule create GAME --every TIMES", rows, func(x wire.Schedule) []any {
			next := ""
			if len(x.Next) > 0 {
				next = moment(x.Next[0])
			}
			return []any{x.Name, x.Game, x.Format, x.Status, next, x.ID}
		})
	})
	cmd.Flags().StringVar(&in.Game, "game", "", "only this game")
	mineFlag(cmd, &in.Organiser)
	command.FlagWords(cmd, "game", command.GameIDs()...)
	command.WordFlag(cmd, &in.Status, "status", "active", "paused", "cancelled", "finished")
	return cmd
}

func (o *calls) showSchedule(ctx context.Context, call *client.Client, x wire.Schedule, _ []string) error {
	of, err := client.All(ctx, call, wire.ListSeries, wire.SeriesQuery{Schedule: x.ID})
	if err != nil {
		return err
	}
	return o.Tell(x, func(w io.Writer) {
		tellSchedule(w, x)
		for _, s := range of {
			fmt.Fprintf(w, "counted in the series %s %s\n", printer.Printable(s.Name), s.ID)
		}
	})
}

// tellSchedule writes a schedule as people read it.
func tellSchedule(w io.Writer, x wire.Schedule) {
	state := x.Status
	if x.Reason != "" {
		state += ", " + printer.Printable(x.Reason)
	}
	fmt.Fprintf(w, "%s %s: %s\n", printer.Printable(x.Name), x.ID, state)
	fmt.Fprintf(w, "%s, %s, tables of %d, at most %s, %s\n", x.Game, x.Format, x.Table, game.Plural(x.Capacity, "entry"), matchesText(x.Expected, x.Options))
	if x.Cron != "" {
		fmt.Fprintf(w, "starts %s (%s, %s), registration from %s to %s before\n", timesOf(x), x.Cron, x.Zone, tournament.SpanWords(x.OpensBeforeMS), tournament.SpanWords(x.ClosesBeforeMS))
	}
	fmt.Fprintf(w, "%s made, %s missed\n", game.Plural(x.Made, "tournament"), game.Plural(x.MissedTotal, "start"))
	where, err := time.LoadLocation(x.Zone)
	if err != nil {
		where = time.UTC
	}
	for _, at := range x.Next {
		fmt.Fprintf(w, "  next %s\n", at.In(where).Format("Monday 2 January 2006 15:04 MST"))
	}
}

// timesOf says when the tournaments of a schedule start. A line that only a newer platform reads is one of cron's.
func timesOf(x wire.Schedule) string {
	when, err := schedule.Cron(x.Cron, x.Zone)
	if err != nil {
		return "by a cron line"
	}
	return when.Words()
}

func scheduleEditCommand(o *calls) *cobra.Command {
	list := append(startFields(true), fields()...)
	var cmd *cobra.Command
	cmd = account.On(o.Group, "edit NAME", "Change a schedule, for the tournaments made from now on", func(ctx context.Context, call *client.Client, x wire.Schedule, _ []string) error {
		return o.editSchedule(ctx, cmd, call, x, list)
	})
	sayable(cmd, list)
	cmd.Long = "Changes a schedule: flags that are left out change nothing, nor do its earlier tournaments change. Game, table size, format and whether it is\n" +
		"invite-only do not change."
	cmd.Example = "  molerun schedule edit \"Friday Cup {number}\" --capacity 64 --every \"friday 21:00\""
	return changing(cmd)
}

func (o *calls) editSchedule(ctx context.Context, cmd *cobra.Command, call *client.Client, x wire.Schedule, list []field) (err error) {
	a := &asked{calls: o, draft: draftOf(x)}
	if a.words, err = words(cmd, list, &a.wrong); err != nil {
		return err
	}
	for _, fixed := range []string{"game", "table_size", "format", "invite_only", "unlisted"} {
		if _, said := a.words[fixed]; said {
			a.wrong.add(placeOf(fixed), "does not change: make another schedule")
		}
	}
	a.read(list, a.words, &a.wrong)
	if _, err := a.settle(ctx, call); err != nil {
		return err
	}
	patch := wire.SchedulePatch{
		OpensBeforeMS:  saidOf(a.words, "opens_before", &a.opens),
		ClosesBeforeMS: saidOf(a.words, "closes_before", &a.closes),
	}
	a.patch(&patch)
	if _, again := a.words["every"]; !again && a.starts != "" {
		a.every = "" // once, in place of the times that it had
	}
	if patch.Name != nil {
		a.checkNumbered()
	}
	times := a.times(false)
	if times.Cron == "" {
		a.zoneAlone()
	}
	if patch.StartsAt = times.StartsAt; times.Cron != "" {
		patch.Cron, patch.Zone = &times.Cron, &times.Zone
	}
	whole := wire.ScheduleCreate{TournamentTemplate: a.TournamentTemplate, ScheduleTimes: times}
	if whole.Cron == "" && whole.StartsAt == nil {
		whole.StartsAt = x.StartsAt
	}
	if _, err := look(ctx, a, call, wire.PreviewSchedule, whole); err != nil {
		return err
	}
	return account.Ask(ctx, o.Group, call, wire.UpdateSchedule, op.BodyByID(x.ID, patch), tellSchedule)
}

// checkNumbered refuses one name for all tournaments of a schedule that starts again and again.
func (a *asked) checkNumbered() {
	if a.every != "" && !numbered(a.Name) {
		a.wrong.add("--name", fmt.Sprintf("all tournaments would be called %q, and no command could distinguish them: say --name %q, or molerun tournament create for a single one", a.Name, a.Name+" {number}"))
	}
}

// draftOf returns what a schedule is, to be changed.
func draftOf(x wire.Schedule) *draft {
	d := draftOfTemplate(x.TournamentTemplate, x.Rated)
	d.opens, d.closes = x.OpensBeforeMS, x.ClosesBeforeMS
	d.zone = cmp.Or(x.Zone, d.zone)
	d.every = x.Cron
	return d
}

// draftOfTemplate returns what a template is, to be changed.
func draftOfTemplate(t wire.TournamentTemplate, rated bool) *draft {
	d := newDraft()
	d.TournamentTemplate = t
	d.Rated = &rated
	if t.Options != nil {
		d.options = *t.Options
	}
	if t.Clock != nil {
		d.clock = *t.Clock
	}
	if t.Faults != nil {
		d.faults = *t.Faults
	}
	return d
}

// patch sets those fields of a patch that were said, by the request's fields of their names; an object of the request goes whole.
func (a *asked) patch(into any) {
	a.Options, a.Clock, a.Faults = &a.options, &a.clock, &a.faults
	from, to := reflect.ValueOf(a.TournamentTemplate), reflect.ValueOf(into).Elem()
	for _, f := range reflect.VisibleFields(to.Type()) {
		is := from.FieldByName(f.Name)
		if f.Anonymous || !is.IsValid() || !a.says(f) {
			continue
		}
		if is.Type() != f.Type { // the request has a value where the patch may have none
			value := reflect.New(is.Type())
			value.Elem().Set(is)
			is = value
		}
		to.FieldByIndex(f.Index).Set(is)
	}
}

// says reports whether something was said of a field of the request, or of the object in it.
func (a *asked) says(f reflect.StructField) bool {
	key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if _, said := a.words[strings.TrimSuffix(key, "_ms")]; said || key == "config" && a.variant != "" {
		return true
	}
	if f.Type.Kind() != reflect.Pointer || f.Type.Elem().Kind() != reflect.Struct {
		return false
	}
	return slices.ContainsFunc(reflect.VisibleFields(f.Type.Elem()), a.says)
}

// saidOf returns a value where it was said.
func saidOf[T any](words map[string]string, name string, value *T) *T {
	if _, said := words[name]; !said {
		return nil
	}
	return value
}

func scheduleIs(x wire.Schedule) string { return x.Name + " is " + x.Status }

// changeSchedule does to a schedule what needs nothing but its name.
func (o *calls) changeSchedule(how op.Operation[op.One, wire.Schedule]) func(context.Context, *client.Client, wire.Schedule, []string) error {
	return func(ctx context.Context, call *client.Client, x wire.Schedule, _ []string) error {
		return account.Do(ctx, o.Group, call, how, op.ByID(x.ID), scheduleIs)
	}
}

func scheduleCancelCommand(o *calls) *cobra.Command {
	reason := ""
	cmd := account.On(o.Group, "cancel NAME", "Make no more tournaments; those that are made stay", func(ctx context.Context, call *client.Client, x wire.Schedule, _ []string) error {
		return account.Do(ctx, o.Group, call, wire.CancelSchedule, op.BodyByID(x.ID, because(reason)), scheduleIs)
	})
	cmd.Flags().StringVar(&reason, "reason", "", "why, for everybody to see")
	return cmd
}
