package matches

import (
	"slices"

	"github.com/molerun/molerun/engines/game"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/sprt"
)

// Line is what a bot has come to in a series. A seat is one game: a filler may have several in a match. All seats of a team are one.
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
	Lines    []Line
	Meetings []Meeting // of every two of the field that meet; of the first bot and the second before all others
	unit     int       // games of a unit
	whole    bool      // who has several seats of a match has those of a team
}

// Meeting compares two of the field. A unit of its tally is a block of games if each of them compares the two; else it is a game, and
// games in which the two are on one team tell nothing and are left out.
type Meeting struct {
	First, Second int        // indices into the field
	Tally         sprt.Tally // units by points of the first: a game in which it is ahead of the second is one point
	points        float64    // in the games of the unit under way
	games         int
}

// NewScore returns the standing before the first match.
func NewScore(s *Series, field []Bot) *Score {
	out := &Score{unit: s.block(), whole: s.Fill == ""}
	if s.teams && s.couples() == nil && len(s.Bots) > 1 {
		out.unit = 1
	}
	for i, b := range field {
		out.Lines = append(out.Lines, Line{Bot: b.Name})
		for j := i + 1; j < len(field); j++ {
			if s.couples() == nil || j == s.filler() || slices.Contains(s.couples(), [2]int{i, j}) {
				out.Meetings = append(out.Meetings, Meeting{First: i, Second: j, Tally: make(sprt.Tally, 2*out.unit+1)})
			}
		}
	}
	return out
}

// Add counts a match; matches come in order.
func (s *Score) Add(p Played) error {
	points := rating.Points(p.Result, p.Retired)
	for seat, player := range p.Players {
		l := &s.Lines[player]
		if p.Retired.Has(game.Seat(seat)) {
			l.Retired++
		}
		if s.whole && slices.Index(p.Players, player) != seat {
			continue
		}
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
	}
	for _, f := range p.Faults {
		s.Lines[p.Players[f.Seat]].Faults++
	}
	for i := range s.Meetings {
		if err := s.Meetings[i].add(p, s.unit); err != nil {
			return err
		}
	}
	return nil
}

// add counts a match if both are in it. A game counts once, however many seats one of them has in it: their results hang together.
func (m *Meeting) add(p Played, unit int) error {
	x := slices.Index(p.Players, m.First)
	if x < 0 {
		return nil
	}
	y := opponent(p, x, m.Second)
	if y < 0 || unit == 1 && mates(p, x, y) {
		return nil
	}
	switch {
	case p.Rank[x] < p.Rank[y]:
		m.points++
	case p.Rank[x] == p.Rank[y]:
		m.points += .5
	}
	if m.games++; m.games < unit {
		return nil
	}
	points := m.points
	m.games, m.points = 0, 0
	return m.Tally.Add(points)
}

// opponent returns the first seat of a player behind x that is not on its team, else the first on its team; -1 if it has no seat.
func opponent(p Played, x, player int) int {
	found := -1
	for i := 1; i < len(p.Players); i++ {
		y := (x + i) % len(p.Players)
		if p.Players[y] != player {
			continue
		}
		if !mates(p, x, y) {
			return y
		}
		if found < 0 {
			found = y
		}
	}
	return found
}

// mates reports whether two seats are on one team.
func mates(p Played, x, y int) bool {
	return len(p.Result.Team) > 0 && p.Result.Team[x] == p.Result.Team[y]
}

// Strength returns how much stronger the first of the two is; false before there is a unit that shows it.
func (m Meeting) Strength() (sprt.Strength, bool) {
	if m.Tally.Units() == 0 {
		return sprt.Strength{}, false
	}
	x, err := sprt.Measure(m.Tally)
	return x, err == nil
}
