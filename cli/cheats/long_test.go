package cheats_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/cheats"
	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
)

// walled is a match of Mole on a board without a way out, of so many rounds.
func walled(rounds int) fields {
	return fields{
		"board": fields{
			"w_um": 1000000, "h_um": 1000000, "circle": fields{"at_um": []int{500000, 300000}, "r_um": 30000}, "nichee": []int{300000, 600000, 700000, 750000},
			"rosserie": [][]int{}, "loup_um": nil, "posts": []fields{}, "ramp": nil,
			"walls_um": [][][]int{
				{{200000, 200000}, {800000, 200000}},
				{{800000, 200000}, {800000, 800000}},
				{{800000, 800000}, {200000, 800000}},
				{{200000, 800000}, {200000, 200000}},
			},
		},
		"friction_permille": 50, "restitution_permille": 1000, "noise": "shaky", "points": 50, "lead": 10, "max_rounds": rounds, "mole_turns": 100,
		"mole_max_mm_s": 5000, "mignette_max_mm_s": 5000,
	}
}

// long is a challenge of which nobody could see the end, nor look at it for less than seconds of a processor.
func long() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "a challenge whose match takes ten thousands of steps", Unit: "matches made of 3", Tolerance: 0,
			Stops: "a configuration says how many steps a match can take at most, and 10,000 are allowed",
		},
		quick: true,
		play: func(t *testing.T, p *platform) []cheats.Trial {
			u := p.owner(t)
			var seats []string
			for range 2 {
				seats = append(seats, p.enrol(t, u, p.house(mind(t, weak(), kit.Bot{}))).id)
			}
			return gather(2, func(int) cheats.Trial {
				made := 0
				for _, x := range []struct {
					game   string
					config fields
				}{{"mole", walled(500)}, {"cia", fields{"max_turns": 0}}, {"molemajority", fields{"max_turns": 1000000}}} {
					if u.status(t, http.MethodPost, "/v1/challenges", fields{"game": x.game, "config": x.config, "bots": seats}, nil) == http.StatusCreated {
						made++
					}
				}
				return cheats.Trial{Cheat: float64(made)}
			})
		},
	}
}

// costly reads what costs most of a long match, over as many connections as an address may have. What another waits is measured in the
// work that the API does meanwhile: a busy machine makes the wait longer, not the work.
func costly() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "the costliest pages and records of a long match, over 40 connections", Unit: "s of a processor that the API works before another is answered", Tolerance: 0.5,
			Stops: "a caller has one match played again at a time, and so many steps a minute; what was made is kept, up to a number of bytes",
		},
		quick: true,
		play: func(t *testing.T, p *platform) []cheats.Trial {
			m, visitor := p.shuffled(t), p.visitor(t)
			took := func() float64 {
				before := worked(t, p.logs[0])
				visitor.get(t, "/v1/matches/"+m.ID, &struct{}{})
				return worked(t, p.logs[0]) - before
			}
			took() // connected
			list := gather(5, func(int) cheats.Trial { return cheats.Trial{Honest: took()} })
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			var all sync.WaitGroup
			defer all.Wait()
			defer stop()
			for i := range 40 {
				stranger := p.visitor(t)
				all.Go(func() {
					for n := i; ctx.Err() == nil; n++ {
						for _, path := range []string{"/matches/%s/frames?from=", "/v1/matches/%s/view?step=", "/matches/%s/board.svg?step=", "/v1/matches/%s/events?after="} {
							_, _, _ = stranger.try(http.MethodGet, fmt.Sprintf(path, m.ID)+fmt.Sprint(n%1000), nil, nil) // refused or not
						}
					}
				})
			}
			time.Sleep(time.Second) // all are under way
			for i := range list {
				list[i].Cheat = took()
			}
			return list
		},
	}
}

// worked returns how many seconds of a processor a process has used so far.
func worked(t *testing.T, p *clitest.Process) (s float64) {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Process.Pid))
	must.OK(t, err)
	_, rest, _ := strings.Cut(string(stat), ") ") // after the name; proc(5) counts from there
	for _, ticks := range strings.Fields(rest)[11:13] {
		n, err := strconv.Atoi(ticks)
		must.OK(t, err)
		s += float64(n) / 100
	}
	return s
}

// shuffled is a match of a thousand steps and more that is over.
func (p *platform) shuffled(t *testing.T) (m match) {
	t.Helper()
	gentle := func(_ context.Context, turn *protocol.Turn) (protocol.Answer, error) {
		var view struct{ Phase string }
		if err := json.Unmarshal(turn.View, &view); err != nil || view.Phase == "place" {
			return kit.Pick(0), err
		}
		var offer struct{ Examples, List []fields }
		if err := json.Unmarshal(turn.Offer, &offer); err != nil {
			return protocol.Answer{}, err
		}
		action := append(offer.Examples, offer.List...)[0]
		if _, flicks := action["speed_mm_s"]; flicks {
			action["speed_mm_s"] = 1
		}
		b, err := json.Marshal(action)
		return protocol.Answer{Action: b}, err
	}
	u := p.owner(t)
	var seats []string
	for range 2 {
		seats = append(seats, p.enrol(t, u, p.house(mind(t, gentle, kit.Bot{}))).id)
	}
	u.do(t, http.MethodPost, "/v1/challenges", fields{"game": "mole", "config": walled(3), "bots": seats}, &m)
	p.within(t, "the end of a match", func() bool {
		var now struct{ Match match }
		u.get(t, "/v1/matches/"+m.ID, &now)
		m = now.Match
		return m.Status == "done" || m.Status == "void"
	})
	return m
}
