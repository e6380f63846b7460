package series

import (
	"cmp"
	"math"
	"slices"

	"github.com/molerun/molerun/tournament"
)

// Event is a tournament of the series that is over, with its standings, the best first.
type Event struct {
	ID        string
	Name      string
	Standings []tournament.Standing
}

// Line is a bot's line in the standings of a series.
type Line struct {
	Rank    int      `json:"rank"` // by points, then wins; ties share
	BotID   string   `json:"bot_id"`
	Bot     string   `json:"bot" example:"wallwizard"`
	Points  float64  `json:"points"` // of the results that count
	Played  int      `json:"played"` // tournaments
	Wins    int      `json:"wins"`   // of them with rank 1, a shared one too
	Results []Result `json:"results"`
} // @name SeriesLine

// Result is what a bot has of a tournament.
type Result struct {
	TournamentID string  `json:"tournament_id"`
	Tournament   string  `json:"name"`
	Rank         int     `json:"rank"`
	Points       float64 `json:"points"` // in the series; who share a rank share the points of the ranks they take
	Counts       bool    `json:"counts"` // among the bot's best
} // @name SeriesResult

// Standings returns the standings over events, which come in the order of the series: by points, then by tournaments won; bots
// equal in both share the rank. A bot is the same in all its versions, and stays with what it has when it has left. Of a tournament in
// which it played no match, or in which its results are annulled, it has no result.
func (s Series) Standings(events []Event) []Line {
	at := map[string]int{} // the line of each bot
	var lines []Line
	for _, e := range events {
		seen := map[string]bool{} // a bot with two entries, as in an sprt, has the result of the better
		played := slices.DeleteFunc(slices.Clone(e.Standings), func(row tournament.Standing) bool { return row.Played == 0 || row.IsAnnulled })
		for _, row := range played {
			if seen[row.BotID] {
				continue
			}
			seen[row.BotID] = true
			i, known := at[row.BotID]
			if !known {
				i = len(lines)
				at[row.BotID] = i
				lines = append(lines, Line{BotID: row.BotID})
			}
			lines[i].Bot = row.Bot
			lines[i].Results = append(lines[i].Results, Result{
				TournamentID: e.ID,
				Tournament:   e.Name,
				Rank:         row.Rank,
				Points:       s.worth(row, played),
			})
		}
	}
	for i := range lines {
		s.sum(&lines[i])
	}
	rank(lines)
	return lines
}

// worth returns what a row of the standings counts in the series. Those who played and share a rank share the points of the ranks they take.
func (s Series) worth(row tournament.Standing, played []tournament.Standing) float64 {
	if s.By == Points {
		return row.Points
	}
	sharing, sum := 0, 0.0
	for _, other := range played {
		if other.Rank != row.Rank {
			continue
		}
		if place := row.Rank - 1 + sharing; place < len(s.RankPoints) {
			sum += s.RankPoints[place]
		}
		sharing++
	}
	return rounded(sum / float64(sharing))
}

// sum adds up the results of a line that count: the best, of equal ones the earlier.
func (s Series) sum(l *Line) {
	order := make([]int, len(l.Results))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(l.Results[b].Points, l.Results[a].Points) })
	if s.Best > 0 {
		order = order[:min(s.Best, len(order))]
	}
	for _, i := range order { // the same results in another order have the same sum
		l.Results[i].Counts = true
		l.Points += l.Results[i].Points
	}
	l.Points = rounded(l.Points)
	l.Played = len(l.Results)
	for _, r := range l.Results {
		if r.Rank == 1 {
			l.Wins++
		}
	}
}

// rounded rounds to a millionth, so that sums of thirds are equal where they should be.
func rounded(x float64) float64 { return math.Round(x*1e6) / 1e6 }

// rank orders lines and gives them their ranks.
func rank(lines []Line) {
	better := func(a, b Line) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(b.Wins, a.Wins))
	}
	slices.SortFunc(lines, func(a, b Line) int {
		return cmp.Or(better(a, b), cmp.Compare(a.Bot, b.Bot), cmp.Compare(a.BotID, b.BotID))
	})
	for i := range lines {
		lines[i].Rank = i + 1
		if i > 0 && better(lines[i-1], lines[i]) == 0 {
			lines[i].Rank = lines[i-1].Rank
		}
	}
}
