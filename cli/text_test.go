package cli_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
)

// A bot that says "text":true in its hello gets the view in words with every turn of a served match; its opponent does not.
func TestABotThatAsksForWordsGetsThemWithEveryTurn(t *testing.T) {
	db := "sqlite:" + filepath.Join(t.TempDir(), "m.db")
	url := serving(t, db)
	code, out, errs := call("", "admin", "token", "organiser", "--database", db)
	if code != 0 {
		t.Fatal(errs)
	}
	organiser := strings.TrimSpace(out)
	now := time.Now().UTC()
	at := func(d time.Duration) string { return now.Add(d).Format(time.RFC3339) }
	cup := inside(curl(t, 201, organiser, "POST", url+"/v1/tournaments", fmt.Sprintf(`{"name":"Words","game":"molehill","table_size":2,"format":"round_robin",
		"cycles":1,"duplicate":false,"rated":true,"capacity":4,"opens_at":%q,"closes_at":%q,"starts_at":%q}`, at(-time.Minute), at(time.Hour), at(time.Hour))), "id")
	var turns, words [2]atomic.Int64
	secret := "whsec_" + strings.Repeat("QUJD", 11) + "0AAA"
	for i, wants := range []bool{true, false} {
		decide := func(_ context.Context, turn *protocol.Turn) (protocol.Answer, error) {
			turns[i].Add(1)
			if turn.Text != "" {
				words[i].Add(1)
			}
			return protocol.Answer{Choose: new(int)}, nil
		}
		h, err := kit.Handler(kit.Bot{Name: fmt.Sprint("bot", i), Text: wants, Games: map[string]kit.Decide{"molehill": decide}}, secret)
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(h)
		t.Cleanup(server.Close)
		token := inside(curl(t, 201, "", "POST", url+"/v1/users", fmt.Sprintf(`{"name":"user%d"}`, i)), "token", "token")
		bot := curl(t, 201, token, "POST", url+"/v1/bots", fmt.Sprintf(`{"name":"bot%d","url":%q,"secret":%q}`, i, server.URL+"/", secret))
		if version, _ := bot["version"].(map[string]any); version["text"] != wants {
			t.Errorf("bot %d: version %v, want text %v", i, version, wants)
		}
		curl(t, 201, token, "POST", url+"/v1/tournaments/"+cup+"/entries", fmt.Sprintf(`{"bot_id":%q}`, inside(bot, "bot", "id")))
	}
	curl(t, 200, organiser, "POST", url+"/v1/tournaments/"+cup+"/start", "")
	for range 300 { // bounded, not measured
		if inside(curl(t, 200, "", "GET", url+"/v1/tournaments/"+cup, ""), "status") == "finished" {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	for i, wants := range []bool{true, false} {
		asked, got := turns[i].Load(), words[i].Load()
		if want := map[bool]int64{true: asked, false: 0}[wants]; asked == 0 || got != want {
			t.Errorf("bot %d: %d of %d turns carried the view in words, want %d", i, got, asked, want)
		}
	}
}
