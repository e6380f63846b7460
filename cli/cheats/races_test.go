package cheats_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/cli/cheats"
	"github.com/molerun/molerun/internal/must"
)

// atOnce calls f n times at once and counts how often it is true.
func atOnce(n int, f func(i int) bool) float64 {
	var wg sync.WaitGroup
	var count atomic.Int64
	begin := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-begin
			if f(i) {
				count.Add(1)
			}
		})
	}
	close(begin)
	wg.Wait()
	return float64(count.Load())
}

// ok reports whether a request was taken.
func (u *user) ok(method, path string, in any) bool {
	status, _, err := u.try(method, path, in, nil)
	return err == nil && status/100 == 2
}

func lastPlace() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "racing entries for the last place", Unit: "entries above the capacity", Tolerance: 0,
			Stops: "the place is taken in the transaction that locks the tournament",
		},
		quick: true,
		play: func(t *testing.T, p *platform) []cheats.Trial {
			var racers []player
			for range 6 {
				racers = append(racers, p.bot(t, weak()))
			}
			return gather(3, func(int) cheats.Trial {
				c := p.announce(t, fields{"capacity": 2})
				enter := func(x player) bool {
					return x.owner.ok(http.MethodPost, c.path("/entries"), fields{"bot_id": x.id})
				}
				enter(racers[0])
				return cheats.Trial{Cheat: atOnce(10, func(i int) bool { return enter(racers[1+i%5]) }), Honest: 1}
			})
		},
	}
}

func staleWrites() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "racing changes under one ETag", Unit: "changes taken above one", Tolerance: 0,
			Stops: "the condition holds until the change is made, in one transaction",
		},
		quick: true,
		play: tried(3, func(t *testing.T, p *platform, _ int) cheats.Trial {
			x := p.bot(t, weak())
			for range 2 {
				x.owner.do(t, http.MethodPost, "/v1/bots/"+x.id+"/versions", fields{"url": x.url}, nil)
			}
			path := "/v1/bots/" + x.id
			r, err := http.NewRequest(http.MethodGet, p.base+path, nil)
			must.OK(t, err)
			r.Header.Set("Authorization", "Bearer "+x.owner.token)
			answer, err := x.owner.client.Do(r)
			must.OK(t, err)
			answer.Body.Close()
			under := x.owner.saying(http.Header{"If-Match": answer.Header["Etag"]})
			taken := atOnce(5, func(i int) bool { return under.ok(http.MethodPost, path+"/promote", fields{"number": 2 + i%2}) })
			return cheats.Trial{Cheat: taken, Honest: 1}
		}),
	}
}

func doubled() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "one request many times at once under one idempotency key", Unit: "bots made above one", Tolerance: 0,
			Stops: "the key is taken in the database before anything is done",
		},
		quick: true,
		play: tried(3, func(t *testing.T, p *platform, i int) cheats.Trial {
			u, url := p.owner(t), p.house(mind(t, weak(), kit.Bot{}))
			once := u.saying(http.Header{"Idempotency-Key": {fmt.Sprintf("00000000-0000-%04d-0000-%s", i, u.name)}})
			atOnce(6, func(int) bool {
				return once.ok(http.MethodPost, "/v1/bots", fields{"name": "twin-" + u.name, "url": url})
			})
			var mine struct{ Data []any }
			u.get(t, "/v1/bots?owner="+u.id, &mine)
			return cheats.Trial{Cheat: float64(len(mine.Data)), Honest: 1}
		}),
	}
}
