package store

import (
	"context"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// Match is a match with its seats.
func (s *Store) Match(ctx context.Context, id string) (tournament.Match, error) { panic("store") }

// MatchFilter narrows a list of matches; empty fields do not.
type MatchFilter struct {
	TournamentID string
	BotID        string
	LadderID     string
	Status       tournament.MatchStatus
}

// Matches is a page of matches with their seats and the cursor of the next, "" after the last. [Oldest] is schedule order.
func (s *Store) Matches(ctx context.Context, f MatchFilter, p Page) ([]tournament.Match, string, error) {
	panic("store")
}

// MatchesOfBlock are the matches that share the seed of m, m too, by number.
func (s *Store) MatchesOfBlock(ctx context.Context, m tournament.Match) ([]tournament.Match, error) {
	panic("store")
}

// BlockOver tells whether every match that shares the seed of m is over. Before that nothing that betrays the seed or a
// state (seed, nonce, hashes, decisions of others, the full record) may be shown.
func (s *Store) BlockOver(ctx context.Context, m tournament.Match) (bool, error) { panic("store") }

// Decisions are the recorded steps of a match, in order.
func (s *Store) Decisions(ctx context.Context, matchID string) ([]runner.Step, error) { panic("store") }

// SeatDecision is a recorded decision with its place in the match.
type SeatDecision struct {
	Step int // from 1
	runner.Decision
	RecordedAt time.Time // by the database's clock, to the millisecond
}

// SeatDecisions are the recorded decisions of one seat, in order.
func (s *Store) SeatDecisions(ctx context.Context, matchID string, seat game.Seat) ([]SeatDecision, error) {
	panic("store")
}
