package director_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/store"
)

// series returns a schedule of two-seat toy tournaments with an hour of registration that closes ten minutes before the start.
func (w *world) series(when schedule.When, change func(*schedule.Schedule)) schedule.Schedule {
	w.T.Helper()
	s := schedule.Schedule{
		OrganiserID: w.Org.ID, When: when, Opens: time.Hour, Closes: 10 * time.Minute,
		Template: tournament.Tournament{
			Name: "cup {number}", Game: storetest.Toy, Config: json.RawMessage(`{"steps":5}`), Format: tournament.RoundRobin, Table: 2, Cycles: 1,
			Rated: true, Capacity: 100, Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits(),
		},
	}
	if change != nil {
		change(&s)
	}
	return must.Get(w.CreateSchedule(w.Ctx, s))(w.T)
}

func (w *world) cron(line, zone string) schedule.When {
	w.T.Helper()
	return must.Get(schedule.Cron(line, zone))(w.T)
}

// set moves the clock to an instant.
func (w *world) set(at time.Time) { w.Clock.Move(at.Sub(w.Clock.Now())) }

// tournaments returns the tournaments of a schedule as "number name start", in order.
func (w *world) tournaments(id string) string {
	w.T.Helper()
	list := must.First(w.Tournaments(w.Ctx, store.TournamentFilter{ScheduleID: id}, store.Page{Sort: store.Oldest}))(w.T)
	var out []string
	for _, x := range list {
		out = append(out, fmt.Sprintf("%d %s %s", x.Number, x.Name, x.StartsAt.Format("01-02T15:04")))
	}
	return strings.Join(out, ", ")
}

func TestAScheduleComesBackAsItWasMade(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		nightly := w.series(w.cron("30 2 * * *", "Europe/Amsterdam"), func(x *schedule.Schedule) {
			x.Template.Config, x.Template.Invite = json.RawMessage(` {"steps" :  5}`), tournament.Invite{7, 8}
			x.Template.Clock, x.Template.Duplicate, x.Template.Rated = tournament.Clock{Limit: 1500 * time.Microsecond}, true, false
		})
		once := w.series(schedule.Once(w.Clock.Now().Add(25*time.Hour)), func(x *schedule.Schedule) { x.Template.Game = storetest.ToyTeams })
		for _, made := range []schedule.Schedule{nightly, once} {
			got := must.Get(w.Schedule(w.Ctx, made.ID))(w.T)
			directortest.Alike(t, "the schedule", made, got)
			a, _ := made.Next()
			if b, ok := got.Next(); !ok || !a.Equal(b) {
				t.Errorf("its next start is %v (%v), want %v", b, ok, a)
			}
		}
		w.set(nightly.Done.Add(48 * time.Hour))
		w.Did(w.MakeDue(w.Ctx, nightly.ID))
		got := must.Get(w.Schedule(w.Ctx, nightly.ID))(w.T)
		if got.MissedTotal != 2 || got.Made != 1 || len(got.Missed) != 2 || got.Missed[0].Format(time.RFC3339) != "2026-03-02T01:30:00Z" {
			t.Errorf("after an outage it is %+v, want one made and two missed", got)
		}
		for _, row := range []struct {
			name   string
			filter store.ScheduleFilter
			want   int
		}{
			{"all", store.ScheduleFilter{}, 2},
			{"game", store.ScheduleFilter{Game: storetest.ToyTeams}, 1},
			{"status", store.ScheduleFilter{Status: schedule.Active}, 2},
			{"other status", store.ScheduleFilter{Status: schedule.Paused, Game: storetest.Toy}, 0},
		} {
			list := must.First(w.Schedules(w.Ctx, row.filter, store.Page{}))(w.T)
			must.Same(t, row.name+": schedules", len(list), row.want)
		}
		_, err := w.CreateSchedule(w.Ctx, schedule.Schedule{Template: tournament.Tournament{Game: "chess"}})
		directortest.Refused(t, "a game that is not there", err, tournament.ErrNotFound)
		nobody := nightly
		nobody.ID, nobody.OrganiserID = "", "nobody"
		directortest.Refused(t, "an organiser who is not there", directortest.Err(w.CreateSchedule(w.Ctx, nobody)), tournament.ErrNotFound)
		directortest.Refused(t, "a schedule that is not there", directortest.Err(w.Schedule(w.Ctx, "nothing")), tournament.ErrNotFound)
	})
}

func TestADueScheduleMakesItsTournamentFromTheTemplate(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		_, invite, err := tournament.NewInvite(strings.NewReader(strings.Repeat("x", 20)))
		w.Must(err)
		s := w.series(w.cron("0 20 * * *", "UTC"), func(x *schedule.Schedule) {
			x.Template.Invite = invite
			x.Template.WaitingList, x.Template.CheckIn = true, 20*time.Minute
		})
		opens := time.Date(2026, 3, 1, 19, 0, 0, 0, time.UTC)
		w.set(opens.Add(-time.Microsecond))
		if due, err := w.DueSchedules(w.Ctx); err != nil || len(due) != 0 {
			t.Errorf("a microsecond before: due %v (%v)", due, err)
		}
		w.set(opens)
		if due, err := w.DueSchedules(w.Ctx); err != nil || !slices.Equal(due, []string{s.ID}) {
			t.Errorf("at the opening: due %v (%v)", due, err)
		}
		made := must.Get(w.MakeDue(w.Ctx, s.ID))(w.T)
		if len(made) != 1 {
			t.Fatalf("made %d, want 1", len(made))
		}
		want := s.Template
		want.ID, want.OrganiserID, want.ScheduleID, want.Number, want.Name, want.LadderID = made[0].ID, w.Org.ID, s.ID, 1, "cup 1", storetest.Toy
		want.OwnerEntries = 1 // the default where rated
		want.OpensAt, want.ClosesAt, want.StartsAt, want.CreatedAt, want.Status = opens, opens.Add(50*time.Minute), opens.Add(time.Hour), opens, tournament.Scheduled
		got := must.Get(w.Tournament(w.Ctx, made[0].ID))(w.T)
		directortest.Alike(t, "the tournament", want, got)
		if due, err := w.DueSchedules(w.Ctx); err != nil || len(due) != 0 {
			t.Errorf("afterwards: due %v (%v)", due, err)
		}
		if again, err := w.MakeDue(w.Ctx, s.ID); err != nil || len(again) != 0 {
			t.Errorf("made %d more (%v)", len(again), err)
		}
	})
}

// A schedule of an earlier release may be rated by other matches than the ladder's. It goes on, unrated.
func TestAnOldScheduleOfOtherMatchesGoesOnUnrated(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		for config, rated := range map[string]bool{`{"steps":5}`: true, `{"steps":3}`: false} {
			s := w.series(schedule.Once(w.Clock.Now().Add(30*time.Minute)), func(x *schedule.Schedule) { x.Template.Config = json.RawMessage(config) })
			made := must.Get(w.MakeDue(w.Ctx, s.ID))(w.T)
			if len(made) != 1 || made[0].Rated != rated || (made[0].LadderID != "") != rated {
				t.Errorf("%s: got %+v, want one tournament, rated %v", config, made, rated)
			}
		}
	})
}

// TestEachStartIsMadeOnceByManySchedulers lets twenty schedulers at once look at a nightly schedule before, on and after the
// nights in which the clocks of Amsterdam change, and after an outage over two starts.
func TestEachStartIsMadeOnceByManySchedulers(t *testing.T) {
	for _, row := range []struct {
		name   string
		from   string
		looks  string // days, space between; at 00:05 UTC on each
		want   string
		missed int
	}{
		{
			"spring", "2026-03-27T12:00:00Z", "28 29 30",
			"1 cup 1 03-28T01:30, 2 cup 2 03-29T01:00, 3 cup 3 03-30T00:30", 0,
		},
		{
			"autumn", "2026-10-23T12:00:00Z", "24 25 26",
			"1 cup 1 10-24T00:30, 2 cup 2 10-25T00:30, 3 cup 3 10-26T01:30", 0,
		},
		{
			"an outage over two starts in spring", "2026-03-27T12:00:00Z", "28 31",
			"1 cup 1 03-28T01:30, 2 cup 2 03-31T00:30", 2,
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, open storetest.Open) {
				w := newWorld(t, open)
				from := must.Get(time.Parse(time.RFC3339, row.from))(w.T)
				w.set(from)
				s := w.series(w.cron("30 2 * * *", "Europe/Amsterdam"), func(x *schedule.Schedule) { x.Opens = 2 * time.Hour })
				other := w.Director
				if w.SQL(w.Ctx).Name() == "postgres" { // SQLite is one process's
					other = directortest.New(open(store.Options{Now: w.Clock.Now}))
				}
				for _, day := range strings.Fields(row.looks) {
					at := must.Get(time.Parse("2006-01-2 15:04", fmt.Sprintf("%s-%s 00:05", from.Format("2006-01"), day)))(w.T)
					w.set(at)
					w.Warm(8)
					directortest.Race(20, func(i int) error {
						_, err := []*director.Director{w.Director, other}[i%2].MakeDue(w.Ctx, s.ID)
						return err
					}, func(err error) { t.Error(err) })
				}
				if got := w.tournaments(s.ID); got != row.want {
					t.Errorf("made %s,\nwant %s", got, row.want)
				}
				if got, err := w.Schedule(w.Ctx, s.ID); err != nil || got.MissedTotal != row.missed {
					t.Errorf("%d missed (%v), want %d", got.MissedTotal, err, row.missed)
				}
			})
		})
	}
}

func TestANumberOfAScheduleIsGivenOnce(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		s := w.series(w.cron("0 * * * *", "UTC"), nil)
		again := func(x *tournament.Tournament) { x.ScheduleID, x.Number = s.ID, 1 }
		first := w.Plan(again)
		second := first
		second.ID = ""
		directortest.Refused(t, "the same number again", directortest.Err(w.CreateTournament(w.Ctx, second)), tournament.ErrTaken)
		if _, err := w.MakeDue(w.Ctx, s.ID); err == nil {
			t.Error("a schedule made its number 1, which was there")
		}
		if got, err := w.Schedule(w.Ctx, s.ID); err != nil || got.Made != 0 {
			t.Errorf("the schedule went on all the same: %d made (%v)", got.Made, err)
		}
		for _, sql := range []string{
			"UPDATE tournaments SET number = 0", "UPDATE tournaments SET number = NULL", "UPDATE tournaments SET schedule_id = NULL",
			"UPDATE tournaments SET schedule_id = 'nowhere'", "UPDATE tournaments SET invite_hash = 'short'", "DELETE FROM schedules",
			"UPDATE schedules SET status = 'asleep'", "UPDATE schedules SET status = 'paused'", "UPDATE schedules SET status = 'cancelled', due_at = NULL",
			"UPDATE schedules SET closes_before_us = opens_before_us", "UPDATE schedules SET zone = ''", "UPDATE schedules SET once_at = created_at",
		} {
			if err := w.InTx(w.Ctx, func(tx *store.Tx) error { return tx.SQL.Exec(sql).Error }); err == nil {
				t.Errorf("%s: was accepted", sql)
			}
		}
	})
}

func TestASchedulesLifeIsKept(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		s := w.series(w.cron("0 20 * * *", "UTC"), nil)
		due := func() int {
			ids := must.Get(w.DueSchedules(w.Ctx))(w.T)
			return len(ids)
		}
		paused := must.Get(w.ChangeSchedule(w.Ctx, s.ID, schedule.Schedule.Pause))(w.T)
		directortest.Refused(t, "pause twice", directortest.Err(w.ChangeSchedule(w.Ctx, s.ID, schedule.Schedule.Pause)), tournament.ErrState)
		w.Clock.Move(5 * 24 * time.Hour)
		if made, err := w.MakeDue(w.Ctx, s.ID); err != nil || len(made) != 0 || due() != 0 || paused.Status != schedule.Paused {
			t.Errorf("%s, it made %d (%v), and %d are due", paused.Status, len(made), err, due())
		}
		back := must.Get(w.ChangeSchedule(w.Ctx, s.ID, func(x schedule.Schedule) (schedule.Schedule, error) { return x.Resume(w.Now()) }))(w.T)
		if next, ok := back.Next(); !ok || next.Format(time.RFC3339) != "2026-03-06T20:00:00Z" || back.MissedTotal != 0 {
			t.Errorf("resumed, its next start is %v, and it missed %d", next, back.MissedTotal)
		}
		_, err := w.ChangeSchedule(w.Ctx, s.ID, func(x schedule.Schedule) (schedule.Schedule, error) { return x.Resume(w.Now()) })
		directortest.Refused(t, "resume twice", err, tournament.ErrState)
		w.Clock.Move(8 * time.Hour)
		if due() != 1 {
			t.Error("resumed, it is not due when its registration opens")
		}
		w.Did(w.MakeDue(w.Ctx, s.ID))
		directortest.Refused(t, "delete one with tournaments", w.DeleteSchedule(w.Ctx, s.ID), tournament.ErrState)
		gone := must.Get(w.ChangeSchedule(w.Ctx, s.ID, func(x schedule.Schedule) (schedule.Schedule, error) { return x.Cancel("rain", w.Now()) }))(w.T)
		stored := must.Get(w.Schedule(w.Ctx, s.ID))(w.T)
		if diff := cmp.Diff(gone, stored); diff != "" || stored.Status != schedule.Cancelled || stored.Reason != "rain" {
			t.Errorf("cancelled, it is %s for %q: %s", stored.Status, stored.Reason, diff)
		}
		_, err = w.ChangeSchedule(w.Ctx, s.ID, func(x schedule.Schedule) (schedule.Schedule, error) { return x.Cancel("again", w.Now()) })
		directortest.Refused(t, "cancel twice", err, tournament.ErrState)
		w.Clock.Move(48 * time.Hour)
		if made, err := w.MakeDue(w.Ctx, s.ID); err != nil || len(made) != 0 || due() != 0 {
			t.Errorf("cancelled, it made %d (%v)", len(made), err)
		}
		if got := w.tournaments(s.ID); got != "1 cup 1 03-06T20:00" {
			t.Errorf("its tournaments are %s, want the one that was made to stay", got)
		}
		fresh := w.series(w.cron("0 20 * * *", "UTC"), nil)
		w.Must(w.DeleteSchedule(w.Ctx, fresh.ID))
		directortest.Refused(t, "delete twice", w.DeleteSchedule(w.Ctx, fresh.ID), tournament.ErrNotFound)
		directortest.Refused(t, "make those of a deleted one", directortest.Err(w.MakeDue(w.Ctx, fresh.ID)), tournament.ErrNotFound)
	})
}

func TestAnInvitationIsKeptAsItsHashAlone(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		code, invite, err := tournament.NewInvite(strings.NewReader("twenty random bytes!"))
		w.Must(err)
		x, b := w.Plan(func(x *tournament.Tournament) { x.Invite = invite }), w.NewBot("fox", w.Org)
		for _, wrong := range []string{"", "mi_", code + "A"} {
			directortest.Refused(t, "the code "+wrong, directortest.Err(w.JoinAs(w.Ctx, x.ID, b.ID, w.Org.ID, director.EntryOptions{Invite: wrong})), tournament.ErrInvite)
		}
		directortest.Refused(t, "no code", directortest.Err(w.Join(w.Ctx, x.ID, b.ID, w.Org.ID)), tournament.ErrInvite)
		if list, err := w.Entries(w.Ctx, x.ID); err != nil || len(list) != 0 {
			t.Errorf("%d entries (%v) without the code", len(list), err)
		}
		w.Did(w.JoinAs(w.Ctx, x.ID, b.ID, w.Org.ID, director.EntryOptions{Invite: code}))
		w.Did(w.Withdraw(w.Ctx, x.ID, b.ID, w.Org.ID))
		directortest.Refused(t, "back without the code", directortest.Err(w.Join(w.Ctx, x.ID, b.ID, w.Org.ID)), tournament.ErrInvite)
		var row map[string]any
		w.Must(w.SQL(w.Ctx).Table("tournaments").Where("id = ?", x.ID).Take(&row).Error)
		if text := fmt.Sprint(row); strings.Contains(text, code) || row["invite_hash"] == nil {
			t.Errorf("the row is %s, want the hash and not the code", text)
		}
		everybody := w.Plan(nil)
		w.Did(w.JoinAs(w.Ctx, everybody.ID, b.ID, w.Org.ID, director.EntryOptions{Invite: "mi_whatever"}))
	})
}

// What a release before took and no match can be played of is refused with the reason: its schedule makes nothing more, and what is
// announced already does not start.
func TestAConfigurationThatIsTakenNoMoreIsRefusedAtTheStart(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		x := w.series(schedule.Once(w.Clock.Now().Add(2*time.Hour)), func(x *schedule.Schedule) {
			x.Template.Config, x.Template.Rated = []byte(`{"steps":500}`), false
		})
		made := must.Get(w.MakeDue(w.Ctx, x.ID))(w.T)
		if x, err := w.Schedule(w.Ctx, x.ID); err != nil || len(made) > 0 || x.Status != schedule.Active {
			t.Fatalf("before its time: %d made, %+v, %v", len(made), x, err)
		}
		w.Clock.Move(time.Hour)
		made = must.Get(w.MakeDue(w.Ctx, x.ID))(w.T)
		if x, err := w.Schedule(w.Ctx, x.ID); err != nil || len(made) > 0 || x.Status != schedule.Cancelled || !strings.HasPrefix(x.Reason, "seats: want 2..4; steps") {
			t.Errorf("%d made, the schedule is %s for %q (%v); want it cancelled with the steps that are played", len(made), x.Status, x.Reason, err)
		}
		tour := w.Plan(func(x *tournament.Tournament) { x.Config = []byte(`{"steps":500}`) })
		directortest.Refused(t, "an early start", directortest.Err(w.Start(w.Ctx, tour.ID)), tournament.ErrState)
		w.Clock.Move(2 * time.Hour)
		over, err := w.Start(w.Ctx, tour.ID)
		if err != nil || over.Status != tournament.Cancelled || !strings.HasPrefix(over.Reason, "seats: want 2..4; steps") {
			t.Errorf("at its time it is %s for %q (%v); want it cancelled with the steps that are played", over.Status, over.Reason, err)
		}
	})
}
