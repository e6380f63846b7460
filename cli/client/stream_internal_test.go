package client

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// inMemory answers requests without a network, so that the time of a test can be that of its bubble.
type inMemory http.HandlerFunc

func (x inMemory) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	w := httptest.NewRecorder()
	x(w, r)
	return w.Result(), nil
}

// A platform that says how long to wait is not silent while one waits.
func TestALongAnswerWaitsAsLongAsItIsTold(t *testing.T) {
	usual := http.DefaultTransport
	defer func() { http.DefaultTransport = usual }()
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		http.DefaultTransport = inMemory(func(w http.ResponseWriter, _ *http.Request) {
			if asked++; asked <= 4 {
				w.Header().Set("Retry-After", "30")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			fmt.Fprint(w, "all")
		})
		var got strings.Builder
		began := time.Now()
		if err := New("http://molerun.test").Stream(t.Context(), "/v1/export", &got); err != nil || got.String() != "all" || time.Since(began) != 2*time.Minute {
			t.Errorf("got %q after %s: %v, want all after two minutes", got.String(), time.Since(began), err)
		}
	})
}
