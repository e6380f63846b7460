package organiser

import (
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/wire"
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

// Who was replaced has not withdrawn.
func TestAnEntrySaysWhatBecameOfIt(t *testing.T) {
	at := time.Date(2026, 11, 28, 7, 0, 0, 0, time.UTC)
	for want, e := range map[string]wire.Entry{
		"":                                     {State: "queued", Text: "has a match to play"},
		", replaced by other since round 2":    {WithdrawnAt: &at, State: "replaced", Text: "replaced by other since round 2"},
		", withdrew 2026-11-2":                 {WithdrawnAt: &at, State: "withdrawn", Text: "has withdrawn"},
		", left out: not checked in":           {WithdrawnAt: &at, LeftOut: "not_checked_in"},
		", gets no matches while it is paused": {State: "paused", Text: "gets no matches while it is paused"},
	} {
		if got := entryState(e); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
