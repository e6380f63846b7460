-- The seed that the organiser gives an entry, from 1; 0: it is seeded by its rating, behind those with one.

-- +goose Up
ALTER TABLE entries ADD COLUMN manual_seed INTEGER NOT NULL DEFAULT 0 CHECK (manual_seed >= 0);

-- +goose Down
ALTER TABLE entries DROP COLUMN manual_seed;
