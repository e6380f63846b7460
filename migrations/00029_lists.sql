-- Lists of matches by game, and of the few that are void. The text of 00001 about times, ids and JSON holds here too.

-- +goose Up
CREATE INDEX matches_by_game ON matches (game, id);
CREATE INDEX matches_void ON matches (id) WHERE status = 'void';

-- +goose Down
DROP INDEX matches_void;
DROP INDEX matches_by_game;
