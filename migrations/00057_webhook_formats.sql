-- How a webhook's messages say what happened. A process of the release before makes standard ones.
-- An organiser's tournaments are counted and listed by their index.

-- +goose Up
ALTER TABLE webhooks ADD COLUMN format TEXT NOT NULL DEFAULT 'standard' CHECK (format IN ('standard', 'discord', 'mail'));
CREATE INDEX tournaments_by_organiser ON tournaments (organiser_id, id);

-- +goose Down
DROP INDEX tournaments_by_organiser;
ALTER TABLE webhooks DROP COLUMN format;
