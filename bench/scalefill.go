package main

import (
	"context"
	"database/sql"
	"fmt"
)

// size is how much there is on a platform.
type size struct {
	Bots        int // of which Live are on a ladder, a third of the others idle, and the rest retired
	Live        int
	Tournaments int // over, with 32 entries each
	Matches     int // of ladders, all of them done
	Packed      int // of the last of them with a packed record
}

// scaleGames have a ladder each, with a fourth of the live bots and of the matches: the games for two.
var scaleGames = []string{"cia", "mole", "molehill", "molemajority"}

// filler organises everything and owns every other bot, charles the others: bots of one owner would never meet.
const (
	filler  = "00000000-0000-7000-8003-000000000000"
	charles = "00000000-0000-7000-8003-000000000001"
)

// ownerID is who owns bot i, whose place on its ladder is i/4.
func ownerID(i string) string {
	return fmt.Sprintf("CASE WHEN ((%s)/4) %% 2 = 0 THEN '%s' ELSE '%s' END", i, filler, charles)
}

// Ids of a filled platform are numbers: bot i, whose only version has the same, match i, tournament i.
func botID(i string) string        { return numbered("8000", i) }
func matchID(i string) string      { return numbered("8001", i) }
func tournamentID(i string) string { return numbered("8002", i) }

func numbered(kind, i string) string {
	return fmt.Sprintf("'00000000-0000-7000-%s-' || lpad((%s)::text, 12, '0')", kind, i)
}

// fillScale fills a migrated Postgres. Match i is the (i/4)th of ladder i%4, between bots that are next to each other at first, then
// farther apart; the one with the lower number is better, and wins more. All of it lies in the half year before now.
func fillScale(ctx context.Context, db *sql.DB, s size) error {
	ladders := len(scaleGames)
	n, each := s.Live/ladders, s.Matches/ladders
	games := "(ARRAY['cia','mole','molehill','molemajority'])[1 + i % 4]"
	at := fmt.Sprintf("now()::timestamp - interval '180 days' * (%d - i) / %d", s.Matches, s.Matches)
	zeros := fmt.Sprintf("'%064d'", 0)
	first := fmt.Sprintf("4 * ((i/4) %% %d) + i %% 4", n)
	second := fmt.Sprintf("4 * (((i/4) %% %d + 1 + 7 * ((i/4) / %d) %% %d) %% %d) + i %% 4", n, n, n-1, n)
	better := fmt.Sprintf("((i/4)::bigint * 7919) %% 1000 < 500 + 400 * (b - a) / %d", s.Live)
	series := func(n int) string { return fmt.Sprintf(" FROM generate_series(0, %d) i", n-1) }
	seat := func(seat int, who, won, lost string) string {
		return "SELECT " + matchID("i") + fmt.Sprintf(", %d, ", seat) + botID(who) + ", 'bot ' || " + who + ", " + botID(who) + ", " + ownerID(who) + ", '', 'alias ' || " + fmt.Sprint(seat) +
			", CASE WHEN w THEN " + won + " ELSE " + lost + " END, CASE WHEN w = (" + won + " = 1) THEN 'win' ELSE 'loss' END, 0, 1701 FROM p"
	}
	for _, text := range []string{
		"SET session_replication_role = replica", // the rows fit each other; looking up each would take most of the time
		"SET synchronous_commit = off",
		"INSERT INTO users (id, name, name_folded, role, created_at) VALUES ('" + filler + "', 'ada', 'ada', 'owner', now()), ('" + charles + "', 'charles', 'charles', 'owner', now())",
		"INSERT INTO bots (id, owner_id, name, name_folded, status, reason, version_id, created_at, checked_at, passes) SELECT " + botID("i") + ", " + ownerID("i") + ", 'bot ' || i, 'bot ' || i, " +
			fmt.Sprintf("CASE WHEN i < %d OR i %% 3 = 0 THEN 'active' ELSE 'retired' END, '', ", s.Live) + botID("i") + ", now(), now() - interval '1 hour', 2" + series(s.Bots), // the checks of all are due
		"INSERT INTO versions (id, bot_id, number, url, secrets, author, build, created_at) SELECT " + botID("i") + ", " + botID("i") + ", 1, 'http://127.0.0.1:9/', '[]', '', '', now()" + series(s.Bots),
		"INSERT INTO version_games (version_id, position, game) SELECT " + botID("i") + ", 0, " + games + series(s.Bots),
		fmt.Sprintf("INSERT INTO ladders (id, game, season, next_seq, last_seq, created_at) SELECT g, g, 1, %d, %d, now() FROM unnest(ARRAY['cia','mole','molehill','molemajority']) g"+
			" ON CONFLICT (id) DO UPDATE SET next_seq = %[1]d, last_seq = %[2]d", each+1, each),
		"INSERT INTO ladder_entries (ladder_id, bot_id, matches_per_hour, joined_at) SELECT " + games + ", " + botID("i") + ", 10, now()" + series(s.Live),
		"INSERT INTO matches (id, round, block, number, game, rules_version, config, limit_us, bank_us, increment_us, allowance_us, faults_in_row, faults_total," +
			" rated, ladder_id, ladder_seq, seed, nonce, status, reason, epoch, engine, worker, lease_until_ms, job_id, result, retired, steps, hash, created_at, started_at, ended_at)" +
			" SELECT " + matchID("i") + ", 0, 0, 0, " + games + ", 1, '{}', 1000000, 10000000, 0, 150000, 3, 10, TRUE, " + games + ", 1 + i/4, " + zeros + ", " + zeros[:33] + "', 'done', '', 1, 'bench', '', 0, 0," +
			" CASE WHEN " + better + ` THEN '{"rank":[1,2],"points":[12,9],"why":"two_rounds"}' ELSE '{"rank":[2,1],"points":[9,12],"why":"two_rounds"}' END, 0, 80, '', ` + at + ", " + at + ", " + at +
			fmt.Sprintf(" FROM (SELECT i, %s AS a, %s AS b FROM generate_series(0, %d) i) p", first, second, s.Matches-1),
		fmt.Sprintf("WITH p AS (SELECT i, a, b, %s AS w FROM (SELECT i, %s AS a, %s AS b FROM generate_series(0, %d) i) q) ", better, first, second, s.Matches-1) +
			"INSERT INTO match_seats (match_id, seat, bot_id, bot_name, version_id, owner_id, build, alias, place, verdict, faults, p95_us) " + seat(0, "a", "1", "2") + " UNION ALL " + seat(1, "b", "2", "1"),
		"INSERT INTO rating_events (ladder_id, ladder_seq, version_id, bot_id, match_id, before_milli, delta_milli, after_milli, k, expected, score)" +
			" SELECT m.ladder_id, m.ladder_seq, s.version_id, s.bot_id, m.id, 1500000, 0, 1500000, 8, 0.5, CASE s.place WHEN 1 THEN 1 ELSE 0 END FROM matches m JOIN match_seats s ON s.match_id = m.id WHERE m.rated",
		fmt.Sprintf("INSERT INTO ratings (ladder_id, version_id, bot_id, milli, games, last_seq, wins, losses) SELECT m.ladder_id, s.version_id, s.bot_id, 1500000 + 400 * (%d - right(s.bot_id, 12)::bigint), COUNT(*), MAX(m.ladder_seq),"+
			" COUNT(*) FILTER (WHERE s.place = 1), COUNT(*) FILTER (WHERE s.place = 2) FROM matches m JOIN match_seats s ON s.match_id = m.id WHERE m.rated GROUP BY m.ladder_id, s.version_id, s.bot_id", s.Live/2),
		fmt.Sprintf("INSERT INTO ladder_fits (ladder_id, to_seq, matches, blocks, teams, advantages, took_us, fitted_at) SELECT g, %d, %d, 0, '[]', '[]', 1, now() FROM unnest(ARRAY['cia','mole','molehill','molemajority']) g", each, each),
		"INSERT INTO fit_rows (ladder_id, version_id, matches, elo, se, best, worst, island, low, high) SELECT ladder_id, version_id, games, milli / 1000.0, 20, 1, 9, 0, milli / 1000.0 - 40, milli / 1000.0 + 40 FROM ratings",
		"INSERT INTO tournaments (id, name, organiser_id, game, config, format, table_size, cycles, is_duplicate, rated, capacity, limit_us, bank_us, increment_us, allowance_us, faults_in_row, faults_total," +
			" opens_at, closes_at, starts_at, status, reason, created_at, started_at, ended_at) SELECT " + tournamentID("i") + ", 'cup ' || i, '" + filler + "', " + games +
			", '{}', 'swiss', 2, 5, FALSE, FALSE, 32, 1000000, 10000000, 0, 150000, 3, 10, now(), now(), now(), 'finished', '', now(), now(), now()" + series(s.Tournaments),
		fmt.Sprintf("INSERT INTO entries (tournament_id, bot_id, version_id, joined_at) SELECT %s, %s, %[2]s, now() FROM generate_series(0, %d) i, generate_series(0, %d) e",
			tournamentID("i"), botID(fmt.Sprintf("4 * ((i * 31 + e) %% %d) + i %% 4", n)), s.Tournaments-1, min(31, n-1)),
		fmt.Sprintf("INSERT INTO packed_decisions (match_id, packed, packed_at) SELECT %s, p.packed, now() FROM packed_decisions p, generate_series(%d, %d) i WHERE p.match_id = '%s'",
			matchID("i"), s.Matches-s.Packed, s.Matches-1, longID),
		"SET session_replication_role = origin",
		"VACUUM ANALYZE",
	} {
		if _, err := db.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("%s: %w", text[:min(len(text), 150)], err)
		}
	}
	return nil
}
