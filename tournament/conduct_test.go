package tournament_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/molerun/molerun/tournament"
)

// ended returns a window of n matches, each with another bot, of which the first bad ones are void or retired from.
func ended(n, void, retired int, others tournament.Ended) []tournament.Ended {
	out := make([]tournament.Ended, n)
	for i := range out {
		out[i] = others
		out[i].With = []string{fmt.Sprint("bot", i)}
		out[i].Void, out[i].Retired = i < void, i < retired
	}
	return out
}

func TestABotIsPausedForVoidsOnlyIfTheOthersHaveFewer(t *testing.T) {
	well := tournament.Ended{Others: 200, OthersVoid: 1, OthersRetired: 1}
	for _, row := range []struct {
		name string
		list []tournament.Ended
		want tournament.Conduct
	}{
		{"nothing", nil, ""},
		{"four, however good the others are", ended(50, 4, 0, tournament.Ended{Others: 100_000}), ""},
		{"eight of fifty among good ones", ended(50, 8, 0, well), tournament.ConductVoids},
		{"six of six among good ones", ended(6, 6, 0, well), tournament.ConductVoids},
		{"twenty of fifty in an outage", ended(50, 20, 0, tournament.Ended{Others: 100, OthersVoid: 40}), ""},
		{"all of them in an outage, in which few others played", ended(10, 10, 0, tournament.Ended{Others: 2, OthersVoid: 2}), ""},
		{"alone on the platform", ended(50, 50, 0, tournament.Ended{}), ""},
		{"on a small platform", ended(50, 30, 0, tournament.Ended{Others: 10}), tournament.ConductVoids},
		{"retired again and again", ended(50, 0, 8, well), tournament.ConductRetirements},
		{"retired when everybody was", ended(50, 0, 20, tournament.Ended{Others: 100, OthersRetired: 40}), ""},
	} {
		if got := tournament.Judge(row.list); got != row.want {
			t.Errorf("%s: paused for %q, want %q", row.name, got, row.want)
		}
	}
	victim := ended(50, 15, 0, well)
	for i := range victim {
		if victim[i].Void {
			victim[i].With = []string{"cheat"}
		}
	}
	if got := tournament.Judge(victim); got != "" {
		t.Errorf("paused for %q with all voids shared with one bot, want that bot to answer for them", got)
	}
}

// platform plays many bots with our faults: single ones, outages, and one bot that voids what it loses.
type platform struct {
	rng     *rand.Rand
	windows [][]tournament.Ended
}

// tenMinutes plays rounds of pairs and then tells each match what became of the others. cheat is the share of its matches
// that bot 0 makes void.
func (p *platform) tenMinutes(rounds int, fault, cheat float64) {
	type match struct {
		a, b int
		void bool
	}
	var list []match
	voids := 0
	for range rounds {
		order := p.rng.Perm(len(p.windows))
		for i := 0; i+1 < len(order); i += 2 {
			m := match{a: order[i], b: order[i+1], void: p.rng.Float64() < fault}
			m.void = m.void || (m.a == 0 || m.b == 0) && p.rng.Float64() < cheat
			if m.void {
				voids++
			}
			list = append(list, m)
		}
	}
	of := make([]int, len(p.windows)) // void ones by bot
	for _, m := range list {
		if m.void {
			of[m.a]++
			of[m.b]++
		}
	}
	for _, m := range list {
		for _, seat := range [][2]int{{m.a, m.b}, {m.b, m.a}} {
			w := append(p.windows[seat[0]], tournament.Ended{
				Void: m.void, With: []string{fmt.Sprint(seat[1])}, Others: len(list) - rounds, OthersVoid: voids - of[seat[0]],
			})
			p.windows[seat[0]] = w[max(0, len(w)-tournament.ConductWindow):]
		}
	}
}

// TestNoHonestBotIsPausedOnAPlatformWithFaults: 60 bots, 600 matches each, with 2 % of single faults and outages that void
// 60 % of what is played; and a cheat among them, who is paused.
func TestNoHonestBotIsPausedOnAPlatformWithFaults(t *testing.T) {
	for seed := range uint64(5) {
		p := platform{rng: rand.New(rand.NewPCG(seed, 1)), windows: make([][]tournament.Ended, 60)}
		honest, cheat := 0, 0
		for i := range 120 {
			fault := 0.02
			if i%20 == 19 {
				fault = 0.6
			}
			p.tenMinutes(5, fault, 0.4)
			for bot, w := range p.windows {
				if tournament.Judge(w) == "" {
					continue
				}
				if bot == 0 {
					cheat++
				} else {
					honest++
				}
			}
		}
		if honest != 0 || cheat < 60 {
			t.Errorf("seed %d: honest bots were past the bound %d times of %d, the cheat %d times of 120; want 0, and most", seed, honest, 59*120, cheat)
		}
	}
}
