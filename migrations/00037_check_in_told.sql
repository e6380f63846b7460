-- The opening of check-in is told once. The text of 00001 about times, ids and JSON holds here too.

-- +goose Up
-- When a tournament's check-in opens, until that has been told; NULL where nobody is asked. Of tournaments that were announced
-- before it is not told.
ALTER TABLE tournaments ADD COLUMN check_in_due_at TIMESTAMP;
CREATE INDEX tournaments_check_in_due ON tournaments (check_in_due_at) WHERE check_in_due_at IS NOT NULL;

-- +goose Down
DROP INDEX tournaments_check_in_due;
ALTER TABLE tournaments DROP COLUMN check_in_due_at;
