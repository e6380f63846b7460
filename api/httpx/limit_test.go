package httpx

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/molerun/molerun/internal/must"
)

func TestALimiterRemembersOnlySoMany(t *testing.T) {
	l, err := NewLimiter("x", Rate{Count: 1, Per: time.Minute}, 10)
	must.OK(t, err)
	now := time.Unix(0, 0)
	for i := range 1000 {
		l.take(fmt.Sprint(i), 1, now)
	}
	if n := l.seen.Len(); n != 10 {
		t.Errorf("got %d callers remembered, want 10", n)
	}
	if l.take("999", 1, now).ok {
		t.Error("the last caller got a second request")
	}
}

// A caller gets at most Count requests at once and then one each Per/Count; what it hears of the rest is true.
func TestALimiterKeepsItsWord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count, seconds := rapid.IntRange(1, 50).Draw(t, "count"), rapid.IntRange(1, 3600).Draw(t, "seconds")
		r := Rate{Count: count, Per: time.Duration(seconds) * time.Second}
		l, err := NewLimiter("x", r, 4)
		must.OK(t, err)
		start := time.Unix(1_000_000, 0)
		now, taken := start, 0
		for range rapid.IntRange(1, 200).Draw(t, "requests") {
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(r.Per)/int64(count)*2).Draw(t, "wait")))
			q := l.take("a", 1, now)
			if q.ok {
				taken++
			} else if l.bucket("a").TokensAt(now.Add(q.reset+time.Microsecond)) < 1 {
				t.Fatalf("has to wait %v, and then there was none", q.reset)
			}
			if most := float64(count) + now.Sub(start).Seconds()*float64(count)/r.Per.Seconds() + 1e-6; float64(taken) > most {
				t.Fatalf("got %d requests, want at most %f", taken, most)
			}
			if q.left < 0 || q.left > count {
				t.Fatalf("got %+v, want 0..%d left", q, count)
			}
			if q.reset < 0 || q.reset > r.Per {
				t.Fatalf("got %+v, want a wait within %v", q, r.Per)
			}
		}
	})
}
