package pages

import (
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// Game is the page of a game.
type Game struct {
	Page
	GameCard
	Version  int // of the rules
	What     game.About
	Top      []tournament.LadderRow
	Matches  []MatchRow // those that run first
	Variants []string
}
