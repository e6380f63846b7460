package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

type ratingEventRow struct {
	LadderID                            string
	LadderSeq                           int64
	VersionID, BotID, MatchID           string
	BeforeMilli, DeltaMilli, AfterMilli int64
	K, Expected, Score                  float64
	KRule                               int
}

func (ratingEventRow) TableName() string { return "rating_events" }

func (r ratingEventRow) event() tournament.RatingEvent { return tournament.RatingEvent(r) }

// PendingLadders are the ladders whose next match in schedule order is over and not rated yet.
func (s *Store) PendingLadders(ctx context.Context) ([]string, error) {
	var out []string
	err := s.SQL(ctx).Table("ladders l").Joins("JOIN matches m ON m.ladder_id = l.id AND m.ladder_seq = l.next_seq").
		Where("m.status IN ?", []tournament.MatchStatus{tournament.MatchDone, tournament.MatchVoid}).Order("l.id").Pluck("l.id", &out).Error
	return out, err
}

// Block names the matches of a tournament that share a seed, and are rated together or not at all.
type Block struct {
	TournamentID  string
	Round, Number int
}

// OverFrom are the matches of places from..to in a ladder's order that are over, up to the first that is not, at most limit; and
// the block of the match behind them, zero if there is none up to to, or if it is of no tournament.
func (r Reader) OverFrom(ladderID string, from, to int64, limit int) ([]tournament.Match, Block, error) {
	var next Block
	open := r.db.Model(&matchRow{}).Select("ladder_seq").Where("ladder_id = ? AND ladder_seq BETWEEN ? AND ? AND status IN ('queued', 'running')", ladderID, from, to).
		Order("ladder_seq").Limit(1)
	var rows []matchRow
	if err := r.db.Where("ladder_id = ? AND ladder_seq BETWEEN ? AND COALESCE((?), ?)", ladderID, from, open, to).
		Order("ladder_seq").Limit(limit + 1).Find(&rows).Error; err != nil {
		return nil, next, err
	}
	if n := len(rows) - 1; n == limit || n >= 0 && !tournament.MatchStatus(rows[n].Status).Over() {
		behind := rows[n]
		rows = rows[:n]
		if behind.TournamentID != nil {
			next = Block{TournamentID: *behind.TournamentID, Round: behind.Round, Number: behind.Block}
		}
	}
	for i, x := range rows {
		if *x.LadderSeq != from+int64(i) {
			return nil, next, fmt.Errorf("ladder %s has no match at place %d", ladderID, from+int64(i))
		}
	}
	list, err := matches(r.db, rows)
	return list, next, err
}

// Descent is a version and the version that it replaced; "" means the next lower number of the same bot.
type Descent struct{ ID, BotID, ParentID string }

// RatedVersion is a version, and whether it is rated on a ladder.
type RatedVersion struct {
	Descent
	Rated bool
}

// RatedVersions are all versions of some bots, by bot and number.
func (r Reader) RatedVersions(ladderID string, bots []string) ([]RatedVersion, error) {
	var out []RatedVersion
	for ids := range slices.Chunk(bots, database.Batch) {
		var rows []RatedVersion
		if err := r.db.Table("versions v").Select("v.id, v.bot_id, v.parent_id, r.version_id IS NOT NULL AS rated").
			Joins("LEFT JOIN ratings r ON r.version_id = v.id AND r.ladder_id = ?", ladderID).
			Where("v.bot_id IN ?", ids).Order("v.bot_id, v.number").Scan(&rows).Error; err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	return out, nil
}

// LockRatings are the ratings of some versions on a ladder, by version, and locks them.
func (tx *Tx) LockRatings(ladderID string, versions []string) ([]tournament.Rating, error) {
	var rows []ratingRow
	err := database.Locked(tx.db).Where("ladder_id = ? AND version_id IN ?", ladderID, versions).Order("version_id").Find(&rows).Error
	return database.Each(rows, ratingRow.rating), err
}

// Ratings are all ratings of a ladder, by version, with counts as [Store.CountLadders] would store them.
func (r Reader) Ratings(ladderID string) ([]tournament.Rating, error) {
	var rows []ratingRow
	if err := r.db.Where("ladder_id = ?", ladderID).Order("version_id").Find(&rows).Error; err != nil {
		return nil, err
	}
	err := count(r.db, ladderID, pointers(rows))
	return database.Each(rows, ratingRow.rating), err
}

// AllRatingEvents are all rating events of a ladder, in schedule order, then by version.
func (r Reader) AllRatingEvents(ladderID string) ([]tournament.RatingEvent, error) {
	var rows []ratingEventRow
	err := r.db.Where("ladder_id = ?", ladderID).Order("ladder_seq, version_id").Find(&rows).Error
	return database.Each(rows, ratingEventRow.event), err
}

// EarlierGains are the places of a ladder's order whose matches were rated by another rule of K than a given one, with its number.
func (r Reader) EarlierGains(ladderID string, now int) (map[int64]int, error) {
	var rows []struct {
		LadderSeq int64
		KRule     int
	}
	err := r.db.Model(&ratingEventRow{}).Distinct("ladder_seq", "k_rule").Where("ladder_id = ? AND k_rule <> ?", ladderID, now).Scan(&rows).Error
	out := make(map[int64]int, len(rows))
	for _, x := range rows {
		out[x.LadderSeq] = x.KRule
	}
	return out, err
}

// SaveRatings writes ratings that have changed, and the events that changed them.
func (tx *Tx) SaveRatings(changed []tournament.Rating, events []tournament.RatingEvent) error {
	if len(changed) == 0 {
		return nil
	}
	if err := upsertRatings(tx.db, database.Each(changed, newRatingRow)); err != nil {
		return err
	}
	return tx.db.CreateInBatches(database.Each(events, func(e tournament.RatingEvent) ratingEventRow { return ratingEventRow(e) }), database.Batch).Error
}

// PlayedSeat is a seat of a match that has its place in a ladder's order.
type PlayedSeat struct {
	LadderSeq                int64
	TournamentID             *string
	Round, Block, Retired    int
	Status, VersionID, BotID string
	Result                   *string // JSON; nil if the match is void
}

// PlayedSeats are the seats of the matches of places from..to, in order and by seat.
func (r Reader) PlayedSeats(ladderID string, from, to int64) ([]PlayedSeat, error) {
	var seats []PlayedSeat
	err := r.db.Table("matches m").Joins("JOIN match_seats s ON s.match_id = m.id").
		Select("m.ladder_seq, m.tournament_id, m.round, m.block, m.retired, m.status, m.result, s.version_id, s.bot_id").
		Where("m.ladder_id = ? AND m.ladder_seq BETWEEN ? AND ?", ladderID, from, to).
		Order("m.ladder_seq, s.seat").Scan(&seats).Error
	return seats, err
}

// NamedVersion is a version with its number and the name of its bot.
type NamedVersion struct {
	Descent
	Bot    string
	Number int
}

// NamedVersions are all versions of some bots, by bot and number.
func (r Reader) NamedVersions(bots []string) ([]NamedVersion, error) {
	var out []NamedVersion
	for ids := range slices.Chunk(bots, database.Batch) {
		var rows []NamedVersion
		if err := r.db.Table("versions v").Select("v.id, v.bot_id, v.parent_id, v.number, b.name AS bot").Joins("JOIN bots b ON b.id = v.bot_id").
			Where("v.bot_id IN ?", ids).Order("v.bot_id, v.number").Scan(&rows).Error; err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	return out, nil
}

// Encounters is what the bots of one owner took in the rated matches in which a bot of Partner sat too, or with Partner "" in
// all its rated matches: sums of scores, of expectations and of expected × (1 − expected).
type Encounters struct {
	Owner, Partner            string // ids
	Matches                   int
	Score, Expected, Variance float64
}

// Encounters are those of a ladder after a place of its order.
func (r Reader) Encounters(ladderID string, after int64) ([]Encounters, error) {
	var list []Encounters
	const sums = "COUNT(*) AS matches, SUM(e.score) AS score, SUM(e.expected) AS expected, SUM(e.expected * (1 - e.expected)) AS variance"
	const events = " FROM rating_events e JOIN bots b ON b.id = e.bot_id"
	err := r.db.Raw("SELECT b.owner_id AS owner, '' AS partner, "+sums+events+" WHERE e.ladder_id = ? AND e.ladder_seq > ? GROUP BY b.owner_id"+
		" UNION ALL SELECT b.owner_id AS owner, o.owner_id AS partner, "+sums+events+
		" JOIN match_seats o ON o.match_id = e.match_id AND o.owner_id <> b.owner_id WHERE e.ladder_id = ? AND e.ladder_seq > ? GROUP BY b.owner_id, o.owner_id",
		ladderID, after, ladderID, after).Scan(&list).Error
	return list, err
}

// UserNames are the names of some users, by id.
func (r Reader) UserNames(ids []string) (map[string]string, error) {
	var users []userRow
	if err := r.db.Select("id", "name").Where("id IN ?", ids).Find(&users).Error; err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, u := range users {
		out[u.ID] = u.Name
	}
	return out, nil
}
