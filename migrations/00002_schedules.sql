-- Schedules make tournaments; tournaments can be paused and can take entries by invitation. The text of 00001 about times,
-- ids and JSON holds here too.

-- +goose Up
CREATE TABLE schedules (
    id               TEXT PRIMARY KEY,
    organiser_id     TEXT NOT NULL REFERENCES users (id),
    game             TEXT NOT NULL,
    template         TEXT NOT NULL,
    cron             TEXT NOT NULL,
    zone             TEXT NOT NULL,
    once_at          TIMESTAMP,
    opens_before_us  BIGINT NOT NULL,
    closes_before_us BIGINT NOT NULL,
    status           TEXT NOT NULL CHECK (status IN ('active', 'paused', 'cancelled', 'finished')),
    reason           TEXT NOT NULL,
    made             INTEGER NOT NULL CHECK (made >= 0),
    done_at          TIMESTAMP NOT NULL,
    due_at           TIMESTAMP,
    missed           TEXT NOT NULL,
    missed_total     INTEGER NOT NULL CHECK (missed_total >= 0),
    created_at       TIMESTAMP NOT NULL,
    ended_at         TIMESTAMP,
    CHECK (closes_before_us >= 0 AND closes_before_us < opens_before_us),
    CHECK ((once_at IS NULL) = (cron <> '') AND (once_at IS NULL) = (zone <> '')),
    CHECK ((status IN ('cancelled', 'finished')) = (ended_at IS NOT NULL)),
    CHECK (status = 'active' OR due_at IS NULL)
);
CREATE INDEX schedules_due ON schedules (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX schedules_by_status ON schedules (status, id);
CREATE INDEX schedules_by_game ON schedules (game, id);

-- A number of a schedule is given to one tournament, however many machines make them.
ALTER TABLE tournaments ADD COLUMN schedule_id TEXT REFERENCES schedules (id);
ALTER TABLE tournaments ADD COLUMN number INTEGER CHECK ((number IS NULL) = (schedule_id IS NULL) AND number > 0);
ALTER TABLE tournaments ADD COLUMN invite_hash TEXT CHECK (length(invite_hash) = 64);
ALTER TABLE tournaments ADD COLUMN paused_at TIMESTAMP;
CREATE UNIQUE INDEX tournaments_by_schedule ON tournaments (schedule_id, number);

-- +goose Down
DROP INDEX tournaments_by_schedule;
ALTER TABLE tournaments DROP COLUMN paused_at;
ALTER TABLE tournaments DROP COLUMN invite_hash;
ALTER TABLE tournaments DROP COLUMN number;
ALTER TABLE tournaments DROP COLUMN schedule_id;
DROP TABLE schedules;
