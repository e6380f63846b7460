package storetest

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	osexec "os/exec"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// Pooled returns the address of an empty Postgres database of the test's own, first through a PgBouncer that gives one of size sessions to
// each transaction, then past it.
func Pooled(t *testing.T, size int) (pooled, direct string) {
	t.Helper()
	direct = freshPostgres(t, "template0")
	pooled, stop, err := startPooler(direct, size)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop) // before the database is dropped
	return pooled, direct
}

// startPooler starts one for all databases of a server, on a socket in a temporary directory, as [startServer] does.
func startPooler(server string, size int) (string, func(), error) {
	to, err := pgconn.ParseConfig(server)
	if err != nil {
		return "", nil, err
	}
	program, err := osexec.LookPath("pgbouncer")
	if err != nil {
		return "", nil, fmt.Errorf("%w: make setup installs what is missing", err)
	}
	dir, err := os.MkdirTemp(ram(), "molerun-pooler-")
	if err != nil {
		return "", nil, err
	}
	password := ""
	if to.Password != "" {
		password = " password='" + to.Password + "'"
	}
	as, err := Account(dir)
	file := filepath.Join(dir, "pgbouncer.ini")
	if err == nil {
		err = os.WriteFile(file, fmt.Appendf(nil, "[databases]\n* = host=%s port=%d user=%s%s\n[pgbouncer]\n"+
			"log_connections=0\nlog_disconnections=0\nlisten_addr=\nunix_socket_dir=%s\nauth_type=any\npool_mode=transaction\ndefault_pool_size=%d\nmax_client_conn=500\n",
			to.Host, to.Port, to.User, password, dir, size), 0o644)
	}
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(dir))
	}
	stop, err := guarded(dir, as, "TERM", program, file)
	if err != nil {
		return "", nil, err
	}
	u := url.URL{Scheme: "postgres", User: url.User(to.User), Path: "/" + to.Database, RawQuery: url.Values{"host": {dir}, "port": {"6432"}}.Encode()}
	if err := answers(u.String(), ""); err != nil {
		log, _ := os.ReadFile(filepath.Join(dir, "log"))
		stop()
		return "", nil, fmt.Errorf("start pgbouncer: %w: %s", err, log[max(0, len(log)-1000):])
	}
	return u.String(), stop, nil
}
