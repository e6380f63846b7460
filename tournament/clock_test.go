package tournament_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

func TestEverySourceHasBoundsAndTheDefaultsLieWithin(t *testing.T) {
	for _, s := range tournament.Sources() {
		if err := s.Bounds().Check(tournament.DefaultClock(), tournament.DefaultFaultLimits()); err != nil {
			t.Errorf("%s: the defaults are refused: %v", s, err)
		}
	}
	challenge, organiser := tournament.SourceChallenge.Bounds(), tournament.SourceTournament.Bounds()
	if 6*challenge.Limit > organiser.Limit || 10*challenge.Bank > organiser.Bank || challenge.Faults >= organiser.Faults {
		t.Errorf("anybody may ask for %+v, an organiser for %+v", challenge, organiser)
	}
}

func TestAllThatIsOutOfBoundsIsToldAtOnce(t *testing.T) {
	huge := tournament.Clock{Limit: time.Minute, Bank: 10 * time.Minute, Increment: time.Minute, Allowance: time.Minute}
	err := tournament.SourceChallenge.Bounds().Check(huge, tournament.FaultLimits{InRow: 1000, Total: 0})
	if !errors.Is(err, tournament.ErrInvalid) {
		t.Fatalf("got %v, want it refused", err)
	}
	for _, want := range []string{
		"/clock/limit_ms: 1m is outside 10ms..10s", "/clock/bank_ms: 10m is outside 0s..1m", "/clock/increment_ms: 1m is outside 0s..5s",
		"/clock/network_allowance_ms: 1m is outside 0s..1s", "/fault_limits/max_faults_in_row: 1000 is outside 1..20", "/fault_limits/max_faults: 0 is outside 1..20",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %q", want, err)
		}
	}
	c, l := tournament.SourceChallenge.Bounds().Cap(huge, tournament.FaultLimits{InRow: 1000, Total: 1000})
	if err := tournament.SourceChallenge.Bounds().Check(c, l); err != nil {
		t.Errorf("capped to %+v, %+v: %v", c, l, err)
	}
	if c, l := tournament.SourceChallenge.Bounds().Cap(tournament.DefaultClock(), tournament.DefaultFaultLimits()); c != tournament.DefaultClock() || l != tournament.DefaultFaultLimits() {
		t.Errorf("the defaults are capped to %+v, %+v", c, l)
	}
}

func TestTimesOutOfBoundsAreNamedWithUnits(t *testing.T) {
	if _, err := tournament.LinkLife("--lasts", 200*time.Hour); err == nil || !strings.Contains(err.Error(), "200h is outside 1m..168h") {
		t.Errorf("a link: %v", err)
	}
	c := tournament.DefaultClock()
	c.Limit = -time.Second
	if err := tournament.SourceTournament.Bounds().Check(c, tournament.DefaultFaultLimits()); err == nil || !strings.Contains(err.Error(), "-1s is outside 10ms..2m") {
		t.Errorf("a clock: %v", err)
	}
	cup := tournament.Tournament{Format: tournament.Swiss, CheckIn: time.Second}
	cup.Options.RoundPauseMS = -2000
	err := cup.Check(game.Info{MinSeats: 2, MaxSeats: 2}, time.Now())
	for _, want := range []string{"-2s is outside 0s..", "1s is outside 1m.."} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
}

func TestAClockSaysAllTheTimeItGives(t *testing.T) {
	for _, row := range []struct {
		clock tournament.Clock
		want  string
	}{
		{tournament.DefaultClock(), "1 s a decision, 10 s in the bank"},
		{tournament.Clock{Limit: 3 * time.Second, Bank: 20 * time.Second, Increment: 5 * time.Second}, "3 s a decision, 20 s in the bank, 5 s added to it after each"},
		{tournament.Clock{Limit: 50 * time.Millisecond, Increment: 250 * time.Millisecond}, "0.05 s a decision, 0 s in the bank, 0.25 s added to it after each"},
	} {
		if got := row.clock.Words(); got != row.want {
			t.Errorf("got %q, want %q", got, row.want)
		}
	}
}

// Refusals write times as people type them, and put commas between formats.
func TestARefusalHasTheWordsThatPeopleType(t *testing.T) {
	now := time.Now()
	for want, cup := range map[string]tournament.Tournament{
		"30m is outside 1m..10m: ":                                      {CheckIn: 30 * time.Minute, OpensAt: now, StartsAt: now.Add(10*time.Minute + 324*time.Millisecond)},
		"an arena lasts 1s to 24h":                                      {Format: tournament.Arena, Options: tournament.FormatOptions{LastsMS: 500}},
		"means nothing in the format gauntlet; it is for swiss, arena":  {Format: tournament.Gauntlet, Options: tournament.FormatOptions{LateEntries: true}},
		"an sprt is played at tables of two, which Big has not: choose": {Format: tournament.SPRT},
	} {
		if err := cup.Check(game.Info{Name: "Big", MinSeats: 5, MaxSeats: 10}, now); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
