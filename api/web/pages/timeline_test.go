package pages_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/must"
)

func TestTheTimelineTellsTheSlowestAndWhereTheHouseDecided(t *testing.T) {
	spec, _ := played(t, "molehill", 2, 40)
	played, err := pages.NewReplay(spec)
	must.OK(t, err)
	if svg, text := played.Timeline(time.Second); svg != "" || text != "" {
		t.Errorf("nothing was timed: got %q, %q", svg, text)
	}
	const slow, near, house = 5, 9, 12
	steps, n := [][]replay.Turn{nil}, 0
	for _, s := range spec.Recorded {
		steps = append(steps, s.Plain())
	}
	for step := range steps {
		for i := range steps[step] {
			turn, us := &steps[step][i], 1500
			switch step {
			case slow:
				us = 2_500_000
			case near:
				us = 810_000
			case house:
				us, turn.By, turn.Why = 900_000, replay.ByHouse, "timeout"
			}
			turn.Clock = fmt.Appendf(nil, `{"elapsed_us":%d}`, us)
			n++
		}
	}
	svg, text := pages.Timeline(steps, time.Second)
	want := fmt.Sprintf("%d timed decisions; the slowest took 2.50 s (seat %d, step %d). Decisions by the house: 1.", n, steps[slow][0].Seat, slow)
	if !strings.HasPrefix(text, want) {
		t.Errorf("got %q, want it to begin with %q", text, want)
	}
	for mark, bars := range map[string]int{`<path class="near"`: 2, `<path class="house"`: 1, "✗": 1, `<path class="good"`: len(steps) - 4} {
		if got := strings.Count(string(svg), mark); got != bars {
			t.Errorf("%s: got %d, want %d of %d steps", mark, got, bars, len(steps))
		}
	}
	long := append([][]replay.Turn{}, steps...)
	for len(long) <= 2000 { // a long match is drawn in bars of several steps
		long = append(long, steps[1])
	}
	if svg, _ := pages.Timeline(long, time.Second); len(svg) > 20_000 || strings.Count(string(svg), "<path class=") < 100 {
		t.Errorf("2000 steps: got %d bytes, want at most 20 000 in more than 100 bars", len(svg))
	}
}
