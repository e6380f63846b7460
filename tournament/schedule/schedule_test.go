package schedule_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
)

// noon is a Sunday, 13:00 in Amsterdam.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

var toy = game.Info{ID: "toy", MinSeats: 2, MaxSeats: 4}

// series returns a good schedule, made at noon.
func series(when schedule.When, opens, closes time.Duration) schedule.Schedule {
	return schedule.New(schedule.Schedule{
		ID: "s1", OrganiserID: "org", When: when, Opens: opens, Closes: closes,
		Template: tournament.Tournament{
			Name: "Cup {number} of {date}", Game: "toy", Format: tournament.RoundRobin, Table: 2, Cycles: 1, Capacity: 8,
			Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits(),
		},
	}, noon)
}

// show writes what is made as "number start".
func show(made []tournament.Tournament) string {
	var out []string
	for _, t := range made {
		out = append(out, fmt.Sprintf("%d %s", t.Number, t.StartsAt.Format("01-02T15:04")))
	}
	return strings.Join(out, ", ")
}

func times(list []time.Time) string {
	var out []string
	for _, t := range list {
		out = append(out, t.Format("01-02T15:04"))
	}
	return strings.Join(out, ", ")
}

func TestATournamentIsMadeWhenItsRegistrationOpens(t *testing.T) {
	s := series(line(t, "0 20 * * *", "Europe/Amsterdam"), 2*time.Hour, 10*time.Minute)
	opens := time.Date(2026, 3, 1, 17, 0, 0, 0, time.UTC)
	if at, ok := s.DueAt(); !ok || !at.Equal(opens) {
		t.Fatalf("due at %v (%v), want %v", at, ok, opens)
	}
	if made, after := s.Due(opens.Add(-1)); len(made) != 0 || cmp.Diff(s, after) != "" {
		t.Errorf("an instant before: made %s; %s", show(made), cmp.Diff(s, after))
	}
	made, after := s.Due(opens)
	if len(made) != 1 {
		t.Fatalf("made %s, want one", show(made))
	}
	want := s.Template
	want.Name, want.OrganiserID, want.ScheduleID, want.Number, want.Status = "Cup 1 of 2026-03-01", "org", "s1", 1, tournament.Scheduled
	want.OpensAt, want.ClosesAt, want.StartsAt = opens, opens.Add(110*time.Minute), opens.Add(2*time.Hour)
	if diff := cmp.Diff(want, made[0]); diff != "" {
		t.Error(diff)
	}
	if again, _ := after.Due(opens.Add(time.Minute)); len(again) != 0 {
		t.Errorf("made again: %s", show(again))
	}
	if at, ok := after.DueAt(); !ok || !at.Equal(opens.AddDate(0, 0, 1)) {
		t.Errorf("then due at %v (%v), want a day later", at, ok)
	}
}

func TestTheDateInANameIsTheZones(t *testing.T) {
	s := series(line(t, "30 0 * * *", "Europe/Amsterdam"), time.Hour, 0)
	made, _ := s.Due(time.Date(2026, 3, 1, 22, 30, 0, 0, time.UTC))
	if len(made) != 1 || made[0].Name != "Cup 1 of 2026-03-02" || made[0].StartsAt.Day() != 1 {
		t.Errorf("got %+v, want one at 23:30 UTC with the name of the day that has begun in Amsterdam", made)
	}
}

func TestWhatAnOutageLeavesOutIsCaughtUpOnce(t *testing.T) {
	daily := func(opens, closes time.Duration) schedule.Schedule {
		return series(line(t, "0 20 * * *", "UTC"), opens, closes)
	}
	hourly := series(line(t, "0 * * * *", "UTC"), 30*time.Minute, 5*time.Minute)
	once := series(schedule.Once(noon.Add(3*time.Hour)), time.Hour, 10*time.Minute)
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 3, day, hour, minute, 0, 0, time.UTC) }
	for _, row := range []struct {
		name   string
		s      schedule.Schedule
		now    time.Time
		made   string
		missed string
		status schedule.Status
	}{
		{"nothing was missed", daily(time.Hour, 10*time.Minute), at(1, 19, 0), "1 03-01T20:00", "", schedule.Active},
		{"it opens late but can still be entered", daily(time.Hour, 10*time.Minute), at(1, 19, 49), "1 03-01T20:00", "", schedule.Active},
		{"one missed: it starts as long after its opening as ever", daily(time.Hour, 10*time.Minute), at(1, 19, 50), "1 03-01T20:50", "03-01T20:00", schedule.Active},
		{"two missed: one catches up", daily(time.Hour, 10*time.Minute), at(3, 8, 0), "1 03-03T09:00", "03-01T20:00, 03-02T20:00", schedule.Active},
		{"the next one is open: it is the catching up", daily(24*time.Hour, time.Hour), at(3, 8, 0), "1 03-03T20:00", "03-01T20:00, 03-02T20:00", schedule.Active},
		{"several can still be entered: all are made", daily(60*time.Hour, time.Hour), at(3, 8, 0), "1 03-03T20:00, 2 03-04T20:00, 3 03-05T20:00", "03-01T20:00, 03-02T20:00", schedule.Active},
		{"a one-off in time", once, at(1, 14, 0), "1 03-01T15:00", "", schedule.Finished},
		{"a one-off missed", once, at(9, 9, 0), "1 03-09T10:00", "03-01T15:00", schedule.Finished},
		{"hours missed", hourly, at(1, 15, 10), "1 03-01T15:40", "03-01T13:00, 03-01T14:00, 03-01T15:00", schedule.Active},
		{"hours missed, the next one open", hourly, at(1, 15, 30), "1 03-01T16:00", "03-01T13:00, 03-01T14:00, 03-01T15:00", schedule.Active},
	} {
		t.Run(row.name, func(t *testing.T) {
			made, after := row.s.Due(row.now)
			if show(made) != row.made || times(after.Missed) != row.missed || after.Status != row.status {
				t.Errorf("made %s, missed %s, %s;\nwant %s, %s, %s", show(made), times(after.Missed), after.Status, row.made, row.missed, row.status)
			}
			if after.Made != len(made) || after.MissedTotal != len(after.Missed) || (after.EndedAt != nil) != (row.status == schedule.Finished) {
				t.Errorf("%d made, %d missed, ended at %v", after.Made, after.MissedTotal, after.EndedAt)
			}
			for _, x := range made {
				if err := x.Check(toy, row.now); err != nil {
					t.Errorf("tournament %d cannot be entered: %v", x.Number, err)
				}
			}
			if again, _ := after.Due(row.now); len(again) != 0 {
				t.Errorf("made again: %s", show(again))
			}
		})
	}
}

func TestTheLatestMissedStartsAreKeptAndAllAreCounted(t *testing.T) {
	s := series(line(t, "0 * * * *", "UTC"), 10*time.Minute, 0)
	now := noon.Add(100*time.Hour + time.Minute)
	made, after := s.Due(now)
	last := schedule.MaxMissed - 1
	if len(made) != 1 || after.MissedTotal != 100 || len(after.Missed) != last+1 || !after.Missed[last].Equal(noon.Add(100*time.Hour)) {
		t.Errorf("made %s and missed %d, of which the last are %v", show(made), after.MissedTotal, after.Missed)
	}
}

func TestASchedulesLife(t *testing.T) {
	s := series(line(t, "0 20 * * *", "UTC"), time.Hour, 10*time.Minute)
	no := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, tournament.ErrState) || err.Error() == tournament.ErrState.Error() {
			t.Errorf("%s: got %v, want %v with facts", what, err, tournament.ErrState)
		}
	}
	_, err := s.Resume(noon)
	no("resume an active one", err)
	paused := must.Get(s.Pause())(t)
	_, err = paused.Pause()
	no("pause twice", err)
	if made, after := paused.Due(noon.AddDate(0, 0, 5)); len(made) != 0 || after.MissedTotal != 0 {
		t.Errorf("paused, it made %s and missed %d", show(made), after.MissedTotal)
	}
	if _, ok := paused.DueAt(); ok {
		t.Error("a paused schedule is due")
	}
	for _, row := range []struct {
		now  time.Time
		want string
	}{
		{noon.Add(time.Hour), "03-01T20:00"},                           // paused and resumed between two starts: nothing is lost
		{noon.Add(7*time.Hour + 49*time.Minute), "03-01T20:00"},        // can still be entered
		{noon.Add(7*time.Hour + 50*time.Minute), "03-02T20:00"},        // no more
		{noon.AddDate(0, 0, 5), "03-06T20:00"},                         // the ones before are left out
		{noon.AddDate(0, 0, 5).Add(7*time.Hour + 1), "03-06T20:00"},    // open already
		{noon.AddDate(0, 0, 5).Add(7*time.Hour + 3e12), "03-07T20:00"}, // closed already
	} {
		back := must.Get(paused.Resume(row.now))(t)
		next, ok := back.Next()
		if !ok || times([]time.Time{next}) != row.want || back.MissedTotal != 0 || back.Status != schedule.Active {
			t.Errorf("resumed at %v: next %v, %d missed, %s; want %v, none, active", row.now, next, back.MissedTotal, back.Status, row.want)
		}
	}
	once := must.Get(series(schedule.Once(noon.Add(2*time.Hour)), time.Hour, 0).Pause())(t)
	_, err = once.Resume(noon.Add(2 * time.Hour))
	no("resume a one-off that went by", err)
	for name, x := range map[string]schedule.Schedule{"active": s, "paused": paused} {
		gone, err := x.Cancel("rain", noon)
		if err != nil || gone.Status != schedule.Cancelled || gone.Reason != "rain" || gone.EndedAt == nil {
			t.Errorf("cancel %s: got %+v, %v", name, gone, err)
		}
		if made, _ := gone.Due(noon.AddDate(1, 0, 0)); len(made) != 0 {
			t.Errorf("cancelled, it made %s", show(made))
		}
		_, err = gone.Cancel("again", noon)
		no("cancel twice", err)
		_, err = gone.Pause()
		no("pause a cancelled one", err)
		_, err = gone.Resume(noon)
		no("resume a cancelled one", err)
	}
	if err := s.CanDelete(); err != nil {
		t.Errorf("delete before anything was made: %v", err)
	}
	_, s = s.Due(noon.Add(7 * time.Hour))
	no("delete after something was made", s.CanDelete())
}

func TestSchedulesAreCheckedWithTheirPlace(t *testing.T) {
	good := func() schedule.Schedule { return series(line(t, "0 20 * * *", "UTC"), time.Hour, time.Minute) }
	if s := good(); s.Check(toy) != nil {
		t.Fatal(s.Check(toy))
	}
	for _, row := range []struct {
		name    string
		change  func(*schedule.Schedule)
		pointer string
	}{
		{"opens at once", func(s *schedule.Schedule) { s.Opens, s.Closes = time.Minute-1, 0 }, "/opens_before_ms"},
		{"opens too early", func(s *schedule.Schedule) { s.Opens = tournament.MaxAhead + 1 }, "/opens_before_ms"},
		{"closes after the start", func(s *schedule.Schedule) { s.Closes = -1 }, "/closes_before_ms"},
		{"closes before it opens", func(s *schedule.Schedule) { s.Closes = s.Opens }, "/closes_before_ms"},
		{"an unknown pattern", func(s *schedule.Schedule) { s.Template.Name = "Cup {week}" }, "/name"},
		{"half a pattern", func(s *schedule.Schedule) { s.Template.Name = "Cup {number" }, "/name"},
		{"a name that grows too long", func(s *schedule.Schedule) { s.Template.Name = strings.Repeat("x", 75) + "{number}" }, "/name"},
		{"no name", func(s *schedule.Schedule) { s.Template.Name = "" }, "/name"},
		{"a template that is no tournament", func(s *schedule.Schedule) { s.Template.Table = 5 }, "/table_size"},
		{"a one-off that went by", func(s *schedule.Schedule) { s.When = schedule.Once(noon) }, "/starts_at"},
		{"a one-off that nobody can enter", func(s *schedule.Schedule) { s.When = schedule.Once(noon.Add(time.Minute)) }, "/starts_at"},
		{"too many at once", func(s *schedule.Schedule) { s.Opens = 51 * 24 * time.Hour }, "/opens_before_ms"},
		{"too many at once, one day a year", func(s *schedule.Schedule) { s.When = line(t, "* * 24 12 *", "UTC") }, "/opens_before_ms"},
	} {
		s := good()
		row.change(&s)
		var field *tournament.FieldError
		if err := s.Check(toy); !errors.As(err, &field) || field.Pointer != row.pointer {
			t.Errorf("%s: got %v, want it refused at %s", row.name, err, row.pointer)
		}
	}
	for name, change := range map[string]func(*schedule.Schedule){
		"exactly as many at once as allowed": func(s *schedule.Schedule) { s.Opens = 50 * 24 * time.Hour },
		"a start more than a year away":      func(s *schedule.Schedule) { s.When = line(t, "0 0 29 2 *", "UTC") },
		"a one-off in time":                  func(s *schedule.Schedule) { s.When = schedule.Once(noon.Add(time.Minute + 1)) },
	} {
		s := good()
		change(&s)
		if err := s.Check(toy); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEachStartHappensOnceHoweverOftenSomebodyLooks looks at a schedule at random instants: what is made and missed together
// is every start whose registration has opened, each once and in order, with at most one catching up a look.
func TestEachStartHappensOnceHoweverOftenSomebodyLooks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, zone := anyLine(t)
		w, now := line(t, text, zone), anyInstant(t, zone)
		opens := time.Duration(rapid.IntRange(2, 3000).Draw(t, "opens")) * time.Minute
		closes := time.Duration(rapid.IntRange(0, int(opens/time.Minute)-1).Draw(t, "closes")) * time.Minute
		s := schedule.New(schedule.Schedule{ID: "s", When: w, Opens: opens, Closes: closes, Template: tournament.Tournament{Name: "{number}"}}, now)
		from := s.Done
		var had []time.Time
		for range rapid.IntRange(1, 8).Draw(t, "looks") {
			now = now.Add(time.Duration(rapid.IntRange(0, 4000).Draw(t, "minutes")) * time.Minute)
			made, after := s.Due(now)
			missed := after.MissedTotal - s.MissedTotal
			if after.Made != s.Made+len(made) {
				t.Fatalf("%d made, number %d after %d", len(made), after.Made, s.Made)
			}
			regular := 0
			for i, x := range made {
				if x.Number != s.Made+i+1 || !x.ClosesAt.After(now) || x.OpensAt.After(now) || x.StartsAt.Sub(x.OpensAt) != opens || x.StartsAt.Sub(x.ClosesAt) != closes {
					t.Fatalf("at %v made %+v as number %d; want it open, %v and %v before its start", now, x, s.Made+i+1, opens, closes)
				}
				if at, _ := w.Next(x.StartsAt.Add(-1)); at.Equal(x.StartsAt) {
					regular++
				} else if !x.OpensAt.Equal(now) || missed == 0 {
					t.Fatalf("at %v made %+v, which neither the line names nor catches up", now, x)
				}
			}
			if catching := len(made) - regular; catching > 1 || catching == 1 && regular > 0 || missed > 0 && len(made) == 0 {
				t.Fatalf("%d missed: %d regular and %d to catch up", missed, regular, catching)
			}
			for range missed + regular {
				at, ok := w.Next(from)
				if !ok {
					t.Fatal("no start left")
				}
				had, from = append(had, at), at
			}
			if next, _ := w.Next(from); !next.Add(-opens).After(now) {
				t.Fatalf("at %v the start %v is open, and neither made nor missed", now, next)
			}
			if len(had) > 0 && had[len(had)-1].Add(-opens).After(now) {
				t.Fatalf("at %v the start %v is dealt with before it opens", now, had[len(had)-1])
			}
			s = after
		}
	})
}

func TestWhatIsAnnouncedIsWhatIsMade(t *testing.T) {
	s := series(line(t, "0 20 * * *", "Europe/Amsterdam"), 2*time.Hour, 10*time.Minute)
	announced := s.Announced(3)
	if len(announced) != 3 {
		t.Fatalf("announced %s, want three", show(announced))
	}
	for i, want := range announced {
		var made []tournament.Tournament
		if made, s = s.Due(want.OpensAt); len(made) != 1 {
			t.Fatalf("made %s, want one", show(made))
		}
		if diff := cmp.Diff(want, made[0]); diff != "" {
			t.Errorf("start %d is not as it was announced: %s", i+1, diff)
		}
	}
	if paused, err := s.Pause(); err != nil || len(paused.Announced(3)) != 0 {
		t.Errorf("paused, it announces %s (%v)", show(paused.Announced(3)), err)
	}
}
