package live

import (
	"bytes"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/molerun/molerun/internal/must"
)

// sentWriter counts the events that are written to it, and calls first at the first.
type sentWriter struct {
	*httptest.ResponseRecorder
	events int
	first  func()
}

func (w *sentWriter) SetWriteDeadline(time.Time) error { return nil }

func (w *sentWriter) Write(b []byte) (int, error) {
	none := w.events == 0
	if w.events += bytes.Count(b, []byte("\ndata:")); none && w.events > 0 {
		w.first()
	}
	return w.ResponseRecorder.Write(b)
}

// A reader with much to catch up with hears of the end of the token, and of the server's, before the next page.
func TestAReaderWithABacklogHearsOfTheEnd(t *testing.T) {
	for reason, end := range map[string]func(s *Streams){
		"token_ended": func(s *Streams) { s.hub.end("token") },
		"shutdown":    (*Streams).Close,
	} {
		s, err := NewStreams(nil, slog.Default(), time.Now, time.Second, prometheus.NewRegistry())
		must.OK(t, err)
		w := &sentWriter{ResponseRecorder: httptest.NewRecorder(), first: func() { end(s) }}
		backlog := int64(20 * pageItems)
		must.OK(t, s.Serve(t.Context(), w, "events", &counter{n: backlog}, backlog, Reader{TokenID: "token", Log: slog.Default(), Begun: func() {}}))
		if w.events > 2*pageItems || !strings.Contains(w.Body.String(), reason) {
			t.Errorf("%s: %d events of %d were sent, and at the end %q", reason, w.events, backlog, w.Body.String()[max(0, w.Body.Len()-80):])
		}
		s.Close()
	}
}
