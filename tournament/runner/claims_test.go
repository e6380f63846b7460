package runner_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/runner"
)

// asking is a toy in which each seat can be asked about the next, which is small.
type asking struct{ toy }

func (asking) Questions(_ *toyState, seat game.Seat) []game.Question {
	if seat == game.Everything {
		return []game.Question{{About: "0", Answers: []string{"small"}}, {About: "1", Answers: []string{"small"}}, {About: "2", Answers: []string{"small"}}}
	}
	return []game.Question{{About: string('0' + byte(seat+1)%3), Answers: []string{"big", "small"}, P: []float64{0.5, 0.5}}, {About: "x", Answers: []string{"sure"}, P: []float64{1}}}
}

func TestClaimsAreKeptInTheRecord(t *testing.T) {
	engine := game.Wrap(asking{})
	s := spec(engine)
	s.Beliefs = true
	bots, players := three(func(a runner.Ask) runner.Reply {
		r := steady(a)
		r.Usage = &claim.Usage{Model: "m", InputTokens: 10, CostUSD: 0.1}
		r.Belief = claim.Belief{}
		for _, q := range a.Asks {
			r.Belief[q.About] = map[string]float64{"big": 0.25, "small": 0.75}
		}
		switch a.Step {
		case 1:
			r.Belief["7"] = map[string]float64{"big": 1}
		case 2:
			r.Action = number(9) // illegal
		}
		return r
	})
	o, log := played(t, s, players)
	if asks := bots[0].asks[0].Asks; len(asks) != 1 || asks[0].About != "1" {
		t.Errorf("seat 0 is asked %v, want about 1 alone: the other question is settled", asks)
	}
	for _, x := range log.steps {
		for _, d := range x.Turns {
			belief, note := `{"`+string('0'+byte(d.Seat+1)%3)+`":{"big":0.25,"small":0.75}}`, ""
			switch x.Step {
			case 2:
				belief, note = "", `belief was dropped: at /7: was not asked for`
			case 3:
				belief, note = "", "n: want 0..8"
			}
			if string(d.Belief) != belief || d.Reason != note || string(d.Usage) != `{"model":"m","input_tokens":10,"cost_usd":0.1}` || (d.Fault != "") != (x.Step == 3) {
				t.Errorf("step %d, seat %d: belief %s, reason %q, usage %s, fault %q", x.Step, d.Seat, d.Belief, d.Reason, d.Usage, d.Fault)
			}
		}
	}
	want := []claim.Used{{Decisions: 4, InputTokens: 40, CostNanoUSD: 400_000_000}, {Decisions: 3, InputTokens: 30, CostNanoUSD: 300_000_000}, {Decisions: 3, InputTokens: 30, CostNanoUSD: 300_000_000}}
	for seat, x := range o.Claims {
		if x.Used != want[seat] || x.Own.Beliefs < 2 || x.Own.Brier >= x.Rules.Brier || x.Own.Beliefs != x.Rules.Beliefs {
			t.Errorf("seat %d: claims %+v, want %+v, and beliefs better than by the rules", seat, x, want[seat])
		}
	}
	s.Recorded = log.steps[:4] // a worker is lost, and the next goes on from the record
	for i := range s.Recorded {
		for k := range s.Recorded[i].Turns {
			s.Recorded[i].Turns[k].Asked = nil
		}
	}
	rest := &memory{}
	again, err := runner.Play(t.Context(), s, players, rest)
	if err != nil || !reflect.DeepEqual(again.Claims, o.Claims) || again.Hash != o.Hash {
		t.Errorf("resumed: %v, claims %+v, hash %x; want %+v and %x", err, again.Claims, again.Hash, o.Claims, o.Hash)
	}
	s.Recorded = log.steps
	var file bytes.Buffer
	must.OK(t, runner.Write(&file, s, nonce))
	rec := must.Get(replay.Verify(&file, func(string) (game.Engine, bool) { return engine, true }))(t)
	if got := rec.Steps[1].Turns[2]; string(got.Belief) != `{"0":{"big":0.25,"small":0.75}}` || len(got.Usage) == 0 {
		t.Errorf("the record has belief %s and usage %s", got.Belief, got.Usage)
	}
}

func TestAMatchThatAsksNobodyKeepsNoBelief(t *testing.T) {
	s := spec(game.Wrap(asking{}))
	bots, players := three(func(a runner.Ask) runner.Reply {
		return runner.Reply{Action: number(1), Belief: claim.Belief{"1": {"big": 1}}, Ledger: runner.Ledger{Elapsed: time.Millisecond}}
	})
	_, log := played(t, s, players)
	for _, x := range log.steps {
		for _, d := range x.Turns {
			if d.Belief != nil || d.Fault != "" || !strings.HasPrefix(d.Reason, "belief was dropped: nothing was asked for") {
				t.Fatalf("step %d: belief %s, fault %q, reason %q", x.Step, d.Belief, d.Fault, d.Reason)
			}
		}
	}
	if len(bots[0].asks[0].Asks) != 0 {
		t.Error("a match without beliefs asks for some")
	}
	// What no bot claims leaves records as they were.
	turn := replay.Turn{Seat: 1, Action: json.RawMessage(`{"n":1}`), By: replay.ByBot}
	if b, err := json.Marshal(turn); err != nil || bytes.Contains(b, []byte("usage")) || bytes.Contains(b, []byte("belief")) {
		t.Errorf("a turn without claims is %s, %v", b, err)
	}
}
