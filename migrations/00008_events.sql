-- What has happened, written in the transaction of what it tells; readers number it afterwards, so that writers never wait for each other. Webhooks
-- and what is on its way to them. The text of 00001 about times, ids and JSON holds here too.

-- +goose Up
-- No references: a reference would lock the rows of matches and tournaments. happened_ms is the database's clock: what followed from another event
-- in another process is never before it.
CREATE TABLE events (
    id             TEXT PRIMARY KEY,
    kind           TEXT NOT NULL,
    is_public      BOOLEAN NOT NULL,
    tournament_id  TEXT,
    data           TEXT NOT NULL,
    happened_ms    BIGINT NOT NULL,
    feed_seq       BIGINT CHECK (feed_seq > 0),
    tournament_seq BIGINT CHECK (tournament_seq > 0)
);
CREATE UNIQUE INDEX events_by_feed ON events (feed_seq) WHERE feed_seq IS NOT NULL;
CREATE UNIQUE INDEX events_by_tournament ON events (tournament_id, tournament_seq) WHERE tournament_seq IS NOT NULL;
CREATE INDEX events_unnumbered ON events (happened_ms, id) WHERE is_public AND feed_seq IS NULL;

-- The one row whose lock gives the right to number; its value is the last number given.
CREATE TABLE feeds (
    id       TEXT PRIMARY KEY,
    last_seq BIGINT NOT NULL CHECK (last_seq >= 0)
);
INSERT INTO feeds (id, last_seq) VALUES ('all', 0);

CREATE TABLE webhooks (
    id            TEXT PRIMARY KEY,
    user_id       TEXT NOT NULL REFERENCES users (id),
    url           TEXT NOT NULL,
    secret        TEXT NOT NULL,
    kinds         TEXT NOT NULL,
    enabled       BOOLEAN NOT NULL,
    reason        TEXT NOT NULL,
    failing_since TIMESTAMP,
    created_at    TIMESTAMP NOT NULL
);
CREATE INDEX webhooks_by_user ON webhooks (user_id, id);

CREATE TABLE deliveries (
    id           TEXT PRIMARY KEY,
    webhook_id   TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    event_id     TEXT NOT NULL,
    kind         TEXT NOT NULL,
    payload      TEXT NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
    attempts     INTEGER NOT NULL CHECK (attempts >= 0),
    tries        INTEGER NOT NULL CHECK (tries >= 0),
    http_status  INTEGER NOT NULL,
    reason       TEXT NOT NULL,
    took_ms      BIGINT NOT NULL,
    created_at   TIMESTAMP NOT NULL,
    attempted_at TIMESTAMP,
    next_at      TIMESTAMP,
    CHECK ((status = 'pending') = (next_at IS NOT NULL))
);
CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, id);
CREATE INDEX deliveries_due ON deliveries (next_at) WHERE status = 'pending';

-- +goose Down
DROP TABLE deliveries;
DROP TABLE webhooks;
DROP TABLE feeds;
DROP TABLE events;
