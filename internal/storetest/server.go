package storetest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	osexec "os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// startServer starts a Postgres of its own on a socket in a temporary directory and returns its admin URL.
func startServer() (string, func(), error) {
	initdb, err := Program("initdb")
	if err != nil {
		return "", nil, err
	}
	postgres, err := Program("postgres")
	if err != nil {
		return "", nil, err
	}
	dir, err := os.MkdirTemp(ram(), "molerun-pg-")
	if err != nil {
		return "", nil, err
	}
	as, err := Account(dir)
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(dir))
	}
	data := filepath.Join(dir, "data")
	cmd := osexec.Command(initdb, "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions")
	cmd.SysProcAttr, cmd.Dir = as, dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", nil, errors.Join(fmt.Errorf("initdb: %w: %s", err, out), os.RemoveAll(dir))
	}
	stop, err := guarded(dir, as, "INT", postgres, "-D", data, "-k", dir, "-c", "listen_addresses=",
		"-c", "fsync=off", "-c", "max_connections=300", "-c", "shared_buffers=64MB")
	if err != nil {
		return "", nil, err
	}
	u := url.URL{Scheme: "postgres", User: url.User("postgres"), Path: "/postgres", RawQuery: url.Values{"host": {dir}}.Encode()}
	if err := answers(u.String(), data); err != nil {
		log, _ := os.ReadFile(filepath.Join(dir, "log"))
		stop()
		return "", nil, fmt.Errorf("start postgres: %w: %s", err, log)
	}
	return u.String(), stop, nil
}

// guarded starts a server in a folder, which goes when the server is stopped. The shell around it ends the server, by its number and with a
// signal, when stop closes the shell's input or this process dies.
func guarded(dir string, as *syscall.SysProcAttr, signal string, server ...string) (stop func(), err error) {
	watch := `"$@" <&- >log 2>&1 & server=$!; read end; kill -` + signal + ` $server; wait $server`
	shell := osexec.Command("/bin/sh", append([]string{"-c", watch, "sh"}, server...)...)
	shell.SysProcAttr, shell.Dir = as, dir
	input, err := shell.StdinPipe()
	if err == nil {
		err = shell.Start()
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return func() {
		_ = input.Close()
		_ = shell.Wait()
		_ = os.RemoveAll(dir)
	}, nil
}

// ram returns a folder in memory where the system has one, else "": every test makes a database of some six hundred files.
func ram() string {
	const shm = "/dev/shm"
	if info, err := os.Stat(shm); err != nil || !info.IsDir() {
		return ""
	}
	return shm
}

// Program finds a server program where the distributions put it.
func Program(name string) (string, error) {
	if path, err := osexec.LookPath(name); err == nil {
		return path, nil
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if len(found) == 0 {
		return "", fmt.Errorf("no %s: the tests run on Postgres too; install postgresql, or name a server in %s", name, envPostgres)
	}
	slices.Sort(found)
	return found[len(found)-1], nil
}

// Account returns how to run the server: as root, which Postgres refuses, the account postgres, which then owns dir.
func Account(dir string) (*syscall.SysProcAttr, error) {
	if os.Geteuid() != 0 {
		return &syscall.SysProcAttr{}, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("postgres does not run as root and there is no account for it: %w; install postgresql", err)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, os.Chown(dir, int(uid), int(gid))
}

// answers waits until a server does, and makes sure that it is the one just started: the one with these data, "" for any.
func answers(dsn, data string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		c, err := pgx.Connect(ctx, dsn)
		if err == nil {
			dir := data
			if data != "" {
				err = c.QueryRow(ctx, "SHOW data_directory").Scan(&dir)
			}
			_ = c.Close(ctx)
			if err == nil && dir != data {
				return fmt.Errorf("the server's data are in %s, not in %s", dir, data)
			}
		}
		if err == nil || ctx.Err() != nil {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
}
