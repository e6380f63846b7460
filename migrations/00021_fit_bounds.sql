-- Both bounds of the interval of a fitted strength, which may be lopsided. NULL in rows of a release before, whose intervals reach 1.96 standard errors to each side.

-- +goose Up
ALTER TABLE fit_rows ADD COLUMN low DOUBLE PRECISION;
ALTER TABLE fit_rows ADD COLUMN high DOUBLE PRECISION;
ALTER TABLE fit_rows ADD COLUMN first_low DOUBLE PRECISION;
ALTER TABLE fit_rows ADD COLUMN first_high DOUBLE PRECISION;
ALTER TABLE fit_rows ADD COLUMN second_low DOUBLE PRECISION;
ALTER TABLE fit_rows ADD COLUMN second_high DOUBLE PRECISION;

-- +goose Down
ALTER TABLE fit_rows DROP COLUMN low;
ALTER TABLE fit_rows DROP COLUMN high;
ALTER TABLE fit_rows DROP COLUMN first_low;
ALTER TABLE fit_rows DROP COLUMN first_high;
ALTER TABLE fit_rows DROP COLUMN second_low;
ALTER TABLE fit_rows DROP COLUMN second_high;
