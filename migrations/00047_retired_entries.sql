-- The end of a tournament withdraws the entries of bots that are retired by then. What ended before: a bot's last check is the moment
-- of its retirement.

-- +goose Up
UPDATE entries SET withdrawn_at = (SELECT b.checked_at FROM bots b WHERE b.id = entries.bot_id)
WHERE withdrawn_at IS NULL AND EXISTS (SELECT 1 FROM bots b JOIN tournaments t ON t.id = entries.tournament_id
    WHERE b.id = entries.bot_id AND b.status = 'retired' AND t.ended_at IS NOT NULL AND b.checked_at <= t.ended_at);

-- +goose Down
SELECT 1;
