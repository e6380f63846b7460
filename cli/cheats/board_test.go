package cheats_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/cheats"
)

// slot is a short match of Mole on a board with two walls that leave a coin no play between them.
func slot() fields {
	return fields{
		"board": fields{
			"w_um": 300000, "h_um": 450000, "circle": fields{"at_um": []int{150000, 90000}, "r_um": 30000}, "nichee": []int{20000, 150000, 290000, 400000},
			"rosserie": [][]int{}, "loup_um": nil, "posts": []fields{}, "ramp": nil,
			"walls_um": [][][]int{{{40000, 189850}, {280000, 189850}}, {{40000, 210151}, {280000, 210151}}},
		},
		"friction_permille": 50, "noise": "none", "points": 1, "lead": 1, "max_rounds": 1, "mole_turns": 1,
	}
}

// endless is a board that its organiser or a challenger makes, and a flick that has no end on it.
func endless() entry {
	return entry{
		Cheat: cheats.Cheat{
			Name: "a flick without an end, on a board made for it", Unit: "matches void, or not over, of 1", Tolerance: 0,
			Stops: "every flick ends on every board that is taken",
		},
		quick: true,
		play: tried(2, func(t *testing.T, p *platform, _ int) cheats.Trial {
			return cheats.Trial{Cheat: p.undecided(t, 90000), Honest: p.undecided(t, 0)}
		}),
	}
}

// undecided is 1 if a match in which the first coin is flicked at an angle in the slot has no result.
func (p *platform) undecided(t *testing.T, angle int) float64 {
	t.Helper()
	flicker := func(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
		var view struct{ Phase string }
		if err := json.Unmarshal(turn.View, &view); err != nil {
			return protocol.Answer{}, err
		}
		action := fields{"type": "flick", "coin": "m1", "angle_mdeg": angle, "speed_mm_s": 1000}
		if view.Phase == "place" {
			action = fields{"type": "place", "at": [][]int{{100000, 200000}, {150000, 300000}, {200000, 300000}}}
		}
		b, err := json.Marshal(action)
		if strings.Contains(string(turn.Offer), `"m1"`) || view.Phase == "place" {
			return protocol.Answer{Action: b}, err
		}
		return kit.Pick(0), nil
	}
	u := p.owner(t)
	var seats []string
	for range 2 {
		seats = append(seats, p.enrol(t, u, p.house(mind(t, flicker, kit.Bot{}))).id)
	}
	var m match
	u.do(t, http.MethodPost, "/v1/challenges", fields{"game": "mole", "config": slot(), "bots": seats}, &m)
	p.within(t, "the end of a match", func() bool {
		var now struct{ Match match }
		u.get(t, "/v1/matches/"+m.ID, &now)
		m = now.Match
		return m.Status == "done" || m.Status == "void"
	})
	if m.Status == "done" {
		return 0
	}
	return 1
}
