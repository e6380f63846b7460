-- How well the forecasts of a ladder came true, as it was last judged.

-- +goose Up
-- Nobody judges the ladder before this time of the database's clock: a process is at it, or it was judged just now.
ALTER TABLE ladders ADD COLUMN calibrate_after_ms BIGINT NOT NULL DEFAULT 0;

CREATE TABLE calibrations (
    ladder_id   TEXT PRIMARY KEY REFERENCES ladders (id),
    to_seq      BIGINT NOT NULL CHECK (to_seq > 0),
    matches     INTEGER NOT NULL CHECK (matches >= 0),
    judged      INTEGER NOT NULL CHECK (judged >= 0),
    comparisons INTEGER NOT NULL CHECK (comparisons >= 0),
    fits        INTEGER NOT NULL CHECK (fits >= 0),
    forecasters TEXT NOT NULL,
    took_us     BIGINT NOT NULL,
    made_at     TIMESTAMP NOT NULL
);

-- +goose Down
DROP TABLE calibrations;
ALTER TABLE ladders DROP COLUMN calibrate_after_ms;
