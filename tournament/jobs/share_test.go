package jobs_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// hang keeps the bots whose names begin with hog from answering, for as long as their match is played.
func hang(ctx context.Context, m *tournament.Match, _ runner.Ask) {
	for _, s := range m.Seats {
		if strings.HasPrefix(s.BotName, "hog") {
			<-ctx.Done()
			return
		}
	}
}

// crowd returns n bots of one user.
func (w *world) crowd(name string, n int) (owner tournament.User, ids []string) {
	w.T.Helper()
	owner = w.NewUser(name)
	return owner, w.NewBots(owner, n)
}

// challenge has bots of one user play each other, which may take as long as anybody may ask for.
func (w *world) challenge(owner tournament.User, bots ...string) {
	w.T.Helper()
	b := tournament.SourceChallenge.Bounds()
	w.Did(w.Challenge(w.Ctx, director.Challenge{
		Game: storetest.Toy, Config: []byte(`{"steps":3}`), Clock: tournament.Clock{Limit: b.Limit, Bank: b.Bank}, Limits: tournament.DefaultFaultLimits(),
		Bots: bots, Asker: tournament.Asker{UserID: owner.ID},
	}))
}

// enter puts a user's bots on the ladder.
func (w *world) enter(owner tournament.User, bots ...string) {
	w.T.Helper()
	l := must.Get(w.EnsureLadder(w.Ctx, storetest.Toy))(w.T)
	for _, id := range bots {
		w.Did(w.JoinLadder(w.Ctx, l.ID, id, owner.ID, 600))
	}
}

// done counts the matches of a filter that are over without a bot of a hog.
func (w *world) done(f store.MatchFilter) (n int) {
	w.T.Helper()
	f.Status = tournament.MatchDone
	list := must.First(w.Matches(w.Ctx, f, store.Page{Limit: store.MaxPage}))(w.T)
	for _, m := range list {
		if !strings.HasPrefix(m.Seats[0].BotName, "hog") && !strings.HasPrefix(m.Seats[1].BotName, "hog") {
			n++
		}
	}
	return n
}

// TestOneUserWithHangingBotsStopsNobody: the matches of the hog never end, so whatever is played is played beside all that it
// can hold.
func TestOneUserWithHangingBotsStopsNobody(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		b := newBots()
		b.before = hang
		c := w.config(b)
		c.Slots = 8
		hog, bots := w.crowd("hog", 20)
		for i := range 50 {
			w.challenge(hog, bots[i%20], bots[(i+[]int{1, 2, 10}[i/20])%20]) // five a bot
		}
		w.enter(hog, bots[:5]...)
		for i := range 12 {
			owner, one := w.crowd(fmt.Sprint("guest", i), 1)
			w.enter(owner, one...)
		}
		guest, pair := w.crowd("visitor", 2)
		stop := w.run(c)
		defer stop()
		w.until("20 matches of the ladder beside the hog", func() bool { return w.done(store.MatchFilter{LadderID: storetest.Toy}) >= 20 })
		for range 3 {
			w.challenge(guest, pair...)
		}
		w.until("another's challenges beside the hog", func() bool { return w.done(store.MatchFilter{BotID: pair[0]}) == 3 })
	})
}

// TestChallengesOfManyLeaveRoomForTheLadder runs two worker processes: more users than slots have challenges that never end.
func TestChallengesOfManyLeaveRoomForTheLadder(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		b := newBots()
		b.before = hang
		var mu sync.Mutex
		held := map[string]bool{}
		c := w.config(b)
		c.Observe.Started = func(m *tournament.Match) {
			if m.Source() == tournament.SourceChallenge {
				mu.Lock()
				held[m.ID] = true
				mu.Unlock()
			}
		}
		for i := range 10 {
			hog, bots := w.crowd(fmt.Sprint("hog", i), 3)
			w.challenge(hog, bots[:2]...)
			w.challenge(hog, bots[1:]...)
		}
		defer w.run(c)()
		defer w.run(c)()
		full := 2 * (c.Slots - 1) // each of the two keeps one slot free
		w.until("challenges in all slots but two", func() bool { mu.Lock(); defer mu.Unlock(); return len(held) == full })
		for i := range 4 {
			owner, one := w.crowd(fmt.Sprint("guest", i), 1)
			w.enter(owner, one...)
		}
		w.until("ladder matches", func() bool { return w.done(store.MatchFilter{LadderID: storetest.Toy}) >= 5 })
		mu.Lock()
		defer mu.Unlock()
		if len(held) != full {
			t.Errorf("%d challenges have begun, want %d: the slots that are left are for others", len(held), full)
		}
	})
}

// TestTheSlotOfAPersonWhoHasGoneComesBack: challenges have one slot here, and a person holds it who never answers. While their page is
// open the match goes on.
func TestTheSlotOfAPersonWhoHasGoneComesBack(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		b := newBots()
		b.before = func(ctx context.Context, m *tournament.Match, _ runner.Ask) {
			if m.AskerID == tournament.GuestsID {
				<-ctx.Done()
			}
		}
		c := w.config(b)
		c.Slots = 2
		owner, pair := w.crowd("house", 2)
		w.Did(w.TakeChallenges(w.Ctx, pair[0], true))
		_, g, err := tournament.NewGuest(rand.Reader)
		w.Must(err)
		w.Must(w.Attend(w.Ctx, g.Box(), tournament.GuestAway))
		m, err := w.SeatGuest(w.Ctx, director.Seating{
			Guest: g,
			Game:  storetest.Toy,
			Bots:  pair[:1],
			Most:  1,
		})
		w.Must(err)
		defer w.run(c)()
		status := func() tournament.MatchStatus {
			now := must.Get(w.Match(w.Ctx, m.ID))(w.T)
			return now.Status
		}
		w.until("the person's match", func() bool { return status() == tournament.MatchRunning })
		w.challenge(owner, pair...)
		for range 3 { // sweeps see nothing to end
			w.Must(w.ClearSeats(w.Ctx))
		}
		if got := status(); got != tournament.MatchRunning {
			t.Errorf("the match of a person who is there is %s, want it running", got)
		}
		w.Must(w.StayAt(w.Ctx, g.Box(), -time.Hour))
		w.until("the challenge behind it", func() bool { return w.done(store.MatchFilter{BotID: pair[1]}) == 1 })
		if got := status(); got != tournament.MatchVoid {
			t.Errorf("the match of a person who has gone is %s, want it void", got)
		}
	})
}
