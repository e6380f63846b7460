package author

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/internal/must"
)

// link answers for a platform.
type link func(*http.Request) (*http.Response, error)

func (f link) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A link that was cut on the way says nothing more. Before the mailbox takes no messages, it is made again.
func TestALinkThatIsSilentIsMadeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		begin, tries := time.Now(), 0
		way := link(func(r *http.Request) (*http.Response, error) {
			if tries++; tries == 2 { // the first call to come back once the link is up
				<-r.Context().Done()
				return nil, r.Context().Err()
			}
			if tries == 3 {
				end()
			}
			w := httptest.NewRecorder()
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.WriteString(`{"data":[]}`)
			return w.Result(), nil
		})
		var said []string
		r, err := newRelay(&client.Client{Base: "http://platform", HTTP: &http.Client{Transport: way}}, "fox", "http://bot", 1, func(format string, _ ...any) { said = append(said, format) })
		must.OK(t, err)
		must.OK(t, r.run(ctx))
		if took := time.Since(begin); took > 16*time.Second || len(said) != 2 || !strings.Contains(said[1], "broke, and is made again") {
			t.Errorf("the link was silent for %v, and connect said %q", took, said)
		}
	})
}
