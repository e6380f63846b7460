-- Formats that pair by results. A round keeps who met whom, with the matches' ids, and who did not play and why; results are
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

-- +goose Down
DROP TABLE rounds;
DROP INDEX entries_by_place;
ALTER TABLE entries DROP COLUMN is_challenger;
ALTER TABLE entries DROP COLUMN joined_round;
ALTER TABLE entries DROP COLUMN seed_milli;
ALTER TABLE entries DROP COLUMN place;
ALTER TABLE tournaments DROP COLUMN seed;
ALTER TABLE tournaments DROP COLUMN options;
