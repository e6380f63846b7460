package store

import (
	"context"
	"fmt"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

type cardRow struct {
	tournament.Card
	FreeAtMS int64   `gorm:"column:free_at_ms"` // by the database's clock
	Games    int     // of its summary, by which lists are in order
	Strength float64 // the same
}

// Card returns an uploaded card by its hash; [tournament.ErrNotFound] without one.
func (s *Store) Card(ctx context.Context, hash string) (tournament.Card, error) {
	row, err := database.Take[cardRow](s.SQL(ctx).Where("hash = ?", hash), "card", hash)
	return row.Card, err
}

// CardsOf returns the cards that a user has uploaded, the newest first.
func (s *Store) CardsOf(ctx context.Context, ownerID string) ([]tournament.Card, error) {
	rows, err := database.All[cardRow](s.SQL(ctx).Where("owner_id = ?", ownerID).Order("uploaded_at DESC, hash"))
	return database.Map(rows, func(r cardRow) tournament.Card { return r.Card }), err
}

// CheckedCards returns a page of the cards that were checked, those over the most games first, then the strongest, without their JSON and
// decisions, and the cursor of the next, "" after the last.
func (s *Store) CheckedCards(ctx context.Context, p database.Page) ([]tournament.Card, string, error) {
	limit, err := p.Limited()
	if err != nil {
		return nil, "", err
	}
	db := s.SQL(ctx).Select("hash", "owner_id", "state", "uploaded_at", "ended_at", "summary", "games", "strength").
		Where("state = 'checked' AND games > 0").Order("games DESC, strength DESC, hash")
	if p.After != "" {
		var games int64
		var strength float64
		var hash string
		if err := database.OpenCursor(p.After, &games, &strength, &hash); err != nil {
			return nil, "", err
		}
		db = db.Where("games < ? OR games = ? AND (strength < ? OR strength = ? AND hash > ?)", games, games, strength, strength, hash)
	}
	rows, next, err := database.Fetch(db, limit, func(r cardRow) string { return database.Cursor(r.Games, r.Strength, r.Hash) })
	return database.Map(rows, func(r cardRow) tournament.Card { return r.Card }), next, err
}

// Precursor returns the hash of the first card that was checked, uploaded before c, and has matches of the hash played; "" without one, or
// if that is its owner's own.
func (s *Store) Precursor(ctx context.Context, c tournament.Card, played string) (string, error) {
	row, err := database.First[cardRow](s.SQL(ctx).Select("hash", "owner_id").Where("state = 'checked' AND uploaded_at < ? AND card LIKE ?",
		c.UploadedAt, `%"played": "`+played+`"%`).Order("uploaded_at"))
	if row == nil || row.OwnerID == c.OwnerID {
		return "", err
	}
	return row.Hash, err
}

// UploadCard has a card checked, and returns how far that has come. One that was checked stays as it is, whoever uploaded it, and so does its
// owner's while it waits or is being checked; another's is [tournament.ErrState] until then, for it may have other decisions. What was refused
// waits again. A user with quota cards gets [tournament.ErrLimit], one who is deleted [tournament.ErrNotFound]; while most cards
// wait it is [tournament.ErrFull].
func (s *Store) UploadCard(ctx context.Context, c tournament.Card, quota, most int) (tournament.Card, error) {
	err := s.InTx(ctx, func(tx *Tx) error {
		if err := lockUndeleted(tx.Tx, c.OwnerID); err != nil {
			return err
		}
		last, err := database.First[cardRow](tx.db.Where("hash = ?", c.Hash))
		if err != nil {
			return err
		}
		switch {
		case last == nil || last.State == tournament.CardRefused:
		case last.State == tournament.CardChecked || last.OwnerID == c.OwnerID:
			c = last.Card
			return nil
		default:
			return fmt.Errorf("%w: somebody else has uploaded this card, and it is not checked yet", tournament.ErrState)
		}
		has := tx.db.Model(&cardRow{}).Where("owner_id = ? AND hash <> ?", c.OwnerID, c.Hash)
		if err := database.UnderQuota(has, quota, "cards", "delete one first"); err != nil {
			return err
		}
		waiting, err := database.Count(tx.db.Model(&cardRow{}).Where("state = ?", tournament.CardWaiting))
		if err != nil {
			return err
		}
		if waiting >= most {
			return fmt.Errorf("%w: as many cards wait as may: %d", tournament.ErrFull, waiting)
		}
		c.State, c.Tries, c.Reason, c.UploadedAt, c.EndedAt = tournament.CardWaiting, 0, "", s.Now(), nil
		return database.Upsert(tx.db, []string{"hash"}).Create(&cardRow{Card: c}).Error
	})
	return c, err
}

// inTurn orders cards so that their owners take turns: whoever has none that is being checked goes first, then whose last check is longest ago.
const inTurn = "(SELECT COUNT(*) FROM cards o WHERE o.owner_id = cards.owner_id AND o.state = 'running' AND o.hash <> cards.hash)," +
	" (SELECT MAX(o.ended_at) FROM cards o WHERE o.owner_id = cards.owner_id) NULLS FIRST, uploaded_at, hash"

// ClaimCard gives this process the card whose check is due, of the owner whose turn it is the one that was uploaded first, for as long as lasts: if
// nothing is saved until then, it is due again. It returns nil if none is due.
func (s *Store) ClaimCard(ctx context.Context, lasts time.Duration) (*tournament.Card, error) {
	row, err := claimDue[cardRow](ctx, s, "cards", "hash", inTurn, lasts)
	if err != nil || row == nil {
		return nil, err
	}
	return &row.Card, nil
}

// claimDue takes the first row of a table, in an order, that waits and is due, as running; nil if none is, or another process was first.
func claimDue[R any](ctx context.Context, s *Store, table, key, order string, lasts time.Duration) (*R, error) {
	return database.First[R](s.SQL(ctx).Raw("UPDATE "+table+" SET state = 'running', tries = tries + 1, free_at_ms = "+s.NowMS()+" + ?"+
		" WHERE "+key+" = (SELECT "+key+" FROM "+table+" WHERE state IN ('waiting', 'running') AND free_at_ms <= "+s.NowMS()+
		" ORDER BY "+order+" LIMIT 1) AND free_at_ms <= "+s.NowMS()+" RETURNING "+database.ColumnsOf[R](s.SQL(ctx), table), lasts.Milliseconds()))
}

// SaveCard writes what came of the check that began with [Store.ClaimCard]; it is dropped if another has begun since, or the card was deleted.
// One that waits again is due after rest; without rest the worker has stopped, and that was no try.
func (s *Store) SaveCard(ctx context.Context, c tournament.Card, rest time.Duration) error {
	row := cardRow{Card: c, Games: len(c.Summary.Games), Strength: c.Summary.Clean.Value}
	switch {
	case c.State != tournament.CardWaiting:
		row.EndedAt = new(s.Now())
	case rest == 0:
		row.Tries--
	}
	return s.InTx(ctx, func(tx *Tx) error {
		saved := tx.db.Model(&cardRow{}).Where("hash = ? AND state = ? AND tries = ?", c.Hash, tournament.CardRunning, c.Tries).
			Select("state", "tries", "reason", "decisions", "ended_at", "summary", "games", "strength").Updates(&row)
		if saved.Error != nil || saved.RowsAffected == 0 {
			return saved.Error
		}
		return tx.db.Exec("UPDATE cards SET free_at_ms = "+s.NowMS()+" + ? WHERE hash = ?", rest.Milliseconds(), c.Hash).Error
	})
}

// DeleteCard deletes a card; [tournament.ErrNotFound] without one.
func (s *Store) DeleteCard(ctx context.Context, hash string) error {
	return database.Changed(s.SQL(ctx).Where("hash = ?", hash).Delete(&cardRow{}), fmt.Errorf("%w: there is no card %q", tournament.ErrNotFound, hash))
}
