package store

import (
	"context"

	"github.com/molerun/molerun/tournament"
)

// CreateTournament adds a scheduled tournament. Empty id and time are filled in; a rated one gets its game's ladder. The
// configuration must be canonical already.
func (s *Store) CreateTournament(ctx context.Context, t tournament.Tournament) (tournament.Tournament, error) {
	panic("store")
}

// Tournament is a tournament by id.
func (s *Store) Tournament(ctx context.Context, id string) (tournament.Tournament, error) {
	panic("store")
}

// TournamentFilter narrows a list of tournaments; empty fields do not.
type TournamentFilter struct {
	Status tournament.Status
	Game   string
}

// Tournaments is a page of tournaments and the cursor of the next, "" after the last.
func (s *Store) Tournaments(ctx context.Context, f TournamentFilter, p Page) ([]tournament.Tournament, string, error) {
	panic("store")
}

// Entries are a tournament's entries in the order they joined, withdrawn ones too.
func (s *Store) Entries(ctx context.Context, tournamentID string) ([]tournament.Entry, error) {
	panic("store")
}

// Join enters a bot of ownerID. The rule is [tournament.CanJoin]; somebody else's bot is [tournament.ErrNotYours].
func (s *Store) Join(ctx context.Context, tournamentID, botID, ownerID string) (tournament.Entry, error) {
	panic("store")
}

// Withdraw takes an entry back. The rule is [tournament.CanWithdraw]; a bot that is not entered is [tournament.ErrNotFound].
func (s *Store) Withdraw(ctx context.Context, tournamentID, botID, ownerID string) (tournament.Entry, error) {
	panic("store")
}

// DueTournaments are the scheduled tournaments whose start has come, the earliest first, at most 100.
func (s *Store) DueTournaments(ctx context.Context) ([]tournament.Tournament, error) { panic("store") }

// Start makes a tournament's whole schedule in one transaction: entries fixed to their bots' active versions, all matches
// with their seats, seeds and ladder places, and a job for each. The rule is [tournament.CanStart]; an organiser may start
// early. With too few entries it is [tournament.ErrState] before the start time; after it the tournament is cancelled with
// the reason, which is no error. A second start is [tournament.ErrState].
func (s *Store) Start(ctx context.Context, id string) (tournament.Tournament, error) { panic("store") }

// Cancel ends a scheduled or running tournament for a reason; matches not over become void.
func (s *Store) Cancel(ctx context.Context, id, reason string) (tournament.Tournament, error) {
	panic("store")
}

// Standings are the standings so far: [tournament.Standings] of the matches done.
func (s *Store) Standings(ctx context.Context, id string) ([]tournament.Standing, error) {
	panic("store")
}
