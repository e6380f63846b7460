package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/calibration"
	"github.com/molerun/molerun/tournament/rating/fit"
)

const (
	// maxCalibrated is the most versions of a ladder whose forecasts are judged: that takes some fifty fits.
	maxCalibrated = 500
	// calibrationRest is how long a ladder rests at least after its forecasts were judged.
	calibrationRest = time.Minute
)

// calibrate judges the forecasts of the ladders that have a tenth more results, until ctx ends. It is beside refit, so that no fit
// waits for it.
func (w *worker) calibrate(ctx context.Context) {
	w.every(ctx, w.c.Sweep, "calibration of ratings failed", func(ctx context.Context) error {
		return eachDue(ctx, "ladder", w.c.Store.DueCalibrations, func(id string) error {
			ours, err := w.c.Store.ClaimCalibration(ctx, id)
			if err != nil || !ours {
				return err
			}
			return w.calibrateOne(ctx, id)
		})
	})
}

func (w *worker) calibrateOne(ctx context.Context, ladderID string) error {
	start := systemNow()
	c, err := JudgeLadder(ctx, w.director, w.c.Engines, ladderID)
	if err != nil {
		return err
	}
	c.Took = time.Since(start)
	return w.c.Store.SaveCalibration(ctx, c, max(calibrationRest, restShare*c.Took))
}

// JudgeLadder judges the forecasts of the rated matches of a ladder, of at most maxCalibrated versions. Nothing is stored.
func JudgeLadder(ctx context.Context, d *director.Director, engines func(id string) (game.Engine, bool), ladderID string) (tournament.Calibration, error) {
	return judge(ctx, d, engines, ladderID, maxCalibrated)
}

func judge(ctx context.Context, d *director.Director, engines func(id string) (game.Engine, bool), ladderID string, most int) (tournament.Calibration, error) {
	out := tournament.Calibration{LadderID: ladderID}
	h, err := d.History(ctx, ladderID)
	if err != nil {
		return out, err
	}
	prior, err := priorOf(h, engines)
	if err != nil {
		return out, err
	}
	among := latest(h, most)
	l := calibration.Ladder{Parents: among.parents(h), Prior: prior}
	var at []int // of its matches among all
	for i, m := range h.Matches {
		if one, all := among.match(m); all {
			l.Matches, at = append(l.Matches, one), append(at, i)
		}
	}
	l.Params = func(match int) rating.Params { return h.Params(at[match]) }
	c, err := calibration.Judge(ctx, l)
	if err != nil {
		return out, err
	}
	c.LadderID, c.ToSeq = ladderID, h.ToSeq
	return c, nil
}

// priorOf returns what is believed of a ladder's game before the first match.
func priorOf(h *director.History, engines func(id string) (game.Engine, bool)) (fit.Prior, error) {
	engine, ok := engines(h.Ladder.Game)
	if !ok {
		return fit.Prior{}, fmt.Errorf("%w: game %q of ladder %q", tournament.ErrNotFound, h.Ladder.Game, h.Ladder.ID)
	}
	if engine.Info().Teams {
		return fit.HiddenTeams(), nil
	}
	return fit.Standard(), nil
}
