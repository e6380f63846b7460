package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// size is how much there is on a platform.
type size struct {
	Bots        int // of which Live are on a ladder, a third of the others idle, and the rest retired
	Live        int // a multiple of 50, so that a ladder's owners have as many each, be they two or five
	Tournaments int // over, with 32 entries each
	Matches     int // of ladders, all of them done
	Packed      int // of the last of them with a packed record
}

// scaleGames have a ladder each, with a fifth of the live bots and of the matches, at tables of so many seats. De Mol's has teams.
var scaleGames = []struct {
	id    string
	seats int
}{{"cia", 2}, {"demol", 5}, {"mole", 2}, {"molehill", 2}, {"molemajority", 2}}

// filler organises everything. It and charles own the bots of the games for two in turn; those of De Mol have five owners. Bots of one
// owner would never meet.
const (
	filler  = "00000000-0000-7000-8003-000000000000"
	charles = "00000000-0000-7000-8003-000000000001"
)

// botOn returns the id of the bot at a place of a game's ladder, from 0.
func botOn(gameID string, place int) string {
	for at, g := range scaleGames {
		if g.id == gameID {
			return fmt.Sprintf("00000000-0000-7000-8000-%012d", len(scaleGames)*place+at)
		}
	}
	panic("bench: no ladder of " + gameID)
}

// Ids of a filled platform are numbers: bot i, whose only version has the same, match i, tournament i.
func botID(i string) string        { return numbered("8000", i) }
func matchID(i string) string      { return numbered("8001", i) }
func tournamentID(i string) string { return numbered("8002", i) }

// ownerID returns who owns a bot of a game with so many seats: the owners take turns along the ladder.
func ownerID(bot, seats string) string {
	return numbered("8003", fmt.Sprintf("%s / %d %% %s", bot, len(scaleGames), seats))
}

func numbered(kind, i string) string {
	return fmt.Sprintf("'00000000-0000-7000-%s-' || lpad((%s)::text, 12, '0')", kind, i)
}

// filling makes the statements that fill a platform.
type filling struct {
	size
	live, matches       int    // of each ladder
	game, seats, config string // of bot, match or tournament i, as SQL
}

func newFilling(s size) (filling, error) {
	var games, seats, configs []string
	for _, g := range scaleGames {
		engine, ok := catalog.Find(g.id)
		if !ok {
			return filling{}, fmt.Errorf("game %q: %w", g.id, tournament.ErrNotFound)
		}
		config, err := engine.Configure(nil, g.seats)
		if err != nil {
			return filling{}, err
		}
		games, seats, configs = append(games, "'"+g.id+"'"), append(seats, fmt.Sprint(g.seats)), append(configs, "'"+string(config)+"'")
	}
	of := func(list []string) string {
		return fmt.Sprintf("(ARRAY[%s])[1 + i %% %d]", strings.Join(list, ", "), len(list))
	}
	return filling{
		size:    s,
		live:    s.Live / len(scaleGames),
		matches: s.Matches / len(scaleGames),
		game:    of(games),
		seats:   of(seats),
		config:  of(configs),
	}, nil
}

// fillScale fills a migrated Postgres. Match i is the (i/5)th of ladder i%5, between bots that are next to each other at first, then
// farther from each other; those with lower numbers are better, and win more. All of it lies in the half year before now.
func fillScale(ctx context.Context, db *sql.DB, s size) error {
	f, err := newFilling(s)
	if err != nil {
		return err
	}
	deals, err := dealRows()
	if err != nil {
		return err
	}
	for _, text := range slices.Concat([]string{
		"SET session_replication_role = replica", // the rows fit each other; looking up each would take most of the time
		"SET synchronous_commit = off",
	}, f.bots(), f.played(deals), f.ratings(), f.events(), []string{
		"SET session_replication_role = origin",
		"VACUUM ANALYZE",
	}) {
		if _, err := db.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("%s: %w", text[:min(len(text), 150)], err)
		}
	}
	return nil
}

func series(n int) string { return fmt.Sprintf(" FROM generate_series(0, %d) i", n-1) }

// bots returns owners, bots and ladders.
func (f filling) bots() []string {
	return []string{
		"INSERT INTO users (id, name, name_folded, role, created_at) SELECT " + numbered("8003", "i") + ", 'owner ' || i, 'owner ' || i, 'owner', now()" + series(5),
		"INSERT INTO bots (id, owner_id, name, name_folded, status, reason, version_id, created_at, checked_at, passes) SELECT " + botID("i") + ", " + ownerID("i", f.seats) + ", 'bot ' || i, 'bot ' || i, " +
			fmt.Sprintf("CASE WHEN i < %d OR i %% 3 = 0 THEN 'active' ELSE 'retired' END, '', ", f.Live) + botID("i") + ", now(), now() - interval '1 hour', 2" + series(f.Bots), // the checks of all are due
		"INSERT INTO versions (id, bot_id, number, url, secrets, author, build, created_at) SELECT " + botID("i") + ", " + botID("i") + ", 1, 'http://127.0.0.1:9/', '[]', '', '', now()" + series(f.Bots),
		"INSERT INTO version_games (version_id, position, game) SELECT " + botID("i") + ", 0, " + f.game + series(f.Bots),
		fmt.Sprintf("INSERT INTO ladders (id, game, plays, season, next_seq, last_seq, created_at) SELECT %s, %[1]s, %[1]s, 1, %d, %d, now()", f.game, f.matches+1, f.matches) + series(len(scaleGames)) +
			" ON CONFLICT (id) DO UPDATE SET next_seq = EXCLUDED.next_seq, last_seq = EXCLUDED.last_seq",
		"INSERT INTO ladder_entries (ladder_id, bot_id, matches_per_hour, joined_at) SELECT " + f.game + ", " + botID("i") + ", 10, now()" + series(f.Live),
	}
}

// played returns the matches with their seats. Neighbours at a table are 1 + a multiple of its seats from each other on the ladder: so no two have one
// owner.
func (f filling) played(deals string) []string {
	at := fmt.Sprintf("now()::timestamp - interval '180 days' * (%d - i) / %d", f.Matches, f.Matches)
	zeros := fmt.Sprintf("'%064d'", 0)
	bot := fmt.Sprintf("%d * ((k + seat * (1 + seats * (k / %d %% (%[2]d / seats)))) %% %[2]d) + i %% %[1]d", len(scaleGames), f.live)
	behind := "(SELECT SUM(bot * weight) FROM unnest(who, weights) x (bot, weight))" // how far the second side's mean number is above the first's
	return []string{
		"CREATE TEMP TABLE deals (seats, deal, weights, won, lost) AS VALUES " + deals,
		"ANALYZE deals", // then the few deals are hashed, and not the matches sorted by them: indexes fill fastest in order
		"CREATE TEMP TABLE played AS SELECT i, seats, deal, who, luck % 1000 < 500 + 400 * " + behind + fmt.Sprintf(" / %d AS w", f.Live) +
			" FROM (SELECT i, seats, luck, luck / 1000 % 10 AS deal, ARRAY(SELECT " + bot + " FROM generate_series(0, seats - 1) seat) AS who" +
			fmt.Sprintf(" FROM (SELECT i, i / %d AS k, i::bigint / %[1]d * 7919 AS luck, %s AS seats", len(scaleGames), f.seats) + series(f.Matches) + ") m) p JOIN deals USING (seats, deal)",
		"INSERT INTO matches (id, round, block, number, game, rules_version, config, limit_us, bank_us, increment_us, allowance_us, faults_in_row, faults_total," +
			" rated, ladder_id, ladder_seq, seed, nonce, status, reason, epoch, engine, worker, lease_until_ms, job_id, result, retired, steps, hash, created_at, started_at, ended_at)" +
			" SELECT " + matchID("i") + ", 0, 0, 0, " + f.game + ", 1, " + f.config + ", 1000000, 10000000, 0, 150000, 3, 10, TRUE, " + f.game + fmt.Sprintf(", 1 + i/%d, ", len(scaleGames)) +
			zeros + ", " + zeros[:33] + "', 'done', '', 1, 'bench', '', 0, 0, CASE WHEN w THEN won ELSE lost END, 0, 80, '', " + at + ", " + at + ", " + at + " FROM played JOIN deals USING (seats, deal)",
		"INSERT INTO match_seats (match_id, seat, bot_id, bot_name, version_id, owner_id, build, alias, place, verdict, faults, p95_us)" +
			" SELECT " + matchID("i") + ", seat - 1, " + botID("bot") + ", 'bot ' || bot, " + botID("bot") + ", " + ownerID("bot", "seats") + ", '', 'alias ' || seat" +
			", CASE WHEN w = (weight < 0) THEN 1 ELSE 2 END, CASE WHEN w = (weight < 0) THEN 'win' ELSE 'loss' END, 0, 1701" +
			" FROM played JOIN deals USING (seats, deal), unnest(who, weights) WITH ORDINALITY x (bot, weight, seat)",
		"DROP TABLE played, deals",
	}
}

// ratings returns what follows from the matches, a fit too.
func (f filling) ratings() []string {
	return []string{
		"INSERT INTO rating_events (ladder_id, ladder_seq, version_id, bot_id, match_id, before_milli, delta_milli, after_milli, k, expected, score)" +
			" SELECT m.ladder_id, m.ladder_seq, s.version_id, s.bot_id, m.id, 1500000, 0, 1500000, 8, 0.5, CASE s.place WHEN 1 THEN 1 ELSE 0 END FROM matches m JOIN match_seats s ON s.match_id = m.id WHERE m.rated",
		fmt.Sprintf("INSERT INTO ratings (ladder_id, version_id, bot_id, milli, games, last_seq, wins, losses) SELECT m.ladder_id, s.version_id, s.bot_id, 1500000 + 400 * (%d - right(s.bot_id, 12)::bigint), COUNT(*), MAX(m.ladder_seq),"+
			" COUNT(*) FILTER (WHERE s.place = 1), COUNT(*) FILTER (WHERE s.place = 2) FROM matches m JOIN match_seats s ON s.match_id = m.id WHERE m.rated GROUP BY m.ladder_id, s.version_id, s.bot_id", f.Live/2),
		fmt.Sprintf("INSERT INTO ladder_fits (ladder_id, to_seq, matches, blocks, teams, advantages, took_us, fitted_at) SELECT %s, %d, %d, 0, '[]', '[]', 1, now()", f.game, f.matches, f.matches) + series(len(scaleGames)),
		"INSERT INTO fit_rows (ladder_id, version_id, matches, elo, se, best, worst, island, low, high) SELECT ladder_id, version_id, games, milli / 1000.0, 20, 1, 9, 0, milli / 1000.0 - 40, milli / 1000.0 + 40 FROM ratings",
		`UPDATE ladder_fits SET teams = '["agent","mole"]', advantages = '[{"seats":5,"team":"agent","elo":0,"se":5,"low":-10,"high":10}]' WHERE ladder_id = 'demol'`,
		"UPDATE fit_rows SET first_elo = elo, first_se = se, first_low = low, first_high = high, second_elo = elo, second_se = se, second_low = low, second_high = high WHERE ladder_id = 'demol'",
	}
}

// events returns the tournaments, and the records that are packed.
func (f filling) events() []string {
	entrant := fmt.Sprintf("%d * ((i * 31 + e) %% %d) + i %% %[1]d", len(scaleGames), f.live)
	return []string{
		"INSERT INTO tournaments (id, name, organiser_id, game, config, format, table_size, cycles, is_duplicate, rated, capacity, limit_us, bank_us, increment_us, allowance_us, faults_in_row, faults_total," +
			" opens_at, closes_at, starts_at, status, reason, created_at, started_at, ended_at) SELECT " + tournamentID("i") + ", 'cup ' || i, '" + filler + "', " + f.game +
			", " + f.config + ", 'swiss', " + f.seats + ", 5, FALSE, FALSE, 32, 1000000, 10000000, 0, 150000, 3, 10, now(), now(), now(), 'finished', '', now(), now(), now()" + series(f.Tournaments),
		fmt.Sprintf("INSERT INTO entries (tournament_id, bot_id, version_id, joined_at) SELECT %s, %s, %[2]s, now() FROM generate_series(0, %d) i, generate_series(0, %d) e",
			tournamentID("i"), botID(entrant), f.Tournaments-1, min(31, f.live-1)),
		fmt.Sprintf("INSERT INTO packed_decisions (match_id, packed, packed_at) SELECT %s, p.packed, now() FROM packed_decisions p, generate_series(%d, %d) i WHERE p.match_id = '%s'",
			matchID("i"), f.Matches-f.Packed, f.Matches-1, longID),
	}
}

// dealRows returns ten deals for each number of seats: who is on which side, as weights of the difference between the sides' means, and the
// results if the first side won or lost.
func dealRows() (string, error) {
	var rows []string
	for _, seats := range []int{2, 5} {
		sides := secondSides(seats)
		for deal := range 10 {
			second := sides[deal%len(sides)]
			weights := make([]string, seats)
			for i := range weights {
				weights[i] = fmt.Sprintf("-1.0 / %d", seats-second.Len())
				if second.Has(game.Seat(i)) {
					weights[i] = fmt.Sprintf("1.0 / %d", second.Len())
				}
			}
			won, err := json.Marshal(ended(seats, second, false))
			if err != nil {
				return "", err
			}
			lost, err := json.Marshal(ended(seats, second, true))
			if err != nil {
				return "", err
			}
			rows = append(rows, fmt.Sprintf("(%d, %d, ARRAY[%s]::float8[], '%s', '%s')", seats, deal, strings.Join(weights, ", "), won, lost))
		}
	}
	return strings.Join(rows, ", "), nil
}

// secondSides returns all second sides that there can be: one of two seats, the two moles of five.
func secondSides(seats int) []game.Seats {
	var list []game.Seats
	for side := range game.FirstSeats(seats) {
		if side.Len() == seats/2 {
			list = append(list, side)
		}
	}
	return list
}

// ended returns how a match ended that the second side won or lost.
func ended(seats int, second game.Seats, won bool) game.Result {
	teams := seats > 2
	out, points := game.Result{Why: "two_rounds"}, []float64{12, 9}
	switch {
	case teams && won:
		out.Why, points = "three_fails", []float64{1, 0}
	case teams:
		out.Why, points = "three_successes", []float64{1, 0}
	}
	for seat := range game.FirstSeats(seats).Each() {
		rank, team := 2, "agent"
		if second.Has(seat) == won {
			rank = 1
		}
		if second.Has(seat) {
			team = "mole"
		}
		out.Rank, out.Points = append(out.Rank, rank), append(out.Points, points[rank-1])
		if teams {
			out.Team = append(out.Team, team)
		}
	}
	return out
}
