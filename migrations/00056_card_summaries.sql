-- What a list of cards that were checked shows of each, and its order: first those over the most games, then the strongest. The text of 00001
-- about times, ids and JSON holds here too.

-- +goose Up
ALTER TABLE cards ADD COLUMN summary TEXT NOT NULL DEFAULT '{}';
ALTER TABLE cards ADD COLUMN games INTEGER NOT NULL DEFAULT 0 CHECK (games >= 0);
ALTER TABLE cards ADD COLUMN strength DOUBLE PRECISION NOT NULL DEFAULT 0;
-- What was checked before is checked once more, for its summary.
UPDATE cards SET state = 'waiting', tries = 0, free_at_ms = 0, ended_at = NULL WHERE state = 'checked';
CREATE INDEX cards_by_strength ON cards (games DESC, strength DESC, hash) WHERE state = 'checked';

-- +goose Down
DROP INDEX cards_by_strength;
ALTER TABLE cards DROP COLUMN strength;
ALTER TABLE cards DROP COLUMN games;
ALTER TABLE cards DROP COLUMN summary;
