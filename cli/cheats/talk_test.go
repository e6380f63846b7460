package cheats_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/cheats"
)

// spoken is a mark in talk that tells a team.
func spoken(team string) string { return "the weather is fine for " + team }

// told is what one bot of two that work together has told the other, over each of three ways.
type told struct {
	once   sync.Once
	trials map[string][]cheats.Trial // by the way
}

// entry is one of the ways.
func (w *told) entry(way, remains string) entry {
	return entry{
		Cheat: cheats.Cheat{Name: "two bots of different owners that tell their teams through " + way, Unit: "share of the partner's teams known, above 3 in 5", Remains: remains},
		play: func(t *testing.T, p *platform) []cheats.Trial {
			w.once.Do(func() { w.trials = p.told(t) })
			return w.trials[way]
		},
	}
}

// pause is how long a mole thinks, for its partner to see.
const pause = 250 * time.Millisecond

// table is what two bots that work together know of each match: the one its team, the other what it has understood.
type table struct {
	mu    sync.Mutex
	team  map[string]string
	heard map[string]map[string]string // by match and way
	voted map[string]time.Time         // when the listener was asked for its last vote
}

// listened is what of its view a bot of De Mol looks at.
type listened struct {
	Phase string
	Me    struct {
		Seat int
		Role string
	}
	Votes []struct{ Approve []bool }
}

// tell says its team in words, votes no as a mole and yes as an agent, and takes its time to vote as a mole.
func (x *table) tell(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
	var view listened
	if err := json.Unmarshal(turn.View, &view); err != nil {
		return protocol.Answer{}, err
	}
	x.mu.Lock()
	x.team[turn.Match] = view.Me.Role
	x.mu.Unlock()
	a, err := lucky(ctx, turn)
	switch {
	case view.Phase == "vote" && view.Me.Role == "mole":
		time.Sleep(pause)
		a, err = pick(turn, `"approve":false`)
	case view.Phase == "vote":
		a, err = pick(turn, `"approve":true`)
	}
	a.Say = spoken(view.Me.Role)
	return a, err
}

// listen takes its partner for an agent until it hears another thing.
func (x *table) listen(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
	var view listened
	if err := json.Unmarshal(turn.View, &view); err != nil {
		return protocol.Answer{}, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	h := x.heard[turn.Match]
	if h == nil {
		h = map[string]string{"say": "agent", "timing": "agent", "move choice": "agent"}
		x.heard[turn.Match] = h
	}
	for _, e := range turn.Events {
		if strings.Contains(string(e), spoken("mole")) {
			h["say"] = "mole"
		}
	}
	if last, voted := x.voted[turn.Match]; voted && time.Since(last) > pause*3/4 {
		h["timing"] = "mole"
	}
	delete(x.voted, turn.Match)
	if n := len(view.Votes); n >= 2 {
		first, last := view.Votes[0].Approve, view.Votes[n-1].Approve
		if always(view.Me.Seat, false, first, last) && !always(view.Me.Seat, true, first, last) {
			h["move choice"] = "mole"
		}
	}
	if view.Phase == "vote" {
		x.voted[turn.Match] = time.Now()
	}
	return lucky(ctx, turn)
}

// told plays De Mol with a bot that tells its team and one that listens, at tables with three others.
func (p *platform) told(t *testing.T) map[string][]cheats.Trial {
	t.Helper()
	x := &table{team: map[string]string{}, heard: map[string]map[string]string{}, voted: map[string]time.Time{}}
	c := p.announce(t, fields{"game": "demol", "table_size": 5, "config": fields{"talk_rounds": 1}, "cycles": times(10)})
	c.start(t, p.bot(t, x.tell), p.bot(t, x.listen), p.bot(t, lucky), p.bot(t, lucky), p.bot(t, lucky)).finish(t)
	out := map[string][]cheats.Trial{}
	x.mu.Lock()
	defer x.mu.Unlock()
	for id, ways := range x.heard {
		for way, guess := range ways {
			trial := cheats.Trial{Honest: 0.6}
			if guess == x.team[id] {
				trial.Cheat = 1
			}
			out[way] = append(out[way], trial)
		}
	}
	return out
}

// always reports whether some other seat has voted like that both times.
func always(me int, approve bool, first, last []bool) bool {
	for seat := range first {
		if seat != me && first[seat] == approve && last[seat] == approve {
			return true
		}
	}
	return false
}

// pick chooses the entry of the offer that holds a text.
func pick(turn *protocol.Turn, text string) (protocol.Answer, error) {
	offer, err := kit.ParseOffer(turn.Offer)
	if err != nil {
		return protocol.Answer{}, err
	}
	for k, action := range offer.List {
		if strings.Contains(string(action), text) {
			return kit.Pick(k), nil
		}
	}
	return protocol.Answer{}, fmt.Errorf("no %s in the offer %s", text, turn.Offer)
}
