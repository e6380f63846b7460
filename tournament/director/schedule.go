package director

import (
	"context"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
)

// MakeDue makes the tournaments that a schedule owes now ([schedule.Schedule.Due]) and returns them, in one transaction with
// the schedule's own progress: whoever comes second finds nothing to do.
func (d *Director) MakeDue(ctx context.Context, id string) ([]tournament.Tournament, error) {
	var made []tournament.Tournament
	err := d.inTx(ctx, func(tx *txn) error {
		_, err := tx.ChangeSchedule(id, func(x schedule.Schedule) (schedule.Schedule, error) {
			due, after := x.Due(d.now())
			made = due
			for i, t := range due {
				var err error
				if made[i], err = tx.announce(t); err != nil {
					return after, err
				}
			}
			return after, nil
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}
