package pages

import "github.com/molerun/molerun/tournament"

// Game is the page of a game.
type Game struct {
	Page
	GameCard
	Rules    string // path of the rules
	Version  int    // of the rules
	Play     string // path of the page on which a person takes a seat, "" where nobody may
	Facts    []Fact
	Top      []tournament.LadderRow
	Matches  []MatchRow // those that run first
	Variants []string
}
