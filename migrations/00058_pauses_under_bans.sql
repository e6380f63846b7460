-- A bot that its owner had paused before it was banned is paused by its owner again when the ban is lifted. A process of the release
-- before lifts it to its checks.

-- +goose Up
ALTER TABLE bots ADD COLUMN owner_paused BOOLEAN NOT NULL DEFAULT FALSE;

-- +goose Down
ALTER TABLE bots DROP COLUMN owner_paused;
