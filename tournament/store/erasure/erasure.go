package erasure

import (
	"fmt"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// gone is the name of the mailbox that the versions of a deleted user's bots have for an address. Nobody can empty it, so that a
// bot that still has a seat is one that is not there, and its matches end by their rules.
const gone = "deleted"

// Erase deletes a user's tokens, sessions, identities, cards, webhooks, mailboxes and health checks, and empties the versions of their
// bots. What is part of a match's record stays: ids, names of bots, builds.
func Erase(tx *database.Tx, userID string) error {
	boxes := tournament.RelayAddress(userID, "") + "%"
	for _, step := range []struct {
		sql  string
		args []any
	}{
		{"DELETE FROM tokens WHERE user_id = ?", []any{userID}}, // recovery codes, too
		{"DELETE FROM sessions WHERE user_id = ?", []any{userID}},
		{"DELETE FROM login_links WHERE user_id = ?", []any{userID}},
		{"DELETE FROM class_accounts WHERE user_id = ?", []any{userID}},
		{"DELETE FROM class_links WHERE organiser_id = ?", []any{userID}},
		{"DELETE FROM co_organisers WHERE user_id = ?", []any{userID}},
		{"DELETE FROM identities WHERE user_id = ?", []any{userID}},
		{"DELETE FROM cards WHERE owner_id = ?", []any{userID}},
		{"DELETE FROM webhooks WHERE user_id = ?", []any{userID}}, // with their deliveries
		{"DELETE FROM letters WHERE box LIKE ?", []any{boxes}},
		{"DELETE FROM relays WHERE box LIKE ?", []any{boxes}},
		{"DELETE FROM bot_checks WHERE bot_id IN (SELECT id FROM bots WHERE owner_id = ?)", []any{userID}}, // failures name addresses
		{
			"UPDATE versions SET url = ?, secrets = '[]', author = '', note = '' WHERE bot_id IN (SELECT id FROM bots WHERE owner_id = ?)",
			[]any{tournament.RelayAddress(userID, gone), userID},
		},
	} {
		if err := tx.SQL.Exec(step.sql, step.args...).Error; err != nil {
			return fmt.Errorf("erasing user %s: %w", userID, err)
		}
	}
	return nil
}
