package api_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/mailbox"
)

// patience bounds a wait on a busy machine.
const patience = 90 * time.Second

const relayID = "5f0a2f5e-6f0c-4f0e-8a51-0d6f3f1d2b11"

// letter is the id of a letter to a mailbox of a person's, which a relay has fetched; whoever waits for its answer does so
// until the test is over.
func (w *world) letter(who, name string) (id string) {
	w.t.Helper()
	_, id = w.exchange(who, name, "body")
	return id
}

// exchange sends a letter, fetches it as its owner does, and tells the answer later.
func (w *world) exchange(who, name, body string) (answered <-chan tournament.MessageAnswer, id string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	box := tournament.RelayAddress(w.users[who].ID, name)
	fetch := func(wait time.Duration) []tournament.Message {
		list, err := w.store.Fetch(ctx, box, mailbox.Holder{Relay: relayID, Room: 1, Wait: wait, Holds: w.held})
		must.OK(w.t, err)
		return list
	}
	fetch(0)
	out := make(chan tournament.MessageAnswer, 1)
	var sending sync.WaitGroup
	sending.Go(func() {
		a, _ := w.store.Exchange(ctx, box, tournament.Message{Head: map[string]string{"webhook-id": "m"}, Body: []byte(body)})
		out <- a
	})
	w.t.Cleanup(func() { cancel(); sending.Wait() })
	list := fetch(patience)
	w.held = append(w.held, list[0].ID)
	return out, list[0].ID
}

func TestARelayFetchesAndAnswersItsOwnMessagesAlone(t *testing.T) {
	onBoth(t, func(w *world) {
		fetch := func(who string, holds ...string) []wire.RelayMessage {
			body := map[string]any{"relay": relayID, "holds": append([]string{}, holds...), "room": 8}
			return into[wire.RelayMessages](w.do(who, "POST", "/v1/relays/FOX/fetch", body).want(200, "")).Data
		}
		answer := func(who, id, text string) answer {
			return w.do(who, "POST", "/v1/relays/fox/answer", map[string]any{"id": id, "status": 200, "body": base64.StdEncoding.EncodeToString([]byte(text))})
		}
		said, id := w.exchange(owner, "fox", "canary")
		for _, who := range people()[1:] {
			if got := fetch(who, map[bool][]string{true: {id}}[who == owner]...); len(got) != 0 {
				t.Errorf("%s was given %+v, want nothing", who, got)
			}
		}
		got := fetch(owner) // it was lost on the way
		if len(got) != 1 || got[0].ID != id || string(got[0].Body) != "canary" || got[0].Head["webhook-id"] != "m" || got[0].LeftMS <= 0 {
			t.Fatalf("got %+v, want the message again", got)
		}
		for _, who := range []string{other, rival, organiser, admin} {
			answer(who, id, "forged").want(409, "wrong_state")
		}
		answer(owner, id, "true\x00").want(204, "")
		answer(owner, id, "twice").want(409, "wrong_state")
		if a := <-said; string(a.Body) != "true\x00" || a.Status != 200 {
			t.Errorf("got %+v, want the owner's answer", a)
		}
		must.Say(t, w.log.String(), "not", "canary")
		metrics := w.gathered("molerun_relay_answers_total")
		same(t, "counted", metrics, `refused:5 taken:1`)
	})
}

// gathered is the values of a counter by its only label.
func (w *world) gathered(name string) string {
	w.t.Helper()
	families, err := w.reg.Gather()
	must.OK(w.t, err)
	var out []string
	for _, f := range families {
		if f.GetName() == name {
			for _, m := range f.GetMetric() {
				out = append(out, fmt.Sprintf("%s:%g", m.GetLabel()[0].GetValue(), m.GetCounter().GetValue()))
			}
		}
	}
	return strings.Join(out, " ")
}

// A relay that asks for nothing wants to know that the link holds: it need not wait until the platform has nothing for it.
func TestARelayLearnsAtOnceThatItsLinkHolds(t *testing.T) {
	onOneWith(t, limited(func(l *gate.Limits) { l.Poll = time.Minute }), func(w *world) {
		begun := time.Now()
		w.do(owner, "POST", "/v1/relays/fox/fetch", map[string]any{"relay": relayID, "holds": []string{}, "room": 0}).want(200, "")
		if took := time.Since(begun); took > time.Minute/2 {
			t.Errorf("it waited for %v", took)
		}
	})
}

// A process that drains still answers whoever waits for news: let go at once, they would come back as often as the link allows.
func TestWhoWaitsForNewsWaitsUntilTheServerStops(t *testing.T) {
	for who, begin := range map[string]func(w *world) func() answer{
		"a relay": func(w *world) func() answer {
			return func() answer {
				return w.do(owner, "POST", "/v1/relays/fox/fetch", map[string]any{"relay": relayID, "holds": []string{}, "room": 8})
			}
		},
		"an agent": func(w *world) func() answer {
			w.agent(owner, "hal")
			call := map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": "wait", "arguments": map[string]any{}}}
			return func() answer { return w.do(owner, "POST", "/mcp", call) }
		},
		"a person at a seat": func(w *world) func() answer {
			p := &person{w: w}
			p.sitDown()
			return func() answer { return p.ask("GET", "/seat?after=running.0", nil) }
		},
	} {
		t.Run(who, func(t *testing.T) {
			onOneWith(t, func(c *api.Config) {
				if c.Limits.Poll, c.Limits.Guests = patience, 4; who == "an agent" {
					withTheGames(c)
				}
			}, func(w *world) {
				wait := begin(w)
				w.api.Drain()
				got := make(chan answer, 1)
				go func() { got <- wait() }()
				select {
				case a := <-got:
					t.Fatalf("let go while the server drains: %d %s", a.status, a.body)
				case <-time.After(time.Second / 2):
				}
				w.api.Stop()
				(<-got).want(200, "")
			})
		})
	}
}

func TestWhatARelaySaysIsChecked(t *testing.T) {
	onOne(t, func(w *world) {
		const id = "01890000-0000-7000-8000-000000000000"
		fetch := func(change map[string]any) map[string]any {
			body := map[string]any{"relay": relayID, "holds": []string{}, "room": 1}
			for k, v := range change {
				body[k] = v
			}
			return body
		}
		many := make([]string, tournament.MaxRelayRoom+1)
		for i := range many {
			many[i] = id
		}
		for place, change := range map[string]map[string]any{
			"/relay": {"relay": "mine"}, "/holds": {"holds": many}, "/holds/0": {"holds": []string{"x"}}, "/room": {"room": tournament.MaxRelayRoom + 1},
		} {
			w.do(owner, "POST", "/v1/relays/fox/fetch", fetch(change)).want(422, "invalid").place(place)
		}
		w.do(owner, "POST", "/v1/relays/fox/fetch", fetch(map[string]any{"room": -1})).want(422, "invalid").place("/room")
		w.do(owner, "POST", "/v1/relays/x/fetch", fetch(nil)).want(404, "not_found")
		for place, body := range map[string]map[string]any{
			"/id": {"id": "x", "status": 200}, "/status": {"id": id, "status": 99}, "/content_encoding": {"id": id, "status": 200, "content_encoding": "a\nb"},
			"/body": {"id": id, "status": 200, "body": base64.StdEncoding.EncodeToString(make([]byte, protocol.MaxAnswerBytes+2))},
		} {
			w.do(owner, "POST", "/v1/relays/fox/answer", body).want(422, "invalid").place(place)
		}
		w.do(owner, "POST", "/v1/relays/fox/answer", map[string]any{"id": id, "status": 200, "body": "?"}).want(400, "bad_json").place("/body")

		var greeted string
		greet := w.greet
		w.greet = func(url string) (protocol.HelloAnswer, error) { greeted = url; return greet(url) }
		made := into[wire.BotCreated](w.do(owner, "POST", "/v1/bots", map[string]any{"name": "fox", "url": "relay:Fox"}).want(201, ""))
		mine := tournament.RelayAddress(w.users[owner].ID, "fox")
		if greeted != mine || made.Version.Private.URL != "relay:fox" {
			t.Errorf("greeted %s, shown as %s; want %s as relay:fox", greeted, made.Version.Private.URL, mine)
		}
		// An administrator's new version of it is greeted at its owner's mailbox.
		w.do(admin, "POST", "/v1/bots/"+made.Bot.ID+"/versions", map[string]any{"url": "relay:fox2"}).want(201, "")
		same(t, "greeted", greeted, tournament.RelayAddress(w.users[owner].ID, "fox2"))
		for _, url := range []string{"relay:", "relay:a/b", "relay:../fox", mine, "relay://x/fox", "relay:" + strings.Repeat("a", 33)} {
			w.do(other, "POST", "/v1/bots", map[string]any{"name": "wolf", "url": url}).want(422, "invalid").place("/url")
		}
		w.do(owner, "POST", "/v1/webhooks", map[string]any{"url": "relay:fox"}).want(422, "invalid").place("/url")
		w.get(other, "/v1/bots/"+made.Bot.ID).want(200, "").has("version/private", nil)
	})
}
