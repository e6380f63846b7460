package gate_test

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/internal/must"
)

// told holds the guide's words for each limit that a caller can meet; own lists those of a process, which callers do not meet as such.
var (
	told = map[string]string{
		"Default": "| all other requests | %s", "Following": "and what a match loads | %s", "Register": "| new users | %s", "Login": "| logins begun | %s", "FailedAuth": "| bad tokens, recovery codes and links | %s",
		"BadInvites": "| wrong invitation codes | %s", "Outbound": "| requests that call a bot | %s", "Relay": "(`/v1/relays`, `/mcp`) | %s", "Seat": "(`/play/GAME`) | %s",
		"Review": "| matches to be reviewed | %s", "Card": "| cards | %s", "Steps": "not cached | %s", "Bots": "| bots, versions of each | %s, ", "Versions": "| bots, versions of each | 20, %s |",
		"Tokens": "| live tokens, webhooks | %s, ", "Webhooks": "| live tokens, webhooks | 50, %s |", "Matches": "| matches of a tournament with a full field | %s |",
		"Calls": "| calls to bots and webhooks under way | %s for each", "Cards": " an hour and %s in all for each user", "CardsWaiting": "; %s wait to be checked", "Reviews": "while %s wait",
		"Tournaments": "class links | %s, ", "Schedules": "class links | 50, %s, ", "Series": "class links | 50, 20, %s, ", "ClassLinks": "class links | 50, 20, 50, %s;",
	}
	own = []string{"Keys", "Cache", "Streams", "AllStreams", "AllCalls", "SlowReader", "Guests", "Poll"}
)

func TestTheGuideTellsEveryLimit(t *testing.T) {
	page, err := os.ReadFile("../../docs/3-api.md")
	must.OK(t, err)
	_, section, _ := strings.Cut(string(page), "\n## Limits\n")
	section = strings.ReplaceAll(section, ",000", "000")
	limits := reflect.ValueOf(gate.DefaultLimits())
	for i := range limits.NumField() {
		name, says := limits.Type().Field(i).Name, fmt.Sprint(limits.Field(i))
		if rate, ok := limits.Field(i).Interface().(httpx.Rate); ok {
			says = fmt.Sprintf("%d %s", rate.Count, map[time.Duration]string{time.Minute: "a minute", time.Hour: "an hour"}[rate.Per])
		}
		if want := fmt.Sprintf(told[name], says); !slices.Contains(own, name) && (told[name] == "" || !strings.Contains(section, want)) {
			t.Errorf("%s is %s: docs/3-api.md does not say %q under Limits", name, says, want)
		}
	}
}
