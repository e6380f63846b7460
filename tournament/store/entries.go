package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// Entries are a tournament's entries in the order they joined, withdrawn ones too.
func (s *Store) Entries(ctx context.Context, tournamentID string) ([]tournament.Entry, error) {
	if _, err := s.Tournament(ctx, tournamentID); err != nil {
		return nil, err
	}
	rows, err := entries(s.with(ctx), tournamentID)
	return each(rows, entryView.entry), err
}

// entries are in the order of joining, with the build of the version that plays; the bot's id settles what happened in the same microsecond.
func entries(db *gorm.DB, tournamentID string) ([]entryView, error) {
	var rows []entryView
	err := db.Table("entries e").
		Select(columnsOf[entryRow](db, "e")+", b.name AS bot_name, b.owner_id, b.status AS bot_status, b.version_id AS bot_version, v.build, v.number AS version_number,"+
			" a.build AS against_build, a.number AS against_number").
		Joins("JOIN bots b ON b.id = e.bot_id").Joins("LEFT JOIN versions v ON v.id = COALESCE(e.version_id, b.version_id)").
		Joins("LEFT JOIN versions a ON a.id = e.against_id").
		Where("e.tournament_id = ?", tournamentID).Order("e.joined_at, e.bot_id").Scan(&rows).Error
	return rows, err
}

// EntryOptions are what an owner may say with an entry.
type EntryOptions struct {
	Invite     string // the code, where the tournament wants one
	Challenger bool   // gauntlet: it meets the field
	Against    string // sprt: id of another version of the bot, which is the second entry
}

// Join is [Store.JoinAs] without options.
func (s *Store) Join(ctx context.Context, tournamentID, botID, ownerID string) (tournament.Entry, error) {
	return s.JoinAs(ctx, tournamentID, botID, ownerID, EntryOptions{})
}

// JoinAs enters a bot of ownerID. The rules are [tournament.CanJoin] and, for the code, [tournament.Invite.Admit];
// somebody else's bot is [tournament.ErrNotYours]. Who has withdrawn before the start may join again. A late entry is in the
// next round; where the format takes none any more it is [tournament.ErrWindow].
func (s *Store) JoinAs(ctx context.Context, tournamentID, botID, ownerID string, o EntryOptions) (e tournament.Entry, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		t, b, err := tx.both(tournamentID, botID, ownerID)
		if err != nil {
			return err
		}
		if err := t.Invite.Admit(o.Invite); err != nil {
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
		if o.Challenger && t.Format != tournament.Gauntlet {
			return &tournament.FieldError{Pointer: "/challenger", Reason: fmt.Sprintf("is for a %s; this is a %s", tournament.Gauntlet, t.Format)}
		}
		if err := tx.bring(t, b, each(rows, entryView.entry), o.Against); err != nil {
			return err
		}
		row := entryRow{TournamentID: t.ID, BotID: b.ID, JoinedAt: now, IsChallenger: o.Challenger, AgainstID: optional(o.Against)}
		if t.Status == tournament.Running {
			if err := tx.late(t, &row); err != nil {
				return err
			}
			row.VersionID = &b.VersionID
		}
		again := clause.OnConflict{
			Columns: []clause.Column{{Name: "tournament_id"}, {Name: "bot_id"}},
			DoUpdates: clause.AssignmentColumns([]string{
				"version_id", "joined_at", "withdrawn_at", "place", "seed_milli", "joined_round", "is_challenger", "against_id",
			}),
		}
		if err := tx.db.Clauses(again).Create(&row).Error; err != nil {
			return err
		}
		e = entryView{Entry: row, BotName: b.Name, OwnerID: b.OwnerID}.entry()
		return nil
	})
	return e, err
}

// bring tells why an entry may not bring another version of its bot: it takes both places of an sprt.
func (tx *Tx) bring(t tournament.Tournament, b tournament.Bot, entries []tournament.Entry, versionID string) error {
	refuse := func(reason string, args ...any) error {
		return &tournament.FieldError{Pointer: "/against_version_id", Reason: fmt.Sprintf(reason, args...)}
	}
	switch {
	case versionID == "":
		return nil
	case t.Format != tournament.SPRT:
		return refuse("is for an %s; this is a %s", tournament.SPRT, t.Format)
	case versionID == b.VersionID:
		return refuse("is the active version, which plays anyway: name another one of bot %q", b.Name)
	case slices.ContainsFunc(entries, func(e tournament.Entry) bool { return e.WithdrawnAt == nil && e.BotID != b.ID }):
		return fmt.Errorf("%w: another bot has one of the two places, and two versions need both", tournament.ErrFull)
	}
	if err := tx.db.Where("id = ? AND bot_id = ?", versionID, b.ID).Take(&versionRow{}).Error; err != nil {
		return found(err, "version of bot "+b.Name, versionID)
	}
	games, err := gamesOf(tx.db, []string{versionID})
	if err == nil && !slices.Contains(games[versionID], t.Game) {
		err = refuse("does not play %s; it said %v in its hello", t.Game, games[versionID])
	}
	return err
}

// late numbers an entry that comes after the start, if the format takes it.
func (tx *Tx) late(t tournament.Tournament, row *entryRow) error {
	c, err := tx.s.contest(tx.db, t)
	if err != nil {
		return err
	}
	format, err := pairing.Of(t.Format)
	if err != nil {
		return err
	}
	if err := format.Late(c.Contest); err != nil {
		return fmt.Errorf("%w: %w", tournament.ErrWindow, err)
	}
	var milli []int64
	if err := tx.db.Table("ratings r").Joins("JOIN versions v ON v.id = r.version_id").Where("r.ladder_id = ? AND r.bot_id = ?", cmp.Or(t.LadderID, t.Game), row.BotID).
		Order("v.number DESC").Limit(1).Pluck("r.milli", &milli).Error; err != nil {
		return err
	}
	row.Place, row.JoinedRound, row.SeedMilli = new(len(c.field)), len(c.Rounds), tournament.StartMilli
	if len(milli) > 0 {
		row.SeedMilli = milli[0]
	}
	return nil
}

// Withdraw takes an entry back; after the start it is for good, and rounds made later do without it. The rule is
// [tournament.CanWithdraw]; a bot that is not entered is [tournament.ErrNotFound].
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
		if err := tx.db.Model(&entryRow{}).Where("tournament_id = ? AND bot_id = ?", t.ID, b.ID).Update("withdrawn_at", now).Error; err != nil {
			return err
		}
		if t.Status == tournament.Running && t.Format == tournament.RoundRobin {
			return tx.leave(ctx, t, b)
		}
		return nil
	})
	return e, err
}

// both locks the tournament, so that entries come and go one at a time, and finds the owner's bot.
func (tx *Tx) both(tournamentID, botID, ownerID string) (t tournament.Tournament, b tournament.Bot, err error) {
	if t, err = takeTournament(locked(tx.db), tournamentID); err != nil {
		return t, b, err
	}
	b, err = tx.owned(botID, ownerID)
	return t, b, err
}
