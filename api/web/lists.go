package web

import (
	"cmp"
	"slices"
	"strings"

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
	p, err := s.Cursors.Page(c, keys...)
	if err != nil {
		return p, err
	}
	out.At = s.Now()
	out.Path = c.Request.URL.Path
	out.Here = cmp.Or(out.Here, out.Path)
	out.Search.Value = p.Filter[out.Search.Key]
	for i := range out.Choices {
		choice := &out.Choices[i]
		choice.Value = p.Filter[choice.Key]
		var want []string
		for _, o := range choice.Options {
			want = append(want, o.Value)
		}
		if choice.Value != "" && !slices.Contains(want, choice.Value) {
			return p, httpx.BadQuery(choice.Key, "wants one of "+strings.Join(want, ", "))
		}
	}
	out.Asked = slices.ContainsFunc(keys, func(key string) bool { return p.Filter[key] != "" })
	if c.Query("limit") == "" {
		p.Limit = shownRows
	}
	if p.After != "" {
		q := c.Request.URL.Query()
		q.Del("cursor")
		out.First = out.Path + "?" + q.Encode()
	}
	return p, nil
}

// goOn adds where a list goes on after a place; "" is its end.
func goOn(out *pages.Asking, c *gin.Context, p httpx.PageQuery, next string) {
	if next != "" {
		q := c.Request.URL.Query()
		q.Set("cursor", p.Cursor(next))
		out.Next = out.Path + "?" + q.Encode()
	}
}

// rowsOf returns the rows that a list is asked for, and adds where it goes on. list reads them by the filters.
func rowsOf[R any](s *Pages, c *gin.Context, out *pages.Asking, list func(map[string]string, store.Page) ([]R, string, error)) ([]R, error) {
	p, err := s.asked(c, out)
	if err != nil || !findable(out.Search.Value) {
		return nil, err
	}
	rows, next, err := list(p.Filter, store.Page{After: p.After, Limit: p.Limit})
	goOn(out, c, p, next)
	return rows, err
}

// listPage returns the page of a template with the rows that a list is asked for.
func listPage[R any](s *Pages, c *gin.Context, template string, ask pages.Asking, list func(map[string]string, store.Page) ([]R, string, error)) ([]byte, error) {
	rows, err := rowsOf(s, c, &ask, list)
	if err != nil {
		return nil, err
	}
	return s.site.Page(template, pages.List[R]{Asking: ask, Rows: rows})
}

// findable reports whether a name could hold a text at all. What could not is not asked for: the database may refuse it.
func findable(asked string) bool { return text.Opaque.Check(asked, httpx.MaxQueryValue) == nil }

// games returns the choice of a game.
func (s *Pages) games() pages.Choice {
	out := pages.Choice{Key: "game", Label: "Game"}
	for _, e := range s.Engines {
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
	var err error
	out.Rows, err = rowsOf(s, c, &out.Asking, func(q map[string]string, p store.Page) ([]store.ListedTournament, string, error) {
		f := store.TournamentFilter{Name: q["q"], Game: q["game"], Status: tournament.Status(q["status"])}
		return s.Store.ListTournaments(c.Request.Context(), f, p)
	})
	if err != nil {
		return nil, err
	}
	if out.First == "" && !out.Asked {
		if out.Coming, err = s.scheduled(c.Request.Context()); err != nil {
			return nil, err
		}
		out.Coming = out.Coming[:min(shownStarts, len(out.Coming))]
	}
	return s.site.Page("tournaments", out)
}

// Bots returns the page of all bots.
func (s *Pages) Bots(c *gin.Context) ([]byte, error) {
	ask := pages.Asking{
		Page:    pages.Page{Title: "Bots", About: "Every bot of this platform, and what it is rated."},
		Name:    "bot",
		Search:  pages.Choice{Key: "q", Label: "Name"},
		Choices: []pages.Choice{s.games(), states(tournament.BotActive, tournament.BotPaused, tournament.BotRetired)},
	}
	return listPage(s, c, "bots", ask, func(q map[string]string, p store.Page) ([]store.ListedBot, string, error) {
		f := store.BotFilter{Name: q["q"], Game: q["game"], Status: tournament.BotStatus(q["status"])}
		return s.Store.ListBots(c.Request.Context(), f, p)
	})
}

// Schedules returns the page of all schedules.
func (s *Pages) Schedules(c *gin.Context) ([]byte, error) {
	ask := pages.Asking{
		Page:    pages.Page{Title: "Schedules", About: "When tournaments start by themselves.", Here: "/tournaments"},
		Name:    "schedule",
		Search:  pages.Choice{Key: "q", Label: "Name"},
		Choices: []pages.Choice{s.games(), states(schedule.Active, schedule.Paused, schedule.Cancelled, schedule.Finished)},
	}
	return listPage(s, c, "schedules", ask, func(q map[string]string, p store.Page) ([]schedule.Schedule, string, error) {
		f := store.ScheduleFilter{Name: q["q"], Game: q["game"], Status: schedule.Status(q["status"])}
		return s.Store.Schedules(c.Request.Context(), f, p)
	})
}

// AllSeries returns the page of all series.
func (s *Pages) AllSeries(c *gin.Context) ([]byte, error) {
	ask := pages.Asking{
		Page: pages.Page{Title: "Series", About: "Standings over several tournaments.", Here: "/tournaments"},
		Name: "series",
	}
	return listPage(s, c, "serieslist", ask, func(_ map[string]string, p store.Page) ([]series.Series, string, error) {
		return s.Store.AllSeries(c.Request.Context(), store.SeriesFilter{}, p)
	})
}
