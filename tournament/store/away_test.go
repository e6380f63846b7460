package store_test

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/database"
)

// A database that hangs does not break its connections: whoever waits no longer does.
func TestADatabaseThatHangsDoesNotAnswer(t *testing.T) {
	c, open := storetest.Through(t)
	s := open(store.Options{Now: time.Now})
	held := make(chan struct{})
	t.Cleanup(func() { close(held) })
	c.Arm(storetest.OnTheWayThere, func(byte, []byte) bool { <-held; return false })
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := s.Ping(ctx); err == nil || database.AwayBecause(err) != "it does not answer" {
		t.Errorf("%v: %q", err, database.AwayBecause(err))
	}
}

// A host that is silent, as one whose machine is gone, must leave time for the next of the URL to whoever waits five seconds; and a command
// that finds none says what to do.
func TestASilentHostLeavesTimeForTheNext(t *testing.T) {
	for query, want := range map[string]time.Duration{"": 3 * time.Second, "?connect_timeout=20": 20 * time.Second} {
		o := store.Options{Now: time.Now, Rand: rand.Reader, Unasked: true}
		s := must.Get(store.Open(t.Context(), "postgres://me@127.0.0.1:1,127.0.0.1:2/x"+query, o))(t)
		if got := s.Pool().Config().ConnConfig.ConnectTimeout; got != want {
			t.Errorf("%q: a host may take %v to connect, want %v", query, got, want)
		}
		if err := s.Ping(t.Context()); !strings.HasPrefix(database.Next(err), "start the database") {
			t.Errorf("%q: %v: next %q", query, err, database.Next(err))
		}
		must.OK(t, s.Close())
	}
}

func TestADatabaseThatGoesAwayIsToldFromAMistake(t *testing.T) {
	c, open := storetest.Through(t)
	s := open(store.Options{Now: time.Now})
	if _, err := s.Ladder(t.Context(), "chess"); err == nil || database.Away(err) {
		t.Errorf("no such ladder: %v, away %v; want an error that is not", err, database.Away(err))
	}
	c.Close()
	for range 3 { // the connection that was open, then new ones
		if _, err := s.Ladders(t.Context()); !database.Away(err) {
			t.Errorf("the database is gone, and %v (%T) does not say so", err, err)
		}
	}
	for code, want := range map[string]bool{"57P01": true, "57P03": true, "08006": true, "53300": true, "53100": true, "53200": true, "53400": true, "54000": false, "40001": false, "23505": false, "57014": false} {
		if err := fmt.Errorf("x: %w", &pgconn.PgError{Code: code}); database.Away(err) != want {
			t.Errorf("%s: away %v, want %v", code, !want, want)
		}
	}
	for code, want := range map[string]bool{
		"22021": true, "22003": true, "23514": true, "23503": true, "42703": true, "54000": true, "21000": true, // of the data or the statement
		"23505": false, "57P01": false, "08006": false, "53300": false, "53100": false, "40001": false, "40P01": false, "57014": false, "55P03": false,
	} {
		if err := fmt.Errorf("x: %w", &pgconn.PgError{Code: code}); database.Refused(err) != want {
			t.Errorf("%s: refused %v, want %v", code, !want, want)
		}
	}
	for _, err := range []error{nil, io.ErrUnexpectedEOF, context.DeadlineExceeded, tournament.ErrFenced, gorm.ErrDuplicatedKey} {
		if database.Refused(err) {
			t.Errorf("%v says that the data are refused", err)
		}
	}
	if !database.Away(fmt.Errorf("x: %w", unsent{})) {
		t.Error("a connection that was found closed does not say that the database is away")
	}
	for _, err := range []error{nil, tournament.ErrNotFound, errors.New("else"), errors.Join(unsent{}, context.Canceled)} {
		if database.Away(err) {
			t.Errorf("%v says that the database is away", err)
		}
	}
}

// unsent is what pgx says of a connection that was lost before.
type unsent struct{}

func (unsent) Error() string     { return "conn closed" }
func (unsent) SafeToRetry() bool { return true }

// TestEachDatabaseSaysWhatItRefuses: by real errors, which no list of codes knows.
func TestEachDatabaseSaysWhatItRefuses(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		s := open(store.Options{})
		for _, sql := range []string{
			"INSERT INTO users (id, name, name_folded, role, created_at) VALUES ('a', '', 'a', 'owner', '2026-01-01 00:00:00')",                             // CHECK
			"INSERT INTO users (id, name, name_folded, role, created_at) VALUES ('a', NULL, 'a', 'owner', '2026-01-01 00:00:00')",                           // NOT NULL
			"INSERT INTO tokens (id, user_id, hash, note, created_at) VALUES ('a', 'nobody', '" + strings.Repeat("0", 64) + "', '', '2026-01-01 00:00:00')", // REFERENCES
			"INSERT INTO users (colour) VALUES ('red')", "INSERT INTO nowhere VALUES (1)", "INSERT",
		} {
			if err := s.SQL(t.Context()).Exec(sql).Error; !database.Refused(err) || database.Away(err) {
				t.Errorf("%s: %v is refused: %v, away: %v; want refused alone", sql, err, database.Refused(err), database.Away(err))
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.SQL(t.Context()).WithContext(ctx).Exec("UPDATE users SET role = 'owner'").Error; err == nil || database.Refused(err) {
			t.Errorf("a stopped statement: %v is refused: %v, want an error that is not", err, database.Refused(err))
		}
	})
}

// A server that has no TLS, or shows a certificate that is not to be trusted, is no database that comes back: waiting for it would hide the cause.
func TestAServerThatRefusesTLSIsNotAway(t *testing.T) {
	web := httptest.NewTLSServer(nil)
	t.Cleanup(web.Close)
	for answer, want := range map[string]string{"N": "server refused TLS connection", "S": "certificate"} {
		l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
		t.Cleanup(func() { l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				_, _ = io.ReadFull(c, make([]byte, 8)) // the wish for TLS
				_, _ = io.WriteString(c, answer)
				_ = tls.Server(c, &tls.Config{Certificates: web.TLS.Certificates}).Handshake() // until the other side ends
				c.Close()
			}
		}()
		_, err := store.Open(t.Context(), "postgres://me@"+l.Addr().String()+"/x?sslmode="+map[string]string{"N": "require", "S": "verify-full"}[answer],
			store.Options{Now: time.Now, Rand: rand.Reader})
		if err == nil || database.Away(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, away %v; want %q, and not away", answer, err, database.Away(err), want)
		}
	}
}
