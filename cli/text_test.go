package cli_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
)

// A bot that says "text":true in its hello gets the view in words with every turn of a served match; its opponent does not.
func TestABotThatAsksForWordsGetsThemWithEveryTurn(t *testing.T) {
	t.Parallel()
	db := "sqlite:" + filepath.Join(t.TempDir(), "m.db")
	url := serving(t, db)
	oda := organiser(t, db, "oda")
	cup, _ := announce(t, url, oda, fields{"duplicate": false})
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
		server := bot(t, kit.Bot{Name: fmt.Sprint("bot", i), Text: wants, Games: map[string]kit.Decide{"molehill": decide}}, secret)
		token, id := author(t, url, fmt.Sprint("user", i), fields{"name": fmt.Sprint("bot", i), "url": server.URL + "/", "secret": secret})
		list, _ := api(t, 200, "", "GET", url+"/v1/bots/"+id+"/versions", nil)["data"].([]any)
		if version, _ := list[0].(map[string]any); version["text"] != wants {
			t.Errorf("bot %d: version %v, want text %v", i, version, wants)
		}
		enter(t, url, token, cup, id)
	}
	begin(t, url, oda, cup)
	finishes(t, url, cup)
	for i, wants := range []bool{true, false} {
		asked, got := turns[i].Load(), words[i].Load()
		if want := map[bool]int64{true: asked, false: 0}[wants]; asked == 0 || got != want {
			t.Errorf("bot %d: %d of %d turns carried the view in words, want %d", i, got, asked, want)
		}
	}
}
