-- Accounts that their users have deleted. The text of 00001 about times, ids and JSON holds here too.

-- +goose Up
-- Since when there is nobody behind the account: that is permanent. Such an account is disabled, too, and has a made-up name; matches and records go on
-- naming its id.
ALTER TABLE users ADD COLUMN deleted_at TIMESTAMP;

-- +goose Down
ALTER TABLE users DROP COLUMN deleted_at;
