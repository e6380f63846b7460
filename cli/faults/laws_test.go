package faults_test

import (
	"crypto/sha256"
	"slices"
	"testing"
	"time"

	"github.com/molerun/molerun/tournament"
)

// began is when the campaign of these tests began.
var began = time.Unix(1_700_000_000, 0)

func at(seconds float64) time.Time { return began.Add(time.Duration(seconds * float64(time.Second))) }

// sound is what a campaign leaves when nothing broke: a match of two decisions, the second of which was asked twice because the
// worker died, and the bots were cut off for a while later.
func sound() Evidence {
	first, second := sha256.Sum256([]byte("first")), sha256.Sum256([]byte("second"))
	decision := func(step int, id string, seconds float64) Decision {
		return Decision{
			Match: "m", Step: step, ID: id, Action: `{"type":"dig","at":1}`, By: "bot", At: at(seconds), Charged: 2 * time.Millisecond, Limit: time.Second,
		}
	}
	return Evidence{
		Tournaments: []Tournament{{ID: "t", Status: tournament.Finished}},
		Matches:     []Match{{ID: "m", Tournament: "t", Round: 1, Block: 1, Number: 1, Status: "done", Seats: 2, Rated: true, Ratings: 2}},
		Decisions:   []Decision{decision(1, "a", 1), decision(2, "b", 13)},
		Asks: []Ask{
			{Decision: "a", Body: first, At: at(0.9)}, {Decision: "b", Body: second, At: at(1.1)}, {Decision: "b", Body: second, At: at(12.9)},
		},
		Answers:    []Answer{{"a", `{"at":1, "type":"dig"}`}, {"b", `{"type":"dig","at":1}`}, {"b", `{"type":"dig","at":1}`}},
		Bots:       []Window{{From: at(60), To: at(61)}},
		Frozen:     []Window{{From: at(2), To: at(11)}},
		Deliveries: []Delivery{{ID: "d", About: "match.finished m"}, {ID: "d", About: "match.finished m"}},
		Wanted:     []string{"match.finished m"},
		Stream:     []int64{1, 2, 3}, LastNumber: 3, LaterNumber: 4,
		Keyed:     map[string]int{"key": 1},
		Still:     time.Second,
		MostStill: 15 * time.Second,
	}
}

func TestTheJudgeFindsWhatIsPlantedAndNothingElse(t *testing.T) {
	for _, row := range []struct {
		name  string
		plant func(*Evidence)
		want  Law // "" is none
	}{
		{name: "nothing broke", plant: func(*Evidence) {}},
		{name: "a decision is asked after it was recorded", want: AskedAgain, plant: func(e *Evidence) {
			e.Asks = append(e.Asks, Ask{Decision: "a", Body: e.Asks[0].Body, At: at(12)})
			e.Frozen = nil
		}},
		{name: "a worker that was frozen asks it", want: Thawed, plant: func(e *Evidence) {
			e.Asks = append(e.Asks, Ask{Decision: "a", Body: e.Asks[0].Body, At: at(12)})
		}},
		{name: "a match is rated twice", want: Fold, plant: func(e *Evidence) { e.Matches[0].Ratings = 4 }},
		{name: "the ratings are not the fold", want: Fold, plant: func(e *Evidence) { e.Unfolded = []string{"FAIL ladder mole"} }},
		{name: "a stall is a timeout", want: NotCharged, plant: func(e *Evidence) {
			e.Decisions[1].By, e.Decisions[1].Fault = "house", "timeout"
		}},
		{name: "a stall is paid by the bank", want: NotCharged, plant: func(e *Evidence) { e.Decisions[1].Charged = 9 * time.Second }},
		{name: "the bots themselves were cut off", plant: func(e *Evidence) {
			e.Decisions[1].By, e.Decisions[1].Fault = "house", "connect"
			e.Asks[2].At, e.Decisions[1].At = at(60.5), at(60.6)
		}},
		{name: "the bots were cut off before a question was seen", plant: func(e *Evidence) {
			e.Decisions[1].By, e.Decisions[1].Fault = "house", "connect"
			e.Asks, e.Decisions[1].At = e.Asks[:1], at(60.6)
		}},
		{name: "a question that nobody saw, and nothing was cut", want: NotCharged, plant: func(e *Evidence) {
			e.Decisions[1].By, e.Decisions[1].Fault = "house", "connect"
			e.Asks = e.Asks[:1]
		}},
		{name: "the bots were cut off only after the record", want: NotCharged, plant: func(e *Evidence) {
			e.Decisions[1].By, e.Decisions[1].Fault = "house", "connect"
			e.Bots = []Window{{From: at(14), To: at(15)}}
		}},
		{name: "another action than the bot said", want: AsSaid, plant: func(e *Evidence) { e.Decisions[0].Action = `{"type":"dig","at":2}` }},
		{name: "asked again with other bytes", want: SameBytes, plant: func(e *Evidence) { e.Asks[2].Body[0]++ }},
		{name: "a match without an end", want: OneResult, plant: func(e *Evidence) { e.Matches[0].Status = "running" }},
		{name: "a match that is void", want: OneResult, plant: func(e *Evidence) { e.Matches[0].Status = "void" }},
		{name: "a pairing made twice", want: Once, plant: func(e *Evidence) {
			other := e.Matches[0]
			other.ID = "n"
			e.Matches = append(e.Matches, other)
		}},
		{name: "a tournament that never ends", want: Once, plant: func(e *Evidence) { e.Tournaments[0].Status = tournament.Running }},
		{name: "a retry made another tournament", want: Once, plant: func(e *Evidence) { e.Keyed["key"] = 2 }},
		{name: "an event that was never told", want: Told, plant: func(e *Evidence) { e.Deliveries = nil }},
		{name: "an event under two ids", want: Told, plant: func(e *Evidence) { e.Deliveries[1].ID = "other" }},
		{name: "a gap in the stream", want: Streamed, plant: func(e *Evidence) { e.Stream = []int64{1, 3} }},
		{name: "an event that its reader lacks", want: Streamed, plant: func(e *Evidence) { e.Stream = []int64{1, 2} }},
		{name: "an event that is lost after it was read", want: Streamed, plant: func(e *Evidence) { e.Stream = []int64{1, 2, 3, 4, 5} }},
		{name: "a number of the stream twice", want: Streamed, plant: func(e *Evidence) { e.Stream = []int64{1, 2, 2, 3} }},
		{name: "a record that does not replay", want: Verified, plant: func(e *Evidence) { e.Unverified = []string{"match m"} }},
		{name: "a job of the dead", want: Swept, plant: func(e *Evidence) { e.Left = 1 }},
		{name: "a process that ended", want: Lives, plant: func(e *Evidence) { e.Ended = []string{"work"} }},
		{name: "nothing moves", want: Moving, plant: func(e *Evidence) { e.Still = 16 * time.Second }},
	} {
		e := sound()
		row.plant(&e)
		broken := Judge(e)
		if row.want == "" && len(broken) > 0 {
			t.Errorf("%s: the judge finds %v", row.name, broken)
		}
		if row.want != "" && !slices.ContainsFunc(broken, func(b Break) bool { return b.Law == row.want }) {
			t.Errorf("%s: the judge finds %v, want %q", row.name, broken, row.want)
		}
		for _, b := range broken {
			if b.Law != row.want {
				t.Errorf("%s: the judge also finds %v", row.name, b)
			}
		}
	}
}

func TestASeedIsAPlanAndAPlanHasEveryKind(t *testing.T) {
	plan := Plan(7, 200, 30*time.Second, true)
	if !slices.Equal(plan, Plan(7, 200, 30*time.Second, true)) {
		t.Error("one seed, two plans")
	}
	if slices.Equal(plan, Plan(8, 200, 30*time.Second, true)) {
		t.Error("two seeds, one plan")
	}
	kinds := append(Kinds(), FullDisk)
	seen := map[Kind]bool{}
	for i, f := range plan {
		if f.Number != i+1 {
			t.Errorf("fault %d has number %d", i+1, f.Number)
		}
		if f.For < 200*time.Millisecond || f.For > 30*time.Second {
			t.Errorf("fault %d lasts %v", f.Number, f.For)
		}
		if i < len(kinds) && seen[f.Kind] {
			t.Errorf("%s comes again before every kind came once", f.Kind)
		}
		seen[f.Kind] = true
	}
	if len(seen) != len(kinds) {
		t.Errorf("%d kinds of %d come", len(seen), len(kinds))
	}
}
