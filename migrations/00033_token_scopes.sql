-- What a token may do, and when it was used last. The text of 00001 about times, ids and JSON holds here too.

-- +goose Up
-- Tokens of the releases before, and those that they still make, may do all that their user's role allows. Every token may read.
ALTER TABLE tokens ADD COLUMN may_bot BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE tokens ADD COLUMN may_enter BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE tokens ADD COLUMN may_account BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE tokens ADD COLUMN may_organise BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE tokens ADD COLUMN may_admin BOOLEAN NOT NULL DEFAULT TRUE;

-- The one bot that the token is for; NULL: all of its user's.
ALTER TABLE tokens ADD COLUMN bot_id TEXT REFERENCES bots (id);

-- To the minute; NULL: never.
ALTER TABLE tokens ADD COLUMN last_used_at TIMESTAMP;

-- +goose Down
ALTER TABLE tokens DROP COLUMN last_used_at;
ALTER TABLE tokens DROP COLUMN bot_id;
ALTER TABLE tokens DROP COLUMN may_admin;
ALTER TABLE tokens DROP COLUMN may_organise;
ALTER TABLE tokens DROP COLUMN may_account;
ALTER TABLE tokens DROP COLUMN may_enter;
ALTER TABLE tokens DROP COLUMN may_bot;
