-- Entries that an organiser has excluded before the start: their owners cannot enter the bots again. A process of the release before lets them in.

-- +goose Up
ALTER TABLE entries ADD COLUMN is_excluded BOOLEAN NOT NULL DEFAULT FALSE;

-- +goose Down
ALTER TABLE entries DROP COLUMN is_excluded;
