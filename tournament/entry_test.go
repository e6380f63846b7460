package tournament_test

import (
	"errors"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

func TestWhoMayJoin(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	left := now
	type world struct {
		t       tournament.Tournament
		info    game.Info
		entries []tournament.Entry
		b       tournament.Bot
		games   []string
	}
	for _, row := range []struct {
		name   string
		change func(w *world)
		want   error
	}{
		{"an active bot in the window", func(*world) {}, nil},
		{"running already", func(w *world) { w.t.Status = tournament.Running }, tournament.ErrState},
		{"running, after the window, where late entries are taken", func(w *world) {
			w.t.Status, w.t.Options.LateEntries, w.t.ClosesAt = tournament.Running, true, now.Add(-time.Minute)
		}, nil},
		{"late, but withdrawn after the start", func(w *world) {
			w.t.Status, w.t.Options.LateEntries = tournament.Running, true
			w.entries = append(w.entries, tournament.Entry{BotID: "b", OwnerID: "o", VersionID: "v", WithdrawnAt: &left})
		}, tournament.ErrState},
		{"late, withdrawn before the start", func(w *world) {
			w.t.Status, w.t.Options.LateEntries = tournament.Running, true
			w.entries = append(w.entries, tournament.Entry{BotID: "b", OwnerID: "o", WithdrawnAt: &left})
		}, nil},
		{"the window closed, not started, where late entries are taken", func(w *world) {
			w.t.Options.LateEntries, w.t.ClosesAt = true, now
		}, tournament.ErrWindow},
		{"finished", func(w *world) { w.t.Status = tournament.Finished }, tournament.ErrState},
		{"cancelled", func(w *world) { w.t.Status = tournament.Cancelled }, tournament.ErrState},
		{"an instant before it opens", func(w *world) { w.t.OpensAt = now.Add(1) }, tournament.ErrWindow},
		{"the instant it opens", func(w *world) { w.t.OpensAt = now }, nil},
		{"an instant before it closes", func(w *world) { w.t.ClosesAt = now.Add(1) }, nil},
		{"the instant it closes", func(w *world) { w.t.ClosesAt = now }, tournament.ErrWindow},
		{"a paused bot", func(w *world) { w.b.Status = tournament.BotPaused }, tournament.ErrState},
		{"a retired bot", func(w *world) { w.b.Status = tournament.BotRetired }, tournament.ErrState},
		{"a bot of other games", func(w *world) { w.games = []string{"cia"} }, tournament.ErrInvalid},
		{"a bot of no game", func(w *world) { w.games = nil }, tournament.ErrInvalid},
		{"twice", func(w *world) { w.entries = append(w.entries, tournament.Entry{BotID: "b", OwnerID: "o"}) }, tournament.ErrTaken},
		{"again after withdrawing", func(w *world) {
			w.entries = append(w.entries, tournament.Entry{BotID: "b", OwnerID: "o", WithdrawnAt: &left})
		}, nil},
		{"the last place", func(w *world) { w.t.Capacity = 2 }, nil},
		{"no place left", func(w *world) { w.t.Capacity = 1 }, tournament.ErrFull},
		{"a place left by who withdrew", func(w *world) { w.t.Capacity = 1; w.entries[0].WithdrawnAt = &left }, nil},
		{"a second bot of one owner", func(w *world) { w.entries[0].OwnerID = "o" }, nil},
		{"a second bot of one owner, rated, hidden teams", func(w *world) { w.entries[0].OwnerID, w.info.Teams = "o", true }, tournament.ErrLimit},
		{"a second bot of one owner, unrated, hidden teams", func(w *world) { w.entries[0].OwnerID, w.info.Teams, w.t.Rated = "o", true, false }, nil},
		{"a second bot after the first withdrew, rated, hidden teams", func(w *world) {
			w.entries[0].OwnerID, w.entries[0].WithdrawnAt, w.info.Teams = "o", &left, true
		}, nil},
		{"bots of two owners, rated, hidden teams", func(w *world) { w.info.Teams = true }, nil},
	} {
		w := world{
			t: tournament.Tournament{
				Status: tournament.Scheduled, Game: "demol", Rated: true, Capacity: 8,
				OpensAt: now.Add(-time.Hour), ClosesAt: now.Add(time.Hour),
			},
			entries: []tournament.Entry{{BotID: "a", BotName: "A", OwnerID: "x"}},
			b:       tournament.Bot{ID: "b", Name: "B", OwnerID: "o", Status: tournament.BotActive},
			games:   []string{"cia", "demol"},
		}
		row.change(&w)
		if err := tournament.CanJoin(w.t, w.info, w.entries, w.b, w.games, now); !errors.Is(err, row.want) {
			t.Errorf("%s: got %v, want %v", row.name, err, row.want)
		}
	}
}

func TestWhatMayHappenInWhichState(t *testing.T) {
	left := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		status                  tournament.Status
		withdraw, start, cancel bool
	}{
		{tournament.Scheduled, true, true, true},
		{tournament.Running, true, false, true},
		{tournament.Finished, false, false, false},
		{tournament.Cancelled, false, false, false},
	} {
		x := tournament.Tournament{Status: row.status}
		for name, check := range map[string]struct {
			err error
			may bool
		}{
			"withdraw": {tournament.CanWithdraw(x, tournament.Entry{}), row.withdraw},
			"start":    {tournament.CanStart(x), row.start},
			"cancel":   {tournament.CanCancel(x), row.cancel},
		} {
			if (check.err == nil) != check.may || (!check.may && !errors.Is(check.err, tournament.ErrState)) {
				t.Errorf("%s while %s: got %v, want allowed = %v", name, row.status, check.err, check.may)
			}
		}
	}
	if err := tournament.CanWithdraw(tournament.Tournament{Status: tournament.Scheduled}, tournament.Entry{WithdrawnAt: &left}); !errors.Is(err, tournament.ErrState) {
		t.Errorf("withdraw twice: got %v, want %v", err, tournament.ErrState)
	}
}
