package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/tournament"
)

type ladderEntryRow struct {
	LadderID, BotID string
	MatchesPerHour  int
	JoinedAt        time.Time
}

func (ladderEntryRow) TableName() string { return "ladder_entries" }

// AddLadderEntry enters a bot on a standing ladder, or changes how many matches it is given an hour.
func (tx *Tx) AddLadderEntry(e tournament.LadderEntry) error {
	again := clause.OnConflict{
		Columns:   []clause.Column{{Name: "ladder_id"}, {Name: "bot_id"}},
		DoUpdates: clause.AssignmentColumns([]string{"matches_per_hour"}),
	}
	row := ladderEntryRow{LadderID: e.LadderID, BotID: e.BotID, MatchesPerHour: e.MatchesPerHour, JoinedAt: utc(e.JoinedAt)}
	return tx.db.Clauses(again).Create(&row).Error
}

// DeleteLadderEntry takes a bot off a standing ladder. One that is not on it is [tournament.ErrNotFound].
func (tx *Tx) DeleteLadderEntry(ladderID string, b tournament.Bot) error {
	gone := tx.db.Where("ladder_id = ? AND bot_id = ?", ladderID, b.ID).Delete(&ladderEntryRow{})
	if gone.Error == nil && gone.RowsAffected == 0 {
		return fmt.Errorf("%w: bot %q is not on ladder %q", tournament.ErrNotFound, b.Name, ladderID)
	}
	return gone.Error
}

// StandingLadders are the ladders with at least two entries.
func (s *Store) StandingLadders(ctx context.Context) (ids []string, err error) {
	err = s.with(ctx).Model(&ladderEntryRow{}).Group("ladder_id").Having("COUNT(*) > 1").Order("ladder_id").Pluck("ladder_id", &ids).Error
	return ids, err
}

// OnLadder is an entry of a standing ladder that may be given a match: its bot is active and plays the game.
type OnLadder struct {
	BotID, BotName, OwnerID, VersionID, Build string
	OwnerRole                                 tournament.Role
	MatchesPerHour                            int
	JoinedAt                                  time.Time
	Milli                                     *int64 // of the active version; nil if it is not rated
	Games                                     int    // rated matches of the active version
}

// OnLadder are the entries of a standing ladder that may be given a match, by bot.
func (r Reader) OnLadder(l tournament.Ladder) (out []OnLadder, err error) {
	err = r.db.Table("ladder_entries e").
		Select("e.bot_id, b.name AS bot_name, b.owner_id, u.role AS owner_role, b.version_id, v.build, e.matches_per_hour, e.joined_at, r.milli, COALESCE(r.games, 0) AS games").
		Joins("JOIN bots b ON b.id = e.bot_id AND b.status = ?", tournament.BotActive).Joins("JOIN users u ON u.id = b.owner_id").Joins("JOIN versions v ON v.id = b.version_id").
		Joins("JOIN version_games g ON g.version_id = v.id AND g.game = ?", l.Game).
		Joins("LEFT JOIN ratings r ON r.version_id = v.id AND r.ladder_id = e.ladder_id").
		Where("e.ladder_id = ?", l.ID).Order("e.bot_id").Scan(&out).Error
	return out, err
}

// OpenLadderMatches counts by owner the matches of ladders, all ladders together, that are not over.
func (r Reader) OpenLadderMatches() (map[string]int, error) {
	var rows []struct {
		OwnerID string
		Open    int
	}
	if err := r.db.Table("matches m").Select("s.owner_id, COUNT(DISTINCT m.id) AS open").Joins("JOIN match_seats s ON s.match_id = m.id").
		Where("m.tournament_id IS NULL AND m.ladder_id IS NOT NULL AND m.status IN ('queued', 'running')").Group("s.owner_id").Scan(&rows).Error; err != nil {
		return nil, err
	}
	out := make(map[string]int, len(rows))
	for _, r := range rows {
		out[r.OwnerID] = r.Open
	}
	return out, nil
}

// OpenLadderSeats counts by bot the seats in a ladder's own matches that are not over.
func (r Reader) OpenLadderSeats(ladderID string) (map[string]int, error) {
	return r.ladderSeats(ladderID, nil, "m.status IN ('queued', 'running')")
}

// LadderSeatsSince counts by bot the seats of some bots in a ladder's own matches that were made at a time or later.
func (r Reader) LadderSeatsSince(ladderID string, bots []string, since time.Time) (map[string]int, error) {
	return r.ladderSeats(ladderID, bots, "m.id >= ?", firstID(since))
}

// ladderSeats counts seats by bot. A short list of bots limits it to them; nil is everybody.
func (r Reader) ladderSeats(ladderID string, only []string, condition string, args ...any) (map[string]int, error) {
	var rows []struct {
		BotID string
		Seats int
	}
	db := r.db.Table("matches m").Select("s.bot_id, COUNT(*) AS seats").Joins("JOIN match_seats s ON s.match_id = m.id").
		Where("m.ladder_id = ? AND m.tournament_id IS NULL", ladderID).Where(condition, args...)
	if len(only) > 0 && len(only) <= batch {
		db = db.Where("s.bot_id IN ?", only)
	}
	err := db.Group("s.bot_id").Scan(&rows).Error
	out := make(map[string]int, len(rows))
	for _, r := range rows {
		out[r.BotID] = r.Seats
	}
	return out, err
}

// LadderSeat is a seat in a ladder's own match.
type LadderSeat struct {
	LadderSeq int64
	CreatedAt time.Time
	BotID     string
}

// LastLadderSeats are the seats of the last matches of a ladder, in schedule order and by seat: of all or, if those are few,
// of the matches in which some bots sat.
func (r Reader) LastLadderSeats(ladderID string, matches int, bots []string) (seats []LadderSeat, err error) {
	var oldest []matchRow // of those looked at; there may be fewer
	if err := r.db.Select("id", "ladder_seq").Where("ladder_id = ? AND tournament_id IS NULL", ladderID).Order("ladder_seq DESC").
		Offset(matches - 1).Limit(1).Find(&oldest).Error; err != nil {
		return nil, err
	}
	db := r.db.Table("matches m").Select("m.ladder_seq, m.created_at, s.bot_id").Joins("JOIN match_seats s ON s.match_id = m.id").
		Where("m.ladder_id = ? AND m.tournament_id IS NULL", ladderID)
	from := ""
	if len(oldest) == 1 {
		from = oldest[0].ID
		db = db.Where("m.ladder_seq >= ?", *oldest[0].LadderSeq)
	}
	if len(bots) <= batch {
		db = db.Where("m.id IN (SELECT f.match_id FROM match_seats f WHERE f.bot_id IN ? AND f.match_id >= ?)", bots, from)
	}
	err = db.Order("m.ladder_seq, s.seat").Scan(&seats).Error
	return seats, err
}
