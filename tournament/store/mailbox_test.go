package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/mailbox"
)

const patience = 90 * time.Second // of tests that wait for a condition

// box is a mailbox with shortcuts.
type box struct {
	*store.Store
	t    *testing.T
	name string
	sent sync.WaitGroup
}

// boxes runs a test with a mailbox on each database; a relay has been there.
func boxes(t *testing.T, f func(b *box)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, open storetest.Open) { f(newBox(t, open)) })
}

func newBox(t *testing.T, open storetest.Open) *box {
	t.Helper()
	b := &box{Store: open(store.Options{}), t: t, name: tournament.RelayAddress("ada", "Fox")}
	b.fetch("r0", 0)
	t.Cleanup(b.sent.Wait)
	return b
}

type sent struct {
	answer tournament.MessageAnswer
	err    error
}

// send puts a message, and tells later what became of it.
func (b *box) send(ctx context.Context, text string) <-chan sent {
	out := make(chan sent, 1)
	b.sent.Go(func() {
		ctx, cancel := context.WithTimeout(ctx, 4*patience) // no message ends while many are sent
		defer cancel()
		a, err := b.Exchange(ctx, b.name, tournament.Message{Head: map[string]string{"webhook-id": text}, Body: []byte(text)})
		out <- sent{a, err}
	})
	return out
}

func (b *box) fetch(relay string, wait time.Duration, holds ...string) []tournament.Message {
	b.t.Helper()
	list, err := b.Fetch(b.t.Context(), b.name, mailbox.Holder{Relay: relay, Holds: holds, Room: 4, Wait: wait})
	must.OK(b.t, err)
	return list
}

func (b *box) one(relay string, holds ...string) tournament.Message {
	b.t.Helper()
	list := b.fetch(relay, patience, holds...)
	if len(list) != 1 {
		b.t.Fatalf("got %d messages, want 1", len(list))
	}
	return list[0]
}

func said(text string) tournament.MessageAnswer {
	return tournament.MessageAnswer{Status: 200, Encoding: "x", Body: []byte(text)}
}

// serve marks that a process serves the API, until stop is called or the test ends. The first mark is there when it returns.
func (b *box) serve() (stop func()) {
	b.t.Helper()
	ctx, cancel := context.WithCancel(b.t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); b.MarkServing(ctx) }()
	stop = func() { cancel(); <-ended }
	b.t.Cleanup(stop)
	if b.Pool() == nil { // one mark is all
		<-ended
	} else {
		b.marks(1)
	}
	time.Sleep(10 * time.Millisecond) // what comes next comes after the mark
	return stop
}

// marks waits until so many processes have marked that they serve.
func (b *box) marks(want int64) {
	b.t.Helper()
	for n := int64(-1); n != want && b.t.Context().Err() == nil; time.Sleep(10 * time.Millisecond) {
		must.OK(b.t, b.SQL(b.t.Context()).Table("relays").Where("box LIKE 'api of %'").Count(&n).Error)
	}
}

// post sends a message that has 100 ms, and checks what becomes of it.
func (b *box) post(what string, want error) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), 100*time.Millisecond)
	defer cancel()
	directortest.Refused(b.t, what, directortest.Err(b.Exchange(ctx, b.name, tournament.Message{Body: []byte("x")})), want)
}

// A database that was away while a bot had its time, and is back at the end of it, makes the message the platform's failure: no relay
// could fetch it, or bring the answer.
func TestADatabaseThatWasAwayIsNoFaultOfARelay(t *testing.T) {
	for _, fetched := range []bool{false, true} {
		boxes(t, func(b *box) {
			ctx, cancel := context.WithTimeout(b.t.Context(), 2*time.Second)
			defer cancel()
			done := b.send(ctx, "hello")
			sql := func(text string) {
				if err := b.SQL(b.t.Context()).Exec(text).Error; err != nil {
					b.t.Error(err)
				}
			}
			if fetched {
				b.one("r1")
			} else {
				time.Sleep(200 * time.Millisecond)
			}
			sql("ALTER TABLE letters RENAME TO away")
			time.Sleep(1200 * time.Millisecond) // it looks once a second
			sql("ALTER TABLE away RENAME TO letters")
			if got := <-done; got.err == nil || errors.Is(got.err, tournament.ErrNoRelay) || errors.Is(got.err, context.DeadlineExceeded) {
				b.t.Errorf("fetched %v: %v, want the database's error", fetched, got.err)
			}
		})
	}
}

func TestAMessageIsFetchedByOneRelayAndAnsweredOnce(t *testing.T) {
	boxes(t, func(b *box) {
		body := "é\x00\xff " // any bytes
		got := b.send(b.t.Context(), body)
		l := b.one("r1")
		if string(l.Body) != body || l.Head["webhook-id"] == "" || l.Left <= 0 || l.Left > 4*patience {
			b.t.Errorf("got %+v, want the body %q, an id, and at most %v left", l, body, 4*patience)
		}
		if again := b.fetch("r2", 0); len(again) != 0 {
			b.t.Errorf("another relay was given %d messages, want none", len(again))
		}
		directortest.Refused(b.t, "an answer from another mailbox", b.Answer(b.t.Context(), tournament.RelayAddress("bob", "fox"), l.ID, said("forged")), tournament.ErrState)
		must.OK(b.t, b.Answer(b.t.Context(), b.name, l.ID, said("a\x00\xff")))
		directortest.Refused(b.t, "a second answer", b.Answer(b.t.Context(), b.name, l.ID, said("other")), tournament.ErrState)
		if s := <-got; s.err != nil || s.answer.Status != 200 || s.answer.Encoding != "x" || string(s.answer.Body) != "a\x00\xff" {
			b.t.Errorf("got %+v (%v), want the answer as it was given", s.answer, s.err)
		}
		directortest.Refused(b.t, "an answer to a message that is gone", b.Answer(b.t.Context(), b.name, l.ID, said("other")), tournament.ErrState)
	})
}

func TestAMessageLostOnTheWayIsHandedOutAgain(t *testing.T) {
	boxes(t, func(b *box) {
		got := b.send(b.t.Context(), "m")
		first := b.one("r1")
		if list := b.fetch("r1", 0, first.ID); len(list) != 0 {
			b.t.Errorf("a relay was given what it holds")
		}
		again := b.one("r1") // it says that it holds nothing: the answer to its first call was lost
		other := b.one("r2") // r1 is silent for longer than its lease
		for _, l := range []tournament.Message{again, other} {
			if l.ID != first.ID || l.Head["webhook-id"] != first.Head["webhook-id"] || l.Left > first.Left {
				b.t.Errorf("got %+v, want %+v again with no more time", l, first)
			}
		}
		if err := b.Answer(b.t.Context(), b.name, first.ID, said("r1 all the same")); err != nil {
			b.t.Error(err)
		}
		directortest.Refused(b.t, "the answer of the second relay", b.Answer(b.t.Context(), b.name, first.ID, said("r2")), tournament.ErrState)
		if s := <-got; string(s.answer.Body) != "r1 all the same" {
			b.t.Errorf("got %+v, want the answer that came first", s)
		}
	})
}

func TestAMessageThatNobodyFetchesOrAnswersEndsWithItsDeadline(t *testing.T) {
	boxes(t, func(b *box) {
		short := func() (context.Context, context.CancelFunc) {
			return context.WithTimeout(b.t.Context(), 500*time.Millisecond)
		}
		post := func(ctx context.Context, to string) error {
			_, err := b.Exchange(ctx, to, tournament.Message{Body: []byte("x")})
			return err
		}
		ctx, cancel := short()
		defer cancel()
		directortest.Refused(b.t, "nobody fetches it", post(ctx, b.name), tournament.ErrNoRelay)
		directortest.Refused(b.t, "no relay was ever there", post(b.timeout(), tournament.RelayAddress("ada", "wolf")), tournament.ErrNoRelay)

		ctx, stop := context.WithCancel(b.t.Context())
		got := b.send(ctx, "left")
		l := b.one("r1")
		stop()
		if s := <-got; !errors.Is(s.err, context.Canceled) {
			b.t.Errorf("got %v, want that we stopped", s.err)
		}
		directortest.Refused(b.t, "an answer after the end", b.Answer(b.t.Context(), b.name, l.ID, said("late")), tournament.ErrState)

		ctx, cancel = context.WithTimeout(b.t.Context(), time.Second)
		defer cancel()
		done := make(chan error, 1)
		b.sent.Go(func() { done <- post(ctx, b.name) })
		b.one("r1")
		if err := <-done; !errors.Is(err, context.DeadlineExceeded) {
			b.t.Errorf("fetched and never answered: got %v, want the deadline", err)
		}
		must.Same(b.t, "messages that stay behind", len(b.fetch("r3", 0)), 0)
		if _, err := b.Exchange(b.t.Context(), b.name, tournament.Message{}); err == nil {
			b.t.Error("a message without a deadline was taken")
		}
	})
}

func (b *box) timeout() context.Context {
	ctx, cancel := context.WithTimeout(b.t.Context(), patience)
	b.t.Cleanup(cancel)
	return ctx
}

func TestAMailboxIsBounded(t *testing.T) {
	boxes(t, func(b *box) {
		ctx, stop := context.WithCancel(b.t.Context())
		defer stop()
		var all []<-chan sent
		for i := range tournament.MaxMessages {
			all = append(all, b.send(ctx, fmt.Sprint(i)))
		}
		held := []string{}
		for len(held) < tournament.MaxMessages { // when all are fetched, all are there
			list, err := b.Fetch(b.t.Context(), b.name, mailbox.Holder{Relay: "r1", Holds: held, Room: tournament.MaxRelayRoom, Wait: patience})
			if err != nil || len(list) > tournament.MaxRelayRoom {
				b.t.Fatalf("got %d messages (%v), want at most %d", len(list), err, tournament.MaxRelayRoom)
			}
			for _, l := range list {
				held = append(held, l.ID)
			}
		}
		directortest.Refused(b.t, "one more", directortest.Err(b.Exchange(b.timeout(), b.name, tournament.Message{Body: []byte("too much")})), tournament.ErrNoRelay)
		stop()
		for _, c := range all {
			<-c
		}
	})
}

// Several relays of one bot share its messages: with four of them at work each of many messages is answered by one.
func TestSeveralRelaysShareTheMessages(t *testing.T) {
	boxes(t, func(b *box) {
		ctx, stop := context.WithCancel(b.t.Context())
		var relays sync.WaitGroup
		var mu sync.Mutex
		seen := map[string]int{}
		for i := range 4 {
			relays.Go(func() {
				for ctx.Err() == nil {
					list, _ := b.Fetch(ctx, b.name, mailbox.Holder{Relay: fmt.Sprint("s", i), Room: 1, Wait: patience})
					for _, l := range list {
						mu.Lock()
						seen[string(l.Body)]++
						mu.Unlock()
						if err := b.Answer(ctx, b.name, l.ID, said("re: "+string(l.Body))); err != nil {
							b.t.Error(err)
						}
					}
				}
			})
		}
		var all []<-chan sent
		for i := range 60 {
			all = append(all, b.send(ctx, fmt.Sprint(i)))
		}
		for i, c := range all {
			if s := <-c; s.err != nil || string(s.answer.Body) != fmt.Sprintf("re: %d", i) {
				b.t.Errorf("message %d: got %+v", i, s)
			}
		}
		stop()
		relays.Wait()
		for text, n := range seen {
			if n != 1 {
				b.t.Errorf("message %s was handed out %d times, want once", text, n)
			}
		}
		must.Same(b.t, "messages that were handed out", len(seen), 60)
	})
}

func TestMailboxesAreApart(t *testing.T) {
	boxes(t, func(b *box) {
		ctx, stop := context.WithCancel(b.t.Context())
		defer stop()
		b.send(ctx, "mine")
		b.one("r1")
		b.send(ctx, "also mine")
		for _, name := range []string{tournament.RelayAddress("ada", "wolf"), tournament.RelayAddress("bob", "fox"), "relay://ada/%", ""} {
			if list, err := b.Fetch(ctx, name, mailbox.Holder{Relay: "r1", Room: 9}); err != nil || len(list) != 0 {
				b.t.Errorf("%s: got %d messages (%v), want none", name, len(list), err)
			}
		}
		if name := tournament.RelayAddress("ada", "FOX"); name != b.name {
			b.t.Errorf("got %s, want %s: names are the same in any case", name, b.name)
		}
	})
}

// Relays reach their mailbox by the API: a message for which that was away, or to which no relay is back yet, is not theirs to answer.
func TestAnAPIThatWasAwayIsNoFaultOfARelay(t *testing.T) {
	t.Parallel()
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		b := newBox(t, open)
		stop := b.serve()
		b.fetch("r1", 0)
		b.post("it serves, and nobody fetches", tournament.ErrNoRelay)
		stop()
		b.post("it is away", tournament.ErrUnserved)
		ctx, cancel := context.WithTimeout(b.t.Context(), 2*time.Second)
		defer cancel()
		got := b.send(ctx, "held")
		b.one("r1")
		stop = b.serve()
		directortest.Refused(b.t, "it was away while a relay had the message", (<-got).err, tournament.ErrUnserved)
		stop()
		time.Sleep(10 * time.Millisecond)
		b.serve()
		b.post("the relay is not back", tournament.ErrUnserved)
		b.fetch("r1", 0)
		b.post("the relay is back, and does not fetch", tournament.ErrNoRelay)
	})
}

// What a relay answers after all, when the API is back, is not charged with the time in which nobody could bring it; also if the API was away
// too shortly for anybody to see it.
func TestATurnThatOutlastsTheAPIIsNotChargedForIt(t *testing.T) {
	boxes(t, func(b *box) {
		for _, again := range []bool{false, true} {
			must.OK(b.t, b.Attend(b.t.Context(), "api", 0))
			must.OK(b.t, b.Attend(b.t.Context(), "api since", -time.Hour))
			got := b.send(b.t.Context(), "held")
			id := b.one("r1").ID
			if again {
				b.serve()
			}
			time.Sleep(400 * time.Millisecond) // the turn takes so long
			must.OK(b.t, b.Answer(b.t.Context(), b.name, id, said("after all")))
			if s := <-got; s.err != nil || (s.answer.Free > 0) != again {
				b.t.Errorf("the API came back: %v; free of charge: %v (%v)", again, s.answer.Free, s.err)
			}
		}
	})
}

// A process that is killed leaves a mark that is not old yet: whether it serves shows at the next.
func TestAnAPIThatWasKilledAMomentAgoIsNoFaultOfARelay(t *testing.T) {
	t.Parallel()
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		b := newBox(t, open)
		must.OK(t, b.Attend(t.Context(), "api since", -time.Hour))
		must.OK(t, b.Attend(t.Context(), "api", -1500*time.Millisecond))
		b.post("the API was killed", tournament.ErrUnserved)
	})
}

// Of two processes that serve, one is lost with its machine: the relays that it had hang, and then come to the other.
func TestAProcessThatIsLostBesideAnotherIsNoFaultOfARelay(t *testing.T) {
	t.Parallel()
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		b := newBox(t, open)
		ctx, cancel := context.WithCancel(b.t.Context())
		var serving sync.WaitGroup
		for range 2 {
			serving.Go(func() { b.MarkServing(ctx) })
		}
		defer serving.Wait()
		defer cancel()
		b.marks(2)
		must.OK(t, b.Attend(ctx, "api since", -time.Hour))
		b.post("both serve, and nobody fetches", tournament.ErrNoRelay)
		must.OK(t, b.Attend(ctx, "api of the lost", -2*time.Second))
		b.post("one was lost a moment ago", tournament.ErrUnserved)
		got := b.send(ctx, "held")
		id := b.one("r1").ID
		time.Sleep(400 * time.Millisecond) // the turn takes so long
		b.marks(2)                         // the others have seen it
		must.OK(t, b.Answer(ctx, b.name, id, said("after all")))
		if s := <-got; s.err != nil || s.answer.Free == 0 {
			t.Errorf("a turn meanwhile: %v, free of charge: %v", s.err, s.answer.Free)
		}
		b.fetch("r1", 0)
		b.post("the relay is back, and does not fetch", tournament.ErrNoRelay)
		must.OK(t, b.Attend(ctx, "api since", -30*time.Second))
		must.OK(t, b.Attend(ctx, "api of the lost", -3500*time.Millisecond))
		b.marks(2)
		b.post("it is always slow, and the relay does not fetch", tournament.ErrNoRelay)
	})
}

// A file of SQLite into which a backup of a Postgres was restored holds the marks of processes that served there.
func TestOnSQLiteNoMarkOfAPostgresExcusesARelay(t *testing.T) {
	storetest.SQLite(t, func(t *testing.T, open storetest.Open) {
		b := newBox(t, open)
		must.OK(t, b.Attend(t.Context(), "api", -time.Minute))
		must.OK(t, b.Attend(t.Context(), "api since", -time.Minute))
		b.post("nobody fetches", tournament.ErrNoRelay)
	})
}

// The relays of a platform that starts again are not back at once, however long it was away. Whoever sweeps up first forgets none of them.
func TestARelayMayComeBackToAPlatformThatStartsAgain(t *testing.T) {
	boxes(t, func(b *box) {
		for _, away := range []time.Duration{20 * time.Second, 2 * time.Hour} {
			must.OK(b.t, b.Attend(b.t.Context(), b.name, -away))
			must.OK(b.t, b.Attend(b.t.Context(), "api", -away))
			must.OK(b.t, b.Attend(b.t.Context(), "api since", -24*time.Hour))
			if b.Pool() != nil { // one process alone has a file of SQLite
				b.Boxes.Tidy(b.t.Context())
			}
			stop := b.serve()
			b.Boxes.Tidy(b.t.Context())
			b.post(fmt.Sprintf("%v away, the relay is not back", away), tournament.ErrUnserved)
			stop()
		}
	})
}
