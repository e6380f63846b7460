package web

import (
	"context"
	"slices"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

const (
	// maxSchedules is how many schedules are looked at for what comes.
	maxSchedules = 50
	// startsAhead is how many starts of a schedule are announced before they are made.
	startsAhead = 2
	// shownStarts is how many coming starts a page lists.
	shownStarts = 6
)

// coming returns what schedules will announce and what is announced, the first start first.
func coming(announced []tournament.Tournament, schedules []store.ComingSchedule) []pages.Coming {
	var out []pages.Coming
	for _, t := range announced {
		out = append(out, pages.Coming{Tournament: t})
	}
	for _, x := range schedules {
		for _, t := range x.Announced(startsAhead) {
			out = append(out, pages.Coming{Tournament: t, Series: x.Series})
		}
	}
	slices.SortStableFunc(out, func(a, b pages.Coming) int { return a.StartsAt.Compare(b.StartsAt) })
	return out
}

// scheduled returns what schedules will announce, the first start first.
func (s *Pages) scheduled(ctx context.Context) ([]pages.Coming, error) {
	schedules, err := s.Store.ComingSchedules(ctx, maxSchedules)
	if err != nil {
		return nil, err
	}
	return coming(nil, schedules), nil
}
