-- +goose Up
ALTER TABLE versions ADD COLUMN wants_text BOOLEAN NOT NULL DEFAULT FALSE;

-- +goose Down
ALTER TABLE versions DROP COLUMN wants_text;
