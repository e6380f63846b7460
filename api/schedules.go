package api

import (
	"context"
	"errors"
	"time"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/store"
)

// shownStarts is how many coming starts a schedule shows.
const shownStarts = 5

// when reads the times of a schedule.
func when(in wire.ScheduleTimes) (schedule.When, error) {
	refuse := func(pointer, reason string) (schedule.When, error) {
		return schedule.When{}, &tournament.FieldError{Pointer: pointer, Reason: reason}
	}
	switch {
	case in.StartsAt == nil && in.Cron == "":
		return refuse("/cron", "is missing: send cron and zone, or starts_at for a single tournament")
	case in.StartsAt == nil:
		return schedule.Cron(in.Cron, in.Zone)
	case in.Cron != "":
		return refuse("/starts_at", "does not go with cron: send one of them")
	case in.Zone != "":
		return refuse("/zone", "goes with cron; starts_at is an instant")
	}
	return schedule.Once(*in.StartsAt), nil
}

func scheduleDTO(x schedule.Schedule) wire.Schedule {
	template, expected := templateDTO(x.Template)
	out := wire.Schedule{
		ID:                 x.ID,
		OrganiserID:        x.OrganiserID,
		TournamentTemplate: template,
		ScheduleTimes: wire.ScheduleTimes{
			Cron:           x.When.Line,
			Zone:           x.When.Zone,
			OpensBeforeMS:  x.Opens.Milliseconds(),
			ClosesBeforeMS: x.Closes.Milliseconds(),
		},
		Rated:       x.Template.Rated,
		Expected:    expected,
		Status:      string(x.Status),
		Reason:      x.Reason,
		Made:        x.Made,
		Next:        append([]time.Time{}, x.Upcoming(shownStarts)...),
		Missed:      append([]time.Time{}, x.Missed...),
		MissedTotal: x.MissedTotal,
		CreatedAt:   x.CreatedAt,
		EndedAt:     x.EndedAt,
	}
	if x.When.Line == "" {
		out.StartsAt = &x.When.At
	}
	return out
}

// plan makes the schedule that is asked for, checked.
func (s *Server) plan(ctx context.Context, in wire.ScheduleCreate) (schedule.Schedule, error) {
	ladders, err := s.Store.Ladders(ctx)
	if err != nil {
		return schedule.Schedule{}, err
	}
	x := schedule.Schedule{OrganiserID: gate.UserID(ctx), Opens: milliseconds(in.OpensBeforeMS), Closes: milliseconds(in.ClosesBeforeMS)}
	times, wrongTimes := when(in.ScheduleTimes)
	if wrongTimes != nil {
		times = schedule.Once(s.Now().Add(tournament.MaxAhead)) // to look at the rest
	}
	x.When = times
	template, err := s.draft(in.TournamentTemplate, x.OrganiserID, ladders, func(t *tournament.Tournament, info game.Info) error {
		x.Template = *t
		x = schedule.New(x, s.Now())
		return errors.Join(wrongTimes, x.Check(info))
	})
	x.Template = template
	return x, err
}

func (s *Server) createSchedule(ctx context.Context, in wire.ScheduleCreate) (wire.Schedule, error) {
	x, err := s.plan(ctx, in)
	if err != nil {
		return wire.Schedule{}, err
	}
	var code string
	if in.InviteOnly {
		if code, x.Template.Invite, err = tournament.NewInvite(s.Rand); err != nil {
			return wire.Schedule{}, err
		}
	}
	out, err := as(scheduleDTO)(s.Store.WithQuota(x.OrganiserID, store.Schedules, s.Limits.Schedules).CreateSchedule(ctx, x))
	out.InviteCode = code
	return out, err
}

func (s *Server) listSchedules(ctx context.Context, in wire.SchedulesQuery, p httpx.PageQuery) ([]wire.Schedule, string, error) {
	organiser, err := organiserOf(ctx, in.Organiser)
	if err := errors.Join(s.checkGame(in.Game), err); err != nil {
		return nil, "", err
	}
	f := store.ScheduleFilter{Game: in.Game, Status: schedule.Status(in.Status), OrganiserID: organiser, ViewerID: gate.UserID(ctx)}
	rows, next, err := s.Store.Schedules(ctx, f, pageOf(p, store.Newest))
	return each(rows, func(x schedule.Schedule) wire.Schedule {
		x.Template.Texts = tournament.Texts{}
		return scheduleDTO(x)
	}), next, err
}

func (s *Server) getSchedule(ctx context.Context, in op.One) (wire.Schedule, error) {
	return as(scheduleDTO)(s.Store.Schedule(ctx, in.ID))
}

// patched returns the request for a schedule with a patch on it. Times of one kind take the place of those of the other.
func patched(x wire.Schedule, p wire.SchedulePatch) wire.ScheduleCreate {
	out := wire.ScheduleCreate{TournamentTemplate: x.TournamentTemplate, ScheduleTimes: x.ScheduleTimes}
	switch {
	case p.StartsAt != nil:
		out.Cron, out.Zone = "", ""
	case p.Cron != nil || p.Zone != nil:
		out.StartsAt = nil
	}
	applyPatch(&out, p)
	return out
}

func (s *Server) updateSchedule(ctx context.Context, in op.WithID[wire.SchedulePatch]) (wire.Schedule, error) {
	ladders, err := s.Store.Ladders(ctx)
	if err != nil {
		return wire.Schedule{}, err
	}
	return s.changeSchedule(ctx, in.ID, func(x schedule.Schedule) (schedule.Schedule, error) { return s.revised(x, ladders, in.Body) })
}

// revised returns a schedule with a patch on it, checked.
func (s *Server) revised(x schedule.Schedule, ladders []tournament.Ladder, p wire.SchedulePatch) (schedule.Schedule, error) {
	in := patched(scheduleDTO(x), p)
	times := schedule.Times{Opens: milliseconds(in.OpensBeforeMS), Closes: milliseconds(in.ClosesBeforeMS)}
	var wrongTimes error
	if times.When, wrongTimes = when(in.ScheduleTimes); wrongTimes != nil {
		times.When = x.When // to look at the rest
	}
	next := x
	t, err := s.draft(in.TournamentTemplate, x.OrganiserID, ladders, func(t *tournament.Tournament, info game.Info) error {
		t.Invite = x.Template.Invite
		var wrong error
		next, wrong = x.Revised(*t, times, info, s.Now())
		return errors.Join(wrongTimes, wrong)
	})
	next.Template.Config = t.Config
	return next, err
}

func (s *Server) deleteSchedule(ctx context.Context, in op.One) (op.None, error) {
	x, err := s.Store.Schedule(ctx, in.ID)
	if err := owned(ctx, x.OrganiserID, err); err != nil {
		return op.None{}, err
	}
	return op.None{}, s.Store.DeleteSchedule(ctx, x.ID)
}

func (s *Server) pauseSchedule(ctx context.Context, in op.One) (wire.Schedule, error) {
	return s.changeSchedule(ctx, in.ID, schedule.Schedule.Pause)
}

func (s *Server) resumeSchedule(ctx context.Context, in op.One) (wire.Schedule, error) {
	return s.changeSchedule(ctx, in.ID, func(x schedule.Schedule) (schedule.Schedule, error) { return x.Resume(s.Store.Now()) })
}

func (s *Server) cancelSchedule(ctx context.Context, in op.WithID[*wire.CancelRequest]) (wire.Schedule, error) {
	reason, err := cancelReason(in.Body)
	if err != nil {
		return wire.Schedule{}, err
	}
	return s.changeSchedule(ctx, in.ID, func(x schedule.Schedule) (schedule.Schedule, error) { return x.Cancel(reason, s.Store.Now()) })
}

// changeSchedule changes the caller's schedule.
func (s *Server) changeSchedule(ctx context.Context, id string, change func(schedule.Schedule) (schedule.Schedule, error)) (wire.Schedule, error) {
	if _, err := s.mySchedule(ctx, id); err != nil {
		return wire.Schedule{}, err
	}
	return as(scheduleDTO)(s.Store.ChangeSchedule(ctx, id, change))
}

// mySchedule returns the schedule with an id that the caller organises.
func (s *Server) mySchedule(ctx context.Context, id string) (schedule.Schedule, error) {
	x, err := s.Store.Schedule(ctx, id)
	if err == nil {
		err = s.organises(ctx, x.OrganiserID, x.ID)
	}
	return x, err
}
