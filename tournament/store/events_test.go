package store_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/notify"
	"github.com/molerun/molerun/tournament/store"
)

// feed is a stream read to its end in pages of three, as "kind" in order; its numbers must have no gap.
func (w *world) feed(tournamentID string) (kinds []string, list []tournament.Event) {
	w.T.Helper()
	for after := int64(0); ; {
		page := must.Get(w.Feed(w.Ctx, tournamentID, after, 3))(w.T)
		for _, e := range page {
			if after++; e.Seq != after {
				w.T.Fatalf("event %s has number %d after %d", e.Kind, e.Seq, after-1)
			}
			kinds, list = append(kinds, string(e.Kind)), append(list, e)
		}
		if len(page) < 3 {
			end := must.Get(w.FeedEnd(w.Ctx, tournamentID))(w.T)
			if end != after {
				w.T.Errorf("the stream ends at %d, read to %d", end, after)
			}
			return kinds, list
		}
	}
}

func TestEventsTellWhatHasHappenedOnceAndInOrder(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x, list := w.Running(3, nil)
		first := w.Take(list[0])
		w.Must(w.Finish(w.Ctx, first, directortest.Won(first, 0), nil))
		w.Did(w.PauseTournament(w.Ctx, x.ID))
		w.Did(w.ResumeTournament(w.Ctx, x.ID))
		y, others := w.Running(2, func(x *tournament.Tournament) { x.Duplicate = true })
		begun := w.Take(others[0])
		w.Must(w.Release(w.Ctx, begun.ID, begun.Epoch))
		w.Take(w.Reload(begun.ID)) // a second attempt is no second start
		w.Did(w.Cancel(w.Ctx, y.ID, "rain"))

		got, events := w.feed(x.ID)
		want := "tournament.created tournament.started match.started match.finished tournament.standings tournament.paused tournament.resumed"
		for _, e := range events {
			if e.TournamentID != x.ID || e.Game != storetest.Toy || (e.MatchID != "" && e.MatchID != first.ID) {
				t.Errorf("got %+v, want it about the tournament and its match", e)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("of the first got %q\nwant %q", s, want)
		}
		got, events = w.feed(y.ID)
		if s := strings.Join(got, " "); s != "tournament.created tournament.started match.started tournament.cancelled match.void match.void" || events[3].Reason != "rain" {
			t.Errorf("of the second got %q, reason %q", s, events[3].Reason)
		}
		all, _ := w.feed("")
		if at := slices.Index(all, "ladder.rated"); at != slices.Index(all, "match.finished")+2 || !slices.Contains(all[at:], "tournament.cancelled") {
			t.Errorf("all there is: got %v, want the rating after the result, and the cancelling", all)
		}
	})
}

func TestReadersInManyProcessesSeeOneGapFreeStream(t *testing.T) {
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		stores := []*store.Store{w.Store, open(store.Options{}), open(store.Options{})}
		const writers, each = 3, 20
		done := make(chan struct{})
		var readers, writing sync.WaitGroup
		seen := make([][]string, len(stores))
		for i, s := range stores {
			readers.Go(func() { // reads on as events come; what was read is final
				for after, last := int64(0), false; ; {
					page, err := s.Feed(w.Ctx, "", after, 7)
					if err != nil {
						t.Error(err)
						return
					}
					for _, e := range page {
						if after++; e.Seq != after {
							t.Errorf("reader %d: got number %d after %d", i, e.Seq, after-1)
							return
						}
						seen[i] = append(seen[i], e.ID)
					}
					if len(page) > 0 {
						continue
					}
					if last {
						return
					}
					select {
					case <-done:
						last = true // once more: all is committed now
					default:
					}
				}
			})
		}
		for i := range writers {
			writing.Go(func() {
				for range each {
					if _, err := directortest.New(stores[i]).CreateTournament(w.Ctx, w.Draft()); err != nil {
						t.Error(err)
					}
				}
			})
		}
		writing.Wait()
		close(done)
		readers.Wait()
		for i := range seen {
			if len(seen[i]) != writers*each || !slices.Equal(seen[i], seen[0]) {
				t.Errorf("reader %d saw %d events, want the same %d as everybody", i, len(seen[i]), writers*each)
			}
		}
	})
}

// heard collects topics.
type heard struct {
	mu   sync.Mutex
	seen map[string]int
}

func (h *heard) wake(topic string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.seen == nil {
		h.seen = map[string]int{}
	}
	h.seen[topic]++
}

func (h *heard) has(topic string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.seen[topic] > 0
}

func (w *world) until(what string, ok func() bool) {
	w.T.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			w.T.Fatalf("waited a minute for: %s", what)
		}
	}
}

// listen runs Listen until the test ends.
func (w *world) listen(s *store.Store, h *heard) {
	ctx, stop := context.WithCancel(w.Ctx)
	var wg sync.WaitGroup
	wg.Go(func() { s.Bus().Listen(ctx, h.wake) })
	w.T.Cleanup(func() { stop(); wg.Wait() })
}

func TestListenersAreWokenByWhoeverWrites(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		var h heard
		listening := w.Store
		if w.SQL(w.Ctx).Name() == "postgres" {
			listening = open(store.Options{}) // another process
		}
		w.listen(listening, &h)
		x, list := w.Running(2, nil)
		m := w.Take(list[0])
		w.until("the listener is there", func() bool {
			w.Must(w.Renew(w.Ctx, m.ID, m.Epoch, directortest.Lease))
			_, err := w.CreateTournament(w.Ctx, x) // the id is taken: nothing happens and nobody is woken
			return err != nil && (listening == w.Store || h.has(""))
		})
		w.Must(w.AppendStep(w.Ctx, m.ID, m.Epoch, directortest.Step(1, 2)))
		w.until("the step", func() bool { return h.has(notify.Match(m.ID)) })
		w.Must(w.Finish(w.Ctx, m, directortest.Won(m, 0), nil))
		w.until("the feed", func() bool { return h.has(notify.Feed) && h.has(notify.Tournament(x.ID)) })
	})
}

func TestAListenerThatLostItsConnectionComesBackAndLooksAtEverything(t *testing.T) {
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		var h heard
		w.listen(open(store.Options{}), &h)
		w.until("it listens", func() bool { return h.has("") })
		h.mu.Lock()
		clear(h.seen)
		h.mu.Unlock()
		w.Must(w.SQL(w.Ctx).Exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN molerun'").Error)
		w.until("it listens again", func() bool { return h.has("") })
		x := w.Plan(nil)
		w.until("it hears again", func() bool { return h.has(notify.Tournament(x.ID)) })
	})
}

func TestOldEventsAndDeliveriesAreForgottenButNotWhatIsStillCounted(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open)
		w.Clock.Move(time.Since(w.Clock.Now())) // ids of events follow the system's clock
		w.Use(open(store.Options{Now: w.Clock.Now, KeepEvents: 24 * time.Hour}))
		h := must.Get(w.CreateWebhook(w.Ctx, tournament.Webhook{UserID: w.Org.ID, URL: "http://hook", Secret: "whsec_1"}, 9))(w.T)
		_, list := w.Running(2, nil)
		m := w.Take(list[0])
		w.Must(w.Finish(w.Ctx, m, directortest.Won(m, 0), nil))
		y, _ := w.Running(2, nil)
		w.Must(w.SQL(w.Ctx).Exec("UPDATE deliveries SET status = 'delivered', next_at = NULL WHERE kind = 'tournament.finished'").Error)
		tidy := func() {
			w.Must(w.LogCheck(w.Ctx, tournament.Check{BotID: m.Seats[0].BotID, VersionID: m.Seats[0].VersionID}))
		}
		kept := func() (events []tournament.Event, end int64, sent int) {
			events = must.Get(w.Feed(w.Ctx, "", 0, 100))(w.T)
			end = must.Get(w.FeedEnd(w.Ctx, ""))(w.T)
			deliveries := must.First(w.Deliveries(w.Ctx, h.ID, store.Page{}))(w.T)
			return events, end, len(deliveries)
		}
		tidy()
		all, end, sent := kept()
		if int64(len(all)) != end || sent < 3 {
			t.Fatalf("got %d events to number %d and %d deliveries, want all and more than two", len(all), end, sent)
		}
		w.Clock.Move(25 * time.Hour)
		tidy()
		got, last, left := kept()
		for _, e := range got {
			if e.TournamentID != y.ID {
				t.Errorf("got %+v, want only what is of the tournament that runs", e)
			}
		}
		if len(got) != 2 || last != end || left != sent-1 {
			t.Errorf("got %d events to number %d and %d deliveries, want 2, %d and %d: all but the one that got through", len(got), last, left, end, sent-1)
		}
		w.Did(w.PauseTournament(w.Ctx, y.ID))
		if next, err := w.Feed(w.Ctx, y.ID, 2, 9); err != nil || len(next) != 1 || next[0].Seq != 3 {
			t.Errorf("got %+v (%v), want the numbers to go on", next, err)
		}
		if now, _, _ := kept(); now[len(now)-1].Seq != end+1 {
			t.Errorf("got %+v, want number %d", now, end+1)
		}
	})
}
