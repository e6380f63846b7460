package cli_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
)

// waits returns the lines of a process's log about a database that is away.
func waits(log *clitest.Log) (list []string) {
	for line := range strings.Lines(log.String()) {
		var said struct{ Msg, Reason string }
		if json.Unmarshal([]byte(line), &said) == nil && strings.Contains(said.Msg, "the database") {
			list = append(list, said.Msg+": "+said.Reason)
		}
	}
	return list
}

// moved returns the address of a database with another place of its server.
func moved(t *testing.T, database, place string) string {
	t.Helper()
	u, err := url.Parse(database)
	must.OK(t, err)
	u.Host = place
	q := u.Query()
	q.Del("host")
	u.RawQuery = q.Encode()
	return u.String()
}

func TestProcessesStartedWhileTheDatabaseIsAwayWaitAndSaySo(t *testing.T) {
	t.Parallel()
	binary, database, place, listen := molerun(t), storetest.PostgresURL(t), clitest.FreeAddress(t), clitest.FreeAddress(t)
	away := moved(t, database, place)
	serve := clitest.Start(t, exec.Command(binary, "serve", "--database", away, "--workers", "0", "--listen", listen, "--metrics", ""))
	defer serve.Kill()
	work := clitest.Start(t, exec.Command(binary, "work", "--database", away, "--workers", "1", "--metrics", ""))
	defer work.Kill()
	ready := func() (status int, body string) {
		answer, err := http.Get("http://" + listen + "/readyz")
		if err != nil {
			return 0, ""
		}
		defer answer.Body.Close()
		b, err := io.ReadAll(answer.Body)
		if err != nil {
			return 0, ""
		}
		return answer.StatusCode, string(b)
	}
	waitFor(t, func() bool {
		status, body := ready()
		return status == http.StatusServiceUnavailable && strings.Contains(body, "database")
	}, serve.Log)
	for _, p := range []*clitest.Process{serve, work} {
		waitFor(t, func() bool { return len(waits(p.Log)) > 0 }, p.Log)
	}
	time.Sleep(time.Second) // some more looks, of which nothing is new
	for _, p := range []*clitest.Process{serve, work} {
		if list := waits(p.Log); len(list) != 1 || list[0] != "waiting for the database: connect: connection refused" {
			t.Errorf("%v: it says %q, want one line with the cause", p.Args, list)
		}
	}
	must.OK(t, work.Process.Signal(syscall.SIGTERM))
	if err := work.Wait(); err != nil {
		t.Errorf("a worker that waits, asked to stop: %v, want a quiet end", err)
	}
	config, err := pgconn.ParseConfig(database)
	must.OK(t, err)
	network, server := pgconn.NetworkAddress(config.Host, config.Port)
	clitest.NewLink(t, place, func() (net.Conn, error) { return net.Dial(network, server) }, clitest.Pieces)
	if got := serve.Line(t); got != "http://"+listen {
		t.Errorf("it serves at %q", got)
	}
	if status, body := ready(); status != http.StatusOK {
		t.Errorf("with its database it is %d: %s", status, body)
	}
	if list := waits(serve.Log); len(list) < 2 || list[len(list)-1] != "the database answers: " {
		t.Errorf("it says %q, want that the database answers last", list)
	}
	w := opened(t, database)
	waitFor(t, func() bool { // without a mark of who serves, relays pay for an API that is away
		marks := 0
		return w.SQL(t.Context()).Raw("SELECT COUNT(*) FROM relays WHERE box = 'api'").Scan(&marks).Error == nil && marks == 1
	}, serve.Log)
}

// What only its operator can mend ends a process at once.
func TestWhatWaitingCannotMendIsTold(t *testing.T) {
	t.Parallel()
	binary, database := molerun(t), storetest.PostgresURL(t)
	named := func(name string) string {
		u, err := url.Parse(database)
		must.OK(t, err)
		u.Path = "/" + name
		return u.String()
	}
	for _, row := range []struct{ name, database, direct, want string }{
		{name: "no such database", database: named("nobody_made_it"), want: `database "nobody_made_it" does not exist`},
		{name: "tables missing", database: named("postgres"), want: "run molerun migrate first"},
		{name: "the direct URL is of another database", database: database, direct: named("postgres"), want: "is it another database"},
		{name: "the direct URL is of no database", database: database, direct: named("nobody_made_it"), want: `database "nobody_made_it" does not exist`},
	} {
		for _, command := range []string{"serve", "work"} {
			c := exec.Command(binary, command, "--database", row.database, "--database-direct", row.direct, "--metrics", "")
			c.Env = append(os.Environ(), "MOLERUN_LISTEN=127.0.0.1:0", "MOLERUN_DRAIN_SECONDS=600")
			var errs bytes.Buffer
			c.Stderr = &errs
			if err := c.Run(); err == nil || !strings.Contains(errs.String(), row.want) {
				t.Errorf("%s, %s: %v, %s; want an error that says %s", row.name, command, err, &errs, row.want)
			}
		}
	}
}

// A process that starts while another migrates waits for it.
func TestAProcessWaitsWhileAnotherMigrates(t *testing.T) {
	t.Parallel()
	binary, database := molerun(t), storetest.PostgresURL(t)
	db, err := sql.Open("pgx", database)
	must.OK(t, err)
	defer db.Close()
	migrating, err := db.BeginTx(t.Context(), nil) // as one that has made all but the last table, which is not committed yet
	must.OK(t, err)
	last := 0
	for _, statement := range []string{"SELECT pg_advisory_xact_lock(7209130001)", "SELECT MAX(version_id) FROM goose_db_version"} {
		if err := migrating.QueryRowContext(t.Context(), statement).Scan(&last); err != nil && !strings.Contains(statement, "lock") {
			t.Fatal(err)
		}
	}
	_, err = db.ExecContext(t.Context(), "DELETE FROM goose_db_version WHERE version_id = $1", last)
	must.OK(t, err)
	work := clitest.Start(t, exec.Command(binary, "work", "--database", database, "--workers", "1", "--metrics", ""))
	defer work.Kill()
	waitFor(t, func() bool {
		return slices.Contains(waits(work.Log), "waiting for the database: another process migrates it")
	}, work.Log)
	_, err = migrating.ExecContext(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, TRUE)", last)
	must.OK(t, err)
	must.OK(t, migrating.Commit())
	waitFor(t, func() bool { return strings.Contains(work.Log.String(), `"msg":"ready"`) }, work.Log)
}
