package web

import (
	"errors"
	"testing"
	"time"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/web/pictures"
	"github.com/molerun/molerun/internal/must"
)

func TestStrangersDoNotTakeTheProcessor(t *testing.T) {
	now := func() time.Time { return time.Unix(0, 0) }
	matches, err := live.NewMatches(nil, nil, live.Limits{Bytes: 1 << 20, Steps: httpx.Rate{Count: 2 * cardSteps, Per: time.Minute}, Keys: 9}, now)
	must.OK(t, err)
	s := &Pages{pictures: live.NewReplayCache[pictures.Card, []byte](matches.Replays())}
	card := func(caller, title string) ([]byte, error) {
		return s.picture(t.Context(), httpx.Caller{caller}, pictures.Card{Title: title})
	}
	first, err := card("a", "one")
	must.OK(t, err)
	if _, err := card("a", "two"); err != nil {
		t.Error(err)
	}
	var wait *httpx.WaitError
	if _, err := card("a", "three"); !errors.As(err, &wait) || wait.Wait != 30*time.Second {
		t.Errorf("a caller beyond their share gets %v, want a refusal that says to wait 30 s", err)
	}
	if _, err := card("b", "three"); err != nil {
		t.Errorf("another caller: %v", err)
	}
	again, err := card("a", "one")
	if err != nil || &again[0] != &first[0] {
		t.Errorf("a card that is kept is drawn again, or refused: %v", err)
	}
}
