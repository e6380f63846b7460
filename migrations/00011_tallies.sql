-- What a ladder's line tells besides the rating, kept with it, so that a page of a ladder reads no matches. A row whose wins, draws and losses are not
-- as many as its games has not been counted: it is from before, or was written by a program of the release before.

-- +goose Up
ALTER TABLE ratings ADD COLUMN wins INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ratings ADD COLUMN draws INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ratings ADD COLUMN losses INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ratings ADD COLUMN faults INTEGER NOT NULL DEFAULT 0;
-- The last five matches, the newest first: W, D or L.
ALTER TABLE ratings ADD COLUMN form TEXT NOT NULL DEFAULT '';
-- Of the last match; 0 if it is not known.
ALTER TABLE ratings ADD COLUMN p95_us BIGINT NOT NULL DEFAULT 0;
CREATE INDEX ratings_uncounted ON ratings (ladder_id, version_id) WHERE wins + draws + losses <> games;

-- The time that 95 % of the seat's own answers took at most; 0 if it gave none, or the match ended before this column was.
ALTER TABLE match_seats ADD COLUMN p95_us BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE match_seats DROP COLUMN p95_us;
DROP INDEX ratings_uncounted;
ALTER TABLE ratings DROP COLUMN p95_us;
ALTER TABLE ratings DROP COLUMN form;
ALTER TABLE ratings DROP COLUMN faults;
ALTER TABLE ratings DROP COLUMN losses;
ALTER TABLE ratings DROP COLUMN draws;
ALTER TABLE ratings DROP COLUMN wins;
