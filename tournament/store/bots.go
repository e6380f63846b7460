package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/tournament"
)

// CreateBot adds an active bot with its first version. Empty ids and times are filled in, and the two are linked. A name
// that exists in any case is [tournament.ErrTaken]; an owner who has quota bots that are not retired gets
// [tournament.ErrLimit].
func (s *Store) CreateBot(ctx context.Context, b tournament.Bot, v tournament.Version, quota int) (tournament.Bot, tournament.Version, error) {
	if err := errors.Join(s.fill(&b.ID), s.fill(&v.ID)); err != nil {
		return b, v, err
	}
	s.fillTime(&b.CreatedAt)
	s.fillTime(&v.CreatedAt)
	b.Status, b.Reason, b.VersionID, b.BannedAt = tournament.BotActive, "", v.ID, nil
	v.BotID, v.Number = b.ID, 1
	err := s.InTx(ctx, func(tx *Tx) error {
		// The owner's row is locked so that two requests at once cannot both take the last place of the quota.
		if err := locked(tx.db).Where("id = ?", b.OwnerID).Take(&userRow{}).Error; err != nil {
			return found(err, "user", b.OwnerID)
		}
		var has int64
		if err := tx.db.Model(&botRow{}).Where("owner_id = ? AND status <> ?", b.OwnerID, tournament.BotRetired).Count(&has).Error; err != nil {
			return err
		}
		if has >= int64(quota) {
			return fmt.Errorf("%w: %d bots of %d; retire one first", tournament.ErrLimit, has, quota)
		}
		row := botRow{
			ID: b.ID, OwnerID: b.OwnerID, Name: b.Name, NameFolded: fold(b.Name), Status: string(b.Status), VersionID: v.ID,
			CreatedAt: b.CreatedAt, CheckedAt: b.CreatedAt, TakesChallenges: b.TakesChallenges,
		}
		if err := tx.db.Create(&row).Error; err != nil {
			return taken(err, "bot", b.Name)
		}
		return createVersion(tx.db, v)
	})
	return b, v, err
}

// Bot is a bot by id.
func (s *Store) Bot(ctx context.Context, id string) (tournament.Bot, error) {
	var r botRow
	err := s.with(ctx).Where("id = ?", id).Take(&r).Error
	return r.bot(), found(err, "bot", id)
}

// Bot is a bot by id.
func (r Reader) Bot(id string) (tournament.Bot, error) { return takeBot(r.db, id) }

// LockBot is a bot by id, its row locked.
func (tx *Tx) LockBot(id string) (tournament.Bot, error) { return takeBot(locked(tx.db), id) }

// BotState is a bot with what its checks and its judges go by.
type BotState struct {
	tournament.Bot
	Passes      int        // health checks passed in a row while paused
	CheckedAt   time.Time  // last, or when its state was written for another reason
	ConductFrom *time.Time // matches that ended before do not count; nil: all do
}

// LockBotState is a bot by id, its row locked.
func (tx *Tx) LockBotState(id string) (BotState, error) {
	var r botRow
	err := locked(tx.db).Where("id = ?", id).Take(&r).Error
	return r.state(), found(err, "bot", id)
}

func (r botRow) state() BotState {
	return BotState{Bot: r.bot(), Passes: r.Passes, CheckedAt: utc(r.CheckedAt), ConductFrom: utcPtr(r.ConductFrom)}
}

// SaveBotState writes the state of a bot, whose row is locked.
func (tx *Tx) SaveBotState(b BotState) error {
	return tx.db.Model(&botRow{}).Where("id = ?", b.ID).Updates(map[string]any{
		"status": b.Status, "reason": b.Reason, "pause_cause": b.Pause, "passes": b.Passes, "checked_at": utc(b.CheckedAt),
		"banned_at": utcPtr(b.BannedAt), "conduct": b.Conduct, "conduct_from": utcPtr(b.ConductFrom),
	}).Error
}

// BotsOf are the bots of an owner that are not retired, their rows locked, by id.
func (tx *Tx) BotsOf(ownerID string) ([]BotState, error) {
	var rows []botRow
	err := locked(tx.db).Where("owner_id = ? AND status <> ?", ownerID, tournament.BotRetired).Order("id").Find(&rows).Error
	return each(rows, botRow.state), err
}

func takeBot(db *gorm.DB, id string) (tournament.Bot, error) {
	var r botRow
	err := db.Where("id = ?", id).Take(&r).Error
	return r.bot(), found(err, "bot", id)
}

// BotFilter narrows a list of bots; empty fields do not.
type BotFilter struct {
	OwnerID string
	Game    string // that the active version plays
	Status  tournament.BotStatus
}

// Bots is a page of bots and the cursor of the next, "" after the last.
func (s *Store) Bots(ctx context.Context, f BotFilter, p Page) ([]tournament.Bot, string, error) {
	db, limit, err := p.byID(s.with(ctx), "id")
	if err != nil {
		return nil, "", err
	}
	if f.OwnerID != "" {
		db = db.Where("owner_id = ?", f.OwnerID)
	}
	if f.Status != "" {
		db = db.Where("status = ?", f.Status)
	}
	if f.Game != "" {
		db = db.Where("EXISTS (SELECT 1 FROM version_games g WHERE g.version_id = bots.version_id AND g.game = ?)", f.Game)
	}
	rows, next, err := fetch(db, limit, func(r botRow) string { return cursor(r.ID) })
	return each(rows, botRow.bot), next, err
}

// Version is a bot's version by id.
func (s *Store) Version(ctx context.Context, id string) (tournament.Version, error) {
	return version(s.with(ctx), id)
}

// Version is a version by id.
func (r Reader) Version(id string) (tournament.Version, error) { return version(r.db, id) }

// OwnVersion is [tournament.ErrNotFound] unless a version is the bot's.
func (r Reader) OwnVersion(b tournament.Bot, versionID string) error {
	err := r.db.Where("id = ? AND bot_id = ?", versionID, b.ID).Take(&versionRow{}).Error
	return found(err, "version of bot "+b.Name, versionID)
}

// GamesOf are the games that a version plays, in the order its bot said them.
func (r Reader) GamesOf(versionID string) ([]string, error) {
	games, err := gamesOf(r.db, []string{versionID})
	return games[versionID], err
}

// Versions are a bot's versions, the last first.
func (s *Store) Versions(ctx context.Context, botID string) ([]tournament.Version, error) {
	var rows []versionRow
	if err := s.with(ctx).Where("bot_id = ?", botID).Order("number DESC").Find(&rows).Error; err != nil {
		return nil, err
	}
	games, err := gamesOf(s.with(ctx), each(rows, func(r versionRow) string { return r.ID }))
	if err != nil {
		return nil, err
	}
	return tryEach(rows, func(r versionRow) (tournament.Version, error) { return r.version(games[r.ID]) })
}

// RotateSecret puts a new secret first and keeps the present one beside it; one older still is dropped.
func (s *Store) RotateSecret(ctx context.Context, versionID, secret string) (tournament.Version, error) {
	return s.changeSecrets(ctx, versionID, func(v tournament.Version) (tournament.Secrets, error) {
		return append(tournament.Secrets{secret}, v.Secrets[:min(1, len(v.Secrets))]...), nil
	})
}

// DropOldSecret ends a rotation: only the newest secret stays. Without an old one it is [tournament.ErrState].
func (s *Store) DropOldSecret(ctx context.Context, versionID string) (tournament.Version, error) {
	return s.changeSecrets(ctx, versionID, func(v tournament.Version) (tournament.Secrets, error) {
		if len(v.Secrets) < 2 {
			return nil, fmt.Errorf("%w: version %s has no old secret", tournament.ErrState, v.ID)
		}
		return v.Secrets[:1], nil
	})
}

// locked makes a query lock the rows it reads; SQLite has one writer at a time and drops the clause.
func locked(db *gorm.DB) *gorm.DB { return db.Clauses(clause.Locking{Strength: "UPDATE"}) }

// batch is how many rows go into one statement: the SQLite driver's cost of binding grows with the square.
const batch = 100

func createVersion(db *gorm.DB, v tournament.Version) error {
	row, err := newVersionRow(v)
	if err != nil {
		return err
	}
	if err := db.Create(&row).Error; err != nil {
		return taken(err, "version", v.ID)
	}
	games := make([]versionGameRow, len(v.Games))
	for i, g := range v.Games {
		games[i] = versionGameRow{v.ID, i, g}
	}
	if len(games) == 0 {
		return nil
	}
	return taken(db.CreateInBatches(games, batch).Error, "game of version", v.ID)
}

func version(db *gorm.DB, id string) (tournament.Version, error) {
	var r versionRow
	if err := db.Where("id = ?", id).Take(&r).Error; err != nil {
		return tournament.Version{}, found(err, "version", id)
	}
	games, err := gamesOf(db, []string{id})
	if err != nil {
		return tournament.Version{}, err
	}
	return r.version(games[id])
}

// gamesOf is the games of each version, in the order its bot said them.
func gamesOf(db *gorm.DB, versions []string) (map[string][]string, error) {
	var rows []versionGameRow
	if err := db.Where("version_id IN ?", versions).Order("version_id, position").Find(&rows).Error; err != nil {
		return nil, err
	}
	out := make(map[string][]string)
	for _, r := range rows {
		out[r.VersionID] = append(out[r.VersionID], r.Game)
	}
	return out, nil
}

func (s *Store) changeSecrets(ctx context.Context, id string, change func(tournament.Version) (tournament.Secrets, error)) (v tournament.Version, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		if err := locked(tx.db).Where("id = ?", id).Take(&versionRow{}).Error; err != nil {
			return found(err, "version", id)
		}
		if v, err = version(tx.db, id); err != nil {
			return err
		}
		if v.Secrets, err = change(v); err != nil {
			return err
		}
		text, err := json.Marshal(v.Secrets)
		if err != nil {
			return err
		}
		return tx.db.Model(&versionRow{}).Where("id = ?", id).Update("secrets", string(text)).Error
	})
	return v, err
}

// TakeChallenges writes whether a bot takes challenges.
func (tx *Tx) TakeChallenges(botID string, takes bool) error {
	return tx.db.Model(&botRow{}).Where("id = ?", botID).Update("takes_challenges", takes).Error
}
