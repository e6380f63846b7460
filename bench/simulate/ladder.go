package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/matchmaking"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// How the virtual ladder is run.
const (
	tick    = 10 * time.Second // between two rounds of matchmaking
	least   = 30 * time.Second // of a match; on top comes an exponential time with
	further = 30 * time.Second // this mean
	lately  = 5                // matches whose opponents the matchmaker knows
	plainK  = 32               // of the Elo that ours is compared with
)

// ladder is one ladder under way, in virtual time from 0.
type ladder struct {
	form     form
	is       truth
	seed     game.Seed
	machines int // tables that can be played at once: half of the bots at play
	bots     []matchmaking.Bot
	free     []time.Duration // by bot: since when it has been without a match
	busy     []bool
	queue    []played // scheduled and not yet rated, in schedule order
	results  *game.Rand
	times    *game.Rand

	seats         int // given so far, of all matches
	ratedSeats    int
	matches       int // rated
	online, plain []rating.State
	history       *fit.History
	known         known // the same matches, for fits that know how far the bots are spread
	own           int   // the place of the true SD among theirs
	traffic       traffic
}

// played is a match whose end is known to the simulation only.
type played struct {
	match fit.Match
	ends  time.Duration
	over  bool
}

// newLadder returns an empty ladder whose bots have the SD at place own of sds.
func newLadder(f form, bots int, sds []float64, own int, seed game.Seed) (*ladder, error) {
	sizes := 0
	for _, k := range f.sizes {
		sizes += k
	}
	l := &ladder{
		form: f, seed: seed, is: f.draw(bots, sds[own], game.Stream(seed, 0, "strengths")),
		machines: max(1, bots*len(f.sizes)/(2*sizes)),
		bots:     make([]matchmaking.Bot, bots), free: make([]time.Duration, bots), busy: make([]bool, bots),
		results: game.Stream(seed, 0, "results"), times: game.Stream(seed, 0, "times"),
		online: make([]rating.State, bots), traffic: newTraffic(bots), own: own,
	}
	for i := range l.bots {
		l.online[i] = rating.New()
		l.bots[i].Owner = strconv.Itoa(i)
		if f.team != nil {
			l.bots[i].Owner = strconv.Itoa(i / 2) // two bots each: they never meet
		}
	}
	l.plain = slices.Clone(l.online)
	var err error
	if l.history, err = fit.New(bots, nil, f.prior); err != nil {
		return nil, err
	}
	l.known, err = newKnown(f, bots, sds)
	return l, err
}

// run plays until every bot has had so many matches on average. at is called when the bots have played each of the
// ascending numbers of marks, the last of which is matches; what it returns ends the run if it is an error.
func (l *ladder) run(ctx context.Context, matches int, marks []int, at func(mark int) error) error {
	var now time.Duration
	for step := 0; len(marks) > 0; step++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		now = time.Duration(step) * tick
		if err := l.finish(now); err != nil {
			return err
		}
		done := l.seats >= matches*len(l.bots)
		for len(marks) > 0 && (l.ratedSeats >= marks[0]*len(l.bots) && len(marks) > 1 || done && len(l.queue) == 0) {
			if err := at(marks[0]); err != nil {
				return err
			}
			marks = marks[1:]
		}
		if !done {
			l.tick(now, step)
			if l.seats >= matches*len(l.bots) {
				l.traffic.stop(now, l.free, l.busy)
			}
		}
	}
	l.traffic.lasted = now
	return nil
}

// finish frees the bots whose matches are over and rates what can be rated: in schedule order, so nothing before a match
// that was scheduled earlier and is still played.
func (l *ladder) finish(now time.Duration) error {
	for i := range l.queue {
		q := &l.queue[i]
		if q.over || q.ends > now {
			continue
		}
		q.over = true
		for _, s := range q.match.Seats {
			l.busy[s.Player], l.free[s.Player] = false, q.ends
		}
	}
	n := 0
	for n < len(l.queue) && l.queue[n].over {
		n++
	}
	if n == 0 {
		return nil
	}
	err := l.rate(l.queue[:n])
	l.queue = slices.Delete(l.queue, 0, n)
	return err
}

func (l *ladder) rate(list []played) error {
	matches := make([]rating.Match, len(list))
	for i, q := range list {
		matches[i] = q.match.Match
		l.ratedSeats += len(q.match.Seats)
		if err := l.history.Add(q.match); err != nil {
			return fmt.Errorf("history: %w", err)
		}
		if err := l.known.add(q.match); err != nil {
			return fmt.Errorf("history: %w", err)
		}
	}
	l.matches += len(list)
	var err error
	if l.online, err = rating.Fold(l.online, nil, matches, rating.Params{Rule: rating.WideRule}); err != nil {
		return fmt.Errorf("ratings: %w", err)
	}
	if l.plain, err = rating.Fold(l.plain, nil, matches, rating.Params{FixedK: plainK}); err != nil {
		return fmt.Errorf("plain ratings: %w", err)
	}
	return nil
}

// tick has the matchmaker fill the machines that stand idle.
func (l *ladder) tick(now time.Duration, step int) {
	idle := l.machines
	for _, q := range l.queue {
		if !q.over {
			idle--
		}
	}
	if idle == 0 { // to the matchmaker 0 tables would mean any number
		return
	}
	for i := range l.bots {
		b := &l.bots[i]
		b.Rating = float64(l.online[i].Rating) / 1000
		b.Deviation = deviation(l.form.prior.Bot, l.online[i].Games)
		b.Room = 1
		if l.busy[i] {
			b.Room = 0
		}
	}
	settings := matchmaking.Settings{Sizes: l.form.sizes, Tables: idle}
	for _, t := range matchmaking.Tables(l.bots, settings, game.Stream(l.seed, step, "matchmaking")) {
		l.start(t.Seats, now)
	}
}

// deviation returns what the matchmaker learns of a rating's error: the prior's, and what so many level games tell.
func deviation(prior float64, matches int) float64 {
	scale := 400 / math.Ln10
	return 1 / math.Sqrt(1/(prior*prior)+float64(matches)/(4*scale*scale))
}

// start schedules a match and notes it with its bots, as the matchmaker wants them.
func (l *ladder) start(seats []int, now time.Duration) {
	lasts := least + time.Duration(-math.Log(1-uniform(l.times))*float64(further))
	l.queue = append(l.queue, played{match: fit.Match{Match: l.form.play(seats, l.is, l.results)}, ends: now + lasts})
	l.seats += len(seats)
	for seat, b := range seats {
		x := &l.bots[b]
		x.Sat(seats, seat)
		x.Recent = x.Recent[max(0, len(x.Recent)-lately):]
		l.traffic.seated(b, x.Recent[len(x.Recent)-1], now-l.free[b], l.is.strength)
		l.busy[b] = true
		x.Matches++
		x.Since = int64(now)
	}
}
