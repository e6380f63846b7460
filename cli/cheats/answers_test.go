package cheats_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"hash/fnv"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/cheats"
)

func hash(text string) uint64 {
	h := fnv.New64a()
	_, _ = io.WriteString(h, text)
	return h.Sum64()
}

// answers are cheats by what is sent in place of an honest answer. Most are tried by a bot that plays weakly against a strong
// one in the small garden: it would lose all its matches, as its twin does, and cheats towards their ends.
func answers() []entry {
	list := []entry{
		escape("text that the database cannot keep", "a text that cannot be kept is dropped with a note before it reaches the database, and a data error is never tried again", odd),
		escape("resetting the connection", "a connection that breaks is the bot's fault", reset),
		escape("closing half of the connection", "an answer that is not whole at the deadline is a timeout", halfClose),
		escape("one byte at a time", "one deadline for the whole answer", drip),
		escape("a flood of informational answers", "informational answers count with the headers, at most 16 KiB, under the one deadline", informational),
		escape("endless trailers", "trailers count with the answer, under the one deadline", trailers),
		escape("headers of a megabyte", "headers are at most 16 KiB", hugeHeaders),
		escape("a compressed bomb", "answers are not decompressed", bomb),
		escape("a redirect", "a redirect is not followed, and is a fault", redirect),
		escape("a new connection for every answer", "the ports that a host uses up are that host's want", closes),
		escape("an answer for another decision", "the decision is echoed, and another is a fault", otherDecision),
	}
	return append(list, thought(), third(), build(), hello(), workers())
}

// escape is a way to answer that should save no match from being lost.
func escape(name, stops string, hostile func(turn *protocol.Turn) http.HandlerFunc) entry {
	return entry{
		Cheat: cheats.Cheat{Name: name + " when losing", Unit: "losses escaped a match", Tolerance: 0.1, Stops: stops},
		quick: true,
		play: func(t *testing.T, p *platform) []cheats.Trial {
			return p.escapes(t, 2, func(turn *protocol.Turn) http.HandlerFunc {
				if !losing(turn) {
					return nil
				}
				return hostile(turn)
			})
		},
	}
}

// escapes has a weak bot that answers by hostile, where that is not nil, and one that never does lose to a strong one.
func (p *platform) escapes(t *testing.T, trials int, hostile func(turn *protocol.Turn) http.HandlerFunc) []cheats.Trial {
	t.Helper()
	const matches = 2
	clock := fields{"clock": fields{"limit_ms": 700, "bank_ms": 300, "increment_ms": 0, "network_allowance_ms": 50}}
	plain := mind(t, weak(), kit.Bot{})
	host := httptest.NewServer(tampered(plain, hostile)) // a host of its own: what it does to its connections is its own
	t.Cleanup(host.Close)
	cheat, rival := p.enrol(t, p.owner(t), host.URL), p.bot(t, strong())
	twin, rivalOfTwin := p.enrol(t, p.owner(t), p.house(plain)), p.bot(t, strong())
	cheated, honest := make([]cup, times(trials)), make([]cup, times(trials))
	for i := range cheated {
		cheated[i] = p.announce(t, clock.with("cycles", matches)).start(t, cheat, rival)
		honest[i] = p.announce(t, clock.with("cycles", matches)).start(t, twin, rivalOfTwin)
	}
	return gather(trials, func(i int) cheats.Trial {
		return cheats.Trial{Cheat: 1 - cheated[i].finish(t).lost(t, matches), Honest: 1 - honest[i].finish(t).lost(t, matches)}
	})
}

func (f fields) with(key string, value any) fields {
	out := fields{key: value}
	for k, v := range f {
		if k != key {
			out[k] = v
		}
	}
	return out
}

// times is how often something is tried: n times, and three times as often in a whole league.
func times(n int) int {
	if whole() {
		return 3 * n
	}
	return n
}

// gather makes n trials, one after another, or as many as [times] says.
func gather(n int, one func(i int) cheats.Trial) (list []cheats.Trial) {
	for i := range times(n) {
		list = append(list, one(i))
	}
	return list
}

// tried makes n trials of a cheat, one after another, or as many as [times] says.
func tried(n int, one func(t *testing.T, p *platform, i int) cheats.Trial) func(t *testing.T, p *platform) []cheats.Trial {
	return func(t *testing.T, p *platform) []cheats.Trial {
		return gather(n, func(i int) cheats.Trial { return one(t, p, i) })
	}
}

// tampered answers turns by what hostile returns, unless that is nil, and all else as an honest bot.
func tampered(honest http.Handler, hostile func(turn *protocol.Turn) http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		var turn protocol.Turn
		if json.Unmarshal(body, &turn) == nil && turn.Type == protocol.TypeTurn {
			if h := hostile(&turn); h != nil {
				h(w, r)
				return
			}
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		honest.ServeHTTP(w, r)
	})
}

// thought is time to think that the clock does not show, bought by answers that cannot be kept.
func thought() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "answers that cannot be kept, then an honest one", Unit: "ms of thought a decision that the ledger does not show", Tolerance: 100,
			Stops: "an extra that cannot be kept is dropped and the answer counts, so that nothing is asked twice",
		},
		quick: true,
		play: tried(3, func(t *testing.T, p *platform, _ int) cheats.Trial {
			return cheats.Trial{Cheat: p.unseen(t, 6), Honest: p.unseen(t, 0)}
		}),
	}
}

// unseen is the most time of a decision that its ledger does not show, where the first answers to one decision, so many, hold a
// text that cannot be kept.
func (p *platform) unseen(t *testing.T, refusals int) float64 {
	t.Helper()
	var mu sync.Mutex
	first, last := map[int]time.Time{}, map[int]time.Time{}
	asks := map[string]int{}
	x := p.bot(t, func(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
		mu.Lock()
		defer mu.Unlock()
		a, err := weak()(ctx, turn)
		if asks[turn.Decision]++; asks[turn.Decision] == 1 {
			first[turn.Step] = time.Now()
		}
		if turn.Step >= 6 && turn.Step < 8 && asks[turn.Decision] <= refusals {
			a.Memo = "\x00"
		}
		last[turn.Step] = time.Now()
		return a, err
	})
	c := p.duel(t, x, p.bot(t, strong()), 1, nil)
	mu.Lock()
	defer mu.Unlock()
	worst := 0.0
	for _, m := range c.matches(t) {
		for _, d := range x.ledger(t, m) {
			spent := last[d.Step-1].Sub(first[d.Step-1]) - time.Duration(d.Clock.ElapsedUS)*time.Microsecond
			worst = max(worst, float64(spent.Microseconds())/1000)
		}
	}
	return worst
}

// third is the platform as a cannon: does a redirect of a bot's bring anybody a request?
func third() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "sending the platform to a third party by redirects", Unit: "requests to the third party a match", Tolerance: 0,
			Stops: "no redirect is followed, at registration neither",
		},
		quick: true,
		play: func(t *testing.T, p *platform) []cheats.Trial {
			var mu sync.Mutex
			hits := 0
			victim := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { mu.Lock(); hits++; mu.Unlock() }))
			t.Cleanup(victim.Close)
			return gather(3, func(i int) cheats.Trial {
				hits = 0
				h := tampered(mind(t, weak(), kit.Bot{}), func(*protocol.Turn) http.HandlerFunc {
					return func(w http.ResponseWriter, r *http.Request) {
						http.Redirect(w, r, victim.URL, []int{http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect}[i%3])
					}
				})
				p.duel(t, p.enrol(t, p.owner(t), p.house(h)), p.bot(t, strong()), 1, nil)
				mu.Lock()
				defer mu.Unlock()
				return cheats.Trial{Cheat: float64(hits)}
			})
		},
	}
}

// unnoticed is the share of matches in which a bot that says build one in its hello and says other from step 4 on is not shown to
// have changed.
func (p *platform) unnoticed(t *testing.T, one, other string) float64 {
	t.Helper()
	x := p.enrol(t, p.owner(t), p.house(mind(t, func(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
		if turn.Step < 4 {
			a, err := weak()(ctx, turn)
			a.Build = one
			return a, err
		}
		a, err := strong()(ctx, turn)
		a.Build = other
		return a, err
	}, kit.Bot{Build: one})))
	c := p.duel(t, x, p.bot(t, weak()), 2, nil)
	unseen := 0.0
	list := c.matches(t)
	for _, m := range list {
		var told struct{ Redeploys []any }
		p.visitor(t).get(t, "/v1/matches/"+m.ID, &told)
		if len(told.Redeploys) == 0 {
			unseen += 1 / float64(len(list))
		}
	}
	return unseen
}

func build() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "another build in the middle of a match", Unit: "share of changes that nobody sees", Tolerance: 0,
			Stops: "the match shows every change of the build that a bot says, to everybody once it is over",
		},
		quick: true,
		play: tried(2, func(t *testing.T, p *platform, _ int) cheats.Trial {
			return cheats.Trial{Cheat: p.unnoticed(t, "one", "two")}
		}),
	}
}

func hello() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "hello answered by one program, turns by another", Unit: "share of changes that nobody sees",
			Remains: "a bot that says no build is not watched: what runs behind a URL is its author's affair, and the rating is that of the URL",
		},
		play: tried(3, func(t *testing.T, p *platform, _ int) cheats.Trial {
			return cheats.Trial{Cheat: p.unnoticed(t, "", ""), Honest: p.unnoticed(t, "one", "two")}
		}),
	}
}

// workers is a bot that keeps its secrets by connection, and so by the worker that asks: does it get a second chance?
func workers() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "answers that depend on which worker asks", Unit: "decisions asked twice a match", Tolerance: 0,
			Stops: "one worker has a match at a time, and a recorded decision is not asked again",
		},
		quick: true,
		play: tried(2, func(t *testing.T, p *platform, _ int) cheats.Trial {
			return cheats.Trial{Cheat: p.twice(t, true), Honest: p.twice(t, false)}
		}),
	}
}

func (p *platform) twice(t *testing.T, cheat bool) float64 {
	t.Helper()
	var mu sync.Mutex
	asks := map[string]map[string]bool{}
	inner := mind(t, lucky, kit.Bot{})
	url := p.house(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		id := r.Header.Get(protocol.HeaderID)
		if asks[id] == nil {
			asks[id] = map[string]bool{}
		}
		asks[id][r.RemoteAddr] = true
		again, other := len(asks[id]) > 1, hash(r.RemoteAddr)%2 == 0
		mu.Unlock()
		if cheat && other && !again && strings.HasPrefix(id, "dec_") { // begun, so that it is known who asks, and left for another worker
			hijacked(func(_ *net.TCPConn, w *bufio.ReadWriter) {
				_, _ = w.WriteString("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{")
			})(w, r)
			return
		}
		inner.ServeHTTP(w, r)
	}))
	const matches = 2
	p.duel(t, p.enrol(t, p.owner(t), url), p.bot(t, lucky), matches, nil)
	mu.Lock()
	defer mu.Unlock()
	again := 0.0
	for id, by := range asks {
		if strings.HasPrefix(id, "dec_") && len(by) > 1 {
			again++
		}
	}
	return again / matches
}
