package local

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
)

func TestASeatIsNamedByItsNumberOrByItsBot(t *testing.T) {
	rec := &replay.Record{Header: replay.Header{Seats: []replay.Seat{{Bot: "ada"}, {Bot: "bob"}, {Bot: "bob"}}}}
	for _, row := range []struct {
		name  string
		least game.Seat
		want  game.Seat
		wrong string // "" where nothing is
	}{
		{"0", 0, 0, ""},
		{"2", 0, 2, ""},
		{"ada", 0, 0, ""},
		{"-1", game.Spectator, game.Spectator, ""},
		{"-1", 0, 0, "there is no seat -1 at a table of 3"},
		{"3", 0, 0, "there is no seat 3 at a table of 3"},
		{"bob", 0, 0, `"bob" had the seats 1 and 2: give one of the numbers`},
		{"eve", 0, 0, `no seat of this match was "eve"; the seats: 0 ada, 1 bob, 2 bob`},
	} {
		seat, err := seatOf(rec, row.name, row.least)
		switch {
		case row.wrong == "" && err != nil:
			t.Errorf("%q: %v", row.name, err)
		case row.wrong == "" && seat != row.want:
			t.Errorf("%q is seat %d, want %d", row.name, seat, row.want)
		case row.wrong != "" && (!errors.Is(err, command.ErrUsage) || !strings.Contains(err.Error(), row.wrong)):
			t.Errorf("%q: got %v, want %q in a usage error", row.name, err, row.wrong)
		}
	}
}

// Of a fork the steps that were taken over are nobody's who plays on.
func TestAForkNamesItsBotsFromItsOwnStepsOn(t *testing.T) {
	engine, _ := catalog.Find("molehill")
	rec := &replay.Record{Header: replay.Header{Seats: []replay.Seat{{Bot: "ada"}}, Fork: &replay.Fork{Match: "m1", Step: 3}}}
	for step, who := range map[int]string{1: "as in m1", 3: "as in m1", 4: "ada"} {
		var b strings.Builder
		s := shower{w: &b, rec: rec, engine: engine}
		s.tell(step, []replay.Turn{{Action: []byte(`{"type":"talk"}`)}})
		if want := fmt.Sprintf("step %d  seat 0 %s  ", step, who); !strings.HasPrefix(b.String(), want) {
			t.Errorf("got %q, want it to begin with %q", b.String(), want)
		}
	}
}

// An answer that came while the platform stood still took the bot no time: the ledger says so. Only a bot that nobody asked has none.
func TestALedgerWithoutTimeIsShownWhereABotWasAsked(t *testing.T) {
	for clock, want := range map[string]string{
		``: "",
		`{"elapsed_us":0,"charged_us":0,"bank_us":10000000}`:                                "",
		`{"elapsed_us":0,"charged_us":0,"bank_us":10000000,"stood_us":12000,"kernel":true}`: "  0.0 ms (the platform stood still 12.0, by the kernel), charged 0.0, bank 10s",
		`{"elapsed_us":1500,"charged_us":0,"bank_us":10000000,"first_byte_us":1400}`:        "  1.5 ms (first byte 1.4), charged 0.0, bank 10s",
	} {
		if got := clockText(replay.Turn{Clock: []byte(clock)}); got != want {
			t.Errorf("%s: got %q, want %q", clock, got, want)
		}
	}
}
