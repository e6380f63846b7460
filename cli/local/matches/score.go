package matches

import (
	"slices"

	"github.com/molerun/molerun/engines/game"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/sprt"
)

// Line is what a bot has come to in a series. A seat is one game: a filler may have several in a match.
type Line struct {
	Bot     string  `json:"bot"`
	Games   int     `json:"games"`
	Wins    int     `json:"wins"`
	Draws   int     `json:"draws"`
	Losses  int     `json:"losses"`
	Points  float64 `json:"points"` // as in tournaments: 1 a win; at larger tables the share of the others beaten
	Faults  int     `json:"faults"`
	Retired int     `json:"retired"` // games given up
	Teams   []Team  `json:"teams,omitempty"`
}

// Team is what a bot has come to in a team.
type Team struct {
	Team  string `json:"team"`
	Games int    `json:"games"`
	Wins  int    `json:"wins"`
}

// as counts a game in a team.
func (l *Line) as(team string, won bool) {
	at := slices.IndexFunc(l.Teams, func(t Team) bool { return t.Team == team })
	if at < 0 {
		at = len(l.Teams)
		l.Teams = append(l.Teams, Team{Team: team})
	}
	l.Teams[at].Games++
	if won {
		l.Teams[at].Wins++
	}
}

// Score is the standing of a series after its matches, added in order.
type Score struct {
	Lines []Line
	// Tally compares the first two bots, or a single bot with the filler: by pairs of games where the series has them, else by games.
	// Games in which two bots are on one team tell nothing and are left out.
	Tally  sprt.Tally
	paired bool
	half   float64 // what the first bot has from the first game of the pair
	alone  bool    // all seats but one are the filler's
}

// NewScore returns the standing before the first match.
func NewScore(s *Series, field []Bot) *Score {
	out := &Score{Tally: sprt.Games(0, 0, 0), paired: s.paired(), alone: len(s.Bots) == 1 && s.Seats > 2}
	if out.paired {
		out.Tally = sprt.Pairs()
	}
	for _, b := range field {
		out.Lines = append(out.Lines, Line{Bot: b.Name})
	}
	return out
}

// Add counts a match; matches come in order.
func (s *Score) Add(p Played) error {
	points := rating.Points(p.Result, p.Retired)
	for seat, player := range p.Players {
		l := &s.Lines[player]
		l.Games++
		l.Points += points[seat]
		verdict := tournament.VerdictOf(points[seat], p.Rank[seat])
		if len(p.Result.Team) > 0 {
			l.as(p.Result.Team[seat], verdict == tournament.Win)
		}
		switch verdict {
		case tournament.Win:
			l.Wins++
		case tournament.Draw:
			l.Draws++
		default:
			l.Losses++
		}
		if p.Retired.Has(game.Seat(seat)) {
			l.Retired++
		}
	}
	for _, f := range p.Faults {
		s.Lines[p.Players[f.Seat]].Faults++
	}
	return s.compare(p)
}

// compare counts a match for the first bot against the second.
func (s *Score) compare(p Played) error {
	x, y := slices.Index(p.Players, 0), slices.Index(p.Players, 1)
	if s.alone {
		y = opponent(p, x)
	}
	got := .5
	switch {
	case p.Rank[x] < p.Rank[y]:
		got = 1
	case p.Rank[x] > p.Rank[y]:
		got = 0
	}
	switch {
	case !s.paired:
		if mates(p, x, y) {
			return nil
		}
		return s.Tally.Add(got)
	case p.Number%2 == 1:
		s.half = got
		return nil
	}
	return s.Tally.Add(s.half + got)
}

// opponent returns the first seat behind x that is not on its team. A game counts once, however many seats the filler has in it: their
// results hang together.
func opponent(p Played, x int) int {
	y := (x + 1) % len(p.Players)
	for mates(p, x, y) && y != x {
		y = (y + 1) % len(p.Players)
	}
	return y
}

// mates reports whether two seats are on one team.
func mates(p Played, x, y int) bool {
	return len(p.Result.Team) > 0 && p.Result.Team[x] == p.Result.Team[y]
}

// Strength returns how much stronger the first bot is than the second; false before there are results that show it.
func (s *Score) Strength() (sprt.Strength, bool) {
	if s.Tally.Units() == 0 {
		return sprt.Strength{}, false
	}
	x, err := sprt.Measure(s.Tally)
	return x, err == nil
}
