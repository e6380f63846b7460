-- Links by which a class makes its accounts. The text of 00001 about times, ids and JSON holds here too.

-- +goose Up
-- hash is the SHA-256 of the code in the link. made_accounts counts those that are deleted since, too.
CREATE TABLE class_links (
    id            TEXT PRIMARY KEY,
    organiser_id  TEXT NOT NULL REFERENCES users (id),
    hash          TEXT NOT NULL UNIQUE CHECK (length(hash) = 64),
    note          TEXT NOT NULL,
    most_accounts INTEGER NOT NULL CHECK (most_accounts > 0),
    made_accounts INTEGER NOT NULL CHECK (made_accounts BETWEEN 0 AND most_accounts),
    created_at    TIMESTAMP NOT NULL,
    expires_at    TIMESTAMP NOT NULL,
    ended_at      TIMESTAMP
);
CREATE INDEX class_links_by_organiser ON class_links (organiser_id, id);

-- event_id is a tournament's or a schedule's.
CREATE TABLE class_events (
    link_id  TEXT NOT NULL REFERENCES class_links (id) ON DELETE CASCADE,
    event_id TEXT NOT NULL,
    PRIMARY KEY (link_id, event_id)
);

CREATE TABLE class_accounts (
    user_id   TEXT PRIMARY KEY REFERENCES users (id),
    link_id   TEXT NOT NULL REFERENCES class_links (id) ON DELETE CASCADE,
    joined_at TIMESTAMP NOT NULL
);
CREATE INDEX class_accounts_by_link ON class_accounts (link_id, user_id);

-- +goose Down
DROP TABLE class_accounts;
DROP TABLE class_events;
DROP TABLE class_links;
