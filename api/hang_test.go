package api_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament/store"
)

// hanging returns the URL of a Postgres that takes connections and never answers.
func hanging(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must.OK(t, err)
	var taken []net.Conn
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			taken = append(taken, c)
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
		for _, c := range taken {
			_ = c.Close()
		}
	})
	return "postgres://mole:mole@" + l.Addr().String() + "/mole?sslmode=disable"
}

// A health check of a database that hangs is answered in time, however often it is asked, and leaves nothing running: the package's
// goroutines are counted at its end.
func TestAHealthCheckOfADatabaseThatHangsIsAnswered(t *testing.T) {
	url := hanging(t) // ends last
	onOneWith(t, func(c *api.Config) { c.Store = storetest.OpenURL(t, url, store.Options{Unasked: true}) }, func(w *world) {
		for range 2 {
			began := time.Now()
			p := into[wire.Problem](w.get(anon, "/readyz").want(503, "not_ready"))
			if took := time.Since(began); took > 8*time.Second {
				t.Errorf("it took %s, want the five seconds of all checks together", took)
			}
			if !strings.HasPrefix(p.Detail, "database: it does not answer") {
				t.Errorf("got %q, want that the database does not answer", p.Detail)
			}
		}
		w.get(anon, "/livez").want(200, "")
	})
}
