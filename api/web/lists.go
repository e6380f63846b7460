package web

import (
	"cmp"
	"net/url"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/series"
	"github.com/molerun/molerun/tournament/store"
)

// shownRows is how many rows a page lists: on a phone each is a card, and a match may name ten bots.
const shownRows = 24

// asked reads what a list is asked for: its search, if out has one, and its choices. Forms send what is left empty too: an
// empty filter is none.
func (s *Pages) asked(c *gin.Context, out *pages.Asking) (httpx.PageQuery, error) {
	var keys []string
	if out.Search.Key != "" {
		keys = append(keys, out.Search.Key)
	}
	for _, choice := range out.Choices {
		keys = append(keys, choice.Key)
	}
	p, err := s.cursors.Page(c, keys...)
	if err != nil {
		return p, err
	}
	out.At = s.now()
	out.Path = c.Request.URL.Path
	out.Here = cmp.Or(out.Here, out.Path)
	out.Search.Value = p.Filter[out.Search.Key]
	for i := range out.Choices {
		choice := &out.Choices[i]
		choice.Value = p.Filter[choice.Key]
		if choice.Value != "" && !slices.ContainsFunc(choice.Options, func(o pages.Option) bool { return o.Value == choice.Value }) {
			return p, httpx.BadQuery(choice.Key, "is none of those that can be chosen")
		}
	}
	out.Asked = slices.ContainsFunc(keys, func(key string) bool { return p.Filter[key] != "" })
	if c.Query("limit") == "" {
		p.Limit = shownRows
	}
	if p.After != "" {
		out.First = out.Path + "?" + without(c, "cursor").Encode()
	}
	return p, nil
}

// goOn adds where a list goes on after a place; "" is its end.
func goOn(out *pages.Asking, c *gin.Context, p httpx.PageQuery, next string) {
	if next != "" {
		q := without(c, "cursor")
		q.Set("cursor", p.Cursor(next))
		out.Next = out.Path + "?" + q.Encode()
	}
}

// without returns the query of a request without one parameter.
func without(c *gin.Context, name string) url.Values {
	q := c.Request.URL.Query()
	q.Del(name)
	return q
}

// findable reports whether a name could hold a text at all. What could not is not asked for: the database may refuse it.
func findable(asked string) bool { return text.Opaque.Check(asked, httpx.MaxQueryValue) == nil }

// pageOf returns the page of a list that is asked for.
func pageOf(p httpx.PageQuery) store.Page { return store.Page{After: p.After, Limit: p.Limit} }

// games returns the choice of a game.
func (s *Pages) games() pages.Choice {
	out := pages.Choice{Key: "game", Label: "Game"}
	for _, e := range s.engines {
		out.Options = append(out.Options, pages.Option{Value: e.Info().ID, Name: e.Info().Name})
	}
	return out
}

// states returns the choice of a state.
func states[S ~string](list ...S) pages.Choice {
	out := pages.Choice{Key: "status", Label: "Status"}
	for _, x := range list {
		out.Options = append(out.Options, pages.Option{Value: string(x), Name: string(x)})
	}
	return out
}

// Tournaments returns the page of all tournaments.
func (s *Pages) Tournaments(c *gin.Context) ([]byte, error) {
	out := pages.Events[store.ListedTournament]{}
	out.Asking = pages.Asking{
		Page:    pages.Page{Title: "Events", About: "Every tournament of this platform, and those that schedules will announce."},
		Name:    "tournament",
		Search:  pages.Choice{Key: "q", Label: "Name"},
		Choices: []pages.Choice{s.games(), states(tournament.Scheduled, tournament.Running, tournament.Finished, tournament.Cancelled)},
	}
	p, err := s.asked(c, &out.Asking)
	if err != nil {
		return nil, err
	}
	next := ""
	if findable(p.Filter["q"]) {
		f := store.TournamentFilter{Name: p.Filter["q"], Game: p.Filter["game"], Status: tournament.Status(p.Filter["status"])}
		if out.Rows, next, err = s.store.ListTournaments(c.Request.Context(), f, pageOf(p)); err != nil {
			return nil, err
		}
	}
	if p.After == "" && !out.Asked {
		if out.Coming, err = s.scheduled(c.Request.Context()); err != nil {
			return nil, err
		}
		out.Coming = out.Coming[:min(shownStarts, len(out.Coming))]
	}
	goOn(&out.Asking, c, p, next)
	return s.site.Page("tournaments", out)
}

// Schedules returns the page of all schedules.
func (s *Pages) Schedules(c *gin.Context) ([]byte, error) {
	out := pages.List[schedule.Schedule]{Asking: pages.Asking{
		Page:    pages.Page{Title: "Schedules", About: "When tournaments start by themselves.", Here: "/tournaments"},
		Name:    "schedule",
		Search:  pages.Choice{Key: "q", Label: "Name"},
		Choices: []pages.Choice{s.games(), states(schedule.Active, schedule.Paused, schedule.Cancelled, schedule.Finished)},
	}}
	p, err := s.asked(c, &out.Asking)
	if err != nil {
		return nil, err
	}
	next := ""
	if findable(p.Filter["q"]) {
		f := store.ScheduleFilter{Name: p.Filter["q"], Game: p.Filter["game"], Status: schedule.Status(p.Filter["status"])}
		if out.Rows, next, err = s.store.Schedules(c.Request.Context(), f, pageOf(p)); err != nil {
			return nil, err
		}
	}
	goOn(&out.Asking, c, p, next)
	return s.site.Page("schedules", out)
}

// AllSeries returns the page of all series.
func (s *Pages) AllSeries(c *gin.Context) ([]byte, error) {
	out := pages.List[series.Series]{Asking: pages.Asking{
		Page: pages.Page{Title: "Series", About: "Standings over several tournaments.", Here: "/tournaments"},
		Name: "series",
	}}
	p, err := s.asked(c, &out.Asking)
	if err != nil {
		return nil, err
	}
	next := ""
	if out.Rows, next, err = s.store.AllSeries(c.Request.Context(), store.SeriesFilter{}, pageOf(p)); err != nil {
		return nil, err
	}
	goOn(&out.Asking, c, p, next)
	return s.site.Page("serieslist", out)
}
