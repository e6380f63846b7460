package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// Entered is an entry with what its format and its start want to know of it.
type Entered struct {
	tournament.Entry
	Status        tournament.BotStatus  `gorm:"->;column:bot_status"`
	Pause         tournament.PauseCause `gorm:"->"`
	UnprovenAt    *time.Time            `gorm:"->"` // since when its bot must be greeted before it plays
	ActiveVersion string                `gorm:"->"` // of the bot
	Build         string                `gorm:"->"` // of the version that plays
	VersionNumber int                   `gorm:"->"`
	AgainstBuild  string                `gorm:"->"` // of the other version, where it brought one along
	AgainstNumber int                   `gorm:"->"` // 0: it brought none
	Place         *int                  // number in the pairings, from 0; nil before the start
	SeedMilli     int64                 // rating at the start
	JoinedRound   int                   // rounds made before it came
	Failures      int                   `gorm:"->"` // of the bot, as [BotState] has them
}

// TableName names the table to gorm.
func (Entered) TableName() string { return "entries" }

// AfterFind notes why the bot is paused, as of [BotState].
func (e *Entered) AfterFind(*gorm.DB) error {
	e.Pause = pauseCause(e.Pause, e.Failures)
	return nil
}

// Entries returns a tournament's entries in the order they joined, withdrawn ones too.
func (s *Store) Entries(ctx context.Context, tournamentID string) ([]tournament.Entry, error) {
	if _, err := s.Tournament(ctx, tournamentID); err != nil {
		return nil, err
	}
	list, err := s.Reader(ctx).Entered(tournamentID)
	return database.Map(list, func(e Entered) tournament.Entry { return e.Entry }), err
}

// Entered returns the entries of a tournament in the order of joining; the bot's id settles what happened in the same microsecond.
func (r Reader) Entered(tournamentID string) ([]Entered, error) {
	return database.All[Entered](entered(r.db).Where("e.tournament_id = ?", tournamentID).Order("e.joined_at, e.bot_id"))
}

// entered begins a query of entries e with their bots b.
func entered(db *gorm.DB) *gorm.DB {
	return db.Table("entries e").
		Select(database.ColumnsOf[Entered](db, "e") + ", b.name AS bot_name, b.owner_id, b.status AS bot_status, b.pause_cause AS pause, b.failures, b.unproven_at, b.version_id AS active_version, v.build, v.number AS version_number," +
			" a.build AS against_build, a.number AS against_number, COALESCE(was.name, '') AS replaces_name").
		Joins("JOIN bots b ON b.id = e.bot_id").Joins("LEFT JOIN versions v ON v.id = COALESCE(e.version_id, b.version_id)").
		Joins("LEFT JOIN versions a ON a.id = e.against_id").Joins("LEFT JOIN bots was ON was.id = e.replaces")
}

// SeatedIn returns the bots, by id, that sit in a tournament's matches of a status.
func (r Reader) SeatedIn(tournamentID string, status tournament.MatchStatus) ([]string, error) {
	return database.Pluck[string](r.db.Table("match_seats s").Joins("JOIN matches m ON m.id = s.match_id").Where("m.tournament_id = ? AND m.status = ?", tournamentID, status).
		Distinct().Order("s.bot_id"), "s.bot_id")
}

// SatIn returns which of some bots sit in the matches of a tournament, by match.
func (r Reader) SatIn(tournamentID string, bots []string) (map[string][]string, error) {
	rows, err := database.All[matchSeatRow](r.db.Select("match_id", "bot_id").
		Where("bot_id IN ? AND match_id IN (SELECT id FROM matches WHERE tournament_id = ?)", bots, tournamentID))
	out := map[string][]string{}
	for _, x := range rows {
		out[x.MatchID] = append(out[x.MatchID], x.BotID)
	}
	return out, err
}

// Entry returns a bot's entry in a tournament.
func (r Reader) Entry(tournamentID string, b tournament.Bot) (tournament.Entry, error) {
	e, err := database.Take[Entered](entered(r.db).Where("e.tournament_id = ? AND e.bot_id = ?", tournamentID, b.ID), "entry of bot", b.Name)
	return e.Entry, err
}

// EntriesOf returns the entries of a bot, by tournament.
func (s *Store) EntriesOf(ctx context.Context, b tournament.Bot) ([]tournament.Entry, error) {
	list, err := database.All[Entered](entered(s.SQL(ctx)).Where("e.bot_id = ?", b.ID).Order("e.tournament_id"))
	return database.Map(list, func(e Entered) tournament.Entry { return e.Entry }), err
}

// AddEntry adds an entry, or puts it in the place of the bot's earlier one.
func (tx *Tx) AddEntry(e Entered) error {
	return database.Upsert(tx.db, []string{"tournament_id", "bot_id"}, "version_id", "joined_at", "withdrawn_at", "place", "seed_milli", "joined_round",
		"is_challenger", "against_id", "manual_seed", "is_waiting", "checked_in_at", "left_out", "replaces", "since_round", "is_excluded").Create(&e).Error
}

// FixEntry fixes an entry, at the start, to the version that plays, its number in the pairings and its rating.
func (tx *Tx) FixEntry(e tournament.Entry, versionID string, place int, milli int64) error {
	e.VersionID, e.Waiting = versionID, false
	return database.Save(tx.db, &Entered{Entry: e, Place: &place, SeedMilli: milli}, "version_id", "place", "seed_milli", "is_waiting")
}

// WithdrawEntry notes that an entry is out, as of now, and why if the start leaves it out or an organiser excludes it.
func (tx *Tx) WithdrawEntry(e tournament.Entry) error {
	e.WithdrawnAt, e.Waiting = new(tx.s.Now()), false
	return database.Save(tx.db, &Entered{Entry: e}, "withdrawn_at", "is_waiting", "left_out", "is_excluded")
}

// ReplaceEntry notes that an entry is out, as of now, and has no number in the pairings any more.
func (tx *Tx) ReplaceEntry(e tournament.Entry) error {
	e.WithdrawnAt, e.Waiting = new(tx.s.Now()), false
	return database.Save(tx.db, &Entered{Entry: e}, "withdrawn_at", "is_waiting", "place")
}

// WithdrawRetired notes that the entries of retired bots are out of a tournament, as of now.
func (tx *Tx) WithdrawRetired(tournamentID string) error {
	return tx.db.Model(&tournament.Entry{}).Where("tournament_id = ? AND withdrawn_at IS NULL AND bot_id IN (SELECT id FROM bots WHERE status = ?)", tournamentID, tournament.BotRetired).
		Update("withdrawn_at", tx.s.Now()).Error
}

// ChangeEntry writes what of an entry changes before the start: its seed by hand, whether it waits, and when it checked in.
func (tx *Tx) ChangeEntry(e tournament.Entry) error {
	return database.Save(tx.db, &Entered{Entry: e}, "manual_seed", "is_waiting", "checked_in_at")
}

// CheckOut takes back that the entries of a tournament have checked in.
func (tx *Tx) CheckOut(tournamentID string) error {
	return tx.db.Model(&tournament.Entry{}).Where("tournament_id = ? AND checked_in_at IS NOT NULL", tournamentID).Update("checked_in_at", nil).Error
}

// BotRating is a version of a bot, and its rating on a ladder, nil if it has none.
type BotRating struct {
	Descent
	Milli *int64
}

// BotRatings returns all versions of some bots, of each by number, with their ratings on a ladder.
func (r Reader) BotRatings(ladderID string, bots []string) ([]BotRating, error) {
	return database.InParts[BotRating](bots, func(ids []string) *gorm.DB {
		return r.db.Table("versions v").Select("v.id, v.bot_id, v.parent_id, "+shownMilli+" AS milli").
			Joins("LEFT JOIN ratings r ON r.version_id = v.id AND r.ladder_id = ?", ladderID).Where("v.bot_id IN ?", ids).Order("v.bot_id, v.number")
	})
}

// GoneEntries returns the entries, not withdrawn, of disabled users and of retired bots in tournaments that are not over: whose they are, and where.
func (s *Store) GoneEntries(ctx context.Context) ([]tournament.Entry, error) {
	return database.All[tournament.Entry](s.SQL(ctx).Raw("SELECT e.tournament_id, e.bot_id, b.owner_id FROM tournaments t JOIN entries e ON e.tournament_id = t.id"+
		" JOIN bots b ON b.id = e.bot_id JOIN users u ON u.id = b.owner_id WHERE t.status IN (?, ?) AND e.withdrawn_at IS NULL AND (u.disabled_at IS NOT NULL OR b.status = ?)"+
		" ORDER BY e.tournament_id, e.bot_id", tournament.Scheduled, tournament.Running, tournament.BotRetired))
}

// MissingGames returns the games in which a bot is entered now, on ladders and in tournaments to come, and that are not among games.
func (r Reader) MissingGames(botID string, games []string) ([]string, error) {
	in, err := database.All[string](r.db.Raw("SELECT l.plays FROM ladder_entries e JOIN ladders l ON l.id = e.ladder_id WHERE e.bot_id = @bot"+
		" UNION SELECT t.game FROM entries e JOIN tournaments t ON t.id = e.tournament_id WHERE e.bot_id = @bot AND e.withdrawn_at IS NULL AND t.status = 'scheduled'",
		map[string]any{"bot": botID}))
	slices.Sort(in)
	return slices.DeleteFunc(in, func(g string) bool { return slices.Contains(games, g) }), err
}

// MayThink returns the longest free time for a decision that a bot has in the tournaments that are not over, and on the ladders, in which it is
// entered; 0 if it is entered nowhere.
func (s *Store) MayThink(ctx context.Context, botID string) (time.Duration, error) {
	limits, err := database.All[int64](s.SQL(ctx).Raw("SELECT t.limit_us FROM tournaments t JOIN entries e ON e.tournament_id = t.id"+
		" WHERE t.status IN (?, ?) AND e.bot_id = ? AND e.withdrawn_at IS NULL", tournament.Scheduled, tournament.Running, botID))
	if err != nil {
		return 0, err
	}
	classes, err := database.All[tournament.ClockClass](s.SQL(ctx).Raw("SELECT l.clock_class FROM ladder_entries e JOIN ladders l ON l.id = e.ladder_id WHERE e.bot_id = ?", botID))
	for _, class := range classes {
		limits = append(limits, class.Clock().Limit.Microseconds())
	}
	return time.Duration(slices.Max(append(limits, 0))) * time.Microsecond, err
}

// AddLadderEntry enters a bot on a standing ladder, or changes how many matches it is given an hour. It returns the entry as it is kept:
// one that changes is of the time when the bot joined.
func (tx *Tx) AddLadderEntry(e tournament.LadderEntry) (tournament.LadderEntry, error) {
	kept := clause.Returning{Columns: []clause.Column{{Name: "joined_at"}}}
	err := database.Upsert(tx.db, []string{"ladder_id", "bot_id"}, "matches_per_hour").Clauses(kept).Create(&e).Error
	return e, err
}

// DeleteLadderEntry takes a bot off a standing ladder. One that is not on it is [tournament.ErrNotFound].
func (tx *Tx) DeleteLadderEntry(ladderID string, b tournament.Bot) error {
	return database.Changed(tx.db.Where("ladder_id = ? AND bot_id = ?", ladderID, b.ID).Delete(&tournament.LadderEntry{}),
		fmt.Errorf("%w: bot %q is not on ladder %q", tournament.ErrNotFound, b.Name, ladderID))
}

// StandingLadders returns the ladders with at least two entries.
func (s *Store) StandingLadders(ctx context.Context) ([]string, error) {
	return database.Pluck[string](s.SQL(ctx).Model(&tournament.LadderEntry{}).Group("ladder_id").Having("COUNT(*) > 1").Order("ladder_id"), "ladder_id")
}

// OnLadder is an entry of a standing ladder that may be given a match: its bot is active, need not be greeted first, and plays the game.
type OnLadder struct {
	BotID, OwnerID string
	OwnerRole      tournament.Role
	MatchesPerHour int
	JoinedAt       time.Time
}

// OnLadder returns the entries of a standing ladder that may be given a match, by bot.
func (r Reader) OnLadder(l tournament.Ladder) ([]OnLadder, error) {
	rows, err := r.db.Table("ladder_entries e").Select("e.bot_id, b.owner_id, u.role, e.matches_per_hour, e.joined_at").
		Joins("JOIN bots b ON b.id = e.bot_id AND b.status = ? AND b.unproven_at IS NULL", tournament.BotActive).Joins("JOIN users u ON u.id = b.owner_id").
		Joins("JOIN version_games g ON g.version_id = b.version_id AND g.game = ?", l.Game).
		Where("e.ladder_id = ?", l.ID).Order("e.bot_id").Rows() // gorm takes as long again for thousands of rows
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err says what went wrong
	var out []OnLadder
	for rows.Next() {
		var e OnLadder
		if err := rows.Scan(&e.BotID, &e.OwnerID, &e.OwnerRole, &e.MatchesPerHour, &e.JoinedAt); err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, rows.Err()
}

// Introduced is what the matchmaking wants to know of a bot on a ladder that is free to play.
type Introduced struct {
	BotID, BotName, VersionID, Build string
	Milli                            *int64   // of the active version, as its line shows it; nil if it is not rated
	SE                               *float64 `gorm:"column:se"` // of its strength in the last fit, Elo; nil if that has not seen it
	Games                            int      // rated matches of the active version
}

// Introduced are, by id, those of some bots that are on a standing ladder and play its game; of many, perhaps others too.
func (r Reader) Introduced(l tournament.Ladder, bots []string) (map[string]Introduced, error) {
	db := r.db.Table("ladder_entries e").
		Select("e.bot_id, b.name AS bot_name, b.version_id, v.build, "+shownMilli+" AS milli, f.se, COALESCE(r.games, 0) AS games").
		Joins("JOIN bots b ON b.id = e.bot_id").Joins("JOIN versions v ON v.id = b.version_id").
		Joins("JOIN version_games g ON g.version_id = v.id AND g.game = ?", l.Game).
		Joins("LEFT JOIN ratings r ON r.version_id = v.id AND r.ladder_id = e.ladder_id").
		Joins("LEFT JOIN fit_rows f ON f.version_id = v.id AND f.ladder_id = e.ladder_id").
		Where("e.ladder_id = ?", l.ID)
	if len(bots) <= database.BatchSize {
		db = db.Where("e.bot_id IN ?", bots)
	}
	rows, err := database.All[Introduced](db)
	return database.Index(rows, func(x Introduced) (string, Introduced) { return x.BotID, x }), err
}

// OpenLadderMatches counts by owner the matches of ladders, all ladders together, that are not over.
func (r Reader) OpenLadderMatches() (map[string]int, error) {
	return database.Counts[string](r.db.Table("matches m").Select("s.owner_id AS who, COUNT(DISTINCT m.id) AS n").Joins("JOIN match_seats s ON s.match_id = m.id").
		Where("m.tournament_id IS NULL AND m.ladder_id IS NOT NULL AND m.status IN ('queued', 'running')").Group("s.owner_id"))
}

// OpenLadderSeats counts by bot the seats in a ladder's own matches that are not over.
func (r Reader) OpenLadderSeats(ladderID string) (map[string]int, error) {
	return r.ladderSeats(ladderID, nil, "m.status IN ('queued', 'running')")
}

// LadderSeatsSince counts by bot the seats of some bots in a ladder's own matches that were made at a time or later.
func (r Reader) LadderSeatsSince(ladderID string, bots []string, since time.Time) (map[string]int, error) {
	return r.ladderSeats(ladderID, bots, "m.id >= ?", database.FirstID(since))
}

// ladderSeats counts seats by bot. A short list of bots limits it to them; nil is everybody.
func (r Reader) ladderSeats(ladderID string, only []string, condition string, args ...any) (map[string]int, error) {
	db := r.db.Table("matches m").Select("s.bot_id AS who, COUNT(*) AS n").Joins("JOIN match_seats s ON s.match_id = m.id").
		Where("m.ladder_id = ? AND m.tournament_id IS NULL", ladderID).Where(condition, args...)
	if len(only) > 0 && len(only) <= database.BatchSize {
		db = db.Where("s.bot_id IN ?", only)
	}
	return database.Counts[string](db.Group("s.bot_id"))
}

// Lineup is who sits in a ladder's own match.
type Lineup struct {
	Seq       int64 // the match's place in the ladder's order
	CreatedAt time.Time
	Bots      []string // by seat
}

// Lineups returns those of the last of a ladder's own matches, at most so many, after a place in its order, in that order.
func (r Reader) Lineups(ladderID string, after int64, most int) ([]Lineup, error) {
	last := r.db.Model(&tournament.Match{}).Select("id, ladder_seq, created_at").Where("ladder_id = ? AND tournament_id IS NULL AND ladder_seq > ?", ladderID, after).
		Order("ladder_seq DESC").Limit(most)
	seats, err := database.All[struct {
		LadderSeq int64
		CreatedAt time.Time
		BotID     string
	}](r.db.Table("(?) m", last).Select("m.ladder_seq, m.created_at, s.bot_id").Joins("JOIN match_seats s ON s.match_id = m.id").
		Order("m.ladder_seq, s.seat"))
	var out []Lineup
	for _, s := range seats {
		if n := len(out); n == 0 || out[n-1].Seq != s.LadderSeq {
			out = append(out, Lineup{Seq: s.LadderSeq, CreatedAt: s.CreatedAt})
		}
		m := &out[len(out)-1]
		m.Bots = append(m.Bots, s.BotID)
	}
	return out, err
}
