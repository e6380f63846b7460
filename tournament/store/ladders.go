package store

import (
	"context"

	"github.com/molerun/molerun/tournament"
)

// Ladders are all ladders, by game and season.
func (s *Store) Ladders(ctx context.Context) ([]tournament.Ladder, error) { panic("store") }

// Ladder is a ladder by id.
func (s *Store) Ladder(ctx context.Context, id string) (tournament.Ladder, error) { panic("store") }

// EnsureLadder is the first-season ladder of a game; it is made if there is none.
func (s *Store) EnsureLadder(ctx context.Context, gameID string) (tournament.Ladder, error) {
	panic("store")
}

// LadderRows is a page of a ladder by rank and the cursor of the next, "" after the last. Wins, draws, losses and faults
// count the rated matches that the ratings rest on.
func (s *Store) LadderRows(ctx context.Context, ladderID string, p Page) ([]tournament.LadderRow, string, error) {
	panic("store")
}

// RatingEventFilter narrows a list of rating events; empty fields do not.
type RatingEventFilter struct {
	LadderID  string
	VersionID string
	BotID     string
	MatchID   string
}

// RatingEvents is a page of rating events by ladder and schedule order, [Newest] first unless asked otherwise, and the
// cursor of the next, "" after the last.
func (s *Store) RatingEvents(ctx context.Context, f RatingEventFilter, p Page) ([]tournament.RatingEvent, string, error) {
	panic("store")
}
