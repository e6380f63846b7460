-- Why a bot is paused, as a state: the reason is for people alone from now on. The sentences of the releases before are read here, once.
-- A process of the release before that pauses a bot while both run leaves the cause as it is; the next check or its owner puts it right.

-- +goose Up
ALTER TABLE bots ADD COLUMN pause_cause TEXT NOT NULL DEFAULT '' CHECK (pause_cause IN ('', 'checks', 'owner', 'administrator', 'conduct', 'account'));
UPDATE bots SET pause_cause = CASE
    WHEN status <> 'paused' THEN ''
    WHEN banned_at IS NULL AND reason = 'paused by its owner' THEN 'owner'
    WHEN banned_at IS NULL THEN 'checks'
    WHEN conduct <> '' THEN 'conduct'
    WHEN reason = 'banned: its owner''s account is disabled' AND owner_id IN (SELECT id FROM users WHERE disabled_at IS NOT NULL) THEN 'account'
    ELSE 'administrator' END;

-- +goose Down
ALTER TABLE bots DROP COLUMN pause_cause;
