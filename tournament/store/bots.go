package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// CreateBot adds an active bot with its first version. Empty ids and times are filled in, and the two are linked. A name
// that exists in any case is [tournament.ErrTaken]; an owner who has quota bots that are not retired gets
// [tournament.ErrLimit].
func (s *Store) CreateBot(ctx context.Context, b tournament.Bot, v tournament.Version, quota int) (tournament.Bot, tournament.Version, error) {
	if err := errors.Join(s.Fill(&b.ID, &b.CreatedAt), s.Fill(&v.ID, &v.CreatedAt)); err != nil {
		return b, v, err
	}
	b.Status, b.Reason, b.VersionID, b.BannedAt = tournament.BotActive, "", v.ID, nil
	v.BotID, v.Number = b.ID, 1
	err := s.InTx(ctx, func(tx *Tx) error {
		if err := lockUndeleted(tx.Tx, b.OwnerID); err != nil {
			return err
		}
		has := tx.db.Model(&botRow{}).Where("owner_id = ? AND status <> ?", b.OwnerID, tournament.BotRetired)
		if err := database.UnderQuota(has, quota, "bots", "retire one first"); err != nil {
			return err
		}
		row := botRow{BotState: BotState{Bot: b, CheckedAt: b.CreatedAt}, NameFolded: fold(b.Name)}
		if err := tx.db.Create(&row).Error; err != nil {
			return database.Taken(err, "bot", b.Name)
		}
		return createVersion(tx.db, v)
	})
	return b, v, err
}

// Bot returns a bot by id.
func (s *Store) Bot(ctx context.Context, id string) (tournament.Bot, error) {
	return s.Reader(ctx).Bot(id)
}

// Bot returns a bot by id.
func (r Reader) Bot(id string) (tournament.Bot, error) {
	b, err := database.ByID[BotState](r.db, "bot", id)
	return b.Bot, err
}

// BotState is a bot with what its checks and its judges go by.
type BotState struct {
	tournament.Bot
	Passes      int        // health checks passed in a row while paused
	CheckedAt   time.Time  // last, or when its state was written for another reason
	ConductFrom *time.Time // matches that ended before do not count; nil: all do
	TrialDue    bool       // it must also make a decision then
	Failures    int        // matches in a row lost by its own faults
	OwnerPaused bool       // its owner had paused it when it was banned
}

// TableName names the table to gorm.
func (BotState) TableName() string { return "bots" }

// AfterFind notes that a bot is paused for its faults, which stands in the count of them: programs of the release before take such a bot
// for one that fails its checks.
func (b *BotState) AfterFind(*gorm.DB) error {
	b.Pause = pauseCause(b.Pause, b.Failures)
	return nil
}

func pauseCause(kept tournament.PauseCause, failures int) tournament.PauseCause {
	if kept == tournament.PausedByChecks && failures >= tournament.FailuresInRow {
		return tournament.PausedByFaults
	}
	return kept
}

// botRow is a bot with the name as it is unique.
type botRow struct {
	BotState
	NameFolded string
}

func openBot(b BotState) tournament.Bot { return b.Bot }

// LockBotState returns a bot by id, its row locked.
func (tx *Tx) LockBotState(id string) (BotState, error) {
	return database.ByID[BotState](tx.Locked(tx.db, Bots, id), "bot", id)
}

// SaveBotState writes the state of a bot, whose row is locked.
func (tx *Tx) SaveBotState(b BotState) error {
	if b.Pause == tournament.PausedByFaults {
		b.Pause = tournament.PausedByChecks // as AfterFind expects it
	}
	return database.Save(tx.db, &b, "status", "reason", "pause_cause", "passes", "checked_at", "banned_at", "conduct", "conduct_from", "unproven_at", "trial_due", "failures", "owner_paused")
}

// BotsOf returns the bots of an owner that are not retired, their rows locked, by id.
func (tx *Tx) BotsOf(ownerID string) ([]BotState, error) {
	return database.All[BotState](tx.Locked(tx.db, Bots, "of "+ownerID).Where("owner_id = ? AND status <> ?", ownerID, tournament.BotRetired).Order("id"))
}

// BotFilter narrows a list of bots; empty fields do not. Those of guests are on no list but their owner's.
type BotFilter struct {
	OwnerID string
	Game    string // that the active version plays
	Status  tournament.BotStatus
	Living  bool   // not retired
	Name    string // a part of the name, in any case
}

// playsGame narrows to the bots whose active version plays a game.
const playsGame = "EXISTS (SELECT 1 FROM version_games g WHERE g.version_id = bots.version_id AND g.game = ?)"

// Bots returns a page of bots and the cursor of the next, "" after the last.
func (s *Store) Bots(ctx context.Context, f BotFilter, p database.Page) ([]tournament.Bot, string, error) {
	rows, next, err := database.List(f.narrow(s.searched(ctx, f.Name).Table("bots")), p, "bots.id", func(b BotState) string { return b.ID })
	return database.Map(rows, openBot), next, err
}

// narrow returns f of the table bots.
func (f BotFilter) narrow(db *gorm.DB) *gorm.DB {
	if f.OwnerID == "" {
		db = db.Where("bots.owner_id <> ?", tournament.GuestsID)
	} else {
		db = db.Where("bots.owner_id = ?", f.OwnerID)
	}
	db = database.Narrow(database.Narrow(db, "bots.status = ?", f.Status), playsGame, f.Game)
	if f.Living {
		db = db.Where("bots.status <> ?", tournament.BotRetired)
	}
	if f.Name != "" {
		db = db.Where(`bots.name_folded LIKE ? ESCAPE '\'`, contains(fold(f.Name)))
	}
	return db
}

// searched returns where a search by a part of a name goes: from three letters on there is an index of them, which a plan made for any letters
// leaves aside.
func (s *Store) searched(ctx context.Context, part string) *gorm.DB {
	if utf8.RuneCountInString(part) < 3 {
		return s.SQL(ctx)
	}
	return s.Planned(ctx)
}

// contains returns the pattern of LIKE, with the escape \, of what has a text in it.
func contains(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text) + "%"
}

// BotNamed returns the id of the bot with a name, in any case; "" if there is none.
func (s *Store) BotNamed(ctx context.Context, name string) (string, error) {
	b, err := database.FirstOr(s.SQL(ctx).Select("id").Where("name_folded = ?", fold(name)), botRow{})
	return b.ID, err
}

// ListedBot is a bot of a list, with its owner's name, the games it plays and what it is rated.
type ListedBot struct {
	tournament.Bot
	Owner   string
	Games   []string
	Ratings []tournament.Rating // of its active version, the most played first
}

// ListBots returns a page of bots as [Store.Bots] has them, in three queries.
func (s *Store) ListBots(ctx context.Context, f BotFilter, p database.Page) ([]ListedBot, string, error) {
	type row struct {
		BotState
		Owner string
	}
	db := f.narrow(s.searched(ctx, f.Name).Table("bots")).
		Joins("JOIN users u ON u.id = bots.owner_id").Select(database.ColumnsOf[BotState](s.SQL(ctx), "bots") + ", u.name AS owner")
	rows, next, err := database.List(db, p, "bots.id", func(r row) string { return r.ID })
	if err != nil || len(rows) == 0 {
		return nil, "", err
	}
	versions := database.Map(rows, func(r row) string { return r.VersionID })
	games, err := gamesOf(s.SQL(ctx), versions)
	if err != nil {
		return nil, "", err
	}
	rated, err := database.All[tournament.Rating](s.SQL(ctx).Where("version_id IN ?", versions).Order("version_id, games DESC, ladder_id"))
	if err != nil {
		return nil, "", err
	}
	out := make([]ListedBot, len(rows))
	at := map[string]int{} // by version
	for i, r := range rows {
		out[i] = ListedBot{Bot: r.Bot, Owner: r.Owner, Games: games[r.VersionID]}
		at[r.VersionID] = i
	}
	for _, r := range rated {
		bot := &out[at[r.VersionID]]
		bot.Ratings = append(bot.Ratings, r)
	}
	return out, next, nil
}

// TakeChallenges writes whether a bot takes challenges.
func (tx *Tx) TakeChallenges(botID string, takes bool) error {
	return database.Save(tx.db, &tournament.Bot{ID: botID, TakesChallenges: takes}, "takes_challenges")
}

func createVersion(db *gorm.DB, v tournament.Version) error {
	if err := db.Create(&v).Error; err != nil {
		return database.Taken(err, "version", v.ID)
	}
	var games []versionGameRow
	for i, g := range v.Games {
		games = append(games, versionGameRow{v.ID, i, g})
	}
	return database.Taken(db.CreateInBatches(games, database.BatchSize).Error, "game of version", v.ID)
}

// AddGuest adds the bot of a guest, retired, with its only version, which plays a game. The user who owns it is made with the
// first one, and its row locked, so that two guests at once cannot share the last place.
func (tx *Tx) AddGuest(g tournament.Guest, gameID string) (tournament.Version, error) {
	now := tx.s.Now()
	v := tournament.Version{
		BotID:     g.BotID,
		Number:    1,
		URL:       g.Box(),
		Games:     []string{gameID},
		CreatedAt: now,
	}
	if err := tx.s.Fill(&v.ID); err != nil {
		return v, err
	}
	if err := tx.lockGuests(); err != nil {
		return v, err
	}
	bot := tournament.Bot{
		ID:        g.BotID,
		OwnerID:   tournament.GuestsID,
		Name:      g.Name,
		Status:    tournament.BotRetired,
		Reason:    "a person played one match",
		VersionID: v.ID,
		CreatedAt: now,
	}
	row := botRow{BotState: BotState{Bot: bot, CheckedAt: now}, NameFolded: fold(g.Name)}
	if err := tx.db.Create(&row).Error; err != nil {
		return v, database.Taken(err, "bot", g.Name)
	}
	return v, createVersion(tx.db, v)
}

func (tx *Tx) lockGuests() error {
	guests := tournament.User{ID: tournament.GuestsID, Name: tournament.GuestsName, Role: tournament.RoleOwner, CreatedAt: tx.s.Now()}
	if err := createUser(tx.db.Clauses(clause.OnConflict{DoNothing: true}), guests); err != nil {
		return fmt.Errorf("the owner of the guests: %w", err)
	}
	_, err := tx.LockUser(tournament.GuestsID)
	return err
}

// GuestMatch returns the match of a guest. A guest who has none is [tournament.ErrNotFound].
func (s *Store) GuestMatch(ctx context.Context, g tournament.Guest) (tournament.Match, error) {
	list, err := matches(s.satIn(ctx, g.BotID).Order("s.match_id DESC").Limit(1), s.SQL(ctx))
	if err == nil && (len(list) == 0 || list[0].AskerID != tournament.GuestsID) {
		err = fmt.Errorf("%w: this seat has no match", tournament.ErrNotFound)
	}
	if err != nil {
		return tournament.Match{}, err
	}
	return list[0], nil
}

// Deserted is a guest whose match is not over, and whose mailbox nobody attends any more.
type Deserted struct {
	tournament.Guest
	MatchID string
}

// Deserted returns all of them, in the order of their matches.
func (s *Store) Deserted(ctx context.Context) ([]Deserted, error) {
	return database.All[Deserted](s.SQL(ctx).Raw("SELECT m.id AS match_id, b.id AS bot_id, b.name FROM matches m JOIN match_seats s ON s.match_id = m.id JOIN bots b ON b.id = s.bot_id"+
		" WHERE m.asker_id = @guests AND m.status IN ('queued', 'running') AND b.owner_id = @guests AND NOT EXISTS (SELECT 1 FROM relays"+
		" WHERE box = CAST(@boxes AS TEXT) || b.id AND seen_ms > "+s.NowMS()+" - CAST(@gone AS BIGINT)) ORDER BY m.id",
		map[string]any{"guests": tournament.GuestsID, "boxes": tournament.RelayAddress(tournament.GuestsID, ""), "gone": tournament.RelayGone.Milliseconds()}))
}

// TakingChallenges returns up to limit active bots that play a game and take challenges: those with the fewest such matches open first, of
// them the oldest.
func (s *Store) TakingChallenges(ctx context.Context, gameID string, limit int) ([]tournament.Bot, error) {
	list, err := database.All[BotState](s.SQL(ctx).
		Joins("LEFT JOIN (SELECT s.bot_id, COUNT(*) AS seats FROM matches m JOIN match_seats s ON s.match_id = m.id WHERE "+openChallenge+" GROUP BY s.bot_id) busy ON busy.bot_id = bots.id").
		Where("status = ? AND takes_challenges AND "+playsGame, tournament.BotActive, gameID).Order("COALESCE(busy.seats, 0), bots.id").Limit(limit))
	return database.Map(list, openBot), err
}
