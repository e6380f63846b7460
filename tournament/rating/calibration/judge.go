package calibration

import (
	"context"
	"fmt"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// How the past is cut. The fit is made on the first matches, forecasts the next block of them, is made again on both, and so on.
// Each block is a fifth of what came before it, so a ladder of any length takes some fifty fits at most.
const (
	learnt     = 20      // the first matches: they are not judged
	blocks     = 5       // a block is this part of what has been seen
	mostJudged = 100_000 // matches that are judged: the last ones
)

// Ladder is what is judged: the rated matches of a ladder in schedule order.
type Ladder struct {
	Parents []int // by player, as [fit.New] takes them
	Prior   fit.Prior
	Matches []fit.Match
	// Params are what the on-line ratings took for known of seats and teams in the match of that index.
	Params func(match int) rating.Params
}

// Judge has the fit and the on-line ratings forecast the matches, and counts what came true. The on-line ratings have seen every
// match before the one that they forecast; the fit has seen those before its block. A match that shares its deal with one before
// the block is not judged. Judge sets neither the ladder's id nor the times.
//
// The error is that of a match that cannot be rated, of a fit that does not come to rest, or of ctx.
func Judge(ctx context.Context, l Ladder) (tournament.Calibration, error) {
	w, err := newWalk(l)
	if err != nil {
		return tournament.Calibration{}, err
	}
	start := max(learnt, len(l.Matches)-mostJudged)
	if err := w.pass(0, min(start, len(l.Matches))); err != nil {
		return tournament.Calibration{}, err
	}
	for from := start; from < len(l.Matches); {
		if err := ctx.Err(); err != nil {
			return tournament.Calibration{}, err
		}
		to := min(len(l.Matches), from+max(1, from/blocks))
		if w.fit, err = w.history.Fit(); err != nil {
			return tournament.Calibration{}, err
		}
		w.fits++
		if err := w.pass(from, to); err != nil {
			return tournament.Calibration{}, err
		}
		from = to
	}
	return w.result(), nil
}

// walk goes through the matches in their order.
type walk struct {
	Ladder
	online  []rating.State
	history *fit.History
	fit     *fit.Fit     // nil: the matches are not judged
	seen    map[int]bool // deals of matches that the fit knows
	fits    int
	judged  int
	counts  *counts
}

func newWalk(l Ladder) (*walk, error) {
	h, err := fit.New(len(l.Parents), l.Parents, l.Prior)
	if err != nil {
		return nil, err
	}
	w := &walk{Ladder: l, online: make([]rating.State, len(l.Parents)), history: h, seen: map[int]bool{}, counts: newCounts()}
	for i := range w.online {
		w.online[i] = rating.New()
	}
	return w, nil
}

// pass judges the matches from..to−1 by the fit as it is, and then shows them to it.
func (w *walk) pass(from, to int) error {
	list := w.Matches[from:to]
	for i, m := range list {
		if err := w.match(from+i, m); err != nil {
			return fmt.Errorf("match %d: %w", from+i, err)
		}
	}
	for _, m := range list {
		if m.Block != 0 {
			w.seen[m.Block] = true
		}
	}
	return w.history.Add(list...)
}

// match rates one match on line, and judges the forecasts of it.
func (w *walk) match(number int, m fit.Match) error {
	if err := m.Check(len(w.online)); err != nil {
		return err
	}
	for _, s := range m.Seats {
		w.online[s.Player] = rating.Enter(w.online, w.Parents, s.Player)
	}
	params := w.Params(number)
	deltas, err := rating.Rate(m.Match, w.online, params)
	if err != nil {
		return err
	}
	if w.fit != nil && (m.Block == 0 || !w.seen[m.Block]) {
		deal := m.Block
		if deal == 0 {
			deal = -1 - number
		}
		fitted, rated := w.fit.Forecasts(m.Match), rating.Expectations(m.Match, w.online, params)
		if len(fitted) > 0 {
			w.judged++
			w.counts.add(deal, fitted, rated)
		}
	}
	for _, d := range deltas {
		w.online[d.Player] = d.After
	}
	return nil
}

func (w *walk) result() tournament.Calibration {
	return tournament.Calibration{
		Matches:     len(w.Matches),
		Judged:      w.judged,
		Comparisons: w.counts.comparisons,
		Fits:        w.fits,
		Forecasters: w.counts.forecasters(),
	}
}
