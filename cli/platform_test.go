package cli_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/cli"
	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
)

// serving runs `molerun serve` in this process until the test ends, and returns its address.
func serving(t *testing.T, db string) string {
	t.Helper()
	read, write := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan int, 1)
	go func() {
		ended <- cli.MainContext(ctx, []string{"serve", "--database", db, "--migrate", "--listen", "127.0.0.1:0", "--metrics", "", "--allow-private-bots", "--log-level", "warn"},
			strings.NewReader(""), write, os.Stderr)
		_ = write.Close()
	}()
	url, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatal("serve did not come up")
	}
	t.Cleanup(func() {
		stop()
		if code := <-ended; code != 0 {
			t.Errorf("serve ended with %d", code)
		}
	})
	return strings.TrimSpace(url)
}

// bot serves a bot in this process until the test ends.
func bot(t testing.TB, b kit.Bot, secrets ...string) *httptest.Server {
	t.Helper()
	b.Log = slog.New(slog.DiscardHandler)
	h, err := kit.Handler(b, secrets...)
	must.OK(t, err)
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

// random returns a house bot that plays all games at random.
func random(t testing.TB, seed uint64) *httptest.Server {
	t.Helper()
	b, _ := house.Find("random")
	return bot(t, b.Kit(seed))
}

// fields are those of a JSON object.
type fields map[string]any

// inside follows keys into nested objects to a text.
func inside(v fields, keys ...string) string {
	for _, k := range keys[:len(keys)-1] {
		v, _ = v[k].(map[string]any)
	}
	s, _ := v[keys[len(keys)-1]].(string)
	return s
}

// api calls the API and returns the JSON of its answer, which must have the status wanted. body may be nil.
func api(t testing.TB, want int, token, method, url string, body fields) (answer fields) {
	t.Helper()
	var sent io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		must.OK(t, err)
		sent = strings.NewReader(string(b))
	}
	r, err := http.NewRequestWithContext(t.Context(), method, url, sent)
	must.OK(t, err)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	got, err := http.DefaultClient.Do(r)
	must.OK(t, err)
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil || got.StatusCode != want || json.Unmarshal(text, &answer) != nil {
		t.Fatalf("%s %s: status %d (%v), want %d and JSON\n%s", method, url, got.StatusCode, err, want, text)
	}
	return answer
}

// organiser returns the token of a new organiser.
func organiser(t testing.TB, db, name string) string {
	t.Helper()
	return strings.TrimSpace(told(t, "", "admin", "token", name, "--database", db))
}

// announce makes a tournament that takes entries: a round robin of Mole Hill, but for what changes say.
func announce(t testing.TB, url, token string, changes fields) (id string, made fields) {
	t.Helper()
	at := func(d time.Duration) string { return time.Now().UTC().Add(d).Format(time.RFC3339) }
	body := fields{
		"name": "Cup", "game": "molehill", "table_size": 2, "format": "round_robin", "cycles": 1, "duplicate": true, "rated": true, "capacity": 4,
		"opens_at": at(-time.Minute), "closes_at": at(time.Hour), "starts_at": at(time.Hour),
	}
	maps.Copy(body, changes)
	made = api(t, 201, token, "POST", url+"/v1/tournaments", body)
	return inside(made, "id"), made
}

// author registers a user and their bot, and returns the user's token and the bot's id.
func author(t testing.TB, url, name string, bot fields) (token, id string) {
	t.Helper()
	token = inside(api(t, 201, "", "POST", url+"/v1/users", fields{"name": name}), "token", "token")
	return token, inside(api(t, 201, token, "POST", url+"/v1/bots", bot), "bot", "id")
}

// enter enters a bot for a tournament.
func enter(t testing.TB, url, token, cup, bot string) {
	t.Helper()
	api(t, 201, token, "POST", url+"/v1/tournaments/"+cup+"/entries", fields{"bot_id": bot})
}

// begin starts a tournament.
func begin(t testing.TB, url, token, cup string) {
	t.Helper()
	api(t, 200, token, "POST", url+"/v1/tournaments/"+cup+"/start", nil)
}

// status asks the API for that of a tournament.
func status(t testing.TB, url, cup string) string {
	t.Helper()
	return inside(api(t, 200, "", "GET", url+"/v1/tournaments/"+cup, nil), "status")
}

// finishes waits until a tournament is over.
func finishes(t *testing.T, url, cup string) {
	t.Helper()
	waitFor(t, func() bool { return status(t, url, cup) == "finished" }, new(clitest.Log))
}

// waitFor waits until done, for ten minutes at most: a machine with twenty others at work on it is that slow.
func waitFor(t *testing.T, done func() bool, log fmt.Stringer) {
	t.Helper()
	for range 6000 {
		if done() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("not over after ten minutes\n%s", log)
}
