package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
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

// milliseconds is a duration; numbers far out of bounds are kept in bounds of arithmetic, so that a check refuses them.
func milliseconds(n int64) time.Duration {
	return time.Duration(min(max(n, -1), 1<<40)) * time.Millisecond
}

func scheduleDTO(x schedule.Schedule) wire.Schedule {
	t := x.Template
	clock, faults := live.ClockOf(t.Clock), wire.FaultLimits{InRow: t.Limits.InRow, Total: t.Limits.Total}
	expected, err := matchesAtCapacity(t)
	if err != nil {
		expected = 0
	}
	out := wire.Schedule{
		ID:          x.ID,
		OrganiserID: x.OrganiserID,
		TournamentTemplate: wire.TournamentTemplate{
			Name:       t.Name,
			Game:       t.Game,
			Config:     t.Config,
			Table:      t.Table,
			Format:     string(t.Format),
			Cycles:     t.Cycles,
			Duplicate:  t.Duplicate,
			Capacity:   t.Capacity,
			PerOwner:   t.OwnerEntries,
			Waiting:    t.WaitingList,
			CheckInMS:  t.CheckIn.Milliseconds(),
			Clock:      &clock,
			Faults:     &faults,
			Options:    optionsDTO(t.Options),
			InviteOnly: t.Invite.Needed(),
			Texts:      wire.Texts(t.Texts),
		},
		ScheduleTimes: wire.ScheduleTimes{
			Cron:           x.When.Line,
			Zone:           x.When.Zone,
			OpensBeforeMS:  x.Opens.Milliseconds(),
			ClosesBeforeMS: x.Closes.Milliseconds(),
		},
		Rated:       t.Rated,
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
func (s *Server) plan(in wire.ScheduleCreate, organiser string) (schedule.Schedule, error) {
	x := schedule.Schedule{OrganiserID: organiser, Opens: milliseconds(in.OpensBeforeMS), Closes: milliseconds(in.ClosesBeforeMS)}
	times, wrongTimes := when(in.ScheduleTimes)
	if wrongTimes != nil {
		times = schedule.Once(s.now().Add(tournament.MaxAhead)) // to look at the rest
	}
	x.When = times
	template, err := s.draft(in.TournamentTemplate, organiser, func(t *tournament.Tournament, info game.Info) error {
		x.Template = *t
		x = schedule.New(x, s.now())
		return errors.Join(wrongTimes, x.Check(info))
	})
	x.Template = template
	return x, err
}

func (s *Server) createSchedule(c *gin.Context) error {
	in, err := read[wire.ScheduleCreate](c)
	if err != nil {
		return err
	}
	x, err := s.plan(in, gate.UserID(c))
	if err != nil {
		return err
	}
	var code string
	if in.InviteOnly {
		if code, x.Template.Invite, err = tournament.NewInvite(s.rand); err != nil {
			return err
		}
	}
	if x, err = s.store.WithQuota(x.OrganiserID, store.Schedules, s.limits.Schedules).CreateSchedule(c.Request.Context(), x); err != nil {
		return err
	}
	c.Header("Location", "/v1/schedules/"+x.ID)
	out := scheduleDTO(x)
	out.InviteCode = code
	return httpx.Send(c, http.StatusCreated, out)
}

func (s *Server) listSchedules(c *gin.Context) error {
	p, err := s.cursors.Page(c, "game", "status")
	if err != nil {
		return err
	}
	f := store.ScheduleFilter{}
	if f.Game, err = s.gameFilter(p.Filter); err != nil {
		return err
	}
	status, err := httpx.OneOf(p.Filter, "status", string(schedule.Active), string(schedule.Paused), string(schedule.Cancelled), string(schedule.Finished))
	if err != nil {
		return err
	}
	f.Status = schedule.Status(status)
	rows, next, err := s.store.Schedules(c.Request.Context(), f, pageOf(p, store.Newest))
	if err != nil {
		return err
	}
	return httpx.SendPage(c, p, rows, next, func(x schedule.Schedule) wire.Schedule {
		x.Template.Texts = tournament.Texts{}
		return scheduleDTO(x)
	})
}

func (s *Server) getSchedule(c *gin.Context) error {
	return httpx.SendOne(c, s.scheduleOf, scheduleDTO)
}

// set writes what a patch says, if it says it.
func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// patched is a schedule with a patch on it.
func patched(x wire.Schedule, p wire.SchedulePatch) wire.ScheduleCreate {
	out := wire.ScheduleCreate{TournamentTemplate: x.TournamentTemplate, ScheduleTimes: x.ScheduleTimes}
	out.Rated = &x.Rated
	set(&out.Name, p.Name)
	set(&out.Cycles, p.Cycles)
	set(&out.Duplicate, p.Duplicate)
	if p.Rated != nil {
		out.Rated = p.Rated
	}
	set(&out.Capacity, p.Capacity)
	set(&out.PerOwner, p.PerOwner)
	set(&out.Waiting, p.Waiting)
	set(&out.CheckInMS, p.CheckInMS)
	set(&out.OpensBeforeMS, p.OpensBeforeMS)
	set(&out.ClosesBeforeMS, p.ClosesBeforeMS)
	if p.Config != nil {
		out.Config = p.Config
	}
	if p.Clock != nil {
		out.Clock = p.Clock
	}
	if p.Faults != nil {
		out.Faults = p.Faults
	}
	if p.Options != nil {
		out.Options = p.Options
	}
	switch {
	case p.StartsAt != nil:
		out.StartsAt, out.Cron, out.Zone = p.StartsAt, "", ""
	case p.Cron != nil || p.Zone != nil:
		out.StartsAt = nil
	}
	set(&out.Cron, p.Cron)
	set(&out.Zone, p.Zone)
	setTexts(&out.Texts, p.TextsPatch)
	return out
}

func (s *Server) updateSchedule(c *gin.Context) error {
	p, err := read[wire.SchedulePatch](c)
	if err != nil {
		return err
	}
	x, err := s.mySchedule(c)
	if err != nil {
		return err
	}
	x, err = s.store.ReviseSchedule(c.Request.Context(), x.ID, func(x schedule.Schedule) (schedule.Schedule, error) { return s.revised(x, p) })
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, scheduleDTO(x))
}

// revised is a schedule with a patch on it, checked.
func (s *Server) revised(x schedule.Schedule, p wire.SchedulePatch) (schedule.Schedule, error) {
	in := patched(scheduleDTO(x), p)
	times := schedule.Times{Opens: milliseconds(in.OpensBeforeMS), Closes: milliseconds(in.ClosesBeforeMS)}
	var wrongTimes error
	if times.When, wrongTimes = when(in.ScheduleTimes); wrongTimes != nil {
		times.When = x.When // to look at the rest
	}
	next := x
	t, err := s.draft(in.TournamentTemplate, x.OrganiserID, func(t *tournament.Tournament, info game.Info) error {
		t.Invite = x.Template.Invite
		var wrong error
		next, wrong = x.Revised(*t, times, info, s.now())
		return errors.Join(wrongTimes, wrong)
	})
	next.Template.Config = t.Config
	return next, err
}

func (s *Server) deleteSchedule(c *gin.Context) error {
	if err := httpx.Bare(c); err != nil {
		return err
	}
	x, err := s.mySchedule(c)
	if err != nil {
		return err
	}
	if err := s.store.DeleteSchedule(c.Request.Context(), x.ID); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}

func (s *Server) pauseSchedule(c *gin.Context) error {
	return s.changeSchedule(c, s.store.PauseSchedule)
}

func (s *Server) resumeSchedule(c *gin.Context) error {
	return s.changeSchedule(c, s.store.ResumeSchedule)
}

// changeSchedule does to the caller's schedule of the path what needs nothing but its id.
func (s *Server) changeSchedule(c *gin.Context, do func(context.Context, string) (schedule.Schedule, error)) error {
	if err := httpx.Bare(c); err != nil {
		return err
	}
	x, err := s.mySchedule(c)
	if err != nil {
		return err
	}
	if x, err = do(c.Request.Context(), x.ID); err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, scheduleDTO(x))
}

func (s *Server) cancelSchedule(c *gin.Context) error {
	reason, err := cancelReason(c)
	if err != nil {
		return err
	}
	x, err := s.mySchedule(c)
	if err != nil {
		return err
	}
	if x, err = s.store.CancelSchedule(c.Request.Context(), x.ID, reason); err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, scheduleDTO(x))
}

// scheduleOf is the schedule the path names.
func (s *Server) scheduleOf(c *gin.Context) (schedule.Schedule, error) {
	return named(c, s.store.Schedule)
}

// mySchedule is the caller's schedule that the path names; an administrator may act on all.
func (s *Server) mySchedule(c *gin.Context) (schedule.Schedule, error) {
	x, err := s.scheduleOf(c)
	if err == nil && !gate.Owns(c, x.OrganiserID) {
		err = tournament.ErrNotYours
	}
	return x, err
}
