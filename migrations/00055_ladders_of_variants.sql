-- Ladders of variants. The text of 00001 about times, ids and JSON holds here too.

-- +goose Up
-- plays is a ladder's game. The column game has it for the ladder of the base game alone, whose id it is; on other ladders it has their own
-- id: one game has one ladder a season there, and a program of the release before, which knows no such game, makes no matches for them.
ALTER TABLE ladders ADD COLUMN plays TEXT NOT NULL DEFAULT '';
UPDATE ladders SET plays = game;
-- What the matches have: config, where it differs from the base configuration, at tables of table_size, 0 for every size of the game.
ALTER TABLE ladders ADD COLUMN config TEXT NOT NULL DEFAULT '{}';
ALTER TABLE ladders ADD COLUMN table_size INTEGER NOT NULL DEFAULT 0 CHECK (table_size >= 0);
ALTER TABLE ladders ADD COLUMN asks_beliefs BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE ladders ADD COLUMN clock_class TEXT NOT NULL DEFAULT 'standard' CHECK (clock_class IN ('standard', 'slow'));
-- A backup of the release before has no plays until all its rows are there.
CREATE UNIQUE INDEX ladders_by_matches ON ladders (plays, config, table_size, asks_beliefs, clock_class) WHERE plays <> '';

-- +goose Down
DROP INDEX ladders_by_matches;
ALTER TABLE ladders DROP COLUMN clock_class;
ALTER TABLE ladders DROP COLUMN asks_beliefs;
ALTER TABLE ladders DROP COLUMN table_size;
ALTER TABLE ladders DROP COLUMN config;
ALTER TABLE ladders DROP COLUMN plays;
