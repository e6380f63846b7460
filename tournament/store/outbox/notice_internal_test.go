package outbox

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/tournament"
)

func TestEveryEventThatIsSentHasWords(t *testing.T) {
	seen := map[string]tournament.EventKind{}
	for _, k := range tournament.WebhookKinds() {
		s := subject(k, "Friday", "fox")
		if strings.Contains(s, ".") || !strings.Contains(s, "Friday") && !strings.Contains(s, "fox") && k != tournament.EventAccountLinked {
			t.Errorf("%s is %q, want a sentence about what it concerns", k, s)
		}
		if other, twice := seen[s]; twice {
			t.Errorf("%s and %s are both %q", k, other, s)
		}
		seen[s] = k
	}
}
