package migrations_test

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/molerun/molerun/migrations"
)

var (
	addColumn = regexp.MustCompile(`(?i)ADD COLUMN (\w+) ([^;]*);`)
	taken     = regexp.MustCompile(`(?i)\b(DROP (?:TABLE|COLUMN)|RENAME|ALTER COLUMN|TRUNCATE|DELETE FROM)\b`)
)

// refused is why programs of the release before could not go on while and after a migration runs; "" if they can.
func refused(up string) string {
	if m := taken.FindString(up); m != "" {
		return m + " takes what a program of the release before may use"
	}
	for _, m := range addColumn.FindAllStringSubmatch(up, -1) {
		if rest := strings.ToUpper(m[2]); strings.Contains(rest, "NOT NULL") && !strings.Contains(rest, "DEFAULT") {
			return "column " + m[1] + " is NOT NULL without a default: the release before does not write it"
		}
	}
	return ""
}

// The part of a migration that goes up.
func up(t *testing.T, name string) string {
	t.Helper()
	text, err := migrations.Files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	_, body, found := strings.Cut(string(text), "-- +goose Up")
	if !found {
		t.Errorf("%s has no part that goes up", name)
	}
	body, _, _ = strings.Cut(body, "-- +goose Down")
	return regexp.MustCompile(`(?m)--.*$`).ReplaceAllString(body, "")
}

func TestMigrationsOnlyAddSoThatTheReleaseBeforeGoesOn(t *testing.T) {
	files, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d migrations (%v)", len(files), err)
	}
	for _, name := range files {
		if why := refused(up(t, name)); why != "" {
			t.Errorf("%s: %s", name, why)
		}
	}
}

// A backup of an older schema is restored by the UPDATEs since: a migration changes rows by nothing else.
func TestWhatMigrationsDoToRowsIsDoneToRestoredOnes(t *testing.T) {
	files, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	for _, name := range files {
		text := up(t, name)
		want += len(regexp.MustCompile(`(?i)\bUPDATE\b`).FindAllString(text, -1))
		for _, m := range regexp.MustCompile(`(?i)\b(INSERT INTO|DELETE FROM|MERGE INTO|CREATE TABLE \w+ AS)\b.*`).FindAllString(text, -1) {
			if m != "INSERT INTO feeds (id, last_seq) VALUES ('all', 0);" { // which a backup has
				t.Errorf("%s: %s: a restored backup of an older schema lacks what that does; change rows by an UPDATE", name, m)
			}
		}
	}
	updates, err := migrations.Updates(0)
	if err != nil || len(updates) != want || want < 6 {
		t.Errorf("%d UPDATEs are done to what is restored (%v), want the %d of the migrations: %q", len(updates), err, want, updates)
	}
	all := strings.Join(updates, ";")
	for _, x := range []struct {
		schema int
		want   string
	}{{14, "UPDATE match_seats "}, {46, "UPDATE entries "}, {55, "UPDATE cards "}} {
		got, err := migrations.Updates(x.schema)
		if err != nil || len(got) == 0 || !strings.HasPrefix(got[0], x.want) || !strings.HasSuffix(all, strings.Join(got, ";")) {
			t.Errorf("after schema %d: %q (%v), want those from %q on", x.schema, got, err, x.want)
		}
	}
}

func TestWhatWouldStopTheReleaseBeforeIsSeen(t *testing.T) {
	for _, sql := range []string{
		"ALTER TABLE bots ADD COLUMN x TEXT NOT NULL;", "ALTER TABLE bots DROP COLUMN name;", "drop table users;",
		"ALTER TABLE bots RENAME COLUMN name TO title;", "ALTER TABLE bots ALTER COLUMN name SET NOT NULL;",
	} {
		if refused(sql) == "" {
			t.Errorf("%s was let through", sql)
		}
	}
	for _, sql := range []string{"ALTER TABLE bots ADD COLUMN x TEXT;", "ALTER TABLE bots ADD COLUMN x TEXT NOT NULL DEFAULT '';"} {
		if why := refused(sql); why != "" {
			t.Errorf("%s: %s", sql, why)
		}
	}
}
