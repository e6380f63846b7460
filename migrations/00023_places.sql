-- Ladders are ordered by the fit. The text of 00001 about times, ids and JSON holds here too.

-- +goose Up
-- The rating that a line shows is milli + offset_milli: what the last fit gave it, and what milli, the on-line rating, has moved since.
ALTER TABLE ratings ADD COLUMN offset_milli BIGINT NOT NULL DEFAULT 0;
-- 0 established, 1 provisional, 2 inactive, 3 replaced: the order of a ladder's page. The sweeper finds who has become inactive.
ALTER TABLE ratings ADD COLUMN class INTEGER NOT NULL DEFAULT 1 CHECK (class BETWEEN 0 AND 3);
UPDATE ratings SET
    class = (SELECT CASE WHEN b.status = 'retired' OR b.version_id <> ratings.version_id THEN 3
            WHEN ratings.games < 30 OR EXISTS (SELECT 1 FROM fit_rows f WHERE f.ladder_id = ratings.ladder_id AND f.version_id = ratings.version_id
                AND COALESCE((f.high - f.low) / 2, 1.959963984540054 * f.se) > 100) THEN 1 ELSE 0 END
        FROM bots b WHERE b.id = ratings.bot_id),
    offset_milli = COALESCE((SELECT CAST(ROUND(1000 * f.elo) AS BIGINT) FROM fit_rows f WHERE f.ladder_id = ratings.ladder_id AND f.version_id = ratings.version_id)
        - COALESCE((SELECT e.after_milli FROM rating_events e JOIN ladder_fits l ON l.ladder_id = e.ladder_id
            WHERE e.version_id = ratings.version_id AND e.ladder_id = ratings.ladder_id AND e.ladder_seq <= l.to_seq ORDER BY e.ladder_seq DESC LIMIT 1), milli), 0);
CREATE INDEX ratings_by_place ON ratings (ladder_id, class, (-(milli + offset_milli)), version_id);
-- Programs of the release before read it for one page, which takes longer without.
DROP INDEX ratings_by_rank;

-- By which rule K was taken: 0 is 695/(t+14), that of the releases before, 1 is 1390/(t+20).
ALTER TABLE rating_events ADD COLUMN k_rule INTEGER NOT NULL DEFAULT 0 CHECK (k_rule IN (0, 1));

-- +goose Down
ALTER TABLE rating_events DROP COLUMN k_rule;
CREATE INDEX ratings_by_rank ON ratings (ladder_id, milli DESC, version_id);
DROP INDEX ratings_by_place;
ALTER TABLE ratings DROP COLUMN class;
ALTER TABLE ratings DROP COLUMN offset_milli;
