-- How the beliefs of a seat did, in sum, beside what the rules alone tell, once its match is done. Of matches that ended before they are not known: 0 beliefs.

-- +goose Up
ALTER TABLE match_seats ADD COLUMN own_beliefs INTEGER NOT NULL DEFAULT 0 CHECK (own_beliefs >= 0);
ALTER TABLE match_seats ADD COLUMN own_brier DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE match_seats ADD COLUMN own_log DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE match_seats ADD COLUMN rules_beliefs INTEGER NOT NULL DEFAULT 0 CHECK (rules_beliefs >= 0);
ALTER TABLE match_seats ADD COLUMN rules_brier DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE match_seats ADD COLUMN rules_log DOUBLE PRECISION NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE match_seats DROP COLUMN rules_log;
ALTER TABLE match_seats DROP COLUMN rules_brier;
ALTER TABLE match_seats DROP COLUMN rules_beliefs;
ALTER TABLE match_seats DROP COLUMN own_log;
ALTER TABLE match_seats DROP COLUMN own_brier;
ALTER TABLE match_seats DROP COLUMN own_beliefs;
