package pages

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// Outcome returns a result in a sentence: who wins, by how much, and how it came to an end (ending, in the game's words; "" if it has
// none): "The moles win: three missions failed." or "otter wins with 41 points, 3 ahead of badger: this was the last turn."
func Outcome(r game.Result, names []string, ending string) string {
	end := "."
	if ending != "" {
		end = ": " + ending + "."
	}
	best := places(r, 1)
	switch {
	case len(best) == 0:
		return "Nobody wins" + end
	case len(best) == len(r.Rank):
		return "A draw" + end
	case len(r.Team) > 0:
		return fmt.Sprintf("The %ss win%s", r.Team[best[0]], end)
	case len(best) > 1:
		return fmt.Sprintf("%s share the first place with %s%s", game.JoinWords(called(best, names)...), points(r.Points[best[0]]), end)
	}
	winner, next := best[0], places(r, 2)
	out := fmt.Sprintf("%s wins with %s", nameOf(winner, names), points(r.Points[winner]))
	if lead := r.Points[winner] - r.Points[next[0]]; lead > 0 {
		out += fmt.Sprintf(", %s ahead of %s", number(lead), game.JoinWords(called(next, names)...))
	}
	return out + end
}

// places returns the seats of a rank.
func places(r game.Result, rank int) []int {
	var out []int
	for seat, is := range r.Rank {
		if is == rank {
			out = append(out, seat)
		}
	}
	return out
}

func called(seats []int, names []string) []string {
	out := make([]string, len(seats))
	for i, seat := range seats {
		out[i] = nameOf(seat, names)
	}
	return out
}

func points(n float64) string { return counted(n, "points") }

// counted returns a number of things, which are named in the plural.
func counted(n float64, things string) string {
	if n == 1 {
		things = strings.TrimSuffix(things, "s")
	}
	return number(n) + " " + things
}

func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
