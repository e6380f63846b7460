package organiser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/internal/must"
)

// A platform keeps the events of a tournament that is over for some days: whoever watches it later sees what is left, and the standings.
func TestATournamentThatIsOverIsWatchedWithWhatIsKeptOfItsEvents(t *testing.T) {
	over := time.Now()
	for name, events := range map[string][]wire.Event{
		"none":         nil,
		"but the end":  {{ID: 7, Event: "tournament.started", At: over}, {ID: 8, Event: "tournament.paused", At: over}},
		"from the end": {{ID: 9, Event: "tournament.resumed", At: over}, {ID: 10, Event: "tournament.finished", At: over}},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if !strings.HasSuffix(r.URL.Path, "/events") {
					fmt.Fprint(w, `{"data":[{"rank":1,"bot":"fox"}],"next_cursor":null}`)
					return
				}
				if strings.Contains(r.Header.Get("Accept"), "event-stream") {
					t.Error("a stream that has no end is followed")
					w.WriteHeader(http.StatusNotFound)
					return
				}
				after, _ := strconv.ParseInt(r.FormValue("after"), 10, 64)
				page := wire.Events{Last: after}
				for _, e := range events { // one at a time
					if e.ID > after && len(page.Data) == 0 {
						page = wire.Events{Data: []wire.Event{e}, Last: e.ID}
					}
				}
				must.OK(t, json.NewEncoder(w).Encode(page))
			}))
			t.Cleanup(server.Close)
			var out strings.Builder
			o := &calls{Group: &account.Group{Console: command.Console{Out: &out, Err: &out}}}
			must.OK(t, o.watch(t.Context(), client.New(server.URL), wire.Tournament{ID: "x", Status: "finished", EndedAt: &over}, nil))
			if said := out.String(); strings.Count(said, over.Local().Format("15:04:05")) != len(events) || !strings.Contains(said, "fox") {
				t.Errorf("%d events are kept, and it says %s", len(events), said)
			}
		})
	}
}
