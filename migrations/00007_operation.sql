-- Operation by many processes: accounts that are shut, bots that are banned, the log of health checks, rates counted in one
-- place, and creations that can be asked for twice. The text of 00001 about times, ids and JSON holds here too.

-- +goose Up
ALTER TABLE users ADD COLUMN disabled_at TIMESTAMP;
ALTER TABLE users ADD COLUMN disabled_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE bots ADD COLUMN banned_at TIMESTAMP;
ALTER TABLE versions ADD COLUMN note TEXT NOT NULL DEFAULT '';

CREATE TABLE bot_checks (
    id         TEXT PRIMARY KEY,
    bot_id     TEXT NOT NULL REFERENCES bots (id),
    version_id TEXT NOT NULL REFERENCES versions (id),
    checked_at TIMESTAMP NOT NULL,
    failure    TEXT NOT NULL,
    build      TEXT NOT NULL,
    took_us    BIGINT NOT NULL CHECK (took_us >= 0)
);
CREATE INDEX bot_checks_by_bot ON bot_checks (bot_id, id);
CREATE INDEX bot_checks_by_time ON bot_checks (checked_at);

-- full_us is when, in microseconds since 1970, nothing is used up any more (the generic cell rate algorithm).
CREATE TABLE rates (
    name    TEXT NOT NULL,
    caller  TEXT NOT NULL,
    full_us BIGINT NOT NULL,
    PRIMARY KEY (name, caller)
);
CREATE INDEX rates_by_end ON rates (full_us);

-- id is the hash of the caller, the route and the key, request that of what was asked. The answer is encrypted with what
-- only the caller knows: it may hold a token or a secret.
CREATE TABLE idempotency_keys (
    id           TEXT PRIMARY KEY CHECK (length(id) = 64),
    request      TEXT NOT NULL CHECK (length(request) = 64),
    attempt      TEXT NOT NULL,
    carried_out  BOOLEAN NOT NULL,
    answer       TEXT NOT NULL,
    created_at   TIMESTAMP NOT NULL,
    attempted_at TIMESTAMP NOT NULL
);
CREATE INDEX idempotency_keys_by_time ON idempotency_keys (created_at);

-- +goose Down
DROP TABLE idempotency_keys;
DROP TABLE rates;
DROP TABLE bot_checks;
ALTER TABLE versions DROP COLUMN note;
ALTER TABLE bots DROP COLUMN banned_at;
ALTER TABLE users DROP COLUMN disabled_reason;
ALTER TABLE users DROP COLUMN disabled_at;
