package store_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
)

func pending(t *testing.T, s *store.Store) (waiting, all int) {
	t.Helper()
	list := must.Get(s.MigrationStatus(t.Context()))(t)
	for _, m := range list {
		if m.Name == "" || (m.Applied != nil && m.Pending) {
			t.Errorf("migration %+v", m)
		}
		if m.Pending {
			waiting++
		}
	}
	return waiting, len(list)
}

func TestMigrationsRunOnceOnAnEmptyDatabase(t *testing.T) {
	storetest.Bare(t, func(t *testing.T, open storetest.Open) {
		s := open(store.Options{})
		if waiting, all := pending(t, s); waiting != all || all < 2 {
			t.Errorf("%d of %d migrations wait before the first run, want all", waiting, all)
		}
		if tables, err := s.SQL(t.Context()).Migrator().GetTables(); err != nil || len(tables) > 0 {
			t.Errorf("who asked made %v (%v): want nothing made, the database may be somebody else's", tables, err)
		}
		for range 2 {
			must.OK(t, s.Migrate(t.Context()))
			if waiting, all := pending(t, s); waiting != 0 {
				t.Errorf("%d of %d migrations wait after a run, want none", waiting, all)
			}
		}
	})
}

// Main has had migrations that came after one of a higher number. A database of such a state gets them, and the tables of all others.
func TestAMigrationThatCameAfterALaterNumberIsMadeUp(t *testing.T) {
	straight := map[string][]string{} // the schema, by the kind of database
	for _, state := range []struct {
		at      int64
		missing []int64
	}{
		{0, nil}, {12, []int64{11}}, {22, []int64{20, 21}}, {22, []int64{21}}, {25, []int64{23}}, {27, []int64{23}}, {32, []int64{29}},
		{37, []int64{34, 35}}, {37, []int64{34}}, {46, []int64{45}},
	} {
		t.Run(fmt.Sprint(state.at, " without ", state.missing), func(t *testing.T) {
			storetest.Bare(t, func(t *testing.T, open storetest.Open) {
				s := open(store.Options{})
				p := provider(t, s)
				for _, m := range p.ListSources() {
					if m.Version <= state.at && !slices.Contains(state.missing, m.Version) {
						if _, err := p.ApplyVersion(t.Context(), m.Version, true); err != nil {
							t.Fatal(err)
						}
					}
				}
				must.OK(t, s.Migrate(t.Context()))
				if waiting, all := pending(t, s); waiting != 0 {
					t.Errorf("%d of %d migrations wait", waiting, all)
				}
				kind := s.SQL(t.Context()).Name()
				got := schema(t, s)
				if straight[kind] == nil {
					straight[kind] = got
				}
				if !slices.Equal(got, straight[kind]) {
					t.Errorf("the tables are\n%s\nwant, as if migrated in order,\n%s", strings.Join(got, "\n"), strings.Join(straight[kind], "\n"))
				}
			})
		})
	}
}

// schema lists every column and index, whatever their order is.
func schema(t *testing.T, s *store.Store) []string {
	t.Helper()
	ask := `SELECT m.name || ' ' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || COALESCE(c.dflt_value, '') FROM sqlite_master m, pragma_table_info(m.name) c
		WHERE m.type = 'table' UNION SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1`
	if s.SQL(t.Context()).Name() == "postgres" {
		ask = `SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) FROM information_schema.columns WHERE table_schema = 'public'
			UNION SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
			UNION SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1`
	}
	var out []string
	must.OK(t, s.SQL(t.Context()).Raw(ask).Scan(&out).Error)
	if len(out) < 200 {
		t.Errorf("%d columns and indexes: the tables were not found", len(out))
	}
	return out
}

// A seat is written again when its match ends; without room on its page every index of the table gets an entry more.
func TestPagesOfSeatsHaveRoomForEndings(t *testing.T) {
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		s := open(store.Options{})
		for range 2 {
			must.OK(t, s.Migrate(t.Context()))
			var set string
			err := s.SQL(t.Context()).Raw("SELECT array_to_string(reloptions, ',') FROM pg_class WHERE oid = to_regclass('match_seats')").Scan(&set).Error
			if err != nil || set != "fillfactor=60" {
				t.Errorf("pages of seats have %q (%v), want fillfactor=60", set, err)
			}
		}
	})
}

// Where the extension may not be made, or is somewhere we do not look, searches do without; the next Migrate finds it.
func TestNamesAreIndexedByTheirPartsWherePostgresCan(t *testing.T) {
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		s := open(store.Options{})
		for _, step := range []struct {
			before []string
			want   bool
		}{
			{nil, true},
			{[]string{"DROP EXTENSION pg_trgm CASCADE", "CREATE SCHEMA apart", "CREATE EXTENSION pg_trgm SCHEMA apart"}, false},
			{[]string{"DROP EXTENSION pg_trgm"}, true},
		} {
			for _, sql := range step.before {
				if err := s.SQL(t.Context()).Exec(sql).Error; err != nil {
					t.Fatalf("%s: %v", sql, err)
				}
			}
			must.OK(t, s.Migrate(t.Context()))
			if got, err := s.FindsParts(t.Context()); got != step.want || err != nil {
				t.Errorf("after %q: indexed %v, %v, want %v", step.before, got, err, step.want)
			}
		}
	})
}

// A backup, or whoever else reads for long, holds a migration up, which holds up nobody else: on Postgres all that ask for a table wait behind it.
func TestAMigrationThatWaitsForABackupHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		s := open(store.Options{})
		for _, change := range []string{"ALTER TABLE bots DROP COLUMN owner_paused", "DELETE FROM goose_db_version WHERE version_id = 58"} {
			must.OK(t, s.SQL(t.Context()).Exec(change).Error)
		}
		reading := must.Get(open(store.Options{}).Raw().BeginTx(t.Context(), nil))(t)
		_, err := reading.ExecContext(t.Context(), "SELECT id FROM bots LIMIT 1")
		must.OK(t, err)
		migrated := make(chan error, 1)
		go func() { migrated <- s.Migrate(t.Context()) }()
		other := open(store.Options{})
		for end := time.Now().Add(3 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			err := other.SQL(ctx).Exec("UPDATE bots SET passes = passes").Error
			cancel()
			if err != nil {
				t.Fatalf("a worker that writes meanwhile: %v", err)
			}
		}
		select {
		case err := <-migrated:
			t.Fatalf("the migration has not waited for the reader (%v)", err)
		default:
		}
		must.OK(t, reading.Rollback())
		must.OK(t, <-migrated)
		must.OK(t, s.SQL(t.Context()).Exec("SELECT owner_paused FROM bots").Error)
	})
}

func TestProcessesThatMigrateTogetherTakeTurns(t *testing.T) {
	storetest.Bare(t, func(t *testing.T, open storetest.Open) {
		s := open(store.Options{})
		stores := []*store.Store{s, open(store.Options{}), open(store.Options{}), open(store.Options{})}
		directortest.Race(4, func(i int) error { return stores[i].Migrate(t.Context()) }, func(err error) { t.Error(err) })
		if waiting, all := pending(t, s); waiting != 0 {
			t.Errorf("%d of %d migrations wait", waiting, all)
		}
	})
}

func TestTheTablesRefuseWhatTheProgramNeverWrites(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		w.Running(2, nil)
		for _, sql := range []string{
			"UPDATE users SET role = 'king'",
			"UPDATE bots SET status = 'asleep'",
			"UPDATE matches SET status = 'done'",
			"UPDATE matches SET status = 'void'",
			"UPDATE matches SET ladder_seq = NULL",
			"UPDATE matches SET rated = FALSE",
			"UPDATE matches SET ladder_id = 'nowhere'",
			"UPDATE matches SET seed = 'short'",
			"UPDATE match_seats SET seat = 16",
			"UPDATE match_seats SET alias = 'same'",
			"UPDATE entries SET bot_id = 'nobody'",
			"UPDATE ladders SET next_seq = last_seq + 2",
			"DELETE FROM users",
			"INSERT INTO matches SELECT * FROM matches",
		} {
			if err := w.InTx(w.Ctx, func(tx *store.Tx) error { return tx.SQL.Exec(sql).Error }); err == nil {
				t.Errorf("%s: was accepted", sql)
			}
		}
	})
}

func TestADatabaseThatCannotBeOpenedIsAnErrorWithoutItsPassword(t *testing.T) {
	o := store.Options{Now: directortest.NewClock().Now, Rand: strings.NewReader("")}
	for _, dsn := range []string{"postgres://me:hunter2@[bad/db", "postgres://me:hunter2@127.0.0.1:1/db?connect_timeout=2", "sqlite:", "x.db?mode=memory", filepath.Join(t.TempDir(), "no", "such", "folder.db")} {
		s, err := store.Open(t.Context(), dsn, o)
		if err == nil {
			t.Errorf("%s was opened", dsn)
			_ = s.Close()
		} else if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%v tells the password", err)
		}
	}
	if _, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), store.Options{}); err == nil {
		t.Error("a store without clock and randomness was opened")
	}
}

func TestWithoutRandomnessNothingIsMade(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		dry := director.New(w.Store, director.Options{Engines: storetest.Engines, Rand: strings.NewReader("")})
		b := w.NewBot("fox", w.Org)
		x := w.Plan(nil)
		for _, b := range []tournament.Bot{b, w.NewBot("owl", w.NewUser("olga"))} {
			w.Did(w.Join(w.Ctx, x.ID, b.ID, b.OwnerID))
		}
		if _, err := dry.Start(w.Ctx, x.ID); err == nil {
			t.Error("a tournament was started without randomness")
		}
		if got, err := w.Tournament(w.Ctx, x.ID); err != nil || got.Status != tournament.Scheduled {
			t.Errorf("tournament is %s (%v), want scheduled", got.Status, err)
		}
	})
}

func TestAClosedStoreIsAnError(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		if err := w.Ping(w.Ctx); err != nil {
			t.Error(err)
		}
		w.Must(w.Close())
		if err := w.Ping(w.Ctx); err == nil {
			t.Error("a closed store answers")
		}
		if _, err := w.User(w.Ctx, w.Org.ID); err == nil || errors.Is(err, tournament.ErrNotFound) {
			t.Errorf("got %v, want an error that is not %v", err, tournament.ErrNotFound)
		}
	})
}
