package director_test

import (
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
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

// onBoth returns a platform on whose two ladders everything is rated.
func onBoth(t *testing.T, open storetest.Open) *world {
	w := newWorld(t, open)
	for _, game := range []string{storetest.Toy, storetest.ToyTeams} {
		_, list := w.Running(2, func(x *tournament.Tournament) { x.Game = game })
		w.PlayAll(list)
	}
	return w
}

func TestALadderThatFailsHoldsUpNoOther(t *testing.T) {
	storetest.SQLite(t, func(t *testing.T, open storetest.Open) {
		w := onBoth(t, open)
		w.Must(w.SQL(w.Ctx).Exec("UPDATE ratings SET class = 3").Error)
		w.refuse("ratings", "NEW.ladder_id = 'toy'")
		if err := w.Classify(w.Ctx); err == nil {
			t.Error("a ladder that cannot be classified is no error")
		}
		if n := w.number("SELECT COUNT(*) FROM ratings WHERE ladder_id = 'toyteams' AND class = 3"); n != 0 {
			t.Errorf("%d lines of the other ladder are not classified", n)
		}
	})
}

// What is asked for by one user and cannot go on leaves lost matches, dead jobs and what others have asked for to the sweep.
func TestAChallengeThatFailsHoldsUpNoOther(t *testing.T) {
	on(t, storetest.SQLite, func(t *testing.T, w *world) {
		var askers [2]tournament.User
		for i, name := range []string{"first", "second"} {
			askers[i] = w.NewUser(name)
			bots := w.NewBots(askers[i], 2)
			w.Did(w.Ask(askers[i], bots...))
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
	on(t, storetest.SQLite, func(t *testing.T, w *world) {
		for range 101 {
			w.Plan(func(x *tournament.Tournament) { x.Rated = false })
		}
		if list, err := w.DueTournaments(w.Ctx); err != nil || len(list) != 0 {
			t.Errorf("before the time: %d due, %v", len(list), err)
		}
		w.Must(w.SQL(w.Ctx).Exec("UPDATE tournaments SET starts_at = opens_at, check_in_due_at = opens_at, closes_at = opens_at, options = '{'").Error) // not even one that cannot be read
		list := must.Get(w.DueTournaments(w.Ctx))(w.T)
		checkIns := must.Get(w.DueCheckIns(w.Ctx))(w.T)
		w.Must(w.SQL(w.Ctx).Exec("UPDATE tournaments SET status = 'running', started_at = starts_at").Error)
		rounds := must.Get(w.DueRounds(w.Ctx))(w.T)
		if len(list) != 101 || len(checkIns) != 101 || len(rounds) != 101 {
			t.Errorf("due are %d starts, %d check-ins and %d rounds, want 101 each", len(list), len(checkIns), len(rounds))
		}
	})
}

// A version that cannot be read keeps its own bot from being checked, and comes again when the next check is due.
func TestAVersionThatCannotBeReadHoldsUpNoOtherCheck(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		bad, good := w.NewBot("bad", w.Org), w.NewBot("good", w.Org)
		w.Must(w.SQL(w.Ctx).Exec("UPDATE versions SET secrets = '{' WHERE id = ?", bad.VersionID).Error)
		w.Clock.Move(tournament.CheckActiveEvery)
		list, err := w.DueChecks(w.Ctx, 10, 10, nil)
		if err == nil || !strings.Contains(err.Error(), bad.Name) {
			t.Errorf("the error is %v, want one that names the bot", err)
		}
		if len(list) != 1 || list[0].BotID != good.ID {
			t.Errorf("due are %+v, want the other bot", list)
		}
		if list, err := w.DueChecks(w.Ctx, 10, 10, nil); err != nil || len(list) > 0 {
			t.Errorf("at once again: %+v, %v; want nothing until the next check is due", list, err)
		}
	})
}

// Lost matches are queued again together, and one by one when one of them cannot be, however many cannot.
func TestALostMatchThatCannotBeQueuedHoldsUpNoOther(t *testing.T) {
	on(t, storetest.SQLite, func(t *testing.T, w *world) {
		_, list := w.Running(4, nil)
		for _, m := range list {
			must.First(w.Claim(w.Ctx, store.PlayMatch{MatchID: m.ID, Epoch: m.Epoch}, "dead", -time.Second))(w.T)
		}
		w.refuse("matches", "NEW.id IN ('"+list[0].ID+"', '"+list[3].ID+"')")
		n, err := w.Sweep(w.Ctx, directortest.Lease)
		if err == nil || !strings.Contains(err.Error(), list[0].ID) || !strings.Contains(err.Error(), list[3].ID) {
			t.Errorf("the error is %v, want one that names both matches", err)
		}
		queued := w.number("SELECT COUNT(*) FROM matches WHERE status = 'queued' AND worker = '' AND lease_until_ms = 0")
		jobs := w.number("SELECT COUNT(*) FROM river_job j JOIN matches m ON m.job_id = j.id WHERE m.status = 'queued' AND j.state = 'available'")
		if n != len(list)-2 || queued != n || jobs != n {
			t.Errorf("%d are said to be queued, %d are, %d have a job; want all %d but two", n, queued, jobs, len(list))
		}
	})
}

// A dead job with arguments that nobody can read is cancelled, and the deliveries of the others are sent again.
func TestAJobThatCannotBeReadHoldsUpNoDelivery(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		w.Did(w.CreateWebhook(w.Ctx, tournament.Webhook{UserID: w.Org.ID, URL: "http://hook", Secret: "whsec_x", Kinds: []tournament.EventKind{tournament.EventTournamentCancelled}}, 9))
		for range 3 {
			w.Did(w.Cancel(w.Ctx, w.Plan(nil).ID, "rain"))
		}
		w.Must(w.SQL(w.Ctx).Exec("UPDATE river_job SET state = 'running', attempted_at = ? WHERE kind = 'deliver_event'", time.Now().UTC().Add(-time.Hour)).Error)
		w.Must(w.SQL(w.Ctx).Exec(`UPDATE river_job SET args = '{"delivery_id": 7}' WHERE id = (SELECT MIN(id) FROM river_job WHERE kind = 'deliver_event')`).Error)
		n, err := w.SweepDeliveries(w.Ctx, time.Minute)
		if err == nil || n != 2 {
			t.Errorf("%d deliveries have a new job, and %v; want two, and an error that says which job was left", n, err)
		}
		if n, err := w.SweepDeliveries(w.Ctx, time.Minute); err != nil || n != 0 {
			t.Errorf("the next sweep: %d and %v, want nothing: the job is cancelled", n, err)
		}
	})
}

// A webhook that cannot be read keeps nothing from happening.
func TestAWebhookThatCannotBeReadHoldsUpNothing(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		var ids [2]string
		for i := range ids {
			h, err := w.CreateWebhook(w.Ctx, tournament.Webhook{UserID: w.Org.ID, URL: "http://hook", Secret: "whsec_x", Kinds: []tournament.EventKind{tournament.EventTournamentCancelled}}, 9)
			w.Must(err)
			ids[i] = h.ID
		}
		w.Must(w.SQL(w.Ctx).Exec("UPDATE webhooks SET kinds = '{' WHERE id = ?", ids[0]).Error)
		w.Did(w.Cancel(w.Ctx, w.Plan(nil).ID, "rain"))
		for i, want := range []int{0, 1} {
			if list, _, err := w.Deliveries(w.Ctx, ids[i], store.Page{}); err != nil || len(list) != want {
				t.Errorf("webhook %d has %d deliveries (%v), want %d", i, len(list), err, want)
			}
		}
	})
}
