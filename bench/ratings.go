package main

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/matchmaking"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// What the refit is measured on, and what Ordo takes for the same where the floors were set.
const (
	fitBots    = 200
	fitMatches = 1_000_000
	ordo       = 960 * time.Millisecond
)

// What the matchmaking is measured on.
const (
	tickBots = 10_000
	tickMost = 100 * time.Millisecond // where the floors were set
	tickPast = 8                      // ticks that have been before: what the store tells the matchmaking of
)

// ratings measures the full refit of a ladder and the matchmaking of a large one, in processor time against what is wanted,
// scaled to this machine.
func ratings(span time.Duration) ([]figure, error) {
	machine := paceOf(span, cpu)
	s, mb, err := refit(fitMatches)
	if err != nil {
		return nil, err
	}
	rows := []figure{ceiling(fmt.Sprintf("refit: %d matches of two, %d bots", fitMatches, fitBots), "CPU s", s, machine.scaled(ordo.Seconds()),
		fmt.Sprintf("Ordo on as many, %s; ours allocates %.0f MB in all", machine, mb), 1)}
	for _, sizes := range [][]int{{2}, {4}, {10}, {5, 6, 7, 8, 9, 10}} {
		name := fmt.Sprintf("matchmaking tick: %d bots, tables of %d", tickBots, sizes[0])
		if len(sizes) > 1 {
			name += fmt.Sprintf("-%d", sizes[len(sizes)-1])
		}
		rows = append(rows, ceiling(name, "CPU ms", 1e3*tick(tickBots, sizes), 1e3*machine.scaled(tickMost.Seconds()), fmt.Sprintf("100 ms, %s", machine), 1))
	}
	return rows, nil
}

// refit returns the processor time of a fit, from the matches to strengths with intervals, in seconds, the median of three, and
// what one allocates, in MB.
func refit(matches int) (seconds, mb float64, err error) {
	r := rand.New(rand.NewPCG(1, 1))
	strength := make([]float64, fitBots)
	for i := range strength {
		strength[i] = 200 * r.NormFloat64()
	}
	all := make([]fit.Match, matches)
	seats := make([]rating.Seat, 2*matches)
	for i := range all {
		p := r.IntN(fitBots)
		q := (p + 1 + r.IntN(fitBots-1)) % fitBots
		pair := seats[2*i : 2*i+2 : 2*i+2]
		pair[0], pair[1] = rating.Seat{Player: p, Rank: 1}, rating.Seat{Player: q, Rank: 1}
		if r.Float64() < rating.Expected(strength[p]-strength[q]) {
			pair[1].Rank = 2
		} else {
			pair[0].Rank = 2
		}
		all[i].Seats = pair
	}
	var taken [3]float64
	var before, after runtime.MemStats
	for i := range taken {
		runtime.GC()
		runtime.ReadMemStats(&before)
		start := cpu()
		h, err := fit.New(fitBots, nil, fit.Standard())
		if err == nil {
			err = h.Add(all...)
		}
		if err == nil {
			_, err = h.Fit()
		}
		if err != nil {
			return 0, 0, err
		}
		taken[i] = (cpu() - start).Seconds()
		runtime.ReadMemStats(&after)
	}
	return middle(taken[:]), float64(after.TotalAlloc-before.TotalAlloc) / 1e6, nil
}

// tick returns the processor time of one round of matchmaking for a ladder on which all wait, in seconds: the median of three.
func tick(n int, sizes []int) float64 {
	r := game.Stream(game.Seed{5}, 0, "bench")
	bots := make([]matchmaking.Bot, n)
	for i := range bots {
		bots[i] = matchmaking.Bot{Owner: strconv.Itoa(i / 2), Rating: float64(1200 + r.IntN(600)), Deviation: float64(30 + r.IntN(100)), Room: 1}
	}
	rules := matchmaking.Settings{Sizes: sizes}
	for past := range tickPast {
		for _, t := range matchmaking.Tables(bots, rules, game.Stream(game.Seed{6}, past, "bench")) {
			for seat, b := range t.Seats {
				x := &bots[b]
				x.Matches, x.Since = x.Matches+1, int64(past)
				x.Sat(t.Seats, seat)
			}
		}
	}
	var taken [3]float64
	for i := range taken {
		runtime.GC()
		start := cpu()
		matchmaking.Tables(bots, rules, game.Stream(game.Seed{7}, i, "bench"))
		taken[i] = (cpu() - start).Seconds()
	}
	return middle(taken[:])
}
