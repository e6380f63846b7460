package runner_test

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// What a seat keeps from one decision to the next.

// watched is a player that notes how long it is given, on a connection of one hour's round trip.
type watched struct {
	*scripted
	given   []time.Duration
	atStart time.Duration
}

func (p *watched) RoundTrip() time.Duration { return time.Hour }

func left(ctx context.Context) time.Duration {
	end, _ := ctx.Deadline()
	return time.Until(end)
}

func (p *watched) Start(ctx context.Context, b runner.Briefing) error {
	p.atStart = left(ctx)
	return p.scripted.Start(ctx, b)
}

func (p *watched) Ask(ctx context.Context, b runner.Briefing, a runner.Ask) runner.Reply {
	p.given = append(p.given, left(ctx))
	return p.scripted.Ask(ctx, b, a)
}

func TestTheBankGoesFromDecisionToDecisionAndSetsTheDeadline(t *testing.T) {
	const hour = time.Hour
	s := spec(game.Wrap(toy{}))
	s.Clock = tournament.Clock{Limit: 2 * time.Second, Bank: 20 * hour, Increment: hour, Allowance: 8 * hour}
	bots, players := three(steady)
	slow := &watched{scripted: bots[0]}
	players[0] = slow
	spent := []time.Duration{6 * hour, time.Second, 30 * hour, time.Second} // of which an hour each is the network's
	slow.reply = func(a runner.Ask) runner.Reply {
		return runner.Reply{Action: number(1), Ledger: runner.Ledger{Elapsed: spent[len(slow.asks)-1], RoundTrip: hour}}
	}
	o, _ := played(t, s, players)
	// 6 h less the network's and the limit leave 15 h and 2 s; a second is forgiven whole; 29 h are too many.
	want := []time.Duration{20 * hour, 16*hour + 2*time.Second, 17*hour + 2*time.Second, hour}
	var got []time.Duration
	for i, a := range slow.asks {
		got = append(got, a.Bank)
		if most := s.Clock.Limit + want[i] + hour; slow.given[i] > most || slow.given[i] < most-hour/2 {
			t.Errorf("decision %d was given %v, want %v: limit, bank and round trip", i, slow.given[i], most)
		}
	}
	if !reflect.DeepEqual(got, want) || o.Faults[0] != 1 {
		t.Errorf("banks %v and %d faults, want %v and 1", got, o.Faults[0], want)
	}
	if p := slow.asks[1].Previous; p.Elapsed != 6*hour || p.Charged != 5*hour || p.Status != "ok" {
		t.Errorf("the second turn says %+v of the first, want 6 h elapsed, 5 h charged, ok", p)
	}
	if p := slow.asks[3].Previous; p.Charged != 29*hour || p.Status != string(tournament.FaultTimeout) {
		t.Errorf("the last turn says %+v of the one before, want 29 h charged, timeout", p)
	}
}

func TestStartIsSaidOnceAndWaitsNoLongerThanADecision(t *testing.T) {
	s := spec(game.Wrap(toy{}))
	bots, players := three(steady)
	first := &watched{scripted: bots[0]}
	players[0] = first
	_, log := played(t, s, players)
	if most := s.Clock.Limit + s.Clock.Allowance; first.atStart > most {
		t.Errorf("start may take %v, want %v at most", first.atStart, most)
	}
	s.Recorded = log.steps[:1]
	again, players := three(steady)
	played(t, s, players)
	if again[0].started != 0 {
		t.Error("start was said again when the match was resumed")
	}
}

func TestAMemoIsThatOfTheLastGoodAnswer(t *testing.T) {
	s := spec(game.Wrap(toy{}))
	bots, players := three(steady)
	bots[0].reply = func(a runner.Ask) runner.Reply { // due at steps 0, 1, 4 and 5
		switch a.Step {
		case 0:
			return runner.Reply{Action: number(1), Memo: "kept"}
		case 1:
			return runner.Reply{Action: number(9), Memo: "of an illegal answer", Say: "psst", Then: []json.RawMessage{number(1)}}
		}
		return steady(a)
	}
	_, log := played(t, s, players)
	var got []string
	for _, a := range bots[0].asks {
		got = append(got, a.Memo)
	}
	if want := []string{"", "kept", "kept", ""}; !reflect.DeepEqual(got, want) {
		t.Errorf("memos handed back: %q, want %q", got, want)
	}
	if d, _ := log.steps[1].Decision(0); d.Say != "" || d.Memo != "" || d.Then != nil {
		t.Errorf("of a refused answer the record keeps %+v, want its fault alone", d)
	}
}

func TestAnEventGoesOnlyToThoseWhoHearIt(t *testing.T) {
	bots, players := three(steady)
	played(t, spec(game.Wrap(toy{whisper: true})), players)
	for seat, b := range bots {
		told := 0
		for _, a := range b.asks {
			for _, e := range a.Events {
				told += strings.Count(string(e), "whisper")
			}
		}
		if want := map[int]int{1: 1}[seat]; told != want {
			t.Errorf("seat %d was told %d times, want %d", seat, told, want)
		}
	}
}

func TestARetiredSeatIsLastWhateverTheHouseMadeOfIt(t *testing.T) {
	s := spec(game.Wrap(toy{}))
	s.Limits = tournament.FaultLimits{InRow: 1, Total: 1}
	bots, players := three(func(runner.Ask) runner.Reply { return runner.Reply{Action: number(0)} })
	bots[0].reply = func(a runner.Ask) runner.Reply {
		if a.Step == 4 {
			return runner.Reply{Fault: tournament.FaultConnect, Reason: "refused", Ledger: runner.Ledger{Elapsed: time.Hour}}
		}
		return runner.Reply{Action: number(8)}
	}
	o, log := played(t, s, players)
	if want := []int{3, 1, 1}; !reflect.DeepEqual(o.Rank, want) || o.Result.Rank[0] != 1 {
		t.Errorf("ranks %v, the engine's %v; want %v, with the retired seat first in the engine's", o.Rank, o.Result.Rank, want)
	}
	if d, _ := log.steps[4].Decision(0); d.Fault != string(tournament.FaultConnect) || d.Reason != "refused" {
		t.Errorf("the fault was recorded as %s (%s), want connect, however long it took", d.Fault, d.Reason)
	}
	if d, _ := log.steps[5].Decision(0); d.Fault != tournament.WhyRetired || d.Why != tournament.WhyRetired {
		t.Errorf("after it the record says fault %q, why %q; want retired", d.Fault, d.Why)
	}
}

func TestWhatIsForTheOwnerIsRecorded(t *testing.T) {
	bots, players := three(steady)
	bots[0].reply = func(a runner.Ask) runner.Reply {
		r := steady(a)
		r.Debug, r.Build, r.Note, r.Say = "eval 3", "v2", "memo was dropped", "hello"
		return r
	}
	_, log := played(t, spec(game.Wrap(toy{})), players)
	d, _ := log.steps[0].Decision(0)
	if d.Debug != "eval 3" || d.Build != "v2" || !strings.HasPrefix(d.Reason, "memo was dropped; say was dropped: ") {
		t.Errorf("recorded debug %q, build %q, reason %q", d.Debug, d.Build, d.Reason)
	}
}
