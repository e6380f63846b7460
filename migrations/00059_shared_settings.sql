-- Settings that every process of a platform needs alike. serve writes them; a process of the release before neither writes nor reads them.

-- +goose Up
CREATE TABLE shared_settings (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

-- +goose Down
DROP TABLE shared_settings;
