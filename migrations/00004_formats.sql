-- Formats that pair by results, and standing ladders. A round keeps who met whom, with the matches' ids, and who did not play and why; results are
-- those of the matches and nowhere else. The text of 00001 about times, ids and JSON holds here too.

-- +goose Up
ALTER TABLE tournaments ADD COLUMN options TEXT NOT NULL DEFAULT '{}';
-- All luck of pairings, deals and aliases follows from the seed, which is never shown. It is drawn at the start.
ALTER TABLE tournaments ADD COLUMN seed TEXT CHECK (length(seed) = 64);

-- place is the entry's number in the pairings, given at the start or when it comes later.
ALTER TABLE entries ADD COLUMN place INTEGER CHECK (place >= 0);
ALTER TABLE entries ADD COLUMN seed_milli BIGINT NOT NULL DEFAULT 0;
ALTER TABLE entries ADD COLUMN joined_round INTEGER NOT NULL DEFAULT 0 CHECK (joined_round >= 0);
ALTER TABLE entries ADD COLUMN is_challenger BOOLEAN NOT NULL DEFAULT FALSE;
CREATE UNIQUE INDEX entries_by_place ON entries (tournament_id, place);

CREATE TABLE rounds (
    tournament_id TEXT NOT NULL REFERENCES tournaments (id),
    number        INTEGER NOT NULL CHECK (number > 0),
    pairing       TEXT NOT NULL,
    made_at       TIMESTAMP NOT NULL,
    PRIMARY KEY (tournament_id, number)
);

-- Who plays on a standing ladder, all the time and without a tournament.
CREATE TABLE ladder_entries (
    ladder_id        TEXT NOT NULL REFERENCES ladders (id),
    bot_id           TEXT NOT NULL REFERENCES bots (id),
    matches_per_hour INTEGER NOT NULL CHECK (matches_per_hour > 0),
    joined_at        TIMESTAMP NOT NULL,
    PRIMARY KEY (ladder_id, bot_id)
);
CREATE INDEX matches_of_ladders ON matches (ladder_id, ladder_seq) WHERE tournament_id IS NULL;

-- +goose Down
DROP INDEX matches_of_ladders;
DROP TABLE ladder_entries;
DROP TABLE rounds;
DROP INDEX entries_by_place;
ALTER TABLE entries DROP COLUMN is_challenger;
ALTER TABLE entries DROP COLUMN joined_round;
ALTER TABLE entries DROP COLUMN seed_milli;
ALTER TABLE entries DROP COLUMN place;
ALTER TABLE tournaments DROP COLUMN seed;
ALTER TABLE tournaments DROP COLUMN options;
