package tournament_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
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
		{"late, of two places, where a bot of the owner plays on for another", func(w *world) {
			w.t.Status, w.t.Options.LateEntries, w.t.OwnerEntries = tournament.Running, true, 2
			w.entries = append(w.entries, tournament.Entry{BotID: "c", OwnerID: "o", VersionID: "v", WithdrawnAt: &left}, tournament.Entry{BotID: "d", OwnerID: "o", VersionID: "v", Replaces: "c"})
		}, nil},
		{"late, of one place, where the organiser's bot plays on for another", func(w *world) {
			w.t.Status, w.t.Options.LateEntries, w.t.OwnerEntries = tournament.Running, true, 1
			w.entries = append(w.entries, tournament.Entry{BotID: "c", OwnerID: "o", VersionID: "v", WithdrawnAt: &left}, tournament.Entry{BotID: "d", OwnerID: "x", VersionID: "v", Replaces: "c"})
		}, tournament.ErrLimit},
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
		{"again after the organiser excluded it", func(w *world) {
			w.entries = append(w.entries, tournament.Entry{BotID: "b", OwnerID: "o", WithdrawnAt: &left, Excluded: true})
		}, tournament.ErrState},
		{"another bot of the owner of an excluded one", func(w *world) {
			w.entries = append(w.entries, tournament.Entry{BotID: "c", OwnerID: "o", WithdrawnAt: &left, Excluded: true})
		}, nil},
		{"the last place", func(w *world) { w.t.Capacity = 2 }, nil},
		{"no place left", func(w *world) { w.t.Capacity = 1 }, tournament.ErrFull},
		{"no place left, and a waiting list", func(w *world) { w.t.Capacity, w.t.WaitingList = 1, true }, nil},
		{"an entry that waits has no place", func(w *world) { w.entries[0].Waiting, w.t.Capacity = true, 1 }, nil},
		{"a full waiting list", func(w *world) {
			w.t.Capacity, w.t.WaitingList = 1, true
			w.entries = append(w.entries, tournament.Entry{BotID: "d", OwnerID: "d", Waiting: true})
		}, tournament.ErrFull},
		{"full and running, where late entries are taken", func(w *world) {
			w.t.Capacity, w.t.WaitingList, w.t.Status, w.t.Options.LateEntries = 1, true, tournament.Running, true
		}, tournament.ErrFull},
		{"a second bot of an owner of all places, to wait", func(w *world) {
			w.t.Capacity, w.t.WaitingList, w.entries[0].OwnerID = 1, true, "o"
		}, nil},
		{"an entry that waits counts among an owner's", func(w *world) {
			w.t.OwnerEntries = 1
			w.entries = append(w.entries, tournament.Entry{BotID: "d", OwnerID: "o", Waiting: true})
		}, tournament.ErrLimit},
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
				Status: tournament.Scheduled, Game: "demol", Rated: true, Capacity: 8, OwnerEntries: 8,
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

func TestWhoPlaysAtTheStart(t *testing.T) {
	starts := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	tour := tournament.Tournament{
		Status:      tournament.Scheduled,
		Capacity:    2,
		WaitingList: true,
		CheckIn:     time.Hour,
		StartsAt:    starts,
	}
	noCheckIn := tour
	noCheckIn.CheckIn = 0
	at := starts.Add(-time.Minute)
	here := func(id string) tournament.Entry { return tournament.Entry{BotID: id, CheckedInAt: &at} }
	away := func(id string) tournament.Entry { return tournament.Entry{BotID: id} }
	waits := func(e tournament.Entry) tournament.Entry {
		e.Waiting = true
		return e
	}
	gone := waits(here("gone"))
	gone.WithdrawnAt = &at
	for _, row := range []struct {
		name    string
		t       tournament.Tournament
		entries []tournament.Entry
		now     time.Time
		want    string
	}{
		{"all are here", tour, []tournament.Entry{here("a"), here("b"), waits(here("c"))}, starts, "a b c:no_place"},
		{"one did not check in", tour, []tournament.Entry{here("a"), away("b"), gone, waits(away("c")), waits(here("d")), waits(here("e"))}, starts, "a b:not_checked_in c:not_checked_in d e:no_place"},
		{"nobody did", tour, []tournament.Entry{away("a"), away("b"), waits(here("c"))}, starts, "a:not_checked_in b:not_checked_in c"},
		{"one is retired", tour, []tournament.Entry{here("retired"), here("b"), waits(here("c"))}, starts, "retired:retired b c"},
		{"started before check-in opens", tour, []tournament.Entry{away("a"), away("b"), waits(away("c"))}, starts.Add(-time.Hour - 1), "a b c:no_place"},
		{"started as it opens", tour, []tournament.Entry{away("a"), here("b"), waits(here("c"))}, starts.Add(-time.Hour), "a:not_checked_in b c"},
		{"no check-in", noCheckIn, []tournament.Entry{away("a"), away("retired"), waits(away("c"))}, starts, "a retired:retired c"},
	} {
		var got []string
		for _, e := range tournament.Field(row.t, row.entries, func(e tournament.Entry) bool { return e.BotID == "retired" }, row.now) {
			text := e.BotID
			if e.LeftOut != "" {
				text += ":" + string(e.LeftOut)
			}
			if e.Waiting {
				text += " still waits"
			}
			got = append(got, text)
		}
		must.Same(t, row.name, strings.Join(got, " "), row.want)
	}
}

func TestWhoMayCheckIn(t *testing.T) {
	starts := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	opens := starts.Add(-time.Hour)
	for _, row := range []struct {
		name   string
		change func(*tournament.Tournament, *tournament.Entry)
		now    time.Time
		want   error
	}{
		{"as it opens", func(*tournament.Tournament, *tournament.Entry) {}, opens, nil},
		{"an instant before", func(*tournament.Tournament, *tournament.Entry) {}, opens.Add(-1), tournament.ErrWindow},
		{"an entry that waits", func(_ *tournament.Tournament, e *tournament.Entry) { e.Waiting = true }, opens, nil},
		{"after the start time, not started yet", func(*tournament.Tournament, *tournament.Entry) {}, starts.Add(time.Minute), nil},
		{"no check-in", func(x *tournament.Tournament, _ *tournament.Entry) { x.CheckIn = 0 }, opens, tournament.ErrState},
		{"running", func(x *tournament.Tournament, _ *tournament.Entry) { x.Status = tournament.Running }, starts, tournament.ErrState},
		{"withdrawn", func(_ *tournament.Tournament, e *tournament.Entry) { e.WithdrawnAt = &opens }, opens, tournament.ErrState},
	} {
		x, e := tournament.Tournament{Status: tournament.Scheduled, CheckIn: time.Hour, StartsAt: starts}, tournament.Entry{BotName: "fox"}
		row.change(&x, &e)
		if err := tournament.CanCheckIn(x, e, row.now); !errors.Is(err, row.want) {
			t.Errorf("%s: got %v, want %v", row.name, err, row.want)
		}
	}
}
