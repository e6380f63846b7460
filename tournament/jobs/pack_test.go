package jobs_test

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/storetest"
)

// heard is a log that tests read while it is written.
type heard struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (h *heard) Write(p []byte) (int, error) { h.mu.Lock(); defer h.mu.Unlock(); return h.b.Write(p) }

func (h *heard) says(s string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Contains(h.b.String(), s)
}

func TestAWorkerPacksOldDecisionsOnlyIfItIsTold(t *testing.T) {
	on(t, storetest.SQLite, func(t *testing.T, w *world) {
		tour := w.tournament(3, `{"steps":3}`)
		stop := w.run(w.config(newBots()))
		w.until("the end of the tournament", w.finished(tour.ID))
		stop()
		log := new(heard)
		c := w.config(newBots())
		c.Logger, c.Pack = slog.New(slog.NewTextHandler(log, nil)), time.Nanosecond
		stop = w.run(c)
		w.until("all six matches to be packed", func() bool { return log.says(`msg="old decisions packed" matches=6`) })
		stop()
		if n, err := w.Pack(t.Context(), 0, 100); err != nil || n != 0 {
			t.Errorf("%d matches were left (%v), want none", n, err)
		}
		for _, m := range w.matches(tour.ID) {
			if steps, err := w.Decisions(t.Context(), m.ID); err != nil || len(steps) != 3 {
				t.Errorf("match %s has %d steps (%v), want 3", m.ID, len(steps), err)
			}
		}
	})
}
