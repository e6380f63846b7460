-- What bots claim beside their decisions: what they used, and what they believe. The text of 00001 about times, ids and JSON holds here too.

-- +goose Up
ALTER TABLE tournaments ADD COLUMN asks_beliefs BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE matches ADD COLUMN asks_beliefs BOOLEAN NOT NULL DEFAULT FALSE;

-- As JSON; '': none.
ALTER TABLE decisions ADD COLUMN usage TEXT NOT NULL DEFAULT '';
ALTER TABLE decisions ADD COLUMN belief TEXT NOT NULL DEFAULT '';

-- The sums of a seat once its match is done: decisions with a usage, tokens, and billionths of a dollar.
ALTER TABLE match_seats ADD COLUMN used_decisions INTEGER NOT NULL DEFAULT 0 CHECK (used_decisions >= 0);
ALTER TABLE match_seats ADD COLUMN used_input_tokens BIGINT NOT NULL DEFAULT 0 CHECK (used_input_tokens >= 0);
ALTER TABLE match_seats ADD COLUMN used_output_tokens BIGINT NOT NULL DEFAULT 0 CHECK (used_output_tokens >= 0);
ALTER TABLE match_seats ADD COLUMN used_cost_nano_usd BIGINT NOT NULL DEFAULT 0 CHECK (used_cost_nano_usd >= 0);

-- +goose Down
ALTER TABLE match_seats DROP COLUMN used_cost_nano_usd;
ALTER TABLE match_seats DROP COLUMN used_output_tokens;
ALTER TABLE match_seats DROP COLUMN used_input_tokens;
ALTER TABLE match_seats DROP COLUMN used_decisions;
ALTER TABLE decisions DROP COLUMN belief;
ALTER TABLE decisions DROP COLUMN usage;
ALTER TABLE matches DROP COLUMN asks_beliefs;
ALTER TABLE tournaments DROP COLUMN asks_beliefs;
