package cli_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/jobs"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// unchecked is a player whose words nobody has looked at, as when SQLite still took NUL from bots.
type unchecked struct {
	asked *atomic.Int64
	seat  game.Seat
}

func (unchecked) Start(context.Context, runner.Briefing) error            { return nil }
func (unchecked) RoundTrip() time.Duration                                { return 0 }
func (unchecked) End(context.Context, runner.Briefing, *game.Result, int) {}
func (u unchecked) Ask(_ context.Context, _ runner.Briefing, a runner.Ask) runner.Reply {
	n := u.asked.Add(1)
	answer, err := kit.Random(a.Offer, rand.New(rand.NewPCG(1, uint64(n))))
	if err != nil {
		return runner.Reply{Fault: tournament.FaultBadJSON, Reason: err.Error()}
	}
	r := runner.Reply{Action: answer.Action, Choose: answer.Choose, Memo: "m\x00", Debug: "\x00d"}
	if u.seat == 1 {
		r.Say, r.Build = strings.Repeat("\x00", 500), "b\x00"
	}
	return r
}

// oldDatabase returns a SQLite database with NUL in texts of all kinds: De Mol of ten, a match over and packed, one over, and one
// under way.
func oldDatabase(t *testing.T) string {
	t.Helper()
	url := migrated(t)
	db, err := store.Open(t.Context(), url, store.Options{Now: time.Now, Rand: rand.NewChaCha8([32]byte{7}), Program: "molerun test", FastSync: true})
	must.OK(t, err)
	defer db.Close()
	field := hostileField(t, db, &hostile{})
	var asked atomic.Int64
	play := func(stop func() bool) {
		end := runs(t, jobs.Config{Store: db, Slots: 1, Players: func(_ context.Context, _ *tournament.Match, seat game.Seat) (runner.Player, error) {
			return unchecked{&asked, seat}, nil
		}})
		for range 3000 {
			if stop() {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		end()
	}
	raw, err := sql.Open("sqlite", strings.TrimPrefix(url, "sqlite:"))
	must.OK(t, err)
	defer raw.Close()
	change := func(sql string) {
		if _, err := raw.ExecContext(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	change("UPDATE versions SET author = 'a' || char(0), build = 'v' || char(0)")
	change("INSERT INTO tokens (id, user_id, hash, note, created_at) SELECT 'old', MIN(id), '" + strings.Repeat("0", 64) + "', CAST(x'ff41' AS TEXT), MIN(created_at) FROM users")
	demol, _ := catalog.Find("demol")
	first := hostileCup(t, db, field, demol, "first", 1)
	over := func(cup string) func() bool {
		return func() bool {
			now, err := db.Tournament(t.Context(), cup)
			return err == nil && now.Status == tournament.Finished
		}
	}
	play(over(first))
	if n, err := db.Pack(t.Context(), 0, 10); err != nil || n != 1 {
		t.Fatalf("%d matches were packed (%v), want 1", n, err)
	}
	play(over(hostileCup(t, db, field, demol, "second", 1)))
	until := asked.Load() + 40
	hostileCup(t, db, field, demol, "third", 1)
	play(func() bool { return asked.Load() >= until })
	return url
}

// TestAnOldDatabaseWithNULMovesToPostgres: restoring cleans what Postgres cannot keep and tells of it, every record holds together
// afterwards, and a match that was under way goes on.
func TestAnOldDatabaseWithNULMovesToPostgres(t *testing.T) {
	t.Parallel()
	old := oldDatabase(t)
	file := filepath.Join(t.TempDir(), "backup.jsonl.gz")
	if code, _, errs := call("", "admin", "backup", file, "--database", old); code != 0 || !strings.Contains(errs, "cleaned 1 text") {
		t.Fatalf("backup: exit code %d\n%s\nwant 0 and the text that is no UTF-8 reported", code, errs)
	}
	for name, row := range map[string]struct {
		to   string
		args []string
	}{
		"restore into postgres": {storetest.PostgresURL(t), []string{"admin", "restore", file, "--verify", "--database"}},
		"restore into sqlite":   {"sqlite:" + filepath.Join(t.TempDir(), "to.db"), []string{"admin", "restore", file, "--verify", "--database"}},
		"copy to postgres":      {storetest.PostgresURL(t), []string{"admin", "copy", "--verify", "--from", old, "--to"}},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := call("", append(row.args, row.to)...)
			if code != 0 || !strings.Contains(out, "ok   matches: 2 played again") || !strings.Contains(errs, "the records of 3 matches have new hashes") {
				t.Fatalf("exit code %d\n%s%s\nwant 0, two matches verified and three records with new hashes", code, out, errs)
			}
			goOn(t, row.to)
		})
	}
}

// goOn plays what is open to its end and looks for NUL in all decisions.
func goOn(t *testing.T, url string) {
	t.Helper()
	db, err := store.Open(t.Context(), url, store.Options{Now: time.Now, Rand: rand.NewChaCha8([32]byte{8}), Program: "molerun test", FastSync: true})
	must.OK(t, err)
	defer db.Close()
	h := &hostile{seed: 2}
	end := runs(t, jobs.Config{Store: db, Slots: 1, Players: players(t, db)})
	running, _, err := db.Tournaments(t.Context(), store.TournamentFilter{Status: tournament.Running}, store.Page{})
	if err != nil || len(running) != 1 {
		t.Fatalf("%d tournaments are running (%v), want the one that was under way", len(running), err)
	}
	waitHostile(t, db, h, []string{running[0].ID})
	end()
	list, _, err := db.Matches(t.Context(), store.MatchFilter{}, store.Page{})
	if err != nil || len(list) != 3 {
		t.Fatalf("%d matches (%v), want 3", len(list), err)
	}
	for _, m := range list {
		steps, err := db.Decisions(t.Context(), m.ID)
		must.OK(t, err)
		if last := fmt.Sprintf("%x", steps[len(steps)-1].Hash); m.Status != tournament.MatchDone || last != m.Hash {
			t.Errorf("match %s is %s for %q, its hash %s and that of its last step %s: want done and the same", m.ID, m.Status, m.Reason, m.Hash, last)
		}
		if b, err := json.Marshal(m); err != nil || strings.Contains(string(b), `\u0000`) {
			t.Errorf("match %s still has NUL (%v): %s", m.ID, err, b)
		}
	}
}
