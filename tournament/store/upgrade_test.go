package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/archive"
	"github.com/molerun/molerun/tournament/store/pulse"
	"github.com/molerun/molerun/tournament/store/storetest"
)

// nextRelease changes the schema as a later release may: every table has another column with a default, one that may be NULL
// and an index on it, there is a new table that refers to ours, and the database says that it is further than we know.
func nextRelease(t *testing.T, s *store.Store) {
	t.Helper()
	query := "SELECT name FROM sqlite_master WHERE type = 'table'"
	if s.SQL(t.Context()).Name() == "postgres" {
		query = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
	}
	var tables []string
	if err := s.SQL(t.Context()).Raw(query).Scan(&tables).Error; err != nil {
		t.Fatal(err)
	}
	changes := []string{
		"CREATE TABLE later (id TEXT PRIMARY KEY, match_id TEXT NOT NULL REFERENCES matches (id))",
		"INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, TRUE)",
	}
	for _, table := range tables {
		if table == "goose_db_version" || strings.HasPrefix(table, "river_") || strings.HasPrefix(table, "sqlite_") {
			continue
		}
		changes = append(changes, fmt.Sprintf("ALTER TABLE %s ADD COLUMN later_note TEXT NOT NULL DEFAULT 'x'", table),
			fmt.Sprintf("ALTER TABLE %s ADD COLUMN later_at TIMESTAMP", table), fmt.Sprintf("CREATE INDEX later_%s ON %s (later_at)", table, table))
	}
	if len(changes) < 2+3*20 {
		t.Errorf("%d changes: the tables were not found", len(changes))
	}
	for _, c := range changes {
		if err := s.SQL(t.Context()).Exec(c).Error; err != nil {
			t.Fatalf("%s: %v", c, err)
		}
	}
}

// reads asks what the API and the pages ask of a tournament, a match and its bots.
func (w *world) reads(x tournament.Tournament, m tournament.Match) {
	w.t.Helper()
	bot := m.Seats[0].BotID
	for name, read := range map[string]func() error{
		"match":       func() error { _, err := w.Match(w.ctx, m.ID); return err },
		"matches":     func() error { _, _, err := w.Matches(w.ctx, store.MatchFilter{BotID: bot}, store.Page{}); return err },
		"watch":       func() error { _, err := w.Watch(w.ctx, m.ID); return err },
		"open ones":   func() error { _, err := w.OpenDecisions(w.ctx, m.ID); return err },
		"decisions":   func() error { _, err := w.SeatDecisions(w.ctx, m.ID, 0); return err },
		"redeploys":   func() error { _, err := w.Redeploys(w.ctx, m.ID); return err },
		"home":        func() error { _, _, _, err := w.Home(w.ctx); return err },
		"scoreboard":  func() error { _, err := w.Scoreboard(w.ctx, x.ID); return err },
		"tournament":  func() error { _, err := w.Tournament(w.ctx, x.ID); return err },
		"entries":     func() error { _, err := w.Entries(w.ctx, x.ID); return err },
		"bot":         func() error { _, err := w.Bot(w.ctx, bot); return err },
		"versions":    func() error { _, err := w.Versions(w.ctx, bot); return err },
		"career":      func() error { _, err := w.Career(w.ctx, bot); return err },
		"count":       func() error { _, err := w.CountLadders(w.ctx); return err },
		"ladder":      func() error { _, _, err := w.LadderRows(w.ctx, x.LadderID, store.Page{}); return err },
		"ladders":     func() error { _, err := w.Ladders(w.ctx); return err },
		"fit":         func() error { _, err := w.Fit(w.ctx, x.LadderID); return ignoring(err, tournament.ErrNotFound) },
		"history":     func() error { _, err := w.History(w.ctx, x.LadderID); return err },
		"user":        func() error { _, err := w.User(w.ctx, w.org.ID); return err },
		"schedules":   func() error { _, _, err := w.Schedules(w.ctx, store.ScheduleFilter{}, store.Page{}); return err },
		"due":         func() error { _, err := w.DueTournaments(w.ctx); return err },
		"sweep":       func() error { _, err := w.Sweep(w.ctx, lease); return err },
		"feed":        func() error { _, err := w.Feed(w.ctx, "", 0, 9); return err },
		"webhooks":    func() error { _, _, err := w.Webhooks(w.ctx, w.org.ID, store.Page{}); return err },
		"due checks":  func() error { _, err := w.DueChecks(w.ctx, 9, 9, nil); return err },
		"pulse":       func() error { _, err := pulse.Take(w.ctx, w.DB); return err },
		"the ratings": func() error { return w.CheckRatings(w.ctx, x.LadderID) },
	} {
		if err := read(); err != nil {
			w.t.Errorf("%s: %v", name, err)
		}
	}
}

func ignoring(err, known error) error {
	if errors.Is(err, known) {
		return nil
	}
	return err
}

func TestThisProgramGoesOnWhileTheTablesAreThoseOfTheNextRelease(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		x, list := w.running(3, nil)
		w.must(w.played(list[0], 0))
		live := w.claim(list[1])
		w.must(w.AppendStep(w.ctx, live.ID, live.Epoch, step(1, 2)))

		w.reads(x, live)
		nextRelease(t, w.Store) // while this process runs
		w.reads(x, live)

		for n := 2; n <= 3; n++ {
			w.must(w.AppendStep(w.ctx, live.ID, live.Epoch, step(n, 2)))
		}
		w.must(w.Renew(w.ctx, live.ID, live.Epoch, lease))
		w.must(w.Finish(w.ctx, live, won(live, 1), nil))
		for _, m := range list[2:] {
			w.must(w.played(m, 0))
		}
		w.must(w.CheckRatings(w.ctx, x.LadderID))

		w.on(open(store.Options{Now: w.clk.Now})) // and when it is started again
		if waiting, _ := pending(t, w.Store); waiting != 0 {
			t.Errorf("%d migrations wait: serve would refuse the database", waiting)
		}
		w.must(w.Migrate(w.ctx)) // somebody runs the old one's migrate
		y, more := w.running(4, func(x *tournament.Tournament) { x.Format, x.Cycles = tournament.Swiss, 1 })
		for len(more) > 0 {
			for _, m := range more {
				if m.Status == tournament.MatchQueued {
					w.must(w.played(m, 0))
				}
			}
			w.must(w.Advance(w.ctx, y.ID))
			more = nil
			for _, m := range w.all(store.MatchFilter{TournamentID: y.ID}) {
				if m.Status == tournament.MatchQueued {
					more = append(more, m)
				}
			}
		}
		if y, err := w.Tournament(w.ctx, y.ID); err != nil || y.Status != tournament.Finished {
			t.Errorf("the swiss is %s (%v), want it finished", y.Status, err)
		}
		w.must(w.CheckRatings(w.ctx, x.LadderID))
		for _, m := range w.all(store.MatchFilter{TournamentID: y.ID, Status: tournament.MatchQueued}) {
			t.Errorf("match %s waits", m.ID)
		}
		for _, seat := range list[0].Seats {
			_, err := w.JoinLadder(w.ctx, x.LadderID, seat.BotID, seat.OwnerID, 10)
			w.must(err)
		}
		if n, err := w.MakeLadder(w.ctx, x.LadderID, 1000); err != nil || n != 1 {
			t.Errorf("the ladder made %d matches (%v), want one", n, err)
		}
		s, err := w.CreateSchedule(w.ctx, schedule.Schedule{
			OrganiserID: w.org.ID, When: schedule.Once(w.clk.Now().Add(time.Minute)), Opens: time.Hour, Template: x,
		})
		w.must(err)
		if made, err := w.MakeDue(w.ctx, s.ID); err != nil || len(made) != 1 {
			t.Errorf("the schedule made %d tournaments (%v), want one", len(made), err)
		}
		if events, err := w.Feed(w.ctx, "", 0, 1000); err != nil || len(events) < 10 {
			t.Errorf("%d events (%v)", len(events), err)
		}
		_, err = w.CreateWebhook(w.ctx, tournament.Webhook{UserID: w.org.ID, URL: "http://hook", Secret: "whsec_1"}, 9)
		w.must(err)
		_, err = pulse.Take(w.ctx, w.DB)
		w.must(err)
		w.clk.move(48 * time.Hour)
		if n, err := w.Pack(w.ctx, time.Hour, 100); err != nil || n < 5 {
			t.Errorf("%d matches packed (%v)", n, err)
		}
		if _, err := archive.Backup(w.ctx, w.DB, new(bytes.Buffer)); err != nil {
			t.Errorf("backup: %v", err)
		}
	})
}
