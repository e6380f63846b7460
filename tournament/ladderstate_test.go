package tournament_test

import (
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/tournament"
)

func TestALadderEntrySaysWhyItHasNoMatch(t *testing.T) {
	now := time.Date(2026, 11, 25, 17, 0, 0, 0, time.UTC)
	made := func(n int, first, every time.Duration) []time.Time { // the first so long ago
		list := make([]time.Time, n)
		for i := range list {
			list[i] = now.Add(-first + time.Duration(i)*every)
		}
		return list
	}
	fine := tournament.OnLadder{Active: true, Owners: 3, FewOwners: 1}
	for name, row := range map[string]struct {
		perHour int
		change  func(x *tournament.OnLadder)
		code    tournament.LadderCode
		words   string
	}{
		"nothing is in the way":   {600, func(*tournament.OnLadder) {}, tournament.LadderNext, "waits for opponents"},
		"its owner has one match": {600, func(x *tournament.OnLadder) { x.Owned = 1 }, tournament.LadderNext, "is next: it waits for opponents that are free"},
		"its owner has enough":    {600, func(x *tournament.OnLadder) { x.Owned = 2 }, tournament.LadderNext, "or for one of the 2 matches that its owner has open on ladders to end"},
		"it plays":                {600, func(x *tournament.OnLadder) { x.Open = 1 }, tournament.LadderPlaying, "plays"},
		"the hour is used":        {600, func(x *tournament.OnLadder) { x.Made = made(600, 53*time.Minute, 5*time.Second) }, tournament.LadderHourUsed, "600 of 600 matches of the hour used; next at 17:07:00 UTC"},
		"a small hour is used":    {1, func(x *tournament.OnLadder) { x.Made = made(1, time.Minute, 0) }, tournament.LadderHourUsed, "1 of 1 matches of the hour used; next at 17:59:00 UTC"},
		"it is ahead of its pace": {600, func(x *tournament.OnLadder) { x.Made = made(60, time.Minute, time.Second) }, tournament.LadderPaced, "60 of 600 matches of the hour used, which are spread over it; next at 17:05:00 UTC"},
		"it is within its pace":   {600, func(x *tournament.OnLadder) { x.Made = made(59, time.Minute, time.Second) }, tournament.LadderNext, ""},
		"twelve an hour":          {12, func(x *tournament.OnLadder) { x.Made = made(2, time.Minute, time.Second) }, tournament.LadderPaced, "2 of 12"},
		"too few owners":          {600, func(x *tournament.OnLadder) { x.Owners, x.FewOwners = 3, 7 }, tournament.LadderOwners, "waits for bots of 4 more owners"},
		"nobody else":             {600, func(x *tournament.OnLadder) { x.Owners, x.FewOwners = 0, 1 }, tournament.LadderOwners, "waits for a bot of 1 more owner"},
		"it is paused":            {600, func(x *tournament.OnLadder) { x.Active, x.Open = false, 1 }, tournament.LadderPaused, "paused"},
		"it is greeted":           {600, func(x *tournament.OnLadder) { x.Unproven = true }, tournament.LadderGreeting, "greeted"},
	} {
		x := fine
		row.change(&x)
		s := tournament.LadderState{LadderEntry: tournament.LadderEntry{MatchesPerHour: row.perHour}}
		s.On(x, now)
		if s.Code != row.code || !strings.Contains(s.String(), row.words) || s.Used != len(x.Made) {
			t.Errorf("%s: got %s, %q, %d used; want %s, …%s…", name, s.Code, s, s.Used, row.code, row.words)
		}
	}
}

// However many an hour, the shares of its parts are enough for all of them and hold no more than the hour.
func TestAnHoursMatchesFitIntoItsParts(t *testing.T) {
	for perHour := 1; perHour <= 600; perHour++ {
		parts := int(time.Hour / tournament.PaceSpan)
		if share := tournament.PaceShare(perHour); share < 1 || share*parts < perHour || (share-1)*parts >= perHour {
			t.Errorf("%d an hour: %d in each of %d parts", perHour, share, parts)
		}
	}
}
