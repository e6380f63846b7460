package pages_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/pages"
	"github.com/molerun/molerun/engines/game/replay"
)

func TestTheTimelineTellsTheSlowestAndWhereTheHouseDecided(t *testing.T) {
	spec, _ := played(t, "molehill", 2, 400)
	film, err := pages.NewFilm(spec)
	if err != nil {
		t.Fatal(err)
	}
	if svg, text := pages.Timeline(film, time.Second); svg != "" || text != "" {
		t.Errorf("nothing was timed: got %q, %q", svg, text)
	}
	const slow, near, house = 5, 9, 12
	n := 0
	for step := range film.Steps {
		for i := range film.Steps[step].Turns {
			turn, us := &film.Steps[step].Turns[i], 1500
			switch step {
			case slow:
				us = 2_500_000
			case near:
				us = 810_000
			case house:
				us, turn.By, turn.Why = 900_000, replay.ByHouse, "timeout"
			}
			turn.Clock = []byte(fmt.Sprintf(`{"elapsed_us":%d}`, us))
			n++
		}
	}
	svg, text := pages.Timeline(film, time.Second)
	want := fmt.Sprintf("%d decisions were timed, the slowest took 2.50 s (seat %d, step %d); the house decided 1 time(s)", n, film.Steps[slow].Turns[0].Seat, slow)
	if !strings.HasPrefix(text, want) {
		t.Errorf("got %q, want it to begin with %q", text, want)
	}
	for class, bars := range map[string]int{`<path class="near"`: 2, `<path class="house"`: 1, "✗": 1, `<path class="good"`: film.Last() - 3} {
		if got := strings.Count(string(svg), class); got != bars {
			t.Errorf("%s: got %d, want %d of %d steps", class, got, bars, film.Last())
		}
	}
	if film.Last() < 20 || film.Last() > 180 {
		t.Errorf("the match has %d steps: the counts above hold for a bar a step", film.Last())
	}
	for len(film.Steps) <= 2000 { // a long match is drawn in bars of several steps
		film.Steps = append(film.Steps, film.Steps[1])
	}
	if long, _ := pages.Timeline(film, time.Second); len(long) > 20_000 || strings.Count(string(long), "<path class=\"") < 100 {
		t.Errorf("2000 steps: got %d bytes, want at most 20 000", len(long))
	}
}
