-- Events that no list shows, those who organise them together, codes that end, and bots that
-- take the place of others. The text of 00001 about times, ids and JSON holds here too.

-- +goose Up
ALTER TABLE tournaments ADD COLUMN is_unlisted BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX tournaments_unlisted ON tournaments (id) WHERE is_unlisted;
ALTER TABLE schedules ADD COLUMN is_unlisted BOOLEAN NOT NULL DEFAULT FALSE;

-- What happens in an unlisted tournament is no public event: it has a number in the tournament's stream alone.
CREATE INDEX events_unlisted ON events (happened_ms, id) WHERE NOT is_public AND tournament_id IS NOT NULL AND tournament_seq IS NULL;

-- event_id is a tournament's, a schedule's or a series': who may do there what its organiser may.
CREATE TABLE co_organisers (
    event_id TEXT NOT NULL,
    user_id  TEXT NOT NULL REFERENCES users (id),
    added_at TIMESTAMP NOT NULL,
    PRIMARY KEY (event_id, user_id)
);
CREATE INDEX co_organisers_by_user ON co_organisers (user_id, event_id);

-- NULL: the invite code does not end before registration does.
ALTER TABLE tournaments ADD COLUMN invite_ends_at TIMESTAMP;

-- The bot that the entry has taken the place of, and the round from which on it plays there. NULL and 0: none.
ALTER TABLE entries ADD COLUMN replaces TEXT REFERENCES bots (id);
ALTER TABLE entries ADD COLUMN since_round INTEGER NOT NULL DEFAULT 0 CHECK (since_round >= 0);

-- +goose Down
ALTER TABLE entries DROP COLUMN since_round;
ALTER TABLE entries DROP COLUMN replaces;
ALTER TABLE tournaments DROP COLUMN invite_ends_at;
DROP TABLE co_organisers;
DROP INDEX events_unlisted;
ALTER TABLE schedules DROP COLUMN is_unlisted;
DROP INDEX tournaments_unlisted;
ALTER TABLE tournaments DROP COLUMN is_unlisted;
