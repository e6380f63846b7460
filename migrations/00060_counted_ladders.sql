-- Every line of a ladder has been counted since before the first release: no query looks for those that are not.

-- +goose Up
DROP INDEX ratings_uncounted;

-- +goose Down
CREATE INDEX ratings_uncounted ON ratings (ladder_id, version_id) WHERE wins + draws + losses <> games;
