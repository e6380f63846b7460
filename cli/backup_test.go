package cli_test

import (
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
)

// yesterday returns a platform that has played much: see TestABackupOfYesterdayIsRestored.
func yesterday(t *testing.T) string {
	t.Helper()
	return begins(t, "admin", "restore", "testdata/golden/backup.jsonl.gz")
}

func TestABackupIsRestoredAndVerified(t *testing.T) {
	t.Parallel()
	from, dir := yesterday(t), t.TempDir()
	file := filepath.Join(dir, "backup.jsonl.gz")
	_, errs := exits(t, 0, "admin", "backup", file, "--database", from)
	says(t, errs, "backed up ")
	fails(t, 2, []string{"admin", "backup", file, "--database", from}, "is there already")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup has mode %v (%v), want 0600: it holds secrets", info.Mode(), err)
	}
	to := filepath.Join(dir, "to.db")
	out, _ := exits(t, 0, "admin", "restore", file, "--verify", "--database", "sqlite:"+to)
	if says(t, out, "ok   ladder molehill", "ok   matches: "); strings.Contains(out, ": 0 played") {
		t.Errorf("no match was played again:\n%s", out)
	}
	t.Run("what was changed is found", func(t *testing.T) {
		db, err := sql.Open("sqlite", to)
		must.OK(t, err)
		defer db.Close()
		for _, change := range []string{
			"UPDATE ratings SET milli = milli + 1 WHERE version_id = (SELECT MIN(version_id) FROM ratings WHERE ladder_id = 'cia') AND ladder_id = 'cia'",
			`UPDATE matches SET result = REPLACE(result, '"rank":[1,2]', '"rank":[2,1]') WHERE id = (SELECT MIN(id) FROM matches WHERE result LIKE '%"rank":[1,2]%')`,
		} {
			r, err := db.ExecContext(t.Context(), change)
			must.OK(t, err)
			if n, _ := r.RowsAffected(); n != 1 {
				t.Fatalf("%s changed %d rows, want 1", change, n)
			}
		}
		out, _ := exits(t, 1, "admin", "copy", "--verify", "--from", "sqlite:"+to, "--to", "sqlite:"+filepath.Join(dir, "third.db"))
		says(t, out, "FAIL ladder cia", "FAIL match ")
		out, errs := exits(t, 1, "ratings", "replay", "--check", "--database", "sqlite:"+to)
		says(t, out, "FAIL ladder cia: ratings_differ: rating", "ok ")
		says(t, errs, "1 ladders")
	})
	t.Run("a platform moves from SQLite to Postgres", func(t *testing.T) {
		to := storetest.PostgresURL(t)
		out, _ := exits(t, 0, "admin", "copy", "--from", from, "--to", to)
		says(t, out, "the fold of 20 places")
		_, errs := exits(t, 1, "admin", "copy", "--from", from, "--to", to)
		says(t, errs, "database_not_empty")
		was, _ := exits(t, 0, "ratings", "replay", "--database", from)
		is, _ := exits(t, 0, "ratings", "replay", "--database", to)
		if was != is || strings.Count(was, "\n") != 15 {
			t.Errorf("the ladder was\n%s\nand is\n%s", was, is)
		}
	})
	t.Run("its ratings are told", func(t *testing.T) {
		for _, row := range []struct{ args, want string }{
			{"replay --check", "ok "},
			{"fit --ladder demol --csv", "\ndemol,agent at 5 seats,"},
			{"fit --ladder cia", "| seat 2 of 3 "},
			{"fit --ladder demol", "| AS MOLE "},
			{"fit --ladder demol --json", `"roles":{`},
			{"calibration --ladder cia", "cia: "},
			{"calibration --ladder cia --json", `{"ladder":"cia",`},
			{"replay --ladder cia", "ladder,version_id,bot_id,rating,matches,last_seq\ncia,"},
		} {
			out, _ := exits(t, 0, append(append([]string{"ratings"}, strings.Fields(row.args)...), "--database", from)...)
			says(t, out, row.want)
		}
	})
}

// Whoever brings a new release backs up first: the new program takes the tables that the release before has left, but none with a gap.
func TestABackupIsTakenBeforeTheMigration(t *testing.T) {
	t.Parallel()
	from, dir := yesterday(t), t.TempDir()
	db, err := sql.Open("sqlite", strings.TrimPrefix(from, "sqlite:"))
	must.OK(t, err)
	defer db.Close()
	for i, row := range []struct{ change, part string }{
		{"DELETE FROM goose_db_version WHERE version_id > 57", ""},
		{"DELETE FROM goose_db_version WHERE version_id = 33", "lacks migration 00033_token_scopes.sql: run molerun migrate first"},
		{"DELETE FROM goose_db_version WHERE version_id > 0", "lacks migration 00001_start.sql: run molerun migrate first"},
	} {
		_, err := db.ExecContext(t.Context(), row.change)
		must.OK(t, err)
		file, to := filepath.Join(dir, fmt.Sprint(i, ".jsonl.gz")), "sqlite:"+filepath.Join(dir, fmt.Sprint(i, ".db"))
		if row.part == "" {
			exits(t, 0, "admin", "backup", file, "--database", from)
			exits(t, 0, "admin", "restore", file, "--database", to)
			exits(t, 0, "admin", "copy", "--from", from, "--to", to+"2")
			continue
		}
		fails(t, 1, []string{"admin", "backup", file, "--database", from}, row.part)
		fails(t, 1, []string{"admin", "copy", "--from", from, "--to", to}, row.part)
	}
	fails(t, 1, []string{"admin", "user", "list", "--database", from}, "run molerun migrate first")
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
		{"a readable file", [2]string{}, []string{"--database", open}, 0, []string{"warn file", "chmod 600", "ok   clock", "ok   open files", "ok   settings", "ok   queue: 0 matches open"}},
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

// One Postgres, and what an operator meets there, one after the other: each is told with what to do.
func TestWhatIsWrongWithAPostgresIsToldWithWhatHelps(t *testing.T) {
	postgres, from := storetest.PostgresURL(t), migrated(t)
	told(t, "", "migrate", "--database", postgres)
	db, err := sql.Open("pgx", postgres)
	must.OK(t, err)
	defer db.Close()
	change := func(statement string) {
		t.Helper()
		_, err := db.ExecContext(t.Context(), statement)
		must.OK(t, err)
	}
	with := func(key, value string) string {
		u, err := url.Parse(postgres)
		must.OK(t, err)
		q := u.Query()
		q.Set(key, value)
		u.RawQuery = q.Encode()
		return u.String()
	}
	doctor := func(code int, database string, parts ...string) string {
		t.Helper()
		out, _ := exits(t, code, "admin", "doctor", "--database", database)
		says(t, out, parts...)
		return out
	}
	t.Setenv("MOLERUN_WORKERS", "8")
	t.Setenv("MOLERUN_DATABASE_CONNECTIONS", "20")
	if out := doctor(0, postgres, "ok   writes: ", "ok   connections: a process with 8 slots keeps up to 21; the database admits "); strings.Contains(out, "search") {
		t.Errorf("with the index of searches:\n%s", out)
	}
	t.Run("connections", func(t *testing.T) { // the server of the tests admits 297
		t.Setenv("MOLERUN_DATABASE_CONNECTIONS", "900")
		doctor(1, postgres, "FAIL connections: ", "keeps up to 901")
		fails(t, 2, []string{"work", "--metrics=", "--database", postgres}, "set MOLERUN_DATABASE_CONNECTIONS to ")
	})
	backup := filepath.Join(t.TempDir(), "b")
	told(t, "", "admin", "backup", backup, "--database", from)
	readOnly := with("default_transaction_read_only", "on") // it answers, and takes no writes
	doctor(1, readOnly, "FAIL writes: the database is read-only\n     next: ")
	for _, args := range [][]string{
		{"migrate", "--database", readOnly}, {"admin", "token", "ada", "--database", readOnly}, {"admin", "restore", backup, "--database", readOnly},
		{"admin", "copy", "--from", from, "--to", readOnly},
	} {
		_, errs := exits(t, 1, args...)
		says(t, errs, "read-only transaction", "\nnext: name the host that takes writes: a standby does not, nor does one whose host found its disk nearly full\n")
	}
	change("DROP INDEX bots_by_parts_of_names")
	doctor(0, postgres, "warn search: ", "CREATE EXTENSION pg_trgm")
	change("REVOKE EXECUTE ON FUNCTION pg_notify FROM PUBLIC")
	for _, args := range [][]string{{"migrate"}, {"admin", "doctor"}, {"admin", "user", "list"}} { // to migrate does not help such a role
		out, errs := exits(t, 1, append(args, "--database", with("role", "pg_monitor"))...) // every server has it
		says(t, out+errs, "permission denied", "next: run migrate as the role that owns the tables")
		if strings.Contains(out, "MOLERUN_DATABASE_DIRECT") {
			t.Errorf("%v: %q", args, out)
		}
	}
}
