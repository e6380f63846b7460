-- Void matches that are played again, and what is counted of bots that are in more of them than chance allows. The text of 00001 about times, ids and
-- JSON holds here too.

-- +goose Up
-- Whose fault it is that a match is void: 'platform' is ours; '' is nobody's: somebody wanted it so, or a release before did not note it.
ALTER TABLE matches ADD COLUMN void_cause TEXT NOT NULL DEFAULT '' CHECK (void_cause IN ('', 'platform'));
-- The match that is played in the place of this void one.
ALTER TABLE matches ADD COLUMN replayed_as TEXT;
-- Of such a match: the first of those that were played in this place, and how often it was played again with this one.
ALTER TABLE matches ADD COLUMN replay_of TEXT;
ALTER TABLE matches ADD COLUMN replay INTEGER NOT NULL DEFAULT 0 CHECK (replay BETWEEN 0 AND 3);
CREATE UNIQUE INDEX matches_by_replay ON matches (replay_of, replay) WHERE replay_of IS NOT NULL;
CREATE INDEX matches_by_end ON matches (ended_at) WHERE ended_at IS NOT NULL;

-- How many of the seat's decisions failed because its bot could not be connected to, or broke the connection.
ALTER TABLE match_seats ADD COLUMN resets INTEGER NOT NULL DEFAULT 0;
-- Whether its bot was retired: the seat's bit of the match's.
ALTER TABLE match_seats ADD COLUMN retired BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE match_seats SET retired = TRUE WHERE EXISTS (SELECT 1 FROM matches m WHERE m.id = match_seats.match_id AND ((m.retired >> match_seats.seat) & 1) = 1);
CREATE INDEX match_seats_retired ON match_seats (version_id, match_id) WHERE retired;

-- What of its matches keeps a bot paused until an administrator lifts it: 'voids', 'retirements', or '' for nothing.
ALTER TABLE bots ADD COLUMN conduct TEXT NOT NULL DEFAULT '' CHECK (conduct IN ('', 'voids', 'retirements'));
-- Matches that ended before this do not count: the ban was lifted then.
ALTER TABLE bots ADD COLUMN conduct_from TIMESTAMP;

-- +goose Down
ALTER TABLE bots DROP COLUMN conduct_from;
ALTER TABLE bots DROP COLUMN conduct;
DROP INDEX match_seats_retired;
ALTER TABLE match_seats DROP COLUMN retired;
ALTER TABLE match_seats DROP COLUMN resets;
DROP INDEX matches_by_end;
DROP INDEX matches_by_replay;
ALTER TABLE matches DROP COLUMN replay;
ALTER TABLE matches DROP COLUMN replay_of;
ALTER TABLE matches DROP COLUMN replayed_as;
ALTER TABLE matches DROP COLUMN void_cause;
