package organiser

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
)

func TestATableSaysHowItStands(t *testing.T) {
	bots := []string{"one", "two"}
	for want, table := range map[string]wire.Table{
		"one – two (void)":                   {Bots: bots, Over: true, Void: true},
		"one – two (open)":                   {Bots: bots, Games: 1},
		"one 1.5 – two 0.5":                  {Bots: bots, Points: []float64{1.5, .5}, Games: 2, Over: true},
		"its bots are shown when it is over": {Games: 1},
		"one\u00b7 – two (open)":             {Bots: []string{"one\x1b", "two"}, Games: 1},
	} {
		if got := tableText(table); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestARoundSaysWhenItBegins(t *testing.T) {
	now := time.Now()
	for _, row := range []struct {
		cup  wire.Tournament
		at   time.Time
		want string
	}{
		{at: now.Add(time.Hour), want: "round 2, begins 20"},
		{at: now.Add(-time.Hour), want: "round 2\n"},
		{cup: wire.Tournament{PausedAt: &now}, at: now.Add(time.Hour), want: "round 2\n"},
	} {
		var out strings.Builder
		if tellRound(&out, row.cup, wire.Round{Round: 2, StartsAt: &row.at}); !strings.HasPrefix(out.String(), row.want) {
			t.Errorf("%q, want %q", out.String(), row.want)
		}
	}
}

func TestNobodyHasEntered(t *testing.T) {
	f := inField{}
	f.take("seeds", "fox")
	if err := f.wrong.err(); err == nil || !strings.Contains(err.Error(), `"fox": has no entry; there are none`) {
		t.Errorf("a bot that has no entry, as nobody has: %v", err)
	}
}

func TestEveryEventIsToldForWhatItIs(t *testing.T) {
	kind, _ := reflect.TypeFor[wire.Event]().FieldByName("Event")
	told := map[string]string{}
	for event := range strings.SplitSeq(kind.Tag.Get("enums"), ",") {
		for _, why := range []string{"", "why"} {
			m := matchReader{listed: true, known: map[string]wire.Match{"m": {Outcome: &wire.Outcome{Rank: []int{1}}, Seats: []wire.MatchSeat{{Bot: "one"}}}}}
			got, err := eventWords(t.Context(), &m, wire.Event{Event: event, Reason: why, MatchID: "m", Round: 1, Block: 2})
			must.OK(t, err)
			if got != strings.TrimSpace(got) || got != "" && (why != "") != strings.HasSuffix(got, ": why") {
				t.Errorf("%s, %q: %q", event, why, got)
			}
			told[event] = strings.TrimSuffix(got, ": why")
		}
	}
	want := map[string]string{
		"match.started": "", "match.finished": "round 1: 1. one", "match.void": "round 1: one: void", "match.given_up": "round 1: one: given up",
		"tournament.created": "created", "tournament.changed": "changed", "tournament.check_in": "check-in is open", "tournament.started": "started",
		"tournament.paused": "paused", "tournament.resumed": "resumed", "tournament.finished": "finished", "tournament.cancelled": "cancelled", "tournament.standings": "",
		"entry.admitted": "a bot has a place", "entry.left_out": "a bot is left out", "entry.substituted": "another bot takes a place", "entry.withdrawn": "an organiser has excluded a bot", "ladder.rated": "",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
}

func TestAFileHasNoNameWithTheDayOfAnEarlierEvent(t *testing.T) {
	for name, kept := range map[string]bool{
		"Mole Hill swiss 2026-11-28": false, "Mole Hill swiss": true, "Mole Hill swiss finals": true, "Cup 2026-11-28": true, "Mole Hill arena 2026-11-28": true,
	} {
		var x wire.Tournament
		x.Name, x.Game, x.Format = name, "molehill", "swiss"
		keys, err := keysOf(x)
		must.OK(t, err)
		if _, has := keys["name"]; has != kept {
			t.Errorf("%s: the file has name = %v", name, keys["name"])
		}
	}
}

func TestWhatToLookAtInsteadFitsTheState(t *testing.T) {
	for status, want := range map[string]string{"scheduled": "show", "running": "watch", "finished": "show", "cancelled": "show"} {
		if got := instead(wire.Tournament{ID: "x", Status: status}); got != "molerun tournament "+want+" x" {
			t.Errorf("%s: %s", status, got)
		}
	}
}

// A replaced entry has not withdrawn.
func TestAnEntrySaysWhatBecameOfIt(t *testing.T) {
	at := time.Date(2026, 11, 28, 7, 0, 0, 0, time.UTC)
	for want, e := range map[string]wire.Entry{
		"":                                     {State: "queued", Text: "has a match to play"},
		", replaced by other since round 2":    {WithdrawnAt: &at, State: "replaced", Text: "replaced by other since round 2"},
		", withdrew 2026-11-2":                 {WithdrawnAt: &at, State: "withdrawn", Text: "has withdrawn"},
		", left out: not checked in":           {WithdrawnAt: &at, LeftOut: "not_checked_in"},
		", challenger":                         {Challenger: true, State: "start", Text: "waits for the start"},
		", gets no matches while it is paused": {State: "paused", Text: "gets no matches while it is paused"},
	} {
		if got := entryState("gauntlet", e); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
