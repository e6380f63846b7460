-- Codes that give a lost account back, and who did what to what. Audit lines are only added: the program sets triggers that refuse all else, in the words of each database.
-- The text of 00001 about times, ids and JSON holds here too.

-- +goose Up
-- A recovery code gives its user one new access token, and is no token itself.
ALTER TABLE tokens ADD COLUMN kind TEXT NOT NULL DEFAULT 'access' CHECK (kind IN ('access', 'recovery'));

-- user_id and token_id are '' where nobody was logged in, and where a command worked on the database itself. No foreign keys: a line outlives
-- what it is about.
CREATE TABLE audit_lines (
    id         TEXT PRIMARY KEY,
    at         TIMESTAMP NOT NULL,
    via        TEXT NOT NULL CHECK (via IN ('api', 'command')),
    user_id    TEXT NOT NULL,
    token_id   TEXT NOT NULL,
    operation  TEXT NOT NULL CHECK (operation <> ''),
    kind       TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    outcome    TEXT NOT NULL CHECK (outcome IN ('done', 'refused', 'failed'))
);
CREATE INDEX audit_lines_by_user ON audit_lines (user_id, id);
CREATE INDEX audit_lines_by_subject ON audit_lines (subject_id, id);

-- +goose Down
DROP TABLE audit_lines;
ALTER TABLE tokens DROP COLUMN kind;
