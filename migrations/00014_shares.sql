-- Who asked for a match by challenge: it counts among that user's. Challenges that the release before makes have nobody, and count for nobody.

-- +goose Up
ALTER TABLE matches ADD COLUMN asker_id TEXT REFERENCES users (id);
CREATE INDEX matches_asked ON matches (asker_id, id) WHERE asker_id IS NOT NULL AND status IN ('queued', 'running');

-- +goose Down
DROP INDEX matches_asked;
ALTER TABLE matches DROP COLUMN asker_id;
