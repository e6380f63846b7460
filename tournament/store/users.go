package store

import (
	"context"

	"github.com/molerun/molerun/tournament"
)

// CreateUser adds a user with a first token. Empty ids and times are filled in; the token gets the user's id. A name that
// exists in any case is [tournament.ErrTaken].
func (s *Store) CreateUser(ctx context.Context, u tournament.User, t tournament.Token) (tournament.User, tournament.Token, error) {
	panic("store")
}

// User is a user by id.
func (s *Store) User(ctx context.Context, id string) (tournament.User, error) { panic("store") }

// UserByName is a user by name, in any case.
func (s *Store) UserByName(ctx context.Context, name string) (tournament.User, error) { panic("store") }

// TokenByID is a token and its user. Whether it is revoked or expired is for the caller to see.
func (s *Store) TokenByID(ctx context.Context, id string) (tournament.Token, tournament.User, error) {
	panic("store")
}

// CreateToken adds a token to the user it names. Empty id and time are filled in.
func (s *Store) CreateToken(ctx context.Context, t tournament.Token) (tournament.Token, error) {
	panic("store")
}

// Tokens are a user's tokens, the last first, revoked ones too.
func (s *Store) Tokens(ctx context.Context, userID string) ([]tournament.Token, error) {
	panic("store")
}

// RevokeToken ends a user's token; revoking again changes nothing. Another user's token is [tournament.ErrNotFound].
func (s *Store) RevokeToken(ctx context.Context, userID, tokenID string) error { panic("store") }
