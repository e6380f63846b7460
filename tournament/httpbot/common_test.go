package httpbot_test

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
	"github.com/molerun/molerun/tournament/runner"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type (
	briefing = runner.Briefing
	ask      = runner.Ask
)

const secret = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="

func sample() (briefing, ask) {
	squares := strings.TrimSuffix(strings.Repeat(`"d5",`, 12), ",")
	offer := strings.TrimSuffix(strings.Repeat(`{"type":"move","to":"e5"},`, 6), ",")
	b := briefing{
		Match: "0199e7a0-0000-7000-8000-000000000001", Info: game.Info{ID: "molehill", Version: 1}, Config: json.RawMessage(`{"columns":7,"rows":9}`),
		Seat: 1, Aliases: []string{"vole", "shrew"}, Clock: tournament.DefaultClock(),
	}
	a := ask{
		Step: 4, Decision: runner.DecisionID("0199e7a0-0000-7000-8000-000000000001", 4, 1), Bank: 9 * time.Second,
		Previous: &runner.Previous{Status: "ok", Elapsed: 3 * time.Millisecond, Charged: 2 * time.Millisecond},
		Events:   []json.RawMessage{json.RawMessage(`{"kind":"played","seat":0,"action":{"type":"rod","edge":"d5-d6"}}`)},
		View:     json.RawMessage(`{"round":1,"mole_seat":1,"visited":[` + squares + `],"mole":"d5","phase":"move"}`), Offer: json.RawMessage(`{"list":[` + offer + `]}`), Memo: "abc",
	}
	return b, a
}

// shared makes a client that may reach loopback.
func shared(t testing.TB, o httpbot.Options) *httpbot.Client {
	t.Helper()
	if o.Guard.AllowPrivate == nil {
		o.Guard.AllowPrivate = httpbot.Loopback().AllowPrivate
	}
	c := httpbot.NewClient(o)
	t.Cleanup(c.Close)
	return c
}

func player(t testing.TB, c *httpbot.Client, url string) *httpbot.Bot {
	t.Helper()
	return must.Get(httpbot.New(httpbot.Config{URL: url, Secrets: []string{secret}, Client: c}))(t)
}

// within asks the sample decision under a deadline.
func within(t testing.TB, bot *httpbot.Bot, limit time.Duration) runner.Reply {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	br, a := sample()
	return bot.Ask(ctx, br, a)
}

func web(t testing.TB, f http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return server.URL
}

// raw serves connections by hand; each is closed when f returns.
func raw(t testing.TB, f func(c net.Conn, number int)) string {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	ended := make(chan struct{})
	live := make(chan struct{}, 1000)
	go func() {
		defer close(ended)
		for number := 0; ; number++ {
			c, err := l.Accept()
			if err != nil {
				return
			}
			live <- struct{}{}
			go func() {
				defer func() { _ = c.Close(); <-live }()
				_ = c.SetDeadline(time.Now().Add(5 * time.Second))
				f(c, number)
			}()
		}
	}()
	t.Cleanup(func() { _ = l.Close(); <-ended })
	return "http://" + l.Addr().String()
}
