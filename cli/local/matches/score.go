package matches

import (
	"cmp"
	"math"
	"slices"
	"strconv"

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
	// Adjusted are the points without what chance gave, with the interval of 95 %; nil before there are four blocks of games.
	Adjusted *tournament.Mean `json:"adjusted_points,omitempty"`
	splits   []Split
}

// Split is what a bot took in a role (the team that it was dealt into), in a seat or against another of the field. A match counts once,
// and a draw half. Low and High are the ends of the 95 % interval of the share.
type Split struct {
	By    string  `json:"by"` // "role", "seat" or "opponent"
	Of    string  `json:"of"`
	Units int     `json:"units"` // matches; against an opponent units of its tally
	Share float64 `json:"share"` // 0 to 1
	Low   float64 `json:"share_low"`
	High  float64 `json:"share_high"`
	tally sprt.Tally
}

// count counts a match in a split.
func (l *Line) count(by, of string, verdict tournament.Verdict) {
	at := slices.IndexFunc(l.splits, func(s Split) bool { return s.By == by && s.Of == of })
	if at < 0 {
		at = len(l.splits)
		l.splits = append(l.splits, Split{By: by, Of: of, tally: sprt.Games(0, 0, 0)})
	}
	l.splits[at].tally[slices.Index([]tournament.Verdict{tournament.Loss, tournament.Draw, tournament.Win}, verdict)]++
}

// Splits returns what the i-th of the field took by role, by seat and by opponent, in this order.
func (s *Score) Splits(i int) []Split {
	list := slices.Clone(s.Lines[i].splits)
	for _, m := range s.Meetings {
		x := Split{By: "opponent", tally: slices.Clone(m.Tally)}
		switch i {
		case m.First:
			x.Of = s.Lines[m.Second].Bot
		case m.Second:
			x.Of = s.Lines[m.First].Bot
			slices.Reverse(x.tally)
		default:
			continue
		}
		list = append(list, x)
	}
	out := []Split{}
	for _, x := range list {
		m, err := sprt.Measure(x.tally)
		if x.Units = x.tally.Units(); x.Units == 0 || err != nil {
			continue
		}
		x.Share, x.Low, x.High = m.Score, min(m.Score, rating.Expected(m.Elo.Low)), max(m.Score, rating.Expected(m.Elo.High)) // Elo has ends, shares reach 0 and 1
		out = append(out, x)
	}
	order := []string{"role", "seat", "opponent"}
	slices.SortStableFunc(out, func(a, b Split) int {
		by := slices.Index(order, a.By) - slices.Index(order, b.By)
		if by == 0 && a.By != "opponent" {
			by = cmp.Or(cmp.Compare(len(a.Of), len(b.Of)), cmp.Compare(a.Of, b.Of))
		}
		return by
	})
	return out
}

// Score is the standing of a series after its matches, added in order.
type Score struct {
	Lines    []Line
	Meetings []Meeting        // of every two of the field that meet; of the first bot and the second before all others
	unit     int              // games of a unit
	whole    bool             // a bot with several seats of a match has those of a team
	block    int              // games in which everybody has the same seats
	blocks   [][]rating.Dealt // of so many games, the last perhaps of fewer
}

// Adjust fills in the points without what chance gave. A block of games is one observation.
func (s *Score) Adjust() {
	for e, luck := range rating.Lucks(len(s.Lines), s.blocks) {
		if l := &s.Lines[e]; luck != nil {
			points := l.Points - luck.Points
			l.Adjusted = &tournament.Mean{Value: hundredth(points), Low: hundredth(points - luck.Half), High: hundredth(points + luck.Half)}
		}
	}
}

func hundredth(x float64) float64 { return math.Round(100*x) / 100 }

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
	out := &Score{unit: s.Block(), whole: s.Fill == "", block: s.Block()}
	if s.teams() && s.couples() == nil && len(s.Bots) > 1 {
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
	points, worth := rating.Points(p.Result, p.Retired), rating.Dealt{}
	for seat, player := range p.Players {
		l := &s.Lines[player]
		if p.Retired.Has(game.Seat(seat)) {
			l.Retired++
		}
		verdict := tournament.VerdictOf(points[seat], p.Rank[seat])
		l.count("seat", strconv.Itoa(seat), verdict)
		if len(p.Result.Team) > 0 && !slices.ContainsFunc(seatsOf(p.Players[:seat], player), func(i int) bool { return mates(p, i, seat) }) {
			l.count("role", p.Result.Team[seat], verdict)
		}
		if s.whole && slices.Index(p.Players, player) != seat {
			continue
		}
		l.Games++
		l.Points += points[seat]
		if p.Luck != nil {
			worth.Seats, worth.Points, worth.Worth = append(worth.Seats, player), append(worth.Points, points[seat]), append(worth.Worth, p.Luck[seat])
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
	if (p.Number-1)%s.block == 0 {
		s.blocks = append(s.blocks, nil)
	}
	last := &s.blocks[len(s.blocks)-1]
	*last = append(*last, worth)
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

// seatsOf returns the seats of a player.
func seatsOf(players []int, player int) (seats []int) {
	for seat, p := range players {
		if p == player {
			seats = append(seats, seat)
		}
	}
	return seats
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
