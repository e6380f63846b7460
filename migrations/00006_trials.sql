-- Tests between two versions of one bot, matches by challenge, and the rounds that a format fixes ahead.

-- +goose Up
-- In an sprt an entry may bring another version of its bot, which is the second to be compared.
ALTER TABLE entries ADD COLUMN against_id TEXT REFERENCES versions (id);
-- Whether anybody may challenge the bot to an unrated match.
ALTER TABLE bots ADD COLUMN takes_challenges BOOLEAN NOT NULL DEFAULT FALSE;
-- The rounds that a running tournament will make, as fixed at its start: some are searched for, for seconds.
CREATE TABLE plans (
    tournament_id TEXT PRIMARY KEY REFERENCES tournaments (id),
    rounds        TEXT NOT NULL
);

-- +goose Down
DROP TABLE plans;
ALTER TABLE bots DROP COLUMN takes_challenges;
ALTER TABLE entries DROP COLUMN against_id;
