package cli_test

import (
	"bufio"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
)

// sessions is how many the pooler of these tests has for everybody: fewer than the processes have connections.
const sessions = 3

// pooledPlatform is a platform whose database is behind a pooler.
type pooledPlatform struct {
	*topology
	binary string
	env    []string
}

// prints runs a command that should succeed and returns what it says.
func (x *pooledPlatform) prints(args ...string) string {
	x.t.Helper()
	c := exec.Command(x.binary, args...)
	c.Env = append(os.Environ(), x.env...)
	out, err := c.CombinedOutput()
	if err != nil {
		x.t.Errorf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

// held fails if a transaction stays open while a bot is asked: it would hold one of the pooler's few sessions for as long as the bot thinks.
func (x *pooledPlatform) held(direct string) func() {
	db, err := pgxpool.New(x.t.Context(), direct)
	must.OK(x.t, err)
	x.t.Cleanup(db.Close)
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second) // the test may have ended
		defer cancel()
		var since time.Time
		if db.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&since) != nil {
			return
		}
		for open := 1; open > 0; time.Sleep(time.Millisecond) {
			err := db.QueryRow(ctx, "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND xact_start < $1 AND pid <> pg_backend_pid()", since).Scan(&open)
			if err != nil {
				if ctx.Err() != nil {
					x.t.Error("a transaction was open for as long as a bot thought")
				}
				return
			}
		}
	}
}

func TestAPlatformRunsBehindAPooler(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name   string
		direct bool
		doctor []string
	}{
		{"alone", false, []string{"warn pooler: one stands before the database", "look for changes every 250ms", "next: let MOLERUN_DATABASE_DIRECT name"}},
		{"with a direct URL", true, []string{"ok   pooler: one stands before the database", "heard of by MOLERUN_DATABASE_DIRECT at once"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			pooled, direct := storetest.Pooled(t, sessions)
			x := pooledPlatform{&topology{t: t}, molerun(t), []string{
				"MOLERUN_DATABASE=" + pooled, "MOLERUN_METRICS=", "MOLERUN_ALLOW_PRIVATE_BOTS=127.0.0.0/8", "MOLERUN_LOG_LEVEL=warn",
			}}
			if row.direct {
				x.env = append(x.env, "MOLERUN_DATABASE_DIRECT="+direct)
			}
			says(t, x.prints("migrate"), "applied 00001_start.sql")
			if said := x.prints("migrate"); said != "nothing to do: every migration of this program is applied\n" {
				t.Errorf("migrate again: %s", said)
			}
			x.before = x.held(direct)
			serve := x.runs(x.env, x.binary, "serve", "--listen", "127.0.0.1:0", "--workers", "0")
			x.base, x.log = serve.Line(t), serve.Log
			work := x.runs(x.env, x.binary, "work", "--workers", "8")
			cup := x.plays(x.binary, x.env[0])
			x.follows(cup)
			said := x.prints("admin", "doctor")
			for _, want := range append(row.doctor, "ok   connections: ", "to the pooler", "ok   migrations: current") {
				says(t, said, want)
			}
			x.moves()
			for _, log := range []string{serve.Log.String(), work.Log.String()} {
				if strings.Contains(log, `"level":"ERROR"`) || strings.Contains(log, "prepared statement") {
					t.Error(log)
				}
			}
		})
	}
}

// follows reads a tournament's stream, which is at another process than what happens, until it is over.
func (x *pooledPlatform) follows(cup string) {
	x.t.Helper()
	ctx, cancel := context.WithTimeout(x.t.Context(), 2*time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, x.base+"/v1/tournaments/"+cup+"/events", nil)
	must.OK(x.t, err)
	r.Header.Set("Accept", "text/event-stream")
	answer, err := http.DefaultClient.Do(r)
	must.OK(x.t, err)
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		if strings.Contains(lines.Text(), `"tournament.finished"`) {
			return
		}
	}
	x.t.Fatalf("the stream ended (%v) before the tournament, which is %s\n%s", lines.Err(), status(x.t, x.base, cup), x.log)
}

// moves saves all there is through the pooler, and restores it through another.
func (x *pooledPlatform) moves() {
	x.t.Helper()
	file := filepath.Join(x.t.TempDir(), "all.jsonl.gz")
	x.prints("admin", "backup", file)
	other, _ := storetest.Pooled(x.t, sessions)
	says(x.t, x.prints("admin", "restore", file, "--verify", "--database", other), "matches")
}
