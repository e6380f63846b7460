-- Reviews of matches that are over: what each decision was worth. The text of 00001 about times, ids and JSON holds here too.

-- +goose Up
CREATE TABLE match_reviews (
    match_id   TEXT PRIMARY KEY REFERENCES matches (id),
    state      TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed')),
    by_owner   BOOLEAN NOT NULL,
    tries      INTEGER NOT NULL CHECK (tries >= 0),
    -- Nobody begins it before this time of the database's clock: a worker is at it, or it rests after a failure.
    free_at_ms BIGINT NOT NULL,
    reason     TEXT NOT NULL,
    report     TEXT NOT NULL,
    asked_at   TIMESTAMP NOT NULL,
    ended_at   TIMESTAMP
);
CREATE INDEX match_reviews_open ON match_reviews (by_owner, asked_at, match_id) WHERE state IN ('waiting', 'running');

-- +goose Down
DROP TABLE match_reviews;
