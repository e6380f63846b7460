-- The secret of a webhook from before its rotation, and until when that signs, in columns of their own. The release before has all of it in secret,
-- as "new old until_ms": such rows stay readable and are put right when they are next written. While both releases run, the one before signs
-- with the new secret alone what this one has rotated; a receiver that refuses that is tried again later.

-- +goose Up
ALTER TABLE webhooks ADD COLUMN old_secret TEXT NOT NULL DEFAULT '';
ALTER TABLE webhooks ADD COLUMN old_until TIMESTAMP;

-- +goose Down
ALTER TABLE webhooks DROP COLUMN old_until;
ALTER TABLE webhooks DROP COLUMN old_secret;
