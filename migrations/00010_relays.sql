-- Mailboxes of bots that cannot be called: relays (molerun connect) fetch letters and bring answers. The text of 00001 about times, ids and JSON
-- holds here too; times are the database's clock.

-- +goose Up
-- When a relay last asked for the letters of a mailbox.
CREATE TABLE relays (
    box     TEXT PRIMARY KEY,
    seen_ms BIGINT NOT NULL
);

-- A letter is here from when it is sent until whoever sent it has the answer, or it is late. relay has it until again_ms; then it is given to the next
-- that asks. body and answer are base64. status is 0 until there is an answer.
CREATE TABLE letters (
    id       TEXT PRIMARY KEY,
    box      TEXT NOT NULL,
    head     TEXT NOT NULL,
    body     TEXT NOT NULL,
    ends_ms  BIGINT NOT NULL,
    relay    TEXT NOT NULL,
    again_ms BIGINT NOT NULL,
    status   INTEGER NOT NULL CHECK (status >= 0),
    encoding TEXT NOT NULL,
    answer   TEXT NOT NULL
);
CREATE INDEX letters_by_box ON letters (box, id);
CREATE INDEX letters_by_end ON letters (ends_ms);

-- +goose Down
DROP TABLE letters;
DROP TABLE relays;
