package store_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/archive"
	"github.com/molerun/molerun/tournament/store/pulse"
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
	must.OK(t, s.SQL(t.Context()).Raw(query).Scan(&tables).Error)
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

// reads asks what the API and the pages ask of a tournament, a match and its bots, and what the sweeper asks.
func (w *world) reads(x tournament.Tournament, m tournament.Match) {
	w.T.Helper()
	all := everyRead(w.Store, w.Director, w.Org, x, m)
	all["scoreboard"] = func(ctx context.Context) error { _, err := w.Scoreboard(ctx, x.ID); return err }
	all["due"] = func(ctx context.Context) error { _, err := w.DueTournaments(ctx); return err }
	all["due checks"] = func(ctx context.Context) error { _, err := w.DueChecks(ctx, 9, 9, nil); return err }
	all["sweep"] = func(ctx context.Context) error { _, err := w.Sweep(ctx, directortest.Lease); return err }
	for name, read := range all {
		if err := read(w.Ctx); err != nil {
			w.T.Errorf("%s: %v", name, err)
		}
	}
}

func TestThisProgramGoesOnWhileTheTablesAreThoseOfTheNextRelease(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		x, list := w.Running(3, nil)
		w.Must(w.Played(list[0], 0))
		live := w.Take(list[1])
		w.Must(w.Renew(w.Ctx, live.ID, live.Epoch, time.Hour)) // on a slow machine the rest takes longer than a lease
		w.Must(w.AppendStep(w.Ctx, live.ID, live.Epoch, directortest.Step(1, 2)))

		w.reads(x, live)
		nextRelease(t, w.Store) // while this process runs
		w.reads(x, live)

		for n := 2; n <= 3; n++ {
			w.Must(w.AppendStep(w.Ctx, live.ID, live.Epoch, directortest.Step(n, 2)))
		}
		w.Must(w.Renew(w.Ctx, live.ID, live.Epoch, time.Hour))
		w.Must(w.Finish(w.Ctx, live, directortest.Won(live, 1), nil))
		w.PlayAll(list[2:])
		w.Must(w.CheckRatings(w.Ctx, x.LadderID))

		w.Use(open(store.Options{Now: w.Clock.Now})) // and when it is started again
		if waiting, _ := pending(t, w.Store); waiting != 0 {
			t.Errorf("%d migrations wait: serve would refuse the database", waiting)
		}
		w.Must(w.Migrate(w.Ctx)) // somebody runs the old one's migrate
		y, more := w.Running(4, func(x *tournament.Tournament) { x.Format, x.Cycles = tournament.Swiss, 1 })
		for len(more) > 0 {
			for _, m := range more {
				if m.Status == tournament.MatchQueued {
					w.Must(w.Played(m, 0))
				}
			}
			w.Must(w.Advance(w.Ctx, y.ID))
			more = nil
			for _, m := range w.All(store.MatchFilter{TournamentID: y.ID}) {
				if m.Status == tournament.MatchQueued {
					more = append(more, m)
				}
			}
		}
		if y, err := w.Tournament(w.Ctx, y.ID); err != nil || y.Status != tournament.Finished {
			t.Errorf("the swiss is %s (%v), want it finished", y.Status, err)
		}
		w.Must(w.CheckRatings(w.Ctx, x.LadderID))
		for _, m := range w.All(store.MatchFilter{TournamentID: y.ID, Status: tournament.MatchQueued}) {
			t.Errorf("match %s waits", m.ID)
		}
		for _, seat := range list[0].Seats {
			w.Did(w.JoinLadder(w.Ctx, x.LadderID, seat.BotID, seat.OwnerID, 10))
		}
		if n, err := w.MakeLadder(w.Ctx, x.LadderID, 1000); err != nil || n != 1 {
			t.Errorf("the ladder made %d matches (%v), want one", n, err)
		}
		s, err := w.CreateSchedule(w.Ctx, schedule.Schedule{
			OrganiserID: w.Org.ID, When: schedule.Once(w.Clock.Now().Add(time.Minute)), Opens: time.Hour, Template: x,
		})
		w.Must(err)
		if made, err := w.MakeDue(w.Ctx, s.ID); err != nil || len(made) != 1 {
			t.Errorf("the schedule made %d tournaments (%v), want one", len(made), err)
		}
		if events, err := w.Feed(w.Ctx, "", 0, 1000); err != nil || len(events) < 10 {
			t.Errorf("%d events (%v)", len(events), err)
		}
		w.Did(w.CreateWebhook(w.Ctx, tournament.Webhook{UserID: w.Org.ID, URL: "http://hook", Secret: "whsec_1"}, 9))
		w.Did(pulse.Take(w.Ctx, w.DB))
		w.Clock.Move(48 * time.Hour)
		if n, err := w.Pack(w.Ctx, time.Hour, 100); err != nil || n < 5 {
			t.Errorf("%d matches packed (%v)", n, err)
		}
		if _, err := archive.Backup(w.Ctx, w.DB, new(bytes.Buffer)); err != nil {
			t.Errorf("backup: %v", err)
		}
	})
}
