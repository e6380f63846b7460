package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/queue"
	"github.com/molerun/molerun/tournament/store/storetest"
)

// What is spent is counted for all processes together, never above the rate, and comes back evenly.
func TestARateHoldsAcrossProcesses(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		processes := []*store.Store{w.Store, w.Store}
		if w.SQL(w.ctx).Name() == "postgres" { // SQLite is one process's
			processes[1] = open(store.Options{Now: w.clk.Now})
		}
		refusal := errors.New("refused")
		spend := func(i int) error {
			ok, full, err := processes[i%2].Spend(w.ctx, "register", "ip:192.0.2.1", 6, time.Minute)
			if err == nil && !ok {
				err = refusal
			}
			if full <= 0 || full > time.Minute {
				t.Errorf("all are back in %v, want within a minute", full)
			}
			return err
		}
		onlyRefusals := func(err error) {
			if !errors.Is(err, refusal) {
				t.Error(err)
			}
		}
		if won := race(30, spend, onlyRefusals); won != 6 {
			t.Errorf("%d of 30 requests at once were let through, want 6", won)
		}
		if full, err := w.Spent(w.ctx, "register", "ip:192.0.2.1"); err != nil || full != time.Minute {
			t.Errorf("got %v, %v, want a minute until all are back", full, err)
		}
		for _, caller := range []string{"ip:192.0.2.2", "' OR 1=1 --"} {
			if ok, full, err := w.Spend(w.ctx, "register", caller, 6, time.Minute); err != nil || !ok || full != 10*time.Second {
				t.Errorf("%s: got %v, %v, %v, want the first of its own six", caller, ok, full, err)
			}
		}
		w.clk.move(10 * time.Second)
		if won := race(4, spend, onlyRefusals); won != 1 {
			t.Errorf("%d requests after a sixth of the time, want 1", won)
		}
		w.clk.move(time.Hour)
		if won := race(30, spend, onlyRefusals); won != 6 {
			t.Errorf("%d requests after an hour, want 6", won)
		}
		w.clk.move(time.Hour)
		_, _, err := w.Spend(w.ctx, "other", "x", 1, time.Minute)
		w.must(err)
		var rows int64
		w.must(w.SQL(w.ctx).Table("rates").Count(&rows).Error)
		if rows != 1 {
			t.Errorf("%d rows are kept, want the one that is not full", rows)
		}
	})
}

// key is the hex of a hash.
func key(c string) string { return strings.Repeat(c, 64) }

// announce makes a tournament under a claim, as a request does.
func (w *world) announce(on *store.Store) error {
	_, err := w.Director.On(on).CreateTournament(w.ctx, tournament.Tournament{
		Name: "cup", OrganiserID: w.org.ID, Game: storetest.Toy, Config: []byte(`{"steps":3}`), Format: tournament.RoundRobin, Table: 2, Cycles: 1,
		Capacity: 9, Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits(),
	})
	return err
}

func (w *world) count(table string) (n int64) {
	w.t.Helper()
	w.must(w.SQL(w.ctx).Table(table).Count(&n).Error)
	return n
}

func TestARequestWithAKeyIsCarriedOutOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		won := race(20, func(int) error {
			c, err := w.ClaimKey(w.ctx, key("a"), key("1"))
			if err != nil {
				return err
			}
			if c.Answer != "" {
				return fmt.Errorf("%w: %s", tournament.ErrBusy, c.Answer)
			}
			return errors.Join(w.announce(w.WithClaim(c)), w.AnswerKey(w.ctx, c, "made"))
		}, func(err error) { refused(t, "the others", err, tournament.ErrBusy) })
		if n := w.count("tournaments"); won != 1 || n != 1 {
			t.Errorf("%d requests won and %d tournaments were made, want one", won, n)
		}
		c, err := w.ClaimKey(w.ctx, key("a"), key("1"))
		if err != nil || c.Answer != "made" {
			t.Errorf("got %+v, %v, want the first answer", c, err)
		}
		_, err = w.ClaimKey(w.ctx, key("a"), key("2"))
		refused(t, "another request", err, tournament.ErrKeyUsed)
		w.clk.move(24 * time.Hour)
		if c, err = w.ClaimKey(w.ctx, key("a"), key("2")); err != nil || c.Answer != "" {
			t.Errorf("got %+v, %v, want a fresh claim the day after", c, err)
		}
	})
}

func TestAClaimThatEndsBadlyIsHandedOn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		claim := func() store.KeyClaim {
			t.Helper()
			c, err := w.ClaimKey(w.ctx, key("b"), key("1"))
			w.must(err)
			if c.Answer != "" {
				t.Fatalf("got an answer %q, want a claim", c.Answer)
			}
			return c
		}
		w.must(w.FreeKey(w.ctx, claim())) // refused: the next may try
		slow := claim()
		_, err := w.ClaimKey(w.ctx, key("b"), key("1"))
		refused(t, "while the first is under way", err, tournament.ErrBusy)
		w.clk.move(2 * time.Minute) // its process is thought dead
		next := claim()
		refused(t, "the slow one commits nothing", w.announce(w.WithClaim(slow)), tournament.ErrBusy)
		w.must(w.AnswerKey(w.ctx, slow, "lie"))
		w.must(w.FreeKey(w.ctx, slow))
		if n := w.count("tournaments"); n != 0 {
			t.Errorf("%d tournaments were made, want none", n)
		}
		w.must(w.announce(w.WithClaim(next)))
		w.must(w.FreeKey(w.ctx, next)) // it is carried out: the key stays
		_, err = w.ClaimKey(w.ctx, key("b"), key("1"))
		refused(t, "carried out, the answer under way", err, tournament.ErrBusy)
		w.clk.move(2 * time.Minute)
		_, err = w.ClaimKey(w.ctx, key("b"), key("1"))
		refused(t, "carried out, the answer lost", err, tournament.ErrAnswer)
		if n := w.count("tournaments"); n != 1 {
			t.Errorf("%d tournaments were made, want one", n)
		}
	})
}

func TestQuotasHoldUnderManyRequestsAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		limits := func(err error) { refused(t, "over the quota", err, tournament.ErrLimit) }
		under := func(kind store.Kind, quota int) *store.Store { return w.WithQuota(w.org.ID, kind, quota) }
		token := func(int) error {
			_, err := under(store.Tokens, 3).CreateToken(w.ctx, tournament.Token{UserID: w.org.ID})
			return err
		}
		if won := race(20, token, limits); won != 2 {
			t.Errorf("%d tokens were made beside the first, want 2 of 3", won)
		}
		w.must(w.SQL(w.ctx).Exec("UPDATE tokens SET expires_at = ?", w.clk.Now().UTC().Truncate(time.Microsecond)).Error)
		w.must(token(0))
		cup := func(int) error { return w.announce(under(store.Tournaments, 2)) }
		if won := race(8, cup, limits); won != 2 {
			t.Errorf("%d tournaments were made, want 2", won)
		}
		w.must(w.SQL(w.ctx).Exec("UPDATE tournaments SET status = 'finished'").Error)
		w.must(cup(0))
		series := func(int) error {
			_, err := under(store.Schedules, 1).CreateSchedule(w.ctx, schedule.Schedule{
				OrganiserID: w.org.ID, When: schedule.Once(w.clk.Now().Add(time.Hour)), Opens: time.Minute, Template: tournament.Tournament{Game: storetest.Toy},
			})
			return err
		}
		if won := race(4, series, limits); won != 1 {
			t.Errorf("%d schedules were made, want 1", won)
		}
		refused(t, "nobody", w.announce(w.WithQuota("nobody", store.Tournaments, 1)), tournament.ErrNotFound)
	})
}

func TestWhatChangedMeanwhileIsNotChangedAgain(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		b := w.bot("fox", w.org)
		seen, err := w.WithUnchanged(w.ctx, store.Bots, b.ID)
		w.must(err)
		_, err = w.On(seen).SetBotStatus(w.ctx, b.ID, tournament.BotPaused, "tired")
		w.must(err)
		_, err = w.On(seen).SetBotStatus(w.ctx, b.ID, tournament.BotActive, "")
		refused(t, "seen before it was paused", err, tournament.ErrChanged)
		if now, err := w.Bot(w.ctx, b.ID); err != nil || now.Reason != "tired" {
			t.Errorf("got %+v (%v), want it as it was", now, err)
		}
		won := race(6, func() func(i int) error {
			seen, err := w.WithUnchanged(w.ctx, store.Bots, b.ID)
			w.must(err)
			return func(i int) error {
				_, err := seen.RotateSecret(w.ctx, b.VersionID, fmt.Sprint("whsec_", i))
				return err
			}
		}(), func(err error) { refused(t, "seen before another rotation", err, tournament.ErrChanged) })
		if won != 1 {
			t.Errorf("%d of six rotations that saw the same bot were made, want one", won)
		}
		_, err = w.WithUnchanged(w.ctx, store.Bots, "no-such")
		refused(t, "nothing", err, tournament.ErrNotFound)
	})
}

func TestABannedBotIsWokenByNobody(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		b := w.bot("fox", w.org)
		now, err := w.BanBot(w.ctx, b.ID, "cheats")
		w.must(err)
		if stored, err := w.Bot(w.ctx, b.ID); err != nil || stored.Status != tournament.BotPaused || stored.Reason != "banned: cheats" || stored.BannedAt == nil || now.Reason != stored.Reason {
			t.Errorf("got %+v and stored %+v (%v), want it banned", now, stored, err)
		}
		_, err = w.BanBot(w.ctx, b.ID, "again")
		refused(t, "banned twice", err, tournament.ErrState)
		_, err = w.SetBotStatus(w.ctx, b.ID, tournament.BotActive, "")
		refused(t, "its owner's check", err, tournament.ErrState)
		_, err = w.Checked(w.ctx, b.ID, "")
		refused(t, "a health check", err, tournament.ErrState)
		w.clk.move(tournament.CheckActiveEvery)
		if due, err := w.DueChecks(w.ctx, 10, 10, nil); err != nil || len(due) != 0 {
			t.Errorf("got %+v, %v, want no check of a banned bot", due, err)
		}
		v := w.second(b, storetest.Toy)
		if now, err = w.Promote(w.ctx, b.ID, v.ID); err != nil || now.Status != tournament.BotPaused || now.BannedAt == nil {
			t.Errorf("promoted: got %+v, %v, want it banned all the same", now, err)
		}
		now, err = w.UnbanBot(w.ctx, b.ID)
		w.must(err)
		if now.Status != tournament.BotPaused || now.BannedAt != nil {
			t.Errorf("got %+v, want it paused until it passes", now)
		}
		for range 2 {
			_, err = w.Checked(w.ctx, b.ID, "")
			w.must(err)
		}
		if now, err = w.Bot(w.ctx, b.ID); err != nil || now.Status != tournament.BotActive {
			t.Errorf("got %+v (%v), want it active after two checks", now, err)
		}
		_, err = w.UnbanBot(w.ctx, b.ID)
		refused(t, "not banned", err, tournament.ErrState)
		_, err = w.BanBot(w.ctx, "no-such", "x")
		refused(t, "no bot", err, tournament.ErrNotFound)
	})
}

func TestAUserIsFoundByNameAndHasAnotherRole(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		ada, bo := w.user("ada"), w.user("bo")
		w.must(w.SaveRole(w.ctx, ada.ID, tournament.RoleAdmin))
		if u, err := w.UserNamed(w.ctx, "ADA"); err != nil || u.ID != ada.ID || u.Role != tournament.RoleAdmin {
			t.Errorf("got %+v (%v), want ada as an admin", u, err)
		}
		if u, err := w.User(w.ctx, bo.ID); err != nil || u.Role != bo.Role {
			t.Errorf("got %+v (%v), want bo as before", u, err)
		}
		_, err := w.UserNamed(w.ctx, "ad")
		refused(t, "no such name", err, tournament.ErrNotFound)
		refused(t, "nobody's role", w.SaveRole(w.ctx, "no-such", tournament.RoleAdmin), tournament.ErrNotFound)
	})
}

func TestADisabledUserHasNoBotThatPlays(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		ada := w.user("ada")
		a, b, c := w.bot("a", ada), w.bot("b", ada), w.bot("c", w.org)
		_, err := w.BanBot(w.ctx, b.ID, "cheats")
		w.must(err)
		u, err := w.DisableUser(w.ctx, ada.ID, "spam")
		w.must(err)
		if stored, err := w.User(w.ctx, ada.ID); err != nil || stored.DisabledAt == nil || stored.DisabledReason != "spam" || !u.DisabledAt.Equal(*stored.DisabledAt) {
			t.Errorf("got %+v and stored %+v (%v)", u, stored, err)
		}
		banned := func(want map[string]bool) {
			t.Helper()
			for id, want := range want {
				if got, err := w.Bot(w.ctx, id); err != nil || (got.BannedAt != nil) != want {
					t.Errorf("got %+v (%v), want banned %v", got, err, want)
				}
			}
		}
		banned(map[string]bool{a.ID: true, b.ID: true, c.ID: false})
		_, err = w.DisableUser(w.ctx, ada.ID, "again")
		refused(t, "twice", err, tournament.ErrState)
		_, err = w.EnableUser(w.ctx, ada.ID)
		w.must(err)
		banned(map[string]bool{a.ID: false, b.ID: true, c.ID: false}) // the ban of its own stays
		_, err = w.EnableUser(w.ctx, ada.ID)
		refused(t, "not disabled", err, tournament.ErrState)
		_, err = w.DisableUser(w.ctx, "no-such", "x")
		refused(t, "nobody", err, tournament.ErrNotFound)
		list, next, err := w.Users(w.ctx, store.Page{Limit: 1})
		w.must(err)
		rest, _, err := w.Users(w.ctx, store.Page{Limit: 1, After: next})
		w.must(err)
		if len(list) != 1 || list[0].ID != ada.ID || len(rest) != 1 || rest[0].ID != w.org.ID {
			t.Errorf("got %+v and %+v, want both, the newest first", list, rest)
		}
	})
}

func TestAnAdministratorVoidsAndRequeues(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		cup, list := w.running(3, nil)
		m := w.claim(list[0])
		again, err := w.Requeue(w.ctx, m.ID)
		w.must(err)
		if again.Status != tournament.MatchQueued {
			t.Errorf("got %+v, want it queued", again)
		}
		refused(t, "the worker it was taken from", w.Renew(w.ctx, m.ID, m.Epoch, lease), tournament.ErrFenced)
		refused(t, "its result", w.Finish(w.ctx, m, won(m, 0), nil), tournament.ErrFenced)
		m = w.claim(again)
		if m.Epoch != 2 {
			t.Errorf("got epoch %d, want the second attempt", m.Epoch)
		}
		void, err := w.VoidMatch(w.ctx, m.ID, "power cut")
		w.must(err)
		if void.Status != tournament.MatchVoid || void.Reason != "power cut" || void.EndedAt == nil {
			t.Errorf("got %+v, want it void", void)
		}
		refused(t, "the result of a void match", w.Finish(w.ctx, m, won(m, 0), nil), tournament.ErrFenced)
		_, err = w.Requeue(w.ctx, m.ID)
		refused(t, "queue what is over", err, tournament.ErrState)
		_, err = w.VoidMatch(w.ctx, m.ID, "again")
		refused(t, "void what is over", err, tournament.ErrState)
		w.must(w.Finish(w.ctx, w.claim(list[1]), won(list[1], 0), nil))
		_, err = w.VoidMatch(w.ctx, list[2].ID, "power cut") // queued, and the last
		w.must(err)
		if now, err := w.Tournament(w.ctx, cup.ID); err != nil || now.Status != tournament.Finished {
			t.Errorf("got %+v (%v), want the tournament finished", now, err)
		}
		l, err := w.Ladder(w.ctx, storetest.Toy)
		w.must(err)
		if l.NextSeq != 4 {
			t.Errorf("got place %d next, want all three passed", l.NextSeq)
		}
		w.must(w.CheckRatings(w.ctx, storetest.Toy))
		_, err = w.VoidMatch(w.ctx, "no-such", "x")
		refused(t, "no match", err, tournament.ErrNotFound)
	})
}

func TestJobsAreListedByState(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		_, list := w.running(3, nil)
		var got []queue.Job
		for after := ""; ; {
			page, next, err := w.Jobs(w.ctx, "available", store.Page{Limit: 2, After: after})
			w.must(err)
			got = append(got, page...)
			if after = next; next == "" {
				break
			}
		}
		if len(got) != len(list) || got[0].ID <= got[1].ID || got[0].Kind != "play_match" || got[0].State != "available" || !strings.Contains(string(got[0].Args), "match_id") {
			t.Errorf("got %+v, want a job for each of %d matches, the last first", got, len(list))
		}
		if none, _, err := w.Jobs(w.ctx, "running", store.Page{}); err != nil || len(none) != 0 {
			t.Errorf("got %+v, %v, want none running", none, err)
		}
		_, _, err := w.Jobs(w.ctx, "", store.Page{After: "junk"})
		refused(t, "a cursor of nobody's", err, tournament.ErrInvalid)
	})
}
