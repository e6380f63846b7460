-- Cards that users have uploaded, and how far their checks have come. The text of 00001 about times, ids and JSON holds here too.

-- +goose Up
CREATE TABLE cards (
    hash        TEXT PRIMARY KEY,
    owner_id    TEXT NOT NULL REFERENCES users (id),
    state       TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'checked', 'refused')),
    tries       INTEGER NOT NULL CHECK (tries >= 0),
    -- Nobody begins its check before this time of the database's clock: a worker is at it, or it rests after a failure.
    free_at_ms  BIGINT NOT NULL,
    reason      TEXT NOT NULL,
    card        TEXT NOT NULL,
    -- What its subject decided, gzipped, in base64; '' of a card that was refused.
    decisions   TEXT NOT NULL,
    uploaded_at TIMESTAMP NOT NULL,
    ended_at    TIMESTAMP
);
CREATE INDEX cards_open ON cards (uploaded_at, hash) WHERE state IN ('waiting', 'running');
CREATE INDEX cards_owner ON cards (owner_id);

-- +goose Down
DROP TABLE cards;
