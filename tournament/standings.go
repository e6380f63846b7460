package tournament

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// Verdict is how a match ended for a seat.
type Verdict string

// The verdicts.
const (
	Win  Verdict = "win"
	Draw Verdict = "draw"
	Loss Verdict = "loss"
)

// VerdictOf a seat: all the points are a win, the best place shared with opponents is a draw, anything else a loss. points
// are the seat's for the standings, 0 to 1; place is its rank after retirements.
func VerdictOf(points float64, place int) Verdict {
	switch {
	case points == 1:
		return Win
	case place == 1 && points > 0:
		return Draw
	}
	return Loss
}

// Standings are the standings of the entries that did not withdraw, from the matches that are done: by points, then wins,
// then the sum of the game's own points; who is equal in all three shares the rank and is listed by name. points values a
// result by seat (rating.Points).
func Standings(entries []Entry, matches []Match, points func(game.Result, game.Seats) []float64) []Standing {
	var out []Standing
	at := make(map[string]int)
	for _, e := range entries {
		if e.WithdrawnAt == nil {
			at[e.BotID] = len(out)
			out = append(out, Standing{BotID: e.BotID, Bot: e.BotName})
		}
	}
	for _, m := range matches {
		if m.Status != MatchDone || m.Result == nil {
			continue
		}
		share := points(*m.Result, m.Retired)
		for i, seat := range m.Seats {
			if k, ok := at[seat.BotID]; ok {
				out[k].add(share[i], m.Rank[i], m.Result.Points[i], seat.Faults)
			}
		}
	}
	for i := range out {
		// Thirds and the like summed in another order must not break a tie.
		out[i].Points, out[i].Score = math.Round(out[i].Points*1e6)/1e6, math.Round(out[i].Score*1e6)/1e6
	}
	slices.SortStableFunc(out, func(a, b Standing) int { return cmp.Or(a.compare(b), strings.Compare(a.Bot, b.Bot)) })
	for i := range out {
		out[i].Rank = i + 1
		if i > 0 && out[i].compare(out[i-1]) == 0 {
			out[i].Rank = out[i-1].Rank
		}
	}
	return out
}

func (s *Standing) add(points float64, place int, score float64, faults int) {
	s.Played++
	s.Points += points
	s.Score += score
	s.Faults += faults
	switch VerdictOf(points, place) {
	case Win:
		s.Wins++
	case Draw:
		s.Draws++
	case Loss:
		s.Losses++
	}
}

// compare is negative if s stands before o, 0 if they share the rank.
func (s Standing) compare(o Standing) int {
	return cmp.Or(cmp.Compare(o.Points, s.Points), cmp.Compare(o.Wins, s.Wins), cmp.Compare(o.Score, s.Score))
}
