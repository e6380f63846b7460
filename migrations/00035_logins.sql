-- Login by OpenID Connect. The text of 00001 about times, ids and JSON holds here too.

-- +goose Up
-- Which user is whom at an issuer.
CREATE TABLE identities (
    issuer     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    user_id    TEXT NOT NULL REFERENCES users (id),
    created_at TIMESTAMP NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_by_user ON identities (user_id);

-- A login from its first request until it has become a session or a token. hash is the SHA-256 of the secret that the browser or the command line
-- holds. A proved login knows who it is; one of a device is asked for at the issuer until then, not before next_at.
CREATE TABLE logins (
    hash        TEXT PRIMARY KEY CHECK (length(hash) = 64),
    state       TEXT NOT NULL CHECK (state IN ('sent', 'device', 'proved')),
    issuer      TEXT NOT NULL,
    subject     TEXT NOT NULL,
    device_code TEXT NOT NULL,
    every_us    BIGINT NOT NULL CHECK (every_us >= 0),
    next_at     TIMESTAMP NOT NULL,
    expires_at  TIMESTAMP NOT NULL,
    CHECK (state <> 'proved' OR subject <> '')
);
CREATE INDEX logins_by_end ON logins (expires_at);

-- hash is the SHA-256 of the secret in the browser's cookie.
CREATE TABLE sessions (
    hash       TEXT PRIMARY KEY CHECK (length(hash) = 64),
    user_id    TEXT NOT NULL REFERENCES users (id),
    expires_at TIMESTAMP NOT NULL
);
CREATE INDEX sessions_by_end ON sessions (expires_at);
CREATE INDEX sessions_by_user ON sessions (user_id);

-- +goose Down
DROP TABLE sessions;
DROP TABLE logins;
DROP TABLE identities;
