package notify_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/tournament/notify"
)

// heard is what a listener heard.
type heard struct {
	mu   sync.Mutex
	list []string
}

func (h *heard) wake(topic string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list = append(h.list, topic)
}

func (h *heard) all() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.list)
}

func rang(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func TestWhoWaitsIsToldOfItsTopicAlone(t *testing.T) {
	b := notify.New(nil, nil, nil)
	defer b.Close()
	fox, leaveFox := b.Wait(notify.Box("fox"))
	owl, leaveOwl := b.Wait(notify.Box("owl"))
	defer leaveOwl()
	b.PublishNow(t.Context(), notify.Box("fox"))
	if !rang(fox) {
		t.Error("its own topic: not told")
	}
	if rang(owl) {
		t.Error("another's topic: told")
	}
	b.Publish(notify.Box("owl"), notify.Box("owl"))
	if !rang(owl) || rang(owl) {
		t.Error("two changes before a look: want told once")
	}
	b.Publish(notify.Everything)
	if !rang(fox) || !rang(owl) {
		t.Error("everything may have changed: not all are told")
	}
	leaveFox()
	b.Publish(notify.Box("fox"))
	if rang(fox) {
		t.Error("told after it has left")
	}
}

func TestAListenerHearsOfEveryTopicUntilItEnds(t *testing.T) {
	b := notify.New(nil, nil, nil)
	defer b.Close()
	var h heard
	ctx, stop := context.WithCancel(t.Context())
	var listening sync.WaitGroup
	listening.Go(func() { b.Listen(ctx, h.wake) })
	for len(h.all()) == 0 { // its first news is to look at everything
		time.Sleep(time.Millisecond)
	}
	b.Publish(notify.Feed, notify.Match("1"))
	stop()
	listening.Wait()
	b.Publish(notify.Tournament("2"))
	if got, want := h.all(), []string{notify.Everything, notify.Feed, notify.Match("1")}; !slices.Equal(got, want) {
		t.Errorf("heard %q, want %q", got, want)
	}
}

func TestNewsArePublicEvents(t *testing.T) {
	b := notify.New(nil, nil, nil)
	defer b.Close()
	before := b.News()
	b.Publish(notify.Match("1"), notify.Tournament("2"))
	if b.News() != before {
		t.Error("a step of a match is none")
	}
	for _, topic := range []string{notify.Feed, notify.Everything} {
		b.Publish(topic)
		if now := b.News(); now == before {
			t.Errorf("topic %q is one", topic)
		} else {
			before = now
		}
	}
}
