package faults_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
)

// cluster is a Postgres server of the campaign's own, with fsync.
type cluster struct {
	dir    string
	as     *syscall.SysProcAttr
	wal    string // a small file system for the log; "" if it is on the disk, with the rest
	server string // the program
	copies string // the program that copies a server
	pid    int
	input  io.Closer // its shell ends the server when this is closed
	shell  *exec.Cmd
}

// newServer is one that has no data yet.
func newServer(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{server: program(t, "postgres"), copies: program(t, "pg_basebackup")}
	var err error
	c.dir, err = os.MkdirTemp("", "molerun-faults-")
	must.OK(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(c.dir) })
	c.as, err = storetest.Account(c.dir)
	must.OK(t, err)
	return c
}

// newStandby is a server that will follow another.
func newStandby(t *testing.T) *cluster {
	t.Helper()
	c := newServer(t)
	t.Cleanup(c.end)
	return c
}

// follow makes a dead server the synchronous standby of a primary, from a copy of its data: from then on, what is committed is in both.
// The primary keeps asking for a standby when it has none, so that nobody hears of a commit that a failover would lose.
func (c *cluster) follow(primary *cluster) error {
	data := filepath.Join(c.dir, "data")
	if err := os.RemoveAll(data); err != nil {
		return err
	}
	if err := primary.ask("ALTER SYSTEM SET synchronous_standby_names = '*'"); err != nil { // the copy has it too
		return err
	}
	backup := exec.Command(c.copies, "-h", primary.dir, "-U", "postgres", "-D", data, "-R", "-X", "stream", "-c", "fast")
	backup.SysProcAttr, backup.Dir = c.as, c.dir
	if out, err := backup.CombinedOutput(); err != nil {
		return fmt.Errorf("pg_basebackup: %w: %s", err, out)
	}
	if err := c.start(); err != nil {
		return err
	}
	if err := primary.ask("SELECT pg_reload_conf()"); err != nil {
		return err
	}
	for range 600 {
		n, err := primary.number("SELECT COUNT(*) FROM pg_stat_replication WHERE sync_state = 'sync'")
		if err == nil && n > 0 {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return errors.New("the standby does not follow within half a minute")
}

// number is what a query of one number gives.
func (c *cluster) number(query string) (n int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, c.url("postgres"))
	if err != nil {
		return 0, err
	}
	err = conn.QueryRow(ctx, query).Scan(&n)
	return n, errors.Join(err, conn.Close(ctx))
}

// newCluster starts one until the test ends. small puts its log on a file system in memory of that many MiB.
func newCluster(t *testing.T, small int) *cluster {
	t.Helper()
	c := newServer(t)
	args := []string{"-D", filepath.Join(c.dir, "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-instructions", "--wal-segsize=1"}
	if small > 0 {
		c.wal = filepath.Join(c.dir, "wal")
		c.mount(t, small)
		args = append(args, "-X", filepath.Join(c.wal, "pg_wal"))
	}
	initdb := exec.Command(program(t, "initdb"), args...)
	initdb.SysProcAttr, initdb.Dir = c.as, c.dir
	if out, err := initdb.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v %s", err, out)
	}
	t.Cleanup(c.end)
	must.OK(t, c.start())
	return c
}

func (c *cluster) mount(t *testing.T, small int) {
	t.Helper()
	must.OK(t, os.Mkdir(c.wal, 0o700))
	if err := syscall.Mount("tmpfs", c.wal, "tmpfs", 0, fmt.Sprintf("size=%dm,mode=0777", small)); err != nil {
		t.Fatalf("no small disk to fill: %v; only root may mount one", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(c.wal, syscall.MNT_DETACH) })
}

// program returns where a program of Postgres is.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := storetest.Program(name)
	must.OK(t, err)
	return path
}

// url is the address of one of its databases, past all links.
func (c *cluster) url(database string) string {
	u := url.URL{Scheme: "postgres", User: url.User("postgres"), Path: "/" + database, RawQuery: url.Values{"host": {c.dir}}.Encode()}
	return u.String()
}

// writable is what makes a program look for the one of several servers that takes writes.
const writable = "target_session_attrs=read-write"

// socketURL is the address of a database at the one of several servers that takes writes, past all links.
func socketURL(folders, database string) string {
	return "postgres://postgres@/" + database + "?host=" + url.QueryEscape(folders) + "&" + writable
}

// linked is the same through links.
func linked(addresses, database string) string {
	return "postgres://postgres@" + addresses + "/" + database + "?sslmode=disable&" + writable
}

// dial connects to it as a link does.
func (c *cluster) dial() (net.Conn, error) {
	return net.Dial("unix", filepath.Join(c.dir, ".s.PGSQL.5432"))
}

// start starts it and waits until it answers. Right after a kill, it may have to be tried again.
func (c *cluster) start() error {
	var err error
	for range 100 {
		if err = c.startOnce(); err == nil {
			return nil
		}
		c.end()
		time.Sleep(200 * time.Millisecond)
	}
	return err
}

func (c *cluster) startOnce() error {
	const watch = `"$@" <&- >>log 2>&1 & echo $!; read end; kill -INT $!; wait $!`
	shell := exec.Command("/bin/sh", "-c", watch, "sh", c.server, "-D", filepath.Join(c.dir, "data"), "-k", c.dir, "-c", "listen_addresses=",
		"-c", "fsync=on", "-c", "max_connections=200", "-c", "shared_buffers=64MB", "-c", "min_wal_size=8MB", "-c", "max_wal_size=24MB", "-c", "wal_keep_size=128MB")
	shell.SysProcAttr, shell.Dir = c.as, c.dir
	input, err := shell.StdinPipe()
	if err != nil {
		return err
	}
	out, err := shell.StdoutPipe()
	if err != nil {
		return err
	}
	if err := shell.Start(); err != nil {
		return err
	}
	c.shell, c.input = shell, input
	if _, err := fmt.Fscan(out, &c.pid); err != nil {
		return err
	}
	for range 600 {
		err = c.ask("SELECT 1")
		if err == nil || syscall.Kill(c.pid, 0) != nil || zombie(c.pid) {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}

// zombie reports whether a process is dead and only not waited for.
func zombie(pid int) bool { return slices.Contains([]string{"", "Z"}, state(pid)) }

// still reports whether a process stands, or is dead.
func still(pid int) bool { return zombie(pid) || state(pid) == "T" }

// state is the letter of a process's state; "" if there is none.
func state(pid int) string {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(stat), ") ")
	return rest[:min(1, len(rest))]
}

// ask carries out a statement of an administrator.
func (c *cluster) ask(sql string) error { return c.on("postgres", sql) }

// on carries out a statement in a database.
func (c *cluster) on(database, sql string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, c.url(database))
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, sql)
	return errors.Join(err, conn.Close(ctx))
}

// all are the processes of the server, the first of which is the parent of the others.
func (c *cluster) all() []int {
	out := []int{c.pid}
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		stat, err := os.ReadFile(filepath.Join(dir, "stat"))
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		var state string
		var parent int
		if _, err := fmt.Sscan(rest, &state, &parent); err == nil && parent == c.pid {
			if pid, err := strconv.Atoi(filepath.Base(dir)); err == nil {
				out = append(out, pid)
			}
		}
	}
	return out
}

func (c *cluster) signal(s syscall.Signal) {
	for _, pid := range c.all() {
		_ = syscall.Kill(pid, s)
	}
}

// kill ends it as a power cut would. The parent is stopped first: a child that it forked unseen would keep the server's memory,
// and no other could start.
func (c *cluster) kill() {
	_ = syscall.Kill(c.pid, syscall.SIGSTOP)
	for end := time.Now().Add(5 * time.Second); !still(c.pid) && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	c.signal(syscall.SIGKILL)
	c.end()
}

// end ends the server, if it lives, with its shell.
func (c *cluster) end() {
	if c.input != nil {
		_ = c.input.Close()
		_ = c.shell.Wait()
		c.input = nil
	}
}
