package cheats_test

import (
	"bufio"
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/molerun/molerun/cli/cheats"
)

// streamRequest asks for the public stream.
const streamRequest = "GET /v1/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n"

func streams() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "2,000 anonymous streams that fill the places of others", Unit: "share of the streams of users that are refused", Tolerance: 0,
			Stops: "visitors, users and relays have places of their own",
		},
		play: func(t *testing.T, p *platform) []cheats.Trial {
			own := newPlatform(t, p.binary, 1)
			user := own.owner(t)
			refused := func() float64 {
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				if status, _, err := user.stream(ctx, "/v1/events"); err != nil || status != http.StatusOK {
					return 1
				}
				return 0
			}
			list := gather(3, func(int) cheats.Trial { return cheats.Trial{Honest: refused()} })
			all := own.hold(105, 20, streamRequest)
			defer all.release()
			time.Sleep(3 * time.Second) // all are under way
			for i := range list {
				list[i].Cheat = refused()
			}
			return list
		},
	}
}

// stalled is readers of streams that take nothing.
func stalled() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "readers of streams that stall", Unit: "s that another's request takes longer", Tolerance: 0.5,
			Stops: "each reader has places and time of its own, and is cut off when it takes nothing for ten seconds",
		},
		quick: true,
		play: func(t *testing.T, p *platform) []cheats.Trial {
			reader := p.visitor(t)
			took := func() float64 {
				begin := time.Now()
				reader.get(t, "/v1/tournaments?limit=1", &struct{}{})
				return time.Since(begin).Seconds()
			}
			took() // connected
			list := gather(5, func(int) cheats.Trial { return cheats.Trial{Honest: took()} })
			all := p.hold(5, 18, streamRequest)
			defer all.release()
			p.duel(t, p.bot(t, strong()), p.bot(t, weak()), 2, nil) // something to tell
			for i := range list {
				list[i].Cheat = took()
			}
			return list
		},
	}
}

// stream opens an event stream; the channel is closed when it ends.
func (u *user) stream(ctx context.Context, path string) (status int, ended <-chan struct{}, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.base+path, nil)
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Accept", "text/event-stream")
	if u.token != "" {
		r.Header.Set("Authorization", "Bearer "+u.token)
	}
	client := *u.client
	client.Timeout = 0
	answer, err := client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		defer answer.Body.Close()
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			if ctx.Err() != nil {
				return
			}
		}
	}()
	return answer.StatusCode, over, nil
}

func revoked() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "reading on with a revoked token", Unit: "s that a stream outlives its token (cut at 15)", Tolerance: 8,
			Stops: "streams look at their token again every few seconds",
		},
		play: tried(2, func(t *testing.T, p *platform, _ int) cheats.Trial {
			u := p.owner(t)
			other := *u
			var made struct{ ID, Token string }
			u.do(t, http.MethodPost, "/v1/tokens", fields{"note": "second"}, &made)
			other.token = made.Token
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			status, ended, err := other.stream(ctx, "/v1/events")
			if err != nil || status != http.StatusOK {
				t.Fatalf("no stream: %d %v", status, err)
			}
			u.do(t, http.MethodDelete, "/v1/tokens/"+made.ID, nil, nil)
			begin := time.Now()
			select {
			case <-ended:
			case <-time.After(15 * time.Second):
			}
			return cheats.Trial{Cheat: time.Since(begin).Seconds()}
		}),
	}
}
