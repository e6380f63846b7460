-- The fit of each ladder, as it was last made, and the seasons' frozen advantages. The text of 00001 about times, ids and JSON holds here too.

-- +goose Up
-- Nobody fits the ladder before this time of the database's clock: a process is at it, or the last fit is too fresh.
ALTER TABLE ladders ADD COLUMN fit_after_ms BIGINT NOT NULL DEFAULT 0;

CREATE TABLE ladder_fits (
    ladder_id  TEXT PRIMARY KEY REFERENCES ladders (id),
    to_seq     BIGINT NOT NULL CHECK (to_seq > 0),
    matches    INTEGER NOT NULL CHECK (matches >= 0),
    blocks     INTEGER NOT NULL CHECK (blocks >= 0),
    teams      TEXT NOT NULL,
    advantages TEXT NOT NULL,
    took_us    BIGINT NOT NULL,
    fitted_at  TIMESTAMP NOT NULL
);

-- Elo is about the mean of the ladder, which is 1500. The roles are NULL where there are no teams.
CREATE TABLE fit_rows (
    ladder_id  TEXT NOT NULL REFERENCES ladder_fits (ladder_id),
    version_id TEXT NOT NULL REFERENCES versions (id),
    matches    INTEGER NOT NULL CHECK (matches >= 0),
    elo        DOUBLE PRECISION NOT NULL,
    se         DOUBLE PRECISION NOT NULL,
    first_elo  DOUBLE PRECISION,
    first_se   DOUBLE PRECISION,
    second_elo DOUBLE PRECISION,
    second_se  DOUBLE PRECISION,
    best       INTEGER NOT NULL,
    worst      INTEGER NOT NULL,
    island     INTEGER NOT NULL,
    PRIMARY KEY (ladder_id, version_id)
);

-- A season after the first: the advantages that the on-line ratings take for known from a place in the ladder's order on.
CREATE TABLE seasons (
    ladder_id  TEXT NOT NULL REFERENCES ladders (id),
    number     INTEGER NOT NULL CHECK (number > 1),
    from_seq   BIGINT NOT NULL CHECK (from_seq > 0),
    advantages TEXT NOT NULL,
    began_at   TIMESTAMP NOT NULL,
    PRIMARY KEY (ladder_id, number),
    UNIQUE (ladder_id, from_seq)
);

-- +goose Down
DROP TABLE seasons;
DROP TABLE fit_rows;
DROP TABLE ladder_fits;
ALTER TABLE ladders DROP COLUMN fit_after_ms;
