package runner_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// curt is the toy game with seat 0 alone always due; nothing may follow an 8.
type curt struct{ toy }

func (curt) Due(s *toyState) game.Seats {
	if s.Step == s.Steps {
		return 0
	}
	return game.Only(0)
}
func (curt) Chains(a toyAction) bool { return a.N != 8 }

// playCurt plays a match of which some steps are recorded already, at most to a step, and tells how each step was decided:
// "?" asked, "then" sent ahead.
func playCurt(t *testing.T, recorded []runner.Step, stopAt int, reply func(runner.Ask) runner.Reply) (log *memory, how string, asked int, o runner.Outcome) {
	t.Helper()
	s := spec(game.Wrap(curt{}))
	s.Recorded = recorded
	bots, players := three(reply)
	log = &memory{steps: recorded, fail: func(st runner.Step) error {
		if st.Step > stopAt {
			return tournament.ErrFenced
		}
		return nil
	}}
	o, err := runner.Play(t.Context(), s, players, log)
	if err != nil && stopAt >= 6 {
		t.Fatal(err)
	}
	words := make([]string, len(log.steps))
	for i, st := range log.steps {
		if words[i] = st.Turns[0].Why; words[i] == "" {
			words[i] = "?"
		}
	}
	return log, strings.Join(words, " "), len(bots[0].asks), o
}

func TestWhatIsSentToFollowAnActionThatEndsTheRunIsDropped(t *testing.T) {
	for _, row := range []struct {
		name  string
		first int
		then  []int
		how   string
		asked int
	}{
		{"kept while nothing ends the run", 1, []int{2, 3, 4, 5, 6}, "? then then then then then", 1},
		{"dropped after an answer that ends it", 8, []int{1, 2}, "? ? ? ? ? ?", 6},
		{"dropped after one sent ahead that ends it", 1, []int{2, 8, 3, 4}, "? then then ? then then", 2},
	} {
		reply := func(runner.Ask) runner.Reply {
			r := runner.Reply{Action: number(row.first)}
			for _, n := range row.then {
				r.Then = append(r.Then, number(n))
			}
			return r
		}
		whole, how, asked, o := playCurt(t, nil, 6, reply)
		if how != row.how || asked != row.asked || o.Faults[0] != 0 {
			t.Errorf("%s: decided by %q, asked %d times, %d faults; want %q, %d, none", row.name, how, asked, o.Faults[0], row.how, row.asked)
		}
		if got, want := len(whole.steps[0].Turns[0].Then), len(row.then); got != want {
			t.Errorf("%s: the record keeps %d actions sent ahead, want all %d", row.name, got, want)
		}
		for cut := range 6 { // resumed anywhere, it goes on the same way
			part, _, before, _ := playCurt(t, nil, cut, reply)
			_, again, after, end := playCurt(t, part.steps, 6, reply)
			// The answer of a step that was not recorded is asked for again.
			if lost := before + after - asked; again != row.how || end.Hash != o.Hash || lost < 0 || lost > 1 {
				t.Errorf("%s, resumed after step %d: decided by %q, hash %x, %d asked again; want %q, %x, one at most", row.name, cut, again, end.Hash, lost, row.how, o.Hash)
			}
		}
	}
}

func TestAnActionThatCannotBeReadEndsTheRun(t *testing.T) {
	table, _, err := game.Wrap(curt{}).New(json.RawMessage(`{}`), 3, game.Seed{})
	must.OK(t, err)
	for action, want := range map[string]bool{`{"n":1}`: true, `{"n":8}`: false, `{"m":1}`: false, ``: false} {
		must.Same(t, fmt.Sprintf("%q", action), table.Chains(json.RawMessage(action)), want)
	}
}
