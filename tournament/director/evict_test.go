package director_test

import (
	"crypto/rand"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
)

// are checks that matches are in a state.
func (w *world) are(what string, want tournament.MatchStatus, list ...tournament.Match) {
	w.T.Helper()
	for _, m := range list {
		if got := w.Reload(m.ID); got.Status != want {
			w.T.Errorf("%s: %s (%s), want %s", what, got.Status, got.Reason, want)
		}
	}
}

func TestADisabledUsersMatchesGoAndOthersStay(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		me, you := w.NewUser("me"), w.NewUser("you")
		mine, yours := w.NewBots(me, 5), w.NewBots(you, 4)
		var asked []tournament.Match
		for i := range 4 { // two of them are parked
			m := must.Get(w.Ask(me, mine[i], mine[i+1]))(w.T)
			asked = append(asked, m)
		}
		against := must.Get(w.Ask(you, yours[0], mine[0]))(w.T)
		apart := must.Get(w.Ask(you, yours[0], yours[1]))(w.T)
		next := must.Get(w.Ask(you, yours[2], yours[3]))(w.T)
		if w.jobs(next.ID) != 0 {
			t.Fatal("the third challenge of a user is not parked")
		}
		running := w.Take(asked[0])
		l, _ := w.StandingLadder(storetest.Toy, 0, 600)
		for _, b := range []struct {
			owner tournament.User
			id    string
		}{{me, mine[0]}, {you, yours[0]}} {
			w.Did(w.JoinLadder(w.Ctx, l.ID, b.id, b.owner.ID, 600))
		}
		begun := w.Take(w.Tick(l)[0])
		for _, b := range []struct {
			owner tournament.User
			id    string
		}{{me, mine[1]}, {you, yours[1]}} {
			w.Did(w.JoinLadder(w.Ctx, l.ID, b.id, b.owner.ID, 600))
		}
		waits := w.Tick(l)[0]
		u := must.Get(w.DisableUser(w.Ctx, me.ID, "hangs"))(w.T)
		if u.DisabledAt == nil {
			t.Error("the account is open")
		}
		w.are("asked for by the disabled user", tournament.MatchVoid, asked...)
		w.are("against a bot of the disabled user", tournament.MatchVoid, against)
		w.are("a challenge of others", tournament.MatchQueued, apart, next)
		w.are("a ladder match that has begun", tournament.MatchRunning, begun)
		w.are("a ladder match that has not begun", tournament.MatchVoid, waits)
		if w.jobs(next.ID) != 1 {
			t.Error("the place of the void challenge is not given to the next")
		}
		directortest.Refused(t, "renew", w.Renew(w.Ctx, running.ID, running.Epoch, directortest.Lease), tournament.ErrFenced)
		directortest.Refused(t, "finish", w.Finish(w.Ctx, running, directortest.Won(running, 0), nil), tournament.ErrFenced)
		directortest.Refused(t, "ask while disabled", directortest.Err(w.Ask(me, mine[0], mine[1])), tournament.ErrDisabled)
		w.Must(w.Finish(w.Ctx, begun, best(begun), nil))
		w.Must(w.CheckRatings(w.Ctx, l.ID))
		if got, err := w.Ladder(w.Ctx, l.ID); err != nil || got.NextSeq != got.LastSeq+1 {
			t.Errorf("the ladder waits for place %d of %d (%v)", got.NextSeq, got.LastSeq, err)
		}
	})
}

// A bot that is retired plays what it has begun, and nothing else: no challenge, not even one of others, and no match of a ladder. A person's
// bot, which is retired from the start, plays its match.
func TestARetiredBotBeginsNoMatch(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		me, you := w.NewUser("me"), w.NewUser("you")
		gone, mine, yours := w.NewBot("gone", me), w.NewBot("mine", me), w.NewBot("yours", you)
		for _, b := range []tournament.Bot{gone, mine} {
			w.Did(w.TakeChallenges(w.Ctx, b.ID, true))
		}
		l, _ := w.StandingLadder(storetest.Toy, 0, 600)
		for _, b := range []tournament.Bot{gone, yours} {
			w.Did(w.JoinLadder(w.Ctx, l.ID, b.ID, b.OwnerID, 600))
		}
		rated := w.Tick(l)[0]
		begun := w.Take(must.Get(w.Ask(me, gone.ID, mine.ID))(w.T))
		waits := must.Get(w.Ask(me, mine.ID, gone.ID))(w.T)
		parked := must.Get(w.Ask(me, gone.ID, mine.ID))(w.T)
		against := must.Get(w.Ask(you, yours.ID, gone.ID))(w.T)
		apart := must.Get(w.Ask(you, yours.ID, mine.ID))(w.T)
		_, guest, err := tournament.NewGuest(rand.Reader)
		w.Must(err)
		person := must.Get(w.SeatGuest(w.Ctx, director.Seating{Guest: guest, Game: storetest.Toy, Bots: []string{mine.ID}, Most: 1}))(w.T)
		retired := must.Get(w.RetireBot(w.Ctx, gone.ID, "done"))(w.T)
		w.are("what has not begun", tournament.MatchVoid, rated, waits, parked, against)
		w.are("what has begun", tournament.MatchRunning, begun)
		w.are("a match without the bot", tournament.MatchQueued, apart, person)
		w.Must(w.Finish(w.Ctx, begun, best(begun), nil))
		if states, err := w.LadderStates(w.Ctx, retired); err != nil || len(states) > 0 {
			t.Errorf("on ladders it is %+v (%v), want nothing", states, err)
		}
	})
}

func TestADisabledUsersBotsLeaveTournaments(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		me := w.NewUser("me")
		mine := w.NewBots(me, 1)[0]
		enter := func(change func(*tournament.Tournament)) tournament.Tournament {
			x := w.Plan(change)
			w.Enter(x, w.Rivals("a"+x.ID, "b"+x.ID, "c"+x.ID)...)
			w.Did(w.Join(w.Ctx, x.ID, mine, me.ID))
			return x
		}
		waits := enter(nil)
		round := must.Get(w.Start(w.Ctx, enter(nil).ID))(w.T)
		swiss := must.Get(w.Start(w.Ctx, enter(func(x *tournament.Tournament) { x.Format, x.Options.Rounds = tournament.Swiss, 3 }).ID))(w.T)
		w.Did(w.DisableUser(w.Ctx, me.ID, "cheats"))
		for _, x := range []tournament.Tournament{waits, round, swiss} {
			list := must.Get(w.Entries(w.Ctx, x.ID))(w.T)
			for _, e := range list {
				if (e.WithdrawnAt != nil) != (e.BotID == mine) {
					t.Errorf("%s %s: bot %s withdrawn %v", x.Format, x.Status, e.BotName, e.WithdrawnAt)
				}
			}
		}
		for _, m := range w.All(store.MatchFilter{TournamentID: round.ID, BotID: mine, Named: []string{round.Game}}) {
			w.are("a match of the round robin", tournament.MatchVoid, m)
		}
		for range 4 {
			for _, x := range []tournament.Tournament{round, swiss} {
				w.PlayAll(w.All(store.MatchFilter{TournamentID: x.ID, Status: tournament.MatchQueued}))
			}
		}
		for _, x := range []tournament.Tournament{round, swiss} {
			w.Over(x)
		}
		w.Did(w.EnableUser(w.Ctx, me.ID))
		list := must.Get(w.Entries(w.Ctx, waits.ID))(w.T)
		if !slices.ContainsFunc(list, func(e tournament.Entry) bool { return e.BotID == mine && e.WithdrawnAt != nil }) {
			t.Errorf("enabled again, the entries are %+v; want the bot out", list)
		}
	})
}

// TestDisablingWhileWorkersClaim disables a user while his matches are claimed and ended and others' tournaments go on: afterwards
// none of his challenges is open, and nothing has failed for another reason than that.
func TestDisablingWhileWorkersClaim(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		me := w.NewUser("me")
		bots := w.NewBots(me, 12)
		for i := range 11 {
			w.Did(w.Ask(me, bots[i], bots[i+1]))
		}
		x := w.Plan(func(x *tournament.Tournament) { x.OwnerEntries = 3 })
		for _, id := range bots[:3] {
			w.Did(w.Join(w.Ctx, x.ID, id, me.ID))
		}
		x = w.Begin(x, w.Rivals("v", "w")...)
		w.Warm(8)
		list := w.All(store.MatchFilter{Status: tournament.MatchQueued})
		var all sync.WaitGroup
		for part := range 4 {
			all.Go(func() {
				for i := part; i < len(list); i += 4 {
					m, _, err := w.Claim(w.Ctx, store.PlayMatch{MatchID: list[i].ID}, "w", directortest.Lease)
					if err == nil && i%3 > 0 {
						err = w.Finish(w.Ctx, m, directortest.Won(m, 0), nil)
					}
					if err != nil && !errors.Is(err, tournament.ErrState) && !errors.Is(err, tournament.ErrFenced) {
						t.Errorf("match %d: %v", i, err)
					}
				}
			})
		}
		all.Go(func() {
			if _, err := w.DisableUser(w.Ctx, me.ID, "hangs"); err != nil {
				t.Error(err)
			}
		})
		all.Wait()
		w.Must(w.Evict(w.Ctx))
		for _, m := range w.All(store.MatchFilter{}) {
			if m.TournamentID == "" && !m.Status.Over() {
				t.Errorf("a challenge of the disabled user is %s", m.Status)
			}
		}
		for _, e := range must.Get(w.Entries(w.Ctx, x.ID))(w.T) {
			if (e.WithdrawnAt != nil) != (e.OwnerID == me.ID) {
				t.Errorf("bot %s: withdrawn %v", e.BotName, e.WithdrawnAt)
			}
		}
	})
}
