package web

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/store"
)

func TestThePageSaysWhenCheckInOpensAndThatItIsOpen(t *testing.T) {
	x := tournament.Tournament{Status: tournament.Scheduled, StartsAt: time.Date(2026, 6, 5, 20, 0, 0, 0, time.UTC), CheckIn: 30 * time.Minute}
	checkIn := func(now time.Time) string {
		page := pages.Tournament{Page: pages.Page{At: now}}
		(&Pages{}).keyFacts(&page, director.Scoreboard{Tournament: x}, store.Beside{})
		for _, f := range page.Key {
			if f.Name == "Check-in" {
				return fmt.Sprint(f.Value)
			}
		}
		return ""
	}
	opens := x.StartsAt.Add(-30 * time.Minute)
	if got, want := checkIn(opens.Add(-time.Second)), string(pages.Time(opens))+" until the start"; got != want {
		t.Errorf("before it opens: %q, want %q", got, want)
	}
	if got := checkIn(opens); !strings.HasPrefix(got, "open until the start") {
		t.Errorf("when it opens: %q, want that it is open", got)
	}
	x.CheckIn = 0
	if got := checkIn(opens); got != "" {
		t.Errorf("nobody is asked: %q, want nothing", got)
	}
}

func TestThePageSaysHowATournamentIsPlayed(t *testing.T) {
	for want, x := range map[string]tournament.Tournament{
		"Arena of 90 min, at tables of 2":           {Format: tournament.Arena, Options: tournament.FormatOptions{LastsMS: 90 * 60_000}},
		"Round robin, 3 times over, at tables of 2": {Format: tournament.RoundRobin, Cycles: 3},
		"Single elimination, with a match for the third place, at tables of 2, with 23.0 h between rounds": {
			Format: tournament.SingleElimination, Options: tournament.FormatOptions{ThirdPlace: true, RoundPauseMS: 23 * 3_600_000},
		},
	} {
		x.Table = 2
		if got := (&Pages{}).course(x, director.Scoreboard{Tournament: x}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The page offers an entry only where the format takes one, and says what an arena does in a pause.
func TestThePageAsksTheFormatWhetherEntriesAreTaken(t *testing.T) {
	now := time.Date(2026, 6, 5, 20, 0, 0, 0, time.UTC)
	began := now.Add(-2 * time.Hour)
	facts := func(format tournament.Format, closed bool, rounds int, paused *time.Time) (map[string]string, bool) {
		page := pages.Tournament{Page: pages.Page{At: now}}
		x := tournament.Tournament{Status: tournament.Running, Format: format, Capacity: 8, StartedAt: &began, PausedAt: paused}
		x.Options.LateEntries, x.Options.LastsMS = true, time.Hour.Milliseconds()
		settings := pairing.Settings{Format: format, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{Rounds: 4}}
		(&Pages{}).keyFacts(&page, director.Scoreboard{Tournament: x, Contest: pairing.Contest{Settings: settings, Closed: closed, Rounds: make([]pairing.Round, rounds)}}, store.Beside{})
		out := map[string]string{}
		for _, f := range page.Key {
			out[f.Name] = fmt.Sprint(f.Value)
		}
		return out, page.Open
	}
	for _, row := range []struct {
		format tournament.Format
		closed bool
		rounds int
		want   string
	}{
		{tournament.Arena, false, 9, "still open"},
		{tournament.Arena, true, 9, "closed: the arena is closed"},
		{tournament.Swiss, false, 1, "still open"},
		{tournament.Swiss, false, 3, "closed: 3 of 4 rounds"},
	} {
		got, open := facts(row.format, row.closed, row.rounds, nil)
		if want := row.want == "still open"; open != want || !strings.HasPrefix(got["Entries"], row.want) {
			t.Errorf("%s with %d rounds: %q, a form is offered: %v; want %q", row.format, row.rounds, got["Entries"], open, row.want)
		}
	}
	if got, _ := facts(tournament.Arena, false, 9, new(began.Add(10*time.Minute))); got["Ends"] != "50 min after it goes on" {
		t.Errorf("a paused arena ends %q", got["Ends"])
	}
}

func TestThePageSaysWhoHasWon(t *testing.T) {
	one := tournament.Standing{Rank: 1, Bot: "one", Played: 1}
	for want, row := range map[string]struct {
		format tournament.Format
		other  tournament.Standing
		first  tournament.Standing
	}{
		"one won.": {other: tournament.Standing{Rank: 2, Bot: "two"}, first: one},
		"six won.": {other: tournament.Standing{Rank: 2, Bot: "two"}, first: tournament.Standing{Rank: 1, Bot: "six"}}, // by forfeit
		"one and two won: they are equal in all that ranks them.": {other: tournament.Standing{Rank: 1, Bot: "two"}, first: one},
		"": {other: tournament.Standing{Rank: 1, Bot: "two"}, first: tournament.Standing{Rank: 1, Bot: "one"}},
	} {
		page := pages.Tournament{}
		board := director.Scoreboard{Tournament: tournament.Tournament{Status: tournament.Finished, Format: row.format}, Standings: []tournament.Standing{row.first, row.other}}
		(&Pages{}).keyFacts(&page, board, store.Beside{})
		if page.Champion != want {
			t.Errorf("%q, want %q", page.Champion, want)
		}
	}
	for _, f := range []tournament.Format{tournament.Gauntlet, tournament.SPRT} {
		if got := winners(f, []tournament.Standing{one}); got != nil {
			t.Errorf("%s: %q won, where places say nothing", f, got)
		}
	}
	left := tournament.Standing{Rank: 1, Bot: "one", Played: 1, IsAnnulled: true}
	if got := winners(tournament.RoundRobin, []tournament.Standing{left, left}); got != nil {
		t.Errorf("%q won, and left too early", got)
	}
}

func TestScoresThatDoNotSayWhoHasWonHaveAMark(t *testing.T) {
	for _, row := range []struct {
		points, score []float64
		want          string
	}{
		{[]float64{1, 0}, []float64{22, 0}, "22–0"},
		{[]float64{0.5, 0.5}, []float64{39, 39}, "39–39"},
		{[]float64{0, 1}, []float64{39, 39}, "39–39 ✓"}, // by the tie-break
		{[]float64{0, 1}, []float64{41, 2}, "41–2 ✓"},   // the other was retired
		{[]float64{1, 0.25, 0.25}, []float64{7, 7, 3}, "7 ✓–7–3"},
		{[]float64{0.75, 0.75, 0}, []float64{7, 7, 3}, "7–7–3"},
	} {
		seats := []int{4, 5, 6}[:len(row.score)]
		b := pairing.Block{Games: []pairing.Game{{Seats: seats, Result: &pairing.Result{Points: row.points, Score: row.score}}}}
		if got := strings.Join(gamesOf(b, true)[0].Scores, "–"); got != row.want {
			t.Errorf("%v %v: got %s, want %s", row.points, row.score, got, row.want)
		}
	}
}

// An arena of a day has tens of thousands of rounds: the page shows those next to the current one.
func TestAPageOfATournamentHasABoundOfTables(t *testing.T) {
	for _, row := range []struct{ rounds, tables, want int }{{3, 4, 3}, {5000, 4, maxTables / 4}, {9, maxTables, 1}, {9, maxTables + 1, 1}} {
		all := make([]pages.Round, row.rounds)
		for i := range all {
			all[i] = pages.Round{Number: i, Tables: make([]pages.Table, row.tables)}
		}
		if got := shown(all); len(got) != row.want || got[0].Number != 0 {
			t.Errorf("of %d rounds of %d tables %d are shown, want %d", row.rounds, row.tables, len(got), row.want)
		}
	}
}
