package runner_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/runner"
)

// bookish is a player that wants the view in words.
type bookish struct{ *scripted }

func (bookish) WantsText() bool { return true }

// dumb is the toy game without words.
type dumb struct{ game.Engine }

func (d dumb) New(config json.RawMessage, seats int, seed game.Seed) (game.Table, []game.Event, error) {
	table, events, err := d.Engine.New(config, seats, seed)
	return wordless{table}, events, err
}

type wordless struct{ game.Table }

func (wordless) Describe(game.Seat) (string, error) { return "", game.ErrUnsupported }

// heardBy returns the events of the toy game as a seat reads them; one without words as it came.
func heardBy(t *testing.T, seat int, events []json.RawMessage) string {
	t.Helper()
	out := "Since your last turn:\n"
	for _, raw := range events {
		var e toyEvent
		must.OK(t, json.Unmarshal(raw, &e))
		switch {
		case e.Kind != "played":
			out += "- " + string(raw) + "\n"
		case e.Seat == seat:
			out += fmt.Sprintf("- You play %d.\n", e.N)
		default:
			out += fmt.Sprintf("- Seat %d plays %d.\n", e.Seat, e.N)
		}
	}
	return out + "\n"
}

func TestTheTurnInWordsComesToThoseWhoWantItAlone(t *testing.T) {
	for name, row := range map[string]struct {
		engine game.Engine
		words  bool
	}{"a game with words": {game.Wrap(toy{}), true}, "a game without": {dumb{game.Wrap(toy{})}, false}} {
		bots, players := three(steady)
		players[1] = bookish{bots[1]}
		o, err := runner.Play(t.Context(), spec(row.engine), players, &memory{})
		if err != nil || o.Faults[1] != 0 {
			t.Fatalf("%s: %v, faults %v", name, err, o.Faults)
		}
		for seat, b := range bots {
			for _, a := range b.asks {
				want := ""
				if seat == 1 && row.words {
					want = heardBy(t, 1, a.Events) + fmt.Sprintf("after %d steps", a.Step)
				}
				must.Same(t, fmt.Sprintf("%s, seat %d, step %d", name, seat, a.Step), a.Text, want)
			}
		}
	}
}

func TestMemoPreviousAndEventsComeBack(t *testing.T) {
	s := spec(game.Wrap(toy{}))
	bots, players := three(func(a runner.Ask) runner.Reply {
		r := steady(a)
		r.Memo = fmt.Sprint("after ", a.Step)
		return r
	})
	played(t, s, players)
	first, second := bots[1].asks[0], bots[1].asks[1]
	if first.Previous != nil || first.Memo != "" || len(first.Events) != 1 {
		t.Errorf("first turn: previous %v, memo %q, %d events; want none, none, the deal", first.Previous, first.Memo, len(first.Events))
	}
	if p := second.Previous; second.Memo != "after 0" || p.Status != "ok" || p.Elapsed != 3*time.Millisecond || len(second.Events) != 4 {
		t.Errorf("second turn: previous %+v, memo %q, %d events; want ok after 3 ms, after 0, 4", p, second.Memo, len(second.Events))
	}
}

func TestWordsAreKeptOnlyWhereTheGameHasTalk(t *testing.T) {
	for _, row := range []struct {
		name string
		talk bool
		say  string
		want string
		note string
	}{
		{"talk", true, "hello", "hello", ""},
		{"no talk", false, "hello", "", "no table talk"},
		{"longest", true, words, words, ""},
		{"too long", true, words + "w", "", "501 bytes"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := spec(game.Wrap(toy{talk: row.talk}))
			bots, players := three(steady)
			bots[2].reply = func(a runner.Ask) runner.Reply { r := steady(a); r.Say = row.say; return r }
			o, log := played(t, s, players)
			d, _ := log.steps[0].Decision(2)
			if d.Say != row.want || !strings.Contains(d.Reason, row.note) || o.Faults[2] != 0 {
				t.Errorf("kept %q, note %q, %d faults; want %q, …%s…, none", d.Say, d.Reason, o.Faults[2], row.want, row.note)
			}
		})
	}
}
