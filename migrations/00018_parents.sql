-- The version that a version replaced: whose rating it begins with, and about whose strength the fit expects it. Its number is lower than the version's own.
-- NULL: the version with the next lower number, as in all releases before. No foreign key: a backup is restored in the order of the ids.

-- +goose Up
ALTER TABLE versions ADD COLUMN parent_id TEXT;

-- +goose Down
ALTER TABLE versions DROP COLUMN parent_id;
