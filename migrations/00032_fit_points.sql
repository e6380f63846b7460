-- What a ladder's fits have said of a version over time. The text of 00001 about times, ids and JSON holds here too.

-- +goose Up
-- seq is the version's last match in the ladder's order that a fit had seen; the first fit that had seen it is kept.
CREATE TABLE fit_points (
    version_id TEXT NOT NULL REFERENCES versions (id),
    ladder_id  TEXT NOT NULL REFERENCES ladders (id),
    seq        BIGINT NOT NULL CHECK (seq > 0),
    milli      BIGINT NOT NULL,
    low_milli  BIGINT NOT NULL CHECK (low_milli <= milli),
    high_milli BIGINT NOT NULL CHECK (high_milli >= milli),
    PRIMARY KEY (version_id, ladder_id, seq)
);

-- +goose Down
DROP TABLE fit_points;
