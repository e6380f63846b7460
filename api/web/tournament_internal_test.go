package web

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
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

func TestThePageSaysWhySeveralHaveWon(t *testing.T) {
	for want, second := range map[string]int{"one won.": 2, "one and two won: they are equal in all that ranks them.": 1} {
		page := pages.Tournament{Podium: []pages.Place{{First: true}}}
		board := director.Scoreboard{Tournament: tournament.Tournament{Status: tournament.Finished}, Standings: []tournament.Standing{{Rank: 1, Bot: "one"}, {Rank: second, Bot: "two"}}}
		(&Pages{}).keyFacts(&page, board, store.Beside{})
		if page.Champion != want {
			t.Errorf("%q, want %q", page.Champion, want)
		}
	}
}
