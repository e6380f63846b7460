-- One text for both databases: plain types, no substitutions. Every TIMESTAMP is UTC with microseconds; the program never
-- writes another zone (TIMESTAMPTZ has no counterpart in SQLite). Ids are UUIDv7 text. JSON that is hashed or signed is
-- TEXT, because JSONB reorders keys. Durations are microseconds (_us); leases are milliseconds of the database's clock.

-- +goose Up
CREATE TABLE users (
    id          TEXT PRIMARY KEY,
    name        TEXT NOT NULL CHECK (name <> ''),
    name_folded TEXT NOT NULL UNIQUE,
    role        TEXT NOT NULL CHECK (role IN ('owner', 'organiser', 'admin')),
    created_at  TIMESTAMP NOT NULL
);

CREATE TABLE tokens (
    id         TEXT PRIMARY KEY,
    user_id    TEXT NOT NULL REFERENCES users (id),
    hash       TEXT NOT NULL CHECK (length(hash) = 64),
    note       TEXT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP,
    revoked_at TIMESTAMP
);
CREATE INDEX tokens_by_user ON tokens (user_id, id);

-- version_id has no foreign key: versions point at bots, and the two are made in one transaction.
CREATE TABLE bots (
    id          TEXT PRIMARY KEY,
    owner_id    TEXT NOT NULL REFERENCES users (id),
    name        TEXT NOT NULL CHECK (name <> ''),
    name_folded TEXT NOT NULL UNIQUE,
    status      TEXT NOT NULL CHECK (status IN ('active', 'paused', 'retired')),
    reason      TEXT NOT NULL,
    version_id  TEXT NOT NULL,
    created_at  TIMESTAMP NOT NULL,
    checked_at  TIMESTAMP NOT NULL,
    passes      INTEGER NOT NULL CHECK (passes >= 0)
);
CREATE INDEX bots_by_check ON bots (checked_at) WHERE status <> 'retired';
CREATE INDEX bots_by_owner ON bots (owner_id, id);
CREATE INDEX bots_by_status ON bots (status, id);

CREATE TABLE versions (
    id         TEXT PRIMARY KEY,
    bot_id     TEXT NOT NULL REFERENCES bots (id),
    number     INTEGER NOT NULL CHECK (number > 0),
    url        TEXT NOT NULL,
    secrets    TEXT NOT NULL,
    author     TEXT NOT NULL,
    build      TEXT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    UNIQUE (bot_id, number)
);

CREATE TABLE version_games (
    version_id TEXT NOT NULL REFERENCES versions (id),
    position   INTEGER NOT NULL,
    game       TEXT NOT NULL,
    PRIMARY KEY (version_id, game)
);
CREATE INDEX version_games_by_game ON version_games (game, version_id);

CREATE TABLE ladders (
    id         TEXT PRIMARY KEY,
    game       TEXT NOT NULL,
    season     INTEGER NOT NULL CHECK (season > 0),
    next_seq   BIGINT NOT NULL CHECK (next_seq > 0),
    last_seq   BIGINT NOT NULL CHECK (last_seq >= 0 AND next_seq <= last_seq + 1),
    created_at TIMESTAMP NOT NULL,
    UNIQUE (game, season)
);

CREATE TABLE tournaments (
    id            TEXT PRIMARY KEY,
    name          TEXT NOT NULL CHECK (name <> ''),
    organiser_id  TEXT NOT NULL REFERENCES users (id),
    game          TEXT NOT NULL,
    config        TEXT NOT NULL,
    format        TEXT NOT NULL,
    table_size    INTEGER NOT NULL CHECK (table_size BETWEEN 2 AND 16),
    cycles        INTEGER NOT NULL CHECK (cycles > 0),
    is_duplicate  BOOLEAN NOT NULL,
    rated         BOOLEAN NOT NULL,
    ladder_id     TEXT REFERENCES ladders (id),
    capacity      INTEGER NOT NULL CHECK (capacity > 0),
    limit_us      BIGINT NOT NULL CHECK (limit_us > 0),
    bank_us       BIGINT NOT NULL CHECK (bank_us >= 0),
    increment_us  BIGINT NOT NULL CHECK (increment_us >= 0),
    allowance_us  BIGINT NOT NULL CHECK (allowance_us >= 0),
    faults_in_row INTEGER NOT NULL CHECK (faults_in_row > 0),
    faults_total  INTEGER NOT NULL CHECK (faults_total > 0),
    opens_at      TIMESTAMP NOT NULL,
    closes_at     TIMESTAMP NOT NULL,
    starts_at     TIMESTAMP NOT NULL,
    status        TEXT NOT NULL CHECK (status IN ('scheduled', 'running', 'finished', 'cancelled')),
    reason        TEXT NOT NULL,
    created_at    TIMESTAMP NOT NULL,
    started_at    TIMESTAMP,
    ended_at      TIMESTAMP,
    CHECK (rated = (ladder_id IS NOT NULL))
);
CREATE INDEX tournaments_by_status ON tournaments (status, id);
CREATE INDEX tournaments_by_game ON tournaments (game, id);
CREATE INDEX tournaments_due ON tournaments (starts_at) WHERE status = 'scheduled';

CREATE TABLE entries (
    tournament_id TEXT NOT NULL REFERENCES tournaments (id),
    bot_id        TEXT NOT NULL REFERENCES bots (id),
    version_id    TEXT REFERENCES versions (id),
    joined_at     TIMESTAMP NOT NULL,
    withdrawn_at  TIMESTAMP,
    PRIMARY KEY (tournament_id, bot_id)
);

CREATE TABLE matches (
    id             TEXT PRIMARY KEY,
    tournament_id  TEXT REFERENCES tournaments (id),
    round          INTEGER NOT NULL CHECK (round >= 0),
    block          INTEGER NOT NULL CHECK (block >= 0),
    number         INTEGER NOT NULL CHECK (number >= 0),
    game           TEXT NOT NULL,
    rules_version  INTEGER NOT NULL,
    config         TEXT NOT NULL,
    limit_us       BIGINT NOT NULL CHECK (limit_us > 0),
    bank_us        BIGINT NOT NULL CHECK (bank_us >= 0),
    increment_us   BIGINT NOT NULL CHECK (increment_us >= 0),
    allowance_us   BIGINT NOT NULL CHECK (allowance_us >= 0),
    faults_in_row  INTEGER NOT NULL CHECK (faults_in_row > 0),
    faults_total   INTEGER NOT NULL CHECK (faults_total > 0),
    rated          BOOLEAN NOT NULL,
    ladder_id      TEXT REFERENCES ladders (id),
    ladder_seq     BIGINT CHECK (ladder_seq > 0),
    seed           TEXT NOT NULL CHECK (length(seed) = 64),
    nonce          TEXT NOT NULL CHECK (length(nonce) = 32),
    status         TEXT NOT NULL CHECK (status IN ('queued', 'running', 'done', 'void')),
    reason         TEXT NOT NULL,
    epoch          BIGINT NOT NULL CHECK (epoch >= 0),
    engine         TEXT NOT NULL,
    worker         TEXT NOT NULL,
    lease_until_ms BIGINT NOT NULL,
    job_id         BIGINT NOT NULL,
    result         TEXT,
    retired        INTEGER NOT NULL CHECK (retired BETWEEN 0 AND 65535),
    steps          INTEGER NOT NULL CHECK (steps >= 0),
    hash           TEXT NOT NULL,
    created_at     TIMESTAMP NOT NULL,
    started_at     TIMESTAMP,
    ended_at       TIMESTAMP,
    CHECK (rated = (ladder_id IS NOT NULL)),
    CHECK ((ladder_id IS NULL) = (ladder_seq IS NULL)),
    CHECK ((status = 'done') = (result IS NOT NULL)),
    CHECK ((status IN ('done', 'void')) = (ended_at IS NOT NULL)),
    UNIQUE (ladder_id, ladder_seq),
    UNIQUE (tournament_id, round, block, number)
);
CREATE INDEX matches_by_tournament ON matches (tournament_id, id);
-- Every result changes its match's row: the fewer indexes the better. Lists by ladder or of matches done walk the primary key.
CREATE INDEX matches_open ON matches (tournament_id, id) WHERE status IN ('queued', 'running');
CREATE INDEX matches_running ON matches (lease_until_ms) WHERE status = 'running';
CREATE INDEX matches_queued_by_job ON matches (job_id) WHERE status = 'queued';

-- The bot's name, owner and build are kept as they were: they are part of the match's record.
CREATE TABLE match_seats (
    match_id   TEXT NOT NULL REFERENCES matches (id),
    seat       INTEGER NOT NULL CHECK (seat BETWEEN 0 AND 15),
    bot_id     TEXT NOT NULL REFERENCES bots (id),
    bot_name   TEXT NOT NULL,
    version_id TEXT NOT NULL REFERENCES versions (id),
    owner_id   TEXT NOT NULL REFERENCES users (id),
    build      TEXT NOT NULL,
    alias      TEXT NOT NULL,
    place      INTEGER CHECK (place > 0),
    verdict    TEXT CHECK (verdict IN ('win', 'draw', 'loss')),
    faults     INTEGER NOT NULL CHECK (faults >= 0),
    PRIMARY KEY (match_id, seat),
    UNIQUE (match_id, alias)
);
CREATE INDEX match_seats_by_bot ON match_seats (bot_id, match_id);
CREATE INDEX match_seats_by_version ON match_seats (version_id, match_id);

CREATE TABLE decisions (
    match_id     TEXT NOT NULL REFERENCES matches (id),
    step         INTEGER NOT NULL CHECK (step > 0),
    seat         INTEGER NOT NULL CHECK (seat BETWEEN 0 AND 15),
    action       TEXT NOT NULL,
    say          TEXT NOT NULL,
    decided_by   TEXT NOT NULL CHECK (decided_by IN ('bot', 'house')),
    why          TEXT NOT NULL,
    clock        TEXT NOT NULL,
    fault        TEXT NOT NULL,
    reason       TEXT NOT NULL,
    memo         TEXT NOT NULL,
    debug        TEXT NOT NULL,
    build        TEXT NOT NULL,
    sent_ahead   TEXT NOT NULL,
    hash         TEXT NOT NULL CHECK (length(hash) = 64),
    recorded_ms  BIGINT NOT NULL,
    PRIMARY KEY (match_id, step, seat)
);

CREATE TABLE ratings (
    ladder_id  TEXT NOT NULL REFERENCES ladders (id),
    version_id TEXT NOT NULL REFERENCES versions (id),
    bot_id     TEXT NOT NULL REFERENCES bots (id),
    milli      BIGINT NOT NULL,
    games      INTEGER NOT NULL CHECK (games > 0),
    last_seq   BIGINT NOT NULL CHECK (last_seq > 0),
    PRIMARY KEY (ladder_id, version_id)
);
CREATE INDEX ratings_by_rank ON ratings (ladder_id, milli DESC, version_id);

-- The ladder, version and bot of an event are those of its match and its rating, which are tied to their tables.
CREATE TABLE rating_events (
    ladder_id    TEXT NOT NULL,
    ladder_seq   BIGINT NOT NULL CHECK (ladder_seq > 0),
    version_id   TEXT NOT NULL,
    bot_id       TEXT NOT NULL,
    match_id     TEXT NOT NULL REFERENCES matches (id),
    before_milli BIGINT NOT NULL,
    delta_milli  BIGINT NOT NULL,
    after_milli  BIGINT NOT NULL CHECK (after_milli = before_milli + delta_milli),
    k            DOUBLE PRECISION NOT NULL,
    expected     DOUBLE PRECISION NOT NULL,
    score        DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (ladder_id, ladder_seq, version_id)
);
CREATE INDEX rating_events_by_version ON rating_events (version_id, ladder_id, ladder_seq);
CREATE INDEX rating_events_by_bot ON rating_events (bot_id, ladder_id, ladder_seq);

-- +goose Down
DROP TABLE rating_events;
DROP TABLE ratings;
DROP TABLE decisions;
DROP TABLE match_seats;
DROP TABLE matches;
DROP TABLE entries;
DROP TABLE tournaments;
DROP TABLE ladders;
DROP TABLE version_games;
DROP TABLE versions;
DROP TABLE bots;
DROP TABLE tokens;
DROP TABLE users;
