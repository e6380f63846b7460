package pages

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/rating"
)

// Outcome returns a result in a sentence: who wins, by how much, and how it came to an end (ending, in the game's words; "" if it has
// none): "The moles win: three missions failed." or "otter wins with 41 points, 3 ahead of badger: this was the last turn." Another
// sentence names the seats that were retired.
func Outcome(r game.Result, retired game.Seats, names []string, ending string) string {
	end := endWords(ending, retired, len(r.Rank), game.Spectator, names)
	r = placed(r, retired)
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
	return nameOf(best[0], names) + " wins with " + margin(r, retired, best[0], names) + end
}

// margin returns the points of the one winner, and how far the next are behind. Of retired seats, which are last whatever they scored, it says
// nothing that their points do not.
func margin(r game.Result, retired game.Seats, winner int, names []string) string {
	next := places(r, 2)
	who := game.JoinWords(called(next, names)...)
	out := points(r.Points[winner])
	switch lead := r.Points[winner] - r.Points[next[0]]; {
	case lead > 0:
		out += fmt.Sprintf(", %s ahead of %s", number(lead), who)
	case !retired.Has(seatOf(next[0])):
		out += ", as many as " + who + ", " + byTieBreak
	}
	return out
}

// byTieBreak says why of two with equal points one is ahead.
const byTieBreak = "by the game's tie-break"

// placed returns a result with the ranks that count: retired seats are last. A team wins or loses as it has played.
func placed(r game.Result, retired game.Seats) game.Result {
	if len(r.Team) == 0 {
		r.Rank = rating.Placing(r, retired)
	}
	return r
}

// endWords ends the sentence of a result with how it came to an end, and says which of the n seats were retired, to one of them or to
// everybody: ": this was the last turn. otter was retired for faults and ranks last."
func endWords(ending string, retired game.Seats, n int, to game.Seat, names []string) string {
	if ending != "" {
		ending = ": " + ending
	}
	if ending += "."; retired == 0 {
		return ending
	}
	var who []string
	was, ranks := "were", "rank"
	for seat := range retired.Each() {
		if seat == to {
			who = append([]string{"You"}, who...)
		} else {
			who = append(who, nameOf(int(seat), names))
		}
	}
	if len(who) == 1 && !retired.Has(to) {
		was, ranks = "was", "ranks"
	}
	ending += fmt.Sprintf(" %s %s retired for faults", game.JoinWords(who...), was)
	if len(who) < n {
		ending += " and " + ranks + " last"
	}
	return ending + "."
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
