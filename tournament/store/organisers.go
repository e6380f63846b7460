package store

import (
	"context"
	"fmt"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// coOrganiser is a user who may do with a tournament, a schedule or a series what its organiser may.
type coOrganiser struct {
	EventID, UserID string
	AddedAt         time.Time
}

// CoOrganisers returns the co-organisers of a tournament, a schedule or a series, by name.
func (s *Store) CoOrganisers(ctx context.Context, eventID string) ([]tournament.User, error) {
	return database.All[tournament.User](s.SQL(ctx).Where("id IN (SELECT user_id FROM co_organisers WHERE event_id = ?)", eventID).Order("name_folded"))
}

// SetCoOrganisers makes users, by id, the co-organisers of a tournament, a schedule or a series, in the place of those before. One who
// was deleted is [tournament.ErrNotFound].
func (s *Store) SetCoOrganisers(ctx context.Context, kind Kind, eventID string, users []string) error {
	return s.InTx(ctx, func(tx *Tx) error {
		if err := tx.Lock(Rows{kind: {eventID}}); err != nil {
			return err
		}
		gone, err := database.First[userRow](tx.db.Where("id IN ? AND deleted_at IS NOT NULL", users))
		if err != nil {
			return err
		}
		if gone != nil {
			return fmt.Errorf("%w: there is no user %q", tournament.ErrNotFound, gone.ID)
		}
		if err := tx.db.Where("event_id = ?", eventID).Delete(&coOrganiser{}).Error; err != nil || len(users) == 0 {
			return err
		}
		rows := database.Map(users, func(id string) coOrganiser { return coOrganiser{eventID, id, s.Now()} })
		return tx.db.Create(&rows).Error
	})
}

// CoOrganises reports whether a user is a co-organiser of one of some events.
func (s *Store) CoOrganises(ctx context.Context, userID string, events ...string) (bool, error) {
	n, err := database.Count(s.SQL(ctx).Model(&coOrganiser{}).Where("user_id = ? AND event_id IN ?", userID, events))
	return n > 0, err
}

// visible reports whether a list shows a viewer a tournament or a schedule, whose row has a name with a dot: it is listed, or organised by
// them, a tournament with its schedule.
func visible(as string) string { return "(NOT " + as + "is_unlisted OR " + organised(as) + ")" }

// organised reports whether a viewer organises a thing, alone or together with others.
func organised(as string) string {
	const shared = " IN (SELECT event_id FROM co_organisers WHERE user_id = @viewer)"
	of := ""
	if as != "" {
		of = " OR " + as + "schedule_id" + shared
	}
	return "(" + as + "organiser_id = @viewer OR " + as + "id" + shared + of + ")"
}

// viewer names who looks at a list.
func viewer(id string) map[string]any { return map[string]any{"viewer": id} }
