package store_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/pulse"
)

// Whatever is asked is answered while somebody has locked every row there is. On SQLite that is whoever writes.
func TestNoReadWaitsForAWriter(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := &world{directortest.NewWorld(t, open)}
		cup, list := w.Running(3, nil)
		w.PlayAll(list)
		w.Must(w.SaveFit(w.Ctx, tournament.LadderFit{LadderID: cup.LadderID, ToSeq: 3}, 0))
		reader := open(store.Options{Now: w.Clock.Now}) // on SQLite a process of its own: its connections are not the writer's
		d := directortest.New(reader)
		w.Did(reader.Feed(w.Ctx, "", 0, 100)) // what is read is numbered: new events would be by the next reader
		held, free, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
		go func() {
			done <- w.Once(w.Ctx, func(tx *store.Tx) error {
				err := lockEverything(tx, w.Pool() != nil)
				close(held)
				<-free
				return err
			})
		}()
		<-held
		for name, read := range everyRead(reader, d, w.Org, cup, list[0]) {
			ctx, cancel := context.WithTimeout(w.Ctx, 5*time.Second)
			if err := read(ctx); err != nil {
				t.Errorf("%s beside a writer: %v", name, err)
			}
			cancel()
		}
		close(free)
		w.Must(<-done)
	})
}

// everyRead is all that is asked of a platform: of a tournament, one of its matches, and a user.
func everyRead(s *store.Store, d *director.Director, u tournament.User, x tournament.Tournament, m tournament.Match) map[string]func(ctx context.Context) error {
	return map[string]func(ctx context.Context) error{
		"Fit":           func(ctx context.Context) error { _, err := s.Fit(ctx, x.LadderID); return err },
		"Calibration":   func(ctx context.Context) error { _, err := s.Calibration(ctx, x.LadderID); return err },
		"CheckRatings":  func(ctx context.Context) error { return d.CheckRatings(ctx, x.LadderID) },
		"ReplayRatings": func(ctx context.Context) error { _, err := d.ReplayRatings(ctx, x.LadderID); return err },
		"History":       func(ctx context.Context) error { _, err := d.History(ctx, x.LadderID); return err },
		"Standings":     func(ctx context.Context) error { _, err := d.Standings(ctx, x.ID); return err },
		"Seasons":       func(ctx context.Context) error { _, err := s.Seasons(ctx, x.LadderID); return err },
		"LadderRows": func(ctx context.Context) error {
			_, _, err := s.LadderRows(ctx, x.LadderID, store.Page{})
			return err
		},
		"RatingEvents": func(ctx context.Context) error {
			_, _, err := s.RatingEvents(ctx, store.RatingEventFilter{}, store.Page{})
			return err
		},
		"Career": func(ctx context.Context) error { _, err := s.Career(ctx, m.Seats[0].BotID); return err },
		"Bot":    func(ctx context.Context) error { _, err := s.Bot(ctx, m.Seats[0].BotID); return err },
		"ListBots": func(ctx context.Context) error {
			_, _, err := s.ListBots(ctx, store.BotFilter{}, store.Page{})
			return err
		},
		"Versions": func(ctx context.Context) error { _, err := s.Versions(ctx, m.Seats[0].BotID); return err },
		"Checks": func(ctx context.Context) error {
			_, _, err := s.Checks(ctx, m.Seats[0].BotID, store.Page{})
			return err
		},
		"Watch": func(ctx context.Context) error { _, err := s.Watch(ctx, m.ID); return err },
		"Matches": func(ctx context.Context) error {
			_, _, err := s.Matches(ctx, store.MatchFilter{}, store.Page{})
			return err
		},
		"Decisions":  func(ctx context.Context) error { _, err := s.Decisions(ctx, m.ID); return err },
		"Redeploys":  func(ctx context.Context) error { _, err := s.Reader(ctx).Redeploys(m); return err },
		"Home":       func(ctx context.Context) error { _, _, _, err := s.Home(ctx); return err },
		"Tournament": func(ctx context.Context) error { _, err := s.Tournament(ctx, x.ID); return err },
		"Entries":    func(ctx context.Context) error { _, err := s.Entries(ctx, x.ID); return err },
		"Beside":     func(ctx context.Context) error { _, err := s.Beside(ctx, x.ID); return err },
		"Feed":       func(ctx context.Context) error { _, err := s.Feed(ctx, "", 0, 100); return err },
		"FeedEnd":    func(ctx context.Context) error { _, err := s.FeedEnd(ctx, x.ID); return err },
		"User":       func(ctx context.Context) error { _, err := s.User(ctx, u.ID); return err },
		"Users":      func(ctx context.Context) error { _, _, err := s.Users(ctx, store.Page{}); return err },
		"Tokens":     func(ctx context.Context) error { _, err := s.Tokens(ctx, u.ID); return err },
		"Webhooks":   func(ctx context.Context) error { _, _, err := s.Webhooks(ctx, u.ID, store.Page{}); return err },
		"Schedules": func(ctx context.Context) error {
			_, _, err := s.Schedules(ctx, store.ScheduleFilter{}, store.Page{})
			return err
		},
		"AllSeries": func(ctx context.Context) error {
			_, _, err := s.AllSeries(ctx, store.SeriesFilter{}, store.Page{})
			return err
		},
		"Conduct": func(ctx context.Context) error { _, err := s.Conduct(ctx, time.Time{}, 10); return err },
		"Jobs":    func(ctx context.Context) error { _, _, err := s.Jobs(ctx, "", store.Page{}); return err },
		"AuditLines": func(ctx context.Context) error {
			_, _, err := s.AuditLines(ctx, tournament.AuditFilter{}, store.Page{})
			return err
		},
		"pulse":         func(ctx context.Context) error { _, err := pulse.Take(ctx, s.DB); return err },
		"SeatDecisions": func(ctx context.Context) error { _, err := s.SeatDecisions(ctx, m.ID, 0); return err },
		"StepsAfter": func(ctx context.Context) error {
			return s.StepsAfter(ctx, m.ID, 0, func([]runner.Step) error { return nil })
		},
		"Match":   func(ctx context.Context) error { _, err := s.Match(ctx, m.ID); return err },
		"Ladders": func(ctx context.Context) error { _, err := s.Ladders(ctx); return err },
	}
}

// lockEverything locks every row of the kinds that are locked.
func lockEverything(tx *store.Tx, postgres bool) error {
	if !postgres {
		return nil // SQLite has one writer, who has everything
	}
	for table := range strings.FieldsSeq("users tokens schedules series tournaments matches ladders ratings bots versions webhooks deliveries feeds ladder_fits") {
		if err := tx.SQL.Exec("SELECT 1 FROM " + table + " FOR UPDATE").Error; err != nil {
			return err
		}
	}
	return nil
}

// A reader of the stream waits a moment for whoever numbers its events, and then reads what has a number.
func TestAFeedIsReadThoughSomebodyHasIt(t *testing.T) {
	on(t, storetest.Postgres, func(t *testing.T, w *world) {
		w.Plan(nil)
		before := must.Get(w.Feed(w.Ctx, "", 0, 100))(w.T)
		w.Plan(nil)
		held, free, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
		go func() {
			done <- w.Once(w.Ctx, func(tx *store.Tx) error {
				err := lockEverything(tx, true)
				close(held)
				<-free
				return err
			})
		}()
		<-held
		during := must.Get(w.Feed(w.Ctx, "", 0, 100))(w.T)
		close(free)
		w.Must(<-done)
		after := must.Get(w.Feed(w.Ctx, "", 0, 100))(w.T)
		if len(during) != len(before) || len(after) != len(before)+1 {
			t.Errorf("%d events, %d while somebody has the stream, %d afterwards", len(before), len(during), len(after))
		}
	})
}
