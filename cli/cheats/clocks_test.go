package cheats_test

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/cheats"
)

// clocks are cheats for time to think, and for the time and the places of others.
func clocks() []entry {
	return []entry{overtime(), delayedACKs(), rivalsClock(), queueOfRatings(), hoarding(), afterDisabling()}
}

// tight is a clock without a bank.
func tight() fields {
	return fields{"clock": fields{"limit_ms": 150, "bank_ms": 0, "increment_ms": 0, "network_allowance_ms": 150}}
}

// overtime is a bot that takes its limit and half of the allowance besides.
func overtime() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "answering within the allowance after the limit", Unit: "ms beyond the limit in answers that counted", Tolerance: 10,
			Stops: "only the round trip that the kernel has measured is forgiven, the allowance is its cap",
		},
		quick: true,
		play: tried(3, func(t *testing.T, p *platform, _ int) cheats.Trial {
			return cheats.Trial{Cheat: p.beyond(t, late(strong(), 220*time.Millisecond)), Honest: p.beyond(t, strong())}
		}),
	}
}

// beyond is the most that an answer of decide took over the limit and counted, in ms.
func (p *platform) beyond(t *testing.T, decide kit.Decide) (worst float64) {
	t.Helper()
	x := p.bot(t, decide)
	for _, d := range p.duel(t, x, p.bot(t, weak()), 1, tight()).ledgers(t, x) {
		if d.By == "bot" {
			worst = max(worst, float64(d.Clock.ElapsedUS)/1000-150)
		}
	}
	return worst
}

// ledgers are the decisions of a player in all matches.
func (c cup) ledgers(t *testing.T, x player) (list []decision) {
	t.Helper()
	for _, m := range c.matches(t) {
		list = append(list, x.ledger(t, m)...)
	}
	return list
}

// delayedACKs is a bot that lets its kernel wait with acknowledging, so that it seems to live far away.
func delayedACKs() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "late answers with delayed ACKs, so that the round trip grows", Unit: "ms forgiven a decision",
			Remains: "nobody can tell a slow acknowledgement from a long way; it buys the allowance at most (150 ms a decision unless the tournament says otherwise), which everybody has who lives as far away",
		},
		play: func(t *testing.T, p *platform) []cheats.Trial {
			forgiven := func(decide kit.Decide) (mean float64) {
				x := p.bot(t, decide)
				list := p.duel(t, x, p.bot(t, weak()), 2, nil).ledgers(t, x)
				for _, d := range list {
					mean += float64(d.Clock.ElapsedUS-d.Clock.ChargedUS) / 1000 / float64(len(list))
				}
				return mean
			}
			return gather(3, func(int) cheats.Trial {
				return cheats.Trial{Cheat: forgiven(late(strong(), 60*time.Millisecond)), Honest: forgiven(strong())}
			})
		},
	}
}

// rivalsClock is a slow player: does its opponent pay for the wait?
func rivalsClock() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "running the clock of a partner's rival", Unit: "ms charged to the rival, of 1500 that it was made to wait", Tolerance: 300,
			Stops: "a clock runs for who is asked alone, and a retired seat is played for",
		},
		quick: true,
		play: func(t *testing.T, p *platform) []cheats.Trial {
			charged := func(slow kit.Decide) (sum float64) {
				rival := p.bot(t, strong())
				for _, d := range p.duel(t, rival, p.bot(t, slow), 1, nil).ledgers(t, rival) {
					sum += float64(d.Clock.ChargedUS) / 1000
				}
				return sum
			}
			return gather(3, func(int) cheats.Trial {
				return cheats.Trial{Cheat: charged(late(weak(), 300*time.Millisecond)), Honest: charged(weak())}
			})
		},
	}
}

// queueOfRatings is a slow rated match before those of others: ratings follow the order of the schedule.
func queueOfRatings() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "a slow match that holds up the ratings of all after it", Unit: "s until another's match is rated",
			Remains: "ratings follow the order in which matches were scheduled, so that they hang on no luck; the clock and the faults bound how long a match lasts",
		},
		play: func(t *testing.T, p *platform) []cheats.Trial {
			own := newPlatform(t, p.binary, 8) // a ladder of its own: nobody else shall wait
			rated := fields{"rated": true, "cycles": 1}
			wait := func() float64 {
				a, b := own.bot(t, strong()), own.bot(t, weak())
				own.duel(t, a, b, 1, rated)
				over := time.Now()
				own.changes(t, a, 1)
				return time.Since(over).Seconds()
			}
			return gather(2, func(int) cheats.Trial {
				honest := wait()
				slow := own.announce(t, rated).start(t, own.bot(t, late(weak(), 500*time.Millisecond)), own.bot(t, strong()))
				held := wait()
				slow.finish(t)
				return cheats.Trial{Cheat: held, Honest: honest}
			})
		},
	}
}

// hang answers no turn while the platform waits.
func hang(ctx context.Context, _ *protocol.Turn) (protocol.Answer, error) {
	<-ctx.Done()
	return protocol.Answer{}, ctx.Err()
}

// hoard has one user fill the platform: 20 bots, 5 of which hang, and 50 challenges with the longest clocks that are taken.
func (p *platform) hoard(t *testing.T) *user {
	t.Helper()
	u := p.owner(t)
	var bots []player
	plain, hanging := p.house(mind(t, strong(), kit.Bot{})), p.house(mind(t, hang, kit.Bot{}))
	for i := range 20 {
		url := plain
		if i < 5 {
			url = hanging
		}
		bots = append(bots, p.enrol(t, u, url))
	}
	clocks := []fields{
		{"clock": fields{"limit_ms": 60000, "bank_ms": 600000, "increment_ms": 60000, "network_allowance_ms": 150}, "fault_limits": fields{"max_faults_in_row": 1000, "max_faults": 1000}},
		{"clock": fields{"limit_ms": 10000, "bank_ms": 60000, "increment_ms": 5000, "network_allowance_ms": 150}, "fault_limits": fields{"max_faults_in_row": 20, "max_faults": 20}},
		{},
	}
	for i := range 50 {
		for _, c := range clocks {
			in := c.with("game", "molehill").with("bots", []string{bots[i%5].id, bots[5+i%15].id})
			if u.status(t, http.MethodPost, "/v1/challenges", in, nil) == http.StatusCreated {
				break
			}
		}
	}
	return u
}

// waitOnLadder is how long the first ladder match of two new bots is waited for, in seconds; at most patience.
func (p *platform) waitOnLadder(t *testing.T, patience time.Duration) float64 {
	t.Helper()
	var asked atomic.Bool
	eager := func(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
		asked.Store(true)
		return lucky(ctx, turn)
	}
	pair := []player{p.bot(t, eager), p.bot(t, eager)}
	begin := time.Now()
	for _, x := range pair {
		x.owner.do(t, http.MethodPost, "/v1/ladders/molehill/entries", fields{"bot_id": x.id, "matches_per_hour": 60}, nil)
	}
	for !asked.Load() && time.Since(begin) < patience {
		time.Sleep(20 * time.Millisecond)
	}
	waited := time.Since(begin)
	for _, x := range pair {
		x.owner.do(t, http.MethodDelete, "/v1/ladders/molehill/entries/"+x.id, nil, nil)
	}
	return waited.Seconds()
}

func hoarding() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "20 bots, 5 of them hanging, and 50 challenges with the longest clocks", Unit: "s that another's ladder match waits (cut at 15)", Tolerance: 3,
			Stops: "clocks and open matches of challenges are bounded, and each source of matches keeps a share of the slots",
		},
		play: func(t *testing.T, p *platform) []cheats.Trial {
			own := newPlatform(t, p.binary, 4, 4)
			const patience = 15 * time.Second
			list := gather(3, func(int) cheats.Trial { return cheats.Trial{Honest: own.waitOnLadder(t, patience)} })
			own.hoard(t)
			for i := range list {
				list[i].Cheat = own.waitOnLadder(t, patience)
			}
			return list
		},
	}
}

func afterDisabling() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "matches that go on when their owner is disabled", Unit: "matches open 5 s after the account is disabled", Tolerance: 0,
			Stops: "disabling an owner ends what he has open",
		},
		play: func(t *testing.T, p *platform) []cheats.Trial {
			own := newPlatform(t, p.binary, 4)
			return gather(2, func(int) cheats.Trial {
				open := func() (n int) {
					for _, status := range []string{"queued", "running"} {
						n += len(own.pages(t, fmt.Sprintf("/v1/matches?status=%s&limit=100", status)))
					}
					return n
				}
				before := open()
				u := own.hoard(t)
				own.admin.do(t, http.MethodPost, "/v1/users/"+u.id+"/disable", fields{"reason": "hoards slots"}, nil)
				left := open() - before
				for end := time.Now().Add(5 * time.Second); left > 0 && time.Now().Before(end); left = open() - before {
					time.Sleep(200 * time.Millisecond)
				}
				return cheats.Trial{Cheat: float64(max(0, left))}
			})
		},
	}
}
