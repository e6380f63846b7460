-- Decisions of matches that were over long ago, a row a match instead of a row a decision: gzipped JSON as base64, so that
-- backups need to know no other type. A match has its decisions here or in decisions, never in both.

-- +goose Up
CREATE TABLE packed_decisions (
    match_id  TEXT PRIMARY KEY REFERENCES matches (id),
    packed    TEXT NOT NULL CHECK (packed <> ''),
    packed_at TIMESTAMP NOT NULL
);

-- +goose Down
DROP TABLE packed_decisions;
