package cheats_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/cheats"
	"github.com/molerun/molerun/internal/must"
)

// network are cheats below the messages: connections, streams, signatures, webhooks, relays.
func network() []entry {
	return []entry{
		connections(), ports(), streams(), stalled(), smuggled(), loopingWebhooks(), foreignRelay(), replayed(), slowHellos(), slowRequests(), costly(),
	}
}

// held is some connections of many visitors to the API that stay open until the context of the test ends, or release.
type held []net.Conn

func (p *platform) hold(addresses, each int, text string) (list held) {
	for a := range addresses {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 200, byte(a/250), byte(1+a%250))}, Timeout: 5 * time.Second}
		for range each {
			c, err := d.Dial("tcp", p.address())
			if err != nil {
				continue
			}
			if text != "" {
				_, _ = io.WriteString(c, text)
			}
			list = append(list, c)
		}
	}
	return list
}

func (h held) release() {
	for _, c := range h {
		_ = c.Close()
	}
}

// connections is A's connections to the API while a bot of A's has every ask be a new connection.
func connections() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "holding connections to the API until no file is left for asks, when losing", Unit: "losses escaped a match", Tolerance: 0.1,
			Stops: "connections to the API are bounded in all and by address, and files are kept for asks",
		},
		play: func(t *testing.T, p *platform) []cheats.Trial {
			own := narrowPlatform(t, p.binary, 4) // the attack is the same with more files, and takes longer
			return gather(3, func(int) cheats.Trial {
				escaped := func(attack bool) float64 {
					begun, free := make(chan struct{}, 64), make(chan struct{})
					h := tampered(mind(t, weak(), kit.Bot{}), func(turn *protocol.Turn) http.HandlerFunc {
						if onTrial(turn) {
							return nil
						}
						select {
						case begun <- struct{}{}:
						default: // enough have begun
						}
						<-free
						return closes(turn)
					})
					const matches = 4
					c := own.announce(t, fields{"cycles": matches, "rated": true, "clock": fields{"limit_ms": 1000, "bank_ms": 20000, "increment_ms": 0, "network_allowance_ms": 150}}).
						start(t, own.enrol(t, own.owner(t), own.house(h)), own.bot(t, strong()))
					for range matches {
						<-begun
					}
					var all held
					if attack {
						all = own.hold(100, own.files/50, "")
					}
					close(free)
					if attack {
						time.Sleep(4 * time.Second) // the answers come, and all further asks want connections of their own
						all.release()
					}
					return 1 - c.finish(t).lost(t, matches)
				}
				return cheats.Trial{Cheat: escaped(true), Honest: escaped(false)}
			})
		},
	}
}

// ports is a host that has us use a port for every ask, for as long as the ports are few.
func ports() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "a host that leaves closing to the platform, so that local ports run out", Unit: "losses escaped a match", Tolerance: 0.1,
			Stops: "what a host uses up is its own want: `TestHostileAnswersAreTheBotsFault` has every error of the system with its judgement; a machine's ports are too many to use them up here",
		},
		play: func(t *testing.T, p *platform) []cheats.Trial {
			left := func(*protocol.Turn) http.HandlerFunc {
				return hijacked(func(_ *net.TCPConn, w *bufio.ReadWriter) {
					_, _ = w.WriteString("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 12\r\n\r\n{\"choose\":0}")
					_ = w.Flush()
					_, _ = w.ReadByte() // until we are left
				})
			}
			return p.escapes(t, 3, left)
		},
	}
}

func slowRequests() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "hundreds of requests sent byte by byte", Unit: "s that another's request takes longer", Tolerance: 0.5,
			Stops: "every time-out is set, and a connection holds nothing of others",
		},
		quick: true,
		play: func(t *testing.T, p *platform) []cheats.Trial {
			reader := p.visitor(t)
			took := func() float64 {
				begin := time.Now()
				reader.get(t, "/v1/games", &struct{}{})
				return time.Since(begin).Seconds()
			}
			took()
			list := gather(5, func(int) cheats.Trial { return cheats.Trial{Honest: took()} })
			all := p.hold(20, 15, "POST /v1/users HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n")
			defer all.release()
			for i := range list {
				for _, c := range all {
					_, _ = io.WriteString(c, "X")
				}
				list[i].Cheat = took()
			}
			return list
		},
	}
}

func smuggled() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "requests with two lengths", Unit: "of 5 ambiguous requests after which another is answered", Tolerance: 0,
			Stops: "the connection of an ambiguous request is closed, mostly after a refusal: nothing can hide behind it",
		},
		quick: true,
		play: func(t *testing.T, p *platform) []cheats.Trial {
			heads := []string{
				"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
				"Content-Length: 5\r\nContent-Length: 6\r\n", "Transfer-Encoding: chunked, chunked\r\n", "Content-Length: 5, 5\r\n",
			}
			return gather(2, func(int) (x cheats.Trial) {
				for _, head := range heads {
					answers := p.raw(t, "GET /livez HTTP/1.1\r\nHost: x\r\n"+head+"\r\n0\r\n\r\nGET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
					x.Cheat += float64(max(0, strings.Count(answers, "HTTP/1.1 ")-1))
				}
				return x
			})
		},
	}
}

// loopingWebhooks would have the platform call itself.
func loopingWebhooks() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "webhooks and bots that lead back to the platform", Unit: "addresses taken", Tolerance: 0,
			Stops: "our own listeners are never called, redirects are not followed, and an address must echo a challenge first",
		},
		quick: true,
		play: func(t *testing.T, p *platform) []cheats.Trial {
			bounce := httptest.NewServer(http.RedirectHandler(p.base+"/v1/games", http.StatusTemporaryRedirect))
			t.Cleanup(bounce.Close)
			port := p.base[strings.LastIndex(p.base, ":"):]
			return gather(2, func(i int) cheats.Trial {
				u, taken := p.owner(t), 0.0
				for _, url := range []string{p.base + "/v1/games", "http://localhost" + port + "/v1/webhooks", "http://0.0.0.0" + port, "http://[::ffff:127.0.0.1]" + port, bounce.URL} {
					if u.ok(http.MethodPost, "/v1/webhooks", fields{"url": url, "events": []string{"match.finished"}}) {
						taken++
					}
					if u.ok(http.MethodPost, "/v1/bots", fields{"name": fmt.Sprintf("loop-%s-%d", u.name, i), "url": url}) {
						taken++
					}
				}
				return cheats.Trial{Cheat: taken}
			})
		},
	}
}

// foreignRelay fetches and answers at a mailbox of the same name as a rival's.
func foreignRelay() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "a relay that fetches and answers the messages of others", Unit: "messages fetched, and answers taken", Tolerance: 0,
			Stops: "a mailbox is its owner's, found by the token",
		},
		play: tried(2, func(t *testing.T, p *platform, i int) cheats.Trial {
			victim, cheat := p.owner(t), p.owner(t)
			box := fmt.Sprintf("/v1/relays/box-%d", i)
			type letters struct{ Data []struct{ ID string } }
			fetched := make(chan letters, 2)
			for n, u := range []*user{victim, cheat} {
				go func() {
					var l letters
					_, _, _ = u.try(http.MethodPost, box+"/fetch", fields{"relay": fmt.Sprintf("00000000-0000-4000-8000-%012d", n), "holds": []string{}, "room": 8}, &l)
					if u == victim {
						l.Data = nil // its own are no gain; what it holds is found by the answer below
					}
					fetched <- l
				}()
			}
			made := make(chan bool)
			go func() {
				made <- victim.ok(http.MethodPost, "/v1/bots", fields{"name": "relayed-" + victim.name, "url": "relay:" + strings.TrimPrefix(box, "/v1/relays/")})
			}()
			gain := 0.0
			for range 2 {
				l := <-fetched
				gain += float64(len(l.Data))
			}
			if cheat.ok(http.MethodPost, box+"/answer", fields{"id": "hello_any", "status": 200, "body": []byte("{}")}) {
				gain++
			}
			if <-made {
				gain++ // nobody has answered the hello
			}
			return cheats.Trial{Cheat: gain}
		}),
	}
}

// replayed asks a rival's bot in the platform's name: with messages of one's own, changed, and old.
func replayed() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "signed messages replayed to a rival's bot, changed, or signed with another key", Unit: "answers won", Tolerance: 0,
			Stops: "signatures cover id, time and body under a key of each bot, and are good for five minutes",
		},
		quick: true,
		play: func(t *testing.T, p *platform) []cheats.Trial {
			const rivalKey = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="
			rival := p.house(mind(t, strong(), kit.Bot{}, rivalKey))
			var kept atomic.Pointer[http.Request]
			var body atomic.Pointer[[]byte]
			mine := mind(t, weak(), kit.Bot{})
			spy := p.house(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				b, err := io.ReadAll(r.Body)
				if err == nil && bytes.Contains(b, []byte(`"turn"`)) {
					kept.Store(r.Clone(context.Background()))
					body.Store(&b)
				}
				r.Body = io.NopCloser(bytes.NewReader(b))
				mine.ServeHTTP(w, r)
			}))
			p.duel(t, p.enrol(t, p.owner(t), spy), p.bot(t, strong()), 1, nil)
			won := 0.0
			for _, change := range []func(h http.Header, b []byte) []byte{
				func(_ http.Header, b []byte) []byte { return b },
				func(_ http.Header, b []byte) []byte { return bytes.Replace(b, []byte(`"turn"`), []byte(`"hello"`), 1) },
				func(h http.Header, b []byte) []byte { h.Set("webhook-timestamp", "1000000000"); return b },
				func(h http.Header, b []byte) []byte { h.Del("webhook-signature"); return b },
			} {
				head := kept.Load().Header.Clone()
				won += answered(t, rival, head, change(head, *body.Load()))
			}
			return []cheats.Trial{{Cheat: won}, {Cheat: won}}
		},
	}
}

// answered is 1 if a bot answers a message.
func answered(t *testing.T, url string, head http.Header, body []byte) float64 {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	must.OK(t, err)
	r.Header = head
	answer, err := http.DefaultClient.Do(r)
	must.OK(t, err)
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusOK {
		return 1
	}
	return 0
}
