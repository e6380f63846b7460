package cli_test

import (
	"context"
	"database/sql"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/jobs"
	"github.com/molerun/molerun/tournament/store"
)

// club makes a platform of five bots and twenty matches of Mole Hill on SQLite, and plays them until enough is true.
func club(t *testing.T, url string, enough func(db *store.Store) bool) {
	t.Helper()
	if code, _, errs := call("", "migrate", "--database", url); code != 0 {
		t.Fatal(errs)
	}
	db, _ := cup(t, url, newSwarm(t, 0), 1)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- jobs.Run(ctx, jobs.Config{Store: db, Director: directortest.Of(db, catalog.Find), Engines: catalog.Find, Slots: 2, Players: players(t, db)})
	}()
	for range 6000 { // bounded, not measured
		if enough(db) {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if !enough(db) {
		t.Error("the matches were not played")
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func over(t *testing.T, db *store.Store) (done, all int) {
	t.Helper()
	list, _, err := db.Matches(context.Background(), store.MatchFilter{}, store.Page{Limit: 100})
	if err != nil {
		t.Error(err)
	}
	for _, m := range list {
		if m.Status == tournament.MatchDone {
			done++
		}
	}
	return done, len(list)
}

func TestABackupOfMatchesUnderWayIsRestoredAndVerified(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "backup.jsonl.gz")
	from := "sqlite:" + filepath.Join(dir, "from.db")
	taken := false
	club(t, from, func(db *store.Store) bool {
		done, all := over(t, db)
		rated, _, err := db.LadderRows(context.Background(), "molehill", store.Page{Limit: 1})
		if err == nil && len(rated) > 0 && done >= 3 && !taken { // on a busy machine three may be over before one is rated
			taken = true
			if code, _, errs := call("", "admin", "backup", file, "--database", from); code != 0 || !strings.Contains(errs, "backed up ") {
				t.Errorf("backup while matches run: exit code %d, %s", code, errs)
			}
		}
		return taken && done == all
	})
	fails(t, 2, []string{"admin", "backup", file, "--database", from}, "is there already")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup has mode %v (%v), want 0600: it holds secrets", info.Mode(), err)
	}
	for _, to := range []string{"sqlite:" + filepath.Join(dir, "to.db"), storetest.PostgresURL(t)} {
		out, _ := exits(t, 0, "admin", "restore", file, "--verify", "--database", to)
		if says(t, out, "ok   ladder molehill", "ok   matches: "); strings.Contains(out, ": 0 played") {
			t.Errorf("no match was played again:\n%s", out)
		}
	}
	t.Run("what was changed is found", func(t *testing.T) {
		db, err := sql.Open("sqlite", filepath.Join(dir, "to.db"))
		must.OK(t, err)
		defer db.Close()
		for _, change := range []string{
			"UPDATE ratings SET milli = milli + 1 WHERE version_id = (SELECT MIN(version_id) FROM ratings)",
			`UPDATE matches SET result = REPLACE(result, '"rank":[1,2]', '"rank":[2,1]') WHERE id = (SELECT MIN(id) FROM matches WHERE result LIKE '%"rank":[1,2]%')`,
		} {
			if r, err := db.ExecContext(t.Context(), change); err != nil {
				t.Fatal(err)
			} else if n, _ := r.RowsAffected(); n != 1 {
				t.Fatalf("%s changed %d rows, want 1", change, n)
			}
		}
		code, out, errs := call("", "admin", "copy", "--verify", "--from", "sqlite:"+filepath.Join(dir, "to.db"), "--to", "sqlite:"+filepath.Join(dir, "third.db"))
		if code != 1 || !strings.Contains(out, "FAIL ladder molehill") || !strings.Contains(out, "FAIL match ") {
			t.Errorf("exit code %d\n%s%s\nwant 1, the ladder and the match", code, out, errs)
		}
	})
	t.Run("a platform moves from SQLite to Postgres", func(t *testing.T) {
		to := storetest.PostgresURL(t)
		code, out, errs := call("", "admin", "copy", "--from", from, "--to", to)
		if code != 0 || !strings.Contains(out, "the fold of 20 places") {
			t.Errorf("exit code %d\n%s%s; want the fold of 20 places", code, out, errs)
		}
		code, _, errs = call("", "admin", "copy", "--from", from, "--to", to)
		if code != 1 || !strings.Contains(errs, "database_not_empty") {
			t.Errorf("a second time: exit code %d, %s; want 1, database_not_empty", code, errs)
		}
		_, was, _ := call("", "ratings", "replay", "--database", from)
		_, is, _ := call("", "ratings", "replay", "--database", to)
		if was != is || strings.Count(was, "\n") != 6 {
			t.Errorf("the ladder was\n%s\nand is\n%s", was, is)
		}
	})
	t.Run("the doctor finds it well", func(t *testing.T) {
		code, out, errs := call("", "admin", "doctor", "--database", from)
		if code != 0 || strings.Contains(out, "FAIL") || !strings.Contains(out, "ok   queue: 0 matches open") {
			t.Errorf("exit code %d\n%s%s", code, out, errs)
		}
	})
}

func TestTheDoctorSaysWhatIsWrongAndWhatHelps(t *testing.T) {
	behind := filepath.Join(t.TempDir(), "behind.db")
	writes(t, behind, "")
	open := strings.TrimPrefix(migrated(t), "sqlite:")
	must.OK(t, os.Chmod(open, 0o644))
	late := migrated(t)
	db, err := sql.Open("sqlite", strings.TrimPrefix(late, "sqlite:"))
	must.OK(t, err)
	defer db.Close()
	for _, row := range []string{
		"INSERT INTO users (id, name, name_folded, role, created_at, disabled_at, disabled_reason) VALUES ('u', 'org', 'org', 'organiser', '2026-01-01 00:00:00+00:00', NULL, '')",
		`INSERT INTO schedules VALUES ('s', 'u', 'molehill', '{}', '', '', '2026-01-01 00:00:00+00:00', 2, 1, 'active', '', 0,
			'2026-01-01 00:00:00+00:00', '2026-01-01 00:00:00+00:00', '[]', 0, '2026-01-01 00:00:00+00:00', NULL, FALSE)`,
	} {
		_, err := db.ExecContext(t.Context(), row)
		must.OK(t, err)
	}
	newer := migrated(t)
	ahead, err := sql.Open("sqlite", strings.TrimPrefix(newer, "sqlite:"))
	must.OK(t, err)
	defer ahead.Close()
	_, err = ahead.ExecContext(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (90000, 1)")
	must.OK(t, err)
	must.OK(t, os.Chmod(strings.TrimPrefix(newer, "sqlite:")+"-wal", 0o644))
	for _, args := range [][]string{{}, {"--status"}} {
		code, _, errs := call("", append([]string{"migrate", "--database", newer}, args...)...)
		if want := "the database has 90000, which this program does not know\nnext: run the release that migrated it"; code != 0 || !strings.HasPrefix(errs, want) {
			t.Errorf("migrate %v of an earlier release: exit code %d, %q; want %q", args, code, errs, want)
		}
	}
	for _, row := range []struct {
		name  string
		env   [2]string
		args  []string
		code  int
		parts []string
	}{
		{"no database", [2]string{}, []string{"--database", "postgres://127.0.0.1:1/x?connect_timeout=2"}, 1, []string{"FAIL database", "next: start the database"}},
		{"no file, and none made", [2]string{}, []string{"--database", behind + "-not"}, 1, []string{"FAIL database", "molerun migrate"}},
		{"behind", [2]string{}, []string{"--quick", "--database", behind}, 1, []string{"FAIL migrations", "next: molerun migrate"}},
		{"of a later release", [2]string{}, []string{"--quick", "--database", newer}, 0, []string{"ok   database", "warn migrations: the database has 90000, which this program does not know\n     next: run the release that migrated it"}},
		{"quick", [2]string{}, []string{"--quick", "--database", open}, 0, []string{"ok   database", "ok   migrations"}},
		{"a readable file", [2]string{}, []string{"--database", open}, 0, []string{"warn file", "chmod 600", "ok   clock", "ok   open files", "ok   settings"}},
		{"nobody starts tournaments", [2]string{}, []string{"--database", late}, 1, []string{"FAIL schedule", "is one running?"}},
		{"metrics for all", [2]string{"MOLERUN_METRICS", "0.0.0.0:9090"}, []string{"--database", open}, 0, []string{"warn settings: MOLERUN_METRICS", "only Prometheus"}},
		{"private bots", [2]string{"MOLERUN_ALLOW_PRIVATE_BOTS", "127.0.0.0/8"}, []string{"--database", open}, 0, []string{"warn settings: MOLERUN_ALLOW_PRIVATE_BOTS"}},
		{"no network", [2]string{"MOLERUN_ALLOW_PRIVATE_BOTS", "here"}, []string{"--database", open}, 1, []string{"FAIL settings"}},
		{"a login without an issuer", [2]string{"MOLERUN_REGISTRATION", "login"}, []string{"--database", open}, 1, []string{"FAIL settings: MOLERUN_REGISTRATION=login", "set MOLERUN_OIDC_ISSUER"}},
		{"an issuer that all can read", [2]string{"MOLERUN_OIDC_ISSUER", "http://x"}, []string{"--database", open}, 1, []string{"FAIL settings: MOLERUN_OIDC_ISSUER", "FAIL settings: MOLERUN_OIDC_CLIENT_ID", "FAIL settings: MOLERUN_PUBLIC_URL"}},
		{"a client without an issuer", [2]string{"MOLERUN_OIDC_CLIENT_ID", "x"}, []string{"--database", open}, 1, []string{"FAIL settings: MOLERUN_OIDC_ISSUER"}},
		{"no port", [2]string{"MOLERUN_LISTEN", "127.0.0.1"}, []string{"--database", open}, 1, []string{"FAIL settings: MOLERUN_LISTEN"}},
		{"no database of ours", [2]string{}, []string{"--database", "mysql://x"}, 1, []string{"FAIL settings: MOLERUN_DATABASE, --database: mysql://"}},
		{"too many workers", [2]string{"MOLERUN_WORKERS", "999999"}, []string{"--database", open}, 1, []string{"FAIL open files"}},
		{"every proxy, and a space", [2]string{"MOLERUN_TRUSTED_PROXIES", "10.0.0.0/8, 0.0.0.0/0"}, []string{"--database", open}, 0, []string{"warn settings: MOLERUN_TRUSTED_PROXIES"}},
		{"every proxy", [2]string{"MOLERUN_TRUSTED_PROXIES", "0.0.0.0/0"}, []string{"--database", open}, 0, []string{"warn settings: MOLERUN_TRUSTED_PROXIES"}},
		{"a readable file beside it", [2]string{}, []string{"--database", newer}, 0, []string{"ok   file", "-wal has mode 0644\n     next: chmod 600"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if row.env[0] != "" {
				t.Setenv(row.env[0], row.env[1])
			}
			code, out, errs := call("", append([]string{"admin", "doctor"}, row.args...)...)
			for _, part := range row.parts {
				says(t, out, part)
			}
			if code != row.code {
				t.Errorf("exit code %d, want %d", code, row.code)
			}
			if t.Failed() {
				t.Logf("%s%s", out, errs)
			}
		})
	}
	if _, err := os.Stat(behind + "-not"); err == nil {
		t.Error("the doctor made a database")
	}
}

func TestTheDoctorSaysThatSearchesReadAllNames(t *testing.T) {
	postgres := storetest.PostgresURL(t)
	if _, out, _ := call("", "admin", "doctor", "--database", postgres); strings.Contains(out, "search") {
		t.Errorf("with the index:\n%s", out)
	}
	db, err := sql.Open("pgx", postgres)
	must.OK(t, err)
	defer db.Close()
	_, err = db.ExecContext(t.Context(), "DROP INDEX bots_by_parts_of_names")
	must.OK(t, err)
	code, out, _ := call("", "admin", "doctor", "--database", postgres)
	if code != 0 || !strings.Contains(out, "warn search: ") || !strings.Contains(out, "CREATE EXTENSION pg_trgm") {
		t.Errorf("without it: exit code %d\n%s", code, out)
	}
}

// A database that answers may still refuse every write.
func TestTheDoctorSaysThatADatabaseIsReadOnly(t *testing.T) {
	postgres := storetest.PostgresURL(t)
	if _, out, _ := call("", "admin", "doctor", "--database", postgres); !strings.Contains(out, "ok   writes: ") {
		t.Errorf("one that takes writes:\n%s", out)
	}
	and := "?"
	if strings.Contains(postgres, "?") {
		and = "&"
	}
	code, out, _ := call("", "admin", "doctor", "--database", postgres+and+"default_transaction_read_only=on")
	if code != 1 || !strings.Contains(out, "FAIL writes: the database is read-only\n     next: ") {
		t.Errorf("one that is read-only: exit code %d\n%s", code, out)
	}
}

// A Postgres that takes no writes is told with what to do, by each command that writes.
func TestACommandOnAPostgresThatTakesNoWritesSaysWhatHelps(t *testing.T) {
	postgres, from := storetest.PostgresURL(t), migrated(t)
	u, err := url.Parse(postgres)
	must.OK(t, err)
	if code, out, errs := call("", "migrate", "--database", postgres); code != 0 {
		t.Fatalf("%q %q", out, errs)
	}
	backup := filepath.Join(t.TempDir(), "b")
	if code, out, errs := call("", "admin", "backup", backup, "--database", from); code != 0 {
		t.Fatalf("%q %q", out, errs)
	}
	q := u.Query()
	q.Set("default_transaction_read_only", "on")
	u.RawQuery = q.Encode()
	for _, args := range [][]string{
		{"migrate", "--database", u.String()}, {"admin", "token", "ada", "--database", u.String()}, {"admin", "restore", backup, "--database", u.String()},
		{"admin", "copy", "--from", from, "--to", u.String()},
	} {
		code, out, errs := call("", args...)
		if code != 1 || !strings.Contains(errs, "read-only transaction") || !strings.HasSuffix(errs, "\nnext: name the host that takes writes: a standby does not, nor does one whose host found its disk nearly full\n") {
			t.Errorf("%v: exit code %d, %q %q", args[:2], code, out, errs)
		}
	}
}

// A role that may not do what a command asks for is told what it needs: to migrate does not help it.
func TestARoleOfPostgresWithoutRightsIsToldWhichItNeeds(t *testing.T) {
	postgres := storetest.PostgresURL(t)
	u, err := url.Parse(postgres)
	must.OK(t, err)
	if code, out, errs := call("", "migrate", "--database", postgres); code != 0 {
		t.Fatalf("%q %q", out, errs)
	}
	db, err := sql.Open("pgx", postgres)
	must.OK(t, err)
	defer db.Close()
	_, err = db.ExecContext(t.Context(), "REVOKE EXECUTE ON FUNCTION pg_notify FROM PUBLIC")
	must.OK(t, err)
	q := u.Query()
	q.Set("role", "pg_monitor") // every server has it
	u.RawQuery = q.Encode()
	for _, args := range [][]string{{"migrate"}, {"admin", "doctor"}, {"admin", "user", "list"}} {
		code, out, errs := call("", append(args, "--database", u.String())...)
		if code != 1 || !strings.Contains(out+errs, "permission denied") || !strings.Contains(out+errs, "next: run migrate as the role that owns the tables") || strings.Contains(out, "MOLERUN_DATABASE_DIRECT") {
			t.Errorf("%v: exit code %d, %q %q", args, code, out, errs)
		}
	}
}

// The server of the tests admits 297 connections.
func TestAProcessKeepsNoMoreConnectionsThanPostgresAdmits(t *testing.T) {
	postgres := storetest.PostgresURL(t)
	t.Setenv("MOLERUN_WORKERS", "8")
	t.Setenv("MOLERUN_DATABASE_CONNECTIONS", "20")
	if _, out, _ := call("", "admin", "doctor", "--database", postgres); !strings.Contains(out, "ok   connections: a process with 8 slots keeps up to 21; the database admits ") {
		t.Errorf("the doctor, of 20 connections:\n%s", out)
	}
	t.Setenv("MOLERUN_DATABASE_CONNECTIONS", "900")
	code, out, _ := call("", "admin", "doctor", "--database", postgres)
	if code != 1 || !strings.Contains(out, "FAIL connections: ") || !strings.Contains(out, "keeps up to 901") {
		t.Errorf("the doctor, of 900 connections: exit code %d\n%s", code, out)
	}
	fails(t, 2, []string{"work", "--metrics=", "--database", postgres}, "set MOLERUN_DATABASE_CONNECTIONS to ")
}
