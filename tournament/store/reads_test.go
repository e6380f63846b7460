package store_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/pulse"
)

// Whatever is asked is answered while somebody has locked every row there is. On SQLite that is whoever writes.
func TestNoReadWaitsForAWriter(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := &world{directortest.NewWorld(t, open)}
		cup, list := w.Running(3, nil)
		for _, m := range list {
			w.Must(w.Played(m, 0))
		}
		w.Must(w.SaveFit(w.Ctx, tournament.LadderFit{LadderID: cup.LadderID, ToSeq: 3}, 0))
		bot := list[0].Seats[0]
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
		for name, read := range map[string]func(ctx context.Context) error{
			"Fit":           func(ctx context.Context) error { _, err := reader.Fit(ctx, cup.LadderID); return err },
			"Calibration":   func(ctx context.Context) error { _, err := reader.Calibration(ctx, cup.LadderID); return err },
			"CheckRatings":  func(ctx context.Context) error { return d.CheckRatings(ctx, cup.LadderID) },
			"ReplayRatings": func(ctx context.Context) error { _, err := d.ReplayRatings(ctx, cup.LadderID); return err },
			"History":       func(ctx context.Context) error { _, err := d.History(ctx, cup.LadderID); return err },
			"Standings":     func(ctx context.Context) error { _, err := d.Standings(ctx, cup.ID); return err },
			"Seasons":       func(ctx context.Context) error { _, err := reader.Seasons(ctx, cup.LadderID); return err },
			"LadderRows": func(ctx context.Context) error {
				_, _, err := reader.LadderRows(ctx, cup.LadderID, store.Page{})
				return err
			},
			"RatingEvents": func(ctx context.Context) error {
				_, _, err := reader.RatingEvents(ctx, store.RatingEventFilter{}, store.Page{})
				return err
			},
			"Career": func(ctx context.Context) error { _, err := reader.Career(ctx, bot.BotID); return err },
			"Bot":    func(ctx context.Context) error { _, err := reader.Bot(ctx, bot.BotID); return err },
			"ListBots": func(ctx context.Context) error {
				_, _, err := reader.ListBots(ctx, store.BotFilter{}, store.Page{})
				return err
			},
			"Versions": func(ctx context.Context) error { _, err := reader.Versions(ctx, bot.BotID); return err },
			"Checks":   func(ctx context.Context) error { _, _, err := reader.Checks(ctx, bot.BotID, store.Page{}); return err },
			"Watch":    func(ctx context.Context) error { _, err := reader.Watch(ctx, list[0].ID); return err },
			"Matches": func(ctx context.Context) error {
				_, _, err := reader.Matches(ctx, store.MatchFilter{}, store.Page{})
				return err
			},
			"Decisions":  func(ctx context.Context) error { _, err := reader.Decisions(ctx, list[0].ID); return err },
			"Redeploys":  func(ctx context.Context) error { _, err := reader.Redeploys(ctx, list[0].ID); return err },
			"Home":       func(ctx context.Context) error { _, _, _, err := reader.Home(ctx); return err },
			"Tournament": func(ctx context.Context) error { _, err := reader.Tournament(ctx, cup.ID); return err },
			"Entries":    func(ctx context.Context) error { _, err := reader.Entries(ctx, cup.ID); return err },
			"Beside":     func(ctx context.Context) error { _, err := reader.Beside(ctx, cup.ID); return err },
			"Feed":       func(ctx context.Context) error { _, err := reader.Feed(ctx, "", 0, 100); return err },
			"FeedEnd":    func(ctx context.Context) error { _, err := reader.FeedEnd(ctx, cup.ID); return err },
			"User":       func(ctx context.Context) error { _, err := reader.User(ctx, w.Org.ID); return err },
			"Users":      func(ctx context.Context) error { _, _, err := reader.Users(ctx, store.Page{}); return err },
			"Tokens":     func(ctx context.Context) error { _, err := reader.Tokens(ctx, w.Org.ID); return err },
			"Webhooks":   func(ctx context.Context) error { _, _, err := reader.Webhooks(ctx, w.Org.ID, store.Page{}); return err },
			"Schedules": func(ctx context.Context) error {
				_, _, err := reader.Schedules(ctx, store.ScheduleFilter{}, store.Page{})
				return err
			},
			"AllSeries": func(ctx context.Context) error {
				_, _, err := reader.AllSeries(ctx, store.SeriesFilter{}, store.Page{})
				return err
			},
			"Conduct": func(ctx context.Context) error { _, err := reader.Conduct(ctx, time.Time{}, 10); return err },
			"Jobs":    func(ctx context.Context) error { _, _, err := reader.Jobs(ctx, "", store.Page{}); return err },
			"AuditLines": func(ctx context.Context) error {
				_, _, err := reader.AuditLines(ctx, tournament.AuditFilter{}, store.Page{})
				return err
			},
			"pulse": func(ctx context.Context) error { _, err := pulse.Take(ctx, reader.DB); return err },
		} {
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
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		w := &world{directortest.NewWorld(t, open)}
		w.Plan(nil)
		before, err := w.Feed(w.Ctx, "", 0, 100)
		w.Must(err)
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
		during, err := w.Feed(w.Ctx, "", 0, 100)
		w.Must(err)
		close(free)
		w.Must(<-done)
		after, err := w.Feed(w.Ctx, "", 0, 100)
		w.Must(err)
		if len(during) != len(before) || len(after) != len(before)+1 {
			t.Errorf("%d events, %d while somebody has the stream, %d afterwards", len(before), len(during), len(after))
		}
	})
}
