package tournament_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// variants are a platform's ladders of De Mol beside the base one, and one of another game.
func variants(t *testing.T, engine game.Engine) []tournament.Ladder {
	t.Helper()
	list := []tournament.Ladder{
		{ID: "cia", Game: "cia", Config: json.RawMessage(`{}`), ClockClass: tournament.ClockStandard},
		{ID: "asked", Game: "demol", Beliefs: true, ClockClass: tournament.ClockStandard},
		{ID: "five", Game: "demol", Table: 5, ClockClass: tournament.ClockStandard},
		{ID: "slow", Game: "demol", ClockClass: tournament.ClockSlow},
		{ID: "talk", Game: "demol", Config: json.RawMessage(`{"talk_rounds":1}`), ClockClass: tournament.ClockStandard},
		{ID: "talk-slow", Game: "demol", Config: json.RawMessage(`{"talk_rounds":1,"plot_cards":false}`), ClockClass: tournament.ClockSlow},
	}
	for i := range list {
		var err error
		if list[i].Config, err = tournament.VariantOf(engine, list[i].Config, list[i].Table); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// Results enter the ladder of their configuration and class of clocks, the narrowest of several, or none: then it is said in what the nearest
// is different.
func TestResultsEnterTheLadderOfTheirConfigurationAndClock(t *testing.T) {
	engine := game.Wrap(demol.Rules{})
	clock := func(limit, bank time.Duration) tournament.Clock {
		return tournament.Clock{Limit: limit, Bank: bank, Allowance: 150 * time.Millisecond}
	}
	standard, slow := tournament.DefaultClock(), tournament.ClockSlow.Clock()
	for _, row := range []struct {
		config  string
		table   int
		least   int
		beliefs bool
		clock   tournament.Clock
		ladder  string // it enters, or comes nearest to
		differs string
	}{
		{"", 6, 0, false, standard, "demol", ""},
		{"", 6, 0, true, standard, "asked", ""},
		{"", 5, 0, false, standard, "five", ""},
		{"", 5, 0, true, standard, "five", ""},
		{"", 6, 5, false, standard, "demol", ""},
		{"", 6, 0, false, clock(29*time.Second, time.Minute), "demol", ""},
		{"", 6, 0, false, slow, "slow", ""},
		{"", 5, 0, true, clock(time.Minute, 10*time.Minute), "slow", ""},
		{"", 6, 0, false, clock(30*time.Second, time.Minute), "demol", "clock.limit_ms is 30000, that of the class slow, there standard"},
		{`{"talk_rounds":1}`, 10, 0, false, standard, "talk", ""},
		{`{"talk_rounds":1}`, 10, 0, false, slow, "talk-slow", ""},
		{`{"talk_rounds":2}`, 6, 0, false, standard, "demol", "config.talk_rounds is 2, there 0"},
		{`{"talk_rounds":1}`, 6, 0, false, clock(10*time.Millisecond, 10*time.Second), "talk", "clock.limit_ms is 10, there 1000"},
	} {
		x := tournament.Tournament{Game: "demol", Format: tournament.Swiss, Table: row.table, OwnerEntries: 1, Beliefs: row.beliefs, Clock: row.clock, Limits: tournament.DefaultFaultLimits()}
		x.Options.MinTable = row.least
		var err error
		if x.Config, err = engine.Configure(json.RawMessage(row.config), row.table); err != nil {
			t.Fatal(err)
		}
		list := variants(t, engine)
		for range 2 { // in whatever order they come
			near, differs, err := x.DecideRated(engine, list, nil)
			if err != nil || near != row.ladder || strings.Join(differs, "; ") != row.differs {
				t.Errorf("%+v: near %s, differs %q (%v)", row, near, differs, err)
			}
			if want := map[bool]string{true: row.ladder}[row.differs == ""]; x.LadderID != want || x.Rated != (want != "") {
				t.Errorf("%+v: enters %q, rated %v", row, x.LadderID, x.Rated)
			}
			slices.Reverse(list)
		}
		yes := true
		if _, _, err := x.DecideRated(engine, list, &yes); (err != nil) != (row.differs != "") || err != nil && (!errors.Is(err, tournament.ErrInvalid) || !strings.Contains(err.Error(), row.ladder)) {
			t.Errorf("%+v: asked to be rated: %v", row, err)
		}
	}
}

func TestALadderSaysWhichMatchesItIsOf(t *testing.T) {
	engine := game.Wrap(demol.Rules{})
	want := map[string]string{"asked": "asks beliefs", "five": "tables of 5", "slow": "slow clock", "talk": "talk rounds 1", "talk-slow": "talk rounds 1, slow clock"}
	list := variants(t, engine)
	for i, l := range list {
		must.Same(t, l.ID, l.Variant(), want[l.ID])
		for k, o := range list {
			if l.Alike(o) != (i == k) {
				t.Errorf("%s is like %s: %v", l.ID, o.ID, l.Alike(o))
			}
		}
	}
	if got := tournament.BaseLadder("demol"); got.Variant() != "" || !got.IsBase() {
		t.Errorf("the base ladder has %q", got.Variant())
	}
	if _, err := tournament.VariantOf(engine, json.RawMessage(`{"talk_rounds":10}`), 0); !errors.Is(err, game.ErrConfig) {
		t.Errorf("too much talk: %v", err)
	}
	bad := tournament.Ladder{ID: "-", Table: 4, ClockClass: "fast"}
	if err := bad.Check(engine.Info()); err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("want three reasons: %v", err)
	}
}

func TestALadderOfTheOnlySizeIsOfEverySize(t *testing.T) {
	base := tournament.BaseLadder("g")
	for _, row := range []struct {
		least, most int
		alike       bool
	}{{2, 2, true}, {2, 3, false}, {1, 2, false}} {
		l := base
		l.ID, l.Table = "twin", 2
		if got := l.Sized(game.Info{MinSeats: row.least, MaxSeats: row.most}).Alike(base); got != row.alike {
			t.Errorf("of %d to %d seats: its matches are those of the base ladder: %v, want %v", row.least, row.most, got, row.alike)
		}
	}
}
