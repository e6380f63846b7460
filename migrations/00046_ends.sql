-- The feed and the home page show the tournaments that ended last.

-- +goose Up
CREATE INDEX tournaments_by_end ON tournaments (ended_at, id) WHERE ended_at IS NOT NULL;

-- +goose Down
DROP INDEX tournaments_by_end;
