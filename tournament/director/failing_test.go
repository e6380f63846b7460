package director_test

import (
	"testing"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director/directortest"
	"github.com/molerun/molerun/tournament/store/storetest"
)

// refuse has an SQLite database refuse changes of some rows of a table.
func (w *world) refuse(table, when string) {
	w.T.Helper()
	w.Must(w.SQL(w.Ctx).Exec("CREATE TRIGGER planted BEFORE UPDATE ON " + table + " WHEN " + when + " BEGIN SELECT RAISE(ABORT, 'planted'); END").Error)
}

func (w *world) number(query string) int {
	w.T.Helper()
	var n int
	w.Must(w.SQL(w.Ctx).Raw(query).Scan(&n).Error)
	return n
}

// onBoth is a platform on whose two ladders everything is rated.
func onBoth(t *testing.T, open storetest.Open) *world {
	w := newWorld(t, open)
	for _, game := range []string{storetest.Toy, storetest.ToyTeams} {
		_, list := w.Running(2, func(x *tournament.Tournament) { x.Game = game })
		for _, m := range list {
			w.Must(w.Played(m, 0))
		}
	}
	return w
}

func TestALadderThatFailsHoldsUpNoOther(t *testing.T) {
	storetest.SQLite(t, func(t *testing.T, open storetest.Open) {
		w := onBoth(t, open)
		w.Must(w.SQL(w.Ctx).Exec("UPDATE ratings SET class = 3, wins = 0, losses = 0").Error)
		w.refuse("ratings", "NEW.ladder_id = 'toy'")
		if err := w.Classify(w.Ctx); err == nil {
			t.Error("a ladder that cannot be classified is no error")
		}
		if n := w.number("SELECT COUNT(*) FROM ratings WHERE ladder_id = 'toyteams' AND class = 3"); n != 0 {
			t.Errorf("%d lines of the other ladder are not classified", n)
		}
		if n, err := w.CountLadders(w.Ctx); err == nil || n != 2 {
			t.Errorf("counted %d lines with %v; want the two of the other ladder, and an error", n, err)
		}
	})
}

// What is asked for by one user and cannot go on leaves lost matches, dead jobs and what others have asked for to the sweep.
func TestAChallengeThatFailsHoldsUpNoOther(t *testing.T) {
	storetest.SQLite(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		var askers [2]tournament.User
		for i, name := range []string{"first", "second"} {
			askers[i] = w.NewUser(name)
			bots := w.NewBots(askers[i], 2)
			_, err := w.Ask(askers[i], bots...)
			w.Must(err)
		}
		w.Must(w.SQL(w.Ctx).Exec("UPDATE matches SET job_id = 0").Error) // parked, though there is room
		w.refuse("matches", "NEW.asker_id = '"+askers[0].ID+"'")
		if _, err := w.Sweep(w.Ctx, directortest.Lease); err == nil {
			t.Error("a challenge that cannot go on is no error")
		}
		if n := w.number("SELECT COUNT(*) FROM matches WHERE job_id <> 0"); n != 1 {
			t.Errorf("%d matches go on, want the other's", n)
		}
	})
}

// As many tournaments as used to be looked at wait for bots that never come back: the one behind them goes on.
func TestWhatWaitsForEverHoldsUpNobody(t *testing.T) {
	storetest.SQLite(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		for range 101 {
			w.Plan(func(x *tournament.Tournament) { x.Rated = false })
		}
		if list, err := w.DueTournaments(w.Ctx); err != nil || len(list) != 0 {
			t.Errorf("before the time: %d due, %v", len(list), err)
		}
		w.Must(w.SQL(w.Ctx).Exec("UPDATE tournaments SET starts_at = opens_at, check_in_due_at = opens_at, closes_at = opens_at").Error)
		list, err := w.DueTournaments(w.Ctx)
		w.Must(err)
		checkIns, err := w.DueCheckIns(w.Ctx)
		w.Must(err)
		w.Must(w.SQL(w.Ctx).Exec("UPDATE tournaments SET status = 'running', started_at = starts_at").Error)
		rounds, err := w.DueRounds(w.Ctx)
		w.Must(err)
		if len(list) != 101 || len(checkIns) != 101 || len(rounds) != 101 {
			t.Errorf("due are %d starts, %d check-ins and %d rounds, want 101 each", len(list), len(checkIns), len(rounds))
		}
	})
}
