-- The waiting list of a full tournament, and the check-in before its start. The text of 00001 about times, ids and JSON holds here too.

-- +goose Up
-- Entries beyond the capacity wait. Check-in opens so long before the start; 0: nobody is asked.
ALTER TABLE tournaments ADD COLUMN has_waiting_list BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE tournaments ADD COLUMN check_in_us BIGINT NOT NULL DEFAULT 0 CHECK (check_in_us >= 0);

-- Who waits has no place yet. left_out is why the start left an entry out, which is then withdrawn; '' if it did not.
ALTER TABLE entries ADD COLUMN is_waiting BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE entries ADD COLUMN checked_in_at TIMESTAMP;
ALTER TABLE entries ADD COLUMN left_out TEXT NOT NULL DEFAULT '' CHECK (left_out IN ('', 'not_checked_in', 'no_place', 'retired'));

-- +goose Down
ALTER TABLE entries DROP COLUMN left_out;
ALTER TABLE entries DROP COLUMN checked_in_at;
ALTER TABLE entries DROP COLUMN is_waiting;
ALTER TABLE tournaments DROP COLUMN check_in_us;
ALTER TABLE tournaments DROP COLUMN has_waiting_list;
