-- What organisers write about their tournaments, and standings over several of them. The text of 00001 about times, ids and JSON holds here too.

-- +goose Up
-- Markdown as it was written. A table of its own, so that what asks for tournaments does not carry it along; without a row there is none. A schedule keeps
-- the texts of its tournaments in its template.
CREATE TABLE texts (
    tournament_id TEXT PRIMARY KEY REFERENCES tournaments (id),
    description   TEXT NOT NULL,
    rules         TEXT NOT NULL,
    prizes        TEXT NOT NULL
);

-- The tournaments of a series are those of its schedule or, without one, those listed. best 0: all results count. rank_points is a JSON list, '' by points.
CREATE TABLE series (
    id           TEXT PRIMARY KEY,
    organiser_id TEXT NOT NULL REFERENCES users (id),
    name         TEXT NOT NULL CHECK (name <> ''),
    schedule_id  TEXT REFERENCES schedules (id) ON DELETE CASCADE,
    counts_by    TEXT NOT NULL CHECK (counts_by IN ('points', 'rank')),
    best         INTEGER NOT NULL CHECK (best >= 0),
    rank_points  TEXT NOT NULL,
    created_at   TIMESTAMP NOT NULL,
    CHECK ((counts_by = 'rank') = (rank_points <> ''))
);
CREATE INDEX series_by_organiser ON series (organiser_id);
CREATE INDEX series_by_schedule ON series (schedule_id);

CREATE TABLE series_tournaments (
    series_id     TEXT NOT NULL REFERENCES series (id) ON DELETE CASCADE,
    place         INTEGER NOT NULL CHECK (place >= 0),
    tournament_id TEXT NOT NULL REFERENCES tournaments (id),
    PRIMARY KEY (series_id, place),
    UNIQUE (tournament_id, series_id)
);

-- +goose Down
DROP TABLE series_tournaments;
DROP TABLE series;
DROP TABLE texts;
