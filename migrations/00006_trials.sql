-- Tests between two versions of one bot, and matches by challenge.

-- +goose Up
-- In an sprt an entry may bring another version of its bot, which is the second to be compared.
ALTER TABLE entries ADD COLUMN against_id TEXT REFERENCES versions (id);
-- Whether anybody may challenge the bot to an unrated match.
ALTER TABLE bots ADD COLUMN takes_challenges BOOLEAN NOT NULL DEFAULT FALSE;

-- +goose Down
ALTER TABLE bots DROP COLUMN takes_challenges;
ALTER TABLE entries DROP COLUMN against_id;
