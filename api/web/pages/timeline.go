package pages

import (
	"fmt"
	"html/template"
	"math"
	"strings"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament/runner"
)

// The drawing of a timeline, in its units; timelineBars is the most bars of it.
const timelineWide, timelineHigh, timelineLeft, timelineFoot, timelineBars = 720.0, 150.0, 64.0, 22.0, 180

// bar is the slowest decision of some steps.
type bar struct {
	us    int64
	house bool
}

// Timeline returns [Timeline] of the replay, drawn once.
func (f *Replay) Timeline(limit time.Duration) (template.HTML, string) {
	f.once.Do(func() { f.times, f.timesText = Timeline(f.turns, limit) })
	return f.times, f.timesText
}

// Timeline draws how long each step's slowest decision took, on a scale of powers of ten, against the limit of a decision,
// and says the slowest of all in words. Both are empty where no decision was timed.
func Timeline(steps [][]replay.Turn, limit time.Duration) (template.HTML, string) {
	last := len(steps) - 1
	per := max(1, (last+timelineBars-1)/timelineBars) // steps a bar
	bars := make([]bar, (last+per-1)/per)
	var slowest int64
	who, where, timed, house := 0, 0, 0, 0
	for step, turns := range steps {
		for _, t := range turns {
			b := &bars[(step-1)/per]
			if us := runner.Elapsed(t.Clock).Microseconds(); us > 0 {
				timed++
				b.us = max(b.us, us)
				if us > slowest {
					slowest, who, where = us, int(t.Seat), step
				}
			}
			if t.By == replay.ByHouse {
				b.house = true
				house++
			}
		}
	}
	if timed == 0 {
		return "", ""
	}
	text := fmt.Sprintf("%s; the slowest took %s (seat %d, step %d). Decisions by the house: %d. The dashed line is the limit, %s.",
		game.Plural(timed, "timed decision"), ms(slowest), who, where, house, ms(limit.Microseconds()))
	return timeline(bars, limit, text), text
}

func timeline(bars []bar, limit time.Duration, text string) template.HTML {
	const low = 2.0 // 100 µs
	high := math.Ceil(math.Log10(float64(limit.Microseconds())))
	for _, b := range bars {
		high = max(high, math.Log10(float64(max(1, b.us))))
	}
	y := func(us int64) float64 {
		share := (math.Log10(float64(max(1, us))) - low) / (high - low)
		return timelineHigh - timelineFoot - (timelineHigh-timelineFoot-8)*min(max(share, 0.02), 1)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="plot time" viewBox="0 0 %.0f %.0f" role="img" aria-label="How long decisions took. %s">`, timelineWide, timelineHigh, text)
	for p := low; p <= high; p++ {
		us := int64(math.Pow(10, p))
		fmt.Fprintf(&b, `<path class="grid" d="M%.0f %.1fH%.0f"/><text x="%.0f" y="%.1f" text-anchor="end">%s</text>`, timelineLeft, y(us), timelineWide, timelineLeft-6, y(us)+4, ms(us))
	}
	wide := (timelineWide - timelineLeft) / float64(len(bars))
	for i, x := range bars {
		kind := "good"
		switch {
		case x.house:
			kind = "house"
		case x.us > limit.Microseconds()*8/10:
			kind = "near"
		}
		left := timelineLeft + wide*float64(i)
		if x.us > 0 {
			fmt.Fprintf(&b, `<path class="%s" d="M%.1f %.1fV%.1fH%.1fV%.1fZ"/>`, kind, left, timelineHigh-timelineFoot, y(x.us), left+wide*.8, timelineHigh-timelineFoot)
		}
		if x.house {
			fmt.Fprintf(&b, `<text class="house" x="%.1f" y="%.1f" text-anchor="middle">✗</text>`, left+wide*.4, timelineHigh-timelineFoot+13)
		}
	}
	fmt.Fprintf(&b, `<path class="version" d="M%.0f %.1fH%.0f"/><text x="%.0f" y="%.0f">first step</text><text x="%.0f" y="%.0f" text-anchor="end">last step</text></svg>`,
		timelineLeft, y(limit.Microseconds()), timelineWide, timelineLeft, timelineHigh-4, timelineWide, timelineHigh-4)
	return template.HTML(b.String()) // numbers and our own words
}
