package director

import (
	"context"
	"fmt"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
)

// NewSeason ends the season of a ladder and begins the next: from the first match on that is not scheduled yet, the on-line
// ratings take the advantages of the last fit for known. Ratings go on as they are. A ladder without a fit, or one where
// nothing was scheduled in the season, is [tournament.ErrState].
func (d *Director) NewSeason(ctx context.Context, ladderID string) (next tournament.Season, err error) {
	err = d.inTx(ctx, func(tx *txn) error {
		l, err := tx.LockLadder(ladderID) // no match is scheduled meanwhile
		if err != nil {
			return err
		}
		f, err := tx.FitHead(ladderID)
		if err != nil {
			return err
		}
		if f.Matches == 0 {
			return fmt.Errorf("%w: ladder %q has no fit yet; there is one some seconds after its first rated match", tournament.ErrState, ladderID)
		}
		later, err := tx.LaterSeasons(ladderID)
		if err != nil {
			return err
		}
		if n := len(later); n > 0 && later[n-1].FromSeq > l.LastSeq {
			return fmt.Errorf("%w: season %d of ladder %q has no match yet", tournament.ErrState, l.Season, ladderID)
		}
		next, err = tx.AddSeason(tournament.Season{
			LadderID: l.ID, Number: l.Season + 1, FromSeq: l.LastSeq + 1, Advantages: f.Advantages, BeganAt: d.now(),
		})
		return err
	})
	return next, err
}

// params are what the on-line ratings of a season take for known.
func params(season tournament.Season) rating.Params {
	p := rating.Params{Tables: map[int]rating.Advantage{}}
	for _, a := range season.Advantages {
		at := p.Tables[a.Seats]
		if a.Team != "" {
			at.Team = map[string]float64{a.Team: a.Elo}
		} else {
			at.Seat = append(at.Seat, a.Elo) // they are stored by seat
		}
		p.Tables[a.Seats] = at
	}
	return p
}
