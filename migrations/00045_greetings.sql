-- A bot that is unproven is greeted before it plays again: one whose last decision in a match failed, which must then also make a
-- decision on trial, and those of a tournament that starts. Failures are matches in a row that a bot lost by its own faults; some of
-- them keep it paused until its owner resumes it.

-- +goose Up
ALTER TABLE bots ADD COLUMN unproven_at TIMESTAMP;
ALTER TABLE bots ADD COLUMN trial_due BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE bots ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE bots DROP COLUMN failures;
ALTER TABLE bots DROP COLUMN trial_due;
ALTER TABLE bots DROP COLUMN unproven_at;
