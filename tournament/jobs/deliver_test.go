package jobs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/queue"
)

// receiver takes events on loopback and keeps those whose signature is good.
type receiver struct {
	*httptest.Server
	status atomic.Int32 // of every answer
	mu     sync.Mutex
	kinds  []string
	ids    []string
	bad    int
}

const hookSecret = "whsec_QUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJD"

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	keys, err := protocol.ParseKeys(hookSecret)
	if err != nil {
		t.Fatal(err)
	}
	r := &receiver{}
	r.status.Store(204)
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, err := io.ReadAll(q.Body)
		r.mu.Lock()
		defer r.mu.Unlock()
		if err != nil || keys.Verify(q.Header, body, time.Now()) != nil {
			r.bad++
		}
		kind, _, _ := strings.Cut(strings.TrimPrefix(string(body), `{"type":"`), `"`)
		r.kinds, r.ids = append(r.kinds, kind), append(r.ids, q.Header.Get("webhook-id"))
		w.WriteHeader(int(r.status.Load()))
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) got() (kinds, ids []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.kinds), slices.Clone(r.ids)
}

// deliverer sends through the guard, which is open to loopback alone.
func deliverer(t *testing.T) func(context.Context, tournament.Webhook, tournament.Delivery) (tournament.Attempt, error) {
	t.Helper()
	client := httpbot.NewClient(httpbot.Options{Guard: httpbot.Guard{AllowPrivate: httpbot.Loopback().AllowPrivate}})
	t.Cleanup(client.Close)
	return func(ctx context.Context, w tournament.Webhook, d tournament.Delivery) (tournament.Attempt, error) {
		return httpbot.Deliver(ctx, httpbot.Config{URL: w.URL, Secrets: w.Secrets(time.Now()), Client: client}, d.ID, d.Payload)
	}
}

func (w *world) hook(userID, url string) tournament.Webhook {
	w.T.Helper()
	return must.Get(w.CreateWebhook(w.Ctx, tournament.Webhook{UserID: userID, URL: url, Secret: hookSecret}, 10))(w.T)
}

// Discord and e-mail are sent words with names and a link, in place of ids.
func TestPeopleAreSentWords(t *testing.T) {
	const public = "https://molerun.example"
	storetest.One(t, func(t *testing.T, open storetest.Open) {
		w := liveWorld(t, open(store.Options{Public: public}))
		tour := w.tournament(2, `{"steps":1}`)
		hooks := map[tournament.WebhookFormat]tournament.Webhook{}
		for _, f := range []tournament.WebhookFormat{tournament.FormatDiscord, tournament.FormatMail} {
			h := must.Get(w.CreateWebhook(w.Ctx, tournament.Webhook{UserID: tour.OrganiserID, URL: newReceiver(t).URL, Secret: hookSecret, Format: f}, 10))(w.T)
			hooks[f] = h
		}
		c := w.config(newBots())
		c.Slots = 1 // two that end at once are open at once
		c.Deliver = deliverer(t)
		stop := w.run(c)
		for f, h := range hooks {
			w.until(fmt.Sprintf("everything is delivered to %s", f), func() bool {
				list := w.deliveries(h)
				return len(list) == 4 && !slices.ContainsFunc(list, func(d tournament.Delivery) bool { return d.Status != tournament.DeliveryDelivered })
			})
		}
		stop()
		bots := map[string]string{}
		for _, e := range must.Get(w.Entries(w.Ctx, tour.ID))(w.T) {
			bots[e.BotID] = e.BotName
		}
		for f, h := range hooks {
			open := 0
			for _, d := range w.deliveries(h) {
				var got struct {
					Type                string
					Subject, Text, Link string
					Embeds              []struct{ Title, Description, URL string }
				}
				w.Must(json.Unmarshal(d.Payload, &got))
				if f == tournament.FormatDiscord {
					got.Subject, got.Text, got.Link = strings.ReplaceAll(got.Embeds[0].Title, `\`, ""), strings.ReplaceAll(got.Embeds[0].Description, `\`, ""), got.Embeds[0].URL
				} else if got.Type != string(d.Kind) {
					t.Errorf("%s: %s is of type %q", f, d.Payload, got.Type)
				}
				if !strings.Contains(got.Subject, tour.Name) {
					t.Errorf("%s: the subject %q of %s does not name %s", f, got.Subject, d.Kind, tour.Name)
				}
				page := "/tournaments/" + tour.ID
				if d.Kind == tournament.EventMatchFinished {
					page = "/matches/"
				}
				if !strings.HasPrefix(got.Link, public+page) {
					t.Errorf("%s: %s leads to %q, want %s", f, d.Kind, got.Link, public+page)
				}
				if d.Kind != tournament.EventMatchFinished || strings.HasPrefix(got.Text, "Who came where is shown once") { // the other on its seed is played
					continue
				}
				open++
				for id, name := range bots {
					if !strings.HasPrefix(got.Text, "1. ") || !strings.Contains(got.Text, name) || strings.Contains(got.Text, id) {
						t.Errorf("%s: a match is over with %q, want who came where, %s among them", f, got.Text, name)
					}
				}
			}
			if open != 1 {
				t.Errorf("%s: the results of %d matches are open, want 1: the other was sealed when it ended", f, open)
			}
		}
	})
}

func (w *world) deliveries(h tournament.Webhook) []tournament.Delivery {
	w.T.Helper()
	list := must.First(w.Deliveries(w.Ctx, h.ID, store.Page{Sort: store.Oldest}))(w.T)
	return list
}

func TestOwnersAreSentWhatConcernsThemOnce(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		tour := w.tournament(2, `{"steps":1}`)
		r, none := newReceiver(t), newReceiver(t)
		stranger := w.NewUser("stranger")
		h := w.hook(tour.OrganiserID, r.URL)
		w.hook(stranger.ID, none.URL)
		w.Did(w.ChangeWebhook(w.Ctx, h.ID, func(h *tournament.Webhook) error {
			*h = h.Rotated("whsec_REVGREVGREVGREVGREVGREVGREVGREVG", time.Now()) // the receiver knows the old one still
			return nil
		}))
		c := w.config(newBots())
		c.Deliver = deliverer(t)
		stop := w.run(c)
		w.until("everything is delivered", func() bool {
			list := w.deliveries(h)
			return len(list) == 4 && !slices.ContainsFunc(list, func(d tournament.Delivery) bool { return d.Status != tournament.DeliveryDelivered })
		})
		stop()
		kinds, ids := r.got()
		slices.Sort(kinds)
		if want := []string{"match.finished", "match.finished", "tournament.finished", "tournament.started"}; !slices.Equal(kinds, want) {
			t.Errorf("got %v, want %v", kinds, want)
		}
		slices.Sort(ids)
		if len(slices.Compact(ids)) != 4 || r.bad != 0 {
			t.Errorf("got ids %v and %d bad signatures, want four ids, all signed", ids, r.bad)
		}
		if others, _ := none.got(); len(others) != 0 {
			t.Errorf("a stranger got %v", others)
		}
	})
}

func TestWhatADeadWorkerWithAWrongClockHadIsSentSoon(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		tour := w.tournament(2, `{"steps":1}`)
		r := newReceiver(t)
		h := w.hook(tour.OrganiserID, r.URL)
		stop := w.run(w.config(newBots())) // it plays, and sends nothing
		w.until("all is over", func() bool { return len(w.deliveries(h)) == 4 })
		stop()
		w.Must(w.SQL(w.Ctx).Exec("UPDATE deliveries SET next_at = ?", time.Now().UTC().Add(time.Hour)).Error)
		w.Must(w.SQL(w.Ctx).Exec("UPDATE river_job SET state = 'running', attempted_at = ? WHERE kind = 'deliver_event'",
			time.Now().UTC().Add(-time.Hour).Truncate(time.Second)).Error)
		c := w.config(newBots())
		c.Deliver = deliverer(t)
		stop = w.run(c)
		w.until("everything is delivered", func() bool {
			return !slices.ContainsFunc(w.deliveries(h), func(d tournament.Delivery) bool { return d.Status != tournament.DeliveryDelivered })
		})
		stop()
		if _, ids := r.got(); len(ids) != 4 {
			t.Errorf("got %d deliveries, want 4", len(ids))
		}
	})
}

// paused returns a bot of which r, which fails, hears that it is paused.
func (w *world) paused(r *receiver) (tournament.Bot, tournament.Webhook) {
	w.T.Helper()
	b := w.NewBot("bot", w.Org)
	r.status.Store(500)
	h := w.hook(w.Org.ID, r.URL)
	w.Did(w.Greet(b.ID, "down"))
	return b, h
}

// A user whose receivers take as long as they may holds up no message to others, and gets every message once they answer.
func TestSlowReceiversHoldUpTheirOwnersMessagesAlone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := liveWorld(t, open(store.Options{}))
		slow, other := w.NewUser("slow"), w.NewUser("other")
		var hooks []tournament.Webhook
		for range 10 {
			hooks = append(hooks, w.hook(slow.ID, "https://slow.example"))
		}
		quick := w.hook(other.ID, "https://quick.example")
		for _, owner := range []tournament.User{slow, other} {
			w.Did(w.PauseBot(w.Ctx, w.NewBot(owner.Name, owner).ID))
		}
		answers := make(chan struct{})
		c := w.config(newBots())
		c.Deliver = func(ctx context.Context, h tournament.Webhook, _ tournament.Delivery) (tournament.Attempt, error) {
			if h.UserID == other.ID {
				return tournament.Attempt{HTTPStatus: 204}, nil
			}
			select {
			case <-answers:
			case <-ctx.Done():
			}
			return tournament.Attempt{HTTPStatus: 204}, ctx.Err()
		}
		stop := w.run(c)
		delivered := func(h tournament.Webhook) bool {
			list := w.deliveries(h)
			return len(list) == 1 && list[0].Status == tournament.DeliveryDelivered
		}
		w.until("the other's message is delivered", func() bool { return delivered(quick) })
		close(answers)
		w.until("so are those of the slow", func() bool {
			return !slices.ContainsFunc(hooks, func(h tournament.Webhook) bool { return !delivered(h) })
		})
		stop()
	})
}

func TestAReceiverThatFailsIsTriedAgainAndThenNotAnyMore(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		r := newReceiver(t)
		b, h := w.paused(r)
		c := w.config(newBots())
		c.Deliver = deliverer(t)
		w.run(c)
		w.until("a first failure", func() bool { return w.deliveries(h)[0].Attempts == 1 })
		d := w.deliveries(h)[0]
		wait, _ := tournament.RetryAfter(1)
		if d.Status != tournament.DeliveryPending || d.HTTPStatus != 500 || d.Reason != "answered with status 500, want 2xx" || !d.NextAt.Equal(d.AttemptedAt.Add(wait)) {
			t.Errorf("got %+v, want it tried again after %v", d, wait)
		}
		// The job is lost with its worker, as it were: it is due long ago, and the sweeper makes another.
		r.status.Store(200)
		w.Must(w.SQL(w.Ctx).Exec("UPDATE deliveries SET next_at = ?", time.Now().UTC().Add(-time.Hour)).Error)
		w.until("it got through", func() bool { return w.deliveries(h)[0].Status == tournament.DeliveryDelivered })
		if d = w.deliveries(h)[0]; d.Attempts != 2 || d.Reason != "" {
			t.Errorf("got %+v, want the second try to have got through", d)
		}
		if now, err := w.Webhook(w.Ctx, h.ID); err != nil || now.FailingSince != nil || !now.Enabled {
			t.Errorf("got %+v (%v), want it well again", now, err)
		}
		if _, ids := r.got(); ids[0] != d.ID || ids[1] != d.ID {
			t.Errorf("got ids %v, want %s both times", ids, d.ID)
		}
		r.status.Store(410)
		w.Did(w.Redeliver(w.Ctx, h.ID, d.ID))
		w.until("the webhook is disabled", func() bool { now, err := w.Webhook(w.Ctx, h.ID); w.Must(err); return !now.Enabled })
		w.Did(w.Greet(b.ID, ""))
		if list := w.deliveries(h); len(list) != 1 || list[0].Status != tournament.DeliveryFailed {
			t.Errorf("got %+v, want nothing new and the old one given up", list)
		}
		if _, err := w.Redeliver(w.Ctx, h.ID, d.ID); !errors.Is(err, tournament.ErrState) {
			t.Errorf("redelivery to a disabled webhook: got %v, want %v", err, tournament.ErrState)
		}
	})
}

// A worker whose clock is wrong delays no try and hurries none, neither when it fails nor when it sweeps.
func TestAFailedDeliveryIsTriedAgainByTheDatabasesClock(t *testing.T) {
	for _, wrong := range []time.Duration{time.Hour, -time.Hour} {
		t.Run(wrong.String(), func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, open storetest.Open) {
				var off atomic.Int64
				off.Store(int64(wrong))
				w := liveWorld(t, open(store.Options{Now: func() time.Time { return time.Now().Add(time.Duration(off.Load())) }}))
				begun := time.Now()
				due := func(d tournament.Delivery, wait time.Duration) {
					t.Helper()
					if next := d.NextAt; next.Before(begun.Add(wait-time.Millisecond)) || next.After(time.Now().Add(wait)) {
						t.Errorf("after %d tries: the next is due in %v, want in %v", d.Attempts, time.Until(*next), wait)
					}
				}
				_, h := w.paused(newReceiver(t))
				due(w.deliveries(h)[0], 0)
				c := w.config(newBots())
				c.Deliver = deliverer(t)
				stop := w.run(c)
				w.until("a first failure", func() bool { return w.deliveries(h)[0].Attempts == 1 })
				stop()
				d := w.deliveries(h)[0]
				wait, _ := tournament.RetryAfter(1)
				due(d, wait)
				list := must.First(w.Jobs(w.Ctx, "scheduled", store.Page{}))(w.T)
				if !slices.ContainsFunc(list, func(j queue.Job) bool {
					return strings.Contains(string(j.Args), d.ID) && j.ScheduledAt.Equal(*d.NextAt)
				}) {
					t.Errorf("no job for %v in %+v", d.NextAt, list)
				}
				for _, sweeper := range []time.Duration{wrong, 0, -wrong} {
					off.Store(int64(sweeper))
					if n, err := w.SweepDeliveries(w.Ctx, 2*time.Minute); err != nil || n != 0 {
						t.Errorf("a sweep by a clock that is off by %v found %d deliveries (%v), want none", sweeper, n, err)
					}
				}
			})
		})
	}
}

func TestASilentRedeployIsToldToItsOwnerWhenTheMatchEnds(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		tour := w.tournament(2, `{"steps":3}`)
		h := w.hook(tour.OrganiserID, "http://127.0.0.1:1")
		all := newBots()
		c := w.config(all)
		c.Players = func(ctx context.Context, m *tournament.Match, seat game.Seat) (runner.Player, error) {
			p, err := all.player(ctx, m, seat)
			return redeployed{p}, err
		}
		w.run(c)
		w.until("the tournament is over", w.finished(tour.ID))
		told := 0
		for _, d := range w.deliveries(h) {
			if d.Kind != tournament.EventVersionRedeployed {
				continue
			}
			told++
			want := `"reason":"from step 3 on it answered as build \"b2\", before as \"b1\""`
			if !strings.Contains(string(d.Payload), want) || strings.Count(string(d.Payload), `"bot_id"`) != 1 {
				t.Errorf("got %s, want …%s…", d.Payload, want)
			}
		}
		if told != 2 {
			t.Errorf("told %d times, want once for each of the two matches", told)
		}
		events := must.Get(w.Feed(w.Ctx, "", 0, 100))(w.T)
		if slices.ContainsFunc(events, func(e tournament.Event) bool { return e.Kind == tournament.EventVersionRedeployed }) {
			t.Error("everybody hears of a redeploy")
		}
	})
}

// redeployed is a bot that answers as another build from the third decision on, if it is the first.
type redeployed struct{ runner.Player }

func (p redeployed) Ask(ctx context.Context, b runner.Briefing, a runner.Ask) runner.Reply {
	r := p.Player.Ask(ctx, b, a)
	r.Build = "b1"
	if own := p.Player.(*bot); own.m.Seats[own.seat].BotName == "bot0" && a.Step >= 2 {
		r.Build = "b2"
	}
	return r
}
