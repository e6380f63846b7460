package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/queue"
)

// What is spent is counted for all processes together, never above the rate, and comes back evenly.
func TestARateHoldsAcrossProcesses(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		processes := []*store.Store{w.Store, w.Store}
		if w.SQL(w.Ctx).Name() == "postgres" { // SQLite is one process's
			processes[1] = open(store.Options{Now: w.Clock.Now})
		}
		refusal := errors.New("refused")
		spend := func(i int) error {
			ok, full, err := processes[i%2].Spend(w.Ctx, "register", "ip:192.0.2.1", 6, time.Minute)
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
		must.Same(t, "let through of 30 requests at once", directortest.Race(30, spend, onlyRefusals), 6)
		if full, err := w.Spent(w.Ctx, "register", "ip:192.0.2.1"); err != nil || full != time.Minute {
			t.Errorf("got %v, %v, want a minute until all are back", full, err)
		}
		for _, caller := range []string{"ip:192.0.2.2", "' OR 1=1 --"} {
			if ok, full, err := w.Spend(w.Ctx, "register", caller, 6, time.Minute); err != nil || !ok || full != 10*time.Second {
				t.Errorf("%s: got %v, %v, %v, want the first of its own six", caller, ok, full, err)
			}
		}
		w.Clock.Move(10 * time.Second)
		must.Same(t, "let through after a sixth of the time", directortest.Race(4, spend, onlyRefusals), 1)
		w.Clock.Move(time.Hour)
		must.Same(t, "let through after an hour", directortest.Race(30, spend, onlyRefusals), 6)
		w.Clock.Move(time.Hour)
		must.First(w.Spend(w.Ctx, "other", "x", 1, time.Minute))(w.T)
		var rows int64
		w.Must(w.SQL(w.Ctx).Table("rates").Count(&rows).Error)
		if rows != 1 {
			t.Errorf("%d rows are kept, want the one that is not full", rows)
		}
	})
}

// key is the hex of a hash.
func key(c string) string { return strings.Repeat(c, 64) }

// announce makes a tournament under a claim, as a request does.
func (w *world) announce(on *store.Store) error {
	_, err := w.Director.On(on).CreateTournament(w.Ctx, w.Draft())
	return err
}

func (w *world) count(table string) (n int64) {
	w.T.Helper()
	w.Must(w.SQL(w.Ctx).Table(table).Count(&n).Error)
	return n
}

func TestARequestWithAKeyIsCarriedOutOnce(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		won := directortest.Race(20, func(int) error {
			c, err := w.ClaimKey(w.Ctx, key("a"), key("1"))
			if err != nil {
				return err
			}
			if c.Answer != "" {
				return fmt.Errorf("%w: %s", tournament.ErrBusy, c.Answer)
			}
			return errors.Join(w.announce(w.WithClaim(c)), w.AnswerKey(w.Ctx, c, "made"))
		}, func(err error) { directortest.Refused(t, "the others", err, tournament.ErrBusy) })
		if n := w.count("tournaments"); won != 1 || n != 1 {
			t.Errorf("%d requests won and %d tournaments were made, want one", won, n)
		}
		c, err := w.ClaimKey(w.Ctx, key("a"), key("1"))
		if err != nil || c.Answer != "made" {
			t.Errorf("got %+v, %v, want the first answer", c, err)
		}
		directortest.Refused(t, "another request", directortest.Err(w.ClaimKey(w.Ctx, key("a"), key("2"))), tournament.ErrKeyUsed)
		w.Clock.Move(24 * time.Hour)
		if c, err = w.ClaimKey(w.Ctx, key("a"), key("2")); err != nil || c.Answer != "" {
			t.Errorf("got %+v, %v, want a fresh claim the day after", c, err)
		}
	})
}

func TestAClaimThatEndsBadlyIsHandedOn(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		claim := func() store.KeyClaim {
			t.Helper()
			c := must.Get(w.ClaimKey(w.Ctx, key("b"), key("1")))(w.T)
			if c.Answer != "" {
				t.Fatalf("got an answer %q, want a claim", c.Answer)
			}
			return c
		}
		w.Must(w.FreeKey(w.Ctx, claim())) // refused: the next may try
		slow := claim()
		directortest.Refused(t, "while the first is under way", directortest.Err(w.ClaimKey(w.Ctx, key("b"), key("1"))), tournament.ErrBusy)
		w.Clock.Move(2 * time.Minute) // its process is thought dead
		next := claim()
		directortest.Refused(t, "the slow one commits nothing", w.announce(w.WithClaim(slow)), tournament.ErrBusy)
		w.Must(w.AnswerKey(w.Ctx, slow, "lie"))
		w.Must(w.FreeKey(w.Ctx, slow))
		must.Same(t, "tournaments made", w.count("tournaments"), 0)
		w.Must(w.announce(w.WithClaim(next)))
		w.Must(w.FreeKey(w.Ctx, next)) // it is carried out: the key stays
		directortest.Refused(t, "carried out, the answer under way", directortest.Err(w.ClaimKey(w.Ctx, key("b"), key("1"))), tournament.ErrBusy)
		w.Clock.Move(2 * time.Minute)
		directortest.Refused(t, "carried out, the answer lost", directortest.Err(w.ClaimKey(w.Ctx, key("b"), key("1"))), tournament.ErrAnswer)
		must.Same(t, "tournaments made", w.count("tournaments"), 1)
	})
}

// The interleaving that told a client of an idempotency key that is not found: the first request is refused, and gives its key
// up, between the second's insert and its look at the row.
func TestAKeyThatIsGivenUpWhileItIsClaimedIsBusy(t *testing.T) {
	on(t, storetest.Postgres, func(t *testing.T, w *world) {
		w.Did(w.ClaimKey(w.Ctx, key("c"), key("1")))
		second := make(chan error, 1)
		w.Must(w.InTx(w.Ctx, func(tx *store.Tx) error {
			if err := tx.SQL.Exec("SELECT id FROM idempotency_keys FOR UPDATE").Error; err != nil { // an insert does not wait for it, a look does
				return err
			}
			go func() { _, err := w.ClaimKey(w.Ctx, key("c"), key("1")); second <- err }()
			storetest.UntilBlocked(t, w.Store)
			return tx.SQL.Exec("DELETE FROM idempotency_keys").Error
		}))
		directortest.Refused(t, "the second", <-second, tournament.ErrBusy)
		w.Did(w.ClaimKey(w.Ctx, key("c"), key("1")))
	})
}

func TestQuotasHoldUnderManyRequestsAtOnce(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		limits := func(err error) { directortest.Refused(t, "over the quota", err, tournament.ErrLimit) }
		under := func(kind store.Kind, quota int) *store.Store { return w.WithQuota(w.Org.ID, kind, quota) }
		token := func(int) error {
			_, err := under(store.Tokens, 3).CreateToken(w.Ctx, tournament.Token{UserID: w.Org.ID})
			return err
		}
		if won := directortest.Race(20, token, limits); won != 2 {
			t.Errorf("%d tokens were made beside the first, want 2 of 3", won)
		}
		w.Must(w.SQL(w.Ctx).Exec("UPDATE tokens SET expires_at = ?", w.Clock.Now().UTC().Truncate(time.Microsecond)).Error)
		w.Must(token(0))
		cup := func(int) error { return w.announce(under(store.Tournaments, 2)) }
		must.Same(t, "tournaments made", directortest.Race(8, cup, limits), 2)
		w.Must(w.SQL(w.Ctx).Exec("UPDATE tournaments SET status = 'finished'").Error)
		w.Must(cup(0))
		series := func(int) error {
			_, err := under(store.Schedules, 1).CreateSchedule(w.Ctx, schedule.Schedule{
				OrganiserID: w.Org.ID, When: schedule.Once(w.Clock.Now().Add(time.Hour)), Opens: time.Minute, Template: tournament.Tournament{Game: storetest.Toy},
			})
			return err
		}
		must.Same(t, "schedules made", directortest.Race(4, series, limits), 1)
		directortest.Refused(t, "nobody", w.announce(w.WithQuota("nobody", store.Tournaments, 1)), tournament.ErrNotFound)
	})
}

func TestWhatChangedMeanwhileIsNotChangedAgain(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		b := w.NewBot("fox", w.Org)
		seen := must.Get(w.WithUnchanged(w.Ctx, store.Bots, b.ID))(w.T)
		w.Did(directortest.Greet(w.Ctx, w.Store, w.On(seen), b.ID, "tired"))
		directortest.Refused(t, "seen before it was paused", directortest.Err(directortest.Greet(w.Ctx, w.Store, w.On(seen), b.ID, "")), tournament.ErrChanged)
		if now, err := w.Bot(w.Ctx, b.ID); err != nil || now.Reason != "tired" {
			t.Errorf("got %+v (%v), want it as it was", now, err)
		}
		won := directortest.Race(6, func() func(i int) error {
			seen := must.Get(w.WithUnchanged(w.Ctx, store.Bots, b.ID))(w.T)
			return func(i int) error {
				_, err := seen.RotateSecret(w.Ctx, b.VersionID, fmt.Sprint("whsec_", i))
				return err
			}
		}(), func(err error) { directortest.Refused(t, "seen before another rotation", err, tournament.ErrChanged) })
		must.Same(t, "rotations made of six that saw the same bot", won, 1)
		directortest.Refused(t, "nothing", directortest.Err(w.WithUnchanged(w.Ctx, store.Bots, "no-such")), tournament.ErrNotFound)
	})
}

func TestABannedBotIsWokenByNobody(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		b := w.NewBot("fox", w.Org)
		now := must.Get(w.BanBot(w.Ctx, b.ID, "cheats"))(w.T)
		stored := must.Get(w.Bot(w.Ctx, b.ID))(w.T)
		if diff := cmp.Diff(now, stored); diff != "" || stored.Status != tournament.BotPaused || stored.Reason != "banned: cheats" || stored.BannedAt == nil {
			t.Errorf("got %+v, want it banned: %s", stored, diff)
		}
		directortest.Refused(t, "banned twice", directortest.Err(w.BanBot(w.Ctx, b.ID, "again")), tournament.ErrState)
		directortest.Refused(t, "its owner's check", directortest.Err(w.Greet(b.ID, "")), tournament.ErrState)
		directortest.Refused(t, "a health check", directortest.Err(w.Check(b.ID, "")), tournament.ErrState)
		w.Clock.Move(tournament.CheckActiveEvery)
		if due, err := w.DueChecks(w.Ctx, 10, 10, nil); err != nil || len(due) != 0 {
			t.Errorf("got %+v, %v, want no check of a banned bot", due, err)
		}
		v := w.Second(b, storetest.Toy)
		if now, err := w.Promote(w.Ctx, b.ID, v.ID); err != nil || now.Status != tournament.BotPaused || now.BannedAt == nil {
			t.Errorf("promoted: got %+v, %v, want it banned all the same", now, err)
		}
		now = must.Get(w.UnbanBot(w.Ctx, b.ID))(w.T)
		if now.Status != tournament.BotPaused || now.BannedAt != nil {
			t.Errorf("got %+v, want it paused until it passes", now)
		}
		for range 2 {
			w.Did(w.Check(b.ID, ""))
		}
		if now, err := w.Bot(w.Ctx, b.ID); err != nil || now.Status != tournament.BotActive {
			t.Errorf("got %+v (%v), want it active after two checks", now, err)
		}
		directortest.Refused(t, "not banned", directortest.Err(w.UnbanBot(w.Ctx, b.ID)), tournament.ErrState)
		directortest.Refused(t, "no bot", directortest.Err(w.BanBot(w.Ctx, "no-such", "x")), tournament.ErrNotFound)
	})
}

func TestAUserIsFoundByNameAndHasAnotherRole(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		ada, bo := w.NewUser("ada"), w.NewUser("bo")
		w.Must(w.SaveRole(w.Ctx, ada.ID, tournament.RoleAdmin))
		if u, err := w.UserNamed(w.Ctx, "ADA"); err != nil || u.ID != ada.ID || u.Role != tournament.RoleAdmin {
			t.Errorf("got %+v (%v), want ada as an admin", u, err)
		}
		if u, err := w.User(w.Ctx, bo.ID); err != nil || u.Role != bo.Role {
			t.Errorf("got %+v (%v), want bo as before", u, err)
		}
		directortest.Refused(t, "no such name", directortest.Err(w.UserNamed(w.Ctx, "ad")), tournament.ErrNotFound)
		directortest.Refused(t, "nobody's role", w.SaveRole(w.Ctx, "no-such", tournament.RoleAdmin), tournament.ErrNotFound)
	})
}

func TestADisabledUserHasNoBotThatPlays(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		ada := w.NewUser("ada")
		a, b, c := w.NewBot("a", ada), w.NewBot("b", ada), w.NewBot("c", w.Org)
		w.Did(w.BanBot(w.Ctx, b.ID, "cheats"))
		u := must.Get(w.DisableUser(w.Ctx, ada.ID, "spam"))(w.T)
		stored := must.Get(w.User(w.Ctx, ada.ID))(w.T)
		if diff := cmp.Diff(u, stored); diff != "" || stored.DisabledAt == nil || stored.DisabledReason != "spam" {
			t.Errorf("got %+v, want it disabled for spam: %s", stored, diff)
		}
		banned := func(want map[string]bool) {
			t.Helper()
			for id, want := range want {
				if got, err := w.Bot(w.Ctx, id); err != nil || (got.BannedAt != nil) != want {
					t.Errorf("got %+v (%v), want banned %v", got, err, want)
				}
			}
		}
		banned(map[string]bool{a.ID: true, b.ID: true, c.ID: false})
		directortest.Refused(t, "twice", directortest.Err(w.DisableUser(w.Ctx, ada.ID, "again")), tournament.ErrState)
		for _, bot := range []tournament.Bot{a, b} {
			directortest.Refused(t, "a bot of a disabled user back", directortest.Err(w.UnbanBot(w.Ctx, bot.ID)), tournament.ErrState)
		}
		banned(map[string]bool{a.ID: true, b.ID: true})
		w.Did(w.EnableUser(w.Ctx, ada.ID))
		banned(map[string]bool{a.ID: false, b.ID: true, c.ID: false}) // the ban of its own stays
		directortest.Refused(t, "not disabled", directortest.Err(w.EnableUser(w.Ctx, ada.ID)), tournament.ErrState)
		directortest.Refused(t, "nobody", directortest.Err(w.DisableUser(w.Ctx, "no-such", "x")), tournament.ErrNotFound)
		list, next, err := w.Users(w.Ctx, store.Page{Limit: 1})
		w.Must(err)
		rest := must.First(w.Users(w.Ctx, store.Page{Limit: 1, After: next}))(w.T)
		if len(list) != 1 || list[0].ID != ada.ID || len(rest) != 1 || rest[0].ID != w.Org.ID {
			t.Errorf("got %+v, then %+v; want ada and the organiser", list, rest)
		}
	})
}

func TestAnAdministratorVoidsAndRequeues(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		cup, list := w.Running(3, nil)
		m := w.Take(list[0])
		again := must.Get(w.Requeue(w.Ctx, m.ID))(w.T)
		if again.Status != tournament.MatchQueued {
			t.Errorf("got %+v, want it queued", again)
		}
		directortest.Refused(t, "the worker it was taken from", w.Renew(w.Ctx, m.ID, m.Epoch, directortest.Lease), tournament.ErrFenced)
		directortest.Refused(t, "its result", w.Finish(w.Ctx, m, directortest.Won(m, 0), nil), tournament.ErrFenced)
		m = w.Take(again)
		if m.Epoch != 2 {
			t.Errorf("got epoch %d, want the second attempt", m.Epoch)
		}
		void := must.Get(w.VoidMatch(w.Ctx, m.ID, "power cut"))(w.T)
		if void.Status != tournament.MatchVoid || void.Reason != "power cut" || void.EndedAt == nil {
			t.Errorf("got %+v, want it void", void)
		}
		directortest.Refused(t, "the result of a void match", w.Finish(w.Ctx, m, directortest.Won(m, 0), nil), tournament.ErrFenced)
		directortest.Refused(t, "queue what is over", directortest.Err(w.Requeue(w.Ctx, m.ID)), tournament.ErrState)
		directortest.Refused(t, "void what is over", directortest.Err(w.VoidMatch(w.Ctx, m.ID, "again")), tournament.ErrState)
		w.Must(w.Finish(w.Ctx, w.Take(list[1]), directortest.Won(list[1], 0), nil))
		w.Did(w.VoidMatch(w.Ctx, list[2].ID, "power cut")) // queued, and the last
		if now, err := w.Tournament(w.Ctx, cup.ID); err != nil || now.Status != tournament.Finished {
			t.Errorf("got %+v (%v), want the tournament finished", now, err)
		}
		l := must.Get(w.Ladder(w.Ctx, storetest.Toy))(w.T)
		if l.NextSeq != 4 {
			t.Errorf("got place %d next, want all three passed", l.NextSeq)
		}
		w.Must(w.CheckRatings(w.Ctx, storetest.Toy))
		directortest.Refused(t, "no match", directortest.Err(w.VoidMatch(w.Ctx, "no-such", "x")), tournament.ErrNotFound)
	})
}

func TestJobsAreListedByState(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		_, list := w.Running(3, nil)
		var got []queue.Job
		for after := ""; ; {
			page, next, err := w.Jobs(w.Ctx, "available", store.Page{Limit: 2, After: after})
			w.Must(err)
			got = append(got, page...)
			if after = next; next == "" {
				break
			}
		}
		first := got[0]
		if len(got) != len(list) || first.ID <= got[1].ID || first.Kind != "play_match" || first.State != "available" || !strings.Contains(string(first.Args), "match_id") {
			t.Errorf("got %+v, want %d jobs of matches, the newest first", got, len(list))
		}
		if none, _, err := w.Jobs(w.Ctx, "running", store.Page{}); err != nil || len(none) != 0 {
			t.Errorf("got %+v, %v, want none running", none, err)
		}
		_, _, err := w.Jobs(w.Ctx, "", store.Page{After: "junk"})
		directortest.Refused(t, "a cursor of nobody's", err, tournament.ErrInvalid)
	})
}
