package tournament_test

import (
	"testing"
	"time"

	"github.com/molerun/molerun/tournament"
)

func TestATournamentsEntrySaysWhyItHasNoMatch(t *testing.T) {
	now := time.Date(2026, 11, 25, 17, 0, 0, 0, time.UTC)
	for want, row := range map[tournament.EntryCode]struct {
		status tournament.Status
		paused bool
		entry  tournament.Entry
		x      tournament.InTournament
	}{
		tournament.EntryPlaying:   {tournament.Running, true, tournament.Entry{}, tournament.InTournament{Running: true, Queued: true, Paused: true}},
		tournament.EntryPaused:    {tournament.Running, true, tournament.Entry{}, tournament.InTournament{Queued: true, Paused: true}},
		tournament.EntryGreeting:  {tournament.Running, true, tournament.Entry{}, tournament.InTournament{Queued: true, Greeting: true}},
		tournament.EntryHeld:      {tournament.Running, true, tournament.Entry{}, tournament.InTournament{Queued: true}},
		tournament.EntryQueued:    {tournament.Running, false, tournament.Entry{}, tournament.InTournament{Queued: true}},
		tournament.EntryNextRound: {tournament.Running, false, tournament.Entry{}, tournament.InTournament{}},
		tournament.EntryWaiting:   {tournament.Scheduled, false, tournament.Entry{Waiting: true}, tournament.InTournament{ChecksIn: true}},
		tournament.EntryCheckIn:   {tournament.Scheduled, false, tournament.Entry{}, tournament.InTournament{ChecksIn: true}},
		tournament.EntryStart:     {tournament.Scheduled, false, tournament.Entry{CheckedInAt: &now}, tournament.InTournament{ChecksIn: true, Paused: true}},
		tournament.EntryLeftOut:   {tournament.Running, false, tournament.Entry{WithdrawnAt: &now, LeftOut: tournament.NoPlace}, tournament.InTournament{}},
		tournament.EntryWithdrawn: {tournament.Finished, false, tournament.Entry{WithdrawnAt: &now}, tournament.InTournament{}},
		tournament.EntryExcluded:  {tournament.Scheduled, false, tournament.Entry{WithdrawnAt: &now, Excluded: true}, tournament.InTournament{}},
		tournament.EntryReplaced:  {tournament.Running, false, tournament.Entry{WithdrawnAt: &now}, tournament.InTournament{Replaced: true}},
		tournament.EntryOver:      {tournament.Cancelled, false, tournament.Entry{Waiting: true}, tournament.InTournament{Paused: true}},
	} {
		x := tournament.Tournament{Status: row.status}
		if row.paused {
			x.PausedAt = &now
		}
		got := x.CodeOf(row.entry, row.x)
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if words := (tournament.EntryState{Entry: row.entry, Code: got}).String(); words == string(got) {
			t.Errorf("%s has no words", got)
		}
	}
}
