package store

import (
	"context"

	"github.com/molerun/molerun/tournament"
)

// CreateBot adds an active bot with its first version. Empty ids and times are filled in, and the two are linked. A name
// that exists in any case is [tournament.ErrTaken]; an owner who has quota bots that are not retired gets
// [tournament.ErrLimit].
func (s *Store) CreateBot(ctx context.Context, b tournament.Bot, v tournament.Version, quota int) (tournament.Bot, tournament.Version, error) {
	panic("store")
}

// Bot is a bot by id.
func (s *Store) Bot(ctx context.Context, id string) (tournament.Bot, error) { panic("store") }

// BotByName is a bot by name, in any case.
func (s *Store) BotByName(ctx context.Context, name string) (tournament.Bot, error) { panic("store") }

// BotFilter narrows a list of bots; empty fields do not.
type BotFilter struct {
	OwnerID string
	Game    string // that the active version plays
	Status  tournament.BotStatus
}

// Bots is a page of bots and the cursor of the next, "" after the last.
func (s *Store) Bots(ctx context.Context, f BotFilter, p Page) ([]tournament.Bot, string, error) {
	panic("store")
}

// Version is a bot's version by id.
func (s *Store) Version(ctx context.Context, id string) (tournament.Version, error) { panic("store") }

// Versions are a bot's versions, the last first.
func (s *Store) Versions(ctx context.Context, botID string) ([]tournament.Version, error) {
	panic("store")
}

// SetBotStatus pauses a bot for a reason or makes it active again. A retired bot is [tournament.ErrState].
func (s *Store) SetBotStatus(ctx context.Context, id string, status tournament.BotStatus, reason string) (tournament.Bot, error) {
	panic("store")
}

// RetireBot ends a bot for good; its matches and ratings stay. Retiring again is [tournament.ErrState].
func (s *Store) RetireBot(ctx context.Context, id, reason string) (tournament.Bot, error) {
	panic("store")
}

// RotateSecret puts a new secret first and keeps the present one beside it; one older still is dropped.
func (s *Store) RotateSecret(ctx context.Context, versionID, secret string) (tournament.Version, error) {
	panic("store")
}

// DropOldSecret ends a rotation: only the newest secret stays. Without an old one it is [tournament.ErrState].
func (s *Store) DropOldSecret(ctx context.Context, versionID string) (tournament.Version, error) {
	panic("store")
}
