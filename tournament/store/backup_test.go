package store_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/archive"
	"github.com/molerun/molerun/tournament/store/database"
)

func backup(t *testing.T, s *store.Store) []byte {
	t.Helper()
	var file bytes.Buffer
	_, err := archive.Backup(t.Context(), s.DB, &file)
	must.OK(t, err)
	return file.Bytes()
}

// restored is a platform on another database, with what a backup has.
func (w *world) restored(t *testing.T, to storetest.Open, file io.Reader) *world {
	t.Helper()
	s := &world{&directortest.World{T: t, Ctx: t.Context(), Clock: w.Clock}}
	s.Use(to(store.Options{Now: w.Clock.Now}))
	s.Did(archive.Restore(t.Context(), s.Store, storetest.Engines, file))
	return s
}

// lines are the lines of a backup.
func lines(t *testing.T, file []byte) (out []string) {
	t.Helper()
	z := must.Get(gzip.NewReader(bytes.NewReader(file)))(t)
	scan := bufio.NewScanner(z)
	scan.Buffer(nil, 2<<20)
	for scan.Scan() {
		out = append(out, scan.Text())
	}
	if scan.Err() != nil {
		t.Fatal(scan.Err())
	}
	return out
}

// open matches are queued again by a restore: their status, worker, lease and job are not compared.
var openMatch = regexp.MustCompile(`"(queued|running)","",(\d+),"([^"]*)","w?1?",\d+,\d+,null`)

// data are the tables of a backup.
func data(t *testing.T, file []byte) []string {
	all := lines(t, file)
	for i := range all {
		all[i] = openMatch.ReplaceAllString(all[i], `open,$2,$3`)
	}
	return all[1 : len(all)-1]
}

func TestABackupTakenUnderLoadIsOneMomentAndCanBeRestoredIntoEitherDatabase(t *testing.T) {
	storetest.Each(t, func(t *testing.T, from storetest.Open) {
		w := newWorld(t, from)
		x, list := w.Running(5, func(x *tournament.Tournament) { x.Cycles = 3 })
		w.Must(w.Played(list[0], 1))
		other := from(store.Options{Now: w.Clock.Now}) // another process
		var group sync.WaitGroup
		halfway, saved := make(chan struct{}), make(chan struct{})
		group.Go(func() {
			for i, m := range list[1:] {
				if i == len(list)/3 {
					close(halfway)
				}
				if i == len(list)-4 { // so that the backup is surely of a state under way
					<-saved
				}
				if err := w.Played(m, i%2); err != nil {
					t.Errorf("while a backup is taken: %v", err)
				}
			}
		})
		<-halfway
		file := backup(t, other)
		close(saved)
		group.Wait()
		storetest.Each(t, func(t *testing.T, to storetest.Open) {
			s := w.restored(t, to, bytes.NewReader(file))
			if want, got := data(t, file), data(t, backup(t, s.Store)); !slices.Equal(want, got) {
				for i := range min(len(want), len(got)) {
					if want[i] != got[i] {
						t.Fatalf("the restored data differ in line %d:\n%s\nwant\n%s", i, got[i], want[i])
					}
				}
				t.Fatalf("the restored data have %d lines, want %d", len(got), len(want))
			}
			s.Must(s.CheckRatings(t.Context(), x.LadderID))
			finished := 0
			for _, m := range s.All(store.MatchFilter{TournamentID: x.ID}) {
				steps := must.Get(s.Decisions(t.Context(), m.ID))(s.T)
				if m.Status == tournament.MatchDone {
					finished++
					if len(steps) != 3 {
						t.Errorf("match %s is done with %d steps, want 3: that was never so", m.ID, len(steps))
					}
					continue
				}
				m = s.Take(m)
				for n := len(steps) + 1; n <= 3; n++ {
					s.Must(s.AppendStep(t.Context(), m.ID, m.Epoch, directortest.Step(n, len(m.Seats))))
				}
				s.Must(s.Finish(t.Context(), m, directortest.Won(m, 0), nil))
			}
			if finished == 0 || finished == len(list) {
				t.Errorf("%d of %d matches were done in the backup: it was not taken under way", finished, len(list))
			}
			s.Must(s.CheckRatings(t.Context(), x.LadderID))
			if now, err := s.Tournament(t.Context(), x.ID); err != nil || now.Status != tournament.Finished {
				t.Errorf("the restored tournament goes on to %s (%v), want finished", now.Status, err)
			}
		})
	})
}

// However long the rows are of which a table has many, no statement of a restore is longer than some of them.
func TestARestoreWritesLongRowsAFewAtATime(t *testing.T) {
	w := elsewhere(t)
	long := strings.Repeat("A", 1<<20)
	for i := range 12 {
		w.Did(w.UploadCard(w.Ctx, tournament.Card{Hash: fmt.Sprint(i), OwnerID: w.Org.ID, Card: "{}", Decisions: long[i:]}, 100, 100))
	}
	file := backup(t, w.Store)
	storetest.Each(t, func(t *testing.T, to storetest.Open) {
		longest := 0
		s := to(store.Options{Now: w.Clock.Now, Query: func(sql string) { longest = max(longest, len(sql)) }})
		w.Did(archive.Restore(t.Context(), s, storetest.Engines, bytes.NewReader(file)))
		if longest < len(long) || longest > 4*len(long) {
			t.Errorf("the longest statement has %d bytes, want that of one to three rows of %d", longest, len(long))
		}
		if !slices.Equal(data(t, file), data(t, backup(t, s))) {
			t.Error("the restored data differ")
		}
	})
}

func packed(t *testing.T, all []string) io.Reader {
	t.Helper()
	return packedText(t, strings.Join(slices.Concat(all, []string{""}), "\n"))
}

func packedText(t *testing.T, text string) io.Reader {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := io.WriteString(z, text)
	must.OK(t, errors.Join(err, z.Close()))
	return &b
}

// elsewhere is a store that is no other test's, on SQLite.
func elsewhere(t *testing.T) *world {
	t.Helper()
	w := &world{&directortest.World{T: t, Ctx: t.Context(), Clock: directortest.NewClock()}}
	var err error
	w.Store, err = store.Open(w.Ctx, filepath.Join(t.TempDir(), "molerun.db"), store.Options{Now: w.Clock.Now, Rand: rand.Reader, FastSync: true})
	w.Must(err)
	w.Director = directortest.New(w.Store)
	t.Cleanup(func() { w.Must(w.Close()) })
	w.Must(w.Migrate(w.Ctx))
	w.Org = w.NewUser("org")
	return w
}

// kill ends all sessions of a database but its own when it is first written to.
type kill struct {
	s    *store.Store
	once *sync.Once
}

func (k kill) Write(p []byte) (int, error) {
	var err error
	k.once.Do(func() {
		err = k.s.SQL(context.Background()).Exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()").Error
	})
	return len(p), err
}

// slow waits before it reads or writes first, for longer than the database lets others wait in a transaction.
type slow struct {
	io.ReadWriter
	once sync.Once
}

func (s *slow) wait() { s.once.Do(func() { time.Sleep(500 * time.Millisecond) }) }

func (s *slow) Read(p []byte) (int, error) { s.wait(); return s.ReadWriter.Read(p) }

func (s *slow) Write(p []byte) (int, error) { s.wait(); return s.ReadWriter.Write(p) }

// A Postgres that ends transactions which are at rest, as managed ones do, leaves a backup to a slow disk, and a restore from one, their time.
func TestABackupAndARestoreTakeTheTimeThatTheFileTakes(t *testing.T) {
	t.Parallel()
	file := backup(t, elsewhere(t).Store)
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		must.OK(t, open(store.Options{}).SQL(t.Context()).Exec(`DO $$ BEGIN
			EXECUTE format('ALTER DATABASE %I SET idle_in_transaction_session_timeout = 200', current_database());
		END $$`).Error)
		s := open(store.Options{})
		_, err := archive.Backup(t.Context(), s.DB, &slow{ReadWriter: new(bytes.Buffer)})
		must.OK(t, err)
		_, err = archive.Restore(t.Context(), s, storetest.Engines, io.MultiReader(bytes.NewReader(file[:300]), &slow{ReadWriter: bytes.NewBuffer(file[300:])}))
		must.OK(t, err)
	})
}

// A backup whose connection is lost says why once, in one line.
func TestABackupWhoseConnectionIsLostSaysWhy(t *testing.T) {
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		_, err := archive.Backup(t.Context(), open(store.Options{}).DB, kill{open(store.Options{}), new(sync.Once)})
		if err == nil || !database.Away(err) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v", err)
		}
	})
}

func TestADamagedBackupChangesNothing(t *testing.T) {
	w := elsewhere(t)
	w.NewBot("fox", w.Org)
	file := backup(t, w.Store)
	good := lines(t, file)
	users := slices.IndexFunc(good, func(l string) bool { return strings.HasPrefix(l, `{"table":"users"`) })
	with := func(at int, line ...string) io.Reader {
		return packed(t, slices.Replace(slices.Clone(good), at, at+1, line...))
	}
	storetest.Each(t, func(t *testing.T, to storetest.Open) {
		s := to(store.Options{})
		empty := data(t, backup(t, s))
		for _, row := range []struct {
			name string
			file io.Reader
			part string
		}{
			{"no gzip", strings.NewReader("hello"), "gzip"},
			{"nothing", packed(t, nil), "cut short"},
			{"no header", packed(t, good[1:]), "header"},
			{"cut in the middle", bytes.NewReader(file[:len(file)/2]), "cut short"},
			{"cut before the end", packed(t, good[:len(good)-1]), "cut short"},
			{"a letter changed", with(users+1, strings.Replace(good[users+1], "org", "orc", 1)), "damaged"},
			{"a row lost", with(users + 1), "bad_backup"},
			{"a row too long", with(users+1, strings.Replace(good[users+1], "[", "[1,", 1)), "cells"},
			{"a cell of another kind", with(users+1, strings.Replace(good[users+1], `"org"`, "7", 1)), "column name"},
			{"an unknown column", with(users, strings.Replace(good[users], "name:text", "nome:text", 1)), "nome"},
			{"an unknown table", with(users, strings.Replace(good[users], "users", "kings", 1)), "kings"},
			{"more after the end", packed(t, append(slices.Clone(good), "{}")), "more follows"},
			{"a few bytes after the end", io.MultiReader(bytes.NewReader(file), strings.NewReader("x")), "or more follows"},
			{"many bytes after the end", io.MultiReader(bytes.NewReader(file), strings.NewReader("a note of an operator")), "more follows"},
			{"a quote changed", with(users+1, strings.Replace(good[users+1], `"org"`, "#org", 1)), "restore another backup"},
			{"a newer schema", with(0, strings.Replace(good[0], `"schema":`, `"schema":99`, 1)), "that release"},
		} {
			_, err := archive.Restore(t.Context(), s, storetest.Engines, row.file)
			if !errors.Is(err, archive.ErrBackup) || !strings.Contains(err.Error(), row.part) {
				t.Errorf("%s: got %v, want %v with %q", row.name, err, archive.ErrBackup, row.part)
			}
			if advice := "; copy the file again, or restore another backup"; strings.HasSuffix(err.Error(), advice) == (row.name == "a newer schema") {
				t.Errorf("%s: the advice is wrong: %v", row.name, err)
			}
			if now := data(t, backup(t, s)); !slices.Equal(now, empty) {
				t.Errorf("%s: the refused restore left %d lines, want %d", row.name, len(now), len(empty))
			}
		}
		if _, err := archive.Restore(t.Context(), s, storetest.Engines, bytes.NewReader(file)); err != nil {
			t.Errorf("the undamaged file: %v", err)
		}
		directortest.Refused(t, "a second restore", directortest.Err(archive.Restore(t.Context(), s, storetest.Engines, bytes.NewReader(file))), archive.ErrNotEmpty)
	})
}

func TestABackupThatEndsEarlyIsCalledCutShort(t *testing.T) {
	w := elsewhere(t)
	w.NewBot("fox", w.Org)
	file := backup(t, w.Store)
	text := strings.Join(lines(t, file), "\n") + "\n"
	storetest.One(t, func(t *testing.T, to storetest.Open) {
		s := to(store.Options{})
		refused := func(name string, n int, r io.Reader) {
			t.Helper()
			_, err := archive.Restore(t.Context(), s, storetest.Engines, r)
			if !errors.Is(err, archive.ErrBackup) || !strings.Contains(err.Error(), "is cut short") {
				t.Errorf("%s, cut after %d bytes: got %v, want that it is cut short", name, n, err)
			}
		}
		for n := range len(file) {
			if n < 12 || n > len(file)-12 || n%199 == 0 {
				refused("the file", n, bytes.NewReader(file[:n]))
			}
		}
		for n := 1; n < len(text); n += 1 + len(text)/20 { // as by a cut before it was packed
			refused("the lines", n, packedText(t, text[:n]))
		}
		if _, err := archive.Restore(t.Context(), s, storetest.Engines, bytes.NewReader(file)); err != nil {
			t.Errorf("the whole file, into the same database: %v", err)
		}
	})
}

func TestABackupOfAnOlderSchemaGetsTheDefaultsOfTheNewer(t *testing.T) {
	w := elsewhere(t)
	b := w.NewBot("fox", w.Org)
	all := lines(t, backup(t, w.Store))
	all = relabelled(without(t, all, "versions", `,"note:text","parent_id:text"`), 56)
	storetest.One(t, func(t *testing.T, to storetest.Open) {
		s := w.restored(t, to, packed(t, all))
		if v, err := s.Version(t.Context(), b.VersionID); err != nil || v.Note != "" || v.URL != "http://fox" {
			t.Errorf("version %+v (%v)", v, err)
		}
	})
}

// without returns the lines of a backup whose table has not got its last columns yet.
func without(t *testing.T, all []string, table, columns string) []string {
	t.Helper()
	all = slices.Clone(all)
	at := slices.IndexFunc(all, func(l string) bool { return strings.HasPrefix(l, `{"table":"`+table+`"`) })
	if !strings.HasSuffix(all[at], columns+"]}") {
		t.Fatalf("the last columns of %s are not %s: %s", table, columns, all[at])
	}
	all[at] = strings.TrimSuffix(all[at], columns+"]}") + "]}"
	for i := at + 1; strings.HasPrefix(all[i], "["); i++ {
		for range strings.Count(columns, `,"`) {
			all[i] = all[i][:strings.LastIndex(all[i], ",")] + "]"
		}
	}
	return all
}

// relabelled returns the lines of a backup as one of another schema.
func relabelled(all []string, schema int) []string {
	all = slices.Clone(all)
	all[0] = regexp.MustCompile(`"schema":\d+`).ReplaceAllString(all[0], fmt.Sprintf(`"schema":%d`, schema))
	last := len(all) - 1
	all[last] = regexp.MustCompile(`[0-9a-f]{64}`).ReplaceAllString(all[last], checksum(all[:last]))
	return all
}

// What the migrations since have done to the rows of a database is done to those of its backup.
func TestABackupOfAnOlderSchemaIsReadAsTheMigrationsSinceHaveReadIt(t *testing.T) {
	w := elsewhere(t)
	_, list := w.Running(3, nil)
	gone := list[0].Seats[0]
	w.PlayAll(list[:len(list)-1])
	w.Did(w.RetireBot(w.Ctx, gone.BotID, "by its owner"))
	w.Clock.Move(time.Second)
	w.Must(w.Played(list[len(list)-1], 0))
	w.Did(w.UploadCard(w.Ctx, tournament.Card{Hash: "a", OwnerID: gone.OwnerID, Card: "{}", Decisions: "AAAA"}, 10, 10))
	c := must.Get(w.ClaimCard(w.Ctx, time.Hour))(w.T)
	c.State = tournament.CardChecked
	w.Must(w.SaveCard(w.Ctx, *c, 0))
	for _, before := range []string{ // the migrations
		"UPDATE entries SET withdrawn_at = NULL",
		"UPDATE matches SET retired = 2 WHERE id = '" + list[0].ID + "'",
	} {
		w.Must(w.SQL(w.Ctx).Exec(before).Error)
	}
	all := lines(t, backup(t, w.Store))
	for schema, want := range map[int]string{56: "0 0 false", 55: "0 0 true", 46: "1 0 true", 14: "1 1 true"} {
		storetest.Each(t, func(t *testing.T, to storetest.Open) {
			s := w.restored(t, to, packed(t, relabelled(all, schema)))
			var withdrawn, retired int
			w.Must(s.SQL(t.Context()).Raw("SELECT COUNT(*) FROM entries WHERE bot_id = ? AND withdrawn_at IS NOT NULL", gone.BotID).Scan(&withdrawn).Error)
			w.Must(s.SQL(t.Context()).Raw("SELECT COUNT(*) FROM match_seats WHERE retired AND seat = 1 AND match_id = ?", list[0].ID).Scan(&retired).Error)
			due := must.Get(s.ClaimCard(t.Context(), time.Hour))(w.T)
			if got := fmt.Sprint(withdrawn, retired, due != nil); got != want {
				t.Errorf("schema %d: entries withdrawn, seats retired, is the card checked again: %s; want %s", schema, got, want)
			}
		})
	}
}

func checksum(all []string) string {
	h := sha256.New()
	for _, l := range all {
		_, _ = io.WriteString(h, l+"\n")
	}
	return hex.EncodeToString(h.Sum(nil))
}

// What waits without a job, because its asker has enough or its tournament is paused, goes on waiting where it is restored.
func TestWhatIsParkedIsRestoredParked(t *testing.T) {
	storetest.Each(t, func(t *testing.T, from storetest.Open) {
		w := newWorld(t, from)
		u := w.NewUser("asker")
		bots := w.NewBots(u, 2)
		for range tournament.ChallengesAtOnce + 3 {
			w.Did(w.Ask(u, bots...))
		}
		cup, list := w.Running(3, nil)
		w.Take(list[0])
		w.Did(w.PauseTournament(w.Ctx, cup.ID))
		if _, _, err := w.Claim(w.Ctx, store.PlayMatch{MatchID: list[1].ID}, "w1", directortest.Lease); err == nil {
			t.Fatal("a match of a paused tournament begins")
		}
		jobs := func(s *world) string {
			var n struct{ Asked, Going, Parked int }
			s.Must(s.SQL(s.Ctx).Raw(`SELECT SUM(CASE WHEN asker_id IS NOT NULL THEN 1 ELSE 0 END) AS asked,
				SUM(CASE WHEN asker_id IS NOT NULL AND job_id <> 0 THEN 1 ELSE 0 END) AS going,
				SUM(CASE WHEN tournament_id IS NOT NULL AND job_id = 0 THEN 1 ELSE 0 END) AS parked FROM matches`).Scan(&n).Error)
			return fmt.Sprintf("%d asked, %d of them with a job; %d of the tournament without one", n.Asked, n.Going, n.Parked)
		}
		want := fmt.Sprintf("%d asked, %d of them with a job; 1 of the tournament without one", tournament.ChallengesAtOnce+3, tournament.ChallengesAtOnce)
		if got := jobs(w); got != want {
			t.Fatalf("before: %s; want %s", got, want)
		}
		file := backup(t, w.Store)
		storetest.One(t, func(t *testing.T, to storetest.Open) {
			s := w.restored(t, to, bytes.NewReader(file))
			must.Same(t, "restored", jobs(s), want)
			var queued int
			s.Must(s.SQL(s.Ctx).Raw("SELECT COUNT(*) FROM river_job WHERE kind = 'play_match'").Scan(&queued).Error)
			must.Same(t, "jobs", queued, tournament.ChallengesAtOnce+2)
			s.Did(s.ResumeTournament(s.Ctx, cup.ID))
		})
	})
}

// A match that waits for its time, its round's or a replay's, waits for it where it is restored and when it is queued again.
func TestWhatWaitsForItsTimeIsQueuedAgainForIt(t *testing.T) {
	w := elsewhere(t)
	w.Clock.Set(time.Now()) // which jobs wait for
	x, list := w.Running(4, func(t *tournament.Tournament) {
		t.Format, t.Options.Rounds, t.Options.RoundPauseMS = tournament.Swiss, 2, (12 * time.Hour).Milliseconds()
	})
	w.PlayAll(list)
	shows := func(s *store.Store, when string, want int) {
		t.Helper()
		var n int
		w.Must(s.SQL(w.Ctx).Raw("SELECT COUNT(*) FROM matches m JOIN river_job j ON j.id = m.job_id WHERE m.status = 'queued' AND j.state = 'scheduled'").Scan(&n).Error)
		must.Same(t, when+": matches wait for their time", n, want)
	}
	shows(w.Store, "before", 2)
	w.Did(w.Requeue(w.Ctx, w.All(store.MatchFilter{TournamentID: x.ID, Status: tournament.MatchQueued})[0].ID))
	shows(w.Store, "queued again", 2)
	_, list = w.Running(2, nil)
	w.Must(w.SQL(w.Ctx).Exec("UPDATE matches SET replay = 3 WHERE id = ?", list[0].ID).Error)
	w.Did(w.Requeue(w.Ctx, list[0].ID))
	shows(w.Store, "with a replay", 3)
	file := backup(t, w.Store)
	storetest.Each(t, func(t *testing.T, to storetest.Open) {
		s := to(store.Options{Now: w.Clock.Now})
		w.Did(archive.Restore(t.Context(), s, storetest.Engines, bytes.NewReader(file)))
		shows(s, "restored", 3)
	})
}

// A backup of a release without ladders of variants: each ladder in it is its game's base ladder.
func TestLaddersOfABackupBeforeVariantsAreThoseOfTheBaseGames(t *testing.T) {
	w := elsewhere(t)
	want := must.Get(w.EnsureLadder(w.Ctx, storetest.Toy))(w.T)
	all := lines(t, backup(t, w.Store))
	all = relabelled(without(t, all, "ladders", `,"plays:text","config:text","table_size:int","asks_beliefs:bool","clock_class:text"`), 53)
	storetest.One(t, func(t *testing.T, to storetest.Open) {
		s := w.restored(t, to, packed(t, all))
		if got, err := s.Ladder(t.Context(), want.ID); err != nil || !got.Alike(want) || !got.IsBase() {
			t.Errorf("ladder %+v (%v), want %+v", got, err, want)
		}
	})
}
