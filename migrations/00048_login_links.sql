-- Links that log a browser in once. The text of 00001 about times, ids and JSON holds here too.

-- +goose Up
-- hash is the SHA-256 of the code in the link, which is used up when a session begins with it.
CREATE TABLE login_links (
    hash       TEXT PRIMARY KEY CHECK (length(hash) = 64),
    user_id    TEXT NOT NULL REFERENCES users (id),
    expires_at TIMESTAMP NOT NULL
);
CREATE INDEX login_links_by_user ON login_links (user_id, expires_at);
CREATE INDEX login_links_by_end ON login_links (expires_at);

-- +goose Down
DROP TABLE login_links;
