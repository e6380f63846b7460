-- The most entries that one owner may have. 0 is a tournament of a program that knew no bound: it goes on as it was announced, without one.

-- +goose Up
ALTER TABLE tournaments ADD COLUMN entries_per_owner INTEGER NOT NULL DEFAULT 0 CHECK (entries_per_owner >= 0);

-- +goose Down
ALTER TABLE tournaments DROP COLUMN entries_per_owner;
