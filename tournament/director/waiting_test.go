package director_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
)

// queue returns a tournament of two places with a waiting list, and n bots entered in it, each of an owner of its own: a, b, … after a
// prefix.
func (w *world) queue(prefix string, n int, change func(*tournament.Tournament)) (tournament.Tournament, []tournament.Bot) {
	w.T.Helper()
	x := w.Plan(func(x *tournament.Tournament) {
		x.Capacity, x.WaitingList = 2, true
		if change != nil {
			change(x)
		}
	})
	var bots []tournament.Bot
	for i := range n {
		bots = append(bots, w.Rivals(prefix+string(rune('a'+i)))...)
		w.Enter(x, bots[i])
		w.Clock.Move(time.Second)
	}
	return x, bots
}

// told returns the events of entries of a tournament by the names of bots, in order.
func (w *world) told(x tournament.Tournament, bots []tournament.Bot) string {
	w.T.Helper()
	feed := must.Get(w.Feed(w.Ctx, x.ID, 0, 1000))(w.T)
	var out []string
	for _, e := range feed {
		i := slices.IndexFunc(bots, func(b tournament.Bot) bool { return b.ID == e.BotID })
		if kind, ours := strings.CutPrefix(string(e.Kind), "entry."); ours {
			out = append(out, strings.TrimSpace(bots[i].Name+" "+kind+" "+e.Reason))
		}
	}
	return strings.Join(out, ", ")
}

// stand returns the entries of a tournament, with what of each is not as usual.
func (w *world) stand(x tournament.Tournament) string {
	w.T.Helper()
	entries := must.Get(w.Entries(w.Ctx, x.ID))(w.T)
	var out []string
	for _, e := range entries {
		text := e.BotName
		for _, one := range []struct {
			is   bool
			mark string
		}{{e.Waiting, "?"}, {e.CheckedInAt != nil, "!"}, {e.WithdrawnAt != nil, "-"}} {
			if one.is {
				text += one.mark
			}
		}
		out = append(out, text+string(e.LeftOut))
	}
	return strings.Join(out, " ")
}

func TestAPlaceThatComesFreeGoesToWhoHasWaitedLongest(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, bots := w.queue("", 4, nil)
		leave := func(i int) {
			w.Did(w.Withdraw(w.Ctx, x.ID, bots[i].ID, bots[i].OwnerID))
		}
		must.Same(t, "entered", w.stand(x), "a b c? d?")
		u := w.NewUser("e-owner")
		directortest.Refused(t, "a full waiting list", directortest.Err(w.Join(w.Ctx, x.ID, w.NewBot("e", u).ID, u.ID)), tournament.ErrFull)
		leave(2)
		must.Same(t, "a bot that waits leaves", w.stand(x), "a b c- d?")
		leave(0)
		must.Same(t, "a bot with a place leaves", w.stand(x), "a- b c- d")
		w.Clock.Move(time.Second)
		w.Did(w.Join(w.Ctx, x.ID, bots[0].ID, bots[0].OwnerID))
		must.Same(t, "a bot that comes back is last", w.stand(x), "b c- d a?")
		directortest.Refused(t, "a seed of a bot that waits", directortest.Err(w.SeedEntries(w.Ctx, x.ID, []string{bots[0].ID})), tournament.ErrInvalid)
		w.Begin(x)
		must.Same(t, "started", w.stand(x), "b c- d a-no_place")
		must.Same(t, "told", w.told(x, bots), "d admitted, a left_out no_place")
		if list := w.All(store.MatchFilter{TournamentID: x.ID}); len(list) != 1 {
			t.Errorf("%d matches, want that of b and d", len(list))
		}
		board := must.Get(w.Scoreboard(w.Ctx, x.ID))(w.T)
		if len(board.Entries) != 2 || len(board.Aside) != 1 || board.Aside[0].BotName != "a" {
			t.Errorf("the page shows %d entries and %v aside, want b and d, and a", len(board.Entries), board.Aside)
		}
	})
}

func TestWhoDoesNotCheckInIsLeftOutAndWhoWaitsFillsIn(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, bots := w.queue("", 4, func(x *tournament.Tournament) { x.CheckIn, x.ClosesAt = 20*time.Minute, x.StartsAt })
		checkIn := func(i int) error {
			_, err := w.CheckIn(w.Ctx, x.ID, bots[i].ID, bots[i].OwnerID)
			return err
		}
		directortest.Refused(t, "too early", checkIn(0), tournament.ErrWindow)
		w.Clock.Move(45 * time.Minute)
		w.Must(checkIn(0))
		first := must.Get(w.Entries(w.Ctx, x.ID))(w.T)
		w.Clock.Move(time.Second)
		w.Must(checkIn(0))
		if again, err := w.Entries(w.Ctx, x.ID); err != nil || !again[0].CheckedInAt.Equal(*first[0].CheckedInAt) {
			t.Errorf("checked in twice: %v (%v), want the first time, %v", again[0].CheckedInAt, err, first[0].CheckedInAt)
		}
		w.Must(checkIn(3))
		w.Must(w.TellCheckIn(w.Ctx, x.ID))
		directortest.Refused(t, "somebody else's bot", directortest.Err(w.CheckIn(w.Ctx, x.ID, bots[1].ID, bots[0].OwnerID)), tournament.ErrNotYours)
		w.Did(w.Withdraw(w.Ctx, x.ID, bots[2].ID, bots[2].OwnerID))
		w.Clock.Move(time.Second)
		w.Did(w.Join(w.Ctx, x.ID, bots[2].ID, bots[2].OwnerID))
		must.Same(t, "who enters now is here", w.stand(x), "a! b d?! c?!")
		w.Begin(x)
		must.Same(t, "started", w.stand(x), "a! b-not_checked_in d! c!-no_place")
		must.Same(t, "told", w.told(x, bots), "b left_out not_checked_in, d admitted, c left_out no_place")
		directortest.Refused(t, "after the start", checkIn(1), tournament.ErrState)
	})
}

// A check-in that no worker was there to announce, as while the platform was away, keeps nobody out: not those who could not check in.
func TestACheckInOfWhichNobodyWasToldLeavesNobodyOut(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		for _, row := range []struct {
			name string
			away time.Duration // before the start, until it
			want string
		}{
			{"announced", 10 * time.Minute, "a-not_checked_in b! c!"},
			{"not announced", 25 * time.Minute, "a b! c!-no_place"},
		} {
			x, bots := w.queue(row.name, 3, func(x *tournament.Tournament) { x.CheckIn, x.ClosesAt = 20*time.Minute, x.StartsAt })
			sweep := func() {
				for _, id := range must.Get(w.DueCheckIns(w.Ctx))(w.T) {
					w.Must(w.TellCheckIn(w.Ctx, id))
				}
			}
			w.Clock.Set(x.StartsAt.Add(-row.away))
			sweep()
			w.Clock.Set(x.StartsAt.Add(-5 * time.Minute))
			for _, i := range []int{1, 2} {
				w.Did(w.CheckIn(w.Ctx, x.ID, bots[i].ID, bots[i].OwnerID))
			}
			w.Clock.Set(x.StartsAt.Add(time.Hour))
			sweep()
			w.Begin(x)
			must.Same(t, row.name, strings.ReplaceAll(w.stand(x), row.name, ""), row.want)
			sweep()
			if due := must.Get(w.DueCheckIns(w.Ctx))(w.T); len(due) > 0 {
				t.Errorf("%s: the check-ins of %v are still to be announced", row.name, due)
			}
		}
	})
}

// The opening of check-in is announced once, to whoever looks first; not of a tournament that began before, nor of one without check-in.
func TestTheOpeningOfCheckInIsToldOnce(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		asked := func(x *tournament.Tournament) { x.CheckIn = 20 * time.Minute }
		x, bots := w.queue("", 2, asked)
		early, _ := w.queue("early", 2, asked)
		w.Begin(early)
		w.queue("plain", 2, nil)
		tell := func() {
			due := must.Get(w.DueCheckIns(w.Ctx))(w.T)
			for _, id := range append(due, due...) { // by two processes
				w.Must(w.TellCheckIn(w.Ctx, id))
			}
		}
		times := func(x tournament.Tournament) string {
			feed := must.Get(w.Feed(w.Ctx, x.ID, 0, 1000))(w.T)
			told := 0
			for _, e := range feed {
				if e.Kind == tournament.EventTournamentCheckIn {
					told++
				}
			}
			return fmt.Sprint(told)
		}
		w.Clock.Move(x.StartsAt.Add(-20*time.Minute - time.Second).Sub(w.Clock.Now()))
		tell()
		must.Same(t, "told a second before it opens", times(x), "0")
		w.Clock.Move(time.Second)
		tell()
		tell()
		must.Same(t, "told when it opens", times(x), "1")
		must.Same(t, "told of one that began before", times(early), "0")
		due := must.Get(w.DueCheckIns(w.Ctx))(w.T)
		must.Same(t, "still to be told", fmt.Sprint(due), "[]")
		w.Did(w.CheckIn(w.Ctx, x.ID, bots[0].ID, bots[0].OwnerID))
	})
}

// A tournament whose start finds too few is cancelled at its time, and says who was not there; before its time nothing happens.
func TestACheckInThatLeavesTooFewCancelsAtTheStart(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		x, bots := w.queue("", 2, func(x *tournament.Tournament) { x.CheckIn = 20 * time.Minute })
		w.Clock.Move(45 * time.Minute)
		w.Must(w.TellCheckIn(w.Ctx, x.ID))
		directortest.Refused(t, "before its time", directortest.Err(w.Start(w.Ctx, x.ID)), tournament.ErrState)
		must.Same(t, "nothing happened", w.stand(x), "a b")
		w.Clock.Move(15 * time.Minute)
		y := must.Get(w.Start(w.Ctx, x.ID))(w.T)
		if y.Status != tournament.Cancelled {
			t.Errorf("it is %s, want cancelled", y.Status)
		}
		must.Same(t, "cancelled", w.stand(x), "a-not_checked_in b-not_checked_in")
		must.Same(t, "of what did not happen nothing is told", w.told(x, bots), "")
	})
}

// Only Postgres has several writers at once.
func TestWithdrawalsAtOnceGiveEachPlaceAwayOnce(t *testing.T) {
	on(t, storetest.Postgres, func(t *testing.T, w *world) {
		for round := range 5 {
			x, bots := w.queue(fmt.Sprint(round), 3, nil)
			w.Warm(2)
			directortest.Race(2, func(i int) error {
				_, err := w.Withdraw(w.Ctx, x.ID, bots[i].ID, bots[i].OwnerID)
				return err
			}, func(err error) { t.Error(err) })
			if got := w.told(x, bots); got != fmt.Sprintf("%dc admitted", round) {
				t.Errorf("two withdrawals and one who waits: told %q", got)
			}
			directortest.Race(2, func(i int) error {
				_, err := w.Join(w.Ctx, x.ID, bots[i].ID, bots[i].OwnerID)
				return err
			}, func(err error) { t.Error(err) })
			entries := must.Get(w.Entries(w.Ctx, x.ID))(w.T)
			if free, waiting := tournament.Places(x, entries); free != 0 || waiting != 1 {
				t.Errorf("two entries and one free place: %d are free and %d wait, want 0 and 1", free, waiting)
			}
		}
	})
}

// Whoever organises a tournament together with others is sent what they are, also as co-organiser of its schedule.
func TestCoOrganisersAreToldWhatTheOrganiserIs(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		weekly := w.series(w.cron("0 20 * * FRI", "UTC"), nil)
		x := w.Plan(func(x *tournament.Tournament) {
			x.Rated, x.Capacity, x.WaitingList, x.ScheduleID, x.Number = false, 2, true, weekly.ID, 1
		})
		ofCup, ofSchedule := w.NewUser("one"), w.NewUser("two")
		w.Must(w.SetCoOrganisers(w.Ctx, store.Tournaments, x.ID, []string{ofCup.ID}))
		w.Must(w.SetCoOrganisers(w.Ctx, store.Schedules, weekly.ID, []string{ofSchedule.ID}))
		var hooks []tournament.Webhook
		for _, u := range []tournament.User{w.Org, ofCup, ofSchedule} {
			hooks = append(hooks, must.Get(w.CreateWebhook(w.Ctx, tournament.Webhook{UserID: u.ID, URL: "http://" + u.Name, Secret: "whsec_1", Enabled: true}, 9))(w.T))
		}
		bots := w.Rivals("a", "b", "c", "d")
		w.Enter(x, bots[:3]...)
		w.Did(w.Withdraw(w.Ctx, x.ID, bots[0].ID, bots[0].OwnerID))
		w.Begin(x)
		w.Did(w.Substitute(w.Ctx, x.ID, bots[1].ID, bots[3].ID))
		for m, again := w.open(x)[0], true; again; {
			m, again = w.void(m)
		}
		w.Over(x)
		for _, hook := range hooks {
			sent := must.First(w.Deliveries(w.Ctx, hook.ID, store.Page{Sort: store.Oldest}))(w.T)
			kinds := store.Map(sent, func(d tournament.Delivery) string { return string(d.Kind) })
			slices.Sort(kinds)
			must.Same(t, "what "+hook.URL+" is sent", strings.Join(kinds, " "), "entry.admitted entry.substituted match.given_up tournament.finished tournament.started")
		}
	})
}

// An organiser's withdrawal reaches the bot's owner as an event; an owner's own withdrawal sends none.
func TestTheOwnerHearsThatAnOrganiserWithdrewTheBot(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		x, bots := w.Plan(nil), w.Rivals("a", "b", "c")
		w.Enter(x, bots...)
		var hooks []tournament.Webhook
		for _, b := range bots {
			hooks = append(hooks, must.Get(w.CreateWebhook(w.Ctx, tournament.Webhook{UserID: b.OwnerID, URL: "http://" + b.Name, Secret: "whsec_1", Enabled: true}, 9))(w.T))
		}
		w.Did(w.Expel(w.Ctx, x.ID, bots[0].ID, bots[0].OwnerID))
		w.Did(w.Withdraw(w.Ctx, x.ID, bots[1].ID, bots[1].OwnerID))
		for i, want := range []string{"entry.withdrawn", "", ""} {
			sent := must.First(w.Deliveries(w.Ctx, hooks[i].ID, store.Page{}))(w.T)
			must.Same(t, "what the owner of "+bots[i].Name+" is sent", strings.Join(store.Map(sent, func(d tournament.Delivery) string { return string(d.Kind) }), " "), want)
		}
		directortest.Refused(t, "withdraw again", directortest.Err(w.Expel(w.Ctx, x.ID, bots[1].ID, bots[1].OwnerID)), tournament.ErrState)
	})
}

func TestABotThatIsExcludedComesBackByTheOrganiserAlone(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		code, invite, err := tournament.NewInvite(strings.NewReader(strings.Repeat("x", 20)))
		must.OK(t, err)
		x := w.Plan(func(x *tournament.Tournament) { x.Format, x.Invite = tournament.Gauntlet, invite })
		bots := w.Rivals("a", "b")
		join := func(b tournament.Bot) error {
			return directortest.Err(w.JoinAs(w.Ctx, x.ID, b.ID, b.OwnerID, director.EntryOptions{Invite: code, Challenger: true}))
		}
		must.OK(t, join(bots[0]))
		must.OK(t, join(bots[1]))
		admit := func(i int) (tournament.Entry, error) { return w.Admit(w.Ctx, x.ID, bots[i].ID, bots[i].OwnerID) }
		w.Did(w.Expel(w.Ctx, x.ID, bots[0].ID, bots[0].OwnerID))
		must.Same(w.T, "its state", must.Get(w.EntryStates(w.Ctx, x.ID))(t)[0].String(), "the organiser has excluded it")
		directortest.Refused(t, "its owner enters it again", join(bots[0]), tournament.ErrState)
		directortest.Refused(t, "it takes another's place", directortest.Err(w.Substitute(w.Ctx, x.ID, bots[1].ID, bots[0].ID)), tournament.ErrState)
		directortest.Refused(t, "a bot is admitted that is not excluded", directortest.Err(admit(1)), tournament.ErrState)
		w.Clock.Move(time.Second)
		if e := must.Get(admit(0))(t); !e.Challenger {
			t.Error("it is no challenger any more")
		}
		must.Same(w.T, "admitted", w.stand(x), "b a")
		must.Same(w.T, "told", w.told(x, bots), "a withdrawn, a admitted")
		w.Did(w.Withdraw(w.Ctx, x.ID, bots[0].ID, bots[0].OwnerID))
		must.OK(t, join(bots[0]))
	})
}
