package cheats_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/cheats"
	"github.com/molerun/molerun/internal/must"
)

// accounts are cheats over the API: more than one's share of it, and what is not one's own.
func accounts() []entry {
	return []entry{
		manyAccounts(), badTokens(), codes(), lastPlace(), staleWrites(), doubled(), disguise(), objects(), revoked(), linkedLogin(), ownersAtOneTable(),
	}
}

// accountsAnHour is what docs/3-api.md promises of an address.
const accountsAnHour = 10

func manyAccounts() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "many accounts from one address, under forged headers", Unit: "accounts above 10 an hour", Tolerance: 0,
			Stops: "new accounts are counted by the address of the connection; X-Forwarded-For counts from trusted proxies alone",
		},
		quick: true,
		play: tried(2, func(t *testing.T, p *platform, i int) cheats.Trial {
			made := func(forge bool) float64 {
				u, n := p.visitor(t), 0
				for k := range accountsAnHour + 8 {
					head := http.Header{}
					for _, name := range []string{"X-Forwarded-For", "X-Real-Ip", "Forwarded", "Cf-Connecting-Ip", "True-Client-Ip"} {
						if forge {
							head.Set(name, fmt.Sprintf("203.0.113.%d", k))
						}
					}
					if u.saying(head).ok(http.MethodPost, "/v1/users", fields{"name": fmt.Sprintf("many-%s-%d-%d", u.name, i, k)}) {
						n++
					}
				}
				return float64(max(0, n-accountsAnHour))
			}
			return cheats.Trial{Cheat: made(true), Honest: made(false)}
		}),
	}
}

func badTokens() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "bad tokens that lock out a neighbour at the same address", Unit: "share of the neighbour's requests refused", Tolerance: 0,
			Stops: "a good token is looked up first; only failures are counted",
		},
		quick: true,
		play: tried(2, func(t *testing.T, p *platform, _ int) cheats.Trial {
			refused := func(bad int) (share float64) {
				neighbour := p.owner(t)
				cheat := *neighbour // behind the same address
				for n := range bad {
					cheat.token = fmt.Sprintf("mr_%043d", n)
					cheat.status(t, http.MethodGet, "/v1/me", nil, nil)
				}
				for range 4 {
					if neighbour.status(t, http.MethodGet, "/v1/me", nil, nil) != http.StatusOK {
						share += 0.25
					}
				}
				return share
			}
			return cheats.Trial{Cheat: refused(15), Honest: refused(0)}
		}),
	}
}

func codes() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "guessing invite codes", Unit: "places won by 60 guesses", Tolerance: 0,
			Stops: "codes are drawn from 128 bits or more, and kept as hashes",
		},
		quick: true,
		play: tried(2, func(t *testing.T, p *platform, i int) cheats.Trial {
			c, x := p.announce(t, fields{"invite_only": true}), p.bot(t, weak())
			guess := func(code string) (won float64) {
				in := fields{"bot_id": x.id}
				if code != "" {
					in["invite_code"] = code
				}
				if x.owner.status(t, http.MethodPost, c.path("/entries"), in, nil)/100 == 2 {
					won = 1
				}
				return won
			}
			honest, won := guess(""), 0.0
			for k := range 60 {
				code := c.code[:len(c.code)-3] + fmt.Sprintf("%03d", k) // near the true one
				if k%2 == 0 {
					code = fmt.Sprintf("mi_%0*d", len(c.code)-3, k+i)
				}
				if code != c.code {
					won += guess(code)
				}
			}
			return cheats.Trial{Cheat: won, Honest: honest}
		}),
	}
}

func disguise() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "names that read as another's by bidirectional overrides", Unit: "share of such names shown", Tolerance: 0,
			Stops: "one place decides which text is kept; names hold no control characters and no overrides",
		},
		quick: true,
		play: tried(3, func(t *testing.T, p *platform, i int) cheats.Trial {
			shown := func(text string) float64 {
				u := p.owner(t)
				url := p.house(mind(t, weak(), kit.Bot{Name: "x" + text, Author: "a" + text, Build: "b" + text}))
				var made struct{ Bot struct{ ID string } }
				if u.status(t, http.MethodPost, "/v1/bots", fields{"name": u.name, "url": url}, &made)/100 != 2 {
					return 0
				}
				_, public, err := p.visitor(t).try(http.MethodGet, "/v1/bots/"+made.Bot.ID, nil, nil)
				must.OK(t, err)
				if strings.ContainsAny(public, "\u202e\u2066\u200f") {
					return 1
				}
				return 0
			}
			return cheats.Trial{Cheat: shown([]string{"\u202eada", "\u2066ada", "\u200fada"}[i%3]), Honest: shown("ada")}
		}),
	}
}

func objects() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "reading and changing what is a rival's", Unit: "requests that were let through", Tolerance: 0,
			Stops: "every route asks whose the thing is",
		},
		quick: true,
		play: func(t *testing.T, p *platform) []cheats.Trial {
			asked, free := make(chan string, 64), make(chan struct{})
			x, cheat := p.bot(t, func(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
				asked <- turn.Match
				<-free
				return strong()(ctx, turn)
			}), p.bot(t, weak())
			c := p.announce(t, nil).start(t, x, cheat)
			id := <-asked // it runs until free
			through := 0.0
			for _, r := range []struct{ method, path string }{
				{http.MethodGet, "/v1/matches/" + id + "/view?seat=0&step=1"}, {http.MethodGet, "/v1/matches/" + id + "/view?seat=1&step=1"},
				{http.MethodGet, "/v1/matches/" + id + "/replay"}, {http.MethodPost, "/v1/bots/" + x.id + "/pause"}, {http.MethodDelete, "/v1/bots/" + x.id},
				{http.MethodPost, "/v1/bots/" + x.id + "/rotate-secret"}, {http.MethodPost, "/v1/bots/" + x.id + "/check"},
				{http.MethodDelete, c.path("/entries/" + x.id)}, {http.MethodPost, c.path("/pause")}, {http.MethodPost, c.path("/cancel")},
				{http.MethodPost, "/v1/matches/" + id + "/void"}, {http.MethodPost, "/v1/matches/" + id + "/requeue"}, {http.MethodGet, "/v1/users"},
			} {
				if cheat.owner.ok(r.method, r.path, nil) {
					through++
				}
			}
			close(free)
			for _, m := range c.finish(t).matches(t) {
				for _, s := range m.Seats {
					if s.BotID == x.id && cheat.owner.ok(http.MethodGet, fmt.Sprintf("/v1/matches/%s/decisions?seat=%d", m.ID, s.Seat), nil) {
						through++
					}
				}
			}
			return []cheats.Trial{{Cheat: through}, {Cheat: through}}
		},
	}
}

func ownersAtOneTable() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "two bots of one owner at a rated table with hidden teams", Unit: "entries above one", Tolerance: 0,
			Stops: "an owner enters one bot where teams are hidden and results are rated",
		},
		quick: true,
		play: tried(2, func(t *testing.T, p *platform, _ int) cheats.Trial {
			entered := func(bots int) (n float64) {
				c, u := p.announce(t, fields{"game": "demol", "table_size": 5, "rated": true, "duplicate": true}), p.owner(t)
				for range bots {
					x := p.enrol(t, u, p.house(mind(t, lucky, kit.Bot{})))
					if u.ok(http.MethodPost, c.path("/entries"), fields{"bot_id": x.id}) {
						n++
					}
				}
				return n
			}
			return cheats.Trial{Cheat: entered(3), Honest: entered(1)}
		}),
	}
}

// raw sends bytes to the API from an address and returns what comes back first.
func (p *platform) raw(t *testing.T, text string) string {
	t.Helper()
	c, err := net.Dial("tcp", p.address())
	must.OK(t, err)
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	_, err = c.Write([]byte(text))
	must.OK(t, err)
	b, _ := io.ReadAll(io.LimitReader(c, 64<<10)) // to the end of the connection, or of the time
	return string(b)
}
