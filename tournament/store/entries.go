package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/tournament"
)

// Entries are a tournament's entries in the order they joined, withdrawn ones too.
func (s *Store) Entries(ctx context.Context, tournamentID string) ([]tournament.Entry, error) {
	if _, err := s.Tournament(ctx, tournamentID); err != nil {
		return nil, err
	}
	rows, err := entries(s.with(ctx), tournamentID)
	return each(rows, entryView.entry), err
}

// entries are in the order of joining; the bot's id settles what happened in the same microsecond.
func entries(db *gorm.DB, tournamentID string) ([]entryView, error) {
	var rows []entryView
	err := db.Table("entries e").
		Select("e.*, b.name AS bot_name, b.owner_id, b.status AS bot_status, b.version_id AS bot_version, v.build").
		Joins("JOIN bots b ON b.id = e.bot_id").Joins("LEFT JOIN versions v ON v.id = b.version_id").
		Where("e.tournament_id = ?", tournamentID).Order("e.joined_at, e.bot_id").Scan(&rows).Error
	return rows, err
}

// Join is [Store.JoinInvited] without an invitation.
func (s *Store) Join(ctx context.Context, tournamentID, botID, ownerID string) (tournament.Entry, error) {
	return s.JoinInvited(ctx, tournamentID, botID, ownerID, "")
}

// JoinInvited enters a bot of ownerID. The rules are [tournament.CanJoin] and, for the code, [tournament.Invite.Admit];
// somebody else's bot is [tournament.ErrNotYours]. Who has withdrawn may join again.
func (s *Store) JoinInvited(ctx context.Context, tournamentID, botID, ownerID, code string) (e tournament.Entry, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		t, b, err := tx.both(tournamentID, botID, ownerID)
		if err != nil {
			return err
		}
		if err := t.Invite.Admit(code); err != nil {
			return err
		}
		info, err := s.info(t.Game)
		if err != nil {
			return err
		}
		games, err := gamesOf(tx.db, []string{b.VersionID})
		if err != nil {
			return err
		}
		rows, err := entries(tx.db, t.ID)
		if err != nil {
			return err
		}
		now := s.now()
		if err := tournament.CanJoin(t, info, each(rows, entryView.entry), b, games[b.VersionID], now); err != nil {
			return err
		}
		e = tournament.Entry{TournamentID: t.ID, BotID: b.ID, BotName: b.Name, OwnerID: b.OwnerID, JoinedAt: now}
		again := clause.OnConflict{
			Columns:   []clause.Column{{Name: "tournament_id"}, {Name: "bot_id"}},
			DoUpdates: clause.AssignmentColumns([]string{"joined_at", "withdrawn_at"}),
		}
		return tx.db.Clauses(again).Create(&entryRow{TournamentID: t.ID, BotID: b.ID, JoinedAt: now}).Error
	})
	return e, err
}

// Withdraw takes an entry back. The rule is [tournament.CanWithdraw]; a bot that is not entered is [tournament.ErrNotFound].
func (s *Store) Withdraw(ctx context.Context, tournamentID, botID, ownerID string) (e tournament.Entry, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		t, b, err := tx.both(tournamentID, botID, ownerID)
		if err != nil {
			return err
		}
		var r entryRow
		if err := tx.db.Where("tournament_id = ? AND bot_id = ?", t.ID, b.ID).Take(&r).Error; err != nil {
			return found(err, "entry of bot", b.Name)
		}
		e = entryView{Entry: r, BotName: b.Name, OwnerID: b.OwnerID}.entry()
		if err := tournament.CanWithdraw(t, e); err != nil {
			return err
		}
		now := s.now()
		e.WithdrawnAt = &now
		return tx.db.Model(&entryRow{}).Where("tournament_id = ? AND bot_id = ?", t.ID, b.ID).Update("withdrawn_at", now).Error
	})
	return e, err
}

// both locks the tournament, so that entries come and go one at a time, and finds the owner's bot.
func (tx *Tx) both(tournamentID, botID, ownerID string) (t tournament.Tournament, b tournament.Bot, err error) {
	if t, err = takeTournament(locked(tx.db), tournamentID); err != nil {
		return t, b, err
	}
	var r botRow
	if err := tx.db.Where("id = ?", botID).Take(&r).Error; err != nil {
		return t, b, found(err, "bot", botID)
	}
	if r.OwnerID != ownerID {
		return t, b, fmt.Errorf("%w: bot %q", tournament.ErrNotYours, r.Name)
	}
	return t, r.bot(), nil
}
