package scorecard

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/engines/game/replay"
)

// Of a clock that is not the one that was played with, the first decision that contradicts it is named; one that fits is let be, whatever
// the network or a process that stood still took of it.
func TestDecisionsContradictAnotherClock(t *testing.T) {
	type turn struct{ by, why, clock string }
	bot := func(clock string) turn { return turn{"bot", "", clock} }
	late := func(clock string) turn { return turn{"house", "timeout", clock} }
	for name, x := range map[string]struct {
		limit, bank int64
		turns       []turn
		want        string
	}{
		"as played":              {1000, 10000, []turn{bot(`{"elapsed_us":78127,"charged_us":78000,"bank_us":10000000}`)}, ""},
		"over the limit":         {50, 300, []turn{bot(`{"elapsed_us":153771,"charged_us":148380,"bank_us":201620}`), bot(`{"elapsed_us":260000,"charged_us":251000,"bank_us":620}`)}, ""},
		"all of the bank":        {50, 300, []turn{late(`{"elapsed_us":351000,"charged_us":351000,"bank_us":0}`), late(`{"elapsed_us":51000,"charged_us":51000,"bank_us":0}`)}, ""},
		"nobody was asked":       {10, 0, []turn{{"house", "retired", ""}, {"bot", "then", ""}}, ""},
		"a fault at once":        {1000, 10000, []turn{{"house", "status", `{"elapsed_us":0,"charged_us":0,"bank_us":10000000}`}}, ""},
		"it stood still":         {1000, 0, []turn{late(`{"elapsed_us":400000,"bank_us":0,"stood_us":700000}`)}, ""},
		"the network took it":    {1000, 0, []turn{bot(`{"elapsed_us":1149000}`), bot(`{"elapsed_us":1149000,"bank_us":0}`)}, ""},
		"elapsed alone, early":   {1000, 10000, []turn{late(`{"elapsed_us":5}`)}, ""}, // it may have stood still
		"another limit":          {10, 10000, []turn{bot(`{"elapsed_us":78127,"charged_us":78000,"bank_us":10000000}`)}, "took 78.127ms and left 10s of the bank"},
		"neither limit nor bank": {10, 0, []turn{bot(`{"elapsed_us":78127,"charged_us":78000,"bank_us":10000000}`)}, "took 78.127ms and was no timeout"},
		"another bank":           {1000, 9000, []turn{bot(`{"elapsed_us":5,"charged_us":5,"bank_us":10000000}`)}, "left 10s of the bank"},
		"elapsed alone, late":    {1000, 1000, []turn{bot(`{"elapsed_us":2100000}`), bot(`{"elapsed_us":2100000}`)}, "took 2.1s and was no timeout"},
		"an early timeout":       {1000, 10000, []turn{late(`{"elapsed_us":5000000,"charged_us":5000000,"bank_us":6000000}`)}, "was a timeout after 5s"},
		"a bank that fills up":   {1000, 10000, []turn{bot(`{"elapsed_us":3000000,"charged_us":3000000,"bank_us":8000000}`), bot(`{"elapsed_us":1,"charged_us":1,"bank_us":9000000}`)}, "left 9s of the bank"},
	} {
		p := purse{1000 * x.bank, 1000 * x.bank}
		var err error
		for _, turn := range x.turns {
			if err == nil {
				err = p.pay(card.Clock{LimitMS: x.limit, BankMS: x.bank}, replay.Turn{By: turn.by, Why: turn.why, Clock: []byte(turn.clock)})
			}
		}
		if (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: got %v, want %q", name, err, x.want)
		}
	}
}
