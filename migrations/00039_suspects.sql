-- Each sweep asks for the bots of matches that were lately void or retired from. Few matches are either.

-- +goose Up
CREATE INDEX matches_suspect ON matches (ended_at) WHERE status = 'void' OR retired <> 0;

-- +goose Down
DROP INDEX matches_suspect;
