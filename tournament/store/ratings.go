package store

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// PendingLadders returns the ladders whose next match in schedule order is over and not rated yet. One match of each ladder is looked up: a
// join reads all matches until the database has counted them.
func (s *Store) PendingLadders(ctx context.Context) ([]string, error) {
	return database.Pluck[string](s.SQL(ctx).Table("ladders l").
		Where("(SELECT m.status FROM matches m WHERE m.ladder_id = l.id AND m.ladder_seq = l.next_seq) IN ?", []tournament.MatchStatus{tournament.MatchDone, tournament.MatchVoid}).
		Order("l.id"), "l.id")
}

// waiting are the rated matches w, of tournaments t, that have not begun and must not yet: because the tournament is paused, for the time of the
// round or of a replay, or for a bot, parked already or about to be.
func (s *Store) waiting() string {
	return " FROM matches w JOIN tournaments t ON t.id = w.tournament_id WHERE w.rated AND w.status = 'queued' AND w.epoch = 0" +
		" AND (t.paused_at IS NOT NULL OR w.job_id = 0 OR " + s.JobIn("w.job_id", "kind = 'play_match' AND state = 'scheduled'") +
		" OR t.format = 'round_robin' AND EXISTS (SELECT 1 FROM match_seats s JOIN bots b ON b.id = s.bot_id WHERE s.match_id = w.id AND b.status = 'paused'))"
}

// blockWaits is 1 for a row m of matches that shares its block with one that waits, else 0. As a number it is computed once for all rows; as a
// condition Postgres may look for them again for each.
func (s *Store) blockWaits() string {
	return "CASE WHEN (m.tournament_id, m.round, m.block) IN (SELECT w.tournament_id, w.round, w.block" + s.waiting() + ") THEN 1 ELSE 0 END"
}

// MisplacedLadders returns the ladders whose order is not the one in which their matches can be played: the first that is not over
// waits, or one that waits no more has no place.
func (s *Store) MisplacedLadders(ctx context.Context) ([]string, error) {
	return database.Pluck[string](s.SQL(ctx).Table("ladders l").
		Where("EXISTS (SELECT 1 FROM matches m WHERE m.id = (SELECT x.id FROM matches x WHERE x.ladder_id = l.id AND x.ladder_seq BETWEEN l.next_seq AND l.last_seq"+
			" AND x.status IN ('queued', 'running') ORDER BY x.ladder_seq LIMIT 1) AND m.status = 'queued'"+
			" AND EXISTS (SELECT 1"+s.waiting()+" AND w.tournament_id = m.tournament_id AND w.round = m.round AND w.block = m.block))"+
			" OR EXISTS (SELECT 1 FROM matches m WHERE m.ladder_id = l.id AND m.ladder_seq > ? AND "+s.blockWaits()+" = 0)", tournament.PlacesEnd).Order("l.id"), "l.id")
}

// Reorder takes the places from the blocks that wait, moves up what is behind them, and gives those that wait no more places at the end.
// What is rated keeps its place.
func (tx *Tx) Reorder(ladderID string) error {
	var sink []string
	if err := tx.Locked(tx.db, Matches, "unrated on "+ladderID).Model(&matchRow{}).
		Where("ladder_id = ? AND ladder_seq >= (SELECT l.next_seq FROM ladders l WHERE l.id = ?)", ladderID, ladderID).Order("id").Pluck("id", &sink).Error; err != nil {
		return err
	}
	l, err := tx.LockLadder(ladderID) // with its matches locked none begins, and with this none is added
	if err != nil {
		return err
	}
	var from, last int64
	if err := tx.db.Table("matches m").Where("m.ladder_id = ? AND m.ladder_seq BETWEEN ? AND ? AND "+tx.s.blockWaits()+" = 1", l.ID, l.NextSeq, l.LastSeq).
		Select("COALESCE(MIN(m.ladder_seq), CAST(? AS BIGINT))", l.LastSeq+1).Scan(&from).Error; err != nil {
		return err
	}
	if err := tx.db.Exec("UPDATE matches SET ladder_seq = ladder_seq + CAST(? AS BIGINT) WHERE ladder_id = ? AND ladder_seq >= ?", 2*tournament.PlacesEnd, l.ID, from).Error; err != nil {
		return err
	}
	if err := tx.db.Exec("UPDATE matches SET ladder_seq = v.before + v.n FROM (SELECT id, CASE WHEN waits = 1 THEN CAST(? AS BIGINT) ELSE ? END AS before,"+
		" ROW_NUMBER() OVER (PARTITION BY waits ORDER BY ladder_seq) AS n FROM (SELECT m.id, m.ladder_seq, "+tx.s.blockWaits()+" AS waits"+
		" FROM matches m WHERE m.ladder_id = ? AND m.ladder_seq > ?) moved) v WHERE matches.id = v.id", tournament.PlacesEnd, from-1, l.ID, 2*tournament.PlacesEnd).Error; err != nil {
		return err
	}
	if err := tx.db.Model(&matchRow{}).Where("ladder_id = ? AND ladder_seq < ?", l.ID, tournament.PlacesEnd).Select("COALESCE(MAX(ladder_seq), 0)").Scan(&last).Error; err != nil {
		return err
	}
	return tx.GivePlaces(l.ID, last)
}

// Block names the matches of a tournament that share a seed, and are rated together or not at all.
type Block struct {
	TournamentID  string
	Round, Number int
}

// Due is what can be rated on a ladder: the matches from its next place on that are over, up to the first that is not; and the block of
// the match behind them, zero if there is none or if it is of no tournament.
type Due struct {
	Ladder  tournament.Ladder
	Matches []tournament.Match // with what the fold needs of them
	Next    Block
}

// Due returns at most limit matches that are due on a ladder, whose row is locked.
func (r Reader) Due(l tournament.Ladder, limit int) (Due, error) {
	list, next, err := r.OverFrom(l.ID, l.NextSeq, l.LastSeq, limit)
	return Due{Ladder: l, Matches: list, Next: next}, err
}

// OverFrom returns the matches of places from..to in a ladder's order that are over, up to the first that is not, at most limit,
// with what the fold of ratings needs of them; and the block of the match behind them, zero if there is none up to to, or if
// it is of no tournament.
func (r Reader) OverFrom(ladderID string, from, to int64, limit int) ([]tournament.Match, Block, error) {
	rows, err := database.All[overRow](overBetween(r.db, ladderID, from, to, limit))
	if err != nil {
		return nil, Block{}, err
	}
	return over(ladderID, from, limit, rows)
}

// overRow is a seat of a match that is over, or of the first that is not.
type overRow struct {
	tournament.Match
	OfSeat tournament.MatchSeat `gorm:"embedded;embeddedPrefix:seat_"`
}

// overBetween asks for the seats of limit matches and one more, up to the first that is not over. from and to are numbers or SQL.
func overBetween(db *gorm.DB, ladderID string, from, to any, limit int) *gorm.DB {
	const open = "SELECT x.ladder_seq FROM matches x WHERE x.ladder_id = ? AND x.ladder_seq BETWEEN ? AND ? AND x.status IN ('queued', 'running') ORDER BY x.ladder_seq LIMIT 1"
	return db.Table("matches m").Joins("JOIN match_seats s ON s.match_id = m.id").
		Select("m.id, m.tournament_id, m.round, m.block, m.ladder_seq, m.status, m.result, m.retired, m.ladder_id, s.seat AS seat_seat, s.version_id AS seat_version_id, s.bot_id AS seat_bot_id,"+
			" s.verdict AS seat_verdict, s.faults AS seat_faults, s.p95_us AS seat_p95_us").
		Where("m.ladder_id = ? AND m.ladder_seq BETWEEN ? AND COALESCE(("+open+"), ?) AND m.ladder_seq <= CAST(? AS BIGINT) + CAST(? AS BIGINT)", ladderID, from, ladderID, from, to, to, from, limit).
		Order("m.ladder_seq, s.seat")
}

// dueOn returns overBetween for what is not rated yet on a ladder.
func dueOn(db *gorm.DB, ladderID string, limit int) *gorm.DB {
	next := gorm.Expr("(SELECT next_seq FROM ladders WHERE id = ?)", ladderID)
	last := gorm.Expr("(SELECT last_seq FROM ladders WHERE id = ?)", ladderID)
	return overBetween(db, ladderID, next, last, limit)
}

// over puts the matches together, and leaves out what only shows which block is next.
func over(ladderID string, from int64, limit int, rows []overRow) ([]tournament.Match, Block, error) {
	var list []tournament.Match
	var next Block
	for _, r := range rows {
		if n := len(list); n == 0 || list[n-1].ID != r.ID {
			if r.LadderSeq != from+int64(n) {
				return nil, next, fmt.Errorf("ladder %s has no match at place %d", ladderID, from+int64(n))
			}
			list = append(list, r.Match)
		}
		m := &list[len(list)-1]
		m.Seats = append(m.Seats, r.OfSeat)
	}
	if n := len(list) - 1; n == limit || n >= 0 && !list[n].Status.Over() {
		if behind := list[n]; behind.TournamentID != "" {
			next = Block{TournamentID: behind.TournamentID, Round: behind.Round, Number: behind.Block}
		}
		list = list[:n]
	}
	return list, next, nil
}

// Descent names a version and the one that it replaced; the first of a bot replaced none.
type Descent struct{ ID, BotID, ParentID string }

// RatedVersion is a version, and whether it is rated on a ladder.
type RatedVersion struct {
	Descent
	Rated bool
}

// RatedVersions returns all versions of some bots, by bot and number.
func (r Reader) RatedVersions(ladderID string, bots []string) ([]RatedVersion, error) {
	return database.InParts[RatedVersion](bots, func(ids []string) *gorm.DB { return ratedVersions(r.db, ladderID, "v.bot_id IN ?", ids) })
}

func ratedVersions(db *gorm.DB, ladderID, ofBots string, bots any) *gorm.DB {
	return db.Table("versions v").Select("v.id, v.bot_id, v.parent_id, r.version_id IS NOT NULL AS rated").
		Joins("LEFT JOIN ratings r ON r.version_id = v.id AND r.ladder_id = ?", ladderID).
		Where(ofBots, bots).Order("v.bot_id, v.number")
}

// LockRatings returns all versions of some bots, by bot and number, and their ratings on a ladder, by version, which it locks.
func (tx *Tx) LockRatings(ladderID string, bots []string) ([]RatedVersion, []tournament.Rating, error) {
	var versions []RatedVersion
	var rows []tournament.Rating
	err := tx.Batch(
		func(db *gorm.DB) *gorm.DB {
			return tx.Locked(db, Ratings, "on "+ladderID).Where("ladder_id = ? AND version_id IN (SELECT v.id FROM versions v WHERE "+tx.s.AnyOf("v.bot_id")+")", ladderID, database.Array(bots)).
				Order("version_id").Find(&rows)
		},
		func(db *gorm.DB) *gorm.DB {
			return ratedVersions(db, ladderID, tx.s.AnyOf("v.bot_id"), database.Array(bots)).Find(&versions)
		},
	)
	return versions, rows, err
}

// Ratings returns all ratings of a ladder, by version.
func (r Reader) Ratings(ladderID string) ([]tournament.Rating, error) {
	return database.All[tournament.Rating](r.db.Where("ladder_id = ?", ladderID).Order("version_id"))
}

// AllRatingEvents returns all rating events of a ladder, in schedule order, then by version.
func (r Reader) AllRatingEvents(ladderID string) ([]tournament.RatingEvent, error) {
	return database.All[tournament.RatingEvent](r.db.Where("ladder_id = ?", ladderID).Order("ladder_seq, version_id"))
}

// EarlierGains returns the places of a ladder's order whose matches were rated by another rule of K than a given one, with its number.
func (r Reader) EarlierGains(ladderID string, now int) (map[int64]int, error) {
	return database.Counts[int64](r.db.Model(&tournament.RatingEvent{}).Distinct("ladder_seq AS who", "k_rule AS n").
		Where("ladder_id = ? AND k_rule <> ?", ladderID, now))
}

// SaveRatings writes ratings that have changed, and the events that changed them, and notes the next place of a ladder's order to be
// rated; its row is locked.
func (tx *Tx) SaveRatings(ladderID string, next int64, changed []tournament.Rating, events []tournament.RatingEvent) {
	if len(changed) > 0 {
		tx.upsertRatings(changed)
		for rows := range slices.Chunk(events, database.BatchSize) {
			tx.Enqueue(func(db *gorm.DB) *gorm.DB { return db.Create(&rows) })
		}
	}
	tx.Enqueue(func(db *gorm.DB) *gorm.DB {
		return db.Model(&tournament.Ladder{}).Where("id = ?", ladderID).Update("next_seq", next)
	})
}

// shown returns the rating by which a line has its place, as shownMilli in SQL.
func shown(r tournament.Rating) int64 { return r.Milli + r.OffsetMilli }

// shownMilli computes the same in SQL, of the row r; NULL where there is none.
const shownMilli = "r.milli + r.offset_milli"

// upsertRatings writes rows; those that are there keep their offset.
func (tx *Tx) upsertRatings(rows []tournament.Rating) {
	cells := database.Map(rows, func(r tournament.Rating) []any {
		t := r.Tally
		return []any{r.LadderID, r.VersionID, r.BotID, r.Milli, r.OffsetMilli, r.Games, r.LastSeq, t.Wins, t.Draws, t.Losses, t.Faults, t.Form, t.P95.Microseconds()}
	})
	tx.Enqueue(func(db *gorm.DB) *gorm.DB {
		return db.Exec(`INSERT INTO ratings (ladder_id, version_id, bot_id, milli, offset_milli, games, last_seq, wins, draws, losses, faults, form, p95_us)
			SELECT given.value ->> 0, given.value ->> 1, given.value ->> 2, CAST(given.value ->> 3 AS BIGINT), CAST(given.value ->> 4 AS BIGINT),
			CAST(given.value ->> 5 AS INTEGER), CAST(given.value ->> 6 AS BIGINT), CAST(given.value ->> 7 AS INTEGER), CAST(given.value ->> 8 AS INTEGER),
			CAST(given.value ->> 9 AS INTEGER), CAST(given.value ->> 10 AS INTEGER), given.value ->> 11, CAST(given.value ->> 12 AS BIGINT)
			FROM `+tx.s.Given()+` WHERE TRUE
			ON CONFLICT (ladder_id, version_id) DO UPDATE SET milli = excluded.milli, games = excluded.games, last_seq = excluded.last_seq, wins = excluded.wins,
			draws = excluded.draws, losses = excluded.losses, faults = excluded.faults, form = excluded.form, p95_us = excluded.p95_us`, database.Listed(cells))
	})
}

// PlayedSeat is a seat of a match that has its place in a ladder's order.
type PlayedSeat struct {
	LadderSeq             int64
	TournamentID          *string
	Round, Block, Retired int
	VersionID, BotID      string
	Result                *string // JSON; nil if the match is void
}

// PlayedSeats returns the seats of the matches of places from..to, in order and by seat.
func (r Reader) PlayedSeats(ladderID string, from, to int64) ([]PlayedSeat, error) {
	return database.All[PlayedSeat](r.db.Table("matches m").Joins("JOIN match_seats s ON s.match_id = m.id").
		Select("m.ladder_seq, m.tournament_id, m.round, m.block, m.retired, m.result, s.version_id, s.bot_id").
		Where("m.ladder_id = ? AND m.ladder_seq BETWEEN ? AND ?", ladderID, from, to).
		Order("m.ladder_seq, s.seat"))
}

// NamedVersion is a version with its number and the name of its bot.
type NamedVersion struct {
	Descent
	Bot    string
	Number int
}

// NamedVersions returns all versions of some bots, by bot and number.
func (r Reader) NamedVersions(bots []string) ([]NamedVersion, error) {
	return database.InParts[NamedVersion](bots, func(ids []string) *gorm.DB {
		return r.db.Table("versions v").Select("v.id, v.bot_id, v.parent_id, v.number, b.name AS bot").Joins("JOIN bots b ON b.id = v.bot_id").
			Where("v.bot_id IN ?", ids).Order("v.bot_id, v.number")
	})
}

// Encounters returns those of a ladder after a place of its order; owners are ids.
func (r Reader) Encounters(ladderID string, after int64) ([]tournament.Encounters, error) {
	const sums = "COUNT(*) AS matches, SUM(e.score) AS score, SUM(e.expected) AS expected, SUM(e.expected * (1 - e.expected)) AS variance"
	const events = " FROM rating_events e JOIN bots b ON b.id = e.bot_id"
	return database.All[tournament.Encounters](r.db.Raw("SELECT b.owner_id AS owner, '' AS partner, "+sums+events+" WHERE e.ladder_id = ? AND e.ladder_seq > ? GROUP BY b.owner_id"+
		" UNION ALL SELECT b.owner_id AS owner, o.owner_id AS partner, "+sums+events+
		" JOIN match_seats o ON o.match_id = e.match_id AND o.owner_id <> b.owner_id WHERE e.ladder_id = ? AND e.ladder_seq > ? GROUP BY b.owner_id, o.owner_id",
		ladderID, after, ladderID, after))
}

// UserNames returns the names of some users, by id.
func (r Reader) UserNames(ids []string) (map[string]string, error) {
	users, err := database.All[tournament.User](r.db.Select("id", "name").Where("id IN ?", ids))
	return database.Index(users, func(u tournament.User) (string, string) { return u.ID, u.Name }), err
}
